"""A crew of processes, and how it is told to stop."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.pool import Pool

REMINDED_S = 0.5


@contextmanager
def crew(jobs: int, begin: Callable[[], None] | None = None) -> Iterator[Pool]:
    """So many processes, which are gone afterwards; they leave Ctrl-C to the one who started them."""
    others = set(multiprocessing.active_children())
    pool = _pool(jobs, begin)
    try:
        yield pool
    finally:
        workers = [child for child in multiprocessing.active_children() if child not in others]
        with _reminded(workers):
            pool.terminate()
            pool.join()


def _pool(jobs: int, begin: Callable[[], None] | None) -> Pool:
    with deaf_to_interrupts():
        return multiprocessing.get_context("spawn").Pool(jobs, begin)


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """A process that is started meanwhile never hears Ctrl-C; outside the main thread nothing is changed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _reminded(workers: list[multiprocessing.process.BaseProcess]) -> Iterator[None]:
    """Tell them again and again to stop.

    A worker with a handler of its own that is just about to wait for work misses the word, and would wait for
    ever, and the pool for it.
    """
    are_gone = threading.Event()

    def remind() -> None:
        while not are_gone.wait(REMINDED_S):
            for worker in workers:
                worker.terminate()

    reminder = threading.Thread(target=remind, daemon=True)
    reminder.start()
    try:
        yield
    finally:
        are_gone.set()
        reminder.join()
