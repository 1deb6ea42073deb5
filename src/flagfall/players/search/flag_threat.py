"""Flag threat: is an enemy on its way to the viewer's flag that no piece can stop in time?

Tables give the steps of each enemy kind from each cell to the flag, through pieces it can take and around
those it cannot. A guard stops an intruder if it wins or trades against it and reaches a cell next to its path
in time; a guard behind it is too late.
"""

from __future__ import annotations

from typing import Final

from flagfall.board import CELLS
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, kernel
from flagfall.players.search import buffers as B

_GUARDED_SHARE: Final = 8
"""an intruder that is met in time costs an eighth of an unstopped one"""
CERTAIN_LOSS: Final = 1024


@kernel
def flag_threat(t: Ints, w: Ints, m: Ints, s: Ints) -> int:
    """Return how far intruders near its flag have won against the viewer, in parts of `CERTAIN_LOSS`."""
    viewer = m[B.VIEWER]
    turn = 1 if s[S.SIDE] == viewer else 0
    cost = 0
    for piece in range(1, T.PIECES):
        cell = s[S.PIECE_CELL + piece]
        if cell == 0:
            continue
        info = s[S.PIECE_INFO + piece]
        if info >> S.OWNER_SHIFT & 1 == viewer:
            continue
        i = (info & S.KIND_MASK) * CELLS + cell
        steps = w[B.FLAG_DISTANCE + i]
        if steps < B.THREAT_RANGE:
            late = _lateness(t, w, s, viewer, info & S.KIND_MASK, cell) - turn
            if late <= 0:
                cost += w[B.THREAT + steps] // _GUARDED_SHARE
            elif late == 1:
                cost += w[B.THREAT + steps] // 2
            else:
                cost += w[B.THREAT + steps]
    return min(cost, CERTAIN_LOSS)


@kernel
def _lateness(t: Ints, w: Ints, s: Ints, viewer: int, kind: int, intruder: int) -> int:
    """Return by how many turns the best guard is too late, if the intruder moves first."""
    lowest = 99
    base = B.LATENESS + (w[B.PATH_CLASS + kind] * CELLS + intruder) * CELLS
    for piece in range(1, T.PIECES):
        cell = s[S.PIECE_CELL + piece]
        if cell == 0 or w[base + cell] >= lowest:
            continue
        info = s[S.PIECE_INFO + piece]
        if info >> S.OWNER_SHIFT & 1 != viewer or t[T.KIND_FLAGS + (info & S.KIND_MASK)] & T.MOBILE == 0:
            continue
        outcome = t[T.outcome_at(s[S.PHASE], T.MELEE, info & S.KIND_MASK, kind)]
        if outcome in (T.ATTACKER_WINS, T.BOTH_LOST):
            lowest = w[base + cell]
            if lowest <= 0:
                return lowest
    return lowest
