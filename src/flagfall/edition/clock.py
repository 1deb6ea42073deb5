"""Read and write clocks: ``none``, ``10m+5s`` for the game, ``30s/move``, ``3d`` (days for each move).

>>> parse_clock("90s + 5s").text
'1m30s+5s'
>>> parse_clock("36h/move").text
'36h/move'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from flagfall.errors import quoted

DAY_S = 86_400
MAX_TOTAL_S = DAY_S
MAX_MOVE_S = 14 * DAY_S
MAX_DAYS = 30
MAX_CLOCK_CHARS = 60
"""maximum length of a clock's text; the longest useful one has about thirty characters"""
LOOKS = "none, 10m+5s (time for the game + increment for each move), 30s/move, or 3d (days for each move)"

_DURATION = re.compile(r"(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?", re.ASCII)
_DAYS = re.compile(r"(\d{1,4})d", re.ASCII)


@dataclass(frozen=True)
class Clock:
    """Thinking time: ``limit_s`` is for the game, for a move, or for a move in whole days, by ``style``."""

    style: Literal["none", "total", "move", "days"]
    limit_s: int = 0
    increment_s: int = 0

    @property
    def is_by_day(self) -> bool:
        """Whether a player has a day or more for each move, so that nobody waits at the board."""
        return self.style in ("days", "move") and self.limit_s >= DAY_S

    @property
    def text(self) -> str:
        """The canonical text of this clock."""
        if self.style == "none":
            return "none"
        if self.style == "days":
            return f"{self.limit_s // DAY_S}d"
        if self.style == "move":
            return f"{_written(self.limit_s)}/move"
        return f"{_written(self.limit_s)}+{_written(self.increment_s)}"


def parse_clock(text: str) -> Clock:
    """Return the clock of a text; a `ValueError` says what is wrong."""
    if len(text) > MAX_CLOCK_CHARS:
        raise ValueError(f"a clock has at most {MAX_CLOCK_CHARS} characters; write {LOOKS}")
    plain = text.replace(" ", "").lower()
    if plain == "none":
        return Clock("none")
    if days := _DAYS.fullmatch(plain):
        return _bounded("days", int(days[1]) * DAY_S, MAX_DAYS * DAY_S, f"{MAX_DAYS} days")
    if plain.endswith("/move"):
        return _bounded("move", _seconds(plain.removesuffix("/move"), text), MAX_MOVE_S, "14 days")
    total, _, increment = plain.partition("+")
    clock = _bounded("total", _seconds(total, text), MAX_TOTAL_S, "24 hours")
    increment_s = _seconds(increment, text) if "+" in plain else 0
    if increment_s > MAX_TOTAL_S:
        raise ValueError("the time after each move can be at most 24 hours")
    return Clock("total", clock.limit_s, increment_s)


def _bounded(style: Literal["total", "move", "days"], seconds: int, limit: int, words: str) -> Clock:
    if seconds <= 0:
        raise ValueError("a clock cannot start at zero; give some time, or none for no clock")
    if seconds > limit:
        raise ValueError(f"that is too long; at most {words} are possible")
    return Clock(style, seconds)


def _seconds(duration: str, whole: str) -> int:
    match = _DURATION.fullmatch(duration)
    if not duration or match is None or not duration.isascii():
        raise ValueError(f"{quoted(whole)} is not a clock; write {LOOKS}")
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds


def _written(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    parts = [f"{number}{unit}" for number, unit in ((hours, "h"), (minutes, "m"), (seconds, "s")) if number]
    return "".join(parts) or "0s"
