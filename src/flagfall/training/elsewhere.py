"""Work of a learner in other processes, and the time that it costs their processors."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Generic

from flagfall.arena.executor import Done, Executor, LocalExecutor, Task

HERE = LocalExecutor()
"""plays everything in this process"""


class Spent:
    """The processor's seconds that were spent for a run in other processes."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def results(
        self, executor: Executor, work: Callable[[Task], Done], tasks: Iterable[Task]
    ) -> Iterator[Done]:
        """Yield the results of the tasks in their order, and count what they cost elsewhere."""
        for done, seconds in executor.results(_Timed(work), tasks, in_order=True):
            self.seconds += seconds
            yield done


def begin_learning() -> None:
    """Prepare a worker: compile the engine, and what many games at once are played with."""
    from flagfall.engine.warm import warm_up
    from flagfall.rl import VectorEnv

    warm_up()
    VectorEnv("mini/3x3", 1, setups="agent").reset()


class _Timed(Generic[Task, Done]):
    def __init__(self, work: Callable[[Task], Done]) -> None:
        self._work, self._home = work, _process()

    def __call__(self, task: Task) -> tuple[Done, float]:
        begun = time.process_time()
        done = self._work(task)
        return done, 0.0 if _process() == self._home else time.process_time() - begun


def _process() -> tuple[str, int]:
    return socket.gethostname(), os.getpid()
