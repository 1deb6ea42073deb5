"""PolicyPlayer: a policy that learned in a `VectorEnv` plays at any table, from its View alone.

In a module that Python finds, such as ``my_net.py``::

    Mine = player_of(my_network)

Then ``my_net:Mine`` is a player wherever one is named: ``flagfall match --south my_net:Mine --north greedy``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.errors import UserError
from flagfall.players import Budget
from flagfall.players.registry import Factory
from flagfall.rl.observer import Observation, Observer
from flagfall.setups import Setup, random_setup
from flagfall.sides import SIDES
from flagfall.view.view import SeenEvent, View

Policy = Callable[[Observation], int]
"""returns the number of a legal action: one where the observation's mask is true"""


class PolicyPlayer:
    """A player whose actions a policy chooses.

    With ``places`` the policy also places the pieces, one by one, as it learned with ``setups="agent"``;
    otherwise it sets up at random. The numbers of actions depend on it.
    """

    def __init__(
        self,
        game: Game,
        options: Options,
        rng: Random,
        budget: Budget,
        policy: Policy,
        *,
        places: bool = False,
    ) -> None:
        self.game, self.options, self.rng = game, options, rng
        self.policy, self.places = policy, places
        self._observers: dict[int, Observer] = {}

    def _observer(self, side: int) -> Observer:
        if side not in self._observers:
            self._observers[side] = Observer(self.game, self.options, side, places=self.places)
        return self._observers[side]

    def set_up(self, side: int) -> Setup:
        """Return the setup that the policy places, or a random one."""
        if not self.places:
            return random_setup(self.game, side, self.rng)
        observer, placed = self._observer(int(side)), dict[int, int]()
        for kind in observer.layout.piece_kinds[int(side)]:
            number = self._chosen(observer.observe_placing(placed, is_asked=True))
            placed[observer.layout.space.decode(number, side).target] = kind
        return Setup(self.game, SIDES[side], placed)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return the action that the policy chooses."""
        side = int(view.to_move)
        observer = self._observer(side)
        number = self._chosen(observer.observe(view, history))
        return observer.layout.space.decode(number, side, view.legal)

    def _chosen(self, observation: Observation) -> int:
        number = int(self.policy(observation))
        if not (0 <= number < len(observation.mask) and observation.mask[number]):
            raise UserError(f"The policy chose action {number}, which is not legal; use the mask.")
        return number


def player_of(policy: Policy, *, places: bool = False) -> Factory:
    """Return what makes players of a policy, to be named as ``module:attribute`` or registered."""

    def make(game: Game, options: Options, rng: Random, budget: Budget) -> PolicyPlayer:
        return PolicyPlayer(game, options, rng, budget, policy, places=places)

    return make
