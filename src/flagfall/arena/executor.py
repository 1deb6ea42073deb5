"""Run tasks in several processes: workers start once, results come as they are ready, Ctrl-C stops all.

`executor_for` returns the executor for a place: processes of this machine, or a Ray cluster
(`arena/cluster`). Locally the pool is `concurrent.futures.ProcessPoolExecutor`, which notices a worker that
dies. Added here: workers ignore Ctrl-C and leave it to the process that started them, only a few tasks are
queued at a time, and closing the pool ends its workers at once, with the programs that they started.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from types import FrameType, TracebackType
from typing import Any, Generic, Self, TypeVar

from flagfall.arena.cluster.messages import RAY_CLIENT
from flagfall.errors import FlagfallError, UserError, quoted
from flagfall.players.process import end_with_parent, ignore_interrupts
from flagfall.players.warm import warm_up

LOCAL, RAY = "local", "ray"
"""places where tasks run, as `executor_for` names them: processes of this machine, or a Ray cluster"""
QUEUED_PER_WORKER = 4
STOP_S = 5.0
"""time for a worker to end its own programs before it is killed"""

Task = TypeVar("Task")
Done = TypeVar("Done")


class WorkerError(FlagfallError):
    """A worker process has died."""

    code = "worker-died"


def say_nothing(sentence: str) -> None:
    """Ignore a note about the progress of an executor."""


class Executor(ABC):
    """Runs tasks in other processes; it is a context manager that stops them at the end."""

    @abstractmethod
    def results(
        self, work: Callable[[Task], Done], tasks: Iterable[Task], *, in_order: bool = False, chunk: int = 1
    ) -> Iterator[Done]:
        """Yield the result of each task as soon as it is ready, or in the order of the tasks.

        ``chunk`` tasks are sent together.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop all workers at once."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class LocalExecutor(Executor):
    """Runs tasks in ``jobs`` processes of this machine, or in this one if there is only one job."""

    def __init__(self, jobs: int = 1, begin: Callable[[], None] = warm_up) -> None:
        """``begin`` is called once in each worker; by default it compiles the players' kernels."""
        self.jobs, self._begin = jobs, begin
        self._pool: ProcessPoolExecutor | None = None
        self._others = set(multiprocessing.active_children())

    def results(
        self, work: Callable[[Task], Done], tasks: Iterable[Task], *, in_order: bool = False, chunk: int = 1
    ) -> Iterator[Done]:
        """Yield the results; with one job each task runs when its result is requested."""
        if self.jobs <= 1:
            yield from map(work, tasks)
            return
        chunks, call = iter(tasks), _Call(work)
        pending: list[Future[list[Done]]] = []
        try:
            while True:
                while len(pending) < QUEUED_PER_WORKER * self.jobs and (some := list(islice(chunks, chunk))):
                    pending.append(self._submit(call, some))
                if not pending:
                    return
                if not in_order:
                    wait(pending, return_when=FIRST_COMPLETED)
                ready = [pending[0]] if in_order else [future for future in pending if future.done()]
                for future in ready:
                    pending.remove(future)
                    yield from future.result()
        except BrokenProcessPool:
            raise WorkerError("A worker process has died; repeat the command to resume.") from None

    def _submit(self, call: _Call[Task, Done], some: list[Task]) -> Future[list[Done]]:
        if self._pool is not None and len(self._pool._processes) >= self.jobs:
            return self._pool.submit(call, some)  # no worker starts, and Ctrl-C must not be lost here
        with ignore_interrupts():
            if self._pool is None:
                spawn = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(self.jobs, spawn, _begin_worker, (self._begin,))
            return self._pool.submit(call, some)

    def close(self) -> None:
        """Stop all workers at once."""
        if self._pool is None:
            return
        manager: Any = self._pool._executor_manager_thread  # shutdown without waiting forgets it
        self._pool.shutdown(wait=False, cancel_futures=True)
        workers = [child for child in multiprocessing.active_children() if child not in self._others]
        end = time.monotonic() + STOP_S
        while workers:
            for worker in workers:
                worker.terminate() if time.monotonic() < end else worker.kill()
            workers[0].join(timeout=0.2)
            workers = [worker for worker in workers if worker.is_alive()]
        if manager is not None:  # left running, it closes the pipe that the end of the program writes to
            manager.join()
        self._pool = None


def executor_for(
    on: str,
    jobs: int | None = None,
    begin: Callable[[], None] | None = None,
    *,
    games: Iterable[str] = (),
    players: Iterable[str] = (),
    files: Sequence[str] = (),
    packages: Sequence[str] = (),
    note: Callable[[str], None] = say_nothing,
) -> Executor:
    """Return the executor for a place: ``local``, ``ray`` or ``ray://HOST:PORT``.

    ``jobs``: how many processes; by default one, on a cluster all its CPUs. ``begin`` is called once in each
    worker and by default compiles the players' kernels. ``games``, ``players`` and ``files`` are the
    addresses, names and paths to which the tasks refer: a cluster is sent what they need, and what cannot be
    sent is refused with `UserError`. A node must have the same versions of ``packages``. ``note`` is given
    sentences about the cluster.
    """
    check_place(on)
    if on == LOCAL:
        return LocalExecutor(1 if jobs is None else jobs, begin or warm_up)
    from flagfall.arena.cluster.executor import RayExecutor
    from flagfall.arena.cluster.needs import needs_of

    return RayExecutor(on, jobs, begin or warm_up, needs_of(games, players, files, packages), note)


def check_place(on: str) -> None:
    """Raise `UserError` unless `executor_for` knows such a place."""
    host, colon, port = on.removeprefix(RAY_CLIENT).rpartition(":")
    is_address = on.startswith(RAY_CLIENT) and host and colon and port.isdecimal() and 0 < int(port) < 65536
    if on not in (LOCAL, RAY) and not is_address:
        raise UserError(
            f"{quoted(on)} is not a place where games can be played; "
            "write --on local, --on ray or --on ray://HOST:PORT."
        )


def nothing_to_prepare() -> None:
    """Prepare nothing: for workers whose tasks compile what they need."""


class _Call(Generic[Task, Done]):
    """Work on a chunk of tasks, in a worker."""

    def __init__(self, work: Callable[[Task], Done]) -> None:
        self.work = work

    def __call__(self, tasks: list[Task]) -> list[Done]:
        if _Signals.is_stopping:
            os._exit(0)
        _Signals.is_working = True
        try:
            return [self.work(task) for task in tasks]
        except SystemExit:  # told to stop; the pool would start the next task
            os._exit(0)
        finally:
            _Signals.is_working = False


class _Signals:
    """Whether this worker works on a task, and whether it was told to stop."""

    is_working = False
    is_stopping = False


def start_worker() -> None:
    """Have a worker of this machine end with its parent, and end its own programs when it is told to stop."""
    if multiprocessing.parent_process() is None:
        return  # a cluster has started this worker, and ends it
    signal.signal(signal.SIGTERM, _stop)
    end_with_parent(os.getppid())


def _begin_worker(begin: Callable[[], None]) -> None:
    start_worker()
    begin()


def _stop(number: int, frame: FrameType | None) -> None:
    """Stop a task at once; between tasks only set a flag, so that every result is sent completely."""
    _Signals.is_stopping = True
    if _Signals.is_working:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit(0)
