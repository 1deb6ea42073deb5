"""The two clocks of a match as a value. The time is always an argument.

::

    at_ms   0          4 000        9 000
            South's    North's      South's …      10s+2s: South has 10 000 – 4 000 + 2 000 left at 4 000
            turn       turn

A clock runs from the start of a turn to its end, however many actions the turn has. An action exactly at the
limit is too late.

>>> from flagfall.edition.clock import parse_clock
>>> clocks = Clocks.started(parse_clock("10s+2s"), 0).turn_ended(4_000)
>>> clocks.left_ms("south", 9_000), clocks.left_ms("north", 9_000), clocks.falls_at_ms
(8000, 5000, 14000)
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from flagfall.edition.clock import Clock
from flagfall.sides import Side, SideName

SECOND_MS = 1000


@dataclass(frozen=True)
class Clocks:
    """The time each side has left, whose clock runs, and since when."""

    clock: Clock
    kept_ms: tuple[int, int]
    """the time South and North had left when the running clock was started"""
    running: Side | None
    since_ms: int

    @classmethod
    def waiting(cls, clock: Clock) -> Clocks:
        """Return full clocks that do not run yet, for the time of the setups."""
        limit = clock.limit_s * SECOND_MS
        return cls(clock, (limit, limit), None, 0)

    @classmethod
    def started(cls, clock: Clock, at_ms: int) -> Clocks:
        """Return full clocks with South's running."""
        return replace(cls.waiting(clock), running=Side.SOUTH, since_ms=at_ms)

    def left_ms(self, side: Side | SideName, at_ms: int) -> int | None:
        """Return the time that side has left, never below 0; None without a clock."""
        if self.clock.style == "none":
            return None
        used = max(0, at_ms - self.since_ms) if side == self.running else 0
        return max(0, self.kept_ms[Side(side)] - used)

    @property
    def falls_at_ms(self) -> int | None:
        """The time at which the running clock runs out; None if none runs."""
        if self.clock.style == "none" or self.running is None:
            return None
        return self.since_ms + self.kept_ms[self.running]

    def has_run_out(self, at_ms: int) -> bool:
        """Return whether the running clock has run out."""
        return self.falls_at_ms is not None and at_ms >= self.falls_at_ms

    def turn_ended(self, at_ms: int) -> Clocks:
        """Return the clocks after a turn: the mover gets its increment, and the other clock runs."""
        if self.running is None:
            return self
        left = self.left_ms(self.running, at_ms) or 0
        if self.clock.style == "total":
            left += self.clock.increment_s * SECOND_MS
        else:
            left = self.clock.limit_s * SECOND_MS
        return replace(self, kept_ms=self._with(left), running=self.running.other, since_ms=at_ms)

    def stopped(self, at_ms: int) -> Clocks:
        """Return the clocks with neither running."""
        if self.running is None:
            return self
        left = self.left_ms(self.running, at_ms) or 0
        return replace(self, kept_ms=self._with(left), running=None, since_ms=at_ms)

    def _with(self, left: int) -> tuple[int, int]:
        south, north = self.kept_ms
        return (left, north) if self.running == "south" else (south, left)
