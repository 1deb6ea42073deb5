"""NetworkPlayer: a network from a file plays at any table, from its View alone and without torch.

It is named ``net:FILE`` wherever players are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

import numpy as np

from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.engine.action import Action
from flagfall.players import Budget
from flagfall.players.registry import Factory
from flagfall.rl.layout import Layout
from flagfall.rl.network import evaluate
from flagfall.rl.network_file import NetworkFile, check_fits, read_network
from flagfall.rl.observer import Observation
from flagfall.rl.policy_player import PolicyPlayer
from flagfall.setups import Setup
from flagfall.view.view import SeenEvent, View

_KEPT = 8
"""networks that stay in memory"""


class NetworkPlayer:
    """Plays each action with the chance that its network gives it at its temperature; it does not search."""

    def __init__(
        self, game: Game, options: Options, rng: Random, budget: Budget, *, network: NetworkFile
    ) -> None:
        header = network.header
        check_fits(network, Layout(game, options, compile_game(game, options), places=header.places))
        self._network, self._rng = network, rng
        self.win_chance: float | None = None
        """what its network thought of the last position, from 0 to 1"""
        self._player = PolicyPlayer(game, options, rng, budget, self._choose, places=header.places)

    def set_up(self, side: int) -> Setup:
        """Return the setup that the network places, or a random one if it has not learned to."""
        return self._player.set_up(side)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return one of the View's legal actions."""
        return self._player.choose(view, history)

    def _choose(self, seen: Observation) -> int:
        network, legal = self._network, np.flatnonzero(seen.mask)
        layers = network.header.shape.layers
        numbers, values = evaluate(network.weights, layers, seen.planes[None], seen.scalars[None])
        self.win_chance = (1.0 + float(values[0])) / 2
        kept = numbers[0, legal].astype(np.float64)
        kept -= kept.max()
        temperature = network.header.temperature
        chances = np.exp(kept / temperature) if temperature else (kept == 0).astype(np.float64)
        place = np.searchsorted(np.cumsum(chances), self._rng.random() * chances.sum(), side="right")
        return int(legal[min(int(place), len(legal) - 1)])


def network_of(file: Path) -> NetworkFile:
    """Return the network of a file; it is read again only if the file has changed."""
    try:
        facts = file.stat()
    except OSError:
        return read_network(file)
    return _read(file, facts.st_mtime_ns, facts.st_size)


@lru_cache(_KEPT)
def _read(file: Path, changed: int, size: int) -> NetworkFile:
    return read_network(file)


def network_player(file: str) -> Factory:
    """Return what makes players of the network in a file."""
    network = network_of(Path(file).expanduser())

    def make(game: Game, options: Options, rng: Random, budget: Budget) -> NetworkPlayer:
        return NetworkPlayer(game, options, rng, budget, network=network)

    return make
