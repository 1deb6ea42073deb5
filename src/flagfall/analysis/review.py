"""A recorded game, turn by turn, with what each side's analyst thought before its turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from flagfall.analysis.analyst import Analyst, Opinion
from flagfall.edition import Game, Options, resolve
from flagfall.engine.action import Action
from flagfall.match.referee import Referee
from flagfall.notation import Record, describe_turn, read_turn, turn_label
from flagfall.players import Budget
from flagfall.setups import read_setup
from flagfall.sides import SIDES, Side
from flagfall.view.view import Result, SeenEvent

DEFAULT_BUDGET = Budget(nodes=100_000)
"""for one turn: a game of three hundred turns takes about a minute"""


@dataclass(frozen=True)
class Step:
    """One turn of the game."""

    number: int
    """from 0"""
    side: Side
    text: str
    """as the record has it"""
    words: str
    """what happened, told with everything visible"""
    opinion: Opinion | None
    """the mover's, before it; None for a turn that was not looked at"""

    @property
    def label(self) -> str:
        """As in a record: ``12s``."""
        return turn_label(self.number)


@dataclass
class Analysis:
    """A record and what was found in it so far."""

    game: Game
    options: Options
    record: Record
    level: str
    budget: Budget
    every: int = 1
    steps: list[Step] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether all turns were walked through."""
        return len(self.steps) == len(self.record.turns)

    @property
    def result(self) -> Result | None:
        """How the game ended, if it has and the analysis has come so far."""
        return self.record.result if self.is_complete else None

    def opinions(self, side: Side) -> list[tuple[Step, Opinion]]:
        """The turns of a side that were looked at."""
        return [(step, step.opinion) for step in self.steps if step.side == side and step.opinion]

    def run(self) -> Iterator[Step]:
        """Walk through the game from the start; every step is kept, and given as soon as it is there.

        The record must be one that can be played.
        """
        table = _Table(self.game, self.options, self.record)
        analysts = {side: Analyst(self.game, self.options, side, self.level, self.budget) for side in SIDES}
        self.steps.clear()
        for number, turn in enumerate(self.record.turns):
            actions = read_turn(self.game, turn.text)
            side, is_due = table.mover, number // 2 % self.every == 0
            opinion = table.ask(analysts[side], actions[0]) if is_due else None
            step = Step(number, side, turn.text, table.play(actions), opinion)
            self.steps.append(step)
            yield step


class _Table:
    """The true game, and what each seat has seen of it. Holds secrets."""

    def __init__(self, game: Game, options: Options, record: Record) -> None:
        south, north = (read_setup(game, side, text) for side, text in enumerate(record.setups))
        self.game, self._table = game, Referee(game, options, south, north)
        self._stories: dict[Side, list[SeenEvent]] = {
            side: list(self._table.opening_events[side]) for side in SIDES
        }

    @property
    def mover(self) -> Side:
        return self._table.mover

    def ask(self, analyst: Analyst, action: Action) -> Opinion:
        """The mover's opinion before it plays."""
        view = self._table.view(self.mover, forgets=False)
        truth = {piece.name: piece.kind for piece in self._table.view("truth").pieces}
        return analyst.opinion(view, self._stories[self.mover], action, truth)

    def play(self, actions: tuple[Action, ...]) -> str:
        """Carry out a turn; what happened, in words."""
        before = self._table.view("truth")
        happened: list[SeenEvent] = []
        for action in actions:
            seen = self._table.play(action)
            happened += seen["watcher"]
            for side in SIDES:
                self._stories[side] += seen[side]
        told = [event for event in happened if event.what != "result"]
        return describe_turn(self.game, told, "truth", before)


def prepared(
    record: Record, find_game: Callable[[str], Game], level: str, budget: Budget, every: int = 1
) -> Analysis:
    """An analysis that has not begun."""
    game = find_game(record.game)
    return Analysis(game, resolve(game, record.options), record, level, budget, every)
