"""Players with weights of their own in the arena: named by a file, kept in the plan."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from flagfall.arena.contest import play_all
from flagfall.arena.contestants import Contestant, ContestantError, read_contestant
from flagfall.arena.plan import Plan, rounds
from flagfall.arena.run_file import ResultsFile, RunFileError
from flagfall.cli.matches import planned
from flagfall.players.evaluation.piece_values import Weights, standard_weights
from flagfall.players.evaluation.weights_file import WeightsError, weight_names, written

IN_USE = standard_weights()
FIRST = weight_names()[0]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return kept(tmp_path / "other.json", replace(IN_USE, **{FIRST: 2.0}))


def kept(file: Path, weights: Weights) -> Path:
    file.write_text(written(weights), encoding="utf-8")
    return file


def asked(*players: str, game: str = "mini/3x4") -> Plan:
    return planned(game, list(players), [], 3, None, 40, "own", 60, allows_cheater=False)


def test_weights_and_a_budget_in_any_order() -> None:
    expected = Contestant("marshal", nodes=40, weights="a b.json")
    assert read_contestant("marshal@weights=a b.json@nodes=40") == expected
    assert read_contestant("marshal@nodes=40@weights=a b.json") == expected


def test_who_has_no_weights_is_told_so() -> None:
    with pytest.raises(ContestantError, match="“greedy” has no weights"):
        read_contestant("greedy@weights=a.json")
    with pytest.raises(ContestantError, match="a program has no weights"):
        read_contestant("cmd:bot@weights=a.json")


def test_the_plan_carries_the_numbers_so_that_the_file_may_go(file: Path) -> None:
    plan = asked(f"marshal@weights={file}", "marshal")
    file.unlink()
    played = list(play_all(plan, rounds(2, 2), 1))
    assert [each.trouble for each in played] == ["", ""]
    assert plan.weights[str(file)][FIRST] == 2.0


def test_a_run_is_not_gone_on_with_when_the_numbers_are_others(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    plan = asked(f"marshal@weights={file}", "random")
    with ResultsFile(plan, out) as results:
        results.add(next(iter(play_all(plan, rounds(2, 2), 1))))
    kept(file, replace(IN_USE, **{FIRST: 3.0}))
    with pytest.raises(RunFileError, match="there “weights” is "):
        ResultsFile(asked(f"marshal@weights={file}", "random"), out)


def test_the_numbers_in_use_by_another_way_play_the_same_game(tmp_path: Path) -> None:
    same = tmp_path / "same.json"
    plan = asked(f"marshal@weights={kept(same, IN_USE)}", "marshal")
    assert plan.weights[str(same)] == asdict(IN_USE)
    plain = asked("marshal", "marshal")
    first, second = (next(iter(play_all(each, rounds(2, 2), 1))) for each in (plan, plain))
    assert (first.turns, first.winner, first.reason) == (second.turns, second.winner, second.reason)


def test_weights_that_are_too_great_are_refused_for_the_game(tmp_path: Path) -> None:
    file = kept(tmp_path / "great.json", replace(IN_USE, **{FIRST: 9000.0}))
    with pytest.raises(WeightsError, match="onyx/classic would be worth"):
        asked(f"marshal@weights={file}", "random", game="onyx/classic")
