"""Play whole games between two players, each of which gets only its own Views and events.

::

    game = GameRunner(game, options, setups)
    play_game(game, BySide(one, other), observers=[measure])    # or: for moment in game.moments(players): …
    game.result
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

from flagfall.board import cell_name
from flagfall.edition.options import Options
from flagfall.edition.schema import Game
from flagfall.engine.action import Action
from flagfall.engine.state import State
from flagfall.match.referee import PlayedTurn, Referee, Seen
from flagfall.notation.actions import write_turn
from flagfall.notation.record import Record, Turn
from flagfall.setups.setup import Setup
from flagfall.setups.text import write_setup
from flagfall.sides import BySide, Side, SideName
from flagfall.view.view import Result, SeenEvent, View


class Chooser(Protocol):
    """Anything that can choose an action, such as a computer player."""

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return one of the view's legal actions."""


C = TypeVar("C", bound=Chooser)


@dataclass(frozen=True, slots=True)
class Moment:
    """A side is about to choose: what it sees now and has seen so far."""

    game: GameRunner
    side: Side
    view: View
    history: Sequence[SeenEvent]

    @property
    def turn(self) -> int:
        """Turns completed so far."""
        return self.view.turn


Observer = Callable[[Moment, Action], None]
"""called with every choice before it is played"""


class GameRunner:
    """A game in progress and what each side has seen of it; never give it to players."""

    def __init__(self, game: Game, options: Options, setups: Iterable[Setup]) -> None:
        self.setups = BySide(*setups)
        self.options = options
        self.referee = Referee(game, options, *self.setups)
        self.histories = BySide.of(lambda side: list(self.referee.opening_events[side]))

    def copy(self) -> GameRunner:
        """Return an independent copy."""
        other = object.__new__(GameRunner)
        other.__dict__.update(self.__dict__)
        other.referee = self.referee.copy()
        other.histories = self.histories.map(list)
        return other

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.referee.game

    @property
    def state(self) -> State:
        """The true position."""
        return self.referee.state

    @property
    def mover(self) -> Side:
        """The side to move."""
        return self.referee.mover

    @property
    def is_over(self) -> bool:
        """Whether the game has ended on the board."""
        return self.referee.state.is_over

    @property
    def turns(self) -> int:
        """How many turns have been begun."""
        return len(self.referee.turns)

    @property
    def result(self) -> Result | None:
        """Who won and why; None while the game goes on."""
        return self.referee.result

    @cached_property
    def true_kinds(self) -> dict[str, int]:
        """Starting square → kind of both armies; for comparisons, never for a player."""
        return {cell_name(cell): kind for setup in self.setups for cell, kind in setup.kinds.items()}

    def view(self, side: Side | SideName) -> View:
        """Return what a player of this side may know now; the memory options hide nothing from it."""
        return self.referee.view(side, forgets=False)

    def history(self, side: Side | SideName) -> Sequence[SeenEvent]:
        """Return what a side has seen so far, oldest first."""
        return self.histories[side]

    def play(self, action: Action) -> Seen:
        """Play a legal action and return what each viewer saw of it."""
        seen = self.referee.play(action)
        self.histories.south.extend(seen["south"])
        self.histories.north.extend(seen["north"])
        return seen

    def moments(
        self, players: BySide[C], *, observers: Sequence[Observer] = (), max_turns: int | None = None
    ) -> Iterator[Moment]:
        """Let the players play; yield before every choice.

        A game that has begun ``max_turns`` turns is left unfinished.
        """
        while not self.is_over and (max_turns is None or self.turns < max_turns):
            side = self.mover
            moment = Moment(self, side, self.view(side), self.histories[side])
            yield moment
            action = players[side].choose(moment.view, moment.history)
            for observe in observers:
                observe(moment, action)
            self.play(action)

    def record(self, players: Iterable[str], comments: tuple[str, ...] = ()) -> Record:
        """Return the game so far as a record."""
        return game_record(
            self.game,
            self.options,
            self.setups.map(write_setup),
            self.referee.turns,
            self.result,
            players,
            is_open=self.result is None and not self.referee.is_fresh,
            comments=comments,
        )


def play_game(
    game: GameRunner, players: BySide[C], *, observers: Sequence[Observer] = (), max_turns: int | None = None
) -> Result | None:
    """Let two players play to the end and return the result; None if ``max_turns`` came first."""
    for _ in game.moments(players, observers=observers, max_turns=max_turns):
        pass
    return game.result


def game_record(
    game: Game,
    options: Options,
    setups: Iterable[str],
    turns: Sequence[PlayedTurn],
    result: Result | None,
    players: Iterable[str],
    *,
    is_open: bool,
    date: str = "",
    comments: tuple[str, ...] = (),
    turn_comments: Mapping[int, str] | None = None,
) -> Record:
    """Return the record of a game; ``is_open`` tells whether its last turn is unfinished."""
    (south, north), (south_setup, north_setup) = players, setups
    last, remarks = len(turns) - 1, turn_comments or {}
    written = tuple(
        Turn(
            write_turn(game, turn.actions, is_attack=turn.is_attack),
            remarks.get(number, ""),
            is_open=is_open and number == last,
        )
        for number, turn in enumerate(turns)
    )
    return Record(
        game=game.id,
        players=(south, north),
        setups=(south_setup, north_setup),
        turns=written,
        result=result,
        options=options.changed(game),
        date=date,
        comments=comments,
    )
