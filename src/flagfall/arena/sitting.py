"""One game at the arena's table: the true State, what each seat has seen, and the turns as played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flagfall.edition import Game, Options
from flagfall.engine.action import ATTACK, Action
from flagfall.engine.play import deal, play
from flagfall.engine.state import DRAW, PENDING, REASON, RESULT, SIDE, State, is_enemy
from flagfall.engine.tables import Tables
from flagfall.notation import Record, Turn, write_turn
from flagfall.setups import Setup, write_setup
from flagfall.sides import SIDES, Side
from flagfall.view.project import REASONS, Observers
from flagfall.view.view import Result, SeenEvent, View, Viewer

_WINNER: dict[int, Side | None] = {0: None, 1: Side.SOUTH, 2: Side.NORTH, DRAW: None}


class Turns:
    """Collects actions into turns while a State is being played."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.turns: list[list[Action]] = []
        self.strikes: list[bool] = []
        """of each turn, whether its first action ends on an enemy's square without being an attack"""

    def note(self, act: Action) -> None:
        """Write down an action that is about to be played."""
        s = self.state.buffer
        if s[PENDING]:
            self.turns[-1].append(act)
            return
        self.turns.append([act])
        self.strikes.append(act.verb != ATTACK and act.target != 0 and is_enemy(s, s[SIDE], act.target))


class Sitting:
    """A game between two seats that are given Views and events only. Holds secrets: for the arena."""

    def __init__(self, game: Game, options: Options, tables: Tables, setups: tuple[Setup, Setup]) -> None:
        self.game, self.options, self.tables, self.setups = game, options, tables, setups
        kinds = (setups[0].kinds, setups[1].kinds)
        self.state, happened = deal(tables, *kinds)
        self._eyes = Observers(game, options, tables, kinds)
        self._eyes.assign_names(self.state)
        self._stories: dict[Side, list[SeenEvent]] = {side: [] for side in SIDES}
        self._tell(self._eyes.see(self.state, happened))
        self._turns = Turns(self.state)

    def _tell(self, seen: Mapping[Viewer, Sequence[SeenEvent]]) -> None:
        for side, history in self._stories.items():
            history += seen[side]

    @property
    def mover(self) -> int:
        """Whose turn it is: 0 South, 1 North."""
        return self.state.side

    @property
    def is_over(self) -> bool:
        """Whether the board has decided it."""
        return self.state.is_over

    @property
    def turns(self) -> int:
        """Turns begun so far."""
        return len(self._turns.turns)

    def view(self, side: int) -> View:
        """What that seat may know now; a computer player forgets nothing."""
        return self._eyes.view(self.state, SIDES[side], forgets=False)

    def history(self, side: int) -> Sequence[SeenEvent]:
        """What that seat has seen so far, oldest first."""
        return self._stories[SIDES[side]]

    def play(self, act: Action) -> None:
        """Carry out a legal action, and show it."""
        self._turns.note(act)
        self._tell(self._eyes.see(self.state, play(self.tables, self.state, act.pack())))

    @property
    def result(self) -> Result | None:
        """How the board has decided it, if it has."""
        return result_of(self.state)

    def record(self, players: tuple[str, str], comments: tuple[str, ...]) -> Record:
        """The game as a record."""
        return written(self.game, self.options, self.setups, self._turns, self.result, players, comments)


def result_of(state: State) -> Result | None:
    """How a position has ended, if it has."""
    s = state.buffer
    return Result.of(_WINNER[int(s[RESULT])], REASONS[int(s[REASON])]) if s[RESULT] else None


def written(
    game: Game,
    options: Options,
    setups: tuple[Setup, Setup],
    turns: Turns,
    result: Result | None,
    players: tuple[str, str],
    comments: tuple[str, ...],
) -> Record:
    """The record of turns that were collected."""
    pairs = zip(turns.turns, turns.strikes, strict=True)
    texts = [write_turn(game, acts, is_attack=strike) for acts, strike in pairs]
    is_open = bool(turns.state.buffer[PENDING]) and result is None
    last = len(texts) - 1
    return Record(
        game=game.id,
        players=players,
        setups=(write_setup(setups[0]), write_setup(setups[1])),
        turns=tuple(Turn(text, is_open=is_open and at == last) for at, text in enumerate(texts)),
        result=result,
        options=options.changed(game),
        comments=comments,
    )
