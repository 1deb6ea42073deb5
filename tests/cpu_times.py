"""A pytest plugin that prints how many CPU seconds each part of the tests takes, children included.

``pytest -p tests.cpu_times`` prints tables of folders, files, tests and shared fixtures; ``make test-times``
runs it on all tests. Unlike seconds on the clock, CPU seconds are comparable on a machine that is busy. The
second figure of a line is seconds on the clock: where it is much more than the first, tests wait. A
server that several tests share counts for the test during which it works. Linux only: it reads ``/proc``.
"""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
SHOWN = 25
"""lines of each table, unless FLAGFALL_SHOWN says otherwise"""
Seconds = defaultdict[str, float]
Spent = dict[str, dict[str, float]]


def _none() -> Seconds:
    return defaultdict(float)


class ProcessTree:
    """The CPU seconds of this process and of all processes that it started, those that have ended too.

    A parent that waits for its child inherits the child's seconds. Some parents (a browser) never wait, so
    what was seen of a child is remembered as well and not counted twice.
    """

    def __init__(self) -> None:
        self._seen: dict[int, tuple[float, float]] = {}
        """process id → its own seconds, those of children that it waited for"""
        self._total = 0.0

    def seconds(self) -> float:
        """Return the CPU seconds until now."""
        now = dict(_living(os.getpid()))
        own = sum(times[0] - self._seen.get(pid, (0.0, 0.0))[0] for pid, times in now.items())
        inherited = sum(times[1] - self._seen.get(pid, (0.0, 0.0))[1] for pid, times in now.items())
        known = sum(sum(times) for pid, times in self._seen.items() if pid not in now)
        self._total += own + max(0.0, inherited - known)
        self._seen = now
        return self._total


def _living(pid: int) -> Iterator[tuple[int, tuple[float, float]]]:
    """Yield a process and all below it: its own seconds, and those of its children that have ended."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        user, system, children_user, children_system = (int(field) / TICKS_PER_S for field in fields[11:15])
        yield pid, (user + system, children_user + children_system)
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _living(int(child))


class CpuTimes:
    """Adds up the seconds of tests and fixtures here, and in the first process those of all workers."""

    def __init__(self) -> None:
        self.tests, self.fixtures, self.clock = _none(), _none(), _none()
        self._tree = ProcessTree()
        self._last = 0.0

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        before = self._tree.seconds()
        self.tests["between tests"] += before - self._last
        begun = time.perf_counter()
        result = yield
        self.clock[item.nodeid] += time.perf_counter() - begun
        self._last = self._tree.seconds()
        self.tests[item.nodeid] += self._last - before
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        before = self._tree.seconds()
        result = yield
        if fixturedef.scope != "function":
            self.fixtures[f"{fixturedef.baseid}::{fixturedef.argname}"] += self._tree.seconds() - before
        return result

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output: dict[str, Spent] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            self.tests["between tests"] += self._tree.seconds() - self._last
            output["cpu"] = {name: dict(table) for name, table in self._tables().items()}

    def _tables(self) -> dict[str, Seconds]:
        return {"tests": self.tests, "fixtures": self.fixtures, "clock": self.clock}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        spent: Spent = getattr(node, "workeroutput", {}).get("cpu", {})
        for found, table in self._tables().items():
            for name, seconds in spent.get(found, {}).items():
                table[name] += seconds

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        folders, files, functions, clock = _none(), _none(), _none(), _none()
        for name, seconds in self.tests.items():
            path = name.split("::")[0]
            for table, part in (
                (folders, "/".join(path.split("/")[:2])),
                (files, path),
                (functions, name.split("[")[0]),
            ):
                table[part] += seconds
                clock[part] += self.clock[name]
        shown = int(os.environ.get("FLAGFALL_SHOWN", SHOWN))
        for title, table in (
            ("folders", folders),
            ("files", files),
            ("tests", functions),
            ("fixtures", self.fixtures),
        ):
            terminalreporter.section(f"CPU seconds of {title}: {sum(table.values()):.0f}")
            for name, seconds in sorted(table.items(), key=lambda one: -one[1])[:shown]:
                terminalreporter.write_line(f"{seconds:8.1f} {clock[name]:8.1f}  {name}")


def pytest_configure(config: pytest.Config) -> None:
    """Count from here on."""
    if sys.platform != "linux":
        raise pytest.UsageError("CPU seconds of children are read from /proc, which only Linux has.")
    config.pluginmanager.register(CpuTimes(), "cpu-times")
