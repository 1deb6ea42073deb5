import numpy as np
import pytest

from flagfall.training.advantages import advantages

SOUTH, NORTH = 0, 1


def test_each_player_looks_from_its_own_choice_to_its_own_next_one() -> None:
    # one game: South moves twice (a question of an open turn), North once, then South wins
    rewards = np.zeros((4, 1, 2), dtype=np.float32)
    rewards[3, 0] = 1, -1
    values = np.array([[0.1], [0.3], [0.2], [0.6]], dtype=np.float32)
    movers = np.array([[SOUTH], [SOUTH], [NORTH], [SOUTH]], dtype=np.int8)
    ended = np.array([[False], [False], [False], [True]])
    last = np.array([0.9], dtype=np.float32), np.array([NORTH], dtype=np.int8)

    next_choice = advantages(rewards, values, movers, ended, *last, 0.0)
    whole_game = advantages(rewards, values, movers, ended, *last, 1.0)

    assert next_choice[:, 0] == pytest.approx([0.3 - 0.1, 0.6 - 0.3, -1 - 0.2, 1 - 0.6])
    assert (whole_game + values)[:, 0] == pytest.approx([1.0, 1.0, -1.0, 1.0])


@pytest.mark.parametrize("decay", [0.0, 0.5, 0.95, 1.0])
def test_advantages_are_the_weighted_sum_of_all_surprises_up_to_the_end(decay: float) -> None:
    rng = np.random.default_rng(3)
    steps, games = 12, 5
    ended = rng.random((steps, games)) < 0.2
    won = np.where(ended, rng.choice([-1.0, 0.0, 1.0], (steps, games)), 0)
    rewards = np.stack([won, -won], axis=2).astype(np.float32)
    values, last = rng.normal(size=(steps, games)).astype(np.float32), rng.normal(size=games)
    movers = rng.integers(0, 2, (steps + 1, games)).astype(np.int8)

    found = advantages(rewards, values, movers[:-1], ended, last.astype(np.float32), movers[-1], decay)

    for game in range(games):
        for start in range(steps):
            mover, total, weight, expected, gained = int(movers[start, game]), 0.0, 1.0, 0.0, 0.0
            expected = float(values[start, game])
            for step in range(start, steps + 1):
                if step == steps:  # the end of what was played, not of the game
                    sign = 1 if movers[step, game] == mover else -1
                    total += weight * (gained + sign * last[game] - expected)
                    break
                if step > start and movers[step, game] == mover:
                    total += weight * (gained + float(values[step, game]) - expected)
                    weight, expected, gained = weight * decay, float(values[step, game]), 0.0
                gained += float(rewards[step, game, mover])
                if ended[step, game]:
                    total += weight * (gained - expected)
                    break
            assert found[start, game] == pytest.approx(total, abs=1e-4)
