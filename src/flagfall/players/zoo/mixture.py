"""A population of searching players, each drawn from a number: ``mix:17`` is the same player everywhere.

Drawn are the weights of the evaluation, memory, depth, Worlds, sharpness of the choice, nodes, setups, and
whether it infers from behaviour or only counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import partial
from random import Random

from msgspec import Struct

from flagfall.edition import Game, Options
from flagfall.players.budget import Budget
from flagfall.players.evaluation.piece_values import standard_weights
from flagfall.players.evaluation.weights_file import is_share, limited, rounded
from flagfall.players.levels import Level
from flagfall.players.registry import MIXTURE, PlayerError
from flagfall.players.searcher import SearchingPlayer
from flagfall.setups import Setup, style_names, styled_setup

MAX_NUMBER = 1_000_000
SPREAD = 0.5
"""standard deviation of the logarithm of a weight's factor"""
_SPREADS: Mapping[str, float] = {"base": 0.0, "rank_factor": 0.06, "fade": 0.1, "guard_fade": 0.15}
"""of weights that need another one; the first is the unit of the others"""
_MAX_FADE = 0.95


class MixtureError(PlayerError):
    """A text names no mixture; the message says how one is written."""

    code = "bad-mixture"


class Mixture(Struct, frozen=True):
    """One player of the population."""

    number: int
    max_depth: int
    worlds: int
    memory: int | None
    infers: bool
    near_best: float
    nodes: int
    style: int
    """which setup style of the box it uses; -1: generated setups"""
    weights: dict[str, float]

    @property
    def name(self) -> str:
        """``mix:17``."""
        return f"{MIXTURE}{self.number}"

    @property
    def level(self) -> Level:
        """Its search."""
        return Level(
            self.name, 0, self.max_depth, self.worlds, self.memory, self.infers, self.near_best, self.nodes
        )


def mixture(number: int) -> Mixture:
    """Return the mixture of a number.

    >>> mixture(17) == mixture(17), mixture(17) == mixture(18)
    (True, False)
    """
    rng = Random(f"mixture/{number}")
    return Mixture(
        number=number,
        max_depth=rng.choice((1, 2, 3, 4, 6, 8)),
        worlds=rng.choice((2, 4, 8, 12, 20)),
        memory=rng.choice((None, None, None, 30, 80)),
        infers=rng.random() < 0.5,
        near_best=rounded(math.exp(rng.uniform(math.log(0.001), math.log(0.015)))),
        nodes=rng.choice((3000, 6000, 12_000, 20_000)),
        style=rng.choice((-1, -1, 0, 1, 2, 3)),
        weights=_weights(rng),
    )


def _weights(rng: Random) -> dict[str, float]:
    found = {}
    for name, usual in asdict(standard_weights()).items():
        value = usual * math.exp(rng.gauss(0.0, _SPREADS.get(name, SPREAD)))
        if is_share(name):
            value = min(value, _MAX_FADE if name.endswith("fade") else 1.0)
        found[name] = rounded(value)
    return limited(found)


def read_number(name: str) -> int:
    """Return the number in the name of a mixture."""
    text = name.removeprefix(MIXTURE)
    if not (text.isascii() and text.isdecimal() and len(text) <= 7 and int(text) <= MAX_NUMBER):
        raise MixtureError(f"“{name}” names no mixture; write {MIXTURE}17, with a number to {MAX_NUMBER:,}.")
    return int(text)


class Mixed(SearchingPlayer):
    """A searching player with the weights, the search and the setups of a mixture."""

    searches = True

    def __init__(self, game: Game, options: Options, rng: Random, budget: Budget, found: Mixture) -> None:
        weights = replace(standard_weights(), **found.weights)
        super().__init__(game, options, rng, budget, found.level, weights=weights)
        self.mixture = found

    def set_up(self, side: int) -> Setup:
        """Return a setup in its style."""
        names = style_names(self.game)
        if self.mixture.style < 0:
            return super().set_up(side)
        return styled_setup(self.game, side, names[self.mixture.style % len(names)], self.rng)


def mixture_player(name: str) -> Callable[[Game, Options, Random, Budget], Mixed]:
    """Return what makes the player of that name."""
    return partial(Mixed, found=mixture(read_number(name)))
