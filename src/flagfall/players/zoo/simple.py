"""Greedy players with one habit each: rusher, turtle, bluffer and chaser."""

from __future__ import annotations

from flagfall.board import cell_name, distance, parse_cell, row_of
from flagfall.engine.action import Action
from flagfall.engine.tables import ATTACKER_WINS
from flagfall.players.greedy import GreedyPlayer, Squares
from flagfall.setups import Setup, style_names, styled_setup
from flagfall.view.view import SeenPiece, View

EAGERNESS = 8.0
"""extra score of an attack on an unknown piece"""


class Rusher(GreedyPlayer):
    """Drives its strongest pieces forward and attacks what it meets."""

    def set_up(self, side: int) -> Setup:
        """Return a setup with strong pieces in front."""
        return styled_setup(self.game, side, "blitz", self.rng)

    def score_attack(self, view: View, piece: SeenPiece | None, enemy: SeenPiece) -> float:
        """Prefer attacks on unknown pieces."""
        return super().score_attack(view, piece, enemy) + (0.0 if enemy.kind else EAGERNESS)

    def score_step(self, view: View, table: Squares, piece: SeenPiece | None, act: Action) -> float:
        """Go forward, strong pieces first, whatever the danger."""
        if piece is None or not piece.kind:
            return 0.0
        way = 1 if view.viewer == "south" else -1
        forward = way * (row_of(act.target) - row_of(act.origin))
        depth = way * row_of(act.target)
        strength = self.value[self.number[piece.kind]] / max(self.value[kind] for kind in self.mobile)
        return forward * (0.5 + strength) + 0.1 * depth * (forward > 0)


CAUTION = 4.0
"""the score that an attack on an unknown piece must exceed"""
RECAPTURE = 3.0


class Turtle(GreedyPlayer):
    """Stays in its own rows."""

    def set_up(self, side: int) -> Setup:
        """Return a setup behind bombs, if the box has that style."""
        names = style_names(self.game)
        return styled_setup(self.game, side, "fortress" if "fortress" in names else names[0], self.rng)

    def score_attack(self, view: View, piece: SeenPiece | None, enemy: SeenPiece) -> float:
        """Prefer certain captures, above all of a piece that has just attacked."""
        score = super().score_attack(view, piece, enemy)
        if not enemy.kind:
            return score - CAUTION
        has_struck = any(event.what == "attack" and event.piece == enemy.name for event in view.last_turn)
        return score + (RECAPTURE if has_struck and score > 0 else 0.0)

    def score_step(self, view: View, table: Squares, piece: SeenPiece | None, act: Action) -> float:
        """Stay in the home rows, and come back to them."""
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
"""score of standing next to a stronger known piece"""


class Bluffer(GreedyPlayer):
    """Walks hidden weak pieces up to known strong ones."""

    def set_up(self, side: int) -> Setup:
        """Return a setup with a decoy, if the box has that style."""
        names = style_names(self.game)
        return styled_setup(self.game, side, "decoy" if "decoy" in names else names[0], self.rng)

    def score_step(self, view: View, table: Squares, piece: SeenPiece | None, act: Action) -> float:
        """Move hidden weak pieces towards known strong ones, and keep strong pieces still."""
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
        """Return how many known enemies next to a cell would beat this kind."""
        known = self.known_neighbours(view, table, cell)
        return sum(kind in self.mobile and self.fight[kind][own] == ATTACKER_WINS for kind in known)


HUNT = 1.2
SHUFFLE = 0.5


class Chaser(GreedyPlayer):
    """Hunts known pieces that it can take."""

    def score_step(self, view: View, table: Squares, piece: SeenPiece | None, act: Action) -> float:
        """Go towards the nearest piece it can take; without one, back to where it came from."""
        if piece is None or not piece.kind:
            return 0.0
        own = self.number[piece.kind]
        nearer = self._distance(view, own, act.origin) - self._distance(view, own, act.target)
        score = HUNT * nearer + super().score_step(view, table, piece, act)
        last = [event for event in view.last_turn if event.what == "move" and event.side == view.viewer]
        is_back = any(event.piece == piece.name and event.origin == cell_name(act.target) for event in last)
        return score + (SHUFFLE if is_back else 0.0)

    def _distance(self, view: View, own: int, cell: int) -> float:
        """Return the steps to the nearest known mobile enemy that this kind takes; 0 if there is none."""
        known = [piece for piece in view.pieces if piece.side != view.viewer and piece.kind]
        prey = [
            distance(cell, parse_cell(piece.cell))
            for piece in known
            if self.number[piece.kind] in self.mobile
            and self.fight[own][self.number[piece.kind]] == ATTACKER_WINS
        ]
        return float(min(prey, default=0))
