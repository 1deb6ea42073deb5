"""A position of an endgame as one integer, and back to a State row.

::

    movers' cells   captured walls   two-square memory         side
    8 bits each     1 bit each       13 bits a side, or none   1 bit

Everything else is taken from the first position (``blank``, without the movers). A *wall* is a piece that
never moves and can be captured. Two-square memory that restricts nothing any more is encoded as none.
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.simulate import copy_row

# --- g: counters, and what all positions share
COUNT: Final = 0  # positions found
EDGES: Final = 1
EXPANDED: Final = 2  # positions whose actions have been played
SOLVED: Final = 3  # positions with a known result
PROPAGATED: Final = 4  # of those, how many have updated their parents
FAILED: Final = 5  # too many positions, or an unsupported action
CAPACITY: Final = 6  # maximum number of positions
MAX_EDGES: Final = 7
SLOT_MASK: Final = 8
MOVER_COUNT: Final = 9
WALL_COUNT: Final = 10
MEMORY_LIMIT: Final = 11  # of the two-square rule; 0 leaves it out
PHASE_NUMBER: Final = 12
MOVER: Final = 16  # + index: its piece
WALL: Final = 20  # + index: its piece
BLIND: Final = 64  # + piece: bit set of the movers whose attack on it would be blind
META_SIZE: Final = BLIND + T.PIECES

MAX_MOVERS: Final = 3
MAX_MEMORY_LIMIT: Final = 7
CODE_BITS: Final = 62
MEMORY_BITS: Final = 13


@inlined
def mover_of(g: Ints, piece: int) -> int:
    """Return the number of a mover, from 1 on; 0 for other pieces."""
    index = 0
    for i in range(g[MOVER_COUNT]):
        if g[MOVER + i] == piece:
            index = i + 1
    return index


@inlined
def _memory(g: Ints, s: Ints, side: int) -> int:
    """Return a side's two-square memory."""
    piece = s[S.LAST_PIECE + side]
    if piece == 0 or s[S.PIECE_CELL + piece] != s[S.LAST_TO + side]:
        return 0
    return (
        mover_of(g, piece) << 11 | s[S.LAST_FROM + side] << 3 | min(s[S.LAST_COUNT + side], g[MEMORY_LIMIT])
    )


@kernel
def encode(g: Ints, s: Ints) -> int:
    """Return the code of a position."""
    code = 0
    for i in range(g[MOVER_COUNT]):
        code = code << 8 | s[S.PIECE_CELL + g[MOVER + i]]
    for i in range(g[WALL_COUNT]):
        code = code << 1 | (1 if s[S.PIECE_CELL + g[WALL + i]] == 0 else 0)
    if g[MEMORY_LIMIT] != 0:
        code = code << MEMORY_BITS | _memory(g, s, 0)
        code = code << MEMORY_BITS | _memory(g, s, 1)
    return code << 1 | s[S.SIDE]


@inlined
def _remember(g: Ints, s: Ints, side: int, memory: int) -> None:
    index = memory >> 11
    if index != 0:
        piece = g[MOVER + index - 1]
        s[S.LAST_PIECE + side] = piece
        s[S.LAST_FROM + side] = memory >> 3 & 255
        s[S.LAST_TO + side] = s[S.PIECE_CELL + piece]
        s[S.LAST_COUNT + side] = memory & 7


@kernel
def decode(g: Ints, blank: Ints, code: int, s: Ints) -> None:
    """Write the position of a code to a row."""
    copy_row(blank, s)
    s[S.SIDE] = code & 1
    rest, south, north = code >> 1, 0, 0
    if g[MEMORY_LIMIT] != 0:
        north = rest & ((1 << MEMORY_BITS) - 1)
        south = rest >> MEMORY_BITS & ((1 << MEMORY_BITS) - 1)
        rest >>= 2 * MEMORY_BITS
    for i in range(g[WALL_COUNT] - 1, -1, -1):
        if rest & 1:
            S.lift(s, g[WALL + i])
        rest >>= 1
    for i in range(g[MOVER_COUNT] - 1, -1, -1):
        piece = g[MOVER + i]
        if rest & 255:
            S.put(s, piece, rest & 255)
        else:
            S.drop_mover(s, S.owner_of(s, piece), piece)
        rest >>= 8
    _remember(g, s, 0, south)
    _remember(g, s, 1, north)
