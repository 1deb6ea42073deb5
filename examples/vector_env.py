"""A vector environment in twenty lines: how often does a simple policy beat random play?

python examples/vector_env.py
PYTHONPATH=examples flagfall match --south vector_env:Forward --north random --game barrage/classic
"""

import sys

import numpy as np

from flagfall.rl import Observation, VectorEnv, player_of


def forward(seen: Observation) -> np.ndarray:
    """Choose the legal action with the highest number: one of the foremost piece that can move."""
    return seen.mask.shape[-1] - 1 - np.argmax(seen.mask[..., ::-1], axis=-1)


Forward = player_of(forward)


def share_of_wins(game: str, n: int, steps: int) -> float:
    """Return the share of decided games that random play loses against the policy."""
    env, wins, losses = VectorEnv(game, n, seed=1, opponent=forward, max_turns=200), 0, 0
    env.reset()
    for _ in range(steps):
        env.step(env.sample())  # the agent plays at random, the policy answers
        rewards = env.rewards[np.arange(n), env.seats]
        wins, losses = wins + int((rewards < 0).sum()), losses + int((rewards > 0).sum())
    return wins / max(wins + losses, 1)


if __name__ == "__main__":
    sys.stdout.write(f"forward wins {share_of_wins('mini/3x4', 256, 200):.0%} of its games\n")
