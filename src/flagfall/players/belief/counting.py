"""Kernels that deal the remaining kinds to the hidden pieces, all deals at once.

Pieces are dealt one after the other. What matters of the pieces already dealt is only how many of each kind
they took, so a *state* is one number in mixed radix::

    kinds left     bomb 2   scout 3   flag 1        state = bombs + 3 · scouts + 12 · flags
    taken so far   1        0         1             1 + 3 · 0 + 12 · 1 = 13, two pieces dealt

    ways[state] = Σ over kinds k taken in it:  weight[piece, k] · ways[state without one k]

The last state sums over all deals. Walking back from it draws a deal exactly; going backwards once gives
every piece's chances exactly. Several *types* (setups of one sort) are carried side by side, in the last
index and four at a time, so that the processor can take them together.

A kind here may be a *bundle* of kinds that stand in nearly the same places; `split` deals it out to its two
halves, again exactly. Layout of weights: ``weight[(piece · columns + column) · types + type]``.
"""

from __future__ import annotations

from flagfall.engine.kernel import Ints, Reals, kernel


@kernel
def forward(
    counts: Ints, strides: Ints, columns: Ints, kinds: int, weight: Reals, width: int, types: int, ways: Reals
) -> None:
    """Fill ``ways``; kind ``k`` has column ``columns[k]`` of the weights; ``counts[kinds:]`` is room."""
    states = 1
    for kind in range(kinds):
        states *= counts[kind] + 1
        counts[kinds + kind] = 0
    for at in range(types):
        ways[at] = 1.0
    dealt = 0
    for state in range(1, states):
        kind = 0
        while counts[kinds + kind] == counts[kind]:
            dealt -= counts[kind]
            counts[kinds + kind] = 0
            kind += 1
        counts[kinds + kind] += 1
        dealt += 1
        for four in range(0, types, 4):
            a, b, c, d = 0.0, 0.0, 0.0, 0.0
            for kind in range(kinds):
                if counts[kinds + kind] > 0:
                    before = (state - strides[kind]) * types + four
                    row = ((dealt - 1) * width + columns[kind]) * types + four
                    a += weight[row] * ways[before]
                    b += weight[row + 1] * ways[before + 1]
                    c += weight[row + 2] * ways[before + 2]
                    d += weight[row + 3] * ways[before + 3]
            here = state * types + four
            ways[here] = a
            ways[here + 1] = b
            ways[here + 2] = c
            ways[here + 3] = d


@kernel
def backward(
    counts: Ints,
    strides: Ints,
    columns: Ints,
    kinds: int,
    weight: Reals,
    width: int,
    types: int,
    ways: Reals,
    rest: Reals,
    chances: Reals,
) -> None:
    """Fill ``rest`` (ways to deal what is left), add up ``chances[piece, kind, type]``, not yet divided."""
    states, pieces = 1, 0
    for kind in range(kinds):
        states *= counts[kind] + 1
        pieces += counts[kind]
        counts[kinds + kind] = counts[kind]
    for at in range(types):
        rest[(states - 1) * types + at] = 1.0
    dealt = pieces
    for back in range(1, states):
        state = states - 1 - back
        kind = 0
        while counts[kinds + kind] == 0:
            dealt += counts[kind]
            counts[kinds + kind] = counts[kind]
            kind += 1
        counts[kinds + kind] -= 1
        dealt -= 1
        for four in range(0, types, 4):
            here = state * types + four
            w, x, y, z = ways[here], ways[here + 1], ways[here + 2], ways[here + 3]
            a, b, c, d = 0.0, 0.0, 0.0, 0.0
            for kind in range(kinds):
                if counts[kinds + kind] < counts[kind]:
                    after = (state + strides[kind]) * types + four
                    row = (dealt * width + columns[kind]) * types + four
                    cell = (dealt * kinds + kind) * types + four
                    e = weight[row] * rest[after]
                    f = weight[row + 1] * rest[after + 1]
                    g = weight[row + 2] * rest[after + 2]
                    h = weight[row + 3] * rest[after + 3]
                    a, b, c, d = a + e, b + f, c + g, d + h
                    chances[cell] += w * e
                    chances[cell + 1] += x * f
                    chances[cell + 2] += y * g
                    chances[cell + 3] += z * h
            rest[here], rest[here + 1], rest[here + 2], rest[here + 3] = a, b, c, d


