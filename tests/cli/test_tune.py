"""Fitting on the command line: stopped without a scar, taken up again, refused in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from flagfall.engine import mode
from flagfall.players.evaluation.piece_values import standard_weights
from flagfall.players.evaluation.weights_file import read_weights, weight_names, written
from flagfall.tuning.positions import Sampled
from flagfall.tuning.spsa import Iteration
from tests.cli.run import Ran, flagfall, one_sentence
from tests.cli.stopping import started, stopped

Runs = Callable[..., Ran]
SMALL = ("tune", "weights", "-g", "mini/3x4", "--nodes", 20, "--most-turns", 60)


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runs:
    """Commands in this process, interpreted: there is nothing to measure."""
    monkeypatch.setattr(mode, "choose", lambda wanted: None)
    return lambda *arguments: flagfall(capsys, *arguments)


def test_a_fit_plays_tells_writes_and_goes_on(tmp_path: Path, ran: Runs) -> None:
    log, out, plot = tmp_path / "fit.jsonl", tmp_path / "weights.json", tmp_path / "fit.html"
    fit = (*SMALL, "--every", 1, "--opponent", "rusher", "--log", log, "--out", out, "--plot", plot, "--json")
    facts = ran(*fit, "-n", 24).facts
    assert facts["games"] == 24
    assert set(facts["losses"]) == {"in use", "scale fitted", "weights and scale fitted"}
    assert facts["weights"] == {name: getattr(read_weights(out), name) for name in weight_names()}
    assert facts["estimates"]["factor"] > 0
    assert set(facts["gains"]) == {"scale fitted", "weights and scale fitted"}
    assert "<svg" in plot.read_text(encoding="utf-8")
    before = log.read_bytes()
    assert ran(*fit, "-n", 26).facts["games"] == 26
    assert log.read_bytes().startswith(before)
    assert len({line.task for line in map(read_game, log.read_bytes().splitlines())}) == 26


def read_game(line: bytes) -> Sampled:
    return msgspec.json.decode(line, type=Sampled)


def test_moving_by_playing_and_trying_what_came_of_it(tmp_path: Path, ran: Runs) -> None:
    log, out, plot = tmp_path / "spsa.jsonl", tmp_path / "new.json", tmp_path / "spsa.html"
    spsa = (*SMALL, "--stage", "spsa", "--pairs", 1, "--weights", "pull, guard", "--log", log, "--out", out)
    facts = ran(*spsa, "--iterations", 2, "--plot", plot, "--json").facts
    assert set(facts["weights"]) == {"pull", "guard"}
    assert len(facts["scores"]) == 2
    assert "2 iterations" in ran(*spsa, "--iterations", 2).out
    assert plot.read_text(encoding="utf-8").count("<svg") == 3
    old = tmp_path / "old.json"
    old.write_text(written(standard_weights()), encoding="utf-8")
    match = ran(*SMALL, "--check", out, old, "-n", 4, "--json").facts
    assert match["players"] == [f"marshal@weights={out}", f"marshal@weights={old}"]
    assert (match["games"], match["forfeits"]) == (4, 0)
    assert match["sprt"]["elo1"] == 20


def test_random_weights_in_every_game_and_what_each_of_them_does(tmp_path: Path, ran: Runs) -> None:
    log, out, plot = tmp_path / "design.jsonl", tmp_path / "new.json", tmp_path / "design.html"
    design = (*SMALL, "--stage", "design", "--weights", "pull, raid", "--log", log, "--out", out)
    facts = ran(*design, "-n", 14, "--opponent", "rusher", "--plot", plot, "--json").facts
    assert facts["games"] == 14
    assert set(facts["effects"]) == {"pull", "raid"}
    assert facts["weights"] == {
        name: pytest.approx(getattr(read_weights(out), name), rel=1e-4) for name in weight_names()
    }
    assert "<svg" in plot.read_text(encoding="utf-8")
    before = log.read_bytes()
    more = ran(*design, "-n", 16, "--opponent", "rusher")
    assert "16 games of mini/3x4" in more.out
    assert log.read_bytes().startswith(before)


def test_stopping_keeps_whole_iterations_and_writes_what_there_is(tmp_path: Path) -> None:
    log, out = tmp_path / "spsa.jsonl", tmp_path / "new.json"
    run = (*SMALL, "--stage", "spsa", "--pairs", 1, "--iterations", 100_000, "--log", log, "--out", out)
    process = started(*run)
    stopped(process, log, 2_000)
    lines = [msgspec.json.decode(line, type=Iteration) for line in log.read_bytes().splitlines()]
    assert [line.number for line in lines] == list(range(len(lines)))
    assert getattr(read_weights(out), lines[-1].plan.names[0]) == pytest.approx(
        lines[-1].weights[lines[-1].plan.names[0]], rel=1e-4
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--stage", "guess"), "write fit, design or spsa"),
        (("--weights", "colour"), "There is no weight “colour”"),
        (("--player", "greedy"), "“greedy” has no weights"),
        (("--opponent", "nobody"), "There is no player “nobody”"),
        (("--from", "missing.json"), "missing.json: there is no such file"),
        (("--stage", "spsa", "--size", "0"), "nothing moves"),
        (("--stage", "design", "--size", "0"), "nothing moves"),
        (("--stage", "design", "-n", 6, "--weights", "pull,hide,guard,fade"), "6 games are too few"),
        (("--stage", "design", "--size", "0.8"), "armies could be worth as much as games"),
        (("--stage", "design", "--weights", "pull,pull"), "“pull” is named twice"),
        (("--stage", "design", "--weights", "base,pull"), "“base” is the unit of all weights"),
        (("--stage", "design", "--opponent", "hoarder"), "“hoarder” is of the held-out half"),
        (("--stage", "design", "--weights", "lead_at_risk"), "“lead_at_risk” is 1"),
        (("--stage", "spsa", "--setups", "mine"), "shared or own"),
        (("--option", "memory=long"), "memory"),
        (("--check", "missing.json", "missing.json"), "missing.json: there is no such file"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    tmp_path: Path, ran: Runs, arguments: tuple[str, ...], words: str
) -> None:
    assert words in one_sentence(ran(*SMALL, "--log", tmp_path / "log.jsonl", *arguments))
    assert not (tmp_path / "log.jsonl").exists()


def test_a_log_of_another_run_is_refused(tmp_path: Path, ran: Runs) -> None:
    log = tmp_path / "log.jsonl"
    spsa = (*SMALL, "--stage", "spsa", "--pairs", 1, "--iterations", 1, "--weights", "pull", "--log", log)
    assert ran(*spsa).code == 0
    assert "there “rate” is 0.3, here 0.5" in one_sentence(ran(*spsa, "--rate", 0.5))
    assert "there is no weight “colour”" in one_sentence(ran(*spsa, "--from", broken(tmp_path)))


def broken(folder: Path) -> Path:
    file = folder / "broken.json"
    file.write_text(json.dumps({"colour": 1}), encoding="utf-8")
    return file


def test_habits_are_watched_and_drawn(tmp_path: Path, ran: Runs) -> None:
    log, plot = tmp_path / "habits.jsonl", tmp_path / "habits.html"
    watch = ("tune", "behaviour", "-g", "mini/3x4", "-n", 1, "--rounds", 2, "--log", log, "--plot", plot)
    first = ran(*watch, "--json").facts
    before = log.read_bytes()
    assert ran(*watch, "--json").facts == first
    assert log.read_bytes() == before
    assert plot.read_text(encoding="utf-8").count("<svg") == len(first["habits"])
