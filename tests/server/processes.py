"""Which processes a server has started, read from /proc."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path


def _fields(pid: int) -> list[str]:
    """Fields of /proc/PID/stat from the state on; empty if there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def is_running(pid: int) -> bool:
    """Whether a process exists and has not ended."""
    fields = _fields(pid)
    return bool(fields) and fields[0] not in "ZX"


def descendants(pid: int) -> dict[int, int]:
    """Running processes that this one has started, directly or not, each with its parent."""
    everybody = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal())
    parents = {one: int(fields[1]) for one in everybody if (fields := _fields(one)) and fields[0] not in "ZX"}
    found: dict[int, int] = {}
    known = {pid}
    while more := {one: parent for one, parent in parents.items() if parent in known and one not in found}:
        found |= more
        known |= set(more)
    return found


def leaves(pid: int) -> set[int]:
    """Those of them that have started nobody themselves: the workers.

    A new process that does not run its own program yet is left out: the server waits for it, so a signal
    that stops it would stop the server too.
    """
    found = descendants(pid)
    return {one for one in set(found) - set(found.values()) if b"flagfall.server.workers" in command(one)}


def command(pid: int) -> bytes:
    """The command line of a process; empty if there is no such process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def eventually(claim: Callable[[], bool], within_s: float = 15.0) -> bool:
    """Whether a claim becomes true; the time is a generous limit, not a measurement."""
    until = time.monotonic() + within_s
    while not claim():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def all_gone(pids: Iterable[int]) -> bool:
    """Whether none of these processes runs any more, within a while."""
    watched = list(pids)
    return eventually(lambda: not any(map(is_running, watched)))
