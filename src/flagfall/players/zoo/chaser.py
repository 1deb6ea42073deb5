"""The chaser: harries known weaker pieces, and otherwise walks to and fro as long as the rules allow it."""

from __future__ import annotations

from flagfall.board import cell_name, distance, parse_cell
from flagfall.engine.action import Action
from flagfall.engine.tables import ATTACKER_WINS
from flagfall.players.greedy import GreedyPlayer, Squares
from flagfall.view.view import SeenPiece, View

HUNT = 1.2
SHUFFLE = 0.5


class Chaser(GreedyPlayer):
    """Never lets go."""

    def score_step(self, view: View, table: Squares, piece: SeenPiece | None, act: Action) -> float:
        """Towards the nearest piece it can take; without one, back to where it has just come from."""
        if piece is None or not piece.kind:
            return 0.0
        own = self.number[piece.kind]
        nearer = self._distance(view, own, act.origin) - self._distance(view, own, act.target)
        score = HUNT * nearer + super().score_step(view, table, piece, act)
        last = [event for event in view.last_turn if event.what == "move" and event.side == view.viewer]
        is_back = any(event.piece == piece.name and event.origin == cell_name(act.target) for event in last)
        return score + (SHUFFLE if is_back else 0.0)

    def _distance(self, view: View, own: int, cell: int) -> float:
        """Steps to the nearest known mobile enemy that this kind takes; a fixed number if there is none."""
        return float(min((distance(cell, there) for there in self._prey(view, own)), default=0))

    def _prey(self, view: View, own: int) -> list[int]:
        return [
            parse_cell(piece.cell)
            for piece in view.pieces
            if piece.side != view.viewer
            and piece.kind
            and self.number[piece.kind] in self.mobile
            and self.fight[own][self.number[piece.kind]] == ATTACKER_WINS
        ]
