"""A vector environment and the same games before their viewers, played in step."""

from __future__ import annotations

from random import Random

import numpy as np

from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.rl import VectorEnv
from flagfall.rl.observer import Observation, Observer
from flagfall.setups import Setup
from flagfall.sides import SIDES
from flagfall.view.view import SeenEvent, View
from tests.laws.seen_game import SeenGame, choose


class Table:
    """One game of an environment, and the same game before its viewers."""

    def __init__(self, game: Game, options: Options, setups: tuple[dict[int, int], dict[int, int]]) -> None:
        pool = [Setup(game, side, setup) for side, setup in zip(SIDES, setups, strict=True)]
        self.env = VectorEnv(game, 1, options=options, setups=pool)
        self.env.reset()
        self.seen_game = SeenGame(game, options, *setups)
        self.history: list[list[SeenEvent]] = [[], []]
        self._keep(self.seen_game.greeting)
        self.observers = [Observer(game, options, side) for side in (0, 1)]

    def _keep(self, seen: object) -> None:
        assert isinstance(seen, dict)
        for side in (0, 1):
            self.history[side] += seen[SIDES[side].value]

    @property
    def side(self) -> int:
        """The side to move."""
        return self.seen_game.state.side

    @property
    def is_over(self) -> bool:
        """Whether the game before its viewers has ended."""
        return self.seen_game.state.is_over

    def view(self, side: int | None = None) -> View:
        """What the mover, or that side, may know, with everything it was told."""
        viewer = SIDES[self.side if side is None else side]
        return self.seen_game.observers.view(self.seen_game.state, viewer, forgets=False)

    def from_sight(self) -> Observation:
        """The observation made from the mover's View and history."""
        return self.observers[self.side].observe(self.view(), self.history[self.side])

    def from_kernels(self) -> Observation:
        """What the environment shows."""
        env = self.env
        return Observation(env.planes[0].copy(), env.scalars[0].copy(), env.mask[0].copy())

    def differences(self, *, of_both: bool) -> list[str]:
        """Where the environment shows something else than the mover, or either side, may know, by name."""
        other = 1 - self.side
        seen, shown, layout = self.from_sight(), self.from_kernels(), self.env.layout
        wrong = self._different(seen, shown, self.side)
        if of_both:
            waiting = self.observers[other].observe(self.view(other), self.history[other])
            shown_other = Observation(*(part[0] for part in self.env.observe(other)))
            wrong += self._different(waiting, shown_other, other)
        names = layout.space.names
        wrong += [f"action {names[at]}" for at in np.flatnonzero(seen.mask != shown.mask)]
        listed = sorted(self.env.legal[0, : self.env.count[0]].tolist())
        if listed != np.flatnonzero(shown.mask).tolist() or int(self.env.to_play[0]) != self.side:
            wrong.append("list, mask and side to move")
        return wrong

    def _different(self, seen: Observation, shown: Observation, side: int) -> list[str]:
        layout = self.env.layout
        wrong = [
            f"plane {layout.plane_names(side)[at]}\n{seen.planes[at]}\n{shown.planes[at]}"
            for at in range(layout.plane_count)
            if not np.array_equal(seen.planes[at], shown.planes[at])
        ]
        return wrong + [
            f"scalar {layout.scalar_names(side)[at]}: {seen.scalars[at]}, not {shown.scalars[at]}"
            for at in range(layout.scalar_count)
            if seen.scalars[at] != shown.scalars[at]
        ]

    def play(self, act: int) -> None:
        """Play an action in both games."""
        number = self.env.space.encode(Action.unpack(act), self.side)
        self._keep(self.seen_game.play(act))
        self.env.step(np.array([number], dtype=np.int32))

    def choose(self, rng: Random) -> int:
        """A random action; rather a fight than a walk."""
        return choose(self.seen_game.legal(), self.side, rng)
