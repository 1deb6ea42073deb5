"""The random player: any legal action, each as likely as the other."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.players.budget import Budget
from flagfall.setups import Setup, random_setup
from flagfall.view.view import SeenEvent, View


class RandomPlayer:
    """Plays without a thought."""

    def __init__(self, game: Game, options: Options, rng: Random, budget: Budget) -> None:
        self.game = game
        self.rng = rng

    def set_up(self, side: int) -> Setup:
        """Any setup."""
        return random_setup(self.game, side, self.rng)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Any action."""
        return self.rng.choice(view.legal)
