"""Kernels that sum over all assignments of the remaining kinds to the hidden pieces.

Kinds are assigned piece by piece. Only the number of each kind used so far matters, so a *state* is one
integer in mixed radix::

    kinds left     bomb 2   scout 3   flag 1        state = bombs + 3 · scouts + 12 · flags
    used so far    1        0         1             1 + 3 · 0 + 12 · 1 = 13, two pieces assigned

    ways[state] = Σ over kinds k used in it:  weight[piece, k] · ways[state without one k]

The last state sums over all assignments. Walking back from it samples an assignment exactly; one backward
pass gives the exact marginals. Several setup *types* are processed together, four at a time in the last
index, so that the compiler can vectorise.

A kind here may be a *group* of kinds (`kind_groups.py`); `split` divides it among its two halves, again
exactly. Layout of weights: ``weight[(piece · width + column) · types + type]``. Integers are in one *frame*::

    0      1      2      3       4      8        48        88         128
    kinds  width  types  states  pieces counts…  strides…  columns…   taken… (scratch)
"""

from __future__ import annotations

from typing import Final

from flagfall.engine.kernel import Ints, Reals, kernel
from flagfall.engine.tables import MAX_KINDS

KINDS: Final = 0
WIDTH: Final = 1  # columns of the weights, groups included
TYPES: Final = 2
STATES: Final = 3
PIECES: Final = 4
COUNTS: Final = 8  # + kind: how many there are
STRIDES: Final = COUNTS + MAX_KINDS  # + kind: what one more of it adds to a state
COLUMNS: Final = STRIDES + MAX_KINDS  # + kind: its column of the weights
TAKEN: Final = COLUMNS + MAX_KINDS  # + kind: used in the current state
FRAME_SIZE: Final = TAKEN + MAX_KINDS


@kernel
def forward(frame: Ints, weight: Reals, ways: Reals) -> None:
    """Fill ``ways``: for every state the sum over the assignments of its pieces."""
    kinds, width, types = frame[KINDS], frame[WIDTH], frame[TYPES]
    for kind in range(kinds):
        frame[TAKEN + kind] = 0
    for i in range(types):
        ways[i] = 1.0
    assigned = 0
    for state in range(1, frame[STATES]):
        kind = 0
        while frame[TAKEN + kind] == frame[COUNTS + kind]:
            assigned -= frame[TAKEN + kind]
            frame[TAKEN + kind] = 0
            kind += 1
        frame[TAKEN + kind] += 1
        assigned += 1
        for four in range(0, types, 4):
            a, b, c, d = 0.0, 0.0, 0.0, 0.0
            for kind in range(kinds):
                if frame[TAKEN + kind] > 0:
                    before = (state - frame[STRIDES + kind]) * types + four
                    row = ((assigned - 1) * width + frame[COLUMNS + kind]) * types + four
                    a += weight[row] * ways[before]
                    b += weight[row + 1] * ways[before + 1]
                    c += weight[row + 2] * ways[before + 2]
                    d += weight[row + 3] * ways[before + 3]
            here = state * types + four
            ways[here], ways[here + 1], ways[here + 2], ways[here + 3] = a, b, c, d


@kernel
def backward(frame: Ints, weight: Reals, ways: Reals, rest: Reals, chances: Reals) -> None:
    """Fill ``rest`` (ways to assign what is left) and sum ``chances[piece, kind, type]``, unnormalised."""
    kinds, width, types, states = frame[KINDS], frame[WIDTH], frame[TYPES], frame[STATES]
    for kind in range(kinds):
        frame[TAKEN + kind] = frame[COUNTS + kind]
    for i in range(types):
        rest[(states - 1) * types + i] = 1.0
    assigned = frame[PIECES]
    for state in range(states - 2, -1, -1):
        kind = 0
        while frame[TAKEN + kind] == 0:
            assigned += frame[COUNTS + kind]
            frame[TAKEN + kind] = frame[COUNTS + kind]
            kind += 1
        frame[TAKEN + kind] -= 1
        assigned -= 1
        for four in range(0, types, 4):
            here = state * types + four
            w, x, y, z = ways[here], ways[here + 1], ways[here + 2], ways[here + 3]
            a, b, c, d = 0.0, 0.0, 0.0, 0.0
            for kind in range(kinds):
                if frame[TAKEN + kind] < frame[COUNTS + kind]:
                    after = (state + frame[STRIDES + kind]) * types + four
                    row = (assigned * width + frame[COLUMNS + kind]) * types + four
                    cell = (assigned * kinds + kind) * types + four
                    e, f = weight[row] * rest[after], weight[row + 1] * rest[after + 1]
                    g, h = weight[row + 2] * rest[after + 2], weight[row + 3] * rest[after + 3]
                    a, b, c, d = a + e, b + f, c + g, d + h
                    chances[cell] += w * e
                    chances[cell + 1] += x * f
                    chances[cell + 2] += y * g
                    chances[cell + 3] += z * h
            rest[here], rest[here + 1], rest[here + 2], rest[here + 3] = a, b, c, d


