"""A witness: everything one seat was told, folded into Knowledge again by the player itself.

A player gets a View and the story of all SeenEvents since the start. The View lists what each piece can be on
its own; the Knowledge folded from the story also holds what binds pieces together (unnamed losses, a rescued
piece that must be one of them). Nothing else goes in, so nothing hidden comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flagfall.board import parse_cell
from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.sides import SIDES
from flagfall.view.knowledge import Facts, Knowledge
from flagfall.view.view import SeenEvent, View, Viewer

Listener = Callable[[Knowledge, SeenEvent], None]
"""hears every event just before it is folded"""


class Observer:
    """Folds the story of one seat, event by event."""

    def __init__(self, game: Game, options: Options, viewer: Viewer) -> None:
        self.game, self.viewer = game, viewer
        self.facts = Facts(game, compile_game(game, options))
        self._homes = tuple(frozenset(game.board.home(side)) for side in (0, 1))
        self._folded: list[SeenEvent] = []
        self._knowledge: Knowledge | None = None

    def goes_on(self, history: Sequence[SeenEvent]) -> bool:
        """Whether the story continues the one heard so far."""
        known = len(self._folded)
        return known <= len(history) and (known == 0 or self._folded[-1] == history[known - 1])

    def update(self, view: View, history: Sequence[SeenEvent], listener: Listener | None = None) -> Knowledge:
        """Fold what is new in the story; one that does not go on from the last is folded from its start."""
        if self._knowledge is None or not self.goes_on(history):
            self._knowledge = self._meet(view, history)
            self._folded = []
        for event in history[len(self._folded) :]:
            if listener is not None:
                listener(self._knowledge, event)
            self._knowledge.fold((event,))
            self._folded.append(event)
        self._knowledge.settle()
        return self._knowledge

    def _meet(self, view: View, history: Sequence[SeenEvent]) -> Knowledge:
        """Who stood where at the start: a piece is called by the square on which it began."""
        names = {piece.name for piece in view.pieces} | {event.piece for event in history if event.piece}
        names = {name for name in names if "+" not in name}
        squares = tuple(
            sorted((name for name in names if parse_cell(name) in home), key=parse_cell)
            for home in self._homes
        )
        own = {}
        if self.viewer in SIDES:
            own = dict.fromkeys(squares[SIDES.index(self.viewer)], "")
            own |= {piece.name: piece.kind for piece in view.pieces if piece.side == self.viewer}
        return Knowledge(self.facts, self.viewer, (squares[0], squares[1]), own)
