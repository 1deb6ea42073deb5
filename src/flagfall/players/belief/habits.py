"""Habits: what a hidden piece did, and how likely each kind does that.

A likelihood depends on the *class* of a kind (immobile, spy, remover, runner, soldiers from low to top) or on
its *relation* to a known piece (wins, is exchanged, loses, or cannot attack). `habits.json` has the natural
logarithms of likelihood ratios, fitted by ``flagfall tune behaviour``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from flagfall.edition.schema import Game
from flagfall.engine.tables import ATTACKER_WINS, BOTH_LOST
from flagfall.players.roles import army_kinds, role_of

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


@lru_cache(maxsize=1)
def default_habits() -> HabitRates:
    """Return the built-in table."""
    text = (files("flagfall.players.belief") / FILE).read_text(encoding="utf-8")
    table: HabitRates = json.loads(text)["habits"]
    return table


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

    def __init__(
        self, game: Game, side: int, fights: list[list[int]], table: HabitRates | None = None
    ) -> None:
        self._table = default_habits() if table is None else table
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
