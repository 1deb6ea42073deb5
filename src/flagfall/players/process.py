"""Run a computer player in a process of its own.

A game runs interpreted, so that it begins at once, but a searching player needs compiled kernels. So it runs
in another process, which ignores Ctrl-C, ends with its parent, and warms up before the first question.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from random import Random
from typing import Any

from flagfall.edition import Game, Options
from flagfall.engine.mode import VARIABLE, Mode
from flagfall.errors import FlagfallError
from flagfall.players import make_player, needs_compiled

ORPHAN_CHECK_S = 1.0
"""how often a process checks that its parent lives, where the operating system does not tell it"""
READY = "ready"
_PR_SET_PDEATHSIG = 1


class ProcessEndedError(FlagfallError):
    """The player's process has ended."""

    code = "process-ended"


def kernels_for(player: str) -> Mode:
    """Return how kernels run for a player: interpreted where an answer takes milliseconds anyway."""
    return "compiled" if needs_compiled(player) else "interpreted"


@contextmanager
def ignore_interrupts() -> Iterator[None]:
    """Within the block, start processes that ignore Ctrl-C; outside the main thread nothing is changed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def kernels_of_children(kernels: Mode) -> Iterator[None]:
    """Within the block, start processes that run kernels in this mode."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = kernels
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def end_with_parent(parent: int) -> None:
    """Have this process end with its parent; on Linux the kernel kills it, even while it is stopped."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    elif hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda *_: _end_if_orphaned(parent))
        signal.setitimer(signal.ITIMER_REAL, ORPHAN_CHECK_S, ORPHAN_CHECK_S)
    _end_if_orphaned(parent)


def _end_if_orphaned(parent: int) -> None:
    if os.getppid() != parent:
        os._exit(0)


def answer_questions(
    questions: Connection, parent: int, name: str, game: Game, options: Options, seed: int
) -> None:
    """Make a player and answer questions for it until the other end is closed; runs in the new process."""
    from flagfall.players.warm import warm_up_levels
    from flagfall.setups import write_setup

    end_with_parent(parent)
    warm_up_levels()
    player = make_player(name, game, options, Random(seed))
    with suppress(Exception):  # an error message could show what its army hides
        questions.send(READY)
        while True:
            method, arguments = questions.recv()
            if method == "choose":
                questions.send(player.choose(*arguments).pack())
            else:
                questions.send(write_setup(player.set_up(*arguments)))


class PlayerProcess:
    """A player in a process of its own, asked over a pipe."""

    def __init__(self, name: str, game: Game, options: Options, seed: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._questions, theirs = spawn.Pipe()
        self.process = spawn.Process(
            target=answer_questions, args=(theirs, os.getpid(), name, game, options, seed), daemon=True
        )
        with ignore_interrupts(), kernels_of_children(kernels_for(name)):
            self.process.start()
        theirs.close()
        self._is_ready = False

    @property
    def is_ready(self) -> bool:
        """Whether it can answer without compiling first; `ProcessEndedError` if it has ended."""
        if not self._is_ready and self._questions.poll():
            self._is_ready = self._receive() == READY
        return self._is_ready

    def ask(self, method: str, *arguments: object) -> Any:
        """Return the answer; one that is not ready compiles first."""
        while not self._is_ready:
            self._is_ready = self._receive() == READY
        try:
            self._questions.send((method, arguments))
        except OSError:
            raise ProcessEndedError from None
        return self._receive()

    def _receive(self) -> Any:
        try:
            return self._questions.recv()
        except (EOFError, OSError):
            raise ProcessEndedError from None
