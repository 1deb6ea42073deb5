"""Measure how many live matches one server process carries; server and load are processes of their own.

::

    flagfall bench server --live N
      ├── flagfall serve                          on core 0, with a temporary data folder
      └── python -m bench.server_load    on core 1, all the players

Both processes are ended and the folder is removed whatever happens, also on Ctrl-C and SIGTERM.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from bench.server_load import resident_bytes
from flagfall.arena.charts import lines
from flagfall.errors import FlagfallError
from flagfall.server.settings import PREFIX

Report = Callable[[int, int, str], None]
Figures = dict[str, Any]

KNEE_STEPS = (50, 100, 200, 300, 400, 600, 800, 1000, 1300, 1600, 2000)
"""numbers of live matches tried one after the other"""
LISTED_GAMES = 100
LONG_GAMES = 5
LONG_TURNS = 300
REPLAY_PAGE = 50
START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 10.0
UNLIMITED = {
    "requests_per_s": "1000000",
    "requests_at_once": "1000000",
    "guests_per_hour": "1000000",
    "matches_per_hour": "1000000",
    "invitations_per_hour": "1000000",
    "sockets_per_minute": "1000000",
    "max_sockets": "100000",
    "max_sockets_per_address": "100000",
    "max_connections": "100000",
    "max_connections_per_address": "100000",
    "max_matches": "100000",
    "max_invitations": "100000",
    "log_level": "error",
    "workers": "1",
}
"""settings of the server under test: all players share one address, and no limit may slow them down"""


class BenchError(FlagfallError):
    """The measurement cannot continue; the message says why."""


class Plan(Struct, frozen=True, kw_only=True):
    """The settings of a measurement."""

    game: str
    live: int = 50
    every_s: float = 5.0
    """seconds between two actions of a match"""
    seconds: float = 30.0
    warm_up_s: float = 5.0
    seed: int = 1
    is_pinned: bool = True
    """server and generator each on a core of its own"""
    compresses: bool = True
    """players take compressed messages, as browsers do"""


class _Process:
    """A process that ends with its block."""

    name = ""

    def __init__(self, folder: Path, core: int | None) -> None:
        self._folder, self._core = folder, core
        self._process: subprocess.Popen[str] | None = None

    def _start(self, arguments: Sequence[str], environment: dict[str, str]) -> subprocess.Popen[str]:
        with (self._folder / f"{self.name}.log").open("a") as log:
            # In a session of its own: Ctrl-C reaches only this process, which then ends both in order.
            self._process = subprocess.Popen(
                [sys.executable, *arguments],
                env=os.environ | environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        if self._core is not None:
            os.sched_setaffinity(self._process.pid, {self._core})
        return self._process

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process is not None
        return self._process.pid

    def _error(self, what: str) -> BenchError:
        """Return an error with the last line the process wrote."""
        written = (self._folder / f"{self.name}.log").read_text(errors="replace").strip().splitlines()
        return BenchError(f"{what}{f': {written[-1][:200]}' if written else ''}")

    def stop(self) -> None:
        """End the process: politely, then by force."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if process.stdin:
                process.stdin.close()
        process.terminate()
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        finally:
            if process.stdout:
                process.stdout.close()


class ServerProcess(_Process):
    """``flagfall serve`` on a free port, with limits that are never reached."""

    name = "server"
    port = 0

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = {PREFIX + name.upper(): value for name, value in UNLIMITED.items()}
        data = str(self._folder / "data")
        command = ("-c", "from flagfall.cli import main; main()", "serve", "--port", "0", "--data", data)
        process = self._start(command, settings)
        assert process.stdout is not None
        first_line = process.stdout.readline()
        if "http://" not in first_line:
            raise self._error("the server did not start")
        self.port = int(first_line.split("http://", 1)[1].split()[0].rsplit(":", 1)[1])
        until = time.monotonic() + START_TIMEOUT_S
        while not self._is_healthy():
            if process.poll() is not None or time.monotonic() > until:
                raise self._error("the server did not start")
            time.sleep(0.05)

    def _is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    @property
    def memory(self) -> int | None:
        """Resident memory in bytes, if it can be read here."""
        return resident_bytes(self.pid)


