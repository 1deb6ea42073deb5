"""Logistic regression with a Gaussian prior (L2).

The win probability is ``1 / (1 + exp(-z))``, where ``z`` is a start plus columns times moves. Each move has a
normal prior around 0 with its own standard deviation. The objective is convex, so Newton's method finds its
only minimum.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
_STEPS = 40
_CLOSE = 1e-8
_FAR = 30.0


def chance(z: Reals) -> Reals:
    """Return the probability of log odds."""
    chances: Reals = 1.0 / (1.0 + np.exp(-np.clip(z, -_FAR, _FAR)))
    return chances


def losses(z: Reals, results: Reals) -> Reals:
    """Return the cross-entropy of each position; a draw counts half as win and half as loss."""
    z = np.clip(z, -_FAR, _FAR)
    found: Reals = np.logaddexp(0.0, -z) * results + np.logaddexp(0.0, z) * (1.0 - results)
    return found


def moves(
    start: Reals, columns: Reals, results: Reals, counts: Reals, already: Reals, spread: Reals
) -> Reals:
    """Return the Newton step; ``already`` are the moves so far, which the prior also penalises."""
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
    """Return the standard deviation of each move; the prior's own where the data say nothing."""
    p = chance(z)
    curve = (columns * (counts * p * (1.0 - p))[:, None]).T @ columns + np.diag(1.0 / spread**2)
    found: Reals = np.sqrt(np.diag(np.linalg.inv(curve)))
    return found


def total(z: Reals, results: Reals, counts: Reals, made: Reals, spread: Reals) -> float:
    """Return the objective: the losses of all positions plus the L2 penalty."""
    return float(counts @ losses(z, results) + 0.5 * ((made / spread) ** 2).sum())
