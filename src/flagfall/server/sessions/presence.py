"""Who is at the table: which guests have the match open. Somebody who reloads the page has not left."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable


class Presence:
    """Counts the open connections of each guest in one match and tells when somebody comes or goes."""

    def __init__(self, changed: Callable[[], None], grace_s: float) -> None:
        self._changed, self._grace_s = changed, grace_s
        self._open: Counter[str] = Counter()
        self._leaving: dict[str, asyncio.TimerHandle] = {}

    def is_here(self, guest: str | None) -> bool:
        """Whether that guest has the match open, or had a moment ago."""
        return guest is not None and (guest in self._open or guest in self._leaving)

    def enter(self, guest: str) -> None:
        """One more connection of that guest."""
        was_here = self.is_here(guest)
        if (leaving := self._leaving.pop(guest, None)) is not None:
            leaving.cancel()
        self._open[guest] += 1
        if not was_here:
            self._changed()

    def leave(self, guest: str) -> None:
        """One connection of that guest less."""
        self._open[guest] -= 1
        if self._open[guest] > 0:
            return
        del self._open[guest]
        self._leaving[guest] = asyncio.get_running_loop().call_later(self._grace_s, self._gone, guest)

    def close(self) -> None:
        """Nobody is waited for any more."""
        for leaving in self._leaving.values():
            leaving.cancel()
        self._leaving.clear()

    def _gone(self, guest: str) -> None:
        del self._leaving[guest]
        self._changed()
