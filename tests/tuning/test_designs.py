"""Weights by random designs: what was planted is found, chance is not, and a stopped run goes on."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec.structs import replace

from flagfall.arena.charts import signed_bars
from flagfall.arena.executor import LocalExecutor
from flagfall.arena.run_file import RunFile
from flagfall.edition import load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.players.evaluation.piece_values import standard_weights
from flagfall.players.evaluation.weights_file import check_for, checked
from flagfall.sides import Side, SideName
from flagfall.tuning.designs import MAX_SIZE, DesignGame, DesignPlan, effects, first_games, gather
from flagfall.tuning.report import design_page
from flagfall.tuning.weight_space import movable, unit

IN_USE = standard_weights()
NAMES = movable(IN_USE, with_off=True)
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
    assert PLAN.moves(2, Side.SOUTH).any()


def test_every_opponent_meets_every_box_on_both_sides() -> None:
    plan = replace(PLAN, games=("mini/3x4", "mini/3x3", "barrage/classic"), opponents=("raider", "escort"))
    met = {(plan.game(number), *plan.opponent(number)) for number in range(36)}
    both = {(box, who, side) for box in plan.games for who in plan.opponents for side in Side}
    assert both < met
    assert {(box, "", None) for box in plan.games} < met


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
    drawn = np.abs([PLAN.moves(number, Side.SOUTH) for number in range(300)])
    assert 2.0 < float(drawn.max()) <= 2.5
    assert "raid" in NAMES
    raids = [PLAN.weights(number, Side.SOUTH).raid for number in range(40)]
    assert min(raids) == 0.0 < max(raids)


def test_the_largest_moves_are_still_weights_that_a_file_could_have() -> None:
    plan = replace(PLAN, size=MAX_SIZE, start=asdict(IN_USE) | {"flag_threat": 9000.0})
    game = load_game("lotr/classic")
    tables = compile_game(game, resolve(game, {}))
    for number in range(100):
        weights = plan.weights(number, Side.SOUTH)
        assert checked(asdict(weights), "drawn") == weights
        check_for(game, tables, weights, "drawn")


def made_up(planted: dict[str, float], games: int) -> list[DesignGame]:
    """Games whose results depend on some moves only."""
    rng, place = Random(3), {name: at for at, name in enumerate(NAMES)}
    found = []
    for number in range(games):
        moves = PLAN.moves(number, Side.SOUTH) - PLAN.moves(number, Side.NORTH)
        points = 0.5 + sum(effect * moves[place[name]] for name, effect in planted.items())
        winner: SideName = "south" if rng.random() < points else "north"
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


def test_results_by_chance_look_like_chance_with_few_games_too() -> None:
    sums, games = [], made_up({}, 90)
    for seed in range(30):
        rng = Random(seed)
        by_chance = [replace(game, winner=rng.choice(("south", "north"))) for game in games]
        sums.append(effects(PLAN, by_chance).sum_z_squared)
    assert float(np.mean(sums)) == pytest.approx(len(NAMES), rel=0.2)


def test_a_weight_that_is_off_has_its_whole_effect_and_never_moves_below_zero() -> None:
    helps = {effect.name: effect for effect in effects(PLAN, made_up({"raid": 0.1}, 1500)).effects}
    assert helps["raid"].points == pytest.approx(0.1, abs=0.04)
    harms = effects(PLAN, made_up({"raid": -0.1, "hide": 0.02}, 1500))
    moves = dict(zip(NAMES, harms.moves(1.0), strict=True))
    assert moves["raid"] == 0.0
    assert max(map(abs, moves.values())) == 1.0


def test_games_that_all_ended_alike_move_nothing() -> None:
    drawn = [replace(game, winner="") for game in made_up({}, 100)]
    found = effects(PLAN, drawn)
    assert set(found.moves(1.0)) == {0.0}
    assert found.drawn == 100


def test_a_game_that_two_processes_wrote_counts_once(tmp_path: Path) -> None:
    games = made_up({}, 6)
    with RunFile(DesignGame, PLAN, tmp_path / "log.jsonl") as log:
        for game in (*reversed(games), *games):
            log.add(game)
        assert first_games(log, 4) == games[:4]


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
