"""Eight levels, from Recruit to Marshal.

Weak levels forget what they were shown, count instead of inferring, and search fewer Worlds less deeply. None
plays a random move: each plays the best it sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from flagfall.languages import ENGLISH, say, use_language


@dataclass(frozen=True)
class Level:
    """One strength of the searching player."""

    id: str
    pace_ms: int
    """an interface waits at least this long before it shows the move"""
    max_depth: int
    worlds: int
    """the maximum; fewer when there is little time"""
    memory: int | None
    """turns for which a shown piece is remembered; None: forever"""
    infers: bool
    """whether it uses habits and setup types, or counting alone"""
    near_best: float
    """actions within this win chance of the best are sometimes played instead"""
    nodes: int | None = None
    """the maximum, even if there is time for more"""

    @property
    def name(self) -> str:
        """Its name for people."""
        return say(f"levels.{self.id}.name")

    @property
    def character(self) -> str:
        """One line for a menu."""
        return say(f"levels.{self.id}.character")


LEVELS = (
    Level("recruit", 500, 1, 1, 16, False, 0.03, 2000),
    Level("scout", 600, 1, 2, 30, False, 0.02, 3000),
    Level("sergeant", 700, 2, 2, 50, False, 0.013, 3500),
    Level("captain", 800, 2, 3, 110, False, 0.0095, 5500),
    Level("major", 900, 3, 4, None, False, 0.0075, 6500),
    Level("colonel", 1000, 3, 4, None, True, 0.0055, 6500),
    Level("general", 1000, 3, 8, None, True, 0.0045, 12000),
    Level("marshal", 1000, 12, 40, None, True, 0.0015),
)  # fmt: skip


_LIGHT_DEPTH, _LIGHT_WORLDS = 2, 4


def level_of(level_id: str) -> Level:
    """Return a level by its id; raise `KeyError` if there is none."""
    for level in LEVELS:
        if level.id == level_id:
            return level
    raise KeyError(level_id)


def light(level: Level) -> Level:
    """Return a level as it thinks with interpreted kernels and little time: it counts, and searches a little.

    It needs about a tenth of a second of processor time, so that it answers in time even on a slow machine.
    """
    return replace(
        level,
        max_depth=min(level.max_depth, _LIGHT_DEPTH),
        worlds=min(level.worlds, _LIGHT_WORLDS),
        infers=False,
    )


_SEAT = "Computer ("


@cache
def _english_names() -> Mapping[str, str]:
    """Return the names of the levels as logs and records keep them."""
    with use_language(ENGLISH):
        return {level.id: level.name for level in LEVELS}


def seat_name(player: str) -> str:
    """Return the name of a computer player's seat: with the name of a level, or the player's id.

    It is English in every language, because logs and records keep it.

    >>> seat_name("marshal"), seat_name("greedy")
    ('Computer (Marshal)', 'Computer (greedy)')
    """
    return f"{_SEAT}{_english_names().get(player, player)})"


def player_in_seat(name: str) -> str:
    """Return the computer player of the seat with this name, or "" for a person.

    >>> player_in_seat("Computer (Marshal)"), player_in_seat("Computer (greedy)"), player_in_seat("Anna")
    ('marshal', 'greedy', '')
    """
    if not (name.startswith(_SEAT) and name.endswith(")")):
        return ""
    called = name.removeprefix(_SEAT).removesuffix(")")
    return (
        ""
        if ":" in called
        else next((level for level, word in _english_names().items() if word == called), called)
    )
