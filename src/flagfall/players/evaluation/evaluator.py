"""The values that a search reads: pieces, secrets, squares and expected gains, written for every action.

Squares are worth more near enemies that a kind expects to beat, above all near our flag. The gain of attacks
on a hidden piece is an expectation over its possible kinds; for the enemy, over what our pieces look like.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from flagfall.board import CELLS, DIRECTIONS, Board, parse_cell
from flagfall.edition import Game
from flagfall.engine import tables as T
from flagfall.engine.tables import Tables
from flagfall.players.chances import Chances, hidden_counts, remaining, spread
from flagfall.players.evaluation.piece_values import Numbers, PieceValues, Weights
from flagfall.players.history import GameHistory
from flagfall.players.search import buffers as B
from flagfall.players.worlds import PHASE_NUMBERS
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenPiece, View

_MIN_WALL_CHANCE = 0.7
"""the chance from which a piece is treated as immobile, or as our flag"""
_MIN_FLAG_CHANCE = 0.04
"""the chance from which a hidden piece attracts as a flag"""
_OBVIOUS_FLAG_CHANCE = 0.25
"""the chance, as the enemy sees it, from which our flag is treated as known"""
_GUARDED_SHARE = 1 / 8
"""what an intruder costs that is met in time, as a share of an unstopped one"""
FAR = 99
"""the distance where there is no path"""
_MAX_CACHED_PATHS = 2000
_MAX_CACHED_TABLES = 20
Steps = NDArray[np.int64]
Cells = tuple[int, ...]
Army = tuple[Chances, list[SeenPiece]]
"""the pieces of one side and their chances"""
PathClasses = dict[Cells, list[int]]
"""kinds by the squares that are closed to them"""


@lru_cache(maxsize=16)
def distances(board: Board) -> Steps:
    """Return the steps between any two cells around the zones."""
    steps = np.full((CELLS, CELLS), FAR, dtype=np.int64)
    adjacent = neighbours(board)
    for start in adjacent:
        steps[start] = _spread(start, adjacent, frozenset())
    return steps


@lru_cache(maxsize=16)
def neighbours(board: Board) -> dict[int, tuple[int, ...]]:
    """Return the open cells next to each open cell."""
    cells = set(board.open_cells())
    return {cell: tuple(cell + way for way in DIRECTIONS if cell + way in cells) for cell in sorted(cells)}


def _spread(start: int, neighbours: dict[int, tuple[int, ...]], closed: frozenset[int]) -> Steps:
    """Return the steps from a cell to all others around the closed ones."""
    steps = np.full(CELLS, FAR, dtype=np.int64)
    steps[start] = 0
    edge, far = [start], 0
    while edge:
        far += 1
        onward = []
        for cell in edge:
            for other in neighbours[cell]:
                if steps[other] == FAR and other not in closed:
                    steps[other] = far
                    onward.append(other)
        edge = onward
    return steps


class Paths:
    """Cached paths on one board."""

    def __init__(self, board: Board) -> None:
        self.neighbours = neighbours(board)
        self._around: dict[tuple[int, Cells], Steps] = {}
        self._lateness: dict[tuple[Cells, Cells, Cells], tuple[Steps, Steps]] = {}

    def around(self, goal: int, closed: Cells) -> Steps:
        """Return the steps from every cell to a goal around closed squares."""
        found = self._around.get((goal, closed))
        if found is None:
            found = _spread(goal, self.neighbours, frozenset(closed) - {goal})
            if len(self._around) > _MAX_CACHED_PATHS:
                self._around.clear()
            self._around[goal, closed] = found
        return found

    def lateness(self, goals: Cells, closed: Cells, walls: Cells) -> tuple[Steps, Steps]:
        """Return the distances of intruders, and by how many turns guards come too late.

        First the steps from every cell to the nearest goal around ``closed`` squares; then, by the cells of
        intruder and guard, the turns by which the guard fails to stand next to the intruder's path in time,
        for the worst shortest path and with the intruder moving first. Guards go around ``walls`` and flags.
        """
        found = self._lateness.get((goals, closed, walls))
        if found is not None:
            return found
        steps = np.min([self.around(goal, closed) for goal in goals], axis=0)
        late = np.full((CELLS, CELLS), FAR, dtype=np.int64)
        for cell in sorted(self.neighbours, key=lambda cell: int(steps[cell])):
            if 0 < steps[cell] < FAR:
                late[cell] = self.around(cell, (*walls, *goals))
                onward = [other for other in self.neighbours[cell] if steps[other] == steps[cell] - 1]
                if steps[cell] > 1:
                    late[cell] = np.minimum(late[cell], late[onward].max(axis=0) - 1)
        if len(self._lateness) > _MAX_CACHED_TABLES:
            self._lateness.clear()
        self._lateness[goals, closed, walls] = steps, late
        return steps, late


class Evaluator:
    """Writes the values for one seat of one game."""

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
        w[: B.VALUES_SIZE] = 0
        viewer, phase = SIDES.index(view.viewer), PHASE_NUMBERS[view.regime]
        left = [remaining(self.game, view, side) for side in SIDES]
        values = [self.piece_values.values(left[side], left[1 - side], phase) for side in (0, 1)]
        count = len(self.game.kinds)
        for side in (0, 1):
            i = side * T.MAX_KINDS
            w[B.PIECE_VALUE + i :][:count] = values[side]
            w[B.SECRET_VALUE + i :][:count] = values[side] * self.weights.hide * ~self.piece_values.flag
        seen = [self._seen_army(view, hidden, chances, side) for side in SIDES]
        armies = [self._with_own_kinds(view, army) for army in seen]
        path_classes = [self._path_classes(army) for army in armies]
        approaches = [self._flag_approach(*each) for each in zip(armies, path_classes, strict=True)]
        gains_of = [self.gains(side, values, phase) for side in (0, 1)]
        for side in (0, 1):
            gains = gains_of[side]
            learned = self.weights.learn * values[1 - side] * ~self.piece_values.flag
            aims = self.piece_values.aims[phase]
            ranged = (aims > 0) * values[1 - side] + (aims > 1) * values[side]  # a convert changes sides
            melee, from_afar = w[B.ATTACK_GAIN : B.GUESS].reshape(2, 2, T.MAX_KINDS, T.PIECES)
            self._write_gains(game_history, seen[1 - side], gains + learned, melee)
            self._write_gains(game_history, seen[1 - side], ranged + learned, from_afar)
            if seen[1 - side][1]:
                block = w[B.SQUARE_VALUE : B.ATTACK_GAIN].reshape(2, T.MAX_KINDS, CELLS)[side]
                movers = self._movers(view, side)
                prey = self._prey(seen[1 - side], armies[side], gains_of[1 - side])
                block[movers] = self._places(seen[1 - side], prey, gains, values[side], approaches, side)[
                    movers
                ]
        self._write_flag_threat(
            armies[viewer], path_classes[viewer], self._awareness(seen[viewer], armies[viewer]), w
        )
        for side in (0, 1):
            for row, piece in zip(*seen[side], strict=True):
                w[B.GUESS + game_history.number[piece.name]] = np.argmax(row * values[side])
        w[B.DRAW_VALUE] = self.weights.draw
        w[B.MIN_PROBABILITY + 1 - viewer] = self.weights.min_probability
        w[B.MAX_PROBABILITY] = self.weights.max_probability
        w[B.GAIN_CAP] = self.weights.gain_cap
        w[B.CERTAIN_GAIN] = max(int(np.median(values[viewer]) * self.weights.certain_gain), 4)
        for side in (0, 1):
            w[B.LOST_BEARER + side] = w[B.ARRIVED + side] = self.weights.bearer

    def _seen_army(self, view: View, hidden: Sequence[SeenPiece], chances: Chances, side: Side) -> Army:
        """Return the pieces of a side and their chances as the other side sees them."""
        pieces = [piece for piece in view.pieces if piece.side == side]
        rows = {piece.name: row for piece, row in zip(hidden, chances, strict=True)}
        secret = [piece for piece in pieces if side == view.viewer and not piece.is_told]
        if secret:
            mask, counts = hidden_counts(self.game, view, side, secret)
            public = spread(mask.astype(np.float64), counts)
            rows |= {piece.name: row for piece, row in zip(secret, public, strict=True)}
        table = np.zeros((len(pieces), len(self.game.kinds)))
        for i, piece in enumerate(pieces):
            if piece.name in rows:
                table[i] = rows[piece.name]
            else:
                table[i, self.kind_number[piece.kind]] = 1.0
        return table, pieces

    def gains(self, side: int, values: Sequence[Numbers], phase: int) -> Numbers:
        """Return ``[attacker, defender]``: the gain of an attack by that side on a known piece."""
        fights = self.piece_values.fights[phase]
        won = (fights == T.ATTACKER_WINS) | (fights == T.BOTH_LOST)
        lost = (fights == T.DEFENDER_WINS) | (fights == T.BOTH_LOST)
        gains: Numbers = won * values[1 - side][None, :] - lost * values[side][:, None]
        return gains

    def risks(self, view: View, w: NDArray[np.int32]) -> Numbers:
        """Return ``[own kind, enemy kind]``: the extra cost of an attacker lost to a hidden piece.

        A hidden piece that lets itself be attacked is stronger than it seems, or cannot run away.
        """
        fights = self.piece_values.fights[PHASE_NUMBERS[view.regime]]
        own = self._values(w)[SIDES.index(view.viewer)]
        risks: Numbers = self.weights.risk * ((fights == T.DEFENDER_WINS) * own[:, None])
        return risks

    def dangers(self, view: View, w: NDArray[np.int32]) -> Numbers:
        """Return ``[own kind, enemy kind]``: what an enemy's attack costs us, where the enemy gains."""
        gains = self.gains(1 - SIDES.index(view.viewer), self._values(w), PHASE_NUMBERS[view.regime])
        return np.maximum(gains, 0.0).T

    def _values(self, w: NDArray[np.int32]) -> list[Numbers]:
        """Return the piece values of both sides, as they were written."""
        table = w[B.PIECE_VALUE : B.SECRET_VALUE].reshape(2, T.MAX_KINDS).astype(np.float64)
        return list(table[:, : len(self.game.kinds)])

    def _write_gains(
        self, game_history: GameHistory, army: Army, gains: Numbers, block: NDArray[np.int32]
    ) -> None:
        """Write the expected gain of attacks on each piece, now and after it has moved."""
        table, pieces = army
        moving = table * self.piece_values.mobile
        moving /= np.maximum(moving.sum(axis=1, keepdims=True), 1e-9)
        numbers = [game_history.number[piece.name] for piece in pieces]
        for moved, chances in enumerate((table, moving)):
            block[moved][: len(gains), numbers] = (chances @ gains.T).T

    def _prey(self, hunters: Army, army: Army, gains: Numbers) -> Numbers:
        """Return what each piece of one army can take of the other, less with each step."""
        cells = [[parse_cell(piece.cell) for piece in pieces] for _, pieces in (hunters, army)]
        taken = np.maximum(hunters[0] @ gains @ army[0].T, 0.0) * ~self._is_flag(army)
        prey: Numbers = (taken * self.fade[np.ix_(*cells)]).sum(axis=1)
        return prey

    def _is_flag(self, army: Army) -> NDArray[np.bool_]:
        return np.asarray(army[0] @ self.piece_values.flag > _MIN_FLAG_CHANCE)

    def _places(
        self,
        army: Army,
        prey: Numbers,
        gains: Numbers,
        values: Numbers,
        approaches: Sequence[Numbers],
        side: int,
    ) -> Numbers:
        """``[kind, cell]``: near what it takes of the other army, near its flag, near who is near ours.

        ``prey``: what each piece of the other army can take of ours nearby.
        """
        table, pieces = army
        cells = [parse_cell(piece.cell) for piece in pieces]
        press = (table * approaches[side][:, cells].T).sum(axis=1)
        urgency = press / max(self.weights.guard, 1.0)
        wanted = np.maximum(table @ gains.T, 0.0) * (1.0 + self.weights.hunt * urgency[:, None])
        trades = table @ self.piece_values.trades.T * values[None, :]
        wanted += self.weights.trade * trades * urgency[:, None]
        takes = table @ self.piece_values.takes.T
        wanted += self.weights.raid * prey[:, None] * takes
        chase = self.weights.chase * press[:, None] * takes
        near = self.fade[None, :, cells]
        pull = near * wanted.T[:, None, :]
        place = self.weights.pull * pull.max(axis=2) + self.weights.crowd * pull.sum(axis=2)
        hunt = (near * chase.T[:, None, :]).max(axis=2)
        places: Numbers = place + approaches[1 - side] + hunt
        return places

    def _with_own_kinds(self, view: View, army: Army) -> Army:
        """Return the army with the true kinds of the viewer's own pieces."""
        pieces = army[1]
        if not pieces or pieces[0].side != view.viewer:
            return army
        kinds = [self.kind_number[piece.kind] for piece in pieces]
        return np.eye(len(self.game.kinds))[kinds], pieces

    def _flag_approach(self, army: Army, path_classes: PathClasses) -> Numbers:
        """Return ``[enemy kind, cell]``: the value of being near the flag of an army.

        Paths go around immobile pieces that the kind cannot take.
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
        """Return kinds by the squares closed to them: those of immobile pieces they cannot take."""
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

    def _awareness(self, seen: Army, army: Army) -> float:
        """Return how much of the flag's danger is left because the enemy hardly knows where it stands."""
        flags = army[0] @ self.piece_values.flag > _MIN_WALL_CHANCE
        suspected = float((seen[0] @ self.piece_values.flag)[flags].max(initial=0.0))
        return 1.0 - self.weights.secrecy * max(0.0, 1.0 - suspected / _OBVIOUS_FLAG_CHANCE)

    def _write_flag_threat(
        self, army: Army, path_classes: PathClasses, awareness: float, w: NDArray[np.int32]
    ) -> None:
        """Write every enemy kind's distance to the viewer's flags, the lateness of guards, and the costs."""
        w[B.FLAG_PROBABILITY] = round(self.weights.flag_probability * awareness)
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
        costs = awareness * self.weights.flag_threat_fade**steps
        w[B.THREAT : B.THREAT + B.THREAT_RANGE] = B.CERTAIN_LOSS * costs
        w[B.THREAT_COST] = self.weights.flag_threat
        w[B.LEAD_AT_RISK] = B.CERTAIN_LOSS * self.weights.lead_at_risk
        saved = 0.5 * self.weights.late_fade ** np.arange(B.LATE_RANGE - 1)
        w[B.LATE_SHARE] = B.CERTAIN_LOSS * _GUARDED_SHARE
        w[B.LATE_SHARE + 1 : B.LATE_SHARE + B.LATE_RANGE] = B.CERTAIN_LOSS * (1.0 - saved)

    def _closeness(self, goal: int, closed: tuple[int, ...]) -> Numbers:
        """Return how near each cell is to a goal around closed squares; 1 on the goal."""
        steps = self.paths.around(goal, closed)
        return np.where(steps < FAR, self._guard_fade_table[steps], 0.0)

    def _movers(self, view: View, side: int) -> list[int]:
        """Return the kinds that may move for a side: its own, and any after a conversion."""
        roster, has_all = self.game.rosters[side], view.conversions != (0, 0)
        return [int(kind) for kind in np.flatnonzero(self.piece_values.mobile) if roster[kind] or has_all]
