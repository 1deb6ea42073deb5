"""The rules of one game in progress: the true State, its observers and the turns so far.

A turn is played on a copy of the `Referee` and counts only if all of it is legal. Refusals use only the View
of the mover, and nothing may follow an action that reveals something: if the rest were refused, the player
would have learnt it for free.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from flagfall.board import CELLS, cell_name
from flagfall.edition.compile import compile_game
from flagfall.edition.options import Options
from flagfall.edition.schema import Game
from flagfall.edition.verbs import VERB_BY_CODE
from flagfall.engine import events as E
from flagfall.engine import state as S
from flagfall.engine.action import Action
from flagfall.engine.play import Event, deal, play
from flagfall.engine.state import State, is_enemy
from flagfall.languages import say
from flagfall.match.errors import RefusedError
from flagfall.match.explanations import explain_illegal
from flagfall.notation.actions import write_action, write_turn
from flagfall.notation.errors import NotationError
from flagfall.notation.reading import read_turn
from flagfall.sides import Side
from flagfall.view.project import Observers, board_result
from flagfall.view.view import VIEWERS, Result, SeenEvent, View, Viewer

Seen = dict[Viewer, tuple[SeenEvent, ...]]
"""what each viewer saw of something"""

MAX_TEXT = 400
"""maximum length of the text of a turn"""
_QUIET_ANSWERS = frozenset({"rescue kind", "rescue square", "target"})


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn as it was played; the last one may still be open."""

    actions: tuple[Action, ...]
    is_attack: bool
    """the first action ended on an enemy's square"""


@dataclass(frozen=True)
class Pieces:
    """Pieces on any squares: cell → kind."""

    kinds: Mapping[int, int]


class Placement(Protocol):
    """Pieces on squares, such as a `Setup`: cell → kind."""

    @property
    def kinds(self) -> Mapping[int, int]:
        """Cell → kind."""


class Referee:
    """A game in progress with everything hidden; never give it to players."""

    def __init__(
        self, game: Game, options: Options, south: Placement, north: Placement, *, to_move: int = 0
    ) -> None:
        self.game = game
        self.tables = compile_game(game, options)
        setups = (south.kinds, north.kinds)
        self.state, happened = deal(self.tables, *setups, to_move=to_move)
        self.observers = Observers(game, options, self.tables, setups)
        self.observers.assign_names(self.state)
        self.opening_events: Seen = self.observers.see(self.state, happened)
        self.turns: list[PlayedTurn] = []

    def show(self, cells: Iterable[int]) -> None:
        """Show the pieces on some cells to everyone before the first turn, for positions set up by hand."""
        s, shown = self.state.buffer, []
        for cell in sorted(cells):
            piece = S.piece_on(s, cell)
            s[S.PIECE_INFO + piece] |= S.TOLD_ALL
            shown.append(Event(E.SHOWN, piece, cell, 0, S.kind_of(s, piece), E.TO_ALL))
        seen = self.observers.see(self.state, shown)
        self.opening_events = {
            viewer: (*events, *seen[viewer]) for viewer, events in self.opening_events.items()
        }

    def __repr__(self) -> str:
        return f"<Referee {self.game.id}, {len(self.turns)} turns>"

    def copy(self) -> Referee:
        """Return an independent copy."""
        other = object.__new__(Referee)
        other.__dict__.update(self.__dict__)
        other.state = State(self.state.row.copy())
        other.observers = self.observers.copy()
        other.turns = list(self.turns)
        return other

    @property
    def is_fresh(self) -> bool:
        """Whether the next action begins a turn."""
        return not self.state.is_turn_open

    @property
    def mover(self) -> Side:
        """The side to move."""
        return Side.at(self.state.side)

    @property
    def result(self) -> Result | None:
        """Who has won on the board and why; None while the game goes on."""
        return board_result(self.state)

    def view(self, viewer: Viewer, *, forgets: bool = True, is_open: bool = False) -> View:
        """Return what a viewer may know now; without ``forgets`` the memory option hides nothing.

        ``is_open``: the game is over and nothing of it is hidden any more.
        """
        return self.observers.view(self.state, viewer, forgets=forgets, is_open=is_open)

    def is_legal(self, action: Action) -> bool:
        """Return whether the side to move may choose the action now."""
        return action in self.observers.legal(self.state)

    def play(self, action: Action) -> Seen:
        """Carry out a legal action and return what each viewer saw of it."""
        add_action(self.turns, self.state, action)
        return self.observers.see(self.state, play(self.tables, self.state, action.pack()))

    def strikes(self, action: Action) -> bool:
        """Return whether an enemy stands on its target."""
        return _strikes(self.state, action)


def add_action(turns: list[PlayedTurn], state: State, action: Action) -> None:
    """Add an action that is about to be played to the turns so far."""
    if state.is_turn_open:
        begun = turns[-1]
        turns[-1] = PlayedTurn((*begun.actions, action), begun.is_attack)
    else:
        turns.append(PlayedTurn((action,), _strikes(state, action)))


def _strikes(state: State, action: Action) -> bool:
    return 0 <= action.target < CELLS and is_enemy(state.buffer, state.side, action.target)


def is_quiet(view: View, action: Action) -> bool:
    """Return whether an action reveals nothing to the player who plays it."""
    learns = VERB_BY_CODE[action.verb].learns
    if learns == "nothing":
        return True
    if learns == "by an attack":
        piece = view.at(cell_name(action.target))
        return piece is None or piece.side == view.to_move
    return view.prompt is not None and view.prompt.ask in _QUIET_ANSWERS


def read_actions(referee: Referee, wanted: Action | str) -> tuple[Action, ...]:
    """Return the actions of a text, read with the mover's View."""
    if not isinstance(wanted, str):
        return (wanted,)
    if len(wanted) > MAX_TEXT:
        raise RefusedError("unreadable", say("refusals.turn.too-long", number=MAX_TEXT))
    try:
        return read_turn(referee.game, wanted, referee.view(referee.mover))
    except NotationError as error:
        raise RefusedError("unreadable", str(error)) from None


def perform(referee: Referee, options: Options, actions: tuple[Action, ...]) -> tuple[str, Seen]:
    """Play actions of one turn and return their text and what each viewer saw.

    If an action is refused, those before it have been played: pass a copy.
    """
    mover, strikes = referee.mover, referee.strikes(actions[0])
    seen: Seen = dict.fromkeys(VIEWERS, ())
    for at, action in enumerate(actions):
        if at and referee.is_fresh:
            last = _named(referee, actions[at - 1])
            raise RefusedError("illegal", say("refusals.turn.ends", action=last))
        if not referee.is_legal(action):
            raise RefusedError("illegal", explain_illegal(referee.game, referee.view(mover), action, options))
        if at + 1 < len(actions) and not is_quiet(referee.view(mover), action):
            alone = say("refusals.turn.alone-first", action=_named(referee, action))
            raise RefusedError("one-at-a-time", alone)
        seen = {viewer: seen[viewer] + events for viewer, events in referee.play(action).items()}
    return write_turn(referee.game, actions, is_attack=strikes), seen


def _named(referee: Referee, action: Action) -> str:
    return write_action(referee.game, action, is_attack=referee.strikes(action))
