"""Networks of random numbers that correct the evaluation."""

from __future__ import annotations

import numpy as np

from flagfall.edition import Game
from flagfall.players.evaluation.value_net import ValueNet, zero_net


def random_net(game: Game, hidden: int = 3, seed: int = 1) -> ValueNet:
    """A network of random numbers, some of which cut in the first layer."""
    empty, rng = zero_net(game, hidden), np.random.default_rng(seed)
    arrays = {
        name: rng.integers(-400, 400, array.shape).astype(np.int16) for name, array in empty.arrays.items()
    }
    arrays["out"] *= 60
    return ValueNet(empty.header, arrays)
