"""An executor over a Ray cluster, for the command that wants the results."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import shutil
import socket
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from flagfall.arena.cluster.driver import LOST, drive
from flagfall.arena.cluster.messages import (
    RAY_CLIENT,
    Chunk,
    Drop,
    Ended,
    Finished,
    GivenUp,
    Note,
    Place,
    Window,
)
from flagfall.arena.cluster.needs import Needs, fingerprint
from flagfall.arena.cluster.node import SETTINGS, Orders
from flagfall.arena.executor import Done, Executor, Task, WorkerError
from flagfall.engine import mode
from flagfall.errors import quoted
from flagfall.extras import require
from flagfall.players.process import ignore_interrupts, kernels_of_children

REACH_S = 5.0
"""how long to wait for an address to answer"""
STOP_S = 10.0
"""time for the process that drives Ray to cancel its tasks before it is killed"""
MAX_AHEAD = 4
"""in order: chunks that wait for an earlier one, for each that may be in progress"""
MAX_NAMED_CHARS = 100


class RayExecutor(Executor):
    """Runs tasks on a Ray cluster; Ray itself is used in a process of its own (`drive`)."""

    def __init__(
        self,
        on: str,
        jobs: int | None,
        begin: Callable[[], None],
        needs: Needs,
        note: Callable[[str], None],
    ) -> None:
        require("cluster", "--on ray")
        self._address, self._jobs, self._note = address_of(on), jobs, note
        kernels = {name: os.environ.get(name, "") for name in SETTINGS} | {mode.VARIABLE: mode.mode()}
        self._orders = Orders(fingerprint(), needs, kernels, pickle.dumps(begin))
        self._process: Any = None
        self._pipe: Connection | None = None
        self._folder = ""
        self._window = 0
        self._number = 0

    def results(
        self, work: Callable[[Task], Done], tasks: Iterable[Task], *, in_order: bool = False, chunk: int = 1
    ) -> Iterator[Done]:
        """Yield the results; chunks that are lost on the cluster are run again, and none is yielded twice."""
        coming, call = iter(tasks), pickle.dumps(work)
        if not (upcoming := list(islice(coming, chunk))):
            return
        pending: dict[int, list[Task]] = {}
        ready: dict[int, list[Done]] = {}
        order: deque[int] = deque()
        try:
            while True:
                while upcoming and len(pending) < self._window and len(order) < MAX_AHEAD * self._window:
                    self._number += 1
                    pending[self._number] = upcoming
                    order.append(self._number)
                    self._send(Chunk(self._number, call, [pickle.dumps(task) for task in upcoming]))
                    upcoming = list(islice(coming, chunk))
                if not upcoming and not order:
                    return
                self._receive(pending, ready)
                while order and (order[0] if in_order else next(iter(ready), 0)) in ready:
                    number = order[0] if in_order else next(iter(ready))
                    order.remove(number)
                    yield from ready.pop(number)
        finally:
            if pending:
                with suppress(WorkerError):
                    self._send(Drop())

    def _receive(self, pending: dict[int, list[Task]], ready: dict[int, list[Done]]) -> None:
        """Read the next message of the process that drives Ray."""
        try:
            message = self._connected().recv()
        except (EOFError, OSError):
            raise WorkerError(LOST) from None
        match message:
            case Window(chunks):
                self._window = chunks
            case Note(sentence):
                self._note(sentence)
            case Finished(number, outcomes) if number in pending:
                del pending[number]
                ready[number] = [_result(*outcome) for outcome in outcomes]
            case GivenUp(number, index, times) if number in pending:
                task = quoted(repr(pending[number][index]), MAX_NAMED_CHARS)
                raise WorkerError(
                    f"The task {task} was lost with its worker {times} times and is given up; the others are "
                    "kept. Look at the logs of Ray, and repeat the command to resume."
                )
            case Ended(sentence):
                raise WorkerError(sentence)

    def _send(self, message: object) -> None:
        try:
            self._connected().send(message)
        except OSError:
            self._tell_end()

    def _tell_end(self) -> None:
        """Raise `WorkerError` with the last sentence of the process that drives Ray, if it sent one."""
        with suppress(EOFError, OSError):
            while self._pipe is not None and self._pipe.poll():
                if isinstance(message := self._pipe.recv(), Ended):
                    raise WorkerError(message.sentence)
        raise WorkerError(LOST)

    def _connected(self) -> Connection:
        """Return the pipe to the process that drives Ray, which is started first."""
        if self._pipe is None:
            check_answers(self._address)
            spawn = multiprocessing.get_context("spawn")
            self._folder = "" if self._address else tempfile.mkdtemp(prefix="flagfall-ray-")
            place = Place(self._address, self._jobs, self._folder)
            self._pipe, theirs = spawn.Pipe()
            arguments = theirs, os.getpid(), place, self._orders
            self._process = spawn.Process(target=drive, args=arguments, daemon=True)
            with ignore_interrupts(), kernels_of_children("interpreted"):
                self._process.start()
            theirs.close()
        return self._pipe

    def close(self) -> None:
        """Cancel the tasks on the cluster and stop a Ray that was started for them."""
        if self._process is None:
            return
        process, self._process = self._process, None
        try:
            if self._pipe is not None:
                self._pipe.close()
            process.join(STOP_S if self._window else 0)
        finally:  # also when Ctrl-C is pressed again
            process.kill()
            process.join()
            self._pipe, self._window = None, 0
            if self._folder:
                shutil.rmtree(self._folder, ignore_errors=True)


def _result(succeeded: bool, data: bytes) -> Any:
    found = pickle.loads(data)
    if succeeded:
        return found
    raise found


def address_of(on: str) -> str:
    """Return the address of a cluster: as given, of ``RAY_ADDRESS``, or of a Ray that runs here.

    It is empty if Ray is to be started on this machine.
    """
    if on.startswith(RAY_CLIENT):
        return on
    if address := os.environ.get("RAY_ADDRESS", ""):
        return "" if address == "local" else address
    started = Path(os.environ.get("RAY_TMPDIR", "/tmp"), "ray", "ray_current_cluster")
    return "auto" if started.exists() else ""


def check_answers(address: str) -> None:
    """Raise `WorkerError` within seconds if nothing answers at an address of a cluster."""
    host, colon, port = address.removeprefix(RAY_CLIENT).rpartition(":")
    if not colon or not port.isdecimal():
        return  # none, or “auto”, which Ray looks up itself
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=REACH_S).close()
    except OSError as problem:
        raise WorkerError(
            f"Nothing answers at {address} ({problem.strerror or problem}); check the address, and that Ray "
            "runs there."
        ) from None
