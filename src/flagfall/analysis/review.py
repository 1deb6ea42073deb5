"""A recorded game, turn by turn, with what each side's analyst thought before its turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from flagfall.analysis.analyst import Analyst, Opinion
from flagfall.edition import Game, Options, resolve
from flagfall.match.play import GameRunner
from flagfall.notation import Record, describe_turn, read_turn, turn_label
from flagfall.players import Budget
from flagfall.setups import read_setup
from flagfall.sides import BySide, Side
from flagfall.view.view import Result

DEFAULT_BUDGET = Budget(nodes=100_000)
"""per turn; a game of three hundred turns takes about a minute"""


@dataclass(frozen=True)
class Step:
    """One turn of the game."""

    number: int
    """from 0"""
    side: Side
    text: str
    """in notation"""
    words: str
    """what happened, with nothing hidden"""
    opinion: Opinion | None
    """the mover's opinion before the turn; None if it was not analysed"""

    @property
    def label(self) -> str:
        """The turn as in a record: ``12s``."""
        return turn_label(self.number)


@dataclass
class Analysis:
    """A record and its analysis so far."""

    game: Game
    options: Options
    record: Record
    level: str
    budget: Budget
    every: int = 1
    steps: list[Step] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether all turns were replayed."""
        return len(self.steps) == len(self.record.turns)

    @property
    def result(self) -> Result | None:
        """The result of the game; None until the analysis is complete."""
        return self.record.result if self.is_complete else None

    def opinions(self, side: Side) -> list[tuple[Step, Opinion]]:
        """Return the analysed turns of a side."""
        return [(step, step.opinion) for step in self.steps if step.side == side and step.opinion]

    def run(self) -> Iterator[Step]:
        """Replay the game from the start and yield each step; they are also kept in ``steps``."""
        analysts = BySide.of(lambda side: Analyst(self.game, self.options, side, self.level, self.budget))
        setups = (read_setup(self.game, side, text) for side, text in enumerate(self.record.setups))
        running = GameRunner(self.game, self.options, setups)
        self.steps.clear()
        for number, turn in enumerate(self.record.turns):
            actions = read_turn(self.game, turn.text)
            side, before, opinion = running.mover, running.referee.view("truth"), None
            if number // 2 % self.every == 0:
                truth = {piece.name: piece.kind for piece in before.pieces}
                view, history = running.view(side), running.history(side)
                opinion = analysts[side].opinion(view, history, actions[0], truth)
            seen = [event for action in actions for event in running.play(action)["watcher"]]
            words = describe_turn(
                self.game, [event for event in seen if event.what != "result"], "truth", before
            )
            step = Step(number, side, turn.text, words, opinion)
            self.steps.append(step)
            yield step


def prepared(
    record: Record, find_game: Callable[[str], Game], level: str, budget: Budget, every: int = 1
) -> Analysis:
    """Return an analysis that has not begun; the record must be playable."""
    game = find_game(record.game)
    return Analysis(game, resolve(game, record.options), record, level, budget, every)
