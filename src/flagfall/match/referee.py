"""The rules of one game in progress: the true State, its observers and the turns so far.

A `Referee` can be copied, so a turn is tried on a copy and counts only if all of it is legal.
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
from flagfall.sides import Side
from flagfall.view.project import Observers, board_result
from flagfall.view.view import Result, SeenEvent, View, Viewer

Seen = dict[Viewer, tuple[SeenEvent, ...]]
"""what each viewer saw of something"""

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
    """Knows the truth of one game: never give it to players."""

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
        """An independent copy."""
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
    """Whether an action tells its own player nothing new, seen from that player's View.

    After such an action the rest of the turn can still be refused. After any other it could not: the
    player would have learnt something for nothing.
    """
    learns = VERB_BY_CODE[action.verb].learns
    if learns == "nothing":
        return True
    if learns == "by an attack":
        piece = view.at(cell_name(action.target))
        return piece is None or piece.side == view.to_move
    return view.prompt is not None and view.prompt.ask in _QUIET_ANSWERS
