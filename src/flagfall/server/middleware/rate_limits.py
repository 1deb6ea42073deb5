"""Rate limits: token buckets by address and by verified guest, separately for each kind of use.

A use takes a token from every bucket it counts against. If one is empty, none is taken and the error says
when to try again. An address has several times the limits of one guest, so that a family or a club behind
one router can play and one guest cannot use up the share of the others.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from flagfall.languages import say
from flagfall.server.errors import RequestError
from flagfall.server.settings import Settings

Kind = Literal[
    "requests",
    "health",
    "messages",
    "sockets",
    "guests",
    "matches",
    "computer-games",
    "invitations",
    "exports",
    "lab-runs",
    "reviews",
    "devices",
    "records",
    "box-checks",
]
MAX_BUCKETS = 20_000
"""buckets stored for each kind by address, and as many by guest"""
KEPT_SHARE = 0.9
"""share of the buckets that is kept when there are too many"""
MINUTE_S, HOUR_S = 60, 3_600


class Rate(Struct, frozen=True):
    """The average rate and the burst size of a token bucket."""

    per_s: float
    burst: float

    def times(self, factor: float) -> Rate:
        """Return a multiple of this rate."""
        return Rate(self.per_s * factor, self.burst * factor)


class Policy(Struct, frozen=True):
    """The rates of one kind of use, by guest and by address; None: not counted."""

    guest: Rate | None
    address: Rate | None


def policies(settings: Settings) -> dict[Kind, Policy]:
    """Return the limits from the settings."""
    factor = settings.address_factor
    requests = Rate(settings.requests_per_s, settings.requests_at_once)

    def both(rate: Rate) -> Policy:
        return Policy(rate, rate.times(factor))

    def hourly(count: int) -> Rate:
        return Rate(count / HOUR_S, count)

    return {
        "requests": both(requests),
        "health": Policy(None, requests),
        "messages": both(requests),
        "sockets": both(Rate(settings.sockets_per_minute / MINUTE_S, settings.sockets_per_minute)),
        "guests": Policy(None, hourly(settings.guests_per_hour)),
        "matches": both(hourly(settings.matches_per_hour)),
        "computer-games": both(hourly(settings.computer_games_per_hour)),
        "invitations": both(hourly(settings.invitations_per_hour)),
        "exports": both(hourly(settings.exports_per_hour)),
        "lab-runs": both(hourly(settings.lab_runs_per_hour)),
        "box-checks": both(Rate(settings.box_checks_per_minute / MINUTE_S, settings.box_checks_per_minute)),
        "reviews": both(hourly(settings.reviews_per_hour)),
        "devices": both(hourly(settings.devices_per_hour)),
        "records": both(hourly(settings.records_per_hour)),
    }


class Buckets:
    """A token bucket for each key, bounded in number.

    A full bucket is the same as none, so full buckets are dropped first, then those nearest to full. A flood
    of new keys therefore evicts its own buckets, never one that has been used up.
    """

    def __init__(
        self,
        rate: Rate,
        max_buckets: int = MAX_BUCKETS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rate, self._max, self._clock = rate, max_buckets, clock
        self._levels: dict[str, tuple[float, float]] = {}
        """tokens left, and the time at which they were counted"""

    def __len__(self) -> int:
        return len(self._levels)

    def wait_s(self, key: str) -> float:
        """Return the seconds until there is a token; 0 if there is one now."""
        missing = 1 - self._level(key, self._clock())
        return max(0.0, missing / self._rate.per_s)

    def take(self, key: str) -> None:
        """Take a token; the caller has checked that there is one."""
        now = self._clock()
        self._levels[key] = (self._level(key, now) - 1, now)
        if len(self._levels) > self._max:
            self._shrink(now)

    def _level(self, key: str, now: float) -> float:
        left, then = self._levels.get(key, (self._rate.burst, now))
        return min(self._rate.burst, left + (now - then) * self._rate.per_s)

    def _shrink(self, now: float) -> None:
        levels = {key: self._level(key, now) for key in self._levels}
        emptiest = sorted(levels, key=levels.__getitem__)[: int(self._max * KEPT_SHARE)]
        self._levels = {key: (levels[key], now) for key in emptiest if levels[key] < self._rate.burst}


class RateLimiter:
    """Counts every kind of use by address and by guest."""

    def __init__(
        self,
        policies: Mapping[Kind, Policy],
        max_buckets: int = MAX_BUCKETS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        def buckets(rate: Rate | None) -> Buckets | None:
            return Buckets(rate, max_buckets, clock) if rate else None

        self._by_guest = {kind: buckets(policy.guest) for kind, policy in policies.items()}
        self._by_address = {kind: buckets(policy.address) for kind, policy in policies.items()}

    def check(self, *kinds: Kind, address: str | None = None, guest: str | None = None) -> None:
        """Count one use of each kind, or refuse and count none. Pass only verified guests."""
        counted = [
            (kind, buckets, key)
            for kind in kinds
            for buckets, key in ((self._by_address[kind], address), (self._by_guest[kind], guest))
            if buckets is not None and key is not None
        ]
        for kind, buckets, key in counted:
            if (wait_s := buckets.wait_s(key)) > 0:
                raise too_many(kind, wait_s)
        for _, buckets, key in counted:
            buckets.take(key)


def too_many(kind: Kind, wait_s: float) -> RequestError:
    """Return the error that says how long to wait.

    >>> too_many("requests", 0.2).sentence
    'Too many requests; wait 1 second and try again.'
    """
    seconds = max(1, math.ceil(wait_s))
    if seconds < 2 * MINUTE_S:
        wait = say("duration.second", number=seconds)
    else:
        wait = say("duration.minute", number=math.ceil(seconds / MINUTE_S))
    return RequestError("too-many", say(f"server.too-many.{kind}", wait=wait), retry_after_s=seconds)
