"""Starts servers quickly: everything is imported once, each server is a fork of this process.

Reads lines ``port folder`` from standard input; answers each with the process id of a new server. On SIGUSR1
a server writes what it holds to ``census.json`` in its folder.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
import threading
from functools import partial
from pathlib import Path

from flagfall.players.process import end_with_parent
from flagfall.server.serve import serve
from flagfall.server.sessions.session import MatchSession
from flagfall.server.settings import load_settings


def census(folder: Path, *_: object) -> None:
    """Count what is alive in this process and write it down."""
    gc.collect()
    alive = gc.get_objects()
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    counted = {
        "sessions": sum(isinstance(one, MatchSession) for one in alive),
        "tasks": len(asyncio.all_tasks()),
        "threads": threading.active_count(),
        "files": len(list(Path("/proc/self/fd").iterdir())) if lines else 0,
        "rss_kb": next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0),
    }
    draft = folder / "census.draft"
    draft.write_text(json.dumps(counted))
    draft.rename(folder / "census.json")


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    nursery = os.getpid()
    for line in sys.stdin:
        port, folder = line.rstrip("\n").split(" ", 1)
        pid = os.fork()
        if pid == 0:
            end_with_parent(nursery)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGUSR1, partial(census, Path(folder)))
            sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115
            sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
            serve(load_settings({"port": int(port), "data": folder}, os.environ))
            os._exit(0)
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