class Generator(_Process):
    """The load generator, which answers commands."""

    name = "generator"

    def start(self, plan: Plan) -> None:
        """Start it."""
        arguments = (plan.game, str(plan.seed), "1" if plan.compresses else "0")
        self._start(("-m", "bench.server_load", *arguments), {})

    def ask(self, command: str, **arguments: object) -> Figures:
        """Send a command and wait for its answer."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(msgspec.json.encode({"do": command} | arguments).decode() + "\n")
            process.stdin.flush()
        except OSError:
            raise self._error("the load generator ended") from None
        line = process.stdout.readline()
        if not line:
            raise self._error("the load generator ended")
        answer: Figures = msgspec.json.decode(line)
        if "failed" in answer:
            raise BenchError(f"The measurement was stopped: {answer['failed']}")
        return answer


class Bench:
    """A server and a generator that talks to it."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        server_core, generator_core = _cores() if plan.is_pinned else (None, None)
        self.is_pinned = server_core is not None
        self.server, self.generator = ServerProcess(folder, server_core), Generator(folder, generator_core)

    @classmethod
    @contextlib.contextmanager
    def running(cls, plan: Plan) -> Iterator[Bench]:
        """Run both processes, and remove their folder afterwards."""
        _allow_open_files()
        with (
            tempfile.TemporaryDirectory(prefix="flagfall-bench-", ignore_cleanup_errors=True) as folder,
            _terminated_as_interrupted(),
        ):
            bench = cls(plan, Path(folder))
            try:
                bench.generator.start(plan)
                bench.restart()
                yield bench
            finally:
                bench.generator.stop()
                bench.server.stop()

    def restart(self) -> None:
        """Restart the server on the same data, so that its memory is empty."""
        self.server.stop()
        self.server.start()
        self.generator.ask("use", port=self.server.port, pid=self.server.pid)

    def play(self) -> Figures:
        """Play all matches for a while, after a warm-up."""
        plan = self.plan
        return self.generator.ask(
            "play", every_s=plan.every_s, warm_up_s=plan.warm_up_s, seconds=plan.seconds
        )


def measure_live(plan: Plan, report: Report, *, has_more: bool = True) -> Figures:
    """Return the figures of live matches; with ``has_more`` also of lists, long games and their memory."""
    stages = 7 if has_more else 4
    with Bench.running(plan) as bench:
        figures = _machine(bench)
        report(0, stages, f"{plan.live} matches are made")
        # A first match, without players, loads what the server needs for any match.
        bench.generator.ask("open-games", count=1)
        empty = bench.server.memory
        bench.generator.ask("create", count=plan.live)
        idle = bench.server.memory
        report(1, stages, f"{2 * plan.live} sockets are opened")
        bench.generator.ask("connect")
        connected = bench.server.memory
        figures["memory"] = {
            "server_bytes": empty,
            "idle_match_bytes": _per_match(empty, idle, plan.live),
            "connected_match_bytes": _per_match(empty, connected, plan.live),
        }
        report(2, stages, f"{plan.warm_up_s + plan.seconds:.0f} s of play")
        figures["live"] = {"matches": plan.live} | bench.play()
        figures["memory"]["played_match_bytes"] = _per_match(empty, bench.server.memory, plan.live)
        report(3, stages, "")
        if has_more:
            figures |= _measure_more(bench, report, stages)
        figures["load_average"][1] = _load_average()
    report(stages, stages, "")
    return figures


