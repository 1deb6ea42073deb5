"""Starts servers quickly: everything is imported once, each server is a fork of this process.

Reads requests from standard input and answers each, a line of JSON at a time. A request with ``arguments``
starts `flagfall` with them and is answered with the process id; one with ``wait`` is answered with the exit
code of that process, or null while it runs. On SIGUSR1 a server writes what it holds to ``census.json`` in
its folder.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import signal
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import alembic.command  # noqa: F401 (imported late by the server)

from flagfall.cli import main as flagfall
from flagfall.cli.app import app  # noqa: F401 (imported late by the command line)
from flagfall.players.process import end_with_parent
from flagfall.server import serve  # noqa: F401 (imported late by the command line)
from flagfall.server.sessions.session import MatchSession


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


def run(request: Any) -> None:
    """Run `flagfall` in a fork, with its own environment, output files, constants and limit of open files."""
    folder = Path(request["folder"])
    for descriptor, file, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, folder / "server.out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        (2, folder / "server.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND),
    ):
        opened = os.open(file, flags, 0o666)
        os.dup2(opened, descriptor)
        os.close(opened)
    signal.signal(signal.SIGUSR1, partial(census, folder))
    os.environ.clear()
    os.environ.update(request["environment"])
    for name, value in request["constants"].items():
        module, _, constant = name.rpartition(".")
        setattr(sys.modules[module], constant, value)
    if request["open_files"]:
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (request["open_files"], hard))
    flagfall(request["arguments"])


def start(request: Any) -> int:
    nursery, pid = os.getpid(), os.fork()
    if pid:
        return pid
    end_with_parent(nursery)
    code = 1
    try:
        run(request)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def exit_code(pid: int) -> int | None:
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


def main() -> None:
    end_with_parent(os.getppid())
    for line in sys.stdin:
        request = json.loads(line)
        answer = exit_code(request["wait"]) if "wait" in request else start(request)
        sys.stdout.write(f"{json.dumps(answer)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
