"""What actions have cost: time and nodes by player, and how often the budget was overrun."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from flagfall.arena.plan import Plan, Played


class Cost(Struct, frozen=True):
    """What one player has spent in all its games."""

    player: str
    actions: int
    mean_ms: float
    slowest_ms: float
    slowest_at: str
    """where: pair, game and action"""
    budget_ms: int | None
    over: int
    """actions that took longer than the budget"""
    nodes: float
    """mean; 0 for a player who does not count them"""
    most_nodes: int


def costs(plan: Plan, games: Sequence[Played]) -> list[Cost]:
    """One line for each player of the plan."""
    return [_cost(plan, games, player) for player in range(len(plan.players))]


def _cost(plan: Plan, games: Sequence[Played], player: int) -> Cost:
    limit = plan.contestants()[player].budget(plan.budget).time_ms
    times: list[int] = []
    nodes: list[int] = []
    slowest, where = 0, ""
    for played in games:
        if player not in (played.round.first, played.round.second):
            continue
        spent = played.spent(player)
        times += spent.us
        nodes += spent.nodes
        for at, us in enumerate(spent.us, start=1):
            if us > slowest:
                slowest, where = us, f"pair {played.round.pair}, game {played.round.leg + 1}, action {at}"
    return Cost(
        player=plan.players[player],
        actions=len(times),
        mean_ms=sum(times) / len(times) / 1000 if times else 0.0,
        slowest_ms=slowest / 1000,
        slowest_at=where,
        budget_ms=limit,
        over=sum(us > 1000 * limit for us in times) if limit is not None else 0,
        nodes=sum(nodes) / len(nodes) if nodes else 0.0,
        most_nodes=max(nodes, default=0),
    )
