"""The pool: slots in which jobs run, each with a worker that is replaced when it is late or dead."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import msgspec
import structlog

from flagfall.edition.versions import is_version, text_of_game
from flagfall.errors import FlagfallError
from flagfall.players.process import kernels_for
from flagfall.server.workers.compilation import Compilation, is_level
from flagfall.server.workers.jobs import Answer, BoxJob, Forget, Job, ReviewJob
from flagfall.server.workers.processes import (
    ForkFailedError,
    Kernels,
    ProcessDiedError,
    TemplateProcess,
    WorkerProcess,
)
from flagfall.server.workers.queue import FairQueue, Ticket

if TYPE_CHECKING:
    from flagfall.server.settings import Settings

MAX_ATTEMPTS = 3
FORK_TIMEOUT_S = 2.0
FORK_PAUSE_S = 0.5
"""before another attempt when the system cannot start a process"""
MAX_PAUSE_S = 30.0
"""between two attempts to start a template"""
MAX_BACKGROUND_JOBS = 100
NO_BUDGET_S = 30.0
"""time limit of a job without a time budget"""

AnyJob = Job | ReviewJob | BoxJob
logger = structlog.get_logger("flagfall.workers")


class ThinkingError(FlagfallError):
    """No worker could answer."""

    code = "no-answer"


class Group:
    """A template, the slots for its workers, and the queue for the slots."""

    def __init__(
        self,
        kernels: Kernels,
        count: int,
        thinking_timeout_s: float,
        start_timeout_s: float,
        queue: FairQueue,
        forked_by: Group | None = None,
    ) -> None:
        """``forked_by``: another group whose template forks the workers of this one too."""
        self._kernels, self._queue, self._forked_by = kernels, queue, forked_by
        self._thinking_timeout_s, self._start_timeout_s = thinking_timeout_s, start_timeout_s
        self._free = [Slot(self) for _ in range(count)]
        self.review_slot = Slot(self)
        self._slots = (*self._free, self.review_slot)
        self._homes: dict[str, Slot] = {}
        """by match: the slot whose worker has its players"""
        self._template: TemplateProcess | None = None
        self._starting = asyncio.Lock()
        self.is_closed = False

    @asynccontextmanager
    async def lease(self, ticket: Ticket) -> AsyncIterator[Lease]:
        """Wait for a slot and hold it; see `Workers.lease`."""
        self._queue.add(ticket)
        self._grant()
        try:
            slot: Slot = await ticket.granted
        except asyncio.CancelledError:
            self._queue.remove(ticket)
            if ticket.granted.done() and not ticket.granted.cancelled() and not ticket.granted.exception():
                self._give_back(ticket, ticket.granted.result())
            raise
        try:
            yield Lease(slot)
        finally:
            self._give_back(ticket, slot)

    def _give_back(self, ticket: Ticket, slot: Slot) -> None:
        self._queue.done(ticket)
        slot.send_forgotten()
        self._free.append(slot)
        self._grant()

    def _grant(self) -> None:
        """Give free slots to the tickets whose turn it is, preferring the slot that has their players."""
        while self._free and (ticket := self._queue.take()) is not None:
            home = self._homes.get(ticket.match)
            slot = home if home in self._free else self._free[-1]
            if home is not None and home is not slot:
                self.forget(ticket.match)
            if ticket.match:
                self._homes[ticket.match] = slot
            self._free.remove(slot)
            ticket.granted.set_result(slot)

    def forget(self, match: str) -> None:
        """Free the players of a match: at once if their worker is idle, otherwise after its job."""
        slot = self._homes.pop(match, None)
        if slot is not None:
            slot.forget(match)
            if slot in self._free:
                slot.send_forgotten()

    async def template(self) -> TemplateProcess:
        """Return a warm template; if there is none, start one and retry until it is ready."""
        async with self._starting:
            pause_s = 1.0
            while self._template is None or not self._template.is_alive:
                if self.is_closed:
                    raise ThinkingError("The server is stopping")
                self._drop_template()
                self._template = TemplateProcess(self._kernels)
                try:
                    async with asyncio.timeout(self._start_timeout_s):
                        await self._template.ready()
                except (ProcessDiedError, TimeoutError) as error:
                    self._drop_template()
                    if not self.is_closed:
                        logger.error(
                            "a template does not start", kernels=self._kernels, kind=type(error).__name__
                        )
                        await asyncio.sleep(pause_s)
                        pause_s = min(2 * pause_s, MAX_PAUSE_S)
            return self._template

    async def fork(self) -> WorkerProcess:
        """Return a new worker; a template that does not fork in time is replaced."""
        if self._forked_by is not None:
            return await self._forked_by.fork()
        template = await self.template()
        try:
            async with asyncio.timeout(FORK_TIMEOUT_S):
                return await template.fork()
        except ForkFailedError:
            logger.warning("a worker could not be forked", kernels=self._kernels)
            await asyncio.sleep(FORK_PAUSE_S)
            raise
        except (ProcessDiedError, TimeoutError):
            if self._template is template:
                logger.warning("a template was replaced", kernels=self._kernels, pid=template.pid)
                self._drop_template(is_stuck=True)
            raise ProcessDiedError from None

    def deadline_s(self, job: AnyJob, attempt: int) -> float:
        """Return the time limit of a job: its budget and a margin that doubles with every attempt."""
        budget_s = NO_BUDGET_S if job.time_ms is None else job.time_ms / 1000
        return budget_s + self._thinking_timeout_s * float(2**attempt)

    def pids(self) -> tuple[int, ...]:
        """Return the process ids of the workers that exist."""
        return tuple(slot.worker.pid for slot in self._slots if slot.worker is not None)

    def close(self) -> None:
        """Kill all processes and start no new ones."""
        self.is_closed = True
        for slot in self._slots:
            slot.discard()
        self._drop_template()

    def _drop_template(self, *, is_stuck: bool = False) -> None:
        """End the template and all its workers."""
        if self._template is not None:
            self._template.close(is_stuck=is_stuck)
            self._template = None


class Slot:
    """Runs one job at a time; its worker is forked for the first one."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self.worker: WorkerProcess | None = None
        self._forgotten: list[str] = []
        """matches whose players the worker need not keep, and has not been told yet"""

    async def ask(self, job: AnyJob, attempts: int = MAX_ATTEMPTS) -> Answer:
        """Have a job done; a worker that dies or is late is killed and replaced, and the job repeated."""
        if is_version(job.game.partition("/")[0]):  # the text may have to be read from the disk
            job = msgspec.structs.replace(job, box=await asyncio.to_thread(text_of_game, job.game))
        message = msgspec.msgpack.encode(job)
        for attempt in range(attempts):
            try:
                if self.worker is None:
                    self.worker = await self._group.fork()
                async with asyncio.timeout(self._group.deadline_s(job, attempt)):
                    reply = await self.worker.ask(message)
                return msgspec.msgpack.decode(reply, type=Answer)
            except (ProcessDiedError, TimeoutError, msgspec.DecodeError) as error:
                pid = self.discard()
                if self._group.is_closed:
                    break
                kind = type(error).__name__
                logger.warning(
                    "a worker was replaced", kind=kind, pid=pid, player=job.player, attempt=attempt
                )
            except asyncio.CancelledError:
                self.discard()
                raise
        raise ThinkingError(f"No worker answered in {attempts} attempts")

    def forget(self, match: str) -> None:
        """Note that the players of a match are no longer needed."""
        if self.worker is not None:
            self._forgotten.append(match)

    def send_forgotten(self) -> None:
        """Tell the worker, which must be idle, whose players are no longer needed."""
        if self.worker is not None and self._forgotten:
            try:
                self.worker.tell(msgspec.msgpack.encode(Forget(self._forgotten)))
            except ProcessDiedError:
                self.discard()
            self._forgotten = []

    def discard(self) -> int | None:
        """Kill the worker, if there is one, and return its process id; the next job gets a new one."""
        self._forgotten = []
        worker, self.worker = self.worker, None
        if worker is None:
            return None
        worker.kill()
        return worker.pid


