"""Work on a node of a cluster: prepare a worker once, run chunks of tasks, refuse what would differ.

The first chunk compares the program with that of the machine that sent it, keeps the files that were sent,
and compiles the kernels, one worker of a machine at a time.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import socket
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from flagfall import files
from flagfall.arena.cluster.needs import (
    Needs,
    difference,
    fingerprint,
    module_digest,
    package_version,
)

COMPILES = "compiled"
SETTINGS = ("FLAGFALL_KERNELS", "FLAGFALL_BOUNDSCHECK")
"""variables of the environment that every worker has as the machine that sends the tasks"""


@dataclass(frozen=True)
class Orders:
    """What every worker of a run is told before its first task."""

    fingerprint: dict[str, str]
    needs: Needs
    environment: dict[str, str]
    begin: bytes
    """a pickled function that prepares a worker"""


@dataclass(frozen=True)
class Ran:
    """The outcome of a chunk: for each task whether it succeeded, and its pickled result or exception."""

    outcomes: list[tuple[bool, bytes]]
    refusal: str = ""
    """why this node must not run the tasks, as a sentence"""


@dataclass(frozen=True)
class Look:
    """A node, seen before the run."""

    host: str
    refusal: str
    has_kernels: bool


_checked: list[str] = []
"""the answer of `refusal_of`, once it is known in this process"""
_prepared: list[bool] = []


def look(orders: Orders) -> Look:
    """Return whether this node can run the tasks, and whether it has to compile first."""
    refusal = _checked_once(orders)
    return Look(socket.gethostname(), refusal, bool(refusal) or not _must_compile(orders.begin))


def run(orders: Orders, work: bytes, tasks: Sequence[bytes]) -> Ran:
    """Run tasks in this worker, which is prepared before its first ones."""
    if refusal := _checked_once(orders):
        return Ran([], refusal)
    if not _prepared:
        _prepare(orders.begin)
        _prepared.append(True)
    return Ran([_outcome(work, task) for task in tasks])


def _outcome(work: bytes, task: bytes) -> tuple[bool, bytes]:
    try:
        return True, pickle.dumps(pickle.loads(work)(pickle.loads(task)))
    except Exception as problem:
        problem.add_note(f"On {socket.gethostname()}:\n{traceback.format_exc()}")
        try:
            data = pickle.dumps(problem)
            pickle.loads(data)
        except Exception:
            data = pickle.dumps(RuntimeError("".join(traceback.format_exception(problem))))
        return False, data


def _checked_once(orders: Orders) -> str:
    if not _checked:
        os.environ.update(orders.environment)
        refusal = refusal_of(orders)
        files.use_sent_files(orders.needs.files)
        _checked.append(refusal)
    return _checked[0]


def refusal_of(orders: Orders) -> str:
    """Return why tasks must not run on this machine, as a sentence; empty if they may."""
    host = socket.gethostname()
    if other := difference(orders.fingerprint, fingerprint()):
        return (
            f"The node {host} would play other games: {other}; install the same version on every machine and "
            "start Ray there again."
        )
    for module, digest in orders.needs.modules.items():
        found = module_digest(module)
        if found != digest:
            trouble = f"another version of the module “{module}”" if found else f"no module “{module}”"
            return (
                f"The node {host} has {trouble}; put it there, name its folder in PYTHONPATH and start Ray "
                "again."
            )
    for package, wanted in orders.needs.packages.items():
        found = package_version(package)
        if found != wanted:
            trouble = f"{package} {found}" if found else f"no {package}"
            return (
                f"The node {host} has {trouble}, this machine {wanted}; install the same there and start Ray "
                "again."
            )
    return ""


def _must_compile(begin: bytes) -> bool:
    if os.environ.get("FLAGFALL_KERNELS") != COMPILES:
        return False
    from flagfall.engine import kernel_cache

    return not kernel_cache.complete_marker().exists() and not _marker(begin).exists()


def _marker(begin: bytes) -> Path:
    """Return the file that exists when a worker of this machine has compiled what ``begin`` compiles."""
    from flagfall.engine import kernel_cache

    marker = kernel_cache.complete_marker()
    return marker.with_name(f"{marker.name}-{hashlib.blake2b(begin, digest_size=8).hexdigest()}")


def _prepare(begin: bytes) -> None:
    """Call the pickled ``begin``; as long as it compiles, only in one process of this machine."""
    if not _must_compile(begin):
        pickle.loads(begin)()
        return
    with _one_process():
        pickle.loads(begin)()
        with suppress(OSError):
            _marker(begin).touch()


@contextmanager
def _one_process() -> Iterator[None]:
    """Wait until no other process of this machine is in the block."""
    import fcntl

    from flagfall.engine import kernel_cache

    try:
        folder = kernel_cache.use_cache_folder()
        stream = (folder / "workers.lock").open("ab")
    except OSError:  # nothing can be kept there, so that every process compiles for itself
        yield
        return
    with stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
