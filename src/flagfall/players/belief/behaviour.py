"""Habits: what hidden pieces did, as likelihoods of their kinds.

Each event is read before it is folded, in the position that the mover saw. Only public facts are used: where
pieces stand, which have moved, and which kinds both sides have been shown.

A likelihood depends on the *class* of a kind (immobile, spy, remover, runner, soldiers from low to top) or on
its *relation* to a known piece (wins, is exchanged, loses, or cannot attack). `habits.json` has the natural
logarithms of likelihood ratios, fitted by ``flagfall tune behaviour``.

Opponents differ, so there are several *styles*, each a table of its own; one of them is to have no habits at
all. How much each counts follows from the pieces that were shown so far in this game: a style that expected
what they turned out to be gains weight (`StyleShares`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from math import inf
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from flagfall.board import DIRECTIONS, cell_name
from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.engine.tables import ATTACKER_WINS, BOTH_LOST
from flagfall.players.roles import army_kinds, role_of
from flagfall.sides import SIDES
from flagfall.view.knowledge import Knowledge
from flagfall.view.view import SeenEvent

FILE = "habits.json"
CLASSES = ("immobile", "spy", "remover", "runner", "low", "middle", "high", "top")
RELATIONS = ("wins", "exchanged", "loses", "immobile")
ClassHabit = Literal[
    "first move early",
    "first move later",
    "first move late",
    "free for 8 turns",
    "free for 25 turns",
    "free for 60 turns",
    "comes near a hidden piece",
]
RelationHabit = Literal[
    "comes near a known piece",
    "leaves a known piece",
    "stays by a known piece",
    "covers against a known piece",
]
Habit = ClassHabit | RelationHabit
BY_CLASS: tuple[Habit, ...] = get_args(ClassHabit)
BY_RELATION: tuple[Habit, ...] = get_args(RelationHabit)
MOVES = frozenset(habit for habit in BY_CLASS + BY_RELATION if not habit.startswith(("free", "stays")))
"""habits of pieces that move"""
MAX_PER_EVENT = 1.2
"""one event changes odds by no more than this (in nats)"""
_QUARTERS = ((0.85, "top"), (0.6, "high"), (0.3, "middle"))
HabitRates = Mapping[str, Mapping[str, float]]
NO_HABITS: HabitRates = {}
PRIOR_WITHOUT_HABITS = 0.25
"""the share of the style without habits at the start of a game; the others share the rest"""


@lru_cache(maxsize=1)
def default_habits() -> HabitRates:
    """Return the built-in table."""
    text = (files("flagfall.players.belief") / FILE).read_text(encoding="utf-8")
    table: HabitRates = json.loads(text)["habits"]
    return table


@lru_cache(maxsize=1)
def default_styles() -> tuple[HabitRates, ...]:
    """Return the built-in tables, first the one without habits."""
    return NO_HABITS, default_habits()


def class_of(game: Game, side: int, kind: int) -> str:
    """Return the class of a kind in that side's army."""
    role = role_of(game, kind)
    if role in ("flag", "bomb"):
        return "immobile"
    if role != "soldier":
        return role
    soldiers = [army_kind for army_kind in army_kinds(game, side) if army_kind.role == "soldier"]
    weaker = sum(soldier.count for soldier in soldiers if soldier.rank < game.kinds[kind].rank)
    equal = sum(soldier.count for soldier in soldiers if soldier.rank == game.kinds[kind].rank)
    height = (weaker + equal / 2) / max(sum(soldier.count for soldier in soldiers), 1)
    return next((name for edge, name in _QUARTERS if height >= edge), "low")


class HabitTable:
    """The likelihoods for the kinds of one army."""

    def __init__(self, game: Game, side: int, fights: list[list[int]], table: HabitRates) -> None:
        self._table = table
        kinds = range(len(game.kinds))
        self.classes = tuple(class_of(game, side, kind) for kind in kinds)
        names = {ATTACKER_WINS: "wins", BOTH_LOST: "exchanged"}
        self.relations = tuple(
            tuple(
                names.get(fights[kind][other], "loses") if game.kinds[kind].is_mobile else "immobile"
                for kind in kinds
            )
            for other in kinds
        )
        self._rows: dict[tuple[Habit, int], NDArray[np.float64]] = {}

    def categories(self, habit: Habit, other: int) -> tuple[str, ...]:
        """Return class or relation of every kind; ``other`` is the known piece's kind, or -1."""
        return self.classes if other < 0 else self.relations[other]

    def row(self, habit: Habit, other: int) -> NDArray[np.float64]:
        """Return the clipped log likelihood per kind."""
        found = self._rows.get((habit, other))
        if found is None:
            table_row = self._table.get(habit, {})
            found = np.array([table_row.get(sort, 0.0) for sort in self.categories(habit, other)])
            found = np.clip(found, -MAX_PER_EVENT, MAX_PER_EVENT)
            self._rows[habit, other] = found
        return found


