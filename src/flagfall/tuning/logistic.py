"""Logistic fitting with a firm hold: the moves that make results likeliest without straying far.

The chance to win is ``1 / (1 + exp(-z))``, and ``z`` is a start plus columns times moves. Every move has a
spread: the prior says that it is 0, give or take that much. The sum to make small is convex, so Newton's
method finds its only minimum.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
_STEPS = 40
_CLOSE = 1e-8
_FAR = 30.0


def chance(z: Reals) -> Reals:
    """The chance to win that belongs to log odds."""
    chances: Reals = 1.0 / (1.0 + np.exp(-np.clip(z, -_FAR, _FAR)))
    return chances


def losses(z: Reals, results: Reals) -> Reals:
    """−log of the chance of what happened, for each position; a draw counts as half of both."""
    z = np.clip(z, -_FAR, _FAR)
    found: Reals = np.logaddexp(0.0, -z) * results + np.logaddexp(0.0, z) * (1.0 - results)
    return found


def moves(
    start: Reals, columns: Reals, results: Reals, counts: Reals, already: Reals, spread: Reals
) -> Reals:
    """The best further moves; ``already`` are those made before, which the prior counts too."""
    found = np.zeros(columns.shape[1])
    if not len(found):
        return found
    hold = 1.0 / spread**2
    for _ in range(_STEPS):
        p = chance(start + columns @ found)
        slope = columns.T @ (counts * (p - results)) + hold * (already + found)
        curve = (columns * (counts * np.maximum(p * (1.0 - p), 1e-6))[:, None]).T @ columns + np.diag(hold)
        step = np.linalg.solve(curve, slope)
        step *= min(1.0, 2.0 / max(float(np.abs(step / spread).max()), 1e-12))
        found = found - step
        if np.abs(step).max() < _CLOSE:
            break
    return found


def widths(z: Reals, columns: Reals, counts: Reals, spread: Reals) -> Reals:
    """How sure each move is, as a standard deviation; the spread itself where results say nothing."""
    p = chance(z)
    curve = (columns * (counts * p * (1.0 - p))[:, None]).T @ columns + np.diag(1.0 / spread**2)
    found: Reals = np.sqrt(np.diag(np.linalg.inv(curve)))
    return found


def total(z: Reals, results: Reals, counts: Reals, made: Reals, spread: Reals) -> float:
    """What is made small: the losses of all positions, and half a square for every spread of a move."""
    return float(counts @ losses(z, results) + 0.5 * ((made / spread) ** 2).sum())
