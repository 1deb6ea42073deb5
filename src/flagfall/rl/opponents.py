"""Opponents inside a `VectorEnv`: a policy or a computer player that answers every step.

A *policy* gets a batch of observations, with a first axis for the games that wait for it, and returns one
number for each. A *player* is named (``"greedy"``, ``"marshal"``, ``"my_player:MyPlayer"``) or made by
`flagfall.player` with a budget; it sits at a table with its own View and history and sets up its own army.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flagfall.engine.action import CHOOSE_CELL, Action
from flagfall.errors import UserError
from flagfall.library import ComputerPlayer
from flagfall.players import Budget, Player, make_player
from flagfall.players.registry import check_player
from flagfall.rl.layout import Layout
from flagfall.rl.observer import Observation
from flagfall.rl.referees import Referees
from flagfall.setups import Setup

BatchPolicy = Callable[[Observation], ArrayLike]
"""returns the number of a legal action for every observation of a batch"""
Games = NDArray[np.intp]


@runtime_checkable
class Opponent(Protocol):
    """Whatever answers in a VectorEnv."""

    def seed(self, seed: int) -> None:
        """Begin anew: the same seed gives the same games."""

    def answers(self, games: Games, sides: NDArray[np.int8], seen: Observation | None) -> NDArray[np.int32]:
        """Return an action for each of these games; ``seen`` is what the sides to play may know."""


OpponentLike = str | ComputerPlayer | BatchPolicy | Opponent


class PolicyOpponent:
    """A policy that plays all games at once."""

    def __init__(self, policy: BatchPolicy) -> None:
        self._policy = policy

    def seed(self, seed: int) -> None:
        """Do nothing: a policy keeps its own random numbers."""

    def answers(self, games: Games, sides: NDArray[np.int8], seen: Observation | None) -> NDArray[np.int32]:
        """Return what the policy chooses."""
        assert seen is not None
        chosen = np.asarray(self._policy(seen))
        if chosen.shape != games.shape or chosen.dtype.kind not in "iu":
            raise UserError(
                f"The opponent's policy must return {len(games)} whole numbers, one for each game it sees."
            )
        return chosen.astype(np.int32)


class PlayerOpponent:
    """A computer player; every game has one of its own."""

    def __init__(self, named: str | ComputerPlayer, layout: Layout, n: int, referees: Referees) -> None:
        self.name, self._budget = (named, Budget()) if isinstance(named, str) else (named.name, named.budget)
        check_player(self.name)
        self._layout, self._referees = layout, referees
        self._players: list[Player | None] = [None] * n
        self._setups: list[Setup | None] = [None] * n
        self._placed = [0] * n
        self._rngs: list[Random] = []
        self.seed(0)

    def seed(self, seed: int) -> None:
        """Begin anew: the same seed gives the same games."""
        self._rngs = [Random(f"opponent {seed} {i}") for i in range(len(self._players))]

    def begin(self, i: int) -> None:
        """Make the player of a new game."""
        rng = Random(self._rngs[i].getrandbits(63))
        self._players[i] = make_player(self.name, self._layout.game, self._layout.options, rng, self._budget)
        self._setups[i], self._placed[i] = None, 0

    def set_up(self, i: int, side: int) -> Setup:
        """Return the army of game ``i`` as its player sets it up."""
        player = self._players[i]
        assert player is not None
        setup = self._setups[i] = self._setups[i] or player.set_up(side)
        return setup

    def answers(self, games: Games, sides: NDArray[np.int8], seen: Observation | None) -> NDArray[np.int32]:
        """Return what the players choose; while pieces are placed, where the next one stands."""
        pairs = zip(games.tolist(), sides.tolist(), strict=True)
        return np.array([self._answer(i, side) for i, side in pairs], dtype=np.int32)

    def _answer(self, i: int, side: int) -> int:
        player, space = self._players[i], self._layout.space
        assert player is not None
        if self._referees.has(i):
            return space.encode(player.choose(*self._referees.seen(i, side)), side)
        setup, kinds, placed = self.set_up(i, side), self._layout.piece_kinds[side], self._placed[i]
        self._placed[i] += 1
        cell = setup.cells_of(kinds[placed])[kinds[:placed].count(kinds[placed])]
        return space.encode(Action(CHOOSE_CELL, target=cell), side)
