"""Ratings of a league: Bradley–Terry strengths in Elo, with bootstrap intervals over pairs.

A draw is half a win for each. Each pairing is credited with one more drawn game, so that a player
that lost every game still has a finite rating. The mean rating is 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from msgspec import Struct

from flagfall.arena.plan import GameResult

RESAMPLES = 200
_STEPS = 2000
_CLOSE = 1e-7


class Rating(Struct, frozen=True):
    """The Elo of one player with its 95 % interval."""

    player: int
    elo: float
    low: float
    high: float


class Meetings(Struct, frozen=True):
    """For each two players: per pair of games, the first player's points and the games played."""

    pairs: dict[tuple[int, int], list[tuple[float, int]]]

    @classmethod
    def of(cls, games: Sequence[GameResult]) -> Meetings:
        """Return the pairs of these games."""
        found: dict[tuple[int, int], dict[int, tuple[float, int]]] = {}
        for played in games:
            slot = played.round
            of_pair = found.setdefault((slot.first, slot.second), {})
            points, count = of_pair.get(slot.pair, (0.0, 0))
            of_pair[slot.pair] = (points + played.score, count + 1)
        return cls({key: [of_pair[pair] for pair in sorted(of_pair)] for key, of_pair in found.items()})

    def resampled(self, rng: Random) -> Meetings:
        """Return a bootstrap resample of the pairs, with replacement."""
        return Meetings({key: rng.choices(pairs, k=len(pairs)) for key, pairs in self.pairs.items()})


def ratings(games: Sequence[GameResult], players: int, seed: int = 1) -> list[Rating]:
    """Return the players' ratings, the strongest first."""
    meetings = Meetings.of(games)
    elos = strengths(meetings, players)
    rng = Random(seed)
    again = [strengths(meetings.resampled(rng), players) for _ in range(RESAMPLES)] if games else []
    table = []
    for player in range(players):
        drawn = sorted(each[player] for each in again) or [elos[player]]
        low, high = drawn[int(0.025 * len(drawn))], drawn[min(int(0.975 * len(drawn)), len(drawn) - 1)]
        table.append(Rating(player, elos[player], min(low, elos[player]), max(high, elos[player])))
    return sorted(table, key=lambda rating: -rating.elo)


def strengths(meetings: Meetings, players: int) -> list[float]:
    """Return every player's Elo: the strengths under which the points are most likely."""
    points = [0.0] * players
    met: dict[tuple[int, int], float] = {}
    for (first, second), pairs in meetings.pairs.items():
        got, played = sum(pair[0] for pair in pairs) + 0.5, sum(pair[1] for pair in pairs) + 1.0
        points[first] += got
        points[second] += played - got
        met[first, second] = played
    strength = [1.0] * players
    for _ in range(_STEPS):
        shares = [0.0] * players
        for (first, second), played in met.items():
            share = played / (strength[first] + strength[second])
            shares[first] += share
            shares[second] += share
        new = [point / share if share else 1.0 for point, share in zip(points, shares, strict=True)]
        scale = math.exp(sum(map(math.log, new)) / players)
        new = [value / scale for value in new]
        change = max(abs(math.log(a / b)) for a, b in zip(new, strength, strict=True))
        strength = new
        if change < _CLOSE:
            break
    return [400.0 * math.log10(value) for value in strength]
