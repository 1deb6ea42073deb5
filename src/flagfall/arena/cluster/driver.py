"""The process that drives Ray: it connects, sends chunks of tasks, and sends lost ones again.

Ray prints on its own, replaces signal handlers, and ends a process whose cluster is gone. So it is used only
here, in a process whose output is dropped and which ends with the command that started it; the command reads
outcomes from a pipe. A task that is lost with its node or its worker is sent again. Only complete outcomes
reach the pipe, each once, so nothing is counted twice.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from flagfall.arena.cluster import entry
from flagfall.arena.cluster.messages import (
    Chunk,
    Drop,
    Ended,
    Finished,
    GivenUp,
    Note,
    Place,
    Window,
)
from flagfall.arena.cluster.node import Look, Orders, Ran
from flagfall.players.process import end_with_parent

MAX_CRASHES = 3
"""how often a task may end its worker before it is given up"""
MAX_LOST_NODES = 20
"""how often a task may be lost with its node before it is given up"""
RETRY_S = 0.5
"""time before a lost task is sent again, times the number of its losses"""
CHUNKS_PER_CPU = 2
WAIT_S = 0.05
REFRESH_S = 2.0
"""how often the size of the cluster is looked up"""
NO_CPU_S = 60.0
"""how long to wait for a node when the cluster has none left"""
LOOK_S = 60.0
"""how long to wait for the first answer of every node"""
STARTS = 2
"""how often Ray is started on this machine: on a busy one the first start can take longer than Ray waits"""
STORE_BYTES = 200 * 1024 * 1024
"""memory for objects of a Ray that is started here: results are small"""
LOST = "The connection to the Ray cluster is lost; repeat the command to resume."

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_enable_metrics_collection": "0",
    "RAY_gcs_rpc_server_reconnect_timeout_s": "20",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
"""no usage statistics, no metrics; a cluster that is gone for longer counts as lost"""


class ClusterLostError(Exception):
    """Ray cannot be used any more."""


@dataclass
class Part:
    """Tasks of a chunk that are sent together: all of them, or one after a loss."""

    chunk: Chunk
    places: list[int]
    """which tasks of the chunk"""
    crashes: int = 0
    lost_nodes: int = 0


@dataclass
class Progress:
    """The outcomes of a chunk so far, by the place of the task."""

    outcomes: dict[int, tuple[bool, bytes]] = field(default_factory=dict)


def drive(pipe: Connection, parent: int, place: Place, orders: Orders) -> None:
    """Connect to Ray and run chunks until the pipe is closed; runs in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(parent)
    _drop_output()
    inbox: SimpleQueue[Chunk | Drop | None] = SimpleQueue()
    driver = None
    try:
        driver = Driver(pipe.send, place, orders)
        threading.Thread(target=_receive, args=(pipe, inbox), daemon=True).start()
        driver.run(inbox)
    except ClusterLostError as lost:
        with suppress(OSError):
            pipe.send(Ended(str(lost) or LOST))
    except OSError:  # the command is gone
        pass
    finally:
        if driver is not None:
            driver.close()


