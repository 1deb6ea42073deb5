"""The server's time: it never jumps, whatever happens to the clock on the wall.

The wall clock is asked once. From then on time is counted by the machine's monotonic clock, and the anchor of
the two is stored, so that a restart of the server on the same boot goes on counting: a clock that is set an
hour forward makes nobody lose on time. Only after a reboot of the machine the wall clock is asked again.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from flagfall.server.store.match_store import MatchStore

KEY = "clock"
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Anchor(Struct, frozen=True):
    """A moment in both times: the server's, and the monotonic one of a boot of this machine."""

    server_ms: int
    monotonic_ms: int
    boot: str


class ServerClock:
    """Milliseconds since 1970 at the anchor, counted on without jumps."""

    def __init__(self, anchor: Anchor) -> None:
        self.anchor = anchor

    @classmethod
    def from_wall_clock(cls) -> ServerClock:
        """A clock that starts with the wall's time, now."""
        return cls(Anchor(wall_ms(), monotonic_ms(), boot_id()))

    def now_ms(self) -> int:
        """The server's time."""
        return self.anchor.server_ms + monotonic_ms() - self.anchor.monotonic_ms


async def load_clock(store: MatchStore) -> ServerClock:
    """The clock of a database: continued on the same boot, otherwise set by the wall and stored."""
    stored = _decoded(await store.meta(KEY))
    now, boot = monotonic_ms(), boot_id()
    if stored is not None and boot and stored.boot == boot and stored.monotonic_ms <= now:
        return ServerClock(stored)
    anchor = Anchor(max(wall_ms(), stored.server_ms if stored else 0), now, boot)
    await store.set_meta(KEY, msgspec.json.encode(anchor).decode())
    return ServerClock(anchor)


def _decoded(text: str | None) -> Anchor | None:
    try:
        return msgspec.json.decode(text, type=Anchor) if text else None
    except msgspec.MsgspecError:
        return None


def wall_ms() -> int:
    """What the clock on the wall says."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Time since the machine was booted, the time it slept included where the system tells."""
    clock = (
        getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC) if hasattr(time, "CLOCK_MONOTONIC") else None
    )
    return (time.monotonic_ns() if clock is None else time.clock_gettime_ns(clock)) // 1_000_000


def boot_id() -> str:
    """A name for this boot of the machine; empty where the system gives none."""
    try:
        return _BOOT_ID.read_text().strip()
    except OSError:
        return ""
