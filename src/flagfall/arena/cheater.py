"""The cheater: a player that is also shown the other seat's View, as an upper bound for the arena.

It wraps another player, whose history begins with the kinds of all enemy pieces.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from flagfall.edition import Game
from flagfall.engine.action import Action
from flagfall.players import Player
from flagfall.setups import Setup
from flagfall.view.view import SeenEvent, SeenPiece, TrayPiece, View


class Cheater:
    """Wraps a player and shows it the other side's pieces."""

    def __init__(self, game: Game, player: Player) -> None:
        self.game, self.player = game, player
        self._other: View | None = None
        self._peeked_events: tuple[SeenEvent, ...] = ()

    @property
    def nodes(self) -> int:
        """Nodes that the wrapped player spent on its last action."""
        return int(getattr(self.player, "nodes", 0))

    def set_up(self, side: int) -> Setup:
        """Return the setup of the wrapped player."""
        return self.player.set_up(side)

    def peek(self, other: View) -> None:
        """Take the View of the other seat."""
        if self._other is None:
            own = [piece for piece in other.pieces if piece.side == other.viewer]
            self._peeked_events = tuple(
                SeenEvent("shown", 0, side=piece.side, piece=piece.name, origin=piece.cell, kind=piece.kind)
                for piece in own
            )
        self._other = other

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return the action of the wrapped player when nothing is hidden from it."""
        if self._other is None:
            return self.player.choose(view, history)
        kinds = {piece.name: piece.kind for piece in self._other.pieces}
        pieces = tuple(self._open(piece, view, kinds) for piece in view.pieces)
        lost = [piece for piece in self._other.tray if piece.side != view.viewer]
        tray = (*(piece for piece in view.tray if piece.side == view.viewer), *lost)
        seen = msgspec.structs.replace(view, pieces=pieces, tray=_ordered(tray))
        return self.player.choose(seen, (*self._peeked_events, *history))

    def _open(self, piece: SeenPiece, view: View, kinds: dict[str, str]) -> SeenPiece:
        if piece.side == view.viewer or piece.kind:
            return piece
        return msgspec.structs.replace(piece, kind=kinds[piece.name], possible=(), is_told=True)


def _ordered(tray: tuple[TrayPiece, ...]) -> tuple[TrayPiece, ...]:
    return tuple(sorted(tray, key=lambda piece: piece.side != "south"))
