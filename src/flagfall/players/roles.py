"""Roles of kinds, and the same kinds in another army."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from flagfall.edition import Game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine.tables import ATTACKER_WINS

Role = Literal["flag", "bomb", "remover", "runner", "spy", "soldier"]
ROLES: tuple[Role, ...] = ("flag", "bomb", "remover", "runner", "spy", "soldier")


@dataclass(frozen=True)
class ArmyKind:
    """A kind of an army, described so that it can be compared with other boxes."""

    role: Role
    rank: int
    """only the order matters"""
    count: float


def role_of(game: Game, kind: int) -> Role:
    """Return the role of a kind in a game."""
    sort = game.kinds[kind]
    if sort.role in ("flag", "bomb"):
        return sort.role
    roles = {other.id: other.role for other in game.kinds}
    if any(roles.get(victim) == "bomb" for victim in sort.takes):
        return "remover"
    if _runs(game, kind):
        return "runner"
    return "spy" if sort.rank == 0 else "soldier"


def _runs(game: Game, kind: int) -> bool:
    return any(power.verb == "run" for power in game.abilities(game.kinds[kind]))


def army_kinds(game: Game, side: int) -> list[ArmyKind]:
    """Return every kind of the game with its number in that side's army."""
    return [
        ArmyKind(role_of(game, kind), sort.rank, game.rosters[side][kind])
        for kind, sort in enumerate(game.kinds)
    ]


def kind_translation(source: Sequence[ArmyKind], target: Sequence[ArmyKind]) -> NDArray[np.float64]:
    """Return ``[source, target]``: the shares of target kinds that stand for each source kind.

    Kinds are matched within each role in order of rank; what is left over is matched by rank alone.
    """
    supply = np.array([place.count for place in source], dtype=np.float64)
    demand = np.array([place.count for place in target], dtype=np.float64)
    supply *= demand.sum() / supply.sum()
    flow = np.zeros((len(source), len(target)))
    left, right = supply.copy(), demand.copy()
    for role in ROLES:
        _match(flow, left, right, _by_rank(source, role), _by_rank(target, role))
    _match(flow, left, right, _by_rank(source), _by_rank(target))
    return flow / np.where(supply > 0, supply, 1.0)[:, None]


def _by_rank(army: Sequence[ArmyKind], role: Role | None = None) -> list[int]:
    chosen = [i for i, place in enumerate(army) if place.count and role in (None, place.role)]
    return sorted(chosen, key=lambda i: (army[i].rank, i))


def _match(
    flow: NDArray[np.float64],
    supply: NDArray[np.float64],
    demand: NDArray[np.float64],
    ours: list[int],
    theirs: list[int],
) -> None:
    """Match two lists in order, each shortened to the smaller total; reduces ``supply`` and ``demand``."""
    total_give, total_take = supply[ours].sum(), demand[theirs].sum()
    total = min(total_give, total_take)
    if total <= 1e-12:
        return
    supplied = {i: supply[i] * total / total_give for i in ours}
    demanded = {i: demand[i] * total / total_take for i in theirs}
    queue = list(ours)
    for target in theirs:
        while demanded[target] > 1e-12 and queue:
            source = queue[0]
            amount = min(supplied[source], demanded[target])
            flow[source, target] += amount
            supplied[source] -= amount
            demanded[target] -= amount
            supply[source] -= amount
            demand[target] -= amount
            if supplied[source] <= 1e-12:
                queue.pop(0)


@dataclass(frozen=True)
class Roles:
    """Kinds of one army by role, read from the combat table."""

    flags: frozenset[int]
    bombs: frozenset[int]
    diggers: frozenset[int]
    runners: frozenset[int]
    assassins: frozenset[int]
    leaders: frozenset[int]
    """the two strongest soldiers"""
    strength: Mapping[int, float]
    """0 for the weakest soldier, 1 for the strongest"""


@lru_cache(maxsize=64)
def roles_of(game: Game, side: int) -> Roles:
    """Return the roles in that side's army, with default options."""
    own = [kind for kind, count in enumerate(game.rosters[side]) if count]
    enemy = [kind for kind, count in enumerate(game.rosters[1 - side]) if count]
    fights = compile_game(game, resolve(game, {})).fights(len(game.kinds))
    takes = {kind: {other for other in enemy if fights[kind][other] == ATTACKER_WINS} for kind in own}
    role = [kind.role for kind in game.kinds]
    bombs = {kind for kind in enemy if role[kind] == "bomb"}
    beaten = {kind: sum(game.rosters[1 - side][other] for other in takes[kind] - bombs) for kind in own}
    ranked = sorted((kind for kind in own if role[kind] == "soldier"), key=lambda kind: beaten[kind])
    ranks = {kind: game.kinds[kind].rank for kind in enemy if role[kind] == "soldier"}
    top = max(ranks.values(), default=0)
    highest = {kind for kind, rank in ranks.items() if rank == top > 0}
    return Roles(
        flags=frozenset(kind for kind in own if role[kind] == "flag"),
        bombs=frozenset(kind for kind in own if role[kind] == "bomb"),
        diggers=frozenset(kind for kind in ranked if takes[kind] & bombs),
        runners=frozenset(kind for kind in ranked if _runs(game, kind)),
        assassins=frozenset(kind for kind in ranked[: len(ranked) // 2] if takes[kind] & highest),
        leaders=frozenset(ranked[-2:]),
        strength={kind: i / max(len(ranked) - 1, 1) for i, kind in enumerate(ranked)},
    )
