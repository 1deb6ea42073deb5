"""Gates: the targets of the trials, and whether they are met.

A share of games *won* is asked for; a draw is no win. The verdict is on all games that were planned: with
fewer than those it is given only if the missing games could not change it.

>>> at_least(0.95).verdict(Tally(96, 4, 0), 100), at_least(0.95).verdict(Tally(40, 0, 0), 100)
('reached', 'not enough games')
>>> at_least(1.0).verdict(Tally(40, 1, 0), 300)
'not reached'
>>> between(0.60, 0.85).words(), between(0.60, 0.85).verdict(Tally(90, 0, 10), 100)
('60–85 % won', 'not reached')
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from flagfall.arena.plan import GameResult
from flagfall.arena.sprt import Sprt
from flagfall.arena.tally import Tally, first_pairs

Verdict = Literal["reached", "not reached", "not enough games", "reported"]
_OF_TEST: dict[str, Verdict] = {"H1": "reached", "H0": "not reached", "": "not enough games"}
_EPSILON = 1e-9


class Gate(Struct, frozen=True):
    """The target of the first player; without any bound the result is only reported."""

    low: float | None = None
    """at least this share of the games won"""
    high: float | None = None
    """and at most this"""
    sprt: Sprt | None = None
    """or a sequential test, whose second hypothesis must be accepted"""

    def words(self) -> str:
        """Return the target in short."""
        if self.sprt is not None:
            return f"SPRT({self.sprt.elo0:g}, {self.sprt.elo1:g}) accepted"
        if self.low is None:
            return "–"
        if self.high is not None:
            return f"{100 * self.low:.0f}–{100 * self.high:.0f} % won"
        return "all won" if self.low >= 1.0 else f"≥ {100 * self.low:.0f} % won"

    def verdict(self, tally: Tally, planned: int, pairs: tuple[int, ...] = ()) -> Verdict:
        """Return the verdict after some of the planned games; ``pairs`` is for a sequential test."""
        if self.sprt is not None:
            return _OF_TEST[self.sprt.verdict(pairs) if pairs else ""]
        if self.low is None:
            return "reported"
        planned = max(planned, tally.games)
        fewest, most = tally.won, tally.won + planned - tally.games
        needed = math.ceil(self.low * planned - _EPSILON)
        allowed = planned if self.high is None else math.floor(self.high * planned + _EPSILON)
        if most < needed or fewest > allowed:
            return "not reached"
        return "reached" if tally.games and fewest >= needed and most <= allowed else "not enough games"

    def is_decided(self, games: Iterable[GameResult]) -> bool:
        """Return whether a sequential test is decided; a share always needs all games."""
        return self.sprt is not None and self.sprt.verdict(first_pairs(games)) != ""


class Judged(Struct, frozen=True):
    """A target on several trials at once, or on a measurement."""

    name: str
    asked: str
    result: str
    verdict: Verdict

    def words(self) -> str:
        """Return it as a sentence."""
        return f"{self.name}: {self.result}; asked {self.asked}: {self.verdict}."


def at_least(share: float) -> Gate:
    """Require at least this share of wins."""
    return Gate(share)


def between(low: float, high: float) -> Gate:
    """Require a share of wins between two bounds."""
    return Gate(low, high)


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """Combine several verdicts: one miss is a miss."""
    if "not reached" in verdicts:
        return "not reached"
    if "not enough games" in verdicts:
        return "not enough games"
    return "reached" if verdicts else "not enough games"
