"""Setups by lot: sound, and hard to guess.

A setup is cooled down from a random one by exchanging squares. What is good is said in roles only: a flag
in the rear row, walled in as far as there are bombs, sometimes a decoy; few immobile pieces in front; the two
strongest apart; the assassin near the second; runners on both ends; diggers kept back. Each setup draws its
own wishes first, so no two need look alike, and the cooling stops early enough to leave some chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp
from random import Random

from flagfall.board import DIRECTIONS, column_of, distance, row_of
from flagfall.edition import Game
from flagfall.players.roles import Roles, roles_of
from flagfall.setups import Setup, warnings
from flagfall.setups.advice import can_step

_EMPTY = -1
_TRIES = 8
_WALL_COST = 9.0
_REAR_COST = 18.0


@dataclass(frozen=True)
class Wishes:
    """What one setup is after; depths run from 0 (own back row) to 1 (front row)."""

    is_decoy: bool
    strong: float
    weak: float
    runner: float
    digger: float
    assassin: float
    edge: float
    """how much the flag likes a corner; below 0 the middle"""


def wishes(rng: Random) -> Wishes:
    """The wishes of one setup."""
    return Wishes(
        is_decoy=rng.random() < 0.3,
        strong=rng.uniform(0.45, 0.85),
        weak=rng.uniform(0.35, 0.7),
        runner=rng.uniform(0.3, 0.85),
        digger=rng.uniform(0.05, 0.45),
        assassin=rng.uniform(0.25, 0.65),
        edge=rng.uniform(-0.6, 1.2),
    )


def generated_setup(game: Game, side: int, rng: Random) -> Setup:
    """A setup for that side."""
    setup = None
    for _ in range(_TRIES):
        setup = _Cooling(game, side, wishes(rng), rng).setup()
        if can_step(setup) and not warnings(setup):
            return setup
    assert setup is not None
    return setup


@lru_cache(maxsize=64)
def _beside(game: Game, side: int) -> dict[int, tuple[int, ...]]:
    home = set(game.board.home(side))
    return {cell: tuple(cell + way for way in DIRECTIONS if cell + way in home) for cell in home}


class _Cooling:
    """One setup while it is being made."""

    def __init__(self, game: Game, side: int, wishes: Wishes, rng: Random) -> None:
        self.game, self.side, self.wishes, self.rng = game, side, wishes, rng
        self.roles: Roles = roles_of(game, side)
        self.cells = game.board.home(side)
        rows = sorted({row_of(cell) for cell in self.cells}, reverse=side == 1)
        deepest = max(len(rows) - 1, 1)
        self.depth = {cell: rows.index(row_of(cell)) / deepest for cell in self.cells}
        self.beside = _beside(game, side)
        kinds = [kind for kind, count in enumerate(game.rosters[side]) for _ in range(count)]
        bombs = sum(kind in self.roles.bombs for kind in kinds)
        self.wall = len(DIRECTIONS) if bombs >= min(map(len, self.beside.values())) else bombs
        """so many bombs at most beside a flag: a wall that cannot be closed need not be in a corner"""
        kinds += [_EMPTY] * (len(self.cells) - len(kinds))
        rng.shuffle(kinds)
        self.on = dict(zip(self.cells, kinds, strict=True))
        self.alone = {
            kind: {cell: self._cost(kind, cell) for cell in self.cells} for kind in sorted(set(kinds))
        }
        self.decoy = rng.choice([cell for cell in self.cells if self.depth[cell] == 0])

    def setup(self) -> Setup:
        """Cool down, and hand over what stands then."""
        steps = 40 * len(self.cells)
        together = self._together()
        for step in range(steps):
            warmth = 1.6 * (1.0 - step / steps) + 0.25
            a, b = self.rng.sample(self.cells, 2)
            one, other = self.on[a], self.on[b]
            if one == other:
                continue
            change = self.alone[one][b] + self.alone[other][a] - self.alone[one][a] - self.alone[other][b]
            self.on[a], self.on[b] = other, one
            after = self._together() if self._matters(one) or self._matters(other) else together
            change += after - together
            if change > 0 and self.rng.random() >= exp(-change / warmth):
                self.on[a], self.on[b] = one, other
            else:
                together = after
        return Setup(self.game, self.side, {cell: kind for cell, kind in self.on.items() if kind != _EMPTY})

    def _matters(self, kind: int) -> bool:
        """Whether a kind has to do with where others stand."""
        roles = self.roles
        return kind != _EMPTY and (
            kind in roles.flags or kind in roles.bombs or kind in roles.leaders or kind in roles.assassins
        )

    def _cost(self, kind: int, cell: int) -> float:
        """What it costs to have a kind on a square, whoever else stands where."""
        depth, wish, roles = self.depth[cell], self.wishes, self.roles
        if kind == _EMPTY:
            return 0.8 * abs(depth - 0.5)
        if kind in roles.flags:
            columns = self.game.board.columns
            outward = abs(column_of(cell) - (columns + 1) / 2) / max(columns / 2, 1)
            return _REAR_COST * depth - wish.edge * outward
        if kind in roles.bombs:
            return 2.6 if depth == 1 else 1.2 * depth
        if kind in roles.diggers:
            return 5.0 * (depth - wish.digger) ** 2
        if kind in roles.assassins:
            return 7.0 * (depth - wish.assassin) ** 2
        if kind in roles.runners:
            return 1.2 * (depth - wish.runner) ** 2
        strength = roles.strength[kind]
        return 4.0 * (depth - (wish.weak + (wish.strong - wish.weak) * strength)) ** 2

    def _where(self, kinds: frozenset[int]) -> list[int]:
        return [cell for cell, kind in self.on.items() if kind in kinds]

    def _together(self) -> float:
        """What it costs how flag, bombs, leaders and assassins stand to each other."""
        roles, cost = self.roles, 0.0
        for flag in self._where(roles.flags):
            walls = sum(self.on[cell] in roles.bombs for cell in self.beside[flag])
            cost += _WALL_COST * (min(len(self.beside[flag]), self.wall) - walls)
        if self.wishes.is_decoy and roles.bombs:
            around = sum(self.on[cell] in roles.bombs for cell in self.beside[self.decoy])
            cost += 1.2 * max(2 - around, 0)
        leaders = self._where(roles.leaders)
        for at, one in enumerate(leaders):
            for other in leaders[at + 1 :]:
                cost += max(4 - distance(one, other), 0) * 0.7
                cost += 2.0 * (self.depth[one] == 1 and self.depth[other] == 1)
        for cell in self._where(roles.assassins):
            cost += 0.35 * min((distance(cell, leader) for leader in leaders), default=0)
        return cost
