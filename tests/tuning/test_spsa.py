"""Weights by playing: a run that was stopped goes on as if it had not been, and leaves plots."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from flagfall.arena.charts import lines
from flagfall.arena.executor import LocalExecutor
from flagfall.arena.run_file import RunFile, RunFileError
from flagfall.players.evaluation.piece_values import Weights, standard_weights
from flagfall.players.evaluation.weights_file import checked, weight_names
from flagfall.tuning import spsa
from flagfall.tuning.report import spsa_page
from flagfall.tuning.spsa import Iteration, SpsaPlan
from flagfall.tuning.weight_space import movable

IN_USE = standard_weights()
NAMES = movable(IN_USE)
PLAN = SpsaPlan(
    games=("mini/3x4", "mini/3x3"),
    player="marshal",
    names=NAMES,
    start=asdict(IN_USE),
    nodes=30,
    pairs=2,
    rate=1.0,
    size=0.3,
    seed=7,
    setups="shared",
    max_turns=40,
    options={},
)


def quiet(done: int, total: int, what: str) -> None:
    """Nobody watches."""


def ran(
    file: Path | None, iterations: int, plan: SpsaPlan = PLAN, jobs: int = 1
) -> tuple[Weights, list[Iteration]]:
    with RunFile(Iteration, plan, file) as log, LocalExecutor(jobs) as executor:
        return spsa.run(plan, iterations, log, executor, quiet), log.lines


def test_a_run_goes_on_from_its_log_as_if_it_had_not_been_stopped(tmp_path: Path) -> None:
    whole = ran(tmp_path / "whole.jsonl", 3)
    ran(tmp_path / "parts.jsonl", 1)
    assert ran(tmp_path / "parts.jsonl", 3) == whole
    assert (tmp_path / "parts.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    cut = (tmp_path / "parts.jsonl").read_bytes()[:-9]
    (tmp_path / "parts.jsonl").write_bytes(cut)
    assert ran(tmp_path / "parts.jsonl", 3) == whole


def test_two_processes_come_to_the_same(tmp_path: Path) -> None:
    assert ran(None, 1, jobs=2) == ran(None, 1)


def test_all_weights_step_towards_the_winner_and_the_others_stay() -> None:
    weights, steps = ran(None, 2)
    for step in steps:
        assert step.won + step.drawn + step.lost == 2 * PLAN.pairs
        assert checked(asdict(IN_USE) | step.weights, "a step")
    first = steps[0]
    for sign, move in zip(first.signs, first.moves, strict=True):
        assert move * sign == pytest.approx(0.3 * (2 * first.score - 1))
    assert {name: getattr(weights, name) for name in NAMES} == steps[-1].weights
    stay = set(weight_names()) - set(NAMES)
    assert stay
    assert all(getattr(weights, name) == getattr(IN_USE, name) for name in stay)


def test_steps_and_moves_grow_smaller_and_signs_fall_both_ways() -> None:
    assert PLAN.size_at(0) == 0.3
    assert PLAN.rate_at(0) == 1.0
    assert PLAN.size_at(9) < 0.3
    assert PLAN.rate_at(100) < 0.3
    assert {sign for at in range(5) for sign in PLAN.signs(at)} == {-1, 1}


def test_a_log_of_another_run_is_refused_with_what_differs(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    ran(file, 1)
    with pytest.raises(RunFileError, match="there “nodes” is 30, here 31"):
        ran(file, 2, msgspec.structs.replace(PLAN, nodes=31))
    file.write_text("{}\n", encoding="utf-8")
    with pytest.raises(RunFileError, match="line 1: this is not a line"):
        ran(file, 2)


def test_a_log_with_a_gap_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    ran(file, 2)
    file.write_bytes(file.read_bytes().splitlines(keepends=True)[1])
    with pytest.raises(RunFileError, match="iteration 0 is missing"):
        ran(file, 3)


def test_the_page_draws_every_weight_and_the_score() -> None:
    _, steps = ran(None, 2)
    page = spsa_page(steps)
    assert page.count("<svg") == len(NAMES) + 1
    assert all(f"{name} over the iterations" in page for name in NAMES)
    assert "<script" not in page
    assert "No iteration yet" in spsa_page([])


def test_curves_are_drawings_that_can_be_read() -> None:
    for series in ([("one", [(0.0, 1.0)])], [("a & b", [(0.0, 1.0), (1.0, 1.0)]), ("c", [(0.5, 2.0)])]):
        assert ElementTree.fromstring(lines(series, "a label", 1.5)).get("aria-label") == "a label"
    assert lines([], "empty") == "<p>Nothing yet.</p>"
