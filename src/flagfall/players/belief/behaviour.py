"""The habits of one side's hidden pieces, as likelihoods of their kinds.

Each event is read before it is folded, in the position that the mover saw. Only public facts are used: where
pieces stand, which have moved, and which kinds both sides have been shown.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np
from numpy.typing import NDArray

from flagfall.board import DIRECTIONS, cell_name
from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.players.belief.habits import Habit, HabitRates, HabitTable
from flagfall.sides import SIDES
from flagfall.view.knowledge import Knowledge
from flagfall.view.view import SeenEvent

MAX_TOTAL = 2.5
"""all habits together change odds by no more than this (in nats)"""
_FIRST_MOVES: tuple[tuple[float, Habit], ...] = (
    (10, "first move early"),
    (40, "first move later"),
    (inf, "first move late"),
)
"""by the turn of its side"""
_FREE: dict[int, Habit] = {8: "free for 8 turns", 25: "free for 25 turns", 60: "free for 60 turns"}
Recorder = Callable[[str, Habit, tuple[str, ...]], None]
"""called when a piece first shows a habit: its name, the habit, class or relation of every kind"""


class Behaviour:
    """The habits of one side's pieces, as likelihoods per kind."""

    def __init__(
        self,
        game: Game,
        options: Options,
        side: int,
        table: HabitRates | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        self._side = side
        self._kinds = len(game.kinds)
        self._habits = HabitTable(game, side, compile_game(game, options).fights(self._kinds), table)
        self._recorder = recorder
        self._neighbours = {
            cell_name(cell): tuple(cell_name(cell + way) for way in DIRECTIONS if cell + way in game.board)
            for cell in game.board.open_cells()
        }
        self._zones = frozenset(cell_name(cell) for cell in game.board.zones)
        self.reset()

    def reset(self) -> None:
        """Forget everything, before a history is read from its start."""
        self._sums: dict[str, NDArray[np.float64]] = {}
        self._times: dict[tuple[str, Habit, int], int] = {}
        self._free: dict[str, int] = {}
        self._turns = 0
        self._contacts: list[tuple[str, int]] | None = None
        self._active: set[str] = set()

    def factors(self, name: str) -> NDArray[np.float64]:
        """Return the likelihood of what a piece did for each kind; 1 is neutral."""
        total = self._sums.get(name)
        return np.ones(self._kinds) if total is None else np.exp(np.clip(total, -MAX_TOTAL, MAX_TOTAL))

    def note(self, knowledge: Knowledge, event: SeenEvent) -> None:
        """Read an event that is about to be folded."""
        if event.what == "turn":
            if self._contacts is not None:
                self._end_turn(knowledge)
            return
        if knowledge.to_move != self._side:
            return
        if self._contacts is None:
            self._contacts = list(self._all_contacts(knowledge))
        self._active.add(event.piece)
        if event.what == "move" and event.detail in ("step", "") and event.side == SIDES[self._side]:
            self._step(knowledge, event)

    def _learn(self, name: str, habit: Habit, other: int = -1) -> None:
        """Count a habit; each repetition counts half as much as the one before."""
        times = self._times.get((name, habit, other), 0)
        self._times[name, habit, other] = times + 1
        if times == 0 and self._recorder is not None:
            self._recorder(name, habit, self._habits.categories(habit, other))
        if name not in self._sums:
            self._sums[name] = np.zeros(self._kinds)
        self._sums[name] += self._habits.row(habit, other) * 0.5**times

    def _is_hidden(self, knowledge: Knowledge, name: str) -> bool:
        return knowledge.cells[name][1] == self._side and not knowledge.token(name).is_told

    def _enemies(self, knowledge: Knowledge, square: str) -> list[str]:
        """Return the enemy pieces next to a square."""
        near = [knowledge.on.get(cell) for cell in self._neighbours.get(square, ())]
        return [name for name in near if name is not None and knowledge.cells[name][1] != self._side]

    def _known(self, knowledge: Knowledge, square: str) -> list[int]:
        """Return the kinds of known mobile enemies next to a square."""
        tokens = [knowledge.token(name) for name in self._enemies(knowledge, square)]
        kinds = [token.kinds.bit_length() - 1 for token in tokens if token.is_told]
        return [kind for kind in kinds if knowledge.facts.mobile >> kind & 1]

    def _all_contacts(self, knowledge: Knowledge) -> list[tuple[str, int]]:
        """Return the hidden pieces next to a known enemy, before the turn."""
        return [
            (name, kind)
            for name, (square, side) in knowledge.cells.items()
            if side == self._side and not knowledge.token(name).is_told
            for kind in self._known(knowledge, square)
        ]

    def _step(self, knowledge: Knowledge, event: SeenEvent) -> None:
        """Note the habits shown by a step of a hidden piece."""
        name = event.piece
        if name not in knowledge.cells or not self._is_hidden(knowledge, name):
            return
        if name not in knowledge.moved:
            self._learn(name, next(habit for last, habit in _FIRST_MOVES if self._turns < last))
        before = self._enemies(knowledge, event.origin)
        after = self._enemies(knowledge, event.target)
        for other in after:
            if other in before:
                continue
            token = knowledge.token(other)
            if token.is_told:
                self._learn(name, "comes near a known piece", token.kinds.bit_length() - 1)
            else:
                self._learn(name, "comes near a hidden piece")
        for kind in self._known(knowledge, event.origin):
            if not after:
                self._learn(name, "leaves a known piece", kind)
        self._cover(knowledge, event, bool(before))

    def _cover(self, knowledge: Knowledge, event: SeenEvent, was_near: bool) -> None:
        """Note a step next to a friend that a known enemy could attack."""
        if was_near:
            return
        for square in self._neighbours.get(event.target, ()):
            friend = knowledge.on.get(square)
            if friend is None or friend == event.piece or knowledge.cells[friend][1] != self._side:
                continue
            for kind in self._known(knowledge, square):
                self._learn(event.piece, "covers against a known piece", kind)

    def _end_turn(self, knowledge: Knowledge) -> None:
        """Note pieces that stayed next to a known enemy, and free pieces that never moved."""
        for name, kind in self._contacts or ():
            if name in knowledge.cells and name not in self._active and self._is_hidden(knowledge, name):
                self._learn(name, "stays by a known piece", kind)
        for name, (square, side) in knowledge.cells.items():
            if side != self._side or name in knowledge.moved or knowledge.token(name).is_told:
                continue
            if any(near not in knowledge.on and near not in self._zones for near in self._neighbours[square]):
                self._free[name] = self._free.get(name, 0) + 1
                habit = _FREE.get(self._free[name])
                if habit is not None:
                    self._learn(name, habit)
        self._turns += 1
        self._contacts, self._active = None, set()
