"""A policy sits at a table like any player."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from flagfall.edition import load_game, resolve
from flagfall.errors import UserError
from flagfall.match.play import GameRunner, play_game
from flagfall.players import Budget
from flagfall.players.player import Player, RandomPlayer
from flagfall.rl import Observation, PolicyPlayer, VectorEnv, player_of
from flagfall.rl.referees import setups_of
from flagfall.sides import BySide


def test_a_policy_plays_a_whole_game_on_either_side() -> None:
    game = load_game("spin-master/duel")
    options = resolve(game, {})

    def first_legal(observation: Observation) -> int:
        return int(np.flatnonzero(observation.mask)[0])

    mine: Player = PolicyPlayer(game, options, Random(1), Budget(), first_legal)
    other: Player = RandomPlayer(game, options, Random(2), Budget())
    for players in (BySide(mine, other), BySide(other, mine)):
        running = GameRunner(game, options, [players.south.set_up(0), players.north.set_up(1)])
        play_game(running, players, max_turns=60)
        assert running.turns > 10 or running.is_over


def test_a_policy_places_its_pieces_as_in_the_environment() -> None:
    game = load_game("barrage/classic")
    options = resolve(game, {})

    def last_legal(observation: Observation) -> int:
        return int(np.flatnonzero(observation.mask)[-1])

    env = VectorEnv(game, 1, setups="agent", truth=True)
    env.reset()
    for _ in range(16):
        seen = Observation(env.planes[0], env.scalars[0], env.mask[0])
        env.step([last_legal(seen)])
    player = player_of(last_legal, places=True)(game, options, Random(1), Budget())
    south, north = (player.set_up(side) for side in (0, 1))
    assert (south, north) == setups_of(game, env._states[0])


def test_a_policy_that_ignores_the_mask_is_told_so() -> None:
    game = load_game("mini/3x3")
    options = resolve(game, {})
    mine = PolicyPlayer(game, options, Random(1), Budget(), lambda observation: -1)
    running = GameRunner(game, options, [mine.set_up(0), mine.set_up(1)])
    with pytest.raises(UserError, match="use the mask"):
        mine.choose(running.view("south"), running.history("south"))
