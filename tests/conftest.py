"""What holds for all tests: same examples every time, their order, the end of their processes."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator

import pytest
from hypothesis import settings

from tests import children

os.environ.setdefault(
    "FLAGFALL_BOUNDSCHECK", "1"
)  # machine code checks every index; `make kernels` compiles it
settings.register_profile("tests", derandomize=not os.environ.get("FLAGFALL_SOAK"), deadline=None)
settings.load_profile("tests")

LONG_FIRST = (
    "browser 2",
    "browser 0",
    "arena/test_cluster.py",
    "server/test_chaos",
    "server/admin",
    "browser 1",
    "server/test_schema",
    "server/test_memory",
    "browser 3",
    "server/",
    "compatibility/",
    "bench/",
    "cli/",
    "terminal/",
    "browser 4",
    "dataset/",
    "training/",
    "laws/",
    "project/test_kernel_digest",
    "players/",
    "protocol/",
    "arena/",
    "tuning/",
    "analysis/",
    "puzzles/",
    "rl/",
    "project/",
    "languages/",
)
"""where the long tests are, in the order in which they start

Tests of servers and commands wait much, those of browsers, laws and players compute: they are mixed, so that
both cores have something to do. What comes last is short, so that all workers end together.
"""
CROWDED = (
    "e2e/",
    "server/",
    "cli/",
    "terminal/",
    "arena/",
    "bench/",
    "dataset/",
    "protocol/",
    "training/",
    "project/",
)
"""where tests wait for browsers, servers and other processes: one that fails is tried once more"""
BROWSERS = (
    ("test_access", "test_review", "test_lab", "test_workshop", "test_my_games", "test_puzzles"),
    ("test_lessons", "test_connection"),
    ("test_powers", "test_strangers"),
    ("test_whole_games", "test_motion"),
)
"""tests that share a browser and its server, numbered from 1; all others share one more, number 0"""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while modules are imported and thousands of tests made: almost all of it stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the long tests first, and give each group of tests with a browser one worker."""

    def browser(item: pytest.Item) -> int | None:
        """The number of the group of a test with a browser."""
        if "browser" not in getattr(item, "fixturenames", ()):
            return None
        return next((at for at, files in enumerate(BROWSERS, 1) if item.path.stem in files), 0)

    def place(item: pytest.Item) -> int:
        group = browser(item)
        name = item.nodeid.removeprefix("tests/") if group is None else f"browser {group}"
        return next((at for at, start in enumerate(LONG_FIRST) if name.startswith(start)), len(LONG_FIRST))

    items.sort(key=place)
    for item in items:
        if item.nodeid.removeprefix("tests/").startswith(CROWDED):
            item.add_marker(pytest.mark.flaky(reruns=1))
        if (group := browser(item)) is not None:
            item.add_marker(pytest.mark.xdist_group(f"browser {group}"))


def pytest_collection_finish() -> None:
    """Look for garbage less often, and not among the thousands of tests that stay until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


@pytest.fixture(autouse=True)
def _no_process_left() -> Iterator[None]:
    yield
    children.end_all()
