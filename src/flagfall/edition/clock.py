"""How a clock is written: ``none``, ``10m+5s`` for the whole game, ``30s/move``, ``3d`` for letters.

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
"""characters of a clock; the longest that means anything, with blanks, has about thirty"""
LOOKS = "none, 10m+5s (time for the game + increment for each move), 30s/move, or 3d (days for each move)"

_DURATION = re.compile(r"(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?", re.ASCII)
_DAYS = re.compile(r"(\d{1,4})d", re.ASCII)


@dataclass(frozen=True)
class Clock:
    """Time to think. ``style`` says what ``limit_s`` is for: the game, a move, or a move counted in days."""

    style: Literal["none", "total", "move", "days"]
    limit_s: int = 0
    increment_s: int = 0

    @property
    def text(self) -> str:
        """The one way to write this clock."""
        if self.style == "none":
            return "none"
        if self.style == "days":
            return f"{self.limit_s // DAY_S}d"
        if self.style == "move":
            return f"{_written(self.limit_s)}/move"
        return f"{_written(self.limit_s)}+{_written(self.increment_s)}"


def parse_clock(text: str) -> Clock:
    """The clock of a text; `ValueError` says in one sentence what is wrong."""
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
    gift = _seconds(increment, text) if "+" in plain else 0
    if gift > MAX_TOTAL_S:
        raise ValueError("the time after each move can be at most 24 hours")
    return Clock("total", clock.limit_s, gift)


def _bounded(style: Literal["total", "move", "days"], seconds: int, most: int, words: str) -> Clock:
    if seconds <= 0:
        raise ValueError("a clock cannot start at zero; give some time, or none for no clock")
    if seconds > most:
        raise ValueError(f"that is too long; at most {words} are possible")
    return Clock(style, seconds)


def _seconds(duration: str, whole: str) -> int:
    match = _DURATION.fullmatch(duration)
    if not duration or match is None or not duration.isascii():
        raise ValueError(f"{quoted(whole)} is no clock; write {LOOKS}")
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds


def _written(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    parts = [f"{number}{unit}" for number, unit in ((hours, "h"), (minutes, "m"), (seconds, "s")) if number]
    return "".join(parts) or "0s"
