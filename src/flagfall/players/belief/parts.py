"""Which part a kind plays, read from what it can do: so that what holds in one box serves in another.

*Parts* are flag, bomb, remover (takes bombs), runner, spy (a soldier without a number) and soldier. Together
with the order of strength they are all that a setup prior or a table of habits may know of a kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from flagfall.edition.schema import Game

Role = Literal["flag", "bomb", "remover", "runner", "spy", "soldier"]
ROLES: tuple[Role, ...] = ("flag", "bomb", "remover", "runner", "spy", "soldier")


@dataclass(frozen=True)
class ArmyKind:
    """A kind of one army in another box's eyes."""

    role: Role
    rank: int
    """only the order matters"""
    count: float


def role_of(game: Game, kind: int) -> Role:
    """The part a kind plays in that game."""
    sort = game.kinds[kind]
    if sort.role == "flag":
        return "flag"
    if sort.role == "bomb":
        return "bomb"
    roles = {other.id: other.role for other in game.kinds}
    if any(roles.get(victim) == "bomb" for victim in sort.takes):
        return "remover"
    if any(power.verb == "run" for power in game.abilities(sort)):
        return "runner"
    return "spy" if sort.rank == 0 else "soldier"


def army_kinds(game: Game, side: int) -> list[ArmyKind]:
    """Every kind of the game as a place of that side's army; those it has none of have count 0."""
    return [
        ArmyKind(role_of(game, kind), sort.rank, game.rosters[side][kind])
        for kind, sort in enumerate(game.kinds)
    ]


def kind_translation(source: Sequence[ArmyKind], target: Sequence[ArmyKind]) -> NDArray[np.float64]:
    """``[source, target]``: who in the target army stands for a piece of the source army, as shares.

    First like for like, part by part and in order of strength; what is left over goes by strength alone.
    """
    supply = np.array([place.count for place in source], dtype=np.float64)
    demand = np.array([place.count for place in target], dtype=np.float64)
    supply *= demand.sum() / supply.sum()
    flow = np.zeros((len(source), len(target)))
    left, right = supply.copy(), demand.copy()
    for role in ROLES:
        ours = _by_rank(source, role)
        theirs = _by_rank(target, role)
        _match(flow, left, right, ours, theirs)
    _match(flow, left, right, _by_rank(source), _by_rank(target))
    share: NDArray[np.float64] = flow / np.where(supply > 0, supply, 1.0)[:, None]
    return share


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
