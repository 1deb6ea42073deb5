"""Compile the kernels in a process of its own, at low priority, while players think with interpreted ones."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import suppress

import structlog

from flagfall.engine.kernel_cache import cache_folder, complete_marker, is_saved
from flagfall.engine.mode import VARIABLE
from flagfall.players.levels import LEVELS
from flagfall.players.process import end_with_parent
from flagfall.server.workers.template import load_kernels, load_levels

LOWEST_PRIORITY = 19
MAX_ATTEMPTS = 10
MAX_PAUSE_S = 300.0
"""between two attempts to compile"""
_START = "from flagfall.server.workers.compilation import main; main()"
_LEVELS, _ALL, _UNSAVED = b"l", b"a", b"u"

logger = structlog.get_logger("flagfall.workers")


def main() -> None:
    """Compile everything, and report when the levels and when all players are ready.

    If the machine code cannot be saved, only the levels are ready: their template can compile it for itself.
    Runs in the new process; argv holds the descriptor for the reports and the server's id.
    """
    reports = int(sys.argv[1])
    end_with_parent(int(sys.argv[2]))
    with suppress(OSError):
        os.nice(LOWEST_PRIORITY)
    load_levels()
    os.write(reports, _LEVELS)
    if is_saved():
        load_kernels()
    os.write(reports, _ALL if is_saved() else _UNSAVED)


class Compilation:
    """The process that compiles the kernels; a failed one is started again after a pause, a few times."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None

    async def finished(self) -> AsyncIterator[bool]:
        """Yield False when the kernels of the levels have been compiled, and True when all are on disk."""
        for attempt in range(MAX_ATTEMPTS):
            if complete_marker().exists():
                yield True
                return
            try:
                async for report in self._run():
                    if report == _UNSAVED:
                        logger.error("the compiled kernels could not be saved", folder=str(cache_folder()))
                        return
                    yield report == _ALL
                    if report == _ALL:
                        return
            except OSError as error:
                logger.error("the kernels could not be compiled", kind=type(error).__name__)
            else:
                logger.error("the kernels could not be compiled", kind="exit")
            await asyncio.sleep(min(2.0**attempt, MAX_PAUSE_S))

    async def _run(self) -> AsyncIterator[bytes]:
        """Start a process and yield its reports."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        with ours:
            with theirs:
                self.process = subprocess.Popen(
                    [sys.executable, "-P", "-c", _START, str(theirs.fileno()), str(os.getpid())],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                    env=os.environ | {VARIABLE: "compiled", "PYTHONPATH": os.pathsep.join(sys.path)},
                )
            try:
                while report := await asyncio.get_running_loop().sock_recv(ours, 1):
                    yield report
            finally:
                self.close()

    def close(self) -> None:
        """End the process at once; what it has compiled so far is kept."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()


def is_level(player: str) -> bool:
    """Return whether a player is one of the levels, whose kernels are compiled first."""
    return any(level.id == player for level in LEVELS)
