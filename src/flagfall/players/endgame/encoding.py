"""A position of an endgame as one number, and back to a State row.

::

    movers' squares  walls that are gone  memory of the two-square rule  side
    8 bits each      1 bit each           13 bits a side, or none        1 bit

Everything else of the row stays what it was in the first position (``blank``, from which the movers are
lifted). A memory that can bar nothing any more is none.
"""

from __future__ import annotations

from typing import Final

from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.simulate import copy_row
from flagfall.engine.state import (
    LAST_COUNT,
    LAST_FROM,
    LAST_PIECE,
    LAST_TO,
    PIECE_CELL,
    SIDE,
    drop_mover,
    lift,
    owner_of,
    put,
)
from flagfall.engine.tables import PIECES

# --- g: counters, and what the positions have in common
COUNT: Final = 0  # positions found
EDGES: Final = 1
OPENED: Final = 2  # positions whose actions have been played
QUEUED: Final = 3  # positions of which it is known who wins
SETTLED: Final = 4  # those among them whose parents have been told
BROKEN: Final = 5  # it cannot be told here: too many positions, or an action of another sort
MOST: Final = 6  # room for so many positions
MAX_EDGES: Final = 7
SLOT_MASK: Final = 8
MOVER_COUNT: Final = 9
WALL_COUNT: Final = 10
REMEMBERED: Final = 11  # how far the two-square rule counts; 0: its memory is left out
REGIME_NUMBER: Final = 12
MOVER: Final = 16  # + index: its piece
WALL: Final = 20  # + index: a piece that never moves and may be taken
DARK: Final = 64  # + piece: bit set of the movers whose attack on it is a guess
META: Final = DARK + PIECES

MAX_MOVERS: Final = 3
MAX_REMEMBERED: Final = 7
CODE_BITS: Final = 62
MEMORY_BITS: Final = 13


@inlined
def mover_of(g: Ints, piece: int) -> int:
    """Which of the movers a piece is, from 1 on; 0 if none."""
    index = 0
    for at in range(g[MOVER_COUNT]):
        if g[MOVER + at] == piece:
            index = at + 1
    return index


@inlined
def _memory(g: Ints, s: Ints, side: int) -> int:
    """What the two-square rule remembers of a side."""
    piece = s[LAST_PIECE + side]
    if piece == 0 or s[PIECE_CELL + piece] != s[LAST_TO + side]:
        return 0
    return mover_of(g, piece) << 11 | s[LAST_FROM + side] << 3 | min(s[LAST_COUNT + side], g[REMEMBERED])


@kernel
def coded(g: Ints, s: Ints) -> int:
    """The number of a position."""
    code = 0
    for at in range(g[MOVER_COUNT]):
        code = code << 8 | s[PIECE_CELL + g[MOVER + at]]
    for at in range(g[WALL_COUNT]):
        code = code << 1 | (1 if s[PIECE_CELL + g[WALL + at]] == 0 else 0)
    if g[REMEMBERED] != 0:
        code = code << MEMORY_BITS | _memory(g, s, 0)
        code = code << MEMORY_BITS | _memory(g, s, 1)
    return code << 1 | s[SIDE]


@inlined
def _remember(g: Ints, s: Ints, side: int, memory: int) -> None:
    index = memory >> 11
    if index != 0:
        piece = g[MOVER + index - 1]
        s[LAST_PIECE + side] = piece
        s[LAST_FROM + side] = memory >> 3 & 255
        s[LAST_TO + side] = s[PIECE_CELL + piece]
        s[LAST_COUNT + side] = memory & 7


@kernel
def stand(g: Ints, blank: Ints, code: int, s: Ints) -> None:
    """Write the position of a number on a row."""
    copy_row(blank, s)
    s[SIDE] = code & 1
    rest, south, north = code >> 1, 0, 0
    if g[REMEMBERED] != 0:
        north = rest & ((1 << MEMORY_BITS) - 1)
        south = rest >> MEMORY_BITS & ((1 << MEMORY_BITS) - 1)
        rest >>= 2 * MEMORY_BITS
    for at in range(g[WALL_COUNT] - 1, -1, -1):
        if rest & 1:
            lift(s, g[WALL + at])
        rest >>= 1
    for at in range(g[MOVER_COUNT] - 1, -1, -1):
        piece = g[MOVER + at]
        if rest & 255:
            put(s, piece, rest & 255)
        else:
            drop_mover(s, owner_of(s, piece), piece)
        rest >>= 8
    _remember(g, s, 0, south)
    _remember(g, s, 1, north)
