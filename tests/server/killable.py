"""A server that can be killed and is back at once, and a look at what its process holds."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import httpx

from tests.server.served import ROOMY, Served

START_S = 60.0
STOP_S = 60.0


class Census(NamedTuple):
    """What a server process holds at one moment."""

    sessions: int
    tasks: int
    threads: int
    files: int
    rss_kb: int


class KillableServer(Served):
    """A server forked from a process that has everything imported already (nursery.py)."""

    def __init__(self, folder: Path, **settings: str) -> None:
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            super().__init__(folder, free.getsockname()[1], **settings)
        with (folder / "server.log").open("a") as log:
            self.nursery = subprocess.Popen(
                [sys.executable, "-P", str(Path(__file__).with_name("nursery.py"))],
                env=os.environ | ROOMY | self.settings,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self.pid = 0

    def start(self) -> KillableServer:
        assert self.nursery.stdin is not None
        assert self.nursery.stdout is not None
        self.nursery.stdin.write(f"{self.port} {self.folder}\n")
        self.nursery.stdin.flush()
        self.pid = int(self.nursery.stdout.readline())
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            with suppress(httpx.HTTPError):
                if httpx.get(f"{self.url}/health", timeout=10).status_code == 200:
                    return self
            time.sleep(0.02)
        raise AssertionError(self.log()[-2000:])

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        self._end(signal.SIGTERM)
        return 0

    def _end(self, how: signal.Signals) -> None:
        """Send the signal and wait until the process is gone."""
        until = time.monotonic() + STOP_S
        with suppress(ProcessLookupError):
            if self.pid:
                os.kill(self.pid, how)
            while self.pid:
                os.kill(self.pid, 0)
                assert time.monotonic() < until, f"the server does not end after {how.name}"
                time.sleep(0.005)
        self.pid = 0

    def close(self) -> None:
        self.kill()
        assert self.nursery.stdin is not None
        assert self.nursery.stdout is not None
        self.nursery.stdin.close()
        self.nursery.wait(timeout=30)
        self.nursery.stdout.close()

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
