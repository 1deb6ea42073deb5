"""A hall of processes that stay for a whole run, so that each of them gets ready only once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from multiprocessing.pool import Pool
from types import TracebackType
from typing import TypeVar

from flagfall.arena.contest import begin_worker
from flagfall.arena.processes import crew

Task = TypeVar("Task")
Done = TypeVar("Done")


class Hall:
    """Does tasks in several processes, or here if there is only one."""

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs
        self._pool: Pool | None = None
        self._at_the_end = ExitStack()

    def each(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> Iterator[Done]:
        """What came of each task, as soon as it is done; in their order if there is one process."""
        if self.jobs > 1 and self._pool is None and tasks:
            self._pool = self._at_the_end.enter_context(crew(self.jobs, begin_worker))
        if self._pool is None:
            return map(work, tasks)
        return self._pool.imap_unordered(work, tasks, chunksize=1)

    def __enter__(self) -> Hall:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._at_the_end.close()
