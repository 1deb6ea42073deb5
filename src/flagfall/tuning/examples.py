"""Positions of played games as examples for fitting: material, the side to move, and the result."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flagfall.arena.run_file import RunFileError
from flagfall.arena.simulate import prepared
from flagfall.players.evaluation.piece_values import PieceValues, Weights, standard_weights
from flagfall.tuning.positions import Position, Sampled, Task

Reals = NDArray[np.float64]
HELD_OUT = 5
"""one game in this many is held out"""


class MaterialTable:
    """Computes the material of the positions of one game."""

    def __init__(self, game_id: str, options: dict[str, str], positions: Sequence[Position]) -> None:
        game, _, tables = prepared(game_id, tuple(sorted(options.items())))
        if any(len(side) != len(game.kinds) for each in positions for side in (*each.left, *each.hidden)):
            raise RunFileError(f"The positions of {game_id} are of another box; use --restart.")
        self._piece_values = PieceValues(tables, len(game.kinds), standard_weights())
        self._mover = [each.mover for each in positions]
        self._regime = [each.regime for each in positions]
        self._left = np.array([each.left for each in positions], dtype=np.int64)
        self._hidden = np.array([each.hidden for each in positions], dtype=np.int64)

    def leads(self, weights: Weights, step: int = 1) -> tuple[Reals, Reals]:
        """Return the mover's lead in every ``step``-th position, and the value of the most valuable kind."""
        self._piece_values.weights = weights
        leads, top_values = [], []
        for at in range(0, len(self._mover), step):
            mover = self._mover[at]
            own = self._standing(at, mover, weights)
            other = self._standing(at, 1 - mover, weights)
            leads.append(own[0] - other[0])
            top_values.append(max(own[1], other[1]))
        return np.array(leads), np.array(top_values)

    def _standing(self, at: int, side: int, weights: Weights) -> tuple[float, float]:
        """Return a side's material in a position, and the value of its most valuable kind."""
        left = self._left[at]
        values = self._piece_values.values(left[side], left[1 - side], self._regime[at])
        secret = weights.hide * (self._hidden[at, side] * ~self._piece_values.flag)
        return float((left[side] + secret) @ values), float(values.max())


@dataclass(frozen=True, eq=False)
class Examples:
    """All positions in one order; each game has the same total weight."""

    games: tuple[str, ...]
    """game ids, in the order of the material tables"""
    material: tuple[MaterialTable, ...]
    game: NDArray[np.int64]
    """the index of each position's game id"""
    played: NDArray[np.int64]
    """the index of the game each position is from"""
    results: Reals
    """the result for the mover: 1, ½ or 0"""
    counts: Reals
    """the weight of each position; those of a game add up to 1"""
    opponents: tuple[str, ...]
    edge: Reals
    """a column for each opponent: 1 if the mover plays against it, −1 if the mover is it"""
    estimate: Reals
    """the mover's own estimate; NaN where there is none"""
    is_held_out: NDArray[np.bool_]

    def leads(self, weights: Weights, step: int = 1) -> tuple[Reals, Reals]:
        """Return leads and top piece values of all positions, or of every ``step``-th of each game id."""
        both = [table.leads(weights, step) for table in self.material]
        return np.concatenate([lead for lead, _ in both]), np.concatenate([most for _, most in both])

    def held_out_games(self) -> NDArray[np.int64]:
        """Return the indices of the held-out games."""
        return np.unique(self.played[self.is_held_out])


def examples(games: Sequence[Sampled]) -> Examples:
    """Return the examples of played games; games without a quiet position are left out."""
    useful = sorted((one for one in games if one.positions), key=lambda one: (one.task.game, one.task.index))
    ids = tuple(dict.fromkeys(one.task.game for one in useful))
    opponents = tuple(sorted({name for one in useful for name in one.plan.opponents}))
    material = tuple(
        MaterialTable(
            game,
            next(one.plan.options for one in useful if one.task.game == game),
            [position for one in useful if one.task.game == game for position in one.positions],
        )
        for game in ids
    )
    rows = [(at, one, position) for at, one in enumerate(useful) for position in one.positions]
    return Examples(
        games=ids,
        material=material,
        game=np.array([ids.index(one.task.game) for _, one, _ in rows], dtype=np.int64),
        played=np.array([at for at, _, _ in rows], dtype=np.int64),
        results=np.array([_result(one, position) for _, one, position in rows]),
        counts=np.array([1.0 / len(one.positions) for _, one, _ in rows]),
        opponents=opponents,
        edge=np.array([_edge(one, position, opponents) for _, one, position in rows]).reshape(len(rows), -1),
        estimate=np.array([np.nan if row.estimate is None else row.estimate for _, _, row in rows]),
        is_held_out=np.array([is_held_out(one.task) for _, one, _ in rows], dtype=bool),
    )


def is_held_out(task: Task) -> bool:
    """Return whether a game is held out, by a hash of its name."""
    name = f"{task.game}/{task.index}".encode()
    return hashlib.blake2b(name, digest_size=4).digest()[0] % HELD_OUT == 0


def _result(one: Sampled, position: Position) -> float:
    if not one.winner:
        return 0.5
    return float((one.winner == "south") == (position.mover == 0))


def _edge(one: Sampled, position: Position, opponents: Sequence[str]) -> list[float]:
    """Return the opponent columns, which absorb differences in strength."""
    names = one.task.players(one.plan)
    mine, theirs = names[position.mover], names[1 - position.mover]
    if mine == theirs:
        return [0.0] * len(opponents)
    return [float(name == theirs) - float(name == mine) for name in opponents]
