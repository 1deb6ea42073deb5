"""Alarm: is anybody on the way to the viewer's flag whom nobody can stop in time?

Tables say how many steps each enemy kind has from each square, through what it can take and around what it
cannot. An intruder is stopped by whoever beats it, or falls with it, and is beside its way in time; whoever
runs after it comes too late.
"""

from __future__ import annotations

from typing import Final

from flagfall.board import CELLS
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.state import KIND_MASK, OWNER_SHIFT, PHASE, PIECE_CELL, PIECE_INFO, SIDE
from flagfall.engine.tables import (
    ATTACKER_WINS,
    BOTH_LOST,
    KIND_FLAGS,
    MELEE,
    MOBILE,
    PIECES,
    outcome_at,
)
from flagfall.players.search.buffers import ALARM, LATE, REACH, SORT, STEPS_SEEN, VIEWER

_WATCHED: Final = 8
"""an intruder who will be met in time still costs so many parts less than one who will not"""
LOST: Final = 1024
"""as good as lost"""


@kernel
def alarm(t: Ints, w: Ints, m: Ints, s: Ints) -> int:
    """How far the viewer's game is lost by intruders near its flag, in parts of `LOST`."""
    viewer = m[VIEWER]
    turn = 1 if s[SIDE] == viewer else 0
    cost = 0
    for piece in range(1, PIECES):
        cell = s[PIECE_CELL + piece]
        if cell == 0:
            continue
        info = s[PIECE_INFO + piece]
        if info >> OWNER_SHIFT & 1 == viewer:
            continue
        at = (info & KIND_MASK) * CELLS + cell
        steps = w[REACH + at]
        if steps < STEPS_SEEN:
            late = _lateness(t, w, s, viewer, info & KIND_MASK, cell) - turn
            if late <= 0:
                cost += w[ALARM + steps] // _WATCHED
            elif late == 1:
                cost += w[ALARM + steps] // 2
            else:
                cost += w[ALARM + steps]
    return min(cost, LOST)


@kernel
def _lateness(t: Ints, w: Ints, s: Ints, viewer: int, kind: int, intruder: int) -> int:
    """By how many turns the best of those who can stop a kind comes too late, if the intruder moves first."""
    least = 99
    base = LATE + (w[SORT + kind] * CELLS + intruder) * CELLS
    for piece in range(1, PIECES):
        cell = s[PIECE_CELL + piece]
        if cell == 0 or w[base + cell] >= least:
            continue
        info = s[PIECE_INFO + piece]
        if info >> OWNER_SHIFT & 1 != viewer or t[KIND_FLAGS + (info & KIND_MASK)] & MOBILE == 0:
            continue
        outcome = t[outcome_at(s[PHASE], MELEE, info & KIND_MASK, kind)]
        if outcome in (ATTACKER_WINS, BOTH_LOST):
            least = w[base + cell]
            if least <= 0:
                return least
    return least
