"""How much better an action turned out than expected (GAE), for two players who take turns.

Every value is from the side of the player to move. What the next position is worth to this player is minus
its value if the other player moves there, and the value itself if the same player moves again: to place the
next piece, to answer a question of an open turn, or because the opponent's answer is part of the step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def advantages(
    rewards: Floats,
    values: Floats,
    signs: Floats,
    has_ended: NDArray[np.bool_],
    last_values: Floats,
    decay: float,
) -> Floats:
    """Return the advantage of every step, ``[step, game]``; added to the values it is what they should be.

    ``rewards`` are the mover's; ``signs`` are 1 where the same player moves next and -1 otherwise;
    ``last_values`` are of the positions after the last step. ``decay`` is the λ of GAE: 0 looks one step
    ahead, 1 to the end of the game.
    """
    found = np.zeros_like(values)
    next_values, carried = last_values, np.zeros_like(last_values)
    for step in range(len(values) - 1, -1, -1):
        onward = np.where(has_ended[step], np.float32(0), signs[step])
        surprise = rewards[step] + onward * next_values - values[step]
        carried = surprise + np.float32(decay) * onward * carried
        found[step], next_values = carried, values[step]
    return found