def _measure_more(bench: Bench, report: Report, stages: int) -> Figures:
    """Measure lists and long games on a server that has just started."""
    ask = bench.generator.ask
    report(4, stages, f"a guest with {LISTED_GAMES} games")
    guest = ask("open-games", count=LISTED_GAMES)["cookie"]
    report(5, stages, f"{LONG_GAMES} games of {LONG_TURNS} turns")
    long = ask("long-games", count=LONG_GAMES, turns=LONG_TURNS)
    bench.restart()
    listing = [ask("get", path="/api/me/matches", cookie=guest) for _ in range(2)]
    report(6, stages, "long games")
    bench.restart()
    first, *others = long["matches"]
    # The first one also loads whatever the server needs for any match.
    from_database = ask("get", path=f"/api/matches/{first}/state?since=0")
    before = bench.server.memory
    for match in others:
        ask("get", path=f"/api/matches/{match}/state?since=0")
    loaded = _per_match(before, bench.server.memory, len(others))
    last = max(0, long["turns"][0] - REPLAY_PAGE + 1)
    replay = ask("get", path=f"/api/matches/{first}/replay?first={last}&count={REPLAY_PAGE}")
    return {
        "listing": {"games": LISTED_GAMES, "first": listing[0], "second": listing[1]},
        "long_game": {
            "turns": long["turns"][0],
            "state_from_database": from_database,
            "state": ask("get", path=f"/api/matches/{first}/state?since=0"),
            "replay_last_page": replay,
            "errors": long["errors"],
        },
        "long_match_bytes": {"turns": round(sum(long["turns"][1:]) / len(others)), "bytes": loaded},
    }


def measure_knee(plan: Plan, limit_ms: float, report: Report, steps: Sequence[int] = KNEE_STEPS) -> Figures:
    """Raise the number of live matches until the 99th percentile passes the limit twice in a row."""
    tried: list[Figures] = []
    last_good = 0
    with Bench.running(plan) as bench:
        figures = _machine(bench)
        for at, count in enumerate(steps):
            for attempt in ("", ", once more"):
                report(at, len(steps), f"{count} matches{attempt}")
                bench.generator.ask("create", count=count)
                bench.generator.ask("connect")
                step = {"matches": count} | bench.play()
                step["is_good"] = is_good(step, limit_ms)
                tried.append(step)
                if step["is_good"]:
                    last_good = count
                    break
            else:
                break
        figures["load_average"][1] = _load_average()
    report(len(steps), len(steps), "")
    return figures | {"limit_ms": limit_ms, "last_good": last_good, "steps": tried}


def is_good(step: Figures, limit_ms: float) -> bool:
    """Return whether all States came in time and nothing failed."""
    late = [step["own_ms"]["p99"], step["opponent_ms"]["p99"]]
    return not step["errors"] and all(value is not None and value <= limit_ms for value in late)


def knee_plot(figures: Figures) -> str:
    """Draw the percentiles against the number of live matches; the limit is dashed."""
    curves = []
    for name, key in (("own State", "own_ms"), ("opponent's State", "opponent_ms")):
        for part in ("p50", "p99"):
            points = [
                (float(step["matches"]), step[key][part])
                for step in figures["steps"]
                if step[key][part] is not None
            ]
            curves.append((f"{name}, {part}, ms", points))
    label = (
        f"milliseconds from an action to the new State against live matches of {figures['game']}; "
        f"the limit of {figures['limit_ms']:g} ms is dashed"
    )
    return lines(curves, label, figures["limit_ms"])


def _machine(bench: Bench) -> Figures:
    plan = bench.plan
    return {
        "game": plan.game,
        "every_s": plan.every_s,
        "is_pinned": bench.is_pinned,
        "is_compressed": plan.compresses,
        "cores": os.cpu_count(),
        "load_average": [_load_average(), None],
    }


def _per_match(before: int | None, after: int | None, count: int) -> int | None:
    return None if before is None or after is None or not count else round((after - before) / count)


def _load_average() -> float | None:
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _cores() -> tuple[int | None, int | None]:
    """Return a core for the server and one for the generator, or None."""
    if not hasattr(os, "sched_getaffinity"):
        return None, None
    cores = sorted(os.sched_getaffinity(0))
    return (cores[0], cores[1]) if len(cores) > 1 else (None, None)


def _allow_open_files() -> None:
    """Raise the limit of open files as far as allowed: a match needs two sockets at both ends."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextlib.contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Let SIGTERM unwind the stack like Ctrl-C, so that processes end and the folder is removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
