"""The server's time, which does not jump when the wall clock is set.

The wall clock is read once. From then on time is counted by the machine's monotonic clock, and the anchor of
the two is stored, so that a server restarted on the same boot continues to count: nobody loses on time when
the wall clock is set an hour forward. It is read again only after a reboot of the machine.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from flagfall.server.store.match_store import MatchStore

KEY = "clock"
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Anchor(Struct, frozen=True):
    """A point in both times: the server's, and the monotonic clock of one boot of the machine."""

    server_ms: int
    monotonic_ms: int
    boot: str


class ServerClock:
    """Milliseconds since 1970, counted from the anchor."""

    def __init__(self, anchor: Anchor) -> None:
        self.anchor = anchor

    @classmethod
    def from_wall_clock(cls) -> ServerClock:
        """Return a clock that starts with the time of the wall clock."""
        return cls(Anchor(wall_ms(), monotonic_ms(), boot_id()))

    def now_ms(self) -> int:
        """Return the server's time."""
        return self.anchor.server_ms + monotonic_ms() - self.anchor.monotonic_ms


async def load_clock(store: MatchStore) -> ServerClock:
    """Return the stored clock if it is of this boot; otherwise set one by the wall clock and store it."""
    stored = await store.meta(KEY)
    clock = continue_clock(stored)
    if (text := msgspec.json.encode(clock.anchor).decode()) != stored:
        await store.set_meta(KEY, text)
    return clock


def continue_clock(stored: str | None) -> ServerClock:
    """Return the clock of a stored anchor if it is of this boot; otherwise one set by the wall clock."""
    anchor, now, boot = None, monotonic_ms(), boot_id()
    with suppress(msgspec.MsgspecError, UnicodeError):
        anchor = msgspec.json.decode(stored, type=Anchor) if stored else None
    if anchor is not None and boot and anchor.boot == boot and anchor.monotonic_ms <= now:
        return ServerClock(anchor)
    return ServerClock(Anchor(max(wall_ms(), anchor.server_ms if anchor else 0), now, boot))


def wall_ms() -> int:
    """Return the time of the wall clock."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Return the time since boot, including sleep where the system counts it."""
    clock = (
        getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC) if hasattr(time, "CLOCK_MONOTONIC") else None
    )
    return (time.monotonic_ns() if clock is None else time.clock_gettime_ns(clock)) // 1_000_000


def boot_id() -> str:
    """Return the id of this boot of the machine; empty if the system has none."""
    try:
        return _BOOT_ID.read_text().strip()
    except OSError:
        return ""
