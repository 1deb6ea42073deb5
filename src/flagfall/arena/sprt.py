"""A sequential probability ratio test: stop as soon as a change is known to be an improvement, or not.

There are two hypotheses about the first player, in logistic Elo against the second: H0 (no better than
``elo0``) and H1 (at least ``elo1``). The evidence is *pentanomial*: a pair of games brings 0, ½, 1, 1½ or 2
points, and pairs are independent of each other while the games within one are not. After every pair the
logarithm of the likelihood ratio is compared with two bounds; with both error rates at 5 % they are ±2.94.

The likelihood of a hypothesis is that of the likeliest distribution over the five outcomes with its expected
score: ``p_i = q_i / (1 + θ (a_i - s))`` for observed shares ``q`` and points ``a``,
with θ such that the mean is ``s``.

>>> bounds = Sprt(0, 20)
>>> bounds.verdict((0, 0, 0, 0, 0)), bounds.verdict((0, 10, 20, 100, 120)), bounds.verdict((60, 60, 20, 5, 0))
('', 'H1', 'H0')
"""

from __future__ import annotations

import math
from typing import Literal

from msgspec import Struct

from flagfall.arena.tally import PAIR_SCORES, expected_score
from flagfall.errors import FlagfallError

Verdict = Literal["", "H0", "H1"]
ALPHA = BETA = 0.05
UPPER = math.log((1 - BETA) / ALPHA)
LOWER = math.log(BETA / (1 - ALPHA))
_UNSEEN = 1e-3
"""pairs credited to an outcome that has not happened yet"""


class SprtError(FlagfallError):
    """The hypotheses cannot be read; the message says how they are written."""

    code = "bad-sprt"


class Sprt(Struct, frozen=True):
    """The two hypotheses."""

    elo0: float
    elo1: float

    def llr(self, pairs: tuple[int, ...]) -> float:
        """Return the logarithm of the likelihood ratio of H1 to H0."""
        n = sum(pairs)
        if n == 0:
            return 0.0
        counts = [max(count, _UNSEEN) for count in pairs]
        shares = [count / sum(counts) for count in counts]
        at0 = _fitted(shares, expected_score(self.elo0))
        at1 = _fitted(shares, expected_score(self.elo1))
        return n * sum(q * math.log(b / a) for q, a, b in zip(shares, at0, at1, strict=True))

    def verdict(self, pairs: tuple[int, ...]) -> Verdict:
        """Return the accepted hypothesis; empty while neither is accepted."""
        llr = self.llr(pairs)
        return "H1" if llr >= UPPER else "H0" if llr <= LOWER else ""

    def words(self, pairs: tuple[int, ...]) -> str:
        """Return the log-likelihood ratio and its bounds as text."""
        return f"LLR {self.llr(pairs):+.2f} [{LOWER:.2f}, {UPPER:+.2f}]"


def read_sprt(text: str) -> Sprt:
    """Return the hypotheses of a text such as ``0,20``."""
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise SprtError(f"“{text}” is not two Elo bounds; write for example --sprt 0,20.") from None
    if not -1000 <= low < high <= 1000:
        raise SprtError(f"“{text}”: the first bound must be below the second, both within ±1000 Elo.")
    return Sprt(low, high)


def _fitted(shares: list[float], mean: float) -> list[float]:
    """Return the likeliest distribution with that mean, by bisection of θ."""
    low, high = -1.0 / (PAIR_SCORES[-1] - mean), 1.0 / (mean - PAIR_SCORES[0])
    for _ in range(80):
        theta = (low + high) / 2
        slope = sum(
            q * (a - mean) / (1 + theta * (a - mean)) for q, a in zip(shares, PAIR_SCORES, strict=True)
        )
        low, high = (theta, high) if slope > 0 else (low, theta)
    theta = (low + high) / 2
    return [q / (1 + theta * (a - mean)) for q, a in zip(shares, PAIR_SCORES, strict=True)]
