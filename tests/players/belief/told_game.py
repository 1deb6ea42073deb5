"""Games before a seat's eyes: what it is told, and the truth to compare its belief with."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from flagfall.board import cell_name
from flagfall.edition import Game, Options
from flagfall.players.belief import Belief
from flagfall.sides import Side
from flagfall.view.view import SeenEvent, View
from tests.laws.seen_game import SeenGame, choose, random_setup

SEATS: tuple[Side, Side] = (Side.SOUTH, Side.NORTH)


class Told:
    """A random game; after every action both seats' Views and stories."""

    def __init__(self, game: Game, options: Options, seed: str) -> None:
        self.rng = Random(seed)
        setups = random_setup(game, 0, self.rng), random_setup(game, 1, self.rng)
        self.game, self.options = game, options
        self.seen_game = SeenGame(game, options, *setups)
        self.truth = {cell_name(cell): kind for setup in setups for cell, kind in setup.items()}
        self.stories: dict[str, list[SeenEvent]] = {
            seat: list(self.seen_game.greeting[seat]) for seat in SEATS
        }

    def view(self, seat: Side) -> View:
        return self.seen_game.observers.view(self.seen_game.state, seat, forgets=False)

    def go_on(self, actions: int) -> bool:
        """Play so many actions; False when the game is over."""
        for _ in range(actions):
            if self.seen_game.state.is_over:
                return False
            act = choose(self.seen_game.legal(), self.seen_game.state.side, self.rng)
            seen = self.seen_game.play(act)
            for seat in SEATS:
                self.stories[seat] += seen[seat]
        return not self.seen_game.state.is_over

    def moments(self, every: int, most: int) -> Iterator[int]:
        """Stops every few actions."""
        yield 0
        for stop in range(1, most):
            if not self.go_on(every):
                return
            yield stop


def impossible(belief: Belief, view: View, samples: int, seed: int) -> list[str]:
    """Return every way in which chances or samples contradict what the View says is possible."""
    other = SEATS[belief.side]
    hidden = {piece.name: piece for piece in view.pieces if piece.side == other and not piece.kind}
    if other == view.viewer:
        hidden = {piece.name: piece for piece in view.pieces if piece.side == other and not piece.is_told}
    wrong = []
    if set(belief.names) != set(hidden):
        return [f"believes in {sorted(set(belief.names) ^ set(hidden))}"]
    chances, drawn = belief.marginals(), belief.sample(samples, seed)
    if not np.allclose(chances.sum(axis=1), 1.0):
        wrong.append("chances that do not add up to 1")
    for i, name in enumerate(belief.names):
        allowed = hidden[name].looks_like if other == view.viewer else hidden[name].possible
        may_be = {belief.game.kind_index(kind) for kind in allowed}
        for kind in {int(kind) for kind in drawn[:, i]} | {int(kind) for kind in np.flatnonzero(chances[i])}:
            if kind not in may_be:
                wrong.append(f"{name} as {belief.game.kinds[kind].id}")
    if not any(row.is_lost for row in belief.hidden.rows):
        rows = drawn[:, : belief.hidden.on_board]
        for army in rows:
            if (np.bincount(army, minlength=len(belief.hidden.counts)) != belief.hidden.counts).any():
                wrong.append("an army of other kinds than are left")
    return wrong
