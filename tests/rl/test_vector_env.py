"""The vector environment as a program uses it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from flagfall.edition import game_ids, load_game, resolve
from flagfall.engine import play
from flagfall.engine.action import Action
from flagfall.engine.state import State
from flagfall.errors import UserError
from flagfall.rl import ActionSpace, IllegalActionError, VectorEnv
from flagfall.rl.layout import ASK_PLACE, ASKED
from flagfall.setups import random_setup

SIZES = {
    "onyx/classic": 3600,
    "duel-masters/elemental-powers": 16105,
    "lotr/special-powers": 14501,
    "barrage/classic": 3600,
    "mini/3x3": 72,
}


def test_the_sizes_of_action_spaces_are_as_documented() -> None:
    assert {game: ActionSpace(load_game(game)).size for game in SIZES} == SIZES


@pytest.mark.parametrize("game_id", game_ids())
def test_every_name_of_an_action_is_used_once(game_id: str) -> None:
    space = ActionSpace(load_game(game_id), places=True)
    assert len(space.names) == len(set(space.names)) == len(space)


def test_a_number_means_the_same_to_both_sides() -> None:
    space = ActionSpace(load_game("onyx/classic"))
    forward = space.encode(Action.of("move", "d4", "d5"), 0)
    assert space.names[forward] == "d4 line north"
    assert space.encode(Action.of("move", "g7", "g6"), 1) == forward
    assert space.decode(forward, 1) == Action.of("move", "g7", "g6")
    attack = Action.of("attack", "g7", "g6")
    assert space.decode(forward, 1, [attack]) == attack


def test_an_action_that_is_none_is_refused_with_a_sentence() -> None:
    space = ActionSpace(load_game("mini/3x3"))
    with pytest.raises(UserError, match="0 to 71"):
        space.decode(72, 0)
    with pytest.raises(UserError, match="no action like"):
        space.encode(Action.of("leap", "a1", "a3"), 0)


def test_an_illegal_action_changes_no_game() -> None:
    env = VectorEnv("mini/3x4", 3, seed=1)
    env.reset()
    before, planes = env.state().arrays, env.planes.copy()
    actions = env.sample().copy()
    actions[2] = next(a for a in range(env.space.size) if not env.mask[2, a])
    with pytest.raises(IllegalActionError, match="game 2"):
        env.step(actions)
    assert all(np.array_equal(one, same) for one, same in zip(before[:3], env.state().arrays, strict=False))
    assert np.array_equal(planes, env.planes)


def test_a_step_needs_a_reset_and_one_whole_number_for_each_game() -> None:
    env = VectorEnv("mini/3x3", 2)
    with pytest.raises(UserError, match="reset"):
        env.step([0, 0])
    env.reset()
    with pytest.raises(UserError, match="2 whole numbers"):
        env.step([0])
    with pytest.raises(UserError, match="2 whole numbers"):
        env.step([0.5, 1.0])


def test_a_game_that_ends_gives_its_rewards_and_begins_again_in_the_same_step() -> None:
    env = VectorEnv("mini/3x3", 4, seed=2)
    env.reset()
    wins = {1: 0, 2: 0}
    for _ in range(150):
        env.step(env.sample())
        assert (env.count > 0).all()
        assert (env.rewards.sum(axis=1) == 0).all()
        assert (env.mask.sum(axis=1) == env.count).all()
        for game in np.flatnonzero(env.terminated):
            winner = int(env.results[game, 1])
            assert env.rewards[game].tolist() == {1: [1, -1], 2: [-1, 1], 3: [0, 0]}[winner]
            assert env.to_play[game] == 0
            wins[winner] = wins.get(winner, 0) + 1
    assert wins[1] > 2
    assert wins[2] > 2


def test_a_long_game_is_truncated_without_a_reward() -> None:
    env = VectorEnv("barrage/classic", 2, max_turns=4)
    env.reset()
    for _ in range(4):
        env.step(env.sample())
    assert env.truncated.all()
    assert not env.terminated.any()
    assert not env.rewards.any()


def test_going_back_to_a_state_gives_the_same_games_again() -> None:
    env = VectorEnv("spin-master/duel", 2, seed=4)
    env.reset()
    for _ in range(9):
        env.step(env.sample())
    state = env.state()
    shown = [array.tobytes() for array in (env.planes, env.scalars, env.mask)]

    def go_on() -> list[bytes]:
        found = []
        for _ in range(6):
            env.step(env.sample())
            found.append(env.planes.tobytes() + env.mask.tobytes())
        return found

    first = go_on()
    env.set_state(state)
    assert shown == [array.tobytes() for array in (env.planes, env.scalars, env.mask)]
    assert go_on() == first
    with pytest.raises(UserError, match="does not fit"):
        VectorEnv("mini/3x3", 2).set_state(state)


def test_setups_come_from_a_pool() -> None:
    game = load_game("mini/3x4")
    pool = [random_setup(game, side, Random(7)) for side in (0, 1)]
    env = VectorEnv(game, 5, setups=pool, truth=True)
    env.reset()
    assert (env.planes == env.planes[0]).all()
    assert (env.truth() == env.truth()[0]).all()
    with pytest.raises(UserError, match="both sides"):
        VectorEnv(game, 1, setups=pool[:1])


def test_the_players_place_their_pieces_one_by_one_unseen() -> None:
    env = VectorEnv("mini/3x4", 1, setups="agent", truth=True)
    env.reset()
    names = env.plane_names()
    hidden = [at for at, name in enumerate(names) if "enemy" in name]
    for placed in range(8):
        assert env.scalars[0, ASKED + ASK_PLACE] == 1
        assert int(env.to_play[0]) == placed // 4
        assert env.planes[0, : env.layout.kinds].sum() == placed % 4
        assert not env.planes[0, hidden].any()
        env.step(env.sample())
    assert env.scalars[0, ASKED + ASK_PLACE] == 0
    assert env.planes[0, hidden].any()


def test_the_truth_is_kept_back_unless_asked_for() -> None:
    env = VectorEnv("mini/3x3", 1)
    env.reset()
    with pytest.raises(UserError, match="truth=True"):
        env.truth()
    critic = VectorEnv("mini/3x3", 1, truth=True)
    critic.reset()
    assert critic.truth().sum() == 3


def test_lists_of_the_engine_and_of_the_environment_are_the_same_with_rescue() -> None:
    game = load_game("fire-and-ice/classic")
    options = resolve(game, {"rescue": "on"})
    env = VectorEnv(game, 1, seed=1, options=options, max_turns=200)
    env.reset()
    assert env.space.size > ActionSpace(game).size
    for _ in range(30):
        state = State(env._states[0].copy())
        packed = play.legal_actions(env.tables, state)
        numbers = sorted(env.space.encode(Action.unpack(act), state.side) for act in packed)
        assert numbers == sorted(env.legal[0, : env.count[0]].tolist())
        env.step(env.sample())
