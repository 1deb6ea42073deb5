"""Messages of My games: the list of a guest's games, and statistics."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from flagfall.server.api.messages.matches import MatchLine

PeriodName = Literal["day", "week", "month", "year"]
ResultName = Literal["won", "lost", "drawn", "decided", "cancelled", "damaged", "running"]


class MyGame(Struct, frozen=True):
    """One of your games, as the list shows it."""

    line: MatchLine
    result: ResultName
    """decided: you had both seats"""
    sentence: str
    """how it ended; empty while it goes on"""
    turns: int | None
    """null while it goes on, and until they have been counted"""
    has_replay: bool
    can_delete: bool
    is_shared: bool
    """another person plays in it, so for them it stays when you delete it"""


class Labelled(Struct, frozen=True):
    """An id and its name for people."""

    id: str
    name: str


class MyGames(Struct, frozen=True):
    """A page of your games, newest first."""

    games: tuple[MyGame, ...]
    total: int
    """games that pass the filter"""
    page: int
    pages: int
    opponents: tuple[Labelled, ...]
    """the opponents that you can filter by"""
    played: tuple[str, ...]
    """the ids of the games that you can filter by"""
    names: dict[str, str]
    """their names, “Onyx: Classic”, also of boxes that are not in the catalogue"""


class ResultCount(Struct, frozen=True):
    """Results against one level or in one game."""

    id: str
    """id of a level or of a game; ``people`` for people"""
    name: str
    won: int
    lost: int
    drawn: int


class Count(Struct, frozen=True):
    """How often something happened."""

    name: str
    count: int


class PeriodCount(Struct, frozen=True):
    """Results of the games that began in a day, week, month or year."""

    start: str
    """its first day: 2026-11-16; a week begins on Monday"""
    won: int
    lost: int
    drawn: int


class NotableWin(Struct, frozen=True):
    """A win that stands out."""

    match: str
    game: str
    opponent: str
    turns: int


class Statistics(Struct, frozen=True):
    """Your finished games in numbers; games on one screen are not counted."""

    games: int
    won: int
    lost: int
    drawn: int
    by_level: tuple[ResultCount, ...]
    by_game: tuple[ResultCount, ...]
    wins: tuple[Count, ...]
    """how you won, most often first"""
    losses: tuple[Count, ...]
    """how you lost, most often first"""
    captures: tuple[Count, ...]
    """enemy pieces that your pieces captured, by kind, most first"""
    shortest_win: NotableWin | None
    longest_win: NotableWin | None
    turns: int
    time_ms: int
    """time that you spent on your turns; a long pause counts as ten minutes"""
    uncounted: int
    """older games that are still being counted; ask again"""
    period: PeriodName
    """how long a period of ``by_date`` is: the games fit into few of them"""
    by_date: tuple[PeriodCount, ...]
    """from the first game to the last; periods without a game are there too"""
