"""Random setups that are sound and hard to guess.

Simulated annealing from a random setup, by exchanging squares. The cost is stated in roles: the flag in the
rear row behind bombs, sometimes a decoy; few bombs in front; the two strongest apart, the assassin near them;
diggers kept back. Each setup has a random plan, and annealing stops early enough to leave some randomness.
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
from flagfall.sides import SIDES

_EMPTY = -1
_TRIES = 8
_WALL_COST = 9.0
_REAR_COST = 18.0


@dataclass(frozen=True)
class SetupPlan:
    """The plan of one setup; depths run from 0 (back row) to 1 (front row)."""

    is_decoy: bool
    strong: float
    weak: float
    runner: float
    digger: float
    assassin: float
    edge: float
    """how much the flag prefers the edge; below 0 the middle"""


def plan(rng: Random) -> SetupPlan:
    """Return a random plan."""
    return SetupPlan(
        is_decoy=rng.random() < 0.3,
        strong=rng.uniform(0.45, 0.85),
        weak=rng.uniform(0.35, 0.7),
        runner=rng.uniform(0.3, 0.85),
        digger=rng.uniform(0.05, 0.45),
        assassin=rng.uniform(0.25, 0.65),
        edge=rng.uniform(-0.6, 1.2),
    )


def generated_setup(game: Game, side: int, rng: Random) -> Setup:
    """Return a generated setup for that side."""
    setup = None
    for _ in range(_TRIES):
        setup = _Annealing(game, side, plan(rng), rng).setup()
        if can_step(setup) and not warnings(setup):
            return setup
    assert setup is not None
    return setup


@lru_cache(maxsize=64)
def _neighbours(game: Game, side: int) -> dict[int, tuple[int, ...]]:
    home = set(game.board.home(side))
    return {cell: tuple(cell + way for way in DIRECTIONS if cell + way in home) for cell in home}


class _Annealing:
    """The annealing of one setup."""

    def __init__(self, game: Game, side: int, plan: SetupPlan, rng: Random) -> None:
        self.game, self.side, self.plan, self.rng = game, side, plan, rng
        self.roles: Roles = roles_of(game, side)
        self.cells = game.board.home(side)
        rows = sorted({row_of(cell) for cell in self.cells}, reverse=side == 1)
        max_depth = max(len(rows) - 1, 1)
        self.depth = {cell: rows.index(row_of(cell)) / max_depth for cell in self.cells}
        self.neighbours = _neighbours(game, side)
        kinds = [kind for kind, count in enumerate(game.rosters[side]) for _ in range(count)]
        bombs = sum(kind in self.roles.bombs for kind in kinds)
        self.wall = len(DIRECTIONS) if bombs >= min(map(len, self.neighbours.values())) else bombs
        """bombs wanted next to the flag; if a wall cannot be closed, the flag need not be in a corner"""
        kinds += [_EMPTY] * (len(self.cells) - len(kinds))
        rng.shuffle(kinds)
        self.on = dict(zip(self.cells, kinds, strict=True))
        self.square_cost = {
            kind: {cell: self._cost(kind, cell) for cell in self.cells} for kind in sorted(set(kinds))
        }
        self.decoy = rng.choice([cell for cell in self.cells if self.depth[cell] == 0])

    def setup(self) -> Setup:
        """Return the annealed setup."""
        steps = 40 * len(self.cells)
        pair_cost = self._pair_cost()
        for step in range(steps):
            temperature = 1.6 * (1.0 - step / steps) + 0.25
            a, b = self.rng.sample(self.cells, 2)
            one, other = self.on[a], self.on[b]
            if one == other:
                continue
            change = (
                self.square_cost[one][b]
                + self.square_cost[other][a]
                - self.square_cost[one][a]
                - self.square_cost[other][b]
            )
            self.on[a], self.on[b] = other, one
            after = self._pair_cost() if self._matters(one) or self._matters(other) else pair_cost
            change += after - pair_cost
            if change > 0 and self.rng.random() >= exp(-change / temperature):
                self.on[a], self.on[b] = one, other
            else:
                pair_cost = after
        kinds = {cell: kind for cell, kind in self.on.items() if kind != _EMPTY}
        return Setup(self.game, SIDES[self.side], kinds)

    def _matters(self, kind: int) -> bool:
        """Return whether the pair cost depends on where this kind stands."""
        roles = self.roles
        return kind in roles.flags | roles.bombs | roles.leaders | roles.assassins

    def _cost(self, kind: int, cell: int) -> float:
        """Return the cost of a kind on a square, independent of the other pieces."""
        depth, plan, roles = self.depth[cell], self.plan, self.roles
        if kind == _EMPTY:
            return 0.8 * abs(depth - 0.5)
        if kind in roles.flags:
            columns = self.game.board.columns
            outward = abs(column_of(cell) - (columns + 1) / 2) / max(columns / 2, 1)
            return _REAR_COST * depth - plan.edge * outward
        if kind in roles.bombs:
            return 2.6 if depth == 1 else 1.2 * depth
        if kind in roles.diggers:
            return 5.0 * (depth - plan.digger) ** 2
        if kind in roles.assassins:
            return 7.0 * (depth - plan.assassin) ** 2
        if kind in roles.runners:
            return 1.2 * (depth - plan.runner) ** 2
        strength = roles.strength[kind]
        return 4.0 * (depth - (plan.weak + (plan.strong - plan.weak) * strength)) ** 2

    def _where(self, kinds: frozenset[int]) -> list[int]:
        return [cell for cell, kind in self.on.items() if kind in kinds]

    def _pair_cost(self) -> float:
        """Return the cost of how flag, bombs, leaders and assassins stand to each other."""
        roles, cost = self.roles, 0.0
        for flag in self._where(roles.flags):
            walls = sum(self.on[cell] in roles.bombs for cell in self.neighbours[flag])
            cost += _WALL_COST * (min(len(self.neighbours[flag]), self.wall) - walls)
        if self.plan.is_decoy and roles.bombs:
            around = sum(self.on[cell] in roles.bombs for cell in self.neighbours[self.decoy])
            cost += 1.2 * max(2 - around, 0)
        leaders = self._where(roles.leaders)
        for i, one in enumerate(leaders):
            for other in leaders[i + 1 :]:
                cost += max(4 - distance(one, other), 0) * 0.7
                cost += 2.0 * (self.depth[one] == 1 and self.depth[other] == 1)
        for cell in self._where(roles.assassins):
            cost += 0.35 * min((distance(cell, leader) for leader in leaders), default=0)
        return cost
