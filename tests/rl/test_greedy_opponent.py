"""The greedy player for many games at once plays as the greedy player does."""

from random import Random

import numpy as np
import pytest

from flagfall.edition import load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.match.play import GameRunner
from flagfall.players import Budget
from flagfall.players.greedy import GreedyPlayer, Squares
from flagfall.rl import Layout, Observation, Observer, VectorEnv
from flagfall.rl.greedy_opponent import GreedyOpponent, is_playable
from flagfall.setups import any_style


@pytest.mark.parametrize("game_id", ["mini/3x4", "barrage/classic", "spin-master/duel"])
def test_it_gives_every_action_the_score_that_the_player_gives_it(game_id: str) -> None:
    game = load_game(game_id)
    options = resolve(game, {})
    layout = Layout(game, options, compile_game(game, options), places=True)
    kinds_seen = set()
    for seed in range(6):
        rng = Random(seed)
        player = GreedyPlayer(game, options, rng, Budget())
        running = GameRunner(game, options, [any_style(game, side, rng) for side in (0, 1)])
        observers = [Observer(game, options, side, places=True) for side in (0, 1)]
        opponent = GreedyOpponent(layout, 2)
        while not running.is_over and running.turns < 120:
            side = int(running.mover)
            view, history = running.view(running.mover), running.history(running.mover)
            one = observers[side].observe(view, history)
            seen = Observation(one.planes[None], one.scalars[None], one.mask[None])
            at = np.array([side]), np.array([side], dtype=np.int8)
            scores = opponent.scores(*at, seen)[0]
            table = Squares(view)
            for action in view.legal:
                wanted = player._score(view, table, action)
                assert scores[layout.space.encode(action, side)] == pytest.approx(wanted, abs=1e-3), action
                kinds_seen.add(action.verb)
            assert np.isfinite(scores).sum() == len(view.legal)
            action = player.choose(view, history) if rng.random() < 0.7 else rng.choice(view.legal)
            opponent.note(at[0], np.array([layout.space.encode(action, side)]), seen)
            running.play(action)
    assert len(kinds_seen) >= (4 if game_id == "spin-master/duel" else 2)


def test_it_wins_half_of_the_games_against_the_player() -> None:
    env = VectorEnv("mini/3x4", 40, setups="agent", opponent="greedy", autoreset=False, max_turns=100)
    opponent = GreedyOpponent(env.layout, 40)
    env.reset(seed=3)
    won = 0
    while (waiting := env.count > 0).any():
        games = np.flatnonzero(waiting)
        actions = np.zeros(40, dtype=np.int64)
        seen = Observation(env.planes[games], env.scalars[games], env.mask[games])
        actions[games] = opponent.answers(games, env.to_play[games], seen)
        env.step(actions)
        won += int((env.rewards[np.arange(40), env.seats] > 0).sum())
    assert 10 <= won <= 30


def test_the_same_seed_gives_the_same_games_in_an_environment() -> None:
    def played(seed: int) -> bytes:
        layout = VectorEnv("spin-master/duel", 1, setups="agent").layout
        env = VectorEnv("spin-master/duel", 4, setups="agent", opponent=GreedyOpponent(layout, 4))
        env.reset(seed=seed)
        for _ in range(30):
            env.step(env.sample())
        return env.planes.tobytes()

    assert played(1) == played(1) != played(2)


def test_games_with_powers_that_planes_do_not_say_enough_about_are_left_to_the_player() -> None:
    found = {}
    for game_id in ("lotr/classic", "lotr/special-powers", "onyx/classic", "duel-masters/elemental-powers"):
        game = load_game(game_id)
        options = resolve(game, {})
        found[game_id] = is_playable(Layout(game, options, compile_game(game, options), places=True))
    assert found["onyx/classic"]
    assert not found["lotr/special-powers"]
    assert not found["duel-masters/elemental-powers"]
