"""The bench of the players on the command line: listed, stopped, resumed, refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.run import Ran, flagfall, one_sentence
from tests.cli.stopping import started, stopped

LOWEST = ("bench", "players", "--game", "mini/3x3", "--only", "levels.mini-3x3.recruit", "--level-time", 1)


@pytest.fixture(autouse=True)
def _interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to measure here, so nothing is compiled."""
    monkeypatch.setattr("flagfall.engine.mode.choose", lambda wanted: None)


def test_all_trials_are_listed_with_what_they_ask_and_how_long_they_take(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "strength"
    facts = flagfall(capsys, "bench", "players", "--list", "--json", "--out", out).facts
    asked = {row["trial"]: row["asked"] for row in facts["trials"]}
    assert asked["classic.random"] == "all won"
    assert asked["levels.lotr-classic.scout"] == "60–85 % won"
    assert facts["left_s"] > 0
    said = flagfall(capsys, "bench", "players", "--list", "--out", out).out
    assert any("classic.greedy" in line and "0/200 ≥ 95 %" in line for line in said.splitlines())
    assert len(said.splitlines()) < 1.5 * len(asked), "hardly any line is folded"
    assert "Still to play: about" in said
    assert not out.exists()


def test_a_run_that_is_stopped_keeps_its_games_and_goes_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "strength"
    file = out / "levels.mini-3x3.recruit.jsonl"
    process = started(*LOWEST, "--out", out, "--games-scale", 100, "--jobs", 1)
    stopped(process, file, 3000, is_silent=False)
    kept = file.read_bytes()
    assert kept.endswith(b"\n")
    games = kept.count(b"\n")
    report = (out / "report.md").read_text(encoding="utf-8")
    assert any(f"| {told} of 200 |" in report for told in (games, games - 1)), "it may just have been told"
    wanted = games + games % 2 + 2
    ran = flagfall(capsys, *LOWEST, "--out", out, "--games-scale", wanted / 200, "--jobs", 1)
    assert ran.code == 0, ran.err
    assert file.read_bytes().startswith(kept)
    assert file.read_bytes().count(b"\n") == wanted
    assert (out / "report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--only", "clasic"), "--list shows their names"),
        (("--game", "mini/3x5"), "mini/3x5"),
        (("--games-scale", 0), "--games-scale"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[object, ...], words: str
) -> None:
    refused: Ran = flagfall(capsys, "bench", "players", "--out", tmp_path / "strength", *arguments)
    assert words in one_sentence(refused)


def test_a_folder_of_other_games_is_left_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "levels.mini-3x3.recruit.jsonl"
    file.write_bytes(b"my notes\n")
    assert "not a line of such a run" in one_sentence(flagfall(capsys, *LOWEST, "--out", tmp_path))
    assert file.read_bytes() == b"my notes\n"


def test_the_search_is_measured(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.search.NODES", 20)
    arguments = ("--time", 50, "--moves", 1, "--rounds", 1, "--seconds", 0.01)
    said = flagfall(capsys, "bench", "search", "-g", "mini/3x3", *arguments).out
    for words in ("M nodes/s", "Turns looked ahead", "after the budget", "Where 50 ms go"):
        assert words in said