def _drop_output() -> None:
    """Send what Ray prints nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _receive(pipe: Connection, inbox: SimpleQueue[Chunk | Drop | None]) -> None:
    with suppress(EOFError, OSError):
        while True:
            inbox.put(pipe.recv())
    inbox.put(None)


class Driver:
    """The connection to Ray, and the chunks in progress."""

    def __init__(self, tell: Callable[[object], None], place: Place, orders: Orders) -> None:
        self._tell, self._place = tell, place
        self._running: dict[Any, Part] = {}
        self._waiting: deque[tuple[float, Part]] = deque()
        """lost parts, with the time at which they are sent again"""
        self._progress: dict[int, Progress] = {}
        self._window = 0
        self._next_refresh = 0.0
        self._without_cpu_since: float | None = None
        self._ray: Any = connected(place, tell)
        told = pickle.dumps(orders)
        self._look_at_nodes(told)
        self._orders = self._ray.put(told)
        self._function = self._remote(entry.run_on_node).options(num_cpus=1, scheduling_strategy="SPREAD")
        self._refresh()

    def _remote(self, function: Callable[..., object]) -> Any:
        return self._ray.remote(max_retries=0)(function)

    def _look_at_nodes(self, told: bytes) -> None:
        """Refuse a cluster with a node that would play other games; say what is there."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        nodes = [node for node in self._alive() if node["Resources"].get("CPU")]
        function = self._remote(entry.look_at_node)
        asked = []
        for node in nodes:
            where = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            asked.append(function.options(num_cpus=0, scheduling_strategy=where).remote(told))
        cpus = int(sum(node["Resources"]["CPU"] for node in nodes))
        if self._place.address:
            size = f"{counted(len(nodes), 'node')} with {counted(cpus, 'CPU')}"
            self._tell(Note(f"The Ray cluster has {size}."))
        answered, _ = self._ray.wait(asked, num_returns=len(asked), timeout=LOOK_S) if asked else ([], [])
        compiling = set()
        for ref in answered:
            try:
                seen = self._ray.get(ref)
            except self._ray.exceptions.RayTaskError as problem:
                raise ClusterLostError(_told(problem)) from None
            except self._ray.exceptions.RayError:
                continue  # a node that was just lost
            if not isinstance(seen, Look):
                raise ClusterLostError(str(seen))
            if seen.refusal:
                raise ClusterLostError(seen.refusal)
            if not seen.has_kernels:
                compiling.add(seen.host)
        for host in sorted(compiling):
            self._tell(Note(f"{host} compiles the engine before its first game (once per machine)."))

    def _alive(self) -> list[Mapping[str, Any]]:
        return [node for node in self._ray.nodes() if node["Alive"]]

    def run(self, inbox: SimpleQueue[Chunk | Drop | None]) -> None:
        """Run chunks until there is None in the inbox."""
        while True:
            is_idle = not self._running and not self._waiting
            try:
                while True:
                    order = inbox.get(timeout=REFRESH_S) if is_idle else inbox.get_nowait()
                    is_idle = False
                    if order is None:
                        return
                    self._take(order)
            except Empty:
                pass
            try:
                self._send_again()
                self._finish_some()
                self._refresh()
            except self._ray.exceptions.LocalRayletDiedError:
                raise ClusterLostError from None
            except (ConnectionError, RuntimeError):  # Ray's client says so in both ways
                raise ClusterLostError from None

    def _take(self, order: Chunk | Drop) -> None:
        if isinstance(order, Drop):
            self._cancel()
        else:
            self._progress[order.number] = Progress()
            self._send(Part(order, list(range(len(order.tasks)))))

    def _send(self, part: Part) -> None:
        tasks = [part.chunk.tasks[place] for place in part.places]
        self._running[self._function.remote(self._orders, part.chunk.work, tasks)] = part

    def _send_again(self) -> None:
        for _ in range(len(self._waiting)):
            when, part = self._waiting.popleft()
            if when <= time.monotonic():
                self._send(part)
            else:
                self._waiting.append((when, part))

    def _finish_some(self) -> None:
        if not self._running:
            time.sleep(WAIT_S)
            return
        refs = list(self._running)
        done, _ = self._ray.wait(refs, num_returns=1, timeout=WAIT_S)
        if done:
            done, _ = self._ray.wait(refs, num_returns=len(refs), timeout=0)
        for ref in done:
            self._finish(ref, self._running.pop(ref))

    def _finish(self, ref: Any, part: Part) -> None:
        problems = self._ray.exceptions
        try:
            ran = self._ray.get(ref)
        except problems.LocalRayletDiedError:
            raise
        except problems.RayTaskError as problem:
            raise ClusterLostError(_told(problem)) from None
        except problems.NodeDiedError:
            part.lost_nodes += 1
            self._lose(part)
            return
        except problems.RayError:
            part.crashes += 1
            self._lose(part)
            return
        if not isinstance(ran, Ran):
            raise ClusterLostError(str(ran))
        if ran.refusal:
            raise ClusterLostError(ran.refusal)
        progress = self._progress[part.chunk.number]
        progress.outcomes.update(zip(part.places, ran.outcomes, strict=True))
        if len(progress.outcomes) == len(part.chunk.tasks):
            del self._progress[part.chunk.number]
            self._tell(Finished(part.chunk.number, [at for _, at in sorted(progress.outcomes.items())]))

    def _lose(self, part: Part) -> None:
        """Send the tasks of a lost part again, each alone; give one up that is lost every time."""
        losses = part.crashes + part.lost_nodes
        if len(part.places) == 1 and (part.crashes >= MAX_CRASHES or part.lost_nodes >= MAX_LOST_NODES):
            self._tell(GivenUp(part.chunk.number, part.places[0], losses))
            return
        again = time.monotonic() + RETRY_S * losses
        for place in part.places:
            self._waiting.append((again, Part(part.chunk, [place], part.crashes, part.lost_nodes)))

    def _refresh(self) -> None:
        """Look up how many CPUs the cluster has, and tell how many chunks it can take."""
        now = time.monotonic()
        if now < self._next_refresh:
            return
        self._next_refresh = now + REFRESH_S
        cpus = int(sum(node["Resources"].get("CPU", 0) for node in self._alive()))
        if cpus:
            self._without_cpu_since = None
        elif self._without_cpu_since is None:
            self._without_cpu_since = now
        elif now - self._without_cpu_since > NO_CPU_S:
            raise ClusterLostError(
                "The Ray cluster has no node with a CPU left; start one, and repeat the command to resume."
            )
        window = self._place.jobs or max(1, CHUNKS_PER_CPU * cpus)
        if window != self._window:
            self._window = window
            self._tell(Window(window))

    def _cancel(self) -> None:
        running, self._running = list(self._running), {}
        self._waiting.clear()
        self._progress.clear()
        for ref in running:
            with suppress(Exception):
                self._ray.cancel(ref, force=True)

    def close(self) -> None:
        """Cancel everything and leave Ray; one that was started here ends."""
        self._cancel()
        with suppress(Exception):
            self._ray.shutdown()


