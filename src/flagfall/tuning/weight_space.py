"""The space in which weights are tuned: by factors, so that a step means the same for small and large ones.

A move of 0.1 increases a weight by about a tenth, whatever its size and sign; shares between 0 and 1 move by
their odds, so they stay between 0 and 1. A weight that is off (0) has a unit of its own: it moves up
from 0 by that, and moves down leave it off.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from flagfall.errors import FlagfallError
from flagfall.players.evaluation.piece_values import Weights
from flagfall.players.evaluation.weights_file import is_share, weight_names

OFF_UNITS: Mapping[str, float] = {"raid": 0.15, "late_fade": 1.0, "secrecy": 1.0, "repeat": 60.0}
"""what a move of 1 adds to a weight that is off"""
_MAX_SHARE = 0.95


class SpaceError(FlagfallError):
    """A weight cannot be tuned; the message says which one and why."""

    code = "fixed-weight"


def unit() -> str:
    """Return the unit weight, by which all others are measured. It stays fixed."""
    return weight_names()[0]


def can_move(weights: Weights, name: str) -> bool:
    """Return whether a factor changes this weight."""
    value = float(getattr(weights, name))
    return value != 0.0 and not (is_share(name) and value >= 1.0)


def can_be_switched_on(weights: Weights, name: str) -> bool:
    """Return whether a weight is off and has a unit in which it moves up."""
    return name in OFF_UNITS and float(getattr(weights, name)) == 0.0


def movable(weights: Weights, *, with_off: bool = False) -> tuple[str, ...]:
    """Return all weights that can be tuned, ``with_off`` also those that are off; the unit stays fixed."""
    return tuple(
        name
        for name in weight_names()
        if name != unit() and (can_move(weights, name) or (with_off and can_be_switched_on(weights, name)))
    )


class Space:
    """Moves of some weights relative to a start."""

    def __init__(self, start: Weights, names: Sequence[str]) -> None:
        for name in names:
            if name not in weight_names():
                known = ", ".join(weight_names())
                raise SpaceError(f"There is no weight “{name}”; there are {known}.")
            if not (can_move(start, name) or can_be_switched_on(start, name)):
                value = getattr(start, name)
                raise SpaceError(
                    f"“{name}” is {value:g} and cannot be moved by a factor; give it another start."
                )
        self.start, self.names = start, tuple(names)

    def at(self, moves: Sequence[float]) -> Weights:
        """Return the weights after these moves, one move per name."""
        changes = {name: self._moved(name, move) for name, move in zip(self.names, moves, strict=True)}
        return replace(self.start, **changes)

    def _moved(self, name: str, move: float) -> float:
        value = float(asdict(self.start)[name])
        if value == 0.0:
            return min(max(OFF_UNITS[name] * move, 0.0), _MAX_SHARE if is_share(name) else math.inf)
        if is_share(name):
            odds = value / (1.0 - value) * math.exp(move)
            return odds / (1.0 + odds)
        return value * math.exp(move)
