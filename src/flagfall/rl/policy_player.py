"""PolicyPlayer: a policy that learned in a `VectorEnv` plays at any table, from its View alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.errors import UserError
from flagfall.players import Budget
from flagfall.rl.observer import Observation, Observer
from flagfall.setups import Setup, random_setup
from flagfall.view.view import SeenEvent, View

Policy = Callable[[Observation], int]
"""returns the number of a legal action: one where the observation's mask is true"""


class PolicyPlayer:
    """A player whose actions a policy chooses; it sets up at random.

    Give it to every command by a class of your own in a module that Python finds::

        class Mine(PolicyPlayer):
            def __init__(self, game, options, rng, budget):
                super().__init__(game, options, rng, budget, policy=my_network)
    """

    def __init__(self, game: Game, options: Options, rng: Random, budget: Budget, policy: Policy) -> None:
        self.game, self.options, self.rng = game, options, rng
        self.policy = policy
        self._observers: dict[int, Observer] = {}

    def set_up(self, side: int) -> Setup:
        """Return a random setup."""
        return random_setup(self.game, side, self.rng)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return the action that the policy chooses."""
        side = int(view.to_move)
        observer = self._observers.setdefault(side, Observer(self.game, self.options, side))
        observation = observer.observe(view, history)
        number = int(self.policy(observation))
        if not (0 <= number < len(observation.mask) and observation.mask[number]):
            raise UserError(f"The policy chose action {number}, which is not legal; use the mask.")
        return observer.layout.space.decode(number, side, view.legal)