@kernel
def draw(
    counts: Ints,
    strides: Ints,
    columns: Ints,
    kinds: int,
    weight: Reals,
    width: int,
    types: int,
    ways: Reals,
    chosen: int,
    lots: Reals,
    first: int,
    deal: Ints,
    place: int,
) -> None:
    """Walk back from the last state in the world of one type; ``deal[place + piece]`` gets a column."""
    state, pieces = 0, 0
    for kind in range(kinds):
        state += counts[kind] * strides[kind]
        pieces += counts[kind]
        counts[kinds + kind] = counts[kind]
    for back in range(pieces):
        piece = pieces - 1 - back
        left = lots[first + piece] * ways[state * types + chosen]
        taken = -1
        for kind in range(kinds):
            if counts[kinds + kind] > 0 and left >= 0.0:
                share = (
                    weight[(piece * width + columns[kind]) * types + chosen]
                    * ways[(state - strides[kind]) * types + chosen]
                )
                if share > 0.0:
                    taken = kind
                    left -= share
        deal[place + piece] = columns[taken]
        counts[kinds + taken] -= 1
        state -= strides[taken]


@kernel
def split(
    node: int,
    left: int,
    right: int,
    count: int,
    pieces: int,
    weight: Reals,
    width: int,
    types: int,
    chosen: int,
    lots: Reals,
    first: int,
    deal: Ints,
    place: int,
    room: Reals,
) -> bool:
    """Deal a bundle to its halves, ``count`` pieces to the left one; False if there is no way to."""
    wide = count + 1
    members = 0
    for at in range(wide):
        room[at] = 0.0
    room[0] = 1.0
    for piece in range(pieces):
        if deal[place + piece] != node:
            continue
        members += 1
        a = weight[(piece * width + left) * types + chosen]
        b = weight[(piece * width + right) * types + chosen]
        for taken in range(wide):
            ways = b * room[(members - 1) * wide + taken]
            if taken > 0:
                ways += a * room[(members - 1) * wide + taken - 1]
            room[members * wide + taken] = ways
    taken = count
    if room[members * wide + taken] <= 0.0:
        return False
    for back in range(pieces):
        piece = pieces - 1 - back
        if deal[place + piece] != node:
            continue
        b = weight[(piece * width + right) * types + chosen] * room[(members - 1) * wide + taken]
        if lots[first + piece] * room[members * wide + taken] < b or taken == 0:
            deal[place + piece] = right
        else:
            deal[place + piece] = left
            taken -= 1
        members -= 1
    return True


@kernel
def draw_many(
    counts: Ints,
    strides: Ints,
    columns: Ints,
    kinds: int,
    weight: Reals,
    width: int,
    types: int,
    ways: Reals,
    tree: Ints,
    bundles: int,
    pieces: int,
    chosen: Ints,
    lots: Reals,
    deals: int,
    deal: Ints,
    room: Reals,
) -> None:
    """Draw many deals; ``tree`` holds node, left, right and left's count of every bundle, largest first.

    A deal that found no way to split a bundle is marked by -1 in its first place.
    """
    stride = pieces * (bundles + 1)
    for number in range(deals):
        place, first = number * pieces, number * stride
        draw(
            counts,
            strides,
            columns,
            kinds,
            weight,
            width,
            types,
            ways,
            chosen[number],
            lots,
            first,
            deal,
            place,
        )
        for at in range(bundles):
            done = split(
                tree[4 * at],
                tree[4 * at + 1],
                tree[4 * at + 2],
                tree[4 * at + 3],
                pieces,
                weight,
                width,
                types,
                chosen[number],
                lots,
                first + (at + 1) * pieces,
                deal,
                place,
                room,
            )
            if not done:
                deal[place] = -1
                break
