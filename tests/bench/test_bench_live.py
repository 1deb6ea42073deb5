"""The bench of live matches: its figures are there, and it leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from bench.server_live import Bench, BenchError, Plan, knee_plot, measure_knee, measure_live

from bench import server_live
from tests import children
from tests.cli.stopping import HEARS

TINY = Plan(game="barrage/classic", live=2, every_s=0.2, seconds=3.0, warm_up_s=0.5, is_pinned=False)
QUICK = Plan(game="barrage/classic", live=1, every_s=0.1, seconds=1.0, warm_up_s=0.2, is_pinned=False)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Temporary folders are made here, so that a test sees what is left."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of all processes that the bench starts."""
    pids: list[int] = []
    popen = subprocess.Popen

    def noted(*arguments: object, **named: object) -> subprocess.Popen[str]:
        process: subprocess.Popen[str] = popen(*arguments, **named)  # type: ignore[call-overload]
        pids.append(process.pid)
        return process

    monkeypatch.setattr(subprocess, "Popen", noted)
    return pids


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_two_live_matches_give_all_figures_and_leave_nothing(own_folder: Path, started: list[int]) -> None:
    told: list[tuple[int, int]] = []
    figures = measure_live(TINY, lambda done, of, what: told.append((done, of)), has_more=False)
    live = figures["live"]
    assert live["errors"] == {}
    assert live["matches"] == 2
    assert live["actions"] > 5
    assert 0 < live["own_ms"]["p50"] <= live["own_ms"]["p99"]
    assert 0 < live["opponent_ms"]["p50"] <= live["opponent_ms"]["p99"]
    assert live["own_ms"]["count"] == live["actions"]
    assert live["state_bytes"] > 1000
    assert 0 < live["wire_bytes_per_state"] < live["state_bytes"]
    assert live["generator_cpu_share"] > 0
    if Path("/proc/self/stat").exists():
        assert live["server_cpu_ms_per_action"] > 0
        assert figures["memory"]["server_bytes"] > 1_000_000
        assert all(value is not None for value in figures["memory"].values())
    assert told[-1] == (4, 4)
    assert len(started) == 2
    assert not any(is_alive(pid) for pid in started)
    assert list(own_folder.iterdir()) == []


def test_lists_and_long_games_are_measured(monkeypatch: pytest.MonkeyPatch, started: list[int]) -> None:
    monkeypatch.setattr(server_live, "LISTED_GAMES", 3)
    monkeypatch.setattr(server_live, "LONG_GAMES", 2)
    monkeypatch.setattr(server_live, "LONG_TURNS", 10)
    figures = measure_live(QUICK, lambda done, of, what: None)
    assert figures["listing"]["games"] == 3
    assert figures["listing"]["first"]["ms"] > 0
    assert figures["listing"]["first"]["bytes"] == figures["listing"]["second"]["bytes"] > 300
    game = figures["long_game"]
    assert game["errors"] == {}
    assert game["turns"] >= 10
    assert game["state"]["bytes"] > 1000
    assert game["replay_last_page"]["bytes"] > 1000
    assert len(started) == 4
    assert not any(is_alive(pid) for pid in started)


def test_the_knee_is_the_last_step_within_the_limit(started: list[int]) -> None:
    figures = measure_knee(QUICK, 60_000.0, lambda done, of, what: None, steps=(1, 2))
    assert figures["last_good"] == 2
    assert [step["matches"] for step in figures["steps"]] == [1, 2]
    ElementTree.fromstring(knee_plot(figures))
    assert not any(is_alive(pid) for pid in started)


def test_a_step_beyond_the_limit_is_tried_once_more_and_ends_the_search() -> None:
    figures = measure_knee(QUICK, 0.0, lambda done, of, what: None, steps=(1, 2, 3))
    assert figures["last_good"] == 0
    assert [(step["matches"], step["is_good"]) for step in figures["steps"]] == [(1, False), (1, False)]


def _fail_while_running() -> None:
    with Bench.running(QUICK):
        raise ZeroDivisionError


def test_a_failure_ends_both_processes(own_folder: Path, started: list[int]) -> None:
    with pytest.raises(ZeroDivisionError):
        _fail_while_running()
    assert len(started) == 2
    assert not any(is_alive(pid) for pid in started)
    assert list(own_folder.iterdir()) == []


def test_a_server_that_dies_is_told_in_a_sentence(started: list[int]) -> None:
    with Bench.running(QUICK) as bench:
        os.kill(bench.server.pid, signal.SIGKILL)
        time.sleep(0.2)
        with pytest.raises(BenchError, match="the server did not answer"):
            bench.generator.ask("create", count=1)
    assert not any(is_alive(pid) for pid in started)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_both_processes(own_folder: Path, number: int) -> None:
    code = (
        "from bench.server_live import Bench, Plan\n"
        "with Bench.running(Plan(game='barrage/classic', is_pinned=False)) as bench:\n"
        "    print(bench.server.pid, bench.generator.pid, flush=True)\n"
        "    bench.generator.ask('play', every_s=1, warm_up_s=0, seconds=600)\n"
    )
    process = children.start(HEARS + code)
    assert process.stdout is not None
    pids = [int(word) for word in process.stdout.readline().split()]
    assert len(pids) == 2
    process.send_signal(number)
    process.wait(60)
    assert not any(is_alive(pid) for pid in pids)
    assert list(own_folder.iterdir()) == []
