"""Games on a Ray cluster: the same games, every one once, whatever happens to a node."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from flagfall.arena.cluster import executor as cluster_executor
from flagfall.arena.cluster.needs import fingerprint
from flagfall.arena.contest import play_all
from flagfall.arena.executor import (
    Executor,
    LocalExecutor,
    WorkerError,
    executor_for,
    nothing_to_prepare,
)
from flagfall.arena.plan import Plan, rounds
from flagfall.arena.run_file import ResultsFile
from tests.arena.ray_nodes import die_of_seven, fail, large, node_of, wait_for_ever
from tests.arena.test_executor import is_running
from tests.children import ENDS_WITH_PARENT

pytestmark = [
    pytest.mark.skipif(find_spec("ray") is None, reason="needs the extra “cluster”"),
    pytest.mark.xdist_group("cluster"),
    pytest.mark.timeout(600),
]
ROOT = Path(__file__).resolve().parents[2]
STARTS = 3
PATIENCE_S = 300.0
"""for processes to start or to end; only a hanging one takes so long"""
LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "f" * 64}
"""Ray stays on this machine, as where the command starts it"""
QUICK_LOSS = {"RAY_gcs_rpc_server_reconnect_timeout_s": "5"}


@dataclass
class Cluster:
    """Two nodes with a CPU each."""

    process: subprocess.Popen[str]

    def tell(self, order: str) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{order}\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() in ("done\n", "")


@pytest.fixture(scope="module")
def folder() -> Iterator[str]:
    """A short path: Ray keeps sockets there, whose names may not be long."""
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def cluster(folder: str) -> Iterator[Cluster]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**LOOPBACK, **QUICK_LOSS, "RAY_TMPDIR": folder}.items():
            patch.setenv(name, value)
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "src")]))
        process, address = started(folder)
        try:
            assert address, Path(folder, "stderr").read_text()
            patch.setenv("RAY_ADDRESS", address)
            yield Cluster(process)
        finally:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None
                pipe.close()


def started(folder: str) -> tuple[subprocess.Popen[str], str]:
    """Start the nodes in a process that ends with this one, and they with it; return it and their address.

    On a busy machine a start can take longer than Ray waits, so it is tried again.
    """
    code = f"{ENDS_WITH_PARENT}from tests.arena.ray_nodes import main; main()"
    for attempt in range(1, STARTS + 1):
        with Path(folder, "stderr").open("w") as errors:
            process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=ROOT,
            )
        assert process.stdin is not None
        assert process.stdout is not None
        if (address := process.stdout.readline().strip()) or attempt == STARTS:
            break
        process.stdin.close()
        process.stdout.close()
        process.wait()
    return process, address


@pytest.fixture(scope="module")
def executor(cluster: Cluster) -> Iterator[Executor]:
    with executor_for("ray", begin=nothing_to_prepare) as executor:
        yield executor


def played(file: Path, jobs: int | None, on: str) -> list[object]:
    """The games of a results file, without what the clock says."""
    players = "greedy", "random"
    plan = Plan(game="mini/3x3", options={}, players=players, nodes=10, time_ms=None, max_turns=40)
    with ResultsFile(plan, file) as results:
        for game in play_all(plan, rounds(2, 10), jobs, on):
            results.add(game)
    with ResultsFile(plan, file) as results:
        games = results.in_order()
    assert len(games) == 10
    return [(game.round, game.winner, game.reason, game.turns, bytes(game.record)) for game in games]


def test_the_same_seeds_give_the_same_games_wherever_they_run(cluster: Cluster, tmp_path: Path) -> None:
    here = played(tmp_path / "one", 1, "local")
    assert played(tmp_path / "two", 2, "local") == here
    assert played(tmp_path / "ray", None, "ray") == here


def test_the_same_seed_learns_the_same_wherever_games_are_played(executor: Executor) -> None:
    pytest.importorskip("torch")
    from tests.training.learning import learned

    here = learned(LocalExecutor())
    with executor_for("local", 2, begin=nothing_to_prepare) as two:
        assert learned(two) == here
    assert learned(executor) == here


def test_a_lost_node_loses_no_result_and_doubles_none(cluster: Cluster, executor: Executor) -> None:
    numbers, nodes = [], set()
    results = executor.results(node_of, range(200), in_order=True, chunk=2)
    for number, node in results:
        numbers.append(number)
        nodes.add(node)
        if number == 60:
            assert len(nodes) == 2
            cluster.tell("kill")
    assert numbers == list(range(200))


def test_a_node_that_joins_late_works_too(cluster: Cluster, executor: Executor) -> None:
    cluster.tell("add")
    nodes: set[int] = set()
    results = executor.results(node_of, range(10**6))
    deadline = time.monotonic() + PATIENCE_S
    while len(nodes) < 2 and time.monotonic() < deadline:
        nodes.add(next(results)[1])
    results.close()  # type: ignore[attr-defined]
    assert len(nodes) == 2


def test_a_task_that_always_ends_its_worker_is_given_up_and_named(executor: Executor) -> None:
    done: list[int] = []
    with pytest.raises(WorkerError, match="The task “7” was lost with its worker 3 times"):
        done.extend(executor.results(die_of_seven, range(6, 12), chunk=3))
    assert 7 not in done
    assert sorted(executor.results(abs, [-3, -4])) == [3, 4], "the executor still works"


def test_an_error_of_a_task_is_raised_here_with_the_place_where_it_happened(executor: Executor) -> None:
    with pytest.raises(LookupError, match="5 is not there") as problem:
        list(executor.results(fail, [5]))
    assert "On " in problem.value.__notes__[0]


def test_large_results_arrive(executor: Executor) -> None:
    found = executor.results(large, [1, 2, 3], in_order=True)
    assert [(len(each), each[0]) for each in found] == [(5_000_000, 1), (5_000_000, 2), (5_000_000, 3)]


def test_a_node_that_would_play_other_games_is_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_executor, "fingerprint", lambda: {**fingerprint(), "Flagfall": "9.9"})
    with executor_for("ray") as executor, pytest.raises(WorkerError, match="would play other games") as told:
        list(executor.results(abs, [1]))
    assert "this machine 9.9" in str(told.value)


def test_closing_ends_the_tasks_on_the_cluster(cluster: Cluster, tmp_path: Path) -> None:
    signs = [tmp_path / "one", tmp_path / "two"]
    with executor_for("ray", begin=nothing_to_prepare) as executor:
        waiting = threading.Thread(target=ended, args=(executor.results(wait_for_ever, signs),))
        waiting.start()
        while not all(sign.exists() and sign.read_text() for sign in signs):
            time.sleep(0.05)
        pids = [int(sign.read_text()) for sign in signs]
    waiting.join()
    deadline = time.monotonic() + PATIENCE_S
    while any(map(is_running, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_running, pids))


def ended(results: Iterator[object]) -> None:
    with suppress(WorkerError):
        next(results)


def test_a_cluster_that_is_gone_is_told_and_results_so_far_are_kept(cluster: Cluster) -> None:
    done: list[int] = []
    with executor_for("ray", begin=nothing_to_prepare) as executor:
        results = executor.results(node_of, range(10**6))
        done.extend(next(results)[0] for _ in range(10))
        cluster.tell("end")
        with pytest.raises(WorkerError, match="repeat the command to resume"):
            done.extend(number for number, _ in results)
    assert len(done) == len(set(done)) >= 10
