"""Runs of many quick games in the background worker: of a setup in the lab, of a box in the workshop.

A guest has one run at a time, and the last one of each sort is kept. A run stops when nobody has asked for it
for a while. What was played is stored every few games; after a restart of the server a run goes on there as
soon as its guest asks for it. Games follow from the run's seed, so it ends as if nothing had happened.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, ClassVar, Literal, Self, TypeVar

import msgspec
import structlog

from flagfall.errors import FlagfallError
from flagfall.languages import say
from flagfall.server.errors import RequestError
from flagfall.server.store.database import StoreError
from flagfall.server.store.run_store import RunRow, RunStore
from flagfall.server.workers import Job, JobDroppedError, QueueFullError, ThinkingError, Ticket, Workers

MAX_RUNNING = 20
MAX_KEPT = 100
"""runs of all guests in memory; one of 200 games takes about half a megabyte"""
UNWATCHED_S = 150.0
"""a run that nobody has asked for stops after this time"""
CHUNK = 5
"""games that are stored together"""

RunState = Literal["running", "done", "cancelled", "stopped", "failed"]
Begin = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]
"""starts a coroutine in the background"""
logger = structlog.get_logger("flagfall.runs")


class BackgroundRun(ABC):
    """Quick games that a guest has asked for."""

    sort: ClassVar[str]

    def __init__(self, guest: str, games: int, seed: str) -> None:
        self.guest, self.games, self.seed = guest, games, seed
        self.state: RunState = "running"
        self.asked_at = time.monotonic()
        self.task: asyncio.Task[None] | None = None

    @property
    @abstractmethod
    def played(self) -> int:
        """How many games have been played."""

    @abstractmethod
    def job(self, number: int) -> Job:
        """Return the job for one game."""

    @abstractmethod
    def add(self, answer: bytes) -> None:
        """Add the worker's answer to the results."""

    @abstractmethod
    def facts(self) -> bytes:
        """Return what is played, as JSON."""

    @abstractmethod
    def stored_results(self) -> bytes:
        """Return the results so far, as JSON."""

    @classmethod
    @abstractmethod
    async def restored(cls, row: RunRow) -> Self:
        """Return a stored run; an error of ours or of msgspec if it cannot be read or its game is gone."""

    def row(self, started_ms: int = 0) -> RunRow:
        """Return the row that is stored."""
        return RunRow(
            guest=self.guest,
            sort=self.sort,
            seed=self.seed,
            games=self.games,
            facts=self.facts().decode(),
            state=self.state,
            results=self.stored_results().decode(),
            started_ms=started_ms,
        )


AnyRun = TypeVar("AnyRun", bound=BackgroundRun)


class Runs:
    """The runs of all guests."""

    def __init__(
        self, workers: Workers, store: RunStore, begin: Begin, sorts: tuple[type[BackgroundRun], ...]
    ) -> None:
        self._workers, self._store, self._begin, self._sorts = workers, store, begin, sorts
        self._runs: OrderedDict[tuple[str, type[BackgroundRun]], BackgroundRun] = OrderedDict()
        self._starting: set[str] = set()
        """guests whose new run is being stored"""
        self._forgotten: set[str] = set()
        """guests who were deleted since the start, whose run may just be read"""
        self.is_closing = False
        """whether the server stops, so that runs go on after its next start"""

    async def run_of(self, guest: str, sort: type[AnyRun]) -> AnyRun | None:
        """Return the guest's last run of a sort, and note that it is still wanted; go on with it."""
        run = await self._found(guest, sort)
        if run is not None:
            run.asked_at = time.monotonic()
            if run.state == "running" and run.task is None and len(self._active()) < MAX_RUNNING:
                run.task = self._begin(self._play(run))
        return run

    async def start(self, run: BackgroundRun, now_ms: int) -> None:
        """Store a run and begin it in the background; refuse a second one of the same guest."""
        await self.check_free(run.guest)
        self._starting.add(run.guest)
        try:
            await self._store.add(run.row(now_ms))
        finally:
            self._starting.discard(run.guest)
        key = (run.guest, type(run))
        self._runs.pop(key, None)
        self._runs[key] = run
        self._drop_oldest()
        run.task = self._begin(self._play(run))

    async def check_free(self, guest: str) -> None:
        """Refuse if the guest has a run, or the server too many."""
        for sort in self._sorts:
            await self.run_of(guest, sort)
        own = [run for key, run in self._runs.items() if key[0] == guest]
        if guest in self._starting or any(run.state == "running" for run in own):
            raise RequestError("one-run", say("lab.run.still-going"))
        if len(self._active()) + len(self._starting) >= MAX_RUNNING:
            raise RequestError("too-busy", say("lab.run.full"))

    async def cancel(self, guest: str, sort: type[AnyRun]) -> AnyRun | None:
        """End the guest's run of a sort, if it is running; what was played stays."""
        run = await self._found(guest, sort)
        if run is not None and run.state == "running":
            _end(run)
            await self._save(run)
        return run

    def forget(self, guest: str) -> None:
        """Cancel and drop the runs of a guest who was deleted."""
        self._forgotten.add(guest)
        for key in [key for key in self._runs if key[0] == guest]:
            run = self._runs.pop(key)
            if run.state == "running":
                _end(run)

    async def _found(self, guest: str, sort: type[AnyRun]) -> AnyRun | None:
        """Return a run from memory or the database; None if it cannot be read or played any more."""
        key = (guest, sort)
        run = self._runs.get(key)
        if run is None and (row := await self._store.of_guest(guest, sort.sort)) is not None:
            try:
                restored = await sort.restored(row)
            except StoreError:
                raise
            except (FlagfallError, msgspec.MsgspecError, ValueError):
                return None
            if guest in self._forgotten or restored.played > restored.games:
                return None
            run = self._runs.setdefault(key, restored)
            self._drop_oldest()
        return run if isinstance(run, sort) else None

    async def _play(self, run: BackgroundRun) -> None:
        try:
            for number in range(run.played, run.games):
                if time.monotonic() - run.asked_at > UNWATCHED_S:
                    run.state = "stopped"
                    break
                ticket = Ticket(run.guest, lambda: run.state == "running")
                async with self._workers.background(ticket) as lease:
                    answer = await lease.advice(run.job(number))
                run.add(answer)
                if run.played % CHUNK == 0:
                    await self._save(run)
            else:
                run.state = "done"
        except (JobDroppedError, QueueFullError, ThinkingError):
            if run.state == "running" and not self.is_closing:
                run.state = "failed"
        finally:
            if run.state == "running" and not self.is_closing:
                run.state = "stopped"
        if run.state != "cancelled" and not self.is_closing:
            await self._save(run)

    async def _save(self, run: BackgroundRun) -> None:
        """Store how far a run is; if that fails the run goes on, and the next chunk stores all of it."""
        try:
            await self._store.save(run.row())
        except StoreError as error:
            logger.warning("a run of quick games cannot be stored", kind=type(error).__name__)

    def _active(self) -> list[BackgroundRun]:
        return [run for run in self._runs.values() if run.state == "running" and run.task is not None]

    def _drop_oldest(self) -> None:
        ended = [key for key, run in self._runs.items() if run.state != "running"]
        for key in ended[: max(0, len(self._runs) - MAX_KEPT)]:
            del self._runs[key]


def _end(run: BackgroundRun) -> None:
    run.state = "cancelled"
    if run.task is not None:
        run.task.cancel()
