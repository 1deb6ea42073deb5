"""The rusher: drives its strongest pieces forward and attacks whatever is next."""

from __future__ import annotations

from flagfall.board import row_of
from flagfall.engine.action import Action
from flagfall.players.greedy import GreedyPlayer, Squares
from flagfall.setups import Setup, styled_setup
from flagfall.view.view import SeenPiece, View

EAGERNESS = 8.0
"""how much an attack on an unknown piece is worth to it, whatever the chances"""


class Rusher(GreedyPlayer):
    """Forward, and at them."""

    def set_up(self, side: int) -> Setup:
        """Strong pieces in front."""
        return styled_setup(self.game, side, "blitz", self.rng)

    def score_attack(self, view: View, piece: SeenPiece | None, enemy: SeenPiece) -> float:
        """Any unknown piece is there to be taken; a known one if it can be."""
        return super().score_attack(view, piece, enemy) + (0.0 if enemy.kind else EAGERNESS)

    def score_step(self, view: View, table: Squares, piece: SeenPiece | None, act: Action) -> float:
        """The further forward the better, strong pieces first; danger does not matter."""
        if piece is None or not piece.kind:
            return 0.0
        way = 1 if view.viewer == "south" else -1
        forward = way * (row_of(act.target) - row_of(act.origin))
        depth = way * row_of(act.target)
        strength = self.value[self.number[piece.kind]] / max(self.value[kind] for kind in self.mobile)
        return forward * (0.5 + strength) + 0.1 * depth * (forward > 0)
