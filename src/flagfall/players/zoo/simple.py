"""The rusher: drives its strongest pieces forward and attacks whatever is next."""

from __future__ import annotations

from flagfall.board import DIRECTIONS, cell_name, distance, parse_cell, row_of
from flagfall.engine.action import Action
from flagfall.engine.tables import ATTACKER_WINS
from flagfall.players.greedy import GreedyPlayer, Squares
from flagfall.setups import Setup, style_names, styled_setup
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


THREAT = 1.5
"""the value of standing next to a piece that would flee from a stronger one"""


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
        """Count known enemies next to a cell that would beat this piece if they knew it."""
        neighbours = [table.at(cell + way) for way in DIRECTIONS]
        known = [
            self.number[each.kind] for each in neighbours if each and each.side != view.viewer and each.kind
        ]
        return sum(kind in self.mobile and self.fight[kind][own] == ATTACKER_WINS for kind in known)


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
