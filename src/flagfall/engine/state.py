"""State: one position as one flat row of 16-bit numbers; a copy is a memcpy, a batch is a 2-D array.

::

    0       64       76      220           302           383            511
    | meta  | movers | board | piece cells | piece info  | chase keys   |

*piece cells*: where each piece stands, 0 if it is off the board. *piece info*: kind, owner and marks in one
word. *movers*: per side a bit set of the pieces on the board that can ever move. The owner is read from
here, never from a range of numbers.

A word of the board is 0 for an empty square; otherwise its upper two bits say for which side it is closed
(South's piece: South, North's: North, no square: both) and its lower seven which piece stands there. So one
look-up answers "empty, own or enemy?" without a branch.
"""

from __future__ import annotations

import hashlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flagfall.board import CELLS
from flagfall.engine.kernel import Ints, buffer, inlined
from flagfall.engine.tables import ARMY, PIECES

META: Final = 0
SIDE: Final = META
RESULT: Final = META + 1
REASON: Final = META + 2
NO_PROGRESS: Final = META + 3
PHASE: Final = META + 4  # which outcomes hold
PENDING: Final = META + 5  # what an open turn asks for, 0 at the start of a turn
PENDING_PIECE: Final = META + 6
PENDING_CELL: Final = META + 7
PENDING_KIND: Final = META + 8
PENDING_LIST: Final = META + 9  # targets chosen, pieces gone, or where the turn began
PENDING_ROW: Final = META + 10
TURN_PIECE: Final = META + 12  # the piece that this turn displaced, its way, and how
TURN_FROM: Final = META + 13
TURN_TO: Final = META + 14
TURN_HOW: Final = META + 15
LAST_PIECE: Final = META + 16  # + side: two-square memory
LAST_FROM: Final = META + 18
LAST_TO: Final = META + 20
LAST_COUNT: Final = META + 22
RESCUES_MADE: Final = META + 24  # + side
CONVERSIONS: Final = META + 26  # + side
CHASER: Final = META + 28  # side + 1 of the chasing player, 0 if there is no chase
EVADER: Final = META + 29  # the piece that has just moved away
CHASE_COUNT: Final = META + 30
RESERVED: Final = META + 31  # the reserved square; closed again when its piece leaves

MOVERS: Final = META + 64  # + 6 * side
MOVER_WORDS: Final = 6
BOARD: Final = MOVERS + 2 * MOVER_WORDS
PIECE_CELL: Final = BOARD + CELLS
PIECE_INFO: Final = PIECE_CELL + PIECES
CHASE_KEYS: Final = PIECE_INFO + PIECES
CHASE_RING: Final = 32
KEY_WORDS: Final = 4
STATE_SIZE: Final = CHASE_KEYS + CHASE_RING * KEY_WORDS

# --- board words
STANDS: Final = 7  # shift: what stands there
PIECE_MASK: Final = 127
EMPTY: Final = 0
OF_SOUTH: Final = 1
OF_NORTH: Final = 2
NO_SQUARE: Final = 3

# --- piece info
KIND_MASK: Final = 63
OWNER_SHIFT: Final = 6
MOVED: Final = 256
TOLD_SOUTH: Final = 512
TOLD_NORTH: Final = 1024
TOLD_WATCHERS: Final = 2048
TOLD_ALL: Final = TOLD_SOUTH | TOLD_NORTH | TOLD_WATCHERS
HAS_RESCUED: Final = 4096
CONVERTED: Final = 8192
ADVANCED: Final = 16384  # has had its part in the group advance of this turn

# --- results
ONGOING: Final = 0
SOUTH_WINS: Final = 1
NORTH_WINS: Final = 2
DRAW: Final = 3
FLAG_CAPTURED: Final = 1
OWN_FLAG_CAPTURED: Final = 2
NO_MOVE: Final = 3
NO_PROGRESS_DRAW: Final = 4
BOTH_STUCK: Final = 5

# --- phases
BEARER_LOST: Final = 1
BEARER_ARRIVED: Final = 2

