"""Solve endgames with tablebases, and join a solution to the ordinary search.

::

    View ─► pieces ─► table without two-square memory ─► table with it ─► solution
            none: search                        until they are done: search

The first table is small, and exact if the two-square rule is off; with the rule, its wins hold against an
enemy that may move back and forth for ever. The second is exact with the rule, and is built if it fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

import numpy as np

from flagfall.edition import Game
from flagfall.engine.tables import TWO_SQUARE_LIMIT
from flagfall.players.budget import Deadline
from flagfall.players.endgame.encoding import MAX_MEMORY_LIMIT
from flagfall.players.endgame.pieces import EndgameFinder, EndgamePieces
from flagfall.players.endgame.tablebase import MAX_POSITIONS, Tablebase
from flagfall.players.search import buffers as B
from flagfall.players.search.root import RootResult
from flagfall.players.search.root_weights import RootWeights
from flagfall.players.worlds import Rows, WorldSampler
from flagfall.view.view import SeenEvent, View

SHARE = 0.6
"""of the time for an action, while a table is unfinished"""
SIZE_LIMIT = 4 * MAX_POSITIONS
"""estimated positions above which no table is started; many may prove unreachable"""


@dataclass(frozen=True)
class Solution:
    """How each legal action ends."""

    values: tuple[int, ...]
    """5 wins in five turns, -6 loses in six, 0 is undecided"""

    @property
    def best(self) -> int:
        """The value of the best action: the soonest win, undecided, or the latest loss."""
        wins = [value for value in self.values if value > 0]
        if wins:
            return min(wins)
        return 0 if 0 in self.values else min(self.values)


class Endgame:
    """The tablebases of one seat in one game."""

    def __init__(self, game: Game, sampler: WorldSampler) -> None:
        self._sampler = sampler
        self._finder = EndgameFinder(game, sampler.tables)
        limit = int(sampler.tables.buffer[TWO_SQUARE_LIMIT])
        self._limit = limit if limit <= MAX_MEMORY_LIMIT else 0
        self._pieces: EndgamePieces | None = None
        self._unwinnable: Set[str] = frozenset()
        """the pieces with which two hunters were found not to be enough"""
        self.tables: list[Tablebase] = []
        """without two-square memory, then with it"""

    def solution(self, view: View, history: Sequence[SeenEvent], deadline: Deadline) -> Solution | None:
        """Return how each legal action ends, or None while that is unknown; uses a share of the budget."""
        pieces = self._finder.find(view)
        if (
            pieces is None
            or pieces.size > SIZE_LIMIT
            or (pieces.spare and pieces.kinds.keys() == self._unwinnable)
        ):
            self._pieces, self.tables = None, []
            return None
        row = self._sampler.worlds(view, history, np.array([pieces.guess], dtype=np.int16))[0]
        self._continue(pieces, row)
        self._work(pieces, row, deadline)
        done = [table for table in self.tables if table.is_done and table.contains(row)]
        if not done:
            return None
        solution = Solution(done[-1].values(row, [act.pack() for act in view.legal]))
        if solution.best > 0 and not done[-1].is_in_time(row, solution.best):
            solution = Solution(tuple(min(value, 0) for value in solution.values))
        if solution.best <= 0 and done[-1].pieces.spare:
            self._unwinnable = pieces.kinds.keys()
            return None
        return solution

    def _continue(self, pieces: EndgamePieces, row: Rows) -> None:
        """Keep the tables, or start new ones if they do not contain the position."""
        known = self._pieces
        is_unknown = any(table.is_done and not table.contains(row) for table in self.tables)
        if known is None or is_unknown or not known.continues(pieces) or (known.spare and not pieces.spare):
            self._pieces, self.tables = pieces, [self._table(pieces, row, 0, pieces.size)]

    def _table(self, pieces: EndgamePieces, row: Rows, memory_limit: int, size: int) -> Tablebase:
        game_history = self._sampler.game_history
        assert game_history is not None, "a row needs a history"
        return Tablebase(self._sampler.tables, pieces, dict(game_history.number), row, memory_limit, size)

    def _work(self, pieces: EndgamePieces, row: Rows, deadline: Deadline) -> None:
        self.tables[-1].work(deadline, SHARE)
        first = self.tables[0]
        size = first.positions * (4 * self._limit + 1) ** len(pieces.movers)
        if pieces.spare:
            return
        if first.is_done and len(self.tables) == 1 and self._limit != 0 and size <= SIZE_LIMIT // 2:
            self.tables.append(self._table(pieces, row, self._limit, 2 * size))
            self.tables[-1].work(deadline, SHARE / 2)


Search = Callable[[Sequence[int], RootWeights], RootResult]


def search_with_solution(
    solution: Solution | None,
    acts: Sequence[int],
    root_weights: RootWeights,
    scale: float,
    nodes: int,
    search: Search,
) -> RootResult:
    """Return the result for all actions: from the solution where it is decided, from a search elsewhere."""
    if solution is None or not any(solution.values):
        return search(acts, root_weights)
    best_actions = [i for i, value in enumerate(solution.values) if value == solution.best]
    ends = [np.sign(value) * B.WIN - value for value in solution.values]
    values = np.tile(np.array(ends, dtype=np.float64)[:, None], (1, root_weights.weights.shape[1]))
    found = RootResult(
        list(acts), values, root_weights, scale, best_actions, min(abs(solution.best), B.MAX_PLY), nodes
    )
    if solution.best == 0:
        rest = search([acts[i] for i in best_actions], root_weights.only(best_actions))
        values[best_actions] = rest.values
        found.active = [best_actions[i] for i in rest.active]
        found.depth, found.nodes = rest.depth, rest.nodes
    return found
