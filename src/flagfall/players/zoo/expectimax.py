"""A searching player with one expectimax tree instead of alpha-beta in sampled Worlds."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.engine.kernel import buffer
from flagfall.engine.mode import is_compiled
from flagfall.engine.state import State
from flagfall.engine.tables import MAX_KINDS, PIECES
from flagfall.players.budget import Budget, Deadline
from flagfall.players.search import buffers as B
from flagfall.players.search.expectimax import ONE, search_expectimax
from flagfall.players.searcher import SearchingPlayer
from flagfall.sides import SIDES
from flagfall.view.view import SeenEvent, View

_MAX_DEPTH = 8


class Expectimax(SearchingPlayer):
    """Has the belief and evaluation of the levels, but another search."""

    def __init__(self, game: Game, options: Options, rng: Random, budget: Budget) -> None:
        super().__init__(game, options, rng, budget)
        if is_compiled():
            chances = np.zeros(PIECES * MAX_KINDS, dtype=np.int32)
            self._search(State().row, chances, 0, Deadline(Budget(nodes=1)))

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return the best action of the last finished depth."""
        deadline = Deadline(self.budget, self._clock)
        if len(view.legal) == 1:
            return view.legal[0]
        view, game_history, hidden, chances = self._prepare(view, history)
        if view.prompt is not None and view.prompt.ask == "guess":
            return self._guess(view, game_history.number)
        world = self.sampler.worlds(view, history, self._sample(1, hidden))[0]
        table = np.zeros((PIECES, MAX_KINDS), dtype=np.int32)
        for piece, row in zip(hidden, chances, strict=True):
            table[game_history.number[piece.name], : len(row)] = np.round(row * ONE)
        best = self._search(world, table.reshape(-1), SIDES.index(view.viewer), deadline)
        return next((act for act in view.legal if act.pack() == best), view.legal[0])

    def _search(
        self, world: NDArray[np.int16], table: NDArray[np.int32], viewer: int, deadline: Deadline
    ) -> int:
        buffers, m, best = self.buffers, self.buffers.memory, 0
        buffers.clear()
        m[B.VIEWER] = viewer
        for depth in range(1, _MAX_DEPTH + 1):
            if deadline.is_over():
                break
            m[B.NODES], m[B.ABORTED], m[B.LIMIT] = 0, 0, deadline.allowance()
            found = search_expectimax(
                self.root.tables.buffer, buffers.w, buffers.m, buffer(table), buffer(world), buffers.rows,
                buffers.lists, buffers.order, buffers.out, buffers.ev, depth, B.INFINITE,
            )  # fmt: skip
            deadline.note(int(m[B.NODES]))
            if found == 0:
                break
            best = int(found)
        return best
