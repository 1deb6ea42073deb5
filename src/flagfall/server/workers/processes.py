"""Handles of the template process and of the workers that it forks, on the server's side."""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
import subprocess
import sys
from contextlib import suppress
from typing import Any, Literal

from flagfall.engine.mode import VARIABLE
from flagfall.errors import FlagfallError
from flagfall.server.workers.jobs import LENGTH
from flagfall.server.workers.template import COMMAND, FORK, FORKED, KILL, READY, REPORT

Kernels = Literal["compiled", "interpreted"]
MAX_ANSWER_BYTES = 2 << 20
"""the largest answer is a checked box with everything about one of its games"""
STOP_S = 0.5
"""how long a template may take to stop before it is killed"""
_ONE_THREAD = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
_START = "from flagfall.server.workers.template import main; main()"


class ProcessDiedError(FlagfallError):
    """A template or a worker has ended."""

    code = "process-died"


class ForkFailedError(ProcessDiedError):
    """The system cannot start another process now; the template and its other workers go on."""

    code = "fork-failed"


class WorkerProcess:
    """One worker, which does one job at a time."""

    def __init__(self, template: TemplateProcess, number: int, pid: int, jobs: socket.socket) -> None:
        self._template, self.number, self.pid, self._jobs = template, number, pid, jobs

    async def ask(self, message: bytes) -> bytes:
        """Send a job and wait for the answer; after a failure or a timeout kill this worker."""
        loop = asyncio.get_running_loop()
        try:
            await loop.sock_sendall(self._jobs, LENGTH.pack(len(message)) + message)
            (length,) = LENGTH.unpack(await self._receive_exactly(LENGTH.size))
            if length > MAX_ANSWER_BYTES:
                raise ProcessDiedError
            return await self._receive_exactly(length)
        except OSError as error:
            raise ProcessDiedError from error

    def tell(self, message: bytes) -> None:
        """Send an idle worker something that has no answer; `ProcessDiedError` if it takes nothing."""
        data = LENGTH.pack(len(message)) + message
        try:
            is_sent = self._jobs.send(data) == len(data)
        except OSError as error:
            raise ProcessDiedError from error
        if not is_sent:
            raise ProcessDiedError

    async def _receive_exactly(self, size: int) -> bytes:
        loop = asyncio.get_running_loop()
        data = bytearray()
        while len(data) < size:
            part = await loop.sock_recv(self._jobs, size - len(data))
            if not part:
                raise ProcessDiedError
            data += part
        return bytes(data)

    def kill(self) -> None:
        """Kill the process, even a stopped one; its parent does it, so that no other process is hit."""
        self._jobs.close()
        self._template.kill(self.number)


class TemplateProcess:
    """A template process, which forks workers and kills them on command."""

    def __init__(self, kernels: Kernels) -> None:
        """Start the process; call it in the main thread, with which the process ends."""
        self._control, theirs = socket.socketpair()
        self._control.setblocking(False)
        self._numbers = itertools.count(1)
        self._forks: dict[int, asyncio.Future[int]] = {}
        self._is_ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_alive = True
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, str(theirs.fileno()), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                env=os.environ | _ONE_THREAD | {VARIABLE: kernels, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
        self._reading = asyncio.get_running_loop().create_task(self._read())

    @property
    def pid(self) -> int:
        """The process id of the template itself."""
        return self._process.pid

    async def ready(self) -> None:
        """Wait until it has warmed up; `ProcessDiedError` if it ends before."""
        await asyncio.shield(self._is_ready)

    async def fork(self) -> WorkerProcess:
        """Return a new warm worker."""
        number = next(self._numbers)
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        self._forks[number] = asyncio.get_running_loop().create_future()
        try:
            with theirs:
                self._command(FORK, number, theirs.fileno())
            return WorkerProcess(self, number, await self._forks[number], ours)
        except BaseException:
            ours.close()
            raise
        finally:
            self._forks.pop(number, None)

    def kill(self, number: int) -> None:
        """Kill the worker with this number, if it exists."""
        with suppress(ProcessDiedError):
            self._command(KILL, number)

    def close(self, *, is_stuck: bool = False) -> None:
        """End the process and all its workers, without waiting for one that is stuck or not ready yet."""
        self._reading.cancel()
        self._fail()
        was_ready = self._is_ready.done() and not self._is_ready.exception()
        self._control.close()
        if was_ready and not is_stuck:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_S)
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S)

    def _command(self, command: bytes, number: int, *descriptors: int) -> None:
        try:
            socket.send_fds(self._control, [COMMAND.pack(command, number)], descriptors)
        except OSError as error:
            raise ProcessDiedError from error

    async def _read(self) -> None:
        """Read the template's reports until it ends."""
        loop = asyncio.get_running_loop()
        data = b""
        with suppress(OSError):
            while part := await loop.sock_recv(self._control, 4096):
                data += part
                while len(data) >= REPORT.size:
                    self._take(*REPORT.unpack(data[: REPORT.size]))
                    data = data[REPORT.size :]
        self._fail()

    def _take(self, report: bytes, number: int, pid: int) -> None:
        if report == READY:
            self._is_ready.set_result(None)
        elif (fork := self._forks.get(number)) is not None and not fork.done():
            if report == FORKED:
                fork.set_result(pid)
            else:
                fork.set_exception(ForkFailedError())

    def _fail(self) -> None:
        self.is_alive = False
        futures: list[asyncio.Future[Any]] = [self._is_ready, *self._forks.values()]
        for future in futures:
            if not future.done():
                future.set_exception(ProcessDiedError())
                future.exception()
