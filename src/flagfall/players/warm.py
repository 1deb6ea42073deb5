"""Have the kernels of the engine and of the computer players ready before the first move.

The first time on a machine they are compiled; after that the machine code comes from the cache. They are the
same for all games.
"""

from __future__ import annotations

import numpy as np

from flagfall.engine import warm
from flagfall.engine.kernel import buffer
from flagfall.engine.repetition import remember_turn
from flagfall.engine.state import State
from flagfall.engine.tables import TABLE_SIZE, Tables
from flagfall.players.belief.assignments import Assignments
from flagfall.players.budget import Budget, Deadline
from flagfall.players.endgame.pieces import EndgamePieces
from flagfall.players.endgame.tablebase import Tablebase
from flagfall.players.search.alpha_beta import search_root
from flagfall.players.search.buffers import SearchBuffers

Report = warm.Report


def warm_up(report: Report = lambda done, total, what: None) -> None:
    """Prepare the engine, random games and the searching players; does nothing when interpreted."""
    warm.run_stages([*warm.stages(), *_stages(), *warm.stages_of_random_games()], report)


def warm_up_levels(report: Report = lambda done, total, what: None) -> None:
    """Prepare what the levels need and nothing else; does nothing when interpreted."""
    warm.run_stages([*warm.stages(), *_stages()], report)


def _stages() -> list[warm.Stage]:
    return [
        ("remembering turns", _remember),
        ("searching", _search),
        ("solving endgames", _solve),
        ("beliefs", _believe),
    ]


def _tables() -> Tables:
    return Tables(np.zeros(TABLE_SIZE, dtype=np.int16))


def _remember() -> None:
    remember_turn(_tables().buffer, State().buffer)


def _search() -> None:
    buffers = SearchBuffers()
    acts, values = np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.int64)
    search_root(
        _tables().buffer,
        buffers.w,
        buffers.m,
        State().buffer,
        buffers.rows,
        buffers.lists,
        buffers.order,
        buffers.out,
        buffers.ev,
        buffer(acts),
        buffer(values),
        0,
        1,
        0,
    )


def _solve() -> None:
    row = State().row
    table = Tablebase(_tables(), EndgamePieces({}, {}, (), (), (), {}, 0, 0, {}), {}, row, 0, 64)
    table.work(Deadline(Budget(nodes=8)), 1.0)
    if table.contains(row):
        table.values(row, [0])


def _believe() -> None:
    assignments = Assignments(np.ones((1, 3, 3)), np.ones(3, dtype=np.int64), np.ones(1), limit=1)
    assignments.chances()
    assignments.sample(1, np.random.default_rng(1))
