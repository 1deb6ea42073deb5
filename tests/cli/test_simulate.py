"""Many games: seeded, resumed where they stopped, and stopped without a scar."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flagfall.arena.simulate import Simulation, run
from flagfall.cli import runs
from flagfall.errors import UserError
from flagfall.notation import from_json
from tests.cli.stopping import started, stopped

RANDOM = ("random", "random")


@pytest.fixture(autouse=True)
def no_warming(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine is interpreted here; there is nothing to compile."""
    monkeypatch.setattr(runs, "warm_up_kernels", lambda **_: None)


def simulate(out: Path, games: int, seed: int = 1, players: tuple[str, str] = RANDOM) -> None:
    runs.simulate("mini/3x3", games, seed, 1, out, players, [], as_json=True)


def test_a_run_goes_on_where_its_file_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    simulate(whole, 6)
    simulate(parts, 2)
    parts.write_bytes(parts.read_bytes() + b'{"flagfall_rec')
    capsys.readouterr()
    simulate(parts, 6)
    assert parts.read_bytes() == whole.read_bytes()
    facts = json.loads(capsys.readouterr().out)
    assert facts["games"] == 6
    assert sum(row["games"] for row in facts["results"]) == 6
    assert {"winner", "reason", "games"} == set(facts["results"][0])


@pytest.mark.parametrize("players", [("greedy", "random"), ("greedy", "greedy")])
def test_players_are_seeded_too(tmp_path: Path, players: tuple[str, str]) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    simulate(one, 2, players=players)
    simulate(two, 2, players=players)
    assert one.read_bytes() == two.read_bytes()
    assert from_json(one.read_text(encoding="utf-8").splitlines()[0]).players == players


@pytest.mark.parametrize("content", [b"\xff\xfe\n", b"hello\n", b"{}\n"])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, content: bytes) -> None:
    out = tmp_path / "other"
    out.write_bytes(content)
    with pytest.raises(UserError, match="other"):
        simulate(out, 2)
    assert out.read_bytes() == content


def test_another_run_is_not_mixed_in(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    simulate(out, 2)
    with pytest.raises(UserError, match="line 1: this is another run; repeat its game, seed, options"):
        simulate(out, 3, seed=2)


def test_no_more_processes_than_games(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        pytest.fail("processes for one game")

    monkeypatch.setattr("flagfall.arena.executor.ProcessPoolExecutor", refuse)
    assert len(list(run(Simulation("mini/3x3", (), 1), 0, 1, 200))) == 1


@pytest.mark.xdist_group("compiled")
@pytest.mark.parametrize("jobs", [1, 2])
def test_stopping_keeps_what_was_played_and_says_so(tmp_path: Path, jobs: int) -> None:
    out = tmp_path / "games.jsonl"
    arguments = ["simulate", "mini/3x3", "-n", "1000000", "-j", str(jobs), "--out", str(out)]
    process = started(*arguments, before="")
    complaints = stopped(process, out, 20_000)
    assert complaints.endswith("and the same command resumes.\n")
    assert len(complaints.splitlines()) == 1
    for line in out.read_text(encoding="utf-8").splitlines():
        from_json(line)
