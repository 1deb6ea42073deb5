"""The memory of weak levels: pieces that were shown long ago become hidden again, far and low ones first."""

from __future__ import annotations

import hashlib

import msgspec

from flagfall.board import distance, parse_cell
from flagfall.edition import Game
from flagfall.engine.tables import ATTACKER_WINS, Tables
from flagfall.players.history import GameHistory
from flagfall.view.view import SeenPiece, View


class Memory:
    """Remembers pieces for about ``span`` turns, near and strong ones longer; ``seed`` varies it."""

    def __init__(self, game: Game, tables: Tables, span: int, seed: int) -> None:
        self.game, self.span, self.seed = game, span, seed
        fights = tables.fights(len(game.kinds))
        highest = max(max(line.count(ATTACKER_WINS) for line in fights), 1)
        self._rank = {
            kind.id: fights[index].count(ATTACKER_WINS) / highest for index, kind in enumerate(game.kinds)
        }

    def recall(self, view: View, game_history: GameHistory) -> View:
        """Return the View with the forgotten pieces hidden."""
        forgotten = {
            piece.name
            for piece in view.pieces
            if piece.side != view.viewer and piece.kind and self._is_forgotten(view, piece, game_history)
        }
        if not forgotten:
            return view
        kinds = self._open_kinds(view, forgotten)
        pieces = tuple(
            msgspec.structs.replace(piece, kind="", is_told=False, possible=self._possible(piece, kinds))
            if piece.name in forgotten or (piece.side != view.viewer and not piece.kind)
            else piece
            for piece in view.pieces
        )
        return msgspec.structs.replace(view, pieces=pieces)

    def _is_forgotten(self, view: View, piece: SeenPiece, game_history: GameHistory) -> bool:
        if piece.is_converted:
            return False
        age = view.turn - game_history.changed.get(piece.name, 0)
        near = min(
            (
                distance(parse_cell(piece.cell), parse_cell(other.cell))
                for other in view.pieces
                if other.side == view.viewer and other.kind
            ),
            default=9,
        )
        chance = hashlib.blake2b(f"{self.seed}/{piece.name}".encode(), digest_size=1).digest()[0] / 255
        span = self.span * (0.6 + chance) * (1.0 + 1.5 * self._rank[piece.kind])
        return age > span * (2.0 if near <= 2 else 1.0)

    def _open_kinds(self, view: View, forgotten: set[str]) -> set[str]:
        """Return the kinds that some hidden piece may be, with those of the forgotten pieces."""
        open_kinds = {piece.kind for piece in view.pieces if piece.name in forgotten}
        return open_kinds | {
            kind for piece in view.pieces if piece.side != view.viewer for kind in piece.possible
        }

    def _possible(self, piece: SeenPiece, kinds: set[str]) -> tuple[str, ...]:
        return tuple(
            kind.id for kind in self.game.kinds if kind.id in kinds and (kind.is_mobile or not piece.moved)
        )
