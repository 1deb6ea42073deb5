"""What time it is at the table."""

from __future__ import annotations

import time
from collections.abc import Callable


def system_ms() -> int:
    """Milliseconds by the computer's clock."""
    return time.time_ns() // 1_000_000


class Watch:
    """A watch that can be set, so that a game that was put away goes on at the moment when it stopped.

    >>> Watch(5_000, system=lambda: 1_700_000_000_000).now_ms()
    5000
    """

    def __init__(self, at_ms: int | None = None, system: Callable[[], int] = system_ms) -> None:
        self._system = system
        self._ahead_ms = 0 if at_ms is None else at_ms - system()

    def now_ms(self) -> int:
        """What it shows."""
        return self._system() + self._ahead_ms
