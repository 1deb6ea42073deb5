"""Recipes that were tried (`docs/training.md` says what they reached), and how a recipe is changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from flagfall.training.recipe import Recipe, TrainingError

_SMALL: Mapping[str, Any] = {
    "channels": 32,
    "layers": 1,
    "self_games": 256,
    "pool_games": 0,
    "steps": 16,
    "batch": 1024,
    "decay": 1.0,
    "scales": False,
    "entropy": 0.05,
    "last_entropy": 0.01,
    "rate": 3e-3,
    "last_rate": 3e-4,
    "magnet": 0.1,
    "magnet_every": 20,
    "average": 0.99,
    "save_every": 25,
}
"""near perfect play: whole games, advantages as they are, much entropy, the mean of all weights"""
_LARGER: Mapping[str, Any] = {
    "channels": 32,
    "layers": 2,
    "updates": 400,
    "self_games": 16,
    "pool_games": 16,
    "player_games": 96,
    "dealt": 0.5,
    "players": ["greedy"],
    "rate": 5e-4,
    "entropy": 0.01,
    "last_entropy": 0.003,
    "magnet": 0.0,
    "max_turns": 200,
}
"""most games against the greedy player, some against itself and earlier selves; from the start of a fit"""
TRIED: Mapping[str, Mapping[str, Any]] = {
    "mini/3x3": {**_SMALL, "channels": 16, "updates": 400, "max_turns": 8, "average": 0.98},
    "mini/3x4": {
        **_SMALL,
        "updates": 400,
        "self_games": 1024,
        "steps": 12,
        "epochs": 1,
        "batch": 4096,
        "rate": 2e-3,
        "entropy": 0.2,
        "last_entropy": 0.03,
        "magnet": 0.0,
        "average": 0.98,
        "max_turns": 4,
    },
    "spin-master/duel": _LARGER,
    "barrage/classic": _LARGER,
}
_FIXED = ("game", "options")


def recipe_for(game: str, options: Mapping[str, str], changes: Iterable[str] = ()) -> Recipe:
    """Return the recipe of a game with changes such as ``updates=500`` or ``players=greedy,turtle``."""
    chosen: dict[str, Any] = {**TRIED.get(game, {}), "game": game, "options": dict(options)}
    names = [name for name in Recipe.__struct_fields__ if name not in _FIXED]
    for change in changes:
        name, sign, value = change.partition("=")
        if not sign or name not in names:
            known = ", ".join(names)
            raise TrainingError(f"“{change}” changes nothing; write NAME=VALUE with one of {known}.")
        chosen[name] = [part for part in value.split(",") if part] if name == "players" else value
    try:
        return msgspec.convert(chosen, Recipe, strict=False)
    except msgspec.ValidationError as problem:
        raise TrainingError(f"That is no recipe: {problem}.") from None
