"""How long a computer player may think about one action."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from types import EllipsisType

from flagfall.engine.mode import is_compiled

DEFAULT_MS = 1000


@dataclass(frozen=True, init=False)
class Budget:
    """Limits for one action: time, nodes, or both; None means no such limit. The default is one second.

    With a time limit a player answers in time; with nodes alone it plays the same game from the same seed.

    >>> Budget(), Budget(nodes=500)
    (Budget(time_ms=1000, nodes=None), Budget(time_ms=None, nodes=500))
    """

    time_ms: int | None
    nodes: int | None

    def __init__(self, time_ms: int | EllipsisType | None = ..., nodes: int | None = None) -> None:
        """Set the limits; without ``time_ms`` there is a time limit only if ``nodes`` is not given either."""
        if isinstance(time_ms, EllipsisType):
            time_ms = DEFAULT_MS if nodes is None else None
        object.__setattr__(self, "time_ms", time_ms)
        object.__setattr__(self, "nodes", nodes)


HARD_CAP_MS = 1900
SPARE_MS = 4.0
"""kept for what comes after the search"""
_FIRST_SPEED = 300.0 if is_compiled() else 2.0
"""nodes per millisecond, until it has been measured"""
MIN_NODES = 300
"""searched even after the deadline: an action chosen without a search would be a random one"""
_MAX_FIRST_SLICE = 2000 if is_compiled() else MIN_NODES
"""nodes of a slice that starts before `MIN_NODES` are searched"""
_MAX_SLICE_MS = 1e9 if is_compiled() else 250.0
"""how long a slice may take; a busy machine may become much slower before the clock is read again"""
_NO_LIMIT = 1 << 40


class Deadline:
    """Counts nodes and reads the clock between slices of a search."""

    def __init__(self, budget: Budget, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock, self._begun = clock, clock()
        self._nodes_left = budget.nodes
        time_ms = budget.time_ms
        if time_ms is None and budget.nodes is None:
            time_ms = HARD_CAP_MS
        self._time_ms = None if time_ms is None else max(min(time_ms, HARD_CAP_MS) - SPARE_MS, 1.0)
        self._speed = _FIRST_SPEED
        self._slice_begun = self._begun
        self.nodes = 0
        """nodes searched so far"""

    def left_ms(self) -> float:
        """Return the time left; a very large number if there is no limit."""
        return 1e9 if self._time_ms is None else self._time_ms - (self._clock() - self._begun) * 1000.0

    def is_over(self) -> bool:
        """Return whether nothing more may be started."""
        if self._nodes_left is not None and self._nodes_left <= 0:
            return True
        return self.left_ms() <= 0 and self.nodes >= MIN_NODES

    def allowance(self) -> int:
        """Start a slice and return how many nodes it may take."""
        self._slice_begun = self._clock()
        allowed = _NO_LIMIT if self._nodes_left is None else self._nodes_left
        if self._time_ms is not None:
            in_time = int(min(max(self.left_ms(), 0.0), _MAX_SLICE_MS) * self._speed) + 1
            allowed = min(allowed, in_time if self.nodes >= MIN_NODES else max(in_time, _MAX_FIRST_SLICE))
        return allowed

    def note(self, nodes: int) -> None:
        """Note how many nodes a slice took."""
        self.nodes += nodes
        if self._nodes_left is not None:
            self._nodes_left -= nodes
        if self._time_ms is not None and nodes >= (500 if is_compiled() else 50):
            spent_ms = max((self._clock() - self._slice_begun) * 1000.0, 0.01)
            self._speed += 0.3 * (nodes / spent_ms - self._speed)
