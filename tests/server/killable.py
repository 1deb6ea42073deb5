"""A look at what the process of a server holds."""

from __future__ import annotations

import json
import os
import signal
import time
from typing import NamedTuple

from tests.server.served import Served


class Census(NamedTuple):
    """What a server process holds at one moment."""

    sessions: int
    tasks: int
    threads: int
    files: int
    rss_kb: int


class KillableServer(Served):
    """A server whose process can be looked into, and that is back on its port after it was killed."""

    @property
    def pid(self) -> int:
        """The process id; 0 if the server does not run."""
        return 0 if self.process is None or self.process.code is not None else self.process.pid

    def close(self) -> None:
        if self.pid:
            self.kill()

    def census(self) -> Census:
        """Ask the process to count what it holds (see nursery.py)."""
        file = self.folder / "census.json"
        file.unlink(missing_ok=True)
        os.kill(self.pid, signal.SIGUSR1)
        until = time.monotonic() + 30
        while not file.exists():
            assert time.monotonic() < until, "the server does not count"
            time.sleep(0.02)
        return Census(**json.loads(file.read_text()))
