"""A team of threads that shares the games of one step, without a word of Python while it plays.

Starting threads, or handing them work through Python, takes longer than a small step. So the threads of a
team stay in their kernel after a step, look for the next one for a fraction of a millisecond, and only then
go to sleep in Python. The games are cut into blocks; each thread has a row of neighbouring blocks, and one
that is through takes those that others have not begun. So nobody waits for a thread that sleeps, and if only
one core is free, a step just takes as long as with one thread. Which thread plays a game makes no difference
to it.

Interpreted, nobody helps: the calling thread plays all blocks.

The board of a team is a row of 64-bit numbers, in lines of eight::

    job    | generation, what is to be done, which set of planes, threads, games, blocks, whether all is over
    so far | blocks done, the first game with an illegal action
    then for each thread: its next block, the end of its blocks, the last generation it saw, whether it sleeps
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Final

import numpy as np

from flagfall.engine import machine
from flagfall.engine.kernel import Ints, buffer, inlined, kernel
from flagfall.engine.mode import is_compiled

GENERATION: Final = 0
JOB: Final = 1
TURN: Final = 2
THREADS: Final = 3
GAMES: Final = 4
BLOCKS: Final = 5
IS_OVER: Final = 6
DONE: Final = 8
ILLEGAL: Final = 9

_FIRST_THREAD: Final = 16
_WIDTH: Final = 8
_NEXT: Final = 0
_END: Final = 1
_SEEN: Final = 2
_SLEEPS: Final = 3

_GENERATION_BIT: Final = 24
"""a next block is kept with its generation, so that a late thread cannot take one of the next step"""
_LOOKS: Final = 6000
"""how often a thread looks for the next step before it goes to sleep; with pauses about 0.1 ms"""


@inlined
def _line(thread: int) -> int:
    return _FIRST_THREAD + _WIDTH * thread


@kernel
def publish(board: Ints, job: int, turn: int) -> int:
    """Say what is to be done in all games; return the generation."""
    generation = board[GENERATION] + 1
    board[JOB] = job
    board[TURN] = turn
    board[DONE] = 0
    board[ILLEGAL] = board[GAMES]
    begin = 0
    for thread in range(board[THREADS]):
        at = _line(thread)
        machine.store(board, at + _NEXT, generation << _GENERATION_BIT | begin)
        begin = board[at + _END]
    machine.store(board, GENERATION, generation)
    return generation


@kernel
def claim(board: Ints, me: int, generation: int) -> int:
    """Return a block that nobody has begun, or -1."""
    threads = board[THREADS]
    for k in range(threads):
        at = _line((me + k) % threads)
        while True:
            found = machine.load(board, at + _NEXT)
            if found >> _GENERATION_BIT != generation:
                return -1
            block: int = found & ((1 << _GENERATION_BIT) - 1)
            if block >= board[at + _END]:
                break
            if machine.swap(board, at + _NEXT, found, found + 1):
                return block
    return -1


@kernel
def finish(board: Ints) -> None:
    """Wait until the blocks that others have begun are done."""
    while machine.load(board, DONE) < board[BLOCKS]:
        machine.pause()


@kernel
def wait(board: Ints, me: int) -> int:
    """Return the next generation as soon as there is one; 0 if it is time to sleep."""
    at = _line(me)
    for _ in range(_LOOKS):
        generation: int = machine.load(board, GENERATION)
        if machine.load(board, IS_OVER) != 0:
            return 0
        if generation != board[at + _SEEN]:
            board[at + _SEEN] = generation
            return generation
        machine.pause()
    machine.store(board, at + _SLEEPS, 1)
    return 0


Work = Callable[[int], object]


class Team:
    """The threads that help the one that calls."""

    def __init__(self, games: int, threads: int, block: int) -> None:
        """Cut ``games`` into blocks of at most ``block`` games."""
        lines = np.zeros(_line(threads) + _WIDTH, dtype=np.int64)
        self._row = lines[-lines.ctypes.data // 8 % _WIDTH :][: _line(threads)]
        self.board: Ints = buffer(self._row)
        """what the kernels of the team read and write"""
        blocks = -(-games // block)
        self._row[[THREADS, GAMES, BLOCKS]] = threads, games, blocks
        for thread in range(threads):
            self._row[_line(thread) + _END] = blocks * (thread + 1) // threads
            self._row[_line(thread) + _SLEEPS] = 1
        self.size = threads
        self._locks: list[threading.Lock] = []
        self._threads: list[threading.Thread] = []

    def start(self, work: Work) -> None:
        """Start the threads; each calls ``work`` with its number whenever it is woken."""
        if self._threads or not is_compiled():
            return
        for me in range(1, self.size):
            lock = threading.Lock()
            lock.acquire()
            self._locks.append(lock)
            name = f"flagfall.rl {me}"
            helper = threading.Thread(target=_help, args=(self._row, lock, work, me), name=name, daemon=True)
            helper.start()
            self._threads.append(helper)
        self._end = weakref.finalize(self, _end, self._row, self._locks, self._threads)

    def helpers(self) -> int:
        """Return how many threads help."""
        return len(self._threads)

    def wake(self) -> None:
        """Wake the threads that sleep, before a step."""
        for me, lock in enumerate(self._locks, start=1):
            if self._row[_line(me) + _SLEEPS]:
                self._row[_line(me) + _SLEEPS] = 0
                lock.release()

    def close(self) -> None:
        """End the threads; the calling thread goes on alone."""
        if self._threads:
            self._end()
            self._threads, self._locks = [], []


def _help(row: np.ndarray, lock: threading.Lock, work: Work, me: int) -> None:
    """Help whenever woken, until all is over."""
    while True:
        lock.acquire()
        if row[IS_OVER]:
            return
        work(me)


def _end(row: np.ndarray, locks: list[threading.Lock], helpers: list[threading.Thread]) -> None:
    row[IS_OVER] = 1
    for lock in locks:
        if lock.locked():
            lock.release()
    for helper in helpers:
        if helper is not threading.current_thread():
            helper.join()
