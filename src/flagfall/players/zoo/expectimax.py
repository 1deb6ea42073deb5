"""Expectimax: the searching player's rival, one tree over chances (`search/chance.py`)."""

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
from flagfall.players.budget import Budget
from flagfall.players.chances import Chances
from flagfall.players.history import GameHistory
from flagfall.players.search import buffers as R
from flagfall.players.search.deadline import Deadline
from flagfall.players.search.expectimax import ONE, look
from flagfall.players.searcher import SearchingPlayer
from flagfall.players.worlds import SIDES
from flagfall.view.view import SeenEvent, SeenPiece, View

_DEEPEST = 8


class Expectimax(SearchingPlayer):
    """Believes and appraises as the levels do; searches in another way."""

    def __init__(self, game: Game, options: Options, rng: Random, budget: Budget) -> None:
        super().__init__(game, options, rng, budget)
        if is_compiled():
            chances = np.zeros(PIECES * MAX_KINDS, dtype=np.int32)
            self._look(State().row, chances, 0, Deadline(Budget.of_nodes(1)))

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """The best action of the deepest round that was finished."""
        deadline = Deadline(self.budget, self._clock)
        if len(view.legal) == 1:
            return view.legal[0]
        view, chronicle, hidden, chances = self._consider(view, history)
        if view.prompt is not None and view.prompt.ask == "guess":
            return self._guess(view, chronicle.number)
        world = self.imagination.worlds(view, history, self._draw(1, hidden))[0]
        best = self._look(world, table_of(hidden, chances, chronicle), SIDES.index(view.viewer), deadline)
        return next((act for act in view.legal if act.pack() == best), view.legal[0])

    def _look(
        self, world: NDArray[np.int16], table: NDArray[np.int32], viewer: int, deadline: Deadline
    ) -> int:
        room, m, best = self.room, self.room.m_array, 0
        room.forget()
        m[R.VIEWER] = viewer
        for depth in range(1, _DEEPEST + 1):
            if deadline.is_over():
                break
            m[R.NODES], m[R.ABORTED], m[R.LIMIT] = 0, 0, deadline.allowance()
            found = look(
                self.root.tables.buffer, room.w, room.m, buffer(table), buffer(world), room.rows, room.lists,
                room.order, room.out, room.ev, depth, R.INFINITE,
            )  # fmt: skip
            deadline.note(int(m[R.NODES]))
            if found == 0:
                break
            best = int(found)
        return best


def table_of(hidden: Sequence[SeenPiece], chances: Chances, chronicle: GameHistory) -> NDArray[np.int32]:
    """Chances by the number of the piece, in parts of `ONE`."""
    table = np.zeros((PIECES, MAX_KINDS), dtype=np.int32)
    for piece, row in zip(hidden, chances, strict=True):
        table[chronicle.number[piece.name], : len(row)] = np.round(row * ONE)
    return table.reshape(-1)