class StyleShares:
    """How likely each style is, for pieces that have moved and for those that have not.

    >>> shares = StyleShares(2)
    >>> shares.learn(is_moved=True, chances=np.array([0.1, 0.4]))
    >>> [round(float(share), 2) for share in shares.of(is_moved=True)]
    [0.08, 0.92]
    """

    def __init__(self, styles: int) -> None:
        prior = np.full(styles, (1.0 - PRIOR_WITHOUT_HABITS) / max(styles - 1, 1))
        prior[0] = PRIOR_WITHOUT_HABITS if styles > 1 else 1.0
        self._logs = np.tile(np.log(prior), (2, 1))

    def learn(self, *, is_moved: bool, chances: NDArray[np.float64]) -> None:
        """Weigh the styles by the chance that each gave to the kind that a piece turned out to be."""
        self._logs[int(is_moved)] += np.log(np.maximum(chances, 1e-6))

    def of(self, *, is_moved: bool) -> NDArray[np.float64]:
        """Return the shares, which add up to 1."""
        logs = self._logs[int(is_moved)]
        shares = np.exp(logs - logs.max())
        return np.asarray(shares / shares.sum(), dtype=np.float64)


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
        styles: Sequence[HabitRates] | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        """``styles``: the tables of habits, the built-in ones unless given."""
        self._side = side
        self._kinds = len(game.kinds)
        self._number = {kind.id: index for index, kind in enumerate(game.kinds)}
        fights = compile_game(game, options).fights(self._kinds)
        self._styles = [
            HabitTable(game, side, fights, table)
            for table in (default_styles() if styles is None else styles)
        ]
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
        """name → ``[style, kind]``: the log likelihood of what the piece did"""
        self._moved: set[str] = set()
        self._shares = StyleShares(len(self._styles))
        self._times: dict[tuple[str, Habit, int], int] = {}
        self._free: dict[str, int] = {}
        self._turns = 0
        self._contacts: list[tuple[str, int]] | None = None
        self._active: set[str] = set()

    def factors(self, name: str) -> NDArray[np.float64]:
        """Return the likelihood of what a piece did for each kind; 1 is neutral."""
        likelihoods = self._likelihoods(name)
        if likelihoods is None:
            return np.ones(self._kinds)
        return np.asarray(self._shares.of(is_moved=name in self._moved) @ likelihoods, dtype=np.float64)

    def _likelihoods(self, name: str) -> NDArray[np.float64] | None:
        """Return the likelihoods by style and kind; None if the piece has shown no habit."""
        total = self._sums.get(name)
        return None if total is None else np.exp(np.clip(total, -MAX_TOTAL, MAX_TOTAL))

    def note(self, knowledge: Knowledge, event: SeenEvent) -> None:
        """Read an event that is about to be folded."""
        if event.what == "turn":
            if self._contacts is not None:
                self._end_turn(knowledge)
            return
        if event.what == "shown" and event.side == SIDES[self._side]:
            self._compare_styles(knowledge, event)
        if knowledge.to_move != self._side:
            return
        if self._contacts is None:
            self._contacts = list(self._all_contacts(knowledge))
        self._active.add(event.piece)
        if event.what == "move" and event.detail in ("step", "") and event.side == SIDES[self._side]:
            self._step(knowledge, event)

    def _compare_styles(self, knowledge: Knowledge, event: SeenEvent) -> None:
        """Compare what each style expected of a hidden piece with what it turns out to be."""
        likelihoods = self._likelihoods(event.piece)
        if likelihoods is None or event.piece not in knowledge.cells or knowledge.token(event.piece).is_told:
            return
        army = knowledge.armies[self._side]
        left = np.array(army.counts, dtype=np.float64)
        for token in army.tokens.values():
            if token.is_told and not token.was:
                left[token.kinds.bit_length() - 1] -= 1.0
        possible = knowledge.token(event.piece).kinds
        left *= [possible >> kind & 1 for kind in range(self._kinds)]
        expected = likelihoods * np.maximum(left, 0.0)
        chances = expected[:, self._number[event.kind]] / np.maximum(expected.sum(axis=1), 1e-9)
        self._shares.learn(is_moved=event.piece in self._moved, chances=chances)

    def _learn(self, name: str, habit: Habit, other: int = -1) -> None:
        """Count a habit; each repetition counts half as much as the one before."""
        times = self._times.get((name, habit, other), 0)
        self._times[name, habit, other] = times + 1
        if times == 0 and self._recorder is not None:
            self._recorder(name, habit, self._styles[0].categories(habit, other))
        if name not in self._sums:
            self._sums[name] = np.zeros((len(self._styles), self._kinds))
        self._sums[name] += np.array([style.row(habit, other) for style in self._styles]) * 0.5**times

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
        self._moved.add(name)
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
