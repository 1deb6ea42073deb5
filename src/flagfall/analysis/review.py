"""A recorded game, turn by turn, with what each side's analyst thought before its turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from flagfall.analysis.analyst import Analyst, Opinion
from flagfall.analysis.judge import Judge
from flagfall.edition import Game, Options, resolve
from flagfall.match.play import GameRunner
from flagfall.match.referee import Seen
from flagfall.notation import Record, describe_turn, read_turn, turn_label
from flagfall.players import Budget
from flagfall.players.levels import level_of
from flagfall.setups import read_setup
from flagfall.sides import BySide, Side
from flagfall.view.view import Result, View, ViewerName

DEFAULT_BUDGET = Budget(nodes=100_000)
"""per turn; a game of three hundred turns takes about a minute"""
TOLD: Mapping[ViewerName, ViewerName] = {"truth": "watcher", "south": "south", "north": "north"}
"""to whom a turn is told, and whose events are told"""


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
    """the mover's opinion before the turn, from what it knew; None if it was not analysed"""
    truth: Opinion | None = None
    """the opinion of an analyst that knows every piece"""
    told: tuple[str, str] = ("", "")
    """what happened, as South and as North saw it"""

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
        """Analyse the turns that are not in ``steps`` yet, add them and yield them."""
        for step in self.steps_from(len(self.steps)):
            self.steps.append(step)
            yield step

    def steps_from(self, first: int) -> Iterator[Step]:
        """Replay the game and yield the steps from a turn on; earlier ones are not analysed."""
        level = level_of(self.level)
        analysts = BySide.of(lambda side: Analyst(self.game, self.options, side, level, self.budget))
        judges = BySide.of(lambda side: Judge(self.game, self.options, side, self.level, self.budget))
        setups = (read_setup(self.game, side, text) for side, text in enumerate(self.record.setups))
        running = GameRunner(self.game, self.options, setups)
        for number, turn in enumerate(self.record.turns):
            actions = read_turn(self.game, turn.text)
            side, before = running.mover, {viewer: running.referee.view(viewer) for viewer in TOLD}
            opinion = verdict = None
            if number >= first and number // 2 % self.every == 0:
                truth = {piece.name: piece.kind for piece in before["truth"].pieces}
                view, history = running.view(side), running.history(side)
                opinion = analysts[side].opinion(view, history, actions[0], truth)
                if opinion.beliefs:
                    verdict = judges[side].verdict(running, actions)
                else:  # nothing is hidden, so both verdicts are the same
                    opinion = verdict = judges[side].proved(opinion, view, running.referee, actions)
            seen = [running.play(action) for action in actions]
            if number < first:
                continue
            words, south, north = tell_turn(self.game, seen, before)
            yield Step(number, side, turn.text, words, opinion, verdict, (south, north))


def tell_turn(game: Game, seen: Sequence[Seen], before: Mapping[ViewerName, View]) -> tuple[str, str, str]:
    """Return a turn in sentences: with nothing hidden, as South and as North saw it."""
    words, south, north = (
        describe_turn(
            game,
            [event for one in seen for event in one[eyes] if event.what != "result"],
            viewer,
            before[viewer],
        )
        for viewer, eyes in TOLD.items()
    )
    return words, south, north


def prepared(
    record: Record, find_game: Callable[[str], Game], level: str, budget: Budget, every: int = 1
) -> Analysis:
    """Return an analysis that has not begun; the record must be playable."""
    game = find_game(record.game)
    return Analysis(game, resolve(game, record.options), record, level, budget, every)
