"""The bluffer: walks weak pieces forward as if they were strong, and hides its flag behind a decoy."""

from __future__ import annotations

from flagfall.board import DIRECTIONS, row_of
from flagfall.engine.action import Action
from flagfall.engine.tables import ATTACKER_WINS
from flagfall.players.greedy import GreedyPlayer, Squares
from flagfall.setups import Setup, style_names, styled_setup
from flagfall.view.view import SeenPiece, View

THREAT = 1.5
"""what it is worth to stand beside a piece that cannot know better than to run"""


class Bluffer(GreedyPlayer):
    """Its pieces look stronger than they are."""

    def set_up(self, side: int) -> Setup:
        """Bombs around an ordinary piece, where the box has bombs."""
        names = style_names(self.game)
        return styled_setup(self.game, side, "decoy" if "decoy" in names else names[0], self.rng)

    def score_step(self, view: View, table: Squares, piece: SeenPiece | None, act: Action) -> float:
        """Hidden weak pieces go towards known strong ones; strong pieces keep still."""
        if piece is None or not piece.kind:
            return 0.0
        if piece.is_told:
            return super().score_step(view, table, piece, act)
        own = self.number[piece.kind]
        weakness = 1.0 - self.value[own] / max(self.value[kind] for kind in self.mobile)
        way = 1 if view.viewer == "south" else -1
        forward = way * (row_of(act.target) - row_of(act.origin))
        threats = self._threats(view, table, own, act.target) - self._threats(view, table, own, act.origin)
        return 0.4 * weakness * forward + THREAT * weakness * threats - 0.3 * (1.0 - weakness)

    def _threats(self, view: View, table: Squares, own: int, cell: int) -> int:
        """Known enemies beside a cell that would take this piece, if they only knew."""
        neighbours = [table.at(cell + way) for way in DIRECTIONS]
        known = [
            self.number[each.kind] for each in neighbours if each and each.side != view.viewer and each.kind
        ]
        return sum(kind in self.mobile and self.fight[kind][own] == ATTACKER_WINS for kind in known)
