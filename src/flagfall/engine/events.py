"""Event rows: what an action did, each with its audience. A secret is a separate event.

A row is six numbers: what, piece, from, to, value, audience. The audience is a bit set over South,
North and watchers; an event is delivered whole or not at all, so nothing is ever blanked.

======== ======================== ======================================================
what     value                    meaning
======== ======================== ======================================================
MOVE     how (BY_…)               a piece goes from one square to another
ATTACK   –                        a piece attacks the square ``to``
SHOWN    kind                     the audience sees the kind of the piece on ``from``
REMOVED  –                        a piece leaves the board
SPOT     –                        a piece announces that it spots the square ``to``
GUESS    kind                     what it says is there
MISS     –                        the guess was wrong
RESCUE   –                        a piece declares that its move rescues another
RESCUED  –                        a piece comes back onto ``to``
TURN     side                     the turn is over; that side is to move
RESULT   result * 16 + reason     the game is over
USE      power row                a piece uses a power (on ``to``, if it has one target); piece 0: a group
                                  advances in direction number ``to``
NOTHING  –                        the piece on ``to`` was not affected
CONVERT  new owner                the piece on ``to`` changes sides
PHASE    phase                    another phase begins: other outcomes hold
======== ======================== ======================================================
"""

from __future__ import annotations

from typing import Final

from flagfall.engine.kernel import Ints, inlined
from flagfall.engine.state import PIECE_CELL, PIECE_INFO, TOLD_SOUTH, kind_of, owner_of

WIDTH: Final = 6
CAPACITY: Final = 128 * WIDTH

MOVE: Final = 1
ATTACK: Final = 2
SHOWN: Final = 3
REMOVED: Final = 4
SPOT: Final = 5
GUESS: Final = 6
MISS: Final = 7
RESCUE: Final = 8
RESCUED: Final = 9
TURN: Final = 10
RESULT: Final = 11
USE: Final = 12
NOTHING: Final = 13
CONVERT: Final = 14
PHASE: Final = 15

TO_ALL: Final = 7  # South 1, North 2, watchers 4

BY_STEP: Final = 0
BY_RUN: Final = 1
BY_CAPTURE: Final = 2
BY_DEFENCE: Final = 3
BY_LEAP: Final = 4
BY_TELEPORT: Final = 5
BY_ADVANCE: Final = 6


@inlined
def emit(ev: Ints, n: int, what: int, piece: int, origin: int, target: int, value: int, audience: int) -> int:
    """Write one row at offset ``n`` and return the next free offset."""
    ev[n] = what
    ev[n + 1] = piece
    ev[n + 2] = origin
    ev[n + 3] = target
    ev[n + 4] = value
    ev[n + 5] = audience
    return n + WIDTH


@inlined
def show(s: Ints, piece: int, audience: int, ev: Ints, n: int) -> int:
    """Show a piece's kind to the audience; its owner gets the same event."""
    audience |= 1 << owner_of(s, piece)
    s[PIECE_INFO + piece] |= audience * TOLD_SOUTH
    return emit(ev, n, SHOWN, piece, s[PIECE_CELL + piece], 0, kind_of(s, piece), audience)
