"""The interface of computer players: set up an army, and choose an action."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.players.budget import Budget
from flagfall.setups import Setup, random_setup
from flagfall.view.view import SeenEvent, View


class Player(Protocol):
    """A player of one game."""

    def set_up(self, side: int) -> Setup:
        """Return the setup of a side (0 South, 1 North)."""

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return one of the View's legal actions.

        ``history`` is everything this seat has seen happen on the board since the start of the game, oldest
        first. A player that lives through the game reads what is new to it; one that is made for a single
        action gets the whole history at once.
        """


class RandomPlayer:
    """Plays at random."""

    def __init__(self, game: Game, options: Options, rng: Random, budget: Budget) -> None:
        self.game = game
        self.rng = rng

    def set_up(self, side: int) -> Setup:
        """Return a random setup."""
        return random_setup(self.game, side, self.rng)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return a random legal action."""
        return self.rng.choice(view.legal)
