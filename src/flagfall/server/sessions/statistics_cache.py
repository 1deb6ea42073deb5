"""Keeps statistics for a moment, so that a flood of requests costs little."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from flagfall.match.facts import GameFacts
from flagfall.server.api.messages.my_games import Statistics
from flagfall.server.store.rows import MatchRow

CACHE_S = 0.5
MAX_ANSWERS = 1_000
Question = tuple[str, *tuple[Hashable, ...]]
"""a guest and what was asked"""
Games = tuple[Sequence[tuple[MatchRow, GameFacts]], int]
"""counted games, and how many are not counted yet"""


class StatisticsCache:
    """The last answers, and the games of the guest who asked last, who may ask with another filter."""

    def __init__(self) -> None:
        self._answers: dict[Question, tuple[float, Statistics]] = {}
        self._guest, self._until = "", 0.0
        self._games: Games = ((), 0)

    def answer(self, question: Question, now: float) -> Statistics | None:
        """Return an answer that is not too old."""
        until, found = self._answers.get(question, (0.0, None))
        return found if now < until else None

    def keep_answer(self, question: Question, found: Statistics, now: float) -> None:
        """Keep an answer for a moment."""
        if len(self._answers) >= MAX_ANSWERS:
            self._answers.clear()
        self._answers[question] = now + CACHE_S, found

    def games(self, guest: str, now: float) -> Games | None:
        """Return the games of a guest, if they were read a moment ago."""
        return self._games if guest == self._guest and now < self._until else None

    def keep_games(self, guest: str, games: Games, now: float) -> None:
        """Keep the games of a guest for a moment, instead of another guest's."""
        self._guest, self._until, self._games = guest, now + CACHE_S, games

    def forget(self, guest: str) -> None:
        """Forget a guest whose games have changed."""
        for question in [question for question in self._answers if question[0] == guest]:
            del self._answers[question]
        if self._guest == guest:
            self.keep_games("", ((), 0), 0.0)
