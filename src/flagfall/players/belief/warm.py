"""Have the kernels of beliefs ready before a player needs them."""

from __future__ import annotations

import numpy as np

from flagfall.engine.mode import is_compiled
from flagfall.players.belief.assignments import Assignments


def warm_up() -> None:
    """Compile them, or fetch them from the cache; does nothing when kernels are interpreted."""
    if is_compiled():
        assignments = Assignments(np.ones((1, 3, 3)), np.ones(3, dtype=np.int64), np.ones(1), limit=1)
        assignments.chances()
        assignments.sample(1, np.random.default_rng(1))
