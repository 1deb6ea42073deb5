"""Weights by random designs: what was planted is found, chance is not, and a stopped run goes on."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest

from flagfall.arena.charts import signed_bars
from flagfall.arena.executor import LocalExecutor
from flagfall.arena.run_file import RunFile
from flagfall.players.evaluation.piece_values import standard_weights
from flagfall.players.evaluation.weights_file import checked
from flagfall.sides import Side
from flagfall.tuning.designs import DesignGame, DesignPlan, effects, gather, movable
from flagfall.tuning.report import design_page
from flagfall.tuning.weight_space import unit

IN_USE = standard_weights()
NAMES = movable(IN_USE)
PLAN = DesignPlan(
    games=("mini/3x4",),
    player="marshal",
    opponents=("raider",),
    names=NAMES,
    start=asdict(IN_USE),
    nodes=20,
    size=0.3,
    seed=5,
    setups="own",
    max_turns=40,
    options={},
)


def quiet(done: int, total: int, what: str) -> None:
    """Nobody watches."""


def ran(file: Path | None, games: int, jobs: int = 1) -> list[DesignGame]:
    with RunFile(DesignGame, PLAN, file) as log, LocalExecutor(jobs) as executor:
        gather(PLAN, games, log, executor, quiet)
        return sorted(log.lines, key=lambda line: line.number)


def test_a_run_goes_on_from_its_log_with_the_same_games(tmp_path: Path) -> None:
    whole = ran(None, 4)
    ran(tmp_path / "log.jsonl", 2)
    assert ran(tmp_path / "log.jsonl", 4) == whole
    assert ran(None, 4, jobs=2) == whole
    assert [game.number for game in whole] == list(range(4))


def test_every_third_game_is_against_an_opponent_on_alternating_sides() -> None:
    seats = [PLAN.opponent(number) for number in range(9)]
    assert [who for who, _ in seats] == ["", "", "raider"] * 3
    assert [side for who, side in seats if who] == [Side.NORTH, Side.SOUTH, Side.NORTH]
    assert not PLAN.moves(2, Side.NORTH).any()
    assert PLAN.moves(2, Side.SOUTH).all()


def test_both_sides_play_with_other_weights_that_a_file_could_have() -> None:
    for number in range(40):
        south, north = (PLAN.weights(number, side) for side in (Side.SOUTH, Side.NORTH))
        if not PLAN.opponent(number)[0]:
            assert south != north
        for weights in (south, north):
            assert checked(asdict(weights), "drawn") == weights
            assert weights.max_probability <= 16
            assert weights.min_probability <= weights.max_probability
            assert getattr(weights, unit()) == getattr(IN_USE, unit())
    assert "raid" in NAMES
    raids = [PLAN.weights(number, Side.SOUTH).raid for number in range(40)]
    assert min(raids) == 0.0 < max(raids)


def made_up(planted: dict[str, float], games: int) -> list[DesignGame]:
    """Games whose results depend on some moves only."""
    rng, place = Random(3), {name: at for at, name in enumerate(NAMES)}
    found = []
    for number in range(games):
        moves = PLAN.moves(number, Side.SOUTH) - PLAN.moves(number, Side.NORTH)
        points = 0.5 + sum(effect * moves[place[name]] for name, effect in planted.items())
        winner = "south" if rng.random() < points else "north"
        found.append(DesignGame(plan=PLAN, number=number, winner=winner, reason="made up", turns=1))
    return found


def test_planted_effects_are_found_and_the_others_are_chance() -> None:
    found = effects(PLAN, made_up({"hide": 0.08, "pull": -0.08}, 900))
    by_name = {effect.name: effect for effect in found.effects}
    assert by_name["hide"].points == pytest.approx(0.08, abs=0.03)
    assert by_name["hide"].z > 3
    assert by_name["pull"].z < -3
    others = [effect.z for name, effect in by_name.items() if name not in ("hide", "pull")]
    assert 0.6 < float(np.mean(np.square(others))) < 1.6
    assert sum(effect.expected**2 for effect in found.effects) < sum(
        effect.points**2 for effect in found.effects
    )


def test_the_new_weights_move_along_what_is_expected_the_largest_by_the_step() -> None:
    found = effects(PLAN, made_up({"hide": 0.1}, 600))
    moves = dict(zip(NAMES, found.moves(1.5), strict=True))
    assert max(map(abs, moves.values())) == pytest.approx(1.5)
    assert moves["hide"] == pytest.approx(1.5)
    assert PLAN.moved(found.moves(1.5)).hide == pytest.approx(IN_USE.hide * np.exp(0.45))
    assert PLAN.moved(found.moves(0.0)) == IN_USE


def test_the_page_has_a_bar_and_a_row_for_every_weight() -> None:
    found = effects(PLAN, made_up({"hide": 0.1}, 200))
    rows = [(effect.name, f"{effect.points:.3f}") for effect in found.effects]
    page = design_page("a title", ("weight", "effect"), rows, found.effects)
    assert all(page.count(f">{name}<") == 2 for name in NAMES)


def test_bars_go_to_both_sides_of_zero() -> None:
    drawn = ElementTree.fromstring(
        signed_bars([("up", 4.0, 2.0, 6.0), ("down", -3.0, -5.0, -1.0)], "effects")
    )
    up, down = (bar for bar in drawn.iter() if bar.tag.endswith("rect"))
    zero = float(up.get("x", ""))
    assert float(down.get("x", "")) + float(down.get("width", "")) == pytest.approx(zero, abs=0.2)
    assert float(up.get("width", "")) > float(down.get("width", ""))
    assert signed_bars([], "effects") == ""
