"""Flag threat: is an enemy on its way to the viewer's flag that no piece can stop in time?

Tables give the steps of each enemy kind from each cell to the flag, through pieces it can take and around
those it cannot. A guard stops an intruder if it wins or trades against it and reaches a cell next to its path
in time; a guard behind it is too late.
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
from flagfall.players.search.buffers import FLAG_DISTANCE, LATENESS, PATH_CLASS, THREAT, THREAT_RANGE, VIEWER

_GUARDED_SHARE: Final = 8
"""an intruder that is met in time costs an eighth of an unstopped one"""
CERTAIN_LOSS: Final = 1024


@kernel
def flag_threat(t: Ints, w: Ints, m: Ints, s: Ints) -> int:
    """Return how far intruders near its flag have won against the viewer, in parts of `CERTAIN_LOSS`."""
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
        i = (info & KIND_MASK) * CELLS + cell
        steps = w[FLAG_DISTANCE + i]
        if steps < THREAT_RANGE:
            late = _lateness(t, w, s, viewer, info & KIND_MASK, cell) - turn
            if late <= 0:
                cost += w[THREAT + steps] // _GUARDED_SHARE
            elif late == 1:
                cost += w[THREAT + steps] // 2
            else:
                cost += w[THREAT + steps]
    return min(cost, CERTAIN_LOSS)


@kernel
def _lateness(t: Ints, w: Ints, s: Ints, viewer: int, kind: int, intruder: int) -> int:
    """Return by how many turns the best guard is too late, if the intruder moves first."""
    lowest = 99
    base = LATENESS + (w[PATH_CLASS + kind] * CELLS + intruder) * CELLS
    for piece in range(1, PIECES):
        cell = s[PIECE_CELL + piece]
        if cell == 0 or w[base + cell] >= lowest:
            continue
        info = s[PIECE_INFO + piece]
        if info >> OWNER_SHIFT & 1 != viewer or t[KIND_FLAGS + (info & KIND_MASK)] & MOBILE == 0:
            continue
        outcome = t[outcome_at(s[PHASE], MELEE, info & KIND_MASK, kind)]
        if outcome in (ATTACKER_WINS, BOTH_LOST):
            lowest = w[base + cell]
            if lowest <= 0:
                return lowest
    return lowest
