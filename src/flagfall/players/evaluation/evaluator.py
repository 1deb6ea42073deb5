"""The table of values that a search reads: worth, secrets, places, expected gains; made anew for every move.

Places are worth what can be reached from them: every kind is drawn towards the enemies it may expect to
beat, the more the nearer, and an enemy near our flag is worth more than one far away. What an attack on a
hidden piece gains is an expectation over everything it may be, for the enemy over everything *ours* may look
like.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flagfall.board import CELLS, parse_cell
from flagfall.edition import Game
from flagfall.engine import tables as T
from flagfall.engine.tables import Tables
from flagfall.players.chances import Chances, hidden_counts, remaining, spread
from flagfall.players.evaluation.distances import FAR, Paths, distances
from flagfall.players.evaluation.piece_values import Numbers, PieceValues, Weights
from flagfall.players.history import GameHistory
from flagfall.players.search import buffers as B
from flagfall.players.search.flag_threat import CERTAIN_LOSS
from flagfall.players.worlds import PHASE_NUMBERS
from flagfall.sides import SIDES
from flagfall.view.view import SeenPiece, View

_MIN_WALL_CHANCE = 0.7
"""from this chance on a piece is taken for one that never moves"""
_MIN_FLAG_CHANCE = 0.04
"""below this chance nobody looks for the flag there"""
Army = tuple[Chances, list[SeenPiece]]
"""pieces of one side and the chances of each"""
PathClasses = dict[tuple[int, ...], list[int]]
"""kinds by the squares that are closed to them"""
Armies = tuple[Army, Army]
"""chances and pieces of South and of North, as the other side must see them"""


class Evaluator:
    """Fills the table of values for one seat of one game."""

    def __init__(self, game: Game, tables: Tables, weights: Weights) -> None:
        self.game, self.weights = game, weights
        self.piece_values = PieceValues(tables, len(game.kinds), weights)
        self.kind_number = {kind.id: index for index, kind in enumerate(game.kinds)}
        self.paths = Paths(game.board)
        self._guard_fade_table = weights.guard_fade ** np.arange(FAR + 1, dtype=np.float64)
        steps = distances(game.board)
        self.fade = np.where(steps < FAR, weights.fade ** steps.astype(np.float64), 0.0)

    def evaluate(
        self,
        view: View,
        game_history: GameHistory,
        hidden: Sequence[SeenPiece],
        chances: Chances,
        w: NDArray[np.int32],
    ) -> None:
        """Write the values for this View; ``chances`` are those of the enemy's hidden pieces."""
        w[:] = 0
        viewer, phase = SIDES.index(view.viewer), PHASE_NUMBERS[view.regime]
        left = [remaining(self.game, view, side) for side in SIDES]
        values = [self.piece_values.values(left[side], left[1 - side], phase) for side in (0, 1)]
        count = len(self.game.kinds)
        for side in (0, 1):
            i = B.PIECE_VALUE + side * T.MAX_KINDS
            w[i : i + count] = values[side]
            i = B.SECRET_VALUE + side * T.MAX_KINDS
            w[i : i + count] = values[side] * self.weights.hide * ~self.piece_values.flag
        seen: Armies = self._all_chances(view, hidden, chances, viewer)
        armies = [self._with_own_kinds(view, army) for army in seen]
        path_classes = [self._path_classes(army) for army in armies]
        approaches = [self._flag_approach(*each) for each in zip(armies, path_classes, strict=True)]
        for side in (0, 1):
            gains = self.gains(side, values, phase)
            learned = self.weights.learn * values[1 - side] * ~self.piece_values.flag
            ranged = self._ranged_gains(side, values, phase)
            by_contact, from_afar = w[B.ATTACK_GAIN : B.GUESS].reshape(2, 2, T.MAX_KINDS, T.PIECES)
            self._write_gains(game_history, seen[1 - side], gains + learned[None, :], by_contact)
            self._write_gains(game_history, seen[1 - side], ranged + learned[None, :], from_afar)
            if seen[1 - side][1]:
                block = w[B.SQUARE_VALUE : B.ATTACK_GAIN].reshape(2, T.MAX_KINDS, CELLS)[side]
                movers = self._movers(view, side)
                block[movers] = self._places(seen[1 - side], gains, values[side], approaches, side)[movers]
        self._write_flag_threat(armies[viewer], path_classes[viewer], w)
        for side in (0, 1):
            for row, piece in zip(*seen[side], strict=True):
                w[B.GUESS + game_history.number[piece.name]] = np.argmax(row * values[side])
        w[B.DRAW_VALUE] = self.weights.draw
        w[B.MIN_PROBABILITY + 1 - viewer] = self.weights.min_probability
        w[B.MAX_PROBABILITY] = self.weights.max_probability
        w[B.GAIN_CAP] = self.weights.gain_cap
        w[B.FLAG_PROBABILITY] = self.weights.flag_probability
        w[B.CERTAIN_GAIN] = max(int(np.median(values[viewer]) * self.weights.certain_gain), 4)
        for side in (0, 1):
            w[B.LOST_BEARER + side] = w[B.ARRIVED + side] = self.weights.bearer

    def _all_chances(self, view: View, hidden: Sequence[SeenPiece], chances: Chances, viewer: int) -> Armies:
        """Chances of South's and North's pieces in the eyes of the other side, row by row."""
        rows: list[Chances] = []
        pieces: list[list[SeenPiece]] = []
        for side in (0, 1):
            mine = [piece for piece in view.pieces if piece.side == SIDES[side]]
            table = np.zeros((len(mine), len(self.game.kinds)))
            unknown = {piece.name: i for i, piece in enumerate(hidden)}
            secret = [piece for piece in mine if side == viewer and not piece.is_told]
            if secret:
                mask, counts = hidden_counts(self.game, view, SIDES[side], secret)
                public = spread(mask.astype(np.float64), counts)
                place = {piece.name: i for i, piece in enumerate(secret)}
            for i, piece in enumerate(mine):
                if piece.name in unknown:
                    table[i] = chances[unknown[piece.name]]
                elif side == viewer and not piece.is_told:
                    table[i] = public[place[piece.name]]
                else:
                    table[i, self.kind_number[piece.kind]] = 1.0
            rows.append(table)
            pieces.append(mine)
        return (rows[0], pieces[0]), (rows[1], pieces[1])

    def gains(self, side: int, values: Sequence[Numbers], phase: int) -> Numbers:
        """What an attack by a kind of that side on each kind of the other gains; no chance in it."""
        fights = self.piece_values.fights[phase]
        won = (fights == T.ATTACKER_WINS) | (fights == T.BOTH_LOST)
        lost = (fights == T.DEFENDER_WINS) | (fights == T.BOTH_LOST)
        gains: Numbers = won * values[1 - side][None, :] - lost * values[side][:, None]
        return gains

    def _ranged_gains(self, side: int, values: Sequence[Numbers], phase: int) -> Numbers:
        """Return the same for a ranged attack; a converted piece also gains value for its new side."""
        aims = self.piece_values.aims[phase]
        ranged: Numbers = (aims > 0) * values[1 - side][None, :] + (aims > 1) * values[side][None, :]
        return ranged

    def risks(self, view: View, w: NDArray[np.int32]) -> Numbers:
        """``[own kind, enemy kind]``: what losing the attacker costs on top of its worth.

        A hidden piece that lets itself be attacked is stronger than it seems, or cannot run away.
        """
        count, viewer = len(self.game.kinds), SIDES.index(view.viewer)
        fights = self.piece_values.fights[PHASE_NUMBERS[view.regime]]
        i = B.PIECE_VALUE + viewer * T.MAX_KINDS
        lost: Numbers = (fights == T.DEFENDER_WINS) * w[i : i + count, None]
        return self.weights.risk * lost

    def dangers(self, view: View, w: NDArray[np.int32]) -> Numbers:
        """``[own kind, enemy kind]``: what the attack of an enemy costs us, where it gains by it."""
        viewer, count = SIDES.index(view.viewer), len(self.game.kinds)
        sides = [w[B.PIECE_VALUE + side * T.MAX_KINDS :][:count].astype(np.float64) for side in (0, 1)]
        gains = self.gains(1 - viewer, sides, PHASE_NUMBERS[view.regime])
        dangers: Numbers = np.maximum(gains, 0.0).T
        return dangers

    def _write_gains(
        self, game_history: GameHistory, army: Army, gains: Numbers, block: NDArray[np.int32]
    ) -> None:
        """What an attack on each piece of an army gains, as it is and if it should have moved."""
        table, pieces = army
        moving = table * self.piece_values.mobile
        moving /= np.maximum(moving.sum(axis=1, keepdims=True), 1e-9)
        numbers = [game_history.number[piece.name] for piece in pieces]
        for moved, chances in enumerate((table, moving)):
            block[moved][: len(gains), numbers] = (chances @ gains.T).T

    def _places(
        self, army: Army, gains: Numbers, values: Numbers, approaches: Sequence[Numbers], side: int
    ) -> Numbers:
        """``[kind, cell]``: near what it takes of the other army, near its flag, near who is near ours."""
        table, pieces = army
        cells = [parse_cell(piece.cell) for piece in pieces]
        press = (table * approaches[side][:, cells].T).sum(axis=1)
        urgency = press / max(self.weights.guard, 1.0)
        wanted = np.maximum(table @ gains.T, 0.0) * (1.0 + self.weights.hunt * urgency[:, None])
        trades = table @ self.piece_values.trades.T * values[None, :]
        wanted += self.weights.trade * trades * urgency[:, None]
        chase = self.weights.chase * press[:, None] * (table @ self.piece_values.takes.T)
        near = self.fade[None, :, cells]
        pull = near * wanted.T[:, None, :]
        place = self.weights.pull * pull.max(axis=2) + self.weights.crowd * pull.sum(axis=2)
        hunt = (near * chase.T[:, None, :]).max(axis=2)
        places: Numbers = place + approaches[1 - side] + hunt
        return places

    def _with_own_kinds(self, view: View, army: Army) -> Army:
        """The viewer's own pieces are what they are, whatever the other side may think."""
        pieces = army[1]
        if not pieces or pieces[0].side != view.viewer:
            return army
        kinds = [self.kind_number[piece.kind] for piece in pieces]
        return np.eye(len(self.game.kinds))[kinds], pieces

    def _flag_approach(self, army: Army, path_classes: PathClasses) -> Numbers:
        """``[kind of the other side, cell]``: what it is worth to be that near to the flag of an army.

        The way leads around pieces that cannot be taken by that kind and never move, as far as they are
        known to its owner's opponent or, for the viewer's own army, as they are.
        """
        table, pieces = army
        danger = np.zeros((len(self.game.kinds), CELLS))
        flags = table @ self.piece_values.flag
        goals = np.flatnonzero(flags > _MIN_FLAG_CHANCE)
        if not len(goals):
            return danger
        for closed, same in path_classes.items():
            near = sum(flags[i] * self._closeness(parse_cell(pieces[i].cell), closed) for i in goals)
            danger[same] = self.weights.guard * near
        return danger

    def _path_classes(self, army: Army) -> PathClasses:
        """Kinds by the squares that are closed to them: held by what never moves and they cannot take."""
        table, pieces = army
        walls = np.flatnonzero(table @ self.piece_values.immobile > _MIN_WALL_CHANCE)
        cells = [parse_cell(pieces[i].cell) for i in walls]
        kinds = table[walls].argmax(axis=1)
        path_classes: PathClasses = {}
        for kind in np.flatnonzero(self.piece_values.mobile):
            opens = self.piece_values.takes[kind, kinds]
            closed = tuple(cell for cell, is_open in zip(cells, opens, strict=True) if not is_open)
            path_classes.setdefault(closed, []).append(int(kind))
        return path_classes

    def _write_flag_threat(self, army: Army, path_classes: PathClasses, w: NDArray[np.int32]) -> None:
        """How far every enemy kind has to the viewer's flags, who comes too late, and what that costs."""
        table, pieces = army
        cells = np.array([parse_cell(piece.cell) for piece in pieces], dtype=np.int64)
        flags = tuple(cells[table @ self.piece_values.flag > _MIN_WALL_CHANCE].tolist())
        walls = tuple(cells[table @ self.piece_values.immobile > _MIN_WALL_CHANCE].tolist())
        distance = w[B.FLAG_DISTANCE : B.PATH_CLASS].reshape(T.MAX_KINDS, CELLS)
        distance[:] = FAR
        if not flags:
            return
        late = w[B.LATENESS : B.THREAT].reshape(B.PATH_CLASSES, CELLS, CELLS)
        for path_class, (closed, same) in enumerate(list(path_classes.items())[: B.PATH_CLASSES]):
            distance[same], late[path_class] = self.paths.lateness(flags, closed, walls)
            w[B.PATH_CLASS + np.array(same)] = path_class
        steps = np.arange(B.THREAT_RANGE)
        w[B.THREAT : B.THREAT + B.THREAT_RANGE] = CERTAIN_LOSS * self.weights.flag_threat_fade**steps
        w[B.THREAT_COST] = self.weights.flag_threat

    def _closeness(self, goal: int, closed: tuple[int, ...]) -> Numbers:
        """How near each cell is to a goal, 1 on it, when some squares are closed."""
        steps = self.paths.around(goal, closed)
        near: Numbers = np.where(steps < FAR, self._guard_fade_table[steps], 0.0)
        return near

    def _movers(self, view: View, side: int) -> list[int]:
        """Kinds that may move for a side: its own, and all that have been won over."""
        rosters = self.game.rosters
        has_all = view.conversions != (0, 0)
        return [
            kind
            for kind in range(len(self.game.kinds))
            if self.piece_values.mobile[kind] and (rosters[side][kind] or has_all)
        ]
