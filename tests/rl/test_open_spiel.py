"""The OpenSpiel game keeps the rules of that library, and shows what the environment shows."""

from __future__ import annotations

from random import Random

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import make_observation

from flagfall.rl import VectorEnv
from flagfall.rl.open_spiel_game import OpenSpielGame

GAMES = ("mini/3x4", "spin-master/duel", "barrage/classic")


def load(game: str, length: int = 40) -> pyspiel.Game:
    return pyspiel.load_game("flagfall", {"game": game, "max_length": length})


@pytest.mark.parametrize("game", GAMES)
def test_a_game_passes_the_checks_of_openspiel(game: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(load(game, 12), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_shows_both_players_what_the_environment_shows(game: str) -> None:
    state = load(game).new_initial_state()
    env = VectorEnv(game, 1, setups="agent", autoreset=False)
    env.reset()
    reader, rng = make_observation(state.get_game()), Random(3)
    while not state.is_terminal():
        assert state.current_player() == env.to_play[0]
        assert state.legal_actions() == np.flatnonzero(env.mask[0]).tolist()
        for side in (0, 1):
            reader.set_from(state, side)
            seen = env.observe(side)
            assert np.array_equal(reader.dict["planes"], seen.planes[0])
            assert np.array_equal(reader.dict["scalars"], seen.scalars[0])
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        env.step([action])
    assert not env.terminated[0] or state.returns() == env.rewards[0].tolist()


def test_a_copy_goes_its_own_way() -> None:
    state = load("mini/3x4").new_initial_state()
    while len(state.history()) < 9:
        state.apply_action(state.legal_actions()[0])
    other, before = state.clone(), state.information_state_string(0)
    other.apply_action(other.legal_actions()[-1])
    assert state.information_state_string(0) == before
    assert other.information_state_string(0) != before
    assert len(other.history()) == len(state.history()) + 1


def test_an_observation_is_of_its_own_state_whichever_was_read_before() -> None:
    """Games that part go on for as many actions, in which other pieces are lost or shown."""
    rng, states = Random(1), []
    for _ in range(12):
        state = load("mini/3x4").new_initial_state()
        while len(state.history()) < 12 and not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        states.append(state)
    first = [state.observation_tensor(0) for state in states]
    assert [state.observation_tensor(0) for state in reversed(states)] == first[::-1]


def test_what_the_other_side_has_placed_is_in_no_text_of_a_player() -> None:
    """South's first two pieces change places; North is told the same."""
    states = [load("mini/3x4").new_initial_state() for _ in range(2)]
    for at in range(8):
        for which, state in enumerate(states):
            legal = state.legal_actions()
            state.apply_action(legal[1] if (at == 0 and which) else legal[0])
    for read in ("information_state_string", "observation_string"):
        assert getattr(states[0], read)(1) == getattr(states[1], read)(1)
        assert getattr(states[0], read)(0) != getattr(states[1], read)(0)
    assert states[0].observation_tensor(1) == states[1].observation_tensor(1)


def test_options_are_parameters() -> None:
    plain = OpenSpielGame({"game": "barrage/classic"})
    rescue = OpenSpielGame({"game": "barrage/classic", "options": "rescue=on"})
    assert rescue.num_distinct_actions() > plain.num_distinct_actions()
