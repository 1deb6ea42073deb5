"""Fitting what pieces are worth: known weights are found again, and what is kept aside judges."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Literal

import msgspec
import numpy as np
import pytest

from flagfall.arena.simulate import prepared
from flagfall.engine.action import Action
from flagfall.match.play import GameRunner
from flagfall.players.evaluation.piece_values import PieceValues, Weights, standard_weights
from flagfall.players.evaluation.weights_file import weight_names
from flagfall.setups import random_setup
from flagfall.tuning import calibration, logistic, weights
from flagfall.tuning.examples import Examples, examples
from flagfall.tuning.positions import GamesPlan, Position, Sampled, Task, counted, sampled, tasks
from flagfall.tuning.weight_space import Space, SpaceError, unit

IN_USE = standard_weights()
PLAN = GamesPlan(player="marshal", opponents=("rusher",), nodes=40, seed=4, every=3, max_turns=40, options={})
ALONE = msgspec.structs.replace(PLAN, opponents=())


def quiet(done: int, total: int, what: str) -> None:
    """Nobody watches."""


def made_up(game_id: str, games: int, true: Weights, seed: int) -> Examples:
    """Random positions whose games end by the chances that some weights give."""
    game, _, tables = prepared(game_id, ())
    flags = PieceValues(tables, len(game.kinds), true).flag
    lot = np.random.default_rng(seed)
    found = []
    for index in range(games):
        left = [np.where(flags, roster, lot.binomial(roster, 0.6)) for roster in np.array(game.rosters)]
        hidden = [lot.binomial(side, 0.5) for side in left]
        south, north = ((left[side].tolist(), hidden[side].tolist()) for side in (0, 1))
        position = Position(9, 0, 0, (south[0], north[0]), (south[1], north[1]))
        found.append(ended(Task(game_id, index), [position]))
    even = examples(found)
    lead, top_values = even.leads(true)
    chances = logistic.chance(lead / (40.0 + 0.4 * top_values))
    return replace(even, results=(lot.random(games) < chances).astype(np.float64))


def ended(task: Task, positions: list[Position], winner: Literal["south", "north"] = "south") -> Sampled:
    return Sampled(plan=ALONE, task=task, winner=winner, reason="", turns=9, positions=positions)


@pytest.fixture(scope="module")
def learned() -> tuple[Weights, weights.Findings]:
    """Games that are decided by other weights than those in use."""
    true = replace(IN_USE, immobile=IN_USE.immobile * 2.5)
    found = made_up("onyx/classic", 1000, true, 3)
    return true, weights.fit(found, IN_USE, ("immobile", "hide"), quiet)


def test_the_weights_that_decide_are_found_again(learned: tuple[Weights, weights.Findings]) -> None:
    true, found = learned
    weights = found.fitted.weights
    assert abs(weights.immobile - true.immobile) < abs(IN_USE.immobile - true.immobile) / 2
    at = found.fitted.space.names.index("immobile")
    low, high = found.intervals[at]
    assert low < found.fitted.point.weights[at] < high
    assert low > 0.0


def test_games_kept_aside_are_foretold_better(learned: tuple[Weights, weights.Findings]) -> None:
    _, found = learned
    held_out = found.found.is_held_out
    assert 0.15 < held_out.mean() < 0.25
    assert found.fitted.loss(held_out) < found.scaled.loss(held_out) < found.in_use.loss(held_out)
    gain, sure = found.gain(found.fitted, found.in_use)
    assert gain == pytest.approx(found.in_use.loss(held_out) - found.fitted.loss(held_out))
    assert gain > sure
    assert found.fitted.history == sorted(found.fitted.history, reverse=True)


def test_only_weights_that_have_a_part_in_material_are_fitted_and_the_unit_stays() -> None:
    names = weights.material(made_up("barrage/classic", 30, IN_USE, 1), IN_USE)
    assert {"immobile", "hide"} <= set(names) < set(weight_names())
    assert unit() not in names


def test_the_other_weights_stay(learned: tuple[Weights, weights.Findings]) -> None:
    _, found = learned
    for name in set(weight_names()) - {"immobile", "hide"}:
        assert getattr(found.fitted.weights, name) == getattr(IN_USE, name)


def test_the_chances_of_a_good_fit_mean_what_they_say(
    learned: tuple[Weights, weights.Findings],
) -> None:
    _, found = learned
    chances = logistic.chance(found.fitted.odds())
    bins = calibration.table(chances, found.found.results, found.found.counts)
    assert sum(one.positions for one in bins) == len(chances)
    assert all(abs(one.said - one.happened) < 0.2 for one in bins if one.positions >= 40)


def test_players_who_are_too_sure_are_told_so() -> None:
    lot = np.random.default_rng(5)
    true = lot.uniform(0.2, 0.8, 2000)
    results = (lot.random(2000) < true).astype(float)
    said = logistic.chance(3.0 * np.log(true / (1.0 - true)))
    found = calibration.estimates(np.append(said, np.nan), np.append(results, 1.0), np.ones(2001))
    assert found is not None
    assert found.positions == 2000
    assert 0.25 < found.factor < 0.42
    assert found.loss_after < found.loss
    assert calibration.estimates(np.array([np.nan]), np.ones(1), np.ones(1)) is None


def test_an_opponent_that_is_weaker_takes_up_the_difference() -> None:
    """Even positions that one player always wins say nothing about material."""
    even = ([1] * 12, [1] * 12)
    games = [
        msgspec.structs.replace(
            ended(
                Task("onyx/classic", 2 * at + 1), [Position(1, 0, 0, even, even)], ("south", "north")[at % 2]
            ),
            plan=PLAN,
        )
        for at in range(40)
    ]
    found = examples(games)
    assert found.opponents == ("rusher",)
    assert set(found.edge[:, 0]) == {1.0, -1.0}
    fit = weights.Fit(found, Space(IN_USE, ()), weights.Freedom()).run(quiet, "")
    assert fit.point.edge[0] > 1.0


def test_half_of_the_games_are_against_opponents_on_either_side() -> None:
    pairs = [task.players(PLAN) for task in tasks(["mini/3x4"], 6)]
    assert pairs[::2] == [("marshal", "marshal")] * 3
    assert pairs[1::2] == [("marshal", "rusher"), ("rusher", "marshal"), ("marshal", "rusher")]


def test_a_game_is_always_the_same_game_and_tells_what_is_truly_left() -> None:
    games = [sampled(PLAN, task) for task in tasks(["barrage/classic"], 2)]
    assert games == [sampled(PLAN, task) for task in tasks(["barrage/classic"], 2)]
    positions = [position for one in games for position in one.positions]
    assert positions
    for position in positions:
        for side in (0, 1):
            assert all(
                0 <= few <= many for few, many in zip(position.hidden[side], position.left[side], strict=True)
            )
            assert 1 <= sum(position.left[side]) <= 8
    assert any(position.estimate is not None for position in positions)


def test_what_was_shown_is_no_longer_hidden() -> None:
    game, options, _ = prepared("barrage/classic", ())
    lot = Random(2)
    running = GameRunner(game, options, (random_setup(game, 0, lot), random_setup(game, 1, lot)))
    left, hidden = counted(running.state.row, len(game.kinds))
    assert (left == hidden).all()
    assert left[0].tolist() == list(game.rosters[0])
    while (left == hidden).all():
        running.play(Action.unpack(lot.choice(running.view(running.mover).legal).pack()))
        left, hidden = counted(running.state.row, len(game.kinds))
    assert left.sum() - hidden.sum() in (1, 2)


def test_moves_are_factors_and_shares_stay_shares() -> None:
    share = next(name for name in weight_names() if name.endswith("fade"))
    space = Space(IN_USE, (unit(), share))
    assert space.at([0.0, 0.0]) == IN_USE
    far = space.at([np.log(2.0), 9.0])
    assert getattr(far, unit()) == pytest.approx(2 * getattr(IN_USE, unit()))
    assert getattr(IN_USE, share) < getattr(far, share) < 1.0


def test_a_weight_that_cannot_be_moved_is_named() -> None:
    with pytest.raises(SpaceError, match="there are "):
        Space(IN_USE, ("colour",))
    with pytest.raises(SpaceError, match=f"“{unit()}” is 0"):
        Space(replace(IN_USE, **{unit(): 0.0}), (unit(),))
