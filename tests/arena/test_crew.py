"""Processes that play: they do their work, and they are gone afterwards, whatever they missed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from multiprocessing.util import Finalize
from pathlib import Path
from types import FrameType
from unittest.mock import patch

from flagfall.arena import contest
from flagfall.arena.processes import crew

LONG_ENOUGH_S = 60.0
"""for a crew to go; nobody waits so long unless it stays"""


def deaf_at_first() -> None:
    """A worker that misses the first word, as one may that is just about to wait."""

    def hears(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    signal.signal(signal.SIGTERM, hears)


def process_of(number: int) -> int:
    return os.getpid()


def wait_for_ever(sign: Path) -> None:
    sign.touch()
    while True:
        signal.pause()


def test_a_worker_that_misses_the_word_is_told_again(tmp_path: Path) -> None:
    seen: set[int] = set()

    def work() -> None:
        with crew(2, deaf_at_first) as pool:
            seen.update(pool.imap_unordered(process_of, range(8)))
            signs = [tmp_path / "one", tmp_path / "two"]
            for sign in signs:
                pool.apply_async(wait_for_ever, (sign,))
            while not all(sign.exists() for sign in signs):
                time.sleep(0.01)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join(LONG_ENOUGH_S)
    assert not worker.is_alive(), "the crew is still waiting for somebody"
    assert seen
    assert not seen & {child.pid for child in multiprocessing.active_children()}


def test_a_crew_leaves_other_processes_alone() -> None:
    other = multiprocessing.get_context("spawn").Process(target=signal.pause)
    other.start()
    try:
        with crew(1) as pool:
            assert pool.apply(process_of, (1,)) != other.pid
        assert other.is_alive()
    finally:
        other.kill()
        other.join()


def ends_at_once(sign: Path) -> None:
    """A worker that has nothing to do; what is done at its end begins with not being told any more."""
    with patch.object(contest, "warm_up"):
        contest.begin_worker()
    Finalize(None, lambda: sign.write_text(str(signal.getsignal(signal.SIGTERM))), exitpriority=1)


def test_a_worker_on_its_way_out_is_not_told_to_leave(tmp_path: Path) -> None:
    """Who is told then would say so in a traceback in the middle of the table."""
    worker = multiprocessing.get_context("spawn").Process(target=ends_at_once, args=(tmp_path / "end",))
    worker.start()
    worker.join()
    assert (tmp_path / "end").read_text() == str(signal.SIG_IGN)
