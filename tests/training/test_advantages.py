import numpy as np
import pytest

from flagfall.training.advantages import advantages


def test_the_player_who_moves_again_keeps_its_sign() -> None:
    # one game: South moves twice (a question of an open turn), North once and wins
    rewards = np.array([[0.0], [0.0], [1.0]], dtype=np.float32)
    values = np.array([[0.1], [0.3], [0.2]], dtype=np.float32)
    signs = np.array([[1.0], [-1.0], [-1.0]], dtype=np.float32)
    ended = np.array([[False], [False], [True]])
    last = np.array([0.9], dtype=np.float32)

    one_step = advantages(rewards, values, signs, ended, last, 0.0)
    whole_game = advantages(rewards, values, signs, ended, last, 1.0)

    assert one_step[:, 0] == pytest.approx([0.3 - 0.1, -0.2 - 0.3, 1 - 0.2])
    assert (whole_game + values)[:, 0] == pytest.approx([-1.0, -1.0, 1.0])


@pytest.mark.parametrize("decay", [0.0, 0.5, 0.95, 1.0])
def test_advantages_are_the_weighted_sum_of_all_surprises_up_to_the_end(decay: float) -> None:
    rng = np.random.default_rng(3)
    steps, games = 12, 5
    rewards = rng.choice([-1.0, 0.0, 1.0], (steps, games)).astype(np.float32)
    values, last = rng.normal(size=(steps, games)).astype(np.float32), rng.normal(size=games)
    signs = rng.choice([-1.0, 1.0], (steps, games)).astype(np.float32)
    ended = rng.random((steps, games)) < 0.2

    found = advantages(rewards, values, signs, ended, last.astype(np.float32), decay)

    for game in range(games):
        after = [*values[1:, game], last[game]]
        for start in range(steps):
            total, weight = 0.0, 1.0
            for step in range(start, steps):
                goes_on = 0.0 if ended[step, game] else float(signs[step, game])
                surprise = rewards[step, game] + goes_on * after[step] - values[step, game]
                total += weight * surprise
                weight *= decay * goes_on
            assert found[start, game] == pytest.approx(total, abs=1e-4)