class Lease:
    """A slot that is held for one turn, so that its actions need not queue again."""

    def __init__(self, slot: Slot) -> None:
        self._slot = slot

    async def action(self, job: Job) -> int:
        """Return the action that the player of that job chooses, packed."""
        answer = await self._slot.ask(job)
        if answer.action is None:
            raise ThinkingError(f"The player {job.player} failed: {answer.error or 'it chose nothing'}")
        return answer.action

    async def advice(self, job: Job) -> bytes:
        """Return what the coach or the setup lab answers, as JSON."""
        answer = await self._slot.ask(job)
        if not answer.advice:
            raise ThinkingError(f"The question {job.coach} failed: {answer.error or 'no answer'}")
        return answer.advice

    async def checked(self, job: BoxJob) -> bytes:
        """Return what a check of a box found, as JSON; after a failure the worker is replaced."""
        answer = await self._slot.ask(job, attempts=1)
        if not answer.advice:
            self._slot.discard()
            raise ThinkingError(f"The check of a box failed: {answer.error or 'no answer'}")
        return answer.advice

    async def setup(self, job: Job) -> str:
        """Return the setup that the player of that job makes, as a code."""
        answer = await self._slot.ask(job)
        if not answer.setup:
            raise ThinkingError(f"The player {job.player} failed: {answer.error or 'it set up nothing'}")
        return answer.setup


