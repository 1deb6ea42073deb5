"""The PettingZoo environment keeps the rules of that library, and of the game."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from flagfall.rl import IllegalActionError
from flagfall.rl.pettingzoo_env import AGENTS, PettingZooEnv, env

MASKED = [
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",
]
"""what the checks say of every environment from elsewhere whose observations hold a mask"""


@pytest.mark.parametrize(
    ("game", "setups"), [("mini/3x4", "random"), ("mini/3x4", "agent"), ("barrage/classic", "random")]
)
def test_an_environment_passes_the_checks_of_pettingzoo(game: str, setups: str) -> None:
    with warnings.catch_warnings():
        for sentence in MASKED:
            warnings.filterwarnings("ignore", sentence)
        api_test(env(game, setups=setups), num_cycles=40)
        seed_test(lambda: env(game, setups=setups), num_cycles=20)


def test_both_agents_are_told_the_result_of_a_game() -> None:
    game = env("mini/3x3")
    found = set()
    for seed in range(6):
        game.reset(seed=seed)
        last = dict.fromkeys(AGENTS, 0)
        for agent in game.agent_iter():
            seen, reward, terminated, truncated, _ = game.last()
            last[agent] += reward
            mask = seen["action_mask"]
            assert mask.any() != (terminated or truncated)
            game.step(None if terminated or truncated else int(np.flatnonzero(mask)[-1 - seed % mask.sum()]))
        assert sum(last.values()) == 0
        found.add(last["south_0"])
    assert found & {1, -1}


def test_an_agent_that_waits_sees_its_own_side_and_may_do_nothing() -> None:
    game = PettingZooEnv("mini/3x3", render_mode="ansi")
    game.reset(seed=1)
    mine, theirs = game.observe("south_0"), game.observe("north_1")
    assert mine["action_mask"].any()
    assert not theirs["action_mask"].any()
    side = game.layout.plane_count
    assert (mine["observation"][side] == 0).all()
    assert (theirs["observation"][side] == 1).all()
    drawn = game.render()
    assert drawn is not None
    assert drawn.splitlines()[0].split() == ["?", "?", "?"]
    assert "?" not in drawn.splitlines()[2]
    with pytest.raises(IllegalActionError):
        game.step(-1)
