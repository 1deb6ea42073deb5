"""Calibration: of positions with a win estimate of 70 %, seven in ten should be won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from flagfall.tuning import logistic

Reals = NDArray[np.float64]
EDGES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_SURE = 0.002
"""estimates are clipped to this distance from 0 and 1"""


@dataclass(frozen=True)
class Bin:
    """Positions whose estimate lies between two edges: how many, the mean estimate, the mean result."""

    low: float
    high: float
    positions: int
    said: float
    happened: float


def table(chances: Reals, results: Reals, counts: Reals) -> list[Bin]:
    """Return bins of a tenth; empty ones are left out."""
    bins = []
    for low, high in pairwise(EDGES):
        chosen = (chances >= low) & ((chances < high) | (high == 1.0))
        if chosen.any():
            share = counts[chosen] / counts[chosen].sum()
            said, happened = float(share @ chances[chosen]), float(share @ results[chosen])
            bins.append(Bin(low, high, int(chosen.sum()), said, happened))
    return bins


@dataclass(frozen=True)
class Estimates:
    """The players' own estimates compared with the results."""

    positions: int
    loss: float
    factor: float
    """the factor their log odds need; below 1 they are overconfident"""
    loss_after: float
    bins: Sequence[Bin]


def estimates(chances: Reals, results: Reals, counts: Reals) -> Estimates | None:
    """Return the calibration of the players' own estimates; NaN marks a missing one."""
    said = ~np.isnan(chances)
    if not said.any():
        return None
    p = np.clip(chances[said], _SURE, 1.0 - _SURE)
    happened, share = results[said], counts[said]
    z = np.log(p / (1.0 - p))
    more = logistic.moves(z, z[:, None], happened, share, np.zeros(1), np.ones(1))[0]
    loss, after = (
        float(share @ logistic.losses(z * factor, happened) / share.sum()) for factor in (1.0, 1.0 + more)
    )
    return Estimates(len(p), loss, float(1.0 + more), after, table(p, happened, share))
