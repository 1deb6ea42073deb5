"""Weights of Worlds for each root action, and the risks that the sampled Worlds do not show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flagfall.board import DIRECTIONS
from flagfall.engine.action import ATTACK, MOVE

Table = NDArray[np.float64]


@dataclass(frozen=True)
class RootWeights:
    """Three tables, action × World."""

    weights: Table
    """the weight of each World; every row adds up to 1"""
    is_guess: Table
    """1 where the action wins at once by a lucky guess, else 0"""
    penalty: Table
    """the extra cost of risks"""

    @staticmethod
    def even(acts: int, share: Table) -> RootWeights:
        """Return the same weights for all actions: how often each World was sampled."""
        weights = np.tile(share, (acts, 1))
        return RootWeights(weights, np.zeros_like(weights), np.zeros_like(weights))

    def only(self, places: list[int]) -> RootWeights:
        """Return the tables of some actions."""
        tables = (self.weights, self.is_guess, self.penalty)
        return RootWeights(*(np.ascontiguousarray(table[places]) for table in tables))


def unique_samples(drawn: NDArray[np.int16]) -> tuple[NDArray[np.int16], Table]:
    """Return the different samples in their first order, and the share of each."""
    _, first, counts = np.unique(drawn, axis=0, return_index=True, return_counts=True)
    order = np.argsort(first)
    return drawn[first[order]], counts[order] / len(drawn)


def balanced_samples(drawn: NDArray[np.int16], chances: NDArray[np.float64], count: int) -> NDArray[np.int16]:
    """Return ``count`` samples in which every kind of every piece is about as frequent as its chance.

    Each choice is the sample that best makes up for what was too rare so far.
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
    """Return weights of Worlds for an attack on one piece, by the exact chances of its kinds."""
    often = np.bincount(drawn, weights=share, minlength=len(chances))
    weights: Table = share * chances[drawn] / np.maximum(often[drawn], 1e-9)
    total = weights.sum()
    return weights / total if total > 0 else share


@dataclass(frozen=True)
class Exposure:
    """The risk of own pieces next to hidden ones: by the exact chances, and in the sampled Worlds."""

    own: Mapping[int, int]
    """cell → kind of the viewer's pieces"""
    told: frozenset[int]
    """the cells of those that the enemy knows"""
    column: Mapping[int, int]
    """cell → column of a hidden enemy"""
    chances: Table
    """``[hidden enemy, kind]``"""
    kinds: NDArray[np.int16]
    """``[World, hidden enemy]``"""
    losses: Table
    """``[own kind, enemy kind]``: what the enemy's attack costs us, where it gains"""
    takes: Table
    """``[own kind, enemy kind]``: 1 where our attack takes it"""

    def unseen(self, act: int, weights: Table) -> float:
        """Return the risk that the Worlds do not show, minus that of staying."""
        verb, origin, target = act >> 24, act >> 8 & 255, act & 255
        if verb not in (MOVE, ATTACK) or origin not in self.own:
            return 0.0
        kind, risk = self.own[origin], 0.0
        if verb == ATTACK or origin in self.told:
            there = self.column.get(target)
            arrives = 1.0 if there is None else float(weights @ self.takes[kind, self.kinds[:, there]])
            risk += self._beyond(kind, target, weights) * arrives
        if origin in self.told:
            risk -= self._beyond(kind, origin, weights)
        return risk

    def _beyond(self, kind: int, cell: int, weights: Table) -> float:
        """Return by how much the Worlds underestimate the risk of a known piece on a cell."""
        columns = [self.column[cell + way] for way in DIRECTIONS if cell + way in self.column]
        if not columns:
            return 0.0
        loss = self.losses[kind]
        exact = float((self.chances[columns] @ loss).sum())
        return exact - float(weights @ loss[self.kinds[:, columns]].sum(axis=1))
