"""The turtle: stays at home, lets the others come, and takes whoever dares."""

from __future__ import annotations

from flagfall.board import row_of
from flagfall.engine.action import Action
from flagfall.players.greedy import GreedyPlayer, Squares
from flagfall.setups import Setup, style_names, styled_setup
from flagfall.view.view import SeenPiece, View

CAUTION = 4.0
"""what an attack on an unknown piece must be worth before it is made"""
RECAPTURE = 3.0


class Turtle(GreedyPlayer):
    """Holds its rows."""

    def set_up(self, side: int) -> Setup:
        """Behind walls, where the box has any."""
        names = style_names(self.game)
        return styled_setup(self.game, side, "fortress" if "fortress" in names else names[0], self.rng)

    def score_attack(self, view: View, piece: SeenPiece | None, enemy: SeenPiece) -> float:
        """Sure captures, and first of all of a piece that has just taken one of ours."""
        score = super().score_attack(view, piece, enemy)
        if not enemy.kind:
            return score - CAUTION
        has_struck = any(event.what == "attack" and event.piece == enemy.name for event in view.last_turn)
        return score + (RECAPTURE if has_struck and score > 0 else 0.0)

    def score_step(self, view: View, table: Squares, piece: SeenPiece | None, act: Action) -> float:
        """Inside its own rows; beyond them only what comes back is welcome."""
        if piece is None or not piece.kind:
            return 0.0
        board = self.game.board
        home = board.home_rows if view.viewer == "south" else board.rows + 1 - board.home_rows
        way = 1 if view.viewer == "south" else -1
        outside = [max(0, way * (row_of(cell) - home)) for cell in (act.target, act.origin)]
        own = self.number[piece.kind]
        score = outside[1] - outside[0] - 0.5 * (not piece.moved)
        return score + self.danger(view, table, own, act.origin) - self.danger(view, table, own, act.target)
