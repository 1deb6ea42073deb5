"""Messages of setups: what the server says of one, saved ones, and the setup lab."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from flagfall.sides import Side


class WeaknessInfo(Struct, frozen=True):
    """A weak spot of a setup."""

    id: str
    text: str
    squares: tuple[str, ...]


class SetupAnswer(Struct, frozen=True):
    """A setup as text code and by squares, with warnings about its weaknesses."""

    code: str
    squares: dict[str, str]
    """square → kind id"""
    warnings: tuple[str, ...]
    weaknesses: tuple[WeaknessInfo, ...] = ()
    tags: tuple[str, ...] = ()
    """a few words on what is typical of it"""


class SavedSetup(Struct, frozen=True):
    """A saved setup."""

    id: str
    game: str
    side: Side
    name: str
    code: str
    tags: tuple[str, ...] = ()
    """a few words on what is typical of it"""
    own_tags: tuple[str, ...] = ()
    """words of your own to find it by"""


class SavedSetups(Struct, frozen=True):
    """Your saved setups, oldest first."""

    setups: tuple[SavedSetup, ...]


class PlacementCounts(Struct, frozen=True):
    """Where each kind stands in a number of setups."""

    setups: int
    counts: dict[str, dict[str, int]]
    """kind id → square → number of setups"""


class Placements(Struct, frozen=True):
    """Where pieces are placed in one game: by computer players, and by people if there are enough games."""

    game: str
    side: Side
    computer: PlacementCounts
    people: PlacementCounts | None


class LabPoint(Struct, frozen=True):
    """The share of games won after so many games, with its 95 % interval, in percent."""

    percent: float
    low: float
    high: float


class LabRun(Struct, frozen=True):
    """Quick games with one setup against usual setups."""

    game: str
    side: Side
    code: str
    state: Literal["running", "done", "cancelled", "stopped", "failed"]
    games: int
    won: int
    drawn: int
    lost: int
    sentence: str
    """what the games so far say; empty before the first one"""
    points: tuple[LabPoint, ...]
    """after each game"""


class LabRunState(Struct, frozen=True):
    """Your last run in the setup lab, if there is one."""

    run: LabRun | None
