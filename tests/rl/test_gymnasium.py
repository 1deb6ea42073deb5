"""The Gymnasium environments keep the rules of that library, and of the game."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from flagfall.edition import game_ids
from flagfall.errors import UserError
from flagfall.rl import IllegalActionError, VectorEnv
from flagfall.rl.gymnasium_envs import GymnasiumEnv, GymnasiumVectorEnv


def test_every_game_is_registered() -> None:
    for game in game_ids():
        assert gymnasium.spec(f"flagfall/{game.replace('/', '-')}-v0").kwargs == {"game": game}


@pytest.mark.parametrize("seat", ["south", "north", "both"])
@pytest.mark.parametrize("setups", ["random", "agent"])
def test_an_environment_passes_the_checks_of_gymnasium(seat: str, setups: str) -> None:
    env = gymnasium.make("flagfall/mini-3x4-v0", opponent="greedy", seat=seat, setups=setups)
    check_env(env.unwrapped)


def test_an_agent_plays_whole_games_with_the_mask() -> None:
    env = gymnasium.make("flagfall/mini-3x3-v0", opponent="random")
    rewards, seats = set(), set()
    for seed in range(12):
        seen, info = env.reset(seed=seed)
        seats.add(info["seat"])
        env.action_space.seed(seed)
        is_over = False
        while not is_over:
            assert env.observation_space.contains(seen)
            assert np.array_equal(info["action_mask"], env.unwrapped.action_masks())  # type: ignore[attr-defined]
            action = env.action_space.sample(info["action_mask"])
            seen, reward, terminated, truncated, info = env.step(action)
            is_over = terminated or truncated
        assert not info["action_mask"].any()
        assert seen["scalars"][0] == info["seat"]
        rewards.add(reward)
    assert {-1.0, 1.0} <= rewards
    assert seats == {0, 1}
    env.close()


def test_an_illegal_action_loses_or_raises() -> None:
    env = GymnasiumEnv("mini/3x3", seat="south")
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, _, info = env.step(wrong)
    assert (reward, terminated, info["action_mask"].any()) == (-1.0, True, False)
    with pytest.raises(UserError, match="call reset"):
        env.step(0)
    strict = GymnasiumEnv("mini/3x3", illegal="error")
    before, _ = strict.reset(seed=1)
    with pytest.raises(IllegalActionError, match="action_mask"):
        strict.step(-1)
    assert np.array_equal(strict._seen(None)["planes"], before["planes"])
    with pytest.raises(UserError, match="“lose” or “error”"):
        GymnasiumEnv("mini/3x3", illegal="ignore")  # type: ignore[arg-type]


@pytest.mark.parametrize("opponent", [None, "random"])
def test_many_games_end_with_their_last_observation_and_begin_again(opponent: str | None) -> None:
    env = gymnasium.make_vec(
        "flagfall/mini-3x3-v0", num_envs=6, vectorization_mode="vector_entry_point", opponent=opponent
    )
    assert isinstance(env, GymnasiumVectorEnv)
    seen, info = env.reset(seed=3)
    rng = np.random.default_rng(0)
    ends = 0
    for _ in range(40):
        assert env.observation_space.contains(seen)
        acted = info["to_play"].copy()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        seen, rewards, terminated, _, info = env.step(actions)
        assert info["action_mask"].any(axis=1).all()
        for i in np.flatnonzero(terminated):
            ends += 1
            assert info["_final_obs"][i]
            assert env.single_observation_space.contains(info["final_obs"][i])
            assert info["final_obs"][i]["scalars"][0] == acted[i]
            winner = {1: 0, 2: 1}.get(int(info["final_info"]["result"][i]))
            assert rewards[i] == (0 if winner is None else 1 if winner == acted[i] else -1)
        assert not rewards[~terminated].any()
    assert ends > 5
    env.close()


def test_many_games_show_what_the_vector_environment_shows() -> None:
    env = GymnasiumVectorEnv(4, "barrage/classic", max_turns=6)
    seen, info = env.reset(seed=9)
    same = VectorEnv("barrage/classic", 4, max_turns=6)
    same.reset(seed=int(np.random.default_rng(9).integers(2**31)))
    for _ in range(9):
        assert np.array_equal(seen["planes"], same.planes)
        assert np.array_equal(info["action_mask"].astype(bool), same.mask)
        actions = same.sample().copy()
        same.step(actions)
        seen, _, _, truncated, info = env.step(actions.astype(np.int64))
        assert np.array_equal(truncated, same.truncated)


def test_one_illegal_action_of_many_loses_one_game() -> None:
    env = GymnasiumVectorEnv(3, "mini/3x4")
    _, info = env.reset(seed=2)
    actions = np.array([int(np.flatnonzero(mask)[0]) for mask in info["action_mask"]])
    actions[1] = env.layout.space.size - 1
    assert not info["action_mask"][1, actions[1]]
    _, rewards, terminated, _, info = env.step(actions)
    assert (rewards.tolist(), terminated.tolist()) == ([0, -1, 0], [False, True, False])
    assert info["final_info"]["result"].tolist()[1] == 2
    assert info["to_play"].tolist() == [1, 0, 1]
