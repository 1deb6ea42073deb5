"""Every row is what `flagfall.rl` shows in that position: made from Views, and by a `VectorEnv`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from flagfall.dataset import Dataset
from flagfall.dataset.columns import columns_of
from flagfall.dataset.description import Plan, SelfPlay
from flagfall.dataset.played import PlayedGame, play_one
from flagfall.edition import Game, Options, load_game, resolve
from flagfall.engine.action import Action
from flagfall.match.play import GameRunner
from flagfall.players import Budget
from flagfall.rl import Observer, VectorEnv
from flagfall.rl.network import evaluate
from flagfall.setups import Setup, random_setup, read_setup
from flagfall.sides import SIDES
from flagfall.view.view import SeenEvent, View
from tests.dataset.making import self_play
from tests.training.networks import random_network, written

BOXES: list[tuple[str, dict[str, str], int]] = [
    ("mini/3x4", {}, 3),
    ("barrage/classic", {"captured_pieces": "open"}, 1),
    ("onyx/classic", {"rescue": "on", "silent_defense": "on"}, 1),
    ("lotr/special-powers", {}, 1),
]


def everything(folder: Path) -> dict[str, Any]:
    """All rows of a dataset, in order, with every column."""
    names = [column.name for column in columns_of(Dataset(folder).description)]
    [batch] = Dataset(folder, [*names, "mask"]).batches(100_000)
    return batch


@pytest.mark.parametrize(("game_id", "options", "games"), BOXES, ids=[box[0] for box in BOXES])
def test_rows_are_what_both_sides_may_know(
    tmp_path: Path, game_id: str, options: dict[str, str], games: int
) -> None:
    made = self_play(tmp_path, game_id, games, options, max_turns=24, setups="sound")
    rows = everything(tmp_path)
    plan, game = made.described.plan, load_game(game_id)
    at = 0
    for number in range(games):
        played = play_one(plan, number)
        at = _compare_game(game, resolve(game, options), played, rows, at)
    assert at == len(rows["game"]) > 0


def _compare_game(game: Game, options: Options, played: PlayedGame, rows: dict[str, Any], at: int) -> int:
    setups = [read_setup(game, side, text) for side, text in enumerate(played.setups)]
    running = GameRunner(game, options, setups)
    env = VectorEnv(game, 1, options=options, setups=setups, truth=True, autoreset=False)
    env.reset()
    observers = [Observer(game, options, side) for side in (0, 1)]
    for ply, number in enumerate(played.actions):
        side = int(running.mover)
        seen, others = (
            observers[of].observe(running.view(SIDES[of]), running.history(SIDES[of]))
            for of in (side, 1 - side)
        )
        row = {name: values[at] for name, values in rows.items()}
        assert (row["game"], row["ply"], row["turn"]) == (played.number, ply, running.view("south").turn)
        assert row["mover"] == side
        assert row["action"] == number
        assert row["plies_left"] == len(played.actions) - 1 - ply
        sign = {"": 0, SIDES[side].value: 1, SIDES[1 - side].value: -1}
        assert row["outcome"] == sign[played.winner]
        assert (row["reason"], row["is_finished"]) == (played.reason, played.is_finished)
        for made, wanted in (
            ("planes", seen.planes),
            ("scalars", seen.scalars),
            ("other_planes", others.planes),
            ("other_scalars", others.scalars),
            ("mask", seen.mask),
        ):
            assert np.array_equal(row[made], wanted), made
        assert np.array_equal(row["planes"], env.planes[0])
        assert np.array_equal(row["scalars"], env.scalars[0])
        assert np.array_equal(row["mask"], env.mask[0])
        assert np.array_equal(row["truth_planes"], env.truth()[0])
        assert row["legal"][: row["count"]].tolist() == np.flatnonzero(seen.mask).tolist()
        assert (row["legal"][row["count"] :] == -1).all()
        legal = running.referee.observers.legal(running.state)
        running.play(env.space.decode(number, side, legal))
        env.step([number])
        at += 1
    return at


def test_a_level_tells_what_it_thinks_of_every_action(tmp_path: Path) -> None:
    self_play(tmp_path, "mini/3x4", 2, south="recruit", north="random", nodes=60, max_turns=4)
    rows = everything(tmp_path)
    thought = ~np.isnan(rows["search_value"])
    assert thought.any()
    assert set(rows["mover"][thought]) == {0}, "a random player thinks nothing"
    for value, values, count in zip(rows["search_value"], rows["action_values"], rows["count"], strict=True):
        if np.isnan(value):
            assert np.isnan(values).all()
            continue
        assert not np.isnan(values[:count]).any()
        assert np.isnan(values[count:]).all()
        assert 0 <= values[:count].min() <= value <= values[:count].max() + 1e-6 <= 1 + 1e-6


def test_a_game_that_was_left_has_no_winner(tmp_path: Path) -> None:
    self_play(tmp_path, "barrage/classic", 1, max_turns=3)
    rows = everything(tmp_path)
    assert rows["turn"].tolist() == [0, 1, 2]
    assert set(rows["reason"]) == {"turn limit"}
    assert not rows["is_finished"].any()
    assert not rows["outcome"].any()


def test_what_was_not_wanted_is_not_there(tmp_path: Path) -> None:
    made = self_play(tmp_path, games=1, other=False, truth=False)
    names = {column.name for column in columns_of(made.described)}
    assert {"planes", "legal"} <= names
    assert not {"other_planes", "other_scalars", "truth_planes"} & names
    assert set(everything(tmp_path)) == {*names, "count", "mask"}


def test_the_plan_says_what_an_action_is(tmp_path: Path) -> None:
    """A rule that adds actions makes another dataset."""
    plans: list[Plan] = []
    sizes = []
    for rescue in ("off", "on"):
        made = self_play(tmp_path / rescue, "mini/3x3", 1, {"rescue": rescue}, max_turns=1)
        plans.append(made.described.plan)
        sizes.append(Dataset(tmp_path / rescue, ["mask"]).description.actions)
        [batch] = Dataset(tmp_path / rescue, ["mask"]).batches()
        assert batch["mask"].shape == (1, sizes[-1])
    assert sizes[0] < sizes[1]
    assert plans[0].rules != plans[1].rules


def test_players_change_sides_after_every_game_if_asked(tmp_path: Path) -> None:
    self_play(tmp_path, "mini/3x4", 4, south="greedy", north="random", exchanges=True)
    [batch] = Dataset(tmp_path, ["game", "south_player", "north_player"]).batches(10_000)
    seats = sorted(set(zip(*(column.tolist() for column in batch.values()), strict=True)))
    one, other = ("greedy", "random"), ("random", "greedy")
    assert seats == [(0, *one), (1, *other), (2, *one), (3, *other)]


def test_a_plan_without_exchanged_sides_is_the_plan_of_before() -> None:
    assert b"exchanges" not in msgspec.json.encode(SelfPlay(south="random", north="random"))


class Hopeful:
    """Plays the first legal action and says what it thinks of it."""

    def __init__(self, game: Game, options: Options, rng: Random, budget: Budget) -> None:
        self._game, self._rng = game, rng
        self.win_chance: float | None = None

    def set_up(self, side: int) -> Setup:
        return random_setup(self._game, side, self._rng)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        self.win_chance = 0.75
        return view.legal[0]


def test_a_player_of_ones_own_tells_its_chance_to_win(tmp_path: Path) -> None:
    self_play(tmp_path, "mini/3x4", 2, south="tests.dataset.test_rows:Hopeful", north="greedy")
    [batch] = Dataset(tmp_path, ["mover", "search_value", "action_values"]).batches(10_000)
    by_side = {
        (int(side), str(value)) for side, value in zip(batch["mover"], batch["search_value"], strict=True)
    }
    assert by_side == {(0, "0.75"), (1, "nan")}
    assert np.isnan(batch["action_values"]).all()


def test_a_network_tells_its_chance_to_win(tmp_path: Path) -> None:
    network = random_network("mini/3x4", places=False)
    file = written(tmp_path, "small.safetensors", network)
    self_play(tmp_path / "set", "mini/3x4", 2, south=f"net:{file}", north="random")
    [batch] = Dataset(tmp_path / "set", ["mover", "planes", "scalars", "search_value"]).batches(10_000)
    is_its = batch["mover"] == 0
    _, values = evaluate(network.weights, 1, batch["planes"][is_its], batch["scalars"][is_its])
    assert batch["search_value"][is_its] == pytest.approx((1 + values) / 2, abs=1e-4)
