"""Tables: the integers a game is compiled to; all the engine knows of a box.

One flat row of 16-bit numbers::

    0        64      112            256           …
    | rules  | kinds | cells (144)  | melee 40×40 |

*rules* are switches and limits, *kinds* one word of flags per kind, *cells* the empty board with flags
per cell, *melee* what happens when one kind attacks another. `edition/compile.py` writes it; kernels
read it through the names below.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from flagfall.board import CELLS
from flagfall.engine.kernel import Ints, buffer, inlined

MAX_KINDS: Final = 40
ARMY: Final = 40
"""pieces of one side at most; South's are numbered 1…40, North's 41…80"""
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
TELLS_CAPTOR: Final = 11  # a captured piece nobody has seen is shown to the captor (open, prisoner)
HAS_FOLLOW_UPS: Final = 12  # some action may start with a step: spot, rescue, two-step …
KIND_COUNT: Final = 13
RESCUE_CAP: Final = 14
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

# --- cells: the empty board and flags
CELL_FLAGS: Final = KIND_FLAGS + 48
BLOCKED: Final = 1
BACK_ROW: Final = 2  # << side: on that side's back row
RESCUE_CELL: Final = 8  # << side: where that side may put a rescued piece

MELEE: Final = CELL_FLAGS + CELLS
ATTACKER_WINS: Final = 1
BOTH_LOST: Final = 0
DEFENDER_WINS: Final = -1
NOTHING: Final = 2

TABLE_SIZE: Final = MELEE + MAX_KINDS * MAX_KINDS


class Tables:
    """A compiled game: its row, read-only, and the buffer kernels take."""

    __slots__ = ("buffer", "row")

    def __init__(self, row: NDArray[np.int16]) -> None:
        row = np.ascontiguousarray(row, dtype=np.int16)
        row.setflags(write=False)
        self.row = row
        self.buffer: Ints = buffer(row)


@inlined
def melee(t: Ints, attacker: int, defender: int) -> int:
    """What happens when one kind attacks another."""
    return t[MELEE + attacker * MAX_KINDS + defender]


@inlined
def kind_flags(t: Ints, kind: int) -> int:
    """Flags of a kind."""
    return t[KIND_FLAGS + kind]


@inlined
def cell_flags(t: Ints, cell: int) -> int:
    """Flags of a cell."""
    return t[CELL_FLAGS + cell]