class Workers:
    """The processes in which this server's computer players think."""

    def __init__(
        self,
        count: int,
        *,
        thinking_timeout_s: float = 3.0,
        start_timeout_s: float = 900.0,
        max_running_per_guest: int = 1,
        max_queued_per_guest: int = 16,
        max_queued: int = 1000,
        compiles: bool = True,
    ) -> None:
        kinds: tuple[Kernels, Kernels] = ("compiled", "interpreted")
        self._groups = {
            kernels: Group(
                kernels,
                count,
                thinking_timeout_s,
                start_timeout_s,
                FairQueue(max_queued_per_guest, max_queued, max_running_per_guest),
            )
            for kernels in kinds
        }
        self._background = Group(
            "interpreted",
            1,
            thinking_timeout_s,
            start_timeout_s,
            FairQueue(max_total=MAX_BACKGROUND_JOBS),
            forked_by=self._groups["interpreted"],
        )
        self._checking = Group(
            "interpreted",
            1,
            thinking_timeout_s,
            start_timeout_s,
            FairQueue(max_per_guest=2, max_total=MAX_BACKGROUND_JOBS),
            forked_by=self._groups["interpreted"],
        )
        self._compiles, self._compilation = compiles, Compilation()
        self._preparing: asyncio.Task[None] | None = None
        self._has_levels = self._has_all = False
        """whether the compiled kernels of the levels, and of all players, are ready"""

    @classmethod
    def from_settings(cls, settings: Settings) -> Workers:
        """Return workers with the limits of the settings; none is started before the first job."""
        return cls(
            settings.workers,
            thinking_timeout_s=settings.thinking_timeout_s,
            start_timeout_s=settings.worker_start_timeout_s,
            max_running_per_guest=settings.max_running_jobs_per_guest,
            max_queued_per_guest=settings.max_queued_jobs_per_guest,
            max_queued=settings.max_queued_jobs,
            compiles=settings.compiles,
        )

    @asynccontextmanager
    async def lease(self, player: str, ticket: Ticket) -> AsyncIterator[Lease]:
        """Wait for this ticket's turn, and hold a slot while the block runs.

        Raises `QueueFullError` when the queue is full, and `JobDroppedError` when the match has moved on.
        """
        async with self._group_for(player, ticket.match).lease(ticket) as lease:
            yield lease

    @asynccontextmanager
    async def background(self, ticket: Ticket) -> AsyncIterator[Lease]:
        """Wait for this ticket's turn for the one worker of low priority, and hold it.

        No game waits for it: it has its own queue, and its process runs when the others are idle.
        """
        async with self._background.lease(ticket) as lease:
            yield lease

    def _group_for(self, player: str, match: str) -> Group:
        """Return where a player thinks: with compiled kernels if it needs them and they are ready."""
        compiled, interpreted = self._groups["compiled"], self._groups["interpreted"]
        if kernels_for(player) == "interpreted":
            return interpreted
        if not self._is_ready_for(player):
            self._start_preparing()
            return interpreted
        interpreted.forget(match)
        return compiled

    def _is_ready_for(self, player: str) -> bool:
        return self._has_all or (self._has_levels and is_level(player))

    def is_warming_up(self, player: str) -> bool:
        """Return whether a player is weaker than it will be as soon as its kernels are compiled."""
        return self._compiles and kernels_for(player) == "compiled" and not self._is_ready_for(player)

    @property
    def reviews_compiled(self) -> bool:
        """Whether reviews are worked out with compiled kernels."""
        return self._compiles

    async def review(self, job: ReviewJob) -> bytes:
        """Analyse one turn of a finished game in a worker of its own with low priority; one at a time.

        Where kernels are compiled it waits for them.
        """
        await self.prepare()
        if self._compiles and not self._has_levels:
            raise ThinkingError("The kernels were not compiled")
        slot = self._groups["compiled" if self._compiles else "interpreted"].review_slot
        answer = await slot.ask(job)
        if not answer.advice:
            raise ThinkingError(f"The review failed: {answer.error or 'it found nothing'}")
        return answer.advice

    async def check_box(self, guest: str, job: BoxJob) -> bytes:
        """Check the text of a box in a process of its own with limits; it is killed at its deadline."""
        async with self._checking.lease(Ticket(guest)) as lease:
            return await lease.checked(job)

    def end_review(self) -> None:
        """End the worker that has analysed a game."""
        for group in self._groups.values():
            group.review_slot.discard()

    def forget(self, match: str) -> None:
        """Free the players of a match that is over, or that is not kept in memory any more."""
        for group in self._groups.values():
            group.forget(match)

    async def prepare(self) -> None:
        """Have compiled kernels ready; the first time on a machine this takes about a minute."""
        self._start_preparing()
        if self._preparing is not None:
            await asyncio.shield(self._preparing)

    def _start_preparing(self) -> None:
        if self._preparing is None and self._compiles:
            self._preparing = asyncio.get_running_loop().create_task(self._prepare())

    async def _prepare(self) -> None:
        with suppress(ThinkingError):
            async for has_all in self._compilation.finished():
                await self._groups["compiled"].template()
                self._has_levels, self._has_all = True, has_all
            self._compiles = False  # no player becomes stronger any more

    def pids(self) -> tuple[int, ...]:
        """Return the process ids of the workers that exist."""
        groups = (*self._groups.values(), self._background, self._checking)
        return tuple(pid for group in groups for pid in group.pids())

    def close(self) -> None:
        """Kill all processes without waiting for running jobs."""
        self._compilation.close()
        if self._preparing is not None:
            self._preparing.cancel()
        for group in (self._background, self._checking, *self._groups.values()):
            group.close()
