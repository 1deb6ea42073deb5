"""Tables: the integers a game is compiled to; all the engine knows of a box.

One flat row of 16-bit numbers::

    0        64      160           304      432
    | rules  | kinds | cells (144) | powers | outcomes 40×40, by phase and context …

*rules* are switches and limits, *kinds* two words per kind (flags, and which powers it has), *cells* flags
per cell, *powers* one row per power of the box, *outcomes* what happens when one kind meets another: context
0 is an attack, the others belong to powers. `edition/compile.py` writes the row; kernels read it by the names
below.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from flagfall.board import CELLS
from flagfall.engine.kernel import Ints, buffer, inlined

MAX_KINDS: Final = 40
ARMY: Final = 40
"""maximum number of pieces of a side; South's are numbered 1…40, North's 41…80"""
PIECES: Final = 2 * ARMY + 1

# --- rules: switches and limits
TWO_SQUARE_LIMIT: Final = 0  # moves in a row between one pair of squares that are allowed; 0 = no limit
TWO_SQUARE_ATTACKS: Final = 1  # attacks count as such moves
CHASE_RULE: Final = 2
NO_PROGRESS_LIMIT: Final = 3  # turns; 0 = no limit
BOTH_STUCK_DRAWS: Final = 4
SILENT_DEFENSE: Final = 5
RESCUE_RULE: Final = 6
RESCUE_ON_STRIKE: Final = 7
DEFENDER_ADVANCES: Final = 8
SPOT_ANY_SIDE: Final = 9
SPOT_SILENT_MISS: Final = 10
TELLS_CAPTOR: Final = 11  # a captured piece that was never shown is shown to the captor (open, prisoner)
HAS_FOLLOW_UPS: Final = 12  # some action may start with a step: spot, rescue, two-step …
KIND_COUNT: Final = 13
RESCUE_CAP: Final = 14
RESERVED_SQUARE: Final = 15  # the square that only a bearer may enter; 0 = none
BEARER_IS_SAFE: Final = 24  # the bearer cannot be attacked there
HAS_POWERS: Final = 26  # some piece has a row in the powers table
AREA_ROWS: Final = 27  # bit set of the rows that follow a step
ADVANCE_ROW: Final = 28  # bit of the row of a group advance; 0 = none
GUESSES: Final = 16  # + side: kinds that side may have, as four words of ten bits each

# --- kinds: one word of flags each
KIND_FLAGS: Final = 64
MOBILE: Final = 1
RUNS: Final = 2  # any number of empty squares in a line
RUN_ATTACKS: Final = 4  # may end a run in an attack
IS_FLAG: Final = 8
SPOTS: Final = 16
RESCUES: Final = 32  # may bring a piece back
RESCUABLE: Final = 64  # may be brought back
NAMES_STRUCK: Final = 128  # under silent defence, what it strikes is named
STEP_ATTACKS: Final = 256  # may step, then attack
TWO_STEPS: Final = 512  # may step twice, and attack with the second
CHAINS: Final = 1024  # may attack again after a won attack
BEARER: Final = 2048  # may enter the reserved square; its loss begins another phase
PURGED: Final = 4096  # removed when the bearer reaches that square
RETURNS: Final = 8192  # a two-step may end where it began
KIND_POWERS: Final = KIND_FLAGS + 48  # bit set of power rows

# --- cells: the empty board and flags
CELL_FLAGS: Final = KIND_POWERS + 48
BLOCKED: Final = 1
BACK_ROW: Final = 2  # << side: on that side's back row
RESCUE_CELL: Final = 8  # << side: where that side may put a rescued piece
ZONE: Final = 32  # part of the board that no piece may enter

# --- powers: one row each
POWERS: Final = CELL_FLAGS + CELLS
MAX_POWERS: Final = 8
POWER_WIDTH: Final = 16
POWER_VERB: Final = 0  # as in action.py
REACH: Final = 1  # how many of the offsets around it: REACH_LINES or REACH_SQUARE
NEEDS_CLEAR_SHOT: Final = 2
OVER_ZONES: Final = 3
ATTACK_AFTER: Final = 4
HITS_FRIENDS: Final = 5
CHOOSE: Final = 6  # how many targets may be chosen; 0 = all
REMOVED_AFTER: Final = 7
CONTEXT: Final = 8
CAP: Final = 9  # successful uses per player; 0 = no cap
HIDES_SPARED: Final = 10  # a target that nothing happens to is not shown if it is immobile
ON_KNOWN: Final = 11  # known pieces may be looked at too
SUBSET: Final = 12
FRONT_FIRST: Final = 13
SHOWN_FIRST: Final = 14  # the striker is shown before it steps
REACH_LINES: Final = 16
REACH_SQUARE: Final = 24

# --- outcomes
OUTCOMES: Final = POWERS + MAX_POWERS * POWER_WIDTH
MAX_CONTEXTS: Final = 8
PHASES: Final = 3
MELEE: Final = 0  # context of an attack
MATRIX: Final = MAX_KINDS * MAX_KINDS
ATTACKER_WINS: Final = 1
BOTH_LOST: Final = 0
DEFENDER_WINS: Final = -1
NOTHING: Final = 2

TABLE_SIZE: Final = OUTCOMES + PHASES * MAX_CONTEXTS * MATRIX


class Tables:
    """A compiled game: its row, read-only, and the buffer kernels take."""

    __slots__ = ("buffer", "row")

    def __init__(self, row: NDArray[np.int16]) -> None:
        row = np.ascontiguousarray(row, dtype=np.int16)
        row.setflags(write=False)
        self.row = row
        self.buffer: Ints = buffer(row)

    def fights(self, kinds: int, phase: int = 0, context: int = 0) -> list[list[int]]:
        """Return the outcomes between the first ``kinds`` kinds: row attacker, column defender."""
        first = OUTCOMES + (phase * MAX_CONTEXTS + context) * MATRIX
        table = self.row[first : first + MATRIX].reshape(MAX_KINDS, MAX_KINDS)
        return [[int(outcome) for outcome in line[:kinds]] for line in table[:kinds]]


@inlined
def outcome_at(phase: int, context: int, attacker: int, defender: int) -> int:
    """Return the index of an outcome in the row."""
    return OUTCOMES + ((phase * MAX_CONTEXTS + context) * MAX_KINDS + attacker) * MAX_KINDS + defender


@inlined
def power(t: Ints, row: int, column: int) -> int:
    """Return one column of a power row."""
    return t[POWERS + row * POWER_WIDTH + column]


@inlined
def kind_flags(t: Ints, kind: int) -> int:
    """Return the flags of a kind."""
    return t[KIND_FLAGS + kind]


@inlined
def cell_flags(t: Ints, cell: int) -> int:
    """Return the flags of a cell."""
    return t[CELL_FLAGS + cell]