# --- pending
ASK_GUESS: Final = 1
ASK_RESCUE_KIND: Final = 2
ASK_RESCUE_CELL: Final = 3
ASK_ATTACK_AGAIN: Final = 4
ASK_ATTACK_AFTER: Final = 5
ASK_TARGETS: Final = 6
ASK_NEXT: Final = 7

# --- how a turn displaced its piece
STAYED: Final = 0
DISPLACED: Final = 1
ATTACKED: Final = 2


class State:
    """The true position: its row and the buffer that kernels take. Only the referee has it."""

    __slots__ = ("buffer", "row")

    def __init__(self, row: NDArray[np.int16] | None = None) -> None:
        self.row: NDArray[np.int16] = np.zeros(STATE_SIZE, dtype=np.int16) if row is None else row
        self.buffer: Ints = buffer(self.row)

    def copy(self) -> State:
        """Return an independent copy."""
        return State(self.row.copy())

    def digest(self) -> str:
        """Return a short hash of the position."""
        return hashlib.blake2b(self.row.tobytes(), digest_size=8).hexdigest()

    @property
    def side(self) -> int:
        """The side to move: 0 South, 1 North."""
        return int(self.buffer[SIDE])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended on the board."""
        return self.buffer[RESULT] != ONGOING

    @property
    def is_turn_open(self) -> bool:
        """Whether the side to move is in the middle of a turn."""
        return self.buffer[PENDING] != 0


@inlined
def kind_of(s: Ints, piece: int) -> int:
    """Return the kind of a piece."""
    return s[PIECE_INFO + piece] & KIND_MASK


@inlined
def owner_of(s: Ints, piece: int) -> int:
    """Return the side that owns a piece."""
    return (s[PIECE_INFO + piece] >> OWNER_SHIFT) & 1


@inlined
def is_empty(s: Ints, cell: int) -> bool:
    """Return whether a cell is an empty square."""
    return s[BOARD + cell] == EMPTY


@inlined
def is_enemy(s: Ints, side: int, cell: int) -> bool:
    """Return whether an enemy of that side stands on a cell."""
    return s[BOARD + cell] >> STANDS == OF_NORTH - side


@inlined
def is_piece(s: Ints, cell: int) -> bool:
    """Return whether a piece stands on a cell."""
    there = s[BOARD + cell]
    return there != EMPTY and there < NO_SQUARE << STANDS


@inlined
def piece_on(s: Ints, cell: int) -> int:
    """Return the piece on a cell; meaningless if there is none."""
    return s[BOARD + cell] & PIECE_MASK


@inlined
def put(s: Ints, piece: int, cell: int) -> None:
    """Put a piece on a cell."""
    s[BOARD + cell] = (OF_SOUTH + owner_of(s, piece)) << STANDS | piece
    s[PIECE_CELL + piece] = cell


@inlined
def lift(s: Ints, piece: int) -> None:
    """Take a piece off its cell."""
    cell = s[PIECE_CELL + piece]
    s[BOARD + cell] = NO_SQUARE << STANDS if cell == s[RESERVED] else EMPTY
    s[PIECE_CELL + piece] = 0


@inlined
def movers(s: Ints, side: int, half: int) -> int:
    """Return the movable pieces of a side as a bit set: numbers 0 … 47 (half 0) or 48 … 95 (half 1)."""
    i = MOVERS + MOVER_WORDS * side + 3 * half
    return (s[i] & 0xFFFF) | (s[i + 1] & 0xFFFF) << 16 | (s[i + 2] & 0xFFFF) << 32


@inlined
def first_piece(side: int) -> int:
    """Return the lowest piece number of a side."""
    return 1 + ARMY * side


@inlined
def add_mover(s: Ints, side: int, piece: int) -> None:
    """Add a piece to the movable pieces of a side."""
    word = MOVERS + MOVER_WORDS * side + (piece >> 4)
    s[word] = _signed(s[word] | (1 << (piece & 15)))


@inlined
def drop_mover(s: Ints, side: int, piece: int) -> None:
    """Remove a piece from the movable pieces of a side."""
    word = MOVERS + MOVER_WORDS * side + (piece >> 4)
    s[word] = _signed(s[word] & ~(1 << (piece & 15)))


@inlined
def _signed(word: int) -> int:
    return ((word & 0xFFFF) ^ 0x8000) - 0x8000
