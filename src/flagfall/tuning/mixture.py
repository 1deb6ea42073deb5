"""A mixture of setup types, fitted by expectation-maximisation.

A *type* says for every home square how often each kind stands there, squares being independent within a
type; many types together express what belongs together (bombs around a flag, a spy next to a general). Every
type has a mirror image of the same weight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Report = Callable[[int, int, str], None]


@dataclass(frozen=True, eq=False)
class Stage:
    """A stage of a fit, from which it can resume."""

    fits: tuple[float, ...]
    """nats per piece before each completed round"""
    share: Reals
    table: Reals
    """``[type, square and kind]``"""


Checkpoint = Callable[[Stage], None]


def fit_types(
    setups: NDArray[np.int8],
    mirror: NDArray[np.int64],
    kinds: int,
    types: int,
    rounds: int,
    seed: int,
    report: Report,
    prior_strength: float = 10.0,
    begin: Stage | None = None,
    checkpoint: Checkpoint = lambda stage: None,
) -> tuple[Reals, Reals]:
    """Return shares ``[type]`` and tables ``[type, square, kind]`` for setups ``[setup, square]`` → kind.

    ``prior_strength``: weight of the average setup in every type, in setups. ``checkpoint`` is called with
    the stage after every round; ``begin`` resumes from a stage.
    """
    rng = np.random.default_rng(seed)
    seen = _spread(setups, kinds)
    turned = _spread(setups[:, mirror], kinds)
    average = (seen.mean(axis=0) + turned.mean(axis=0)) / 2
    first = seen[rng.choice(len(seen), size=types, replace=False)]
    table, share = (0.3 * first + 0.7 * average).astype(np.float64), np.full(types, 1.0 / types)
    fits = begin.fits if begin else ()
    if begin:
        share, table = begin.share, begin.table
    for done in range(len(fits), rounds):
        responsibilities, fit = _responsibilities(seen, table, share, mirror, kinds)
        fits = (*fits, -fit / setups.shape[1])
        report(done, rounds, f"{fits[-1]:.4f} nats per piece on the fitted setups")
        size = responsibilities.sum(axis=0)
        size = size[:types] + size[types:]
        held = responsibilities[:, :types].T @ seen + responsibilities[:, types:].T @ turned
        table = (held + prior_strength * average) / (size[:, None] + prior_strength)
        share = size / size.sum()
        checkpoint(Stage(fits, share, table))
    report(rounds, rounds, "done")
    return share, table.reshape(types, setups.shape[1], kinds)


def _spread(setups: NDArray[np.int8], kinds: int) -> NDArray[np.float32]:
    """Return one number per square and kind: 1 where that kind stands."""
    spread: NDArray[np.float32] = np.eye(kinds, dtype=np.float32)[setups].reshape(len(setups), -1)
    return spread


def _responsibilities(
    seen: NDArray[np.float32], table: Reals, share: Reals, mirror: NDArray[np.int64], kinds: int
) -> tuple[NDArray[np.float32], float]:
    """Return how likely each setup belongs to each type or its mirror, and the mean log-likelihood."""
    types = len(share)
    logs = np.log(np.maximum(table, 1e-6)).reshape(types, -1, kinds)
    both = np.concatenate([logs.reshape(types, -1), logs[:, mirror].reshape(types, -1)])
    responsibilities = seen @ both.T.astype(np.float32)
    responsibilities += np.log(np.maximum(np.concatenate([share, share]) / 2, 1e-12)).astype(np.float32)
    highest = responsibilities.max(axis=1, keepdims=True)
    responsibilities = np.exp(responsibilities - highest)
    total = responsibilities.sum(axis=1, keepdims=True)
    fit = float((np.log(total) + highest).mean())
    return responsibilities / total, fit
