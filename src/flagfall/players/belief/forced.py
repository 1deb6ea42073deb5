"""A possible deal when luck has found none: piece after piece, each time only among kinds that leave a way.

Slow and rarely needed: only where kinds that not every piece of a bundle can be had to be bundled together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flagfall.view.assignment import possible


def _forced_assignment(
    weight: NDArray[np.float64], counts: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """One deal, ``[piece]`` → kind, that gives no piece a kind of weight 0."""
    left = [int(count) for count in counts]
    masks = [sum(1 << int(kind) for kind in np.flatnonzero(row > 0)) for row in weight]
    assigned = np.zeros(len(weight), dtype=np.int64)
    for piece, row in enumerate(weight):
        groups = [(mask, 1) for mask in masks[piece:]]
        answer = possible(groups, left)
        if answer is None:
            raise ValueError("no deal fits what was told")
        chance = np.array([row[kind] * left[kind] * (answer[0] >> kind & 1) for kind in range(len(left))])
        assigned[piece] = rng.choice(len(left), p=chance / chance.sum())
        left[assigned[piece]] -= 1
    return assigned
