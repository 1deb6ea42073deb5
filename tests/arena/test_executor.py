"""Worker processes: they do their tasks, and they are gone afterwards, whatever happens."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import process
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from flagfall.arena.executor import LocalExecutor, WorkerError, start_worker

LONG_ENOUGH_S = 60.0
"""for an executor to stop; only a hanging one takes so long"""


def do_nothing() -> None:
    pass


def miss_the_first_signal() -> None:
    def ignore(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    signal.signal(signal.SIGTERM, ignore)


def process_of(number: int) -> int:
    return os.getpid()


def square(number: int) -> int:
    time.sleep(0.02 if number % 3 == 0 else 0)
    return number * number


def wait_for_ever(sign: Path) -> None:
    sign.touch()
    while True:
        signal.pause()


def wait_and_clean_up(sign: Path) -> None:
    """Wait with something to end on the way out, like an external program."""
    with ExitStack() as stack:
        stack.callback(lambda: sign.with_suffix(".ended").touch())
        wait_for_ever(sign)


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_one_job_works_in_this_process_and_only_when_asked() -> None:
    with LocalExecutor(1) as executor:
        results = executor.results(process_of, count())
        assert [next(results), next(results)] == [os.getpid()] * 2


def test_results_come_as_they_are_ready_or_in_order() -> None:
    numbers = range(30)
    with LocalExecutor(2, do_nothing) as executor:
        assert sorted(executor.results(square, numbers)) == [n * n for n in numbers]
        assert list(executor.results(square, numbers, in_order=True, chunk=4)) == [n * n for n in numbers]


def test_an_endless_run_can_be_left() -> None:
    with LocalExecutor(2, do_nothing) as executor:
        results = executor.results(square, count(), in_order=True)
        assert [next(results) for _ in range(3)] == [0, 1, 4]
        del results


def test_closing_waits_for_the_thread_of_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """Left running, it would close a pipe that Python still writes to when the program ends."""
    join = process._ExecutorManagerThread.join_executor_internals

    def join_later(manager: Any) -> None:
        time.sleep(0.5)
        join(manager)

    monkeypatch.setattr(process._ExecutorManagerThread, "join_executor_internals", join_later)
    before = set(threading.enumerate())
    with LocalExecutor(2, do_nothing) as executor:
        results = executor.results(square, count())
        next(results)
    assert set(threading.enumerate()) == before


def test_a_dead_worker_is_reported() -> None:
    with LocalExecutor(2, do_nothing) as executor, pytest.raises(WorkerError, match="has died"):
        list(executor.results(die, range(2)))


def test_ctrl_c_is_not_lost_while_tasks_are_queued(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with LocalExecutor(2, do_nothing) as executor:
            list(executor.results(square, range(8)))
            pool = executor._pool
            assert pool is not None
            while len(pool._processes) < 2:
                list(executor.results(square, range(8)))
            submit = pool.submit

            def interrupted(*arguments: Any) -> Any:
                signal.raise_signal(signal.SIGINT)
                return submit(*arguments)

            monkeypatch.setattr(pool, "submit", interrupted)
            with pytest.raises(KeyboardInterrupt):
                list(executor.results(square, range(8)))
    finally:
        signal.signal(signal.SIGINT, before)


def stopped(executor: LocalExecutor, work: object, signs: list[Path]) -> None:
    """Leave the executor while it works on these tasks."""

    def run() -> None:
        with executor:
            for sign in signs:
                executor._submit(work, [sign])  # type: ignore[arg-type]
            while not all(sign.exists() for sign in signs):
                time.sleep(0.01)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(LONG_ENOUGH_S)
    assert not thread.is_alive(), "the executor still waits for its workers"


def each(work: object) -> object:
    from flagfall.arena.executor import _Call

    return _Call(work)  # type: ignore[arg-type]


def test_a_worker_that_misses_a_signal_is_told_again(tmp_path: Path) -> None:
    stopped(
        LocalExecutor(2, miss_the_first_signal), each(wait_for_ever), [tmp_path / "one", tmp_path / "two"]
    )
    assert not multiprocessing.active_children()


def test_a_stopped_worker_ends_what_it_has_started(tmp_path: Path) -> None:
    stopped(LocalExecutor(2, start_worker), each(wait_and_clean_up), [tmp_path / "one", tmp_path / "two"])
    assert {file.name for file in tmp_path.glob("*.ended")} == {"one.ended", "two.ended"}
    assert not multiprocessing.active_children()


def test_an_executor_leaves_other_processes_alone() -> None:
    other = multiprocessing.get_context("spawn").Process(target=signal.pause)
    other.start()
    try:
        with LocalExecutor(2, do_nothing) as executor:
            assert other.pid not in set(executor.results(process_of, range(4)))
        assert other.is_alive()
    finally:
        other.kill()
        other.join()


PARENT = """
import os, sys, time
from flagfall.arena.executor import LocalExecutor, start_worker
from tests.arena.test_executor import process_of
if __name__ == "__main__":
    with LocalExecutor(2, start_worker) as executor:
        pids = set()
        while len(pids) < 2:
            pids |= set(executor.results(process_of, range(8)))
        print(*pids, flush=True)
        time.sleep(600)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_when_their_parent_is_killed(tmp_path: Path, how: signal.Signals) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    root = Path(__file__).resolve().parents[2]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(root), str(root / "src")])}
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        parent.send_signal(how)
    assert len(pids) == 2
    deadline = time.monotonic() + LONG_ENOUGH_S
    while any(map(is_running, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_running, pids))


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
