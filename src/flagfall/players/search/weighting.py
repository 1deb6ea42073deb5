"""Stakes: how much each imagined World counts for each action, and what is at risk in the dark."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float64]


@dataclass(frozen=True)
class RootWeights:
    """Three tables, action × World."""

    weights: Table
    """how much each World counts for that action; every row adds up to 1"""
    is_guess: Table
    """1 where the action wins at once, but by a lucky guess only; else 0"""
    penalty: Table
    """what is paid on top for a piece lost in the dark"""

    @staticmethod
    def even(acts: int, share: Table) -> RootWeights:
        """All actions alike: every World counts as often as it was drawn."""
        weights = np.tile(share, (acts, 1))
        return RootWeights(weights, np.zeros_like(weights), np.zeros_like(weights))

    def only(self, places: list[int]) -> RootWeights:
        """The same for some of the actions."""
        tables = (self.weights, self.is_guess, self.penalty)
        return RootWeights(*(np.ascontiguousarray(table[places]) for table in tables))


def unique_samples(drawn: NDArray[np.int16]) -> tuple[NDArray[np.int16], Table]:
    """The different guesses among those drawn, in the order they came, and how often each came up."""
    _, first, counts = np.unique(drawn, axis=0, return_index=True, return_counts=True)
    order = np.argsort(first)
    return drawn[first[order]], counts[order] / len(drawn)


def balanced_samples(drawn: NDArray[np.int16], chances: NDArray[np.float64], count: int) -> NDArray[np.int16]:
    """So many of the guesses drawn, chosen so that every kind of every piece comes up as often as it should.

    One after the other, the guess is taken that makes up best for what came up too seldom before.
    """
    pieces = np.arange(drawn.shape[1])
    owed = np.zeros_like(chances)
    left = np.ones(len(drawn), dtype=bool)
    taken = np.zeros(min(count, len(drawn)), dtype=np.int64)
    for i in range(len(taken)):
        owed += chances
        makes_up = np.where(left, owed[pieces, drawn].sum(axis=1), -np.inf)
        taken[i] = makes_up.argmax()
        left[taken[i]] = False
        owed[pieces, drawn[taken[i]]] -= 1.0
    return drawn[taken]


def stratified_weights(chances: NDArray[np.float64], drawn: NDArray[np.int16], share: Table) -> Table:
    """Weights of Worlds for an attack on one piece: its exact chances over how often each kind was drawn."""
    often = np.bincount(drawn, weights=share, minlength=len(chances))
    weights: Table = share * chances[drawn] / np.maximum(often[drawn], 1e-9)
    total = weights.sum()
    return weights / total if total > 0 else share
