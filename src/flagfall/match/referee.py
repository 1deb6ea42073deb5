"""The table as the referee sees it: the true State, the Eyes beside it, and the turns so far.

A `Referee` can be copied, so a turn is tried on a copy and counts only when all of it was right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from flagfall.board import CELLS, cell_name
from flagfall.edition.compile import compile_game
from flagfall.edition.options import Options
from flagfall.edition.schema import Game
from flagfall.edition.verbs import VERB_BY_CODE
from flagfall.engine.action import Action
from flagfall.engine.play import deal, play
from flagfall.engine.state import State, is_enemy
from flagfall.sides import Side
from flagfall.view.project import Observers
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


class Placement(Protocol):
    """Pieces on squares, such as a `Setup`: cell → kind."""

    @property
    def kinds(self) -> Mapping[int, int]:
        """Cell → kind."""


class Referee:
    """The truth of one game. Never leaves the referee."""

    def __init__(
        self, game: Game, options: Options, south: Placement, north: Placement, *, to_move: int = 0
    ) -> None:
        self.game = game
        self.tables = compile_game(game, options)
        setups = (south.kinds, north.kinds)
        self.state, happened = deal(self.tables, *setups, to_move=to_move)
        self.eyes = Observers(game, options, self.tables, setups)
        self.eyes.assign_names(self.state)
        self.seen_at_once: Seen = self.eyes.see(self.state, happened)
        self.turns: list[PlayedTurn] = []
        self.is_fresh = True
        """the next action begins a turn"""

    def __repr__(self) -> str:
        return f"<Table {self.game.id}, {len(self.turns)} turns>"

    def copy(self) -> Referee:
        """An independent copy."""
        other = object.__new__(Referee)
        other.__dict__.update(self.__dict__)
        other.state = State(self.state.row.copy())
        other.eyes = self.eyes.copy()
        other.turns = list(self.turns)
        return other

    @property
    def mover(self) -> Side:
        """Whose turn it is."""
        return Side.at(self.state.side)

    @property
    def result(self) -> Result | None:
        """How the game has ended on the board, if it has."""
        event = self.eyes.knowledge["watcher"].result
        return None if event is None else Result.of(event.side, event.detail)

    def view(self, viewer: Viewer, *, forgets: bool = True, is_open: bool = False) -> View:
        """What a viewer may know now; with ``forgets`` off, whatever the memory option.

        ``is_open``: the game is over and nothing of it is hidden any more.
        """
        return self.eyes.view(self.state, viewer, forgets=forgets, is_open=is_open)

    def is_legal(self, action: Action) -> bool:
        """Whether the mover may choose it now."""
        return action in self.eyes.legal(self.state)

    def play(self, action: Action) -> Seen:
        """Carry out a legal action; what each viewer saw of it."""
        if self.is_fresh:
            self.turns.append(PlayedTurn((action,), self.strikes(action)))
        else:
            begun = self.turns[-1]
            self.turns[-1] = PlayedTurn((*begun.actions, action), begun.is_attack)
        seen = self.eyes.see(self.state, play(self.tables, self.state, action.pack()))
        self.is_fresh = not self.state.is_turn_open
        return seen

    def strikes(self, action: Action) -> bool:
        """Whether an enemy stands on its target."""
        is_cell = 0 <= action.target < CELLS
        return is_cell and is_enemy(self.state.buffer, self.state.side, action.target)


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
