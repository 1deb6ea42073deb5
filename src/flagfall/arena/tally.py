"""Results of games: won, drawn, lost, the score in Elo with its interval, and the cost of actions.

A draw is half a point in Elo and no win in the share of games won. The spread of the Elo comes from whole
pairs, because the two games of a pair are not independent.

>>> [round(bound, 3) for bound in wilson(60, 100)]
[0.502, 0.691]
>>> round(elo(0.64)), round(expected_score(100), 2)
(100, 0.64)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct

from flagfall.arena.plan import GameResult, Plan

Z95 = 1.959964
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""possible scores of a pair, as shares"""


def wilson(successes: float, trials: int, z: float = Z95) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    if trials == 0:
        return 0.0, 1.0
    share, square = successes / trials, z * z
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = z / (1 + square / trials) * math.sqrt(share * (1 - share) / trials + square / (4 * trials**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def elo(score: float) -> float:
    """Return the difference in Elo for an expected score; infinite at 0 and 1."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return -400.0 * math.log10(1.0 / score - 1.0)


def expected_score(difference: float) -> float:
    """Return the expected score for a difference in Elo."""
    return 1.0 / (1.0 + math.pow(10.0, -difference / 400.0))


class Tally(Struct, frozen=True):
    """Results of one player against another."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """whole pairs by their points: 0, ½, 1, 1½, 2"""

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        """Share of the points, draws as half."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.5

    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the score: from pairs, or from single games if there are few pairs."""
        spread = self._pair_spread()
        if spread == 0.0:
            return wilson(self.won + self.drawn / 2, self.games)
        return max(0.0, self.score - Z95 * spread), min(1.0, self.score + Z95 * spread)

    def _pair_spread(self) -> float:
        """Return the standard error of the score over pairs; 0 if it is unknown."""
        n = sum(self.pairs)
        if n < 2:
            return 0.0
        mean = sum(count * value for count, value in zip(self.pairs, PAIR_SCORES, strict=True)) / n
        squares = zip(self.pairs, PAIR_SCORES, strict=True)
        return math.sqrt(sum(count * (value - mean) ** 2 for count, value in squares) / (n - 1) / n)

    def words(self) -> str:
        """Return the tally as one line."""
        low, high = (elo(bound) for bound in self.interval())
        wins = wilson(self.won, self.games)
        return (
            f"+{self.won} ={self.drawn} -{self.lost}  {100 * self.score:.1f} %  "
            f"Elo {signed(elo(self.score))} [{signed(low)}, {signed(high)}]  "
            f"wins {100 * wins[0]:.0f}–{100 * wins[1]:.0f} %"
        )


def signed(value: float) -> str:
    """Return a difference in Elo as text.

    >>> signed(12.3), signed(-0.2), signed(float("inf"))
    ('+12', '0', '+∞')
    """
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
    number = round(value)
    return f"{number:+d}" if number else "0"


def tally(games: Iterable[GameResult], first: int, second: int) -> Tally:
    """Return the results of ``first`` against ``second`` (players by number)."""
    won = drawn = lost = 0
    halves: dict[int, list[float]] = {}
    for played in games:
        if {played.round.first, played.round.second} != {first, second}:
            continue
        score = played.score if played.round.first == first else 1.0 - played.score
        won, drawn, lost = won + (score == 1.0), drawn + (score == 0.5), lost + (score == 0.0)
        halves.setdefault(played.round.pair, []).append(score)
    pairs = [0, 0, 0, 0, 0]
    for scores in halves.values():
        if len(scores) == 2:
            pairs[round(2 * sum(scores))] += 1
    return Tally(won, drawn, lost, (pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]))


def first_pairs(games: Iterable[GameResult]) -> tuple[int, ...]:
    """Return the whole pairs of a match up to the first missing one, by their points.

    Sequential tests use them, because they must not depend on which games are short.
    """
    legs: dict[int, list[GameResult]] = {}
    for played in games:
        legs.setdefault(played.round.pair, []).append(played)
    pair = 0
    while len(legs.get(pair, ())) == 2:
        pair += 1
    return tally((played for at in range(pair) for played in legs[at]), 0, 1).pairs


class Cost(Struct, frozen=True, rename={"max_nodes": "most_nodes"}):
    """What one player spent in all its games."""

    player: str
    actions: int
    mean_ms: float
    slowest_ms: float
    slowest_at: str
    """pair, game and action"""
    budget_ms: int | None
    over: int
    """actions that took longer than the budget"""
    nodes: float
    """mean; 0 if the player does not count them"""
    max_nodes: int


def costs(plan: Plan, games: Sequence[GameResult]) -> list[Cost]:
    """Return the costs of each player of the plan."""
    return [_cost(plan, games, player) for player in range(len(plan.players))]


def _cost(plan: Plan, games: Sequence[GameResult], player: int) -> Cost:
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
        max_nodes=max(nodes, default=0),
    )
