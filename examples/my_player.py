"""A computer player of your own: it captures whatever it knows it beats, and otherwise goes forward.

    PYTHONPATH=examples flagfall match --south my_player:MyPlayer --north greedy --game barrage/classic

A player is made for one game from four arguments and has two methods. It sees the View of its side and the
events its side has seen, never the hidden pieces.
"""

from collections.abc import Sequence
from random import Random

from flagfall.board import row_of
from flagfall.edition import Game, Options
from flagfall.engine.action import ATTACK, Action
from flagfall.players import Budget
from flagfall.setups import Setup, random_setup
from flagfall.view.view import SeenEvent, View


class MyPlayer:
    """Looks one action ahead."""

    def __init__(self, game: Game, options: Options, rng: Random, budget: Budget) -> None:
        self.game, self.rng = game, rng
        self.kinds = {kind.id: kind for kind in game.kinds}

    def set_up(self, side: int) -> Setup:
        """Return the army as it stands at the start (0 South, 1 North)."""
        return random_setup(self.game, side, self.rng)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return one of the legal actions."""
        return max(view.legal, key=lambda action: self.score(view, action))

    def score(self, view: View, action: Action) -> float:
        """Return how good an action looks."""
        forward = row_of(action.target) - row_of(action.origin)
        score = 0.1 * (forward if view.viewer == "south" else -forward) + self.rng.random()
        if action.verb == ATTACK:
            score += 5 if self.beats(view, action) else -2
        return score

    def beats(self, view: View, action: Action) -> bool:
        """Return whether the target is known and this attack captures it."""
        attacker, target = view.at(action.origin_square), view.at(action.target_square)
        if attacker is None or target is None or not target.kind:
            return False
        own, enemy = self.kinds[attacker.kind], self.kinds[target.kind]
        if enemy.id in own.takes or enemy.role == "flag":
            return True
        return enemy.role != "bomb" and own.rank > enemy.rank
