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
halves, again exactly. Layout of weights: ``weight[(piece · width + column) · types + type]``. All that is
counted in whole numbers is in one *frame*::

    0      1      2      3       4      8        48        88         128
    kinds  width  types  states  pieces counts…  strides…  columns…   taken… (room)
"""

from __future__ import annotations

from typing import Final

from flagfall.engine.kernel import Ints, Reals, kernel
from flagfall.engine.tables import MAX_KINDS

KINDS: Final = 0
WIDTH: Final = 1  # columns of the weights, bundles included
TYPES: Final = 2
STATES: Final = 3
PIECES: Final = 4
COUNTS: Final = 8  # + kind: how many are dealt
STRIDES: Final = COUNTS + MAX_KINDS  # + kind: what one more of it adds to a state
COLUMNS: Final = STRIDES + MAX_KINDS  # + kind: its column of the weights
TAKEN: Final = COLUMNS + MAX_KINDS  # + kind: room for the state at hand
FRAME_SIZE: Final = TAKEN + MAX_KINDS


@kernel
def forward(frame: Ints, weight: Reals, ways: Reals) -> None:
    """Fill ``ways``: for every state the sum over the deals of its pieces."""
    kinds, width, types = frame[KINDS], frame[WIDTH], frame[TYPES]
    for kind in range(kinds):
        frame[TAKEN + kind] = 0
    for at in range(types):
        ways[at] = 1.0
    dealt = 0
    for state in range(1, frame[STATES]):
        kind = 0
        while frame[TAKEN + kind] == frame[COUNTS + kind]:
            dealt -= frame[TAKEN + kind]
            frame[TAKEN + kind] = 0
            kind += 1
        frame[TAKEN + kind] += 1
        dealt += 1
        for four in range(0, types, 4):
            a, b, c, d = 0.0, 0.0, 0.0, 0.0
            for kind in range(kinds):
                if frame[TAKEN + kind] > 0:
                    before = (state - frame[STRIDES + kind]) * types + four
                    row = ((dealt - 1) * width + frame[COLUMNS + kind]) * types + four
                    a += weight[row] * ways[before]
                    b += weight[row + 1] * ways[before + 1]
                    c += weight[row + 2] * ways[before + 2]
                    d += weight[row + 3] * ways[before + 3]
            here = state * types + four
            ways[here], ways[here + 1], ways[here + 2], ways[here + 3] = a, b, c, d


@kernel
def backward(frame: Ints, weight: Reals, ways: Reals, rest: Reals, chances: Reals) -> None:
    """Fill ``rest`` (ways to deal what is left), add up ``chances[piece, kind, type]``, not yet divided."""
    kinds, width, types, states = frame[KINDS], frame[WIDTH], frame[TYPES], frame[STATES]
    for kind in range(kinds):
        frame[TAKEN + kind] = frame[COUNTS + kind]
    for at in range(types):
        rest[(states - 1) * types + at] = 1.0
    dealt = frame[PIECES]
    for state in range(states - 2, -1, -1):
        kind = 0
        while frame[TAKEN + kind] == 0:
            dealt += frame[COUNTS + kind]
            frame[TAKEN + kind] = frame[COUNTS + kind]
            kind += 1
        frame[TAKEN + kind] -= 1
        dealt -= 1
        for four in range(0, types, 4):
            here = state * types + four
            w, x, y, z = ways[here], ways[here + 1], ways[here + 2], ways[here + 3]
            a, b, c, d = 0.0, 0.0, 0.0, 0.0
            for kind in range(kinds):
                if frame[TAKEN + kind] < frame[COUNTS + kind]:
                    after = (state + frame[STRIDES + kind]) * types + four
                    row = (dealt * width + frame[COLUMNS + kind]) * types + four
                    cell = (dealt * kinds + kind) * types + four
                    e, f = weight[row] * rest[after], weight[row + 1] * rest[after + 1]
                    g, h = weight[row + 2] * rest[after + 2], weight[row + 3] * rest[after + 3]
                    a, b, c, d = a + e, b + f, c + g, d + h
                    chances[cell] += w * e
                    chances[cell + 1] += x * f
                    chances[cell + 2] += y * g
                    chances[cell + 3] += z * h
            rest[here], rest[here + 1], rest[here + 2], rest[here + 3] = a, b, c, d


@kernel
def draw(
    frame: Ints, weight: Reals, ways: Reals, chosen: int, lots: Reals, first: int, deal: Ints, place: int
) -> None:
    """Walk back from the last state in the world of one type; ``deal[place + piece]`` gets a column."""
    kinds, width, types = frame[KINDS], frame[WIDTH], frame[TYPES]
    for kind in range(kinds):
        frame[TAKEN + kind] = frame[COUNTS + kind]
    state = frame[STATES] - 1
    for piece in range(frame[PIECES] - 1, -1, -1):
        left = lots[first + piece] * ways[state * types + chosen]
        taken = -1
        for kind in range(kinds):
            if frame[TAKEN + kind] > 0 and left >= 0.0:
                row = (piece * width + frame[COLUMNS + kind]) * types + chosen
                share = weight[row] * ways[(state - frame[STRIDES + kind]) * types + chosen]
                if share > 0.0:
                    taken = kind
                    left -= share
        deal[place + piece] = frame[COLUMNS + taken]
        frame[TAKEN + taken] -= 1
        state -= frame[STRIDES + taken]


@kernel
def fill_split(
    frame: Ints, bundle: Ints, at: int, weight: Reals, chosen: int, deal: Ints, place: int, room: Reals
) -> int:
    """How many pieces a bundle has; ``room[n, l]``: ways to give ``l`` of the first ``n`` to the left one."""
    node, left, right, wide = bundle[at], bundle[at + 1], bundle[at + 2], bundle[at + 3] + 1
    width, types = frame[WIDTH], frame[TYPES]
    for taken in range(wide):
        room[taken] = 0.0
    room[0] = 1.0
    members = 0
    for piece in range(frame[PIECES]):
        if deal[place + piece] == node:
            members += 1
            a = weight[(piece * width + left) * types + chosen]
            b = weight[(piece * width + right) * types + chosen]
            for taken in range(wide):
                ways = b * room[(members - 1) * wide + taken]
                if taken > 0:
                    ways += a * room[(members - 1) * wide + taken - 1]
                room[members * wide + taken] = ways
    return members


@kernel
def split(
    frame: Ints,
    bundle: Ints,
    at: int,
    weight: Reals,
    chosen: int,
    lots: Reals,
    first: int,
    deal: Ints,
    place: int,
    room: Reals,
) -> bool:
    """Deal a bundle to its halves, the left one's count to the left; False if there is no way to."""
    members = fill_split(frame, bundle, at, weight, chosen, deal, place, room)
    node, left, right, taken = bundle[at], bundle[at + 1], bundle[at + 2], bundle[at + 3]
    wide = taken + 1
    if room[members * wide + taken] <= 0.0:
        return False
    for piece in range(frame[PIECES] - 1, -1, -1):
        if deal[place + piece] != node:
            continue
        b = weight[(piece * frame[WIDTH] + right) * frame[TYPES] + chosen]
        b *= room[(members - 1) * wide + taken]
        if lots[first + piece] * room[members * wide + taken] < b or taken == 0:
            deal[place + piece] = right
        else:
            deal[place + piece] = left
            taken -= 1
        members -= 1
    return True


@kernel
def draw_many(
    frame: Ints,
    bundle: Ints,
    bundles: int,
    weight: Reals,
    ways: Reals,
    chosen: Ints,
    lots: Reals,
    deals: int,
    deal: Ints,
    room: Reals,
) -> None:
    """Draw many deals; ``bundle`` holds node, left, right and left's count of every bundle, largest first.

    A deal that found no way to split a bundle is marked by -1 in its first place.
    """
    pieces = frame[PIECES]
    for number in range(deals):
        place, first = number * pieces, number * pieces * (bundles + 1)
        draw(frame, weight, ways, chosen[number], lots, first, deal, place)
        for at in range(bundles):
            first += pieces
            if not split(frame, bundle, 4 * at, weight, chosen[number], lots, first, deal, place, room):
                deal[place] = -1
                break
