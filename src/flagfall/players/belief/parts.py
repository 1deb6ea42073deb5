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

Part = Literal["flag", "bomb", "remover", "runner", "spy", "soldier"]
PARTS: tuple[Part, ...] = ("flag", "bomb", "remover", "runner", "spy", "soldier")


@dataclass(frozen=True)
class Place:
    """A kind of one army in another box's eyes."""

    part: Part
    rank: int
    """only the order matters"""
    count: float


def part_of(game: Game, kind: int) -> Part:
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


def places(game: Game, side: int) -> list[Place]:
    """Every kind of the game as a place of that side's army; those it has none of have count 0."""
    return [
        Place(part_of(game, kind), sort.rank, game.rosters[side][kind])
        for kind, sort in enumerate(game.kinds)
    ]


def translation(source: Sequence[Place], target: Sequence[Place]) -> NDArray[np.float64]:
    """``[source, target]``: who in the target army stands for a piece of the source army, as shares.

    First like for like, part by part and in order of strength; what is left over goes by strength alone.
    """
    give = np.array([place.count for place in source], dtype=np.float64)
    take = np.array([place.count for place in target], dtype=np.float64)
    give *= take.sum() / give.sum()
    flow = np.zeros((len(source), len(target)))
    left, right = give.copy(), take.copy()
    for part in PARTS:
        ours = _by_rank(source, part)
        theirs = _by_rank(target, part)
        _pour(flow, left, right, ours, theirs)
    _pour(flow, left, right, _by_rank(source), _by_rank(target))
    share: NDArray[np.float64] = flow / np.where(give > 0, give, 1.0)[:, None]
    return share


def _by_rank(army: Sequence[Place], part: Part | None = None) -> list[int]:
    chosen = [at for at, place in enumerate(army) if place.count and part in (None, place.part)]
    return sorted(chosen, key=lambda at: (army[at].rank, at))


def _pour(
    flow: NDArray[np.float64],
    give: NDArray[np.float64],
    take: NDArray[np.float64],
    ours: list[int],
    theirs: list[int],
) -> None:
    """Match two lists in order, each shortened to the smaller total; reduces ``give`` and ``take``."""
    total_give, total_take = give[ours].sum(), take[theirs].sum()
    total = min(total_give, total_take)
    if total <= 1e-12:
        return
    offers = {at: give[at] * total / total_give for at in ours}
    wishes = {at: take[at] * total / total_take for at in theirs}
    queue = list(ours)
    for target in theirs:
        while wishes[target] > 1e-12 and queue:
            source = queue[0]
            amount = min(offers[source], wishes[target])
            flow[source, target] += amount
            offers[source] -= amount
            wishes[target] -= amount
            give[source] -= amount
            take[target] -= amount
            if offers[source] <= 1e-12:
                queue.pop(0)
