"""The random player: any legal action, each as likely as the other."""

from __future__ import annotations

from random import Random

from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.setups import Setup, random_setup
from flagfall.view.view import View


class RandomPlayer:
    """Plays without a thought."""

    def __init__(self, game: Game, options: Options, rng: Random) -> None:
        self.game = game
        self.rng = rng

    def set_up(self, side: int) -> Setup:
        """Any setup."""
        return random_setup(self.game, side, self.rng)

    def choose(self, view: View) -> Action:
        """Any action."""
        return self.rng.choice(view.legal)
