"""Where weights are moved about: by factors, so that a step means as much for a small one as for a great.

A move of 0.1 makes a weight a tenth greater, roughly, whatever its size and sign; shares between 0 and 1 are
moved by their odds, so they stay between 0 and 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, replace

from flagfall.errors import FlagfallError
from flagfall.players.evaluation.piece_values import Weights
from flagfall.players.evaluation.weights_file import is_share, weight_names


class SpaceError(FlagfallError):
    """A weight cannot be moved; the message says which one and why."""


def unit() -> str:
    """The weight that all others are measured by: the first one. It stays as it is."""
    return weight_names()[0]


def can_move(weights: Weights, name: str) -> bool:
    """Whether a factor changes this weight at all."""
    value = float(getattr(weights, name))
    return value != 0.0 and not (is_share(name) and value >= 1.0)


class Space:
    """Moves of some weights away from a start."""

    def __init__(self, start: Weights, names: Sequence[str]) -> None:
        for name in names:
            if name not in weight_names():
                known = ", ".join(weight_names())
                raise SpaceError(f"There is no weight “{name}”; there are {known}.")
            if not can_move(start, name):
                value = getattr(start, name)
                raise SpaceError(
                    f"“{name}” is {value:g} and cannot be moved by a factor; give it another start."
                )
        self.start, self.names = start, tuple(names)

    def at(self, moves: Sequence[float]) -> Weights:
        """The weights after these moves, one for each name."""
        changes = {name: self._moved(name, move) for name, move in zip(self.names, moves, strict=True)}
        return replace(self.start, **changes)

    def _moved(self, name: str, move: float) -> float:
        value = float(asdict(self.start)[name])
        if is_share(name):
            odds = value / (1.0 - value) * math.exp(move)
            return odds / (1.0 + odds)
        return value * math.exp(move)
