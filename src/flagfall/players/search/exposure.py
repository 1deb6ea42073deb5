"""Exposure: whom hidden neighbours may take next, and how far the Worlds drawn misjudge that.

A chance of one in fifteen to lose a strong piece is in one World of fifteen, or in none; and the action that
looks safe only because no World has the danger is the one that gets chosen. So what the next attack may cost
is held against the exact chances, and the difference is put on the price of the action.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flagfall.board import DIRECTIONS
from flagfall.engine.action import ATTACK, MOVE

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Exposure:
    """Own pieces beside hidden ones, in the Worlds drawn and by the exact chances."""

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
