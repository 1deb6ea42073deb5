"""How much better an action turned out than expected (GAE), for two players who each know their own pieces.

A player's action leads to the position in which the *same* player chooses next; what the other player does
in between belongs to the game. The other's value would be the wrong thing to look at: it does not know what
stands where, so that it says nothing about where a piece was placed, or which piece was moved::

    South  v0 ─────────────────> v2 ──────> v3, won: +1
    North        v1 ──────────────────────> lost: -1
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Sides = NDArray[np.int8]


def advantages(
    rewards: Floats,
    values: Floats,
    movers: Sides,
    has_ended: NDArray[np.bool_],
    last_values: Floats,
    last_movers: Sides,
    decay: float,
) -> Floats:
    """Return the advantage of every step, ``[step, game]``; added to the values it is what they should be.

    ``rewards`` are of both sides, ``[step, game, side]``; ``values`` are the mover's. The last values are of
    the positions after the last step: the side that is to move there knows its own, the other takes minus
    that for want of a better one. ``decay`` is the λ of GAE: 0 looks as far as the player's next choice, 1
    to the end of the game.
    """
    found = np.zeros_like(values)
    games = np.arange(values.shape[1])
    ahead = np.where(np.arange(2) == last_movers[:, None], last_values[:, None], -last_values[:, None])
    carried, gained = np.zeros_like(ahead), np.zeros_like(ahead)
    for step in range(len(values) - 1, -1, -1):
        ended, mover = has_ended[step], movers[step]
        for later in (ahead, carried, gained):
            later[ended] = 0
        gained += rewards[step]
        surprise = gained[games, mover] + ahead[games, mover] - values[step]
        found[step] = surprise + np.float32(decay) * carried[games, mover]
        ahead[games, mover], carried[games, mover], gained[games, mover] = values[step], found[step], 0
    return found
