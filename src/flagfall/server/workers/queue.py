"""A queue for workers that is fair between guests, however many games one of them has open.

Guests take turns. A guest with the maximum of running jobs is passed over while another one waits. Watched
matches go before unwatched ones, but every fourth job is from an unwatched match.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from flagfall.errors import FlagfallError

UNWATCHED_EVERY = 4


class QueueFullError(FlagfallError):
    """Too many jobs are queued; ask again later."""

    code = "queue-full"


class JobDroppedError(FlagfallError):
    """The match has moved on while its job was queued."""

    code = "job-dropped"


@dataclass(eq=False)
class Ticket:
    """A place in the queue."""

    guest: str
    """the host of the match"""
    is_wanted: Callable[[], bool] = lambda: True
    """whether the match still needs the answer; checked again before the job runs"""
    is_watched: Callable[[], bool] = lambda: True
    """whether the match is open in a client"""
    match: str = ""
    """whose players are asked for: a worker that has them is preferred; empty: any worker"""
    granted: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    """gets a slot, or the reason why there is none"""


class FairQueue:
    """Tickets by guest, and how many jobs of each guest are running."""

    def __init__(
        self, max_per_guest: int = 16, max_total: int = 1000, max_running_per_guest: int = 1
    ) -> None:
        self._max_per_guest, self._max_total = max_per_guest, max_total
        self._max_running_per_guest = max_running_per_guest
        self._waiting: dict[str, list[Ticket]] = {}
        """guests in the order in which their turns come, each with its tickets, oldest first"""
        self._running: Counter[str] = Counter()
        self._served = 0

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(self, ticket: Ticket) -> None:
        """Add a ticket; `QueueFullError` if its guest has too many, or all guests together.

        When the whole queue is full, a guest with fewer tickets takes the newest place of the one with most.
        """
        self._drop_stale()
        own = len(self._waiting.get(ticket.guest, ()))
        if own >= self._max_per_guest:
            raise QueueFullError
        if len(self) >= self._max_total:
            greediest = max(self._waiting, key=lambda guest: len(self._waiting[guest]))
            if len(self._waiting[greediest]) <= own + 1:
                raise QueueFullError
            last = self._waiting[greediest][-1]
            self.remove(last)
            last.granted.set_exception(QueueFullError())
        self._waiting.setdefault(ticket.guest, []).append(ticket)

    def remove(self, ticket: Ticket) -> None:
        """Remove a ticket, if it is queued."""
        tickets = self._waiting.get(ticket.guest, [])
        if ticket in tickets:
            tickets.remove(ticket)
            if not tickets:
                del self._waiting[ticket.guest]

    def take(self) -> Ticket | None:
        """Take the next ticket, which counts as running until `done`; None if the queue is empty."""
        self._drop_stale()
        watched_first = (True, False) if (self._served + 1) % UNWATCHED_EVERY else (False, True)
        by_lane = {wanted: self._lane(wanted) for wanted in watched_first}
        for guests in (self._under_limit(), list(self._waiting)):
            for wanted in watched_first:
                for guest in guests:
                    if (ticket := by_lane[wanted].get(guest)) is not None:
                        return self._start(ticket)
        return None

    def done(self, ticket: Ticket) -> None:
        """Note that the job of a ticket has ended."""
        self._running[ticket.guest] -= 1
        if self._running[ticket.guest] <= 0:
            del self._running[ticket.guest]

    def _start(self, ticket: Ticket) -> Ticket:
        self._served += 1
        self._running[ticket.guest] += 1
        self.remove(ticket)
        if ticket.guest in self._waiting:
            self._waiting[ticket.guest] = self._waiting.pop(ticket.guest)
        return ticket

    def _lane(self, is_watched: bool) -> dict[str, Ticket]:
        """Return each guest's oldest ticket of watched, or of unwatched, matches."""
        lane = {}
        for guest, tickets in self._waiting.items():
            for ticket in tickets:
                if ticket.is_watched() == is_watched:
                    lane[guest] = ticket
                    break
        return lane

    def _under_limit(self) -> list[str]:
        return [guest for guest in self._waiting if self._running[guest] < self._max_running_per_guest]

    def _drop_stale(self) -> None:
        """Drop tickets whose match has moved on or whose owner was cancelled."""
        stale = [ticket for ticket in self._all() if ticket.granted.done() or not ticket.is_wanted()]
        for ticket in stale:
            self.remove(ticket)
            if not ticket.granted.done():
                ticket.granted.set_exception(JobDroppedError())

    def _all(self) -> Iterable[Ticket]:
        return [ticket for tickets in self._waiting.values() for ticket in tickets]
