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
from flagfall.languages import say

DAY_S = 86_400
MAX_TOTAL_S = DAY_S
MAX_MOVE_S = 14 * DAY_S
MAX_DAYS = 30
MAX_CLOCK_CHARS = 60
"""maximum length of a clock's text; the longest useful one has about thirty characters"""

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
        raise _refused("too-many-characters", number=MAX_CLOCK_CHARS)
    plain = text.replace(" ", "").lower()
    if plain == "none":
        return Clock("none")
    if days := _DAYS.fullmatch(plain):
        return _bounded("days", int(days[1]) * DAY_S, MAX_DAYS * DAY_S)
    if plain.endswith("/move"):
        return _bounded("move", _seconds(plain.removesuffix("/move"), text), MAX_MOVE_S)
    total, _, increment = plain.partition("+")
    clock = _bounded("total", _seconds(total, text), MAX_TOTAL_S)
    increment_s = _seconds(increment, text) if "+" in plain else 0
    if increment_s > MAX_TOTAL_S:
        raise _refused("increment")
    return Clock("total", clock.limit_s, increment_s)


def _bounded(style: Literal["total", "move", "days"], seconds: int, limit: int) -> Clock:
    if seconds <= 0:
        raise _refused("zero")
    if seconds > limit:
        hours, days = limit // 3600, limit // DAY_S
        time = say("duration.day", number=days) if days > 1 else say("duration.hour", number=hours)
        raise _refused("too-long", time=time)
    return Clock(style, seconds)


def _refused(why: str, **facts: object) -> ValueError:
    return ValueError(say(f"options.clock-refusal.{why}", range=say("options.clock.range"), **facts))


def _seconds(duration: str, whole: str) -> int:
    match = _DURATION.fullmatch(duration)
    if not duration or match is None or not duration.isascii():
        raise _refused("not-a-clock", text=quoted(whole))
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds


def _written(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    parts = [f"{number}{unit}" for number, unit in ((hours, "h"), (minutes, "m"), (seconds, "s")) if number]
    return "".join(parts) or "0s"