@kernel
def sample(
    frame: Ints, weight: Reals, ways: Reals, chosen: int, uniforms: Reals, first: int, assignment: Ints,
    place: int,
) -> None:  # fmt: skip
    """Sample one assignment for one type; ``assignment[place + piece]`` gets a column."""
    kinds, width, types = frame[KINDS], frame[WIDTH], frame[TYPES]
    for kind in range(kinds):
        frame[TAKEN + kind] = frame[COUNTS + kind]
    state = frame[STATES] - 1
    for piece in range(frame[PIECES] - 1, -1, -1):
        left = uniforms[first + piece] * ways[state * types + chosen]
        taken = -1
        for kind in range(kinds):
            if frame[TAKEN + kind] > 0 and left >= 0.0:
                row = (piece * width + frame[COLUMNS + kind]) * types + chosen
                share = weight[row] * ways[(state - frame[STRIDES + kind]) * types + chosen]
                if share > 0.0:
                    taken = kind
                    left -= share
        assignment[place + piece] = frame[COLUMNS + taken]
        frame[TAKEN + taken] -= 1
        state -= frame[STRIDES + taken]


@kernel
def fill_split(
    frame: Ints, group: Ints, i: int, weight: Reals, chosen: int, assignment: Ints, place: int, scratch: Reals
) -> int:
    """Return the number of pieces in a group, and fill the table of ways to split it.

    ``scratch[n, l]``: ways to give ``l`` of the first ``n`` pieces to the left half.
    """
    node, left, right, wide = group[i], group[i + 1], group[i + 2], group[i + 3] + 1
    width, types = frame[WIDTH], frame[TYPES]
    for taken in range(wide):
        scratch[taken] = 0.0
    scratch[0] = 1.0
    members = 0
    for piece in range(frame[PIECES]):
        if assignment[place + piece] == node:
            members += 1
            a = weight[(piece * width + left) * types + chosen]
            b = weight[(piece * width + right) * types + chosen]
            for taken in range(wide):
                ways = b * scratch[(members - 1) * wide + taken]
                if taken > 0:
                    ways += a * scratch[(members - 1) * wide + taken - 1]
                scratch[members * wide + taken] = ways
    return members


@kernel
def split(
    frame: Ints, group: Ints, i: int, weight: Reals, chosen: int, uniforms: Reals, first: int,
    assignment: Ints, place: int, scratch: Reals,
) -> bool:  # fmt: skip
    """Divide a group among its halves; return False if that is impossible."""
    members = fill_split(frame, group, i, weight, chosen, assignment, place, scratch)
    node, left, right, taken = group[i], group[i + 1], group[i + 2], group[i + 3]
    wide = taken + 1
    if scratch[members * wide + taken] <= 0.0:
        return False
    for piece in range(frame[PIECES] - 1, -1, -1):
        if assignment[place + piece] != node:
            continue
        b = weight[(piece * frame[WIDTH] + right) * frame[TYPES] + chosen]
        b *= scratch[(members - 1) * wide + taken]
        if uniforms[first + piece] * scratch[members * wide + taken] < b or taken == 0:
            assignment[place + piece] = right
        else:
            assignment[place + piece] = left
            taken -= 1
        members -= 1
    return True


@kernel
def sample_many(
    frame: Ints, group: Ints, groups: int, weight: Reals, ways: Reals, chosen: Ints, uniforms: Reals,
    assignments: int, assignment: Ints, scratch: Reals,
) -> None:  # fmt: skip
    """Sample many assignments; ``group`` holds node, left, right, left's count of each group, largest first.

    An assignment whose groups could not be split is marked by -1 in its first place.
    """
    pieces = frame[PIECES]
    for number in range(assignments):
        place, first = number * pieces, number * pieces * (groups + 1)
        sample(frame, weight, ways, chosen[number], uniforms, first, assignment, place)
        for i in range(groups):
            first += pieces
            if not split(
                frame, group, 4 * i, weight, chosen[number], uniforms, first, assignment, place, scratch
            ):
                assignment[place] = -1
                break
