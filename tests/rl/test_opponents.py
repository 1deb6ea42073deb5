"""An opponent inside the environment, games that wait for a reset, and beliefs."""

from __future__ import annotations

from itertools import permutations
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

import flagfall
from flagfall.edition import load_game
from flagfall.errors import FlagfallError, UserError
from flagfall.rl import Observation, VectorEnv
from flagfall.setups import random_setup


def last_legal(seen: Observation) -> NDArray[np.int64]:
    """A policy for a batch of observations: the legal action with the highest number."""
    return np.array([np.flatnonzero(mask)[-1] for mask in seen.mask])


def played(env: VectorEnv, steps: int) -> list[bytes]:
    env.reset(seed=5)
    found = []
    for _ in range(steps):
        env.step(env.sample())
        found.append(b"".join(a.tobytes() for a in (env.planes, env.mask, env.rewards, env.results)))
    return found


@pytest.mark.parametrize("opponent", [last_legal, "random", flagfall.player("greedy", nodes=5)])
@pytest.mark.parametrize("setups", ["random", "agent"])
def test_after_every_step_it_is_the_agents_turn(opponent: object, setups: str) -> None:
    env = VectorEnv("mini/3x4", 4, setups=setups, opponent=opponent)  # type: ignore[arg-type]
    won, lost = [0, 0], [0, 0]
    env.reset(seed=1)
    for _ in range(100):
        assert env.to_play.tolist() == env.seats.tolist() == [0, 1, 0, 1]
        assert (env.mask.sum(axis=1) == env.count).all()
        env.step(env.sample())
        assert (env.rewards.sum(axis=1) == 0).all()
        assert env.terminated[env.rewards[:, 0] != 0].all()
        for i, seat in enumerate(env.seats.tolist()):
            won[seat] += int(env.rewards[i, seat] > 0)
            lost[seat] += int(env.rewards[i, seat] < 0)
    assert min(won + lost) > 0, "agents of both sides win and lose"


def test_a_seed_gives_the_same_games_against_the_same_player() -> None:
    first = played(VectorEnv("spin-master/duel", 2, opponent="greedy"), 12)
    assert played(VectorEnv("spin-master/duel", 2, opponent="greedy"), 12) == first
    assert played(VectorEnv("spin-master/duel", 2, opponent="random"), 12) != first


def test_a_policy_opponent_sees_its_own_side_only() -> None:
    sides = []

    def policy(seen: Observation) -> NDArray[np.int64]:
        sides.extend(seen.scalars[:, 0].tolist())
        return last_legal(seen)

    env = VectorEnv("mini/3x3", 3, opponent=policy, seat="north")
    env.reset()
    for _ in range(5):
        env.step(env.sample())
    assert set(sides) == {0}


def test_an_opponent_that_plays_against_the_rules_is_named() -> None:
    env = VectorEnv("mini/3x3", 1, opponent=lambda seen: np.array([-1]), seat="north")
    with pytest.raises(UserError, match="The opponent chose action -1"):
        env.reset()
    env = VectorEnv("mini/3x3", 1, opponent=lambda seen: np.array([1, 2]), seat="north")
    with pytest.raises(UserError, match="1 whole numbers"):
        env.reset()
    with pytest.raises(FlagfallError, match="no player"):
        VectorEnv("mini/3x3", 1, opponent="nobody")
    with pytest.raises(UserError, match="“south”, “north” or “both”"):
        VectorEnv("mini/3x3", 1, seat="east")  # type: ignore[arg-type]


def test_a_player_sets_up_its_own_army_unless_there_is_a_pool() -> None:
    game = load_game("barrage/classic")
    pool = [random_setup(game, side, Random(3)) for side in (0, 1)]
    env = VectorEnv(game, 1, setups=pool, opponent="greedy", truth=True, seat="south")
    env.reset()
    fixed = env.truth()
    assert fixed[0].any(axis=0).sum() == 8
    env.reset()
    assert np.array_equal(env.truth(), fixed)
    own = VectorEnv(game, 1, opponent="greedy", truth=True, seat="south")
    own.reset()
    flag = [kind.id for kind in (game.kinds[k] for k in own.layout.army_kinds[1])].index("flag")
    assert own.truth()[0, flag, -1].any(), "greedy keeps its Flag in the back row"


def test_without_autoreset_a_game_waits_where_it_ended() -> None:
    env = VectorEnv("mini/3x3", 6, seed=2, autoreset=False)
    env.reset()
    total = np.zeros((6, 2), dtype=int)
    while (env.count > 0).any():
        env.step(env.sample())
        total += env.rewards
    assert env.terminated.all()
    assert set(np.abs(total).ravel()) <= {0, 1}
    assert np.abs(total).any()
    env.reset(games=np.arange(6) < 2)
    assert (env.count > 0).tolist() == [True] * 2 + [False] * 4
    assert env.terminated.tolist() == [False] * 2 + [True] * 4
    with pytest.raises(UserError, match="6 truth values"):
        env.reset(games=[True])


def test_an_even_belief_counts_the_armies_that_are_left() -> None:
    game = load_game("mini/3x4")
    env = VectorEnv(game, 1, seed=4, belief="even")
    env.reset()
    kinds = [game.kinds[kind] for kind in env.layout.army_kinds[1]]
    while not env.planes[0, 3 * env.layout.kinds + 3].any():  # until a hidden enemy has moved
        env.step(env.sample())
    side, space = int(env.to_play[0]), env.space
    planes = env.planes[0].reshape(env.layout.plane_count, -1)
    first = 2 * env.layout.kinds
    squares = np.flatnonzero(planes[3 * env.layout.kinds + 2] | planes[3 * env.layout.kinds + 3])
    left = [
        place
        for place in range(len(kinds))
        for _ in range(
            int(
                env.scalars[0, env.scalar_names(side).index(f"enemy pieces not yet known: {kinds[place].id}")]
            )
        )
    ]
    armies = {
        army
        for army in permutations(left, len(squares))
        if all(planes[first + place, at] for place, at in zip(army, squares, strict=True))
    }
    expected = np.zeros((env.layout.kinds, space.squares))
    for army in armies:
        for place, at in zip(army, squares, strict=True):
            expected[place, at] += 1 / len(armies)
    found = env.belief()[0].reshape(env.layout.kinds, -1)
    assert np.allclose(found, expected, atol=1e-6)
    assert 0 < expected.max(axis=0)[squares].min() < 1


def test_beliefs_are_kept_back_unless_asked_for() -> None:
    env = VectorEnv("mini/3x3", 1)
    env.reset()
    with pytest.raises(UserError, match="belief="):
        env.belief()
    with pytest.raises(UserError, match="“even” or “people”"):
        VectorEnv("mini/3x3", 1, belief="wild")  # type: ignore[arg-type]
    people = VectorEnv("mini/3x4", 2, belief="people")
    people.reset()
    hidden = people.planes[:, 3 * people.layout.kinds + 2]
    assert np.allclose(people.belief().sum(axis=1), hidden)
    with pytest.raises(UserError, match="cannot go back"):
        people.set_state(people.state())
