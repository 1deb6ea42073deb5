"""Runs of many quick games in the background worker: of a setup in the lab, of a box in the workshop.

A guest has one run at a time, and the last one of each sort is kept. Runs are in memory only, and stop when
nobody has asked for them for a while.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, Literal, TypeVar

from flagfall.languages import say
from flagfall.server.errors import RequestError
from flagfall.server.workers import Job, JobDroppedError, QueueFullError, ThinkingError, Ticket, Workers

MAX_RUNNING = 20
MAX_KEPT = 100
"""runs of all guests in memory; one of 200 games takes about half a megabyte"""
UNWATCHED_S = 150.0
"""a run that nobody has asked for stops after this time"""

RunState = Literal["running", "done", "cancelled", "stopped", "failed"]
Begin = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]
"""starts a coroutine in the background"""


class BackgroundRun(ABC):
    """Quick games that a guest has asked for."""

    def __init__(self, guest: str, games: int, seed: str) -> None:
        self.guest, self.games, self.seed = guest, games, seed
        self.state: RunState = "running"
        self.asked_at = time.monotonic()
        self.task: asyncio.Task[None] | None = None

    @abstractmethod
    def job(self, number: int) -> Job:
        """Return the job for one game."""

    @abstractmethod
    def add(self, answer: bytes) -> None:
        """Add the worker's answer to the results."""


AnyRun = TypeVar("AnyRun", bound=BackgroundRun)


class Runs:
    """The runs of all guests."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._runs: OrderedDict[tuple[str, type[BackgroundRun]], BackgroundRun] = OrderedDict()

    def run_of(self, guest: str, sort: type[AnyRun]) -> AnyRun | None:
        """Return the guest's last run of a sort, and note that it is still wanted."""
        run = self._runs.get((guest, sort))
        if not isinstance(run, sort):
            return None
        run.asked_at = time.monotonic()
        return run

    def start(self, run: BackgroundRun, begin: Begin) -> None:
        """Begin a run in the background; refuse a second one of the same guest."""
        self.check_free(run.guest)
        key = (run.guest, type(run))
        self._runs.pop(key, None)
        self._runs[key] = run
        self._drop_oldest()
        run.task = begin(self._play(run))

    def check_free(self, guest: str) -> None:
        """Refuse if the guest has a run, or the server too many."""
        running = [run for run in self._runs.values() if run.state == "running"]
        if any(run.guest == guest for run in running):
            raise RequestError("one-run", say("lab.run.still-going"))
        if len(running) >= MAX_RUNNING:
            raise RequestError("too-busy", say("lab.run.full"))

    def cancel(self, guest: str, sort: type[AnyRun]) -> AnyRun | None:
        """End the guest's run of a sort, if it is running; what was played stays."""
        run = self._runs.get((guest, sort))
        if run is not None and run.state == "running":
            run.state = "cancelled"
            if run.task is not None:
                run.task.cancel()
        return run if isinstance(run, sort) else None

    def forget(self, guest: str) -> None:
        """Cancel and drop the runs of a guest who was deleted."""
        for one, sort in [key for key in self._runs if key[0] == guest]:
            self.cancel(one, sort)
            self._runs.pop((one, sort), None)

    async def _play(self, run: BackgroundRun) -> None:
        try:
            for number in range(run.games):
                if time.monotonic() - run.asked_at > UNWATCHED_S:
                    run.state = "stopped"
                    return
                ticket = Ticket(run.guest, lambda: run.state == "running")
                async with self._workers.background(ticket) as lease:
                    answer = await lease.advice(run.job(number))
                run.add(answer)
            run.state = "done"
        except (JobDroppedError, QueueFullError, ThinkingError):
            if run.state == "running":
                run.state = "failed"
        finally:
            if run.state == "running":
                run.state = "stopped"

    def _drop_oldest(self) -> None:
        ended = [key for key, run in self._runs.items() if run.state != "running"]
        for key in ended[: max(0, len(self._runs) - MAX_KEPT)]:
            del self._runs[key]