def connected(place: Place, tell: Callable[[object], None]) -> Any:
    """Return Ray, connected to its cluster or started on this machine; `ClusterLostError` says why not."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    chosen: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
    if place.address:
        chosen["address"] = place.address
    else:
        tell(Note("Starting Ray on this machine …"))
        chosen |= {"address": "local", "include_dashboard": False, "object_store_memory": STORE_BYTES}
        chosen |= {"num_cpus": place.jobs, "_temp_dir": place.folder}
        _stay_on_this_machine()
    try:
        import ray
    except ImportError as missing:
        raise ClusterLostError(
            f"Ray cannot be imported ({missing}); install it with: pip install 'flagfall[cluster]'"
        ) from None
    ray.cloudpickle.register_pickle_by_value(entry)
    for attempt in range(1, STARTS + 1):
        try:
            ray.init(**chosen)
            break
        except Exception as problem:
            if place.address:
                reason = f"There is no connection to Ray at {place.address}"
            elif attempt < STARTS and "timed out" in str(problem):
                continue
            else:
                reason = "Ray does not start on this machine"
            raise ClusterLostError(f"{reason}: {_told(problem)}") from None
    return ray


def _stay_on_this_machine() -> None:
    """Have a Ray that is started here listen on the loopback address only, with a secret of its own."""
    import secrets

    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    os.environ["PYTHONPATH"] = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)


def counted(number: int, what: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "node"), counted(2, "node")
    ('1 node', '2 nodes')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _told(problem: BaseException) -> str:
    """Return Ray's reason as one line."""
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    if not lines:
        return type(problem).__name__
    line = lines[-1] if "Traceback" in str(problem) else lines[0]
    return line[:300]
