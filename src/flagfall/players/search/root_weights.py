"""Stakes: how much each imagined World counts for each action, and what is at risk in the dark."""

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


Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Exposure:
    """Own pieces next to hidden ones, in the sampled Worlds and by the exact chances."""

    own: Mapping[int, int]
    """cell → kind of the viewer's pieces"""
    told: frozenset[int]
    """cells of those that the enemy knows"""
    column: Mapping[int, int]
    """cell → column of a hidden enemy"""
    chances: Numbers
    """``[hidden enemy, kind]``"""
    kinds: NDArray[np.int16]
    """``[World, hidden enemy]``"""
    losses: Numbers
    """``[own kind, enemy kind]``: what its attack takes from us, where it gains by it"""
    takes: Numbers
    """``[own kind, enemy kind]``: 1 where our attack takes it"""

    def unseen(self, act: int, weights: Numbers) -> float:
        """What an action risks beyond what the Worlds show, less what it no longer risks."""
        verb, origin, target = act >> 24, act >> 8 & 255, act & 255
        if verb not in (MOVE, ATTACK) or origin not in self.own:
            return 0.0
        kind, risk = self.own[origin], 0.0
        if verb == ATTACK or origin in self.told:
            risk += self._beyond(kind, target, weights) * self._arrives(kind, target, weights)
        if origin in self.told:
            risk -= self._beyond(kind, origin, weights)
        return risk

    def _arrives(self, kind: int, target: int, weights: Numbers) -> float:
        """How likely it will stand on the target."""
        there = self.column.get(target)
        return 1.0 if there is None else float(weights @ self.takes[kind, self.kinds[:, there]])

    def _beyond(self, kind: int, cell: int, weights: Numbers) -> float:
        """By how much the Worlds make a known piece on a cell look too safe."""
        columns = [self.column[cell + way] for way in DIRECTIONS if cell + way in self.column]
        if not columns:
            return 0.0
        loss = self.losses[kind]
        exact = float((self.chances[columns] @ loss).sum())
        return exact - float(weights @ loss[self.kinds[:, columns]].sum(axis=1))
