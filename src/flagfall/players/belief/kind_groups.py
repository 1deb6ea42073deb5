"""Groups of kinds with similar placements, which are assigned together and split afterwards.

A table of all assignments of forty pieces of twelve kinds has nine million states. Grouping the two kinds
with the most similar weights, again and again, brings it below a limit::

    captain 4  lieutenant 4  sergeant 4  …       5 · 5 · 5 = 125 states between them
    └──────── group 8 ──┘    │                    9 · 5     =  45
    └────────── group 12 ────┘                   13

Kinds that are possible for exactly the same pieces are grouped first, so that every member of a group may be
any of its kinds. A group is split top down, two halves at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma, log, prod

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
_MAX_NEWTON_STEPS = 40
_NEAR_ENOUGH = 1e-9


@dataclass(frozen=True)
class KindGroups:
    """Columns of weights: the kinds, then groups of them."""

    weight: Reals
    """``[type, piece, column]``"""
    counts: NDArray[np.int64]
    """pieces per column"""
    top_columns: NDArray[np.int64]
    """the columns that are assigned"""
    tree: tuple[tuple[int, int, int, int], ...]
    """group, its halves, and the size of the first half; largest first"""
    leaves: int

    @property
    def log_correction(self) -> float:
        """The logarithm of the share of assignments that give each half its number."""
        total = 0.0
        for node, _, _, left in self.tree:
            size = int(self.counts[node])
            right = size - left
            ways = lgamma(size + 1) - lgamma(left + 1) - lgamma(right + 1)
            total += ways + left * log(left / size) + right * log(right / size)
        return total

    def ungroup(self, chances: Reals) -> Reals:
        """Return the chances of kinds from those of the assigned columns.

        Within a group they follow the weights, tilted so that each half gets its number of pieces.
        """
        split = np.zeros(self.weight.shape)
        split[:, :, self.top_columns] = chances
        for node, left, right, count in self.tree:
            part = _tilted(split[:, :, node], self.weight[:, :, left], self.weight[:, :, right], count)
            split[:, :, left] = split[:, :, node] * part
            split[:, :, right] = split[:, :, node] * (1.0 - part)
        return split[:, :, : self.leaves]


def _tilted(chance: Reals, left: Reals, right: Reals, count: int) -> Reals:
    """Return the left half's share of each piece, so that all shares add up to its count."""
    low, high = np.full(len(chance), -30.0), np.full(len(chance), 30.0)
    total = np.where(left + right > 0, left + right, 1.0)
    part, other = left / total, right / total
    tilt, tilted = np.zeros(len(chance)), part
    for _ in range(_MAX_NEWTON_STEPS):
        lifted = part * np.exp(tilt)[:, None]
        tilted = lifted / np.where(lifted + other > 0, lifted + other, 1.0)
        missing = count - (chance * tilted).sum(axis=1)
        if np.abs(missing).max(initial=0.0) < _NEAR_ENOUGH:
            break
        low, high = np.where(missing > 0, tilt, low), np.where(missing > 0, high, tilt)
        slope = (chance * tilted * (1.0 - tilted)).sum(axis=1)
        step = tilt + missing / np.maximum(slope, 1e-12)
        tilt = np.where((step > low) & (step < high), step, (low + high) / 2)
    return tilted


def group_kinds(weight: Reals, counts: NDArray[np.int64], share: Reals, limit: int) -> KindGroups:
    """Group kinds until the table holds at most ``limit`` numbers (states × types)."""
    leaves = len(counts)
    columns = [weight[:, :, kind] for kind in range(leaves)]
    sizes = [int(count) for count in counts]
    top_columns, tree = list(range(leaves)), []
    profile = np.tensordot(share, weight, 1).T / np.maximum(counts, 1)[:, None]
    while len(top_columns) > 1 and prod(sizes[top] + 1 for top in top_columns) * len(weight) > limit:
        one, other = _closest(profile, np.array([sizes[top] for top in top_columns], dtype=np.float64))
        first, second = top_columns[one], top_columns[other]
        tree.append((len(columns), first, second, sizes[first]))
        columns.append(columns[first] + columns[second])
        sizes.append(sizes[first] + sizes[second])
        top_columns = [top for top in top_columns if top not in (first, second)] + [len(columns) - 1]
        both = (profile[one] * sizes[first] + profile[other] * sizes[second]) / sizes[-1]
        profile = np.vstack([np.delete(profile, (one, other), axis=0), both])
    return KindGroups(
        np.stack(columns, axis=2) if columns else weight,
        np.array(sizes, dtype=np.int64),
        np.array(top_columns, dtype=np.int64),
        tuple(reversed(tree)),
        leaves,
    )


def _closest(profile: Reals, size: Reals) -> tuple[int, int]:
    """Return the two rows whose grouping loses least per state saved."""
    support = profile > 0
    differs = (support[:, None] != support[None, :]).any(axis=2)
    middle = profile[:, None] + profile[None, :]
    gap = ((profile[:, None] - profile[None, :]) ** 2 / np.where(middle > 0, middle, 1.0)).sum(axis=2)
    total = size[:, None] + size[None, :]
    saved = np.log((size[:, None] + 1) * (size[None, :] + 1) / (total + 1))
    cost = (gap * size[:, None] * size[None, :] / total + 1e-9) / saved + 1e6 * differs
    cost[np.tril_indices(len(size))] = np.inf
    one, other = np.unravel_index(int(cost.argmin()), cost.shape)
    return int(one), int(other)
