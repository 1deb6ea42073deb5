"""Referees: the games of a `VectorEnv` played in step before referees, for players and beliefs.

Kernels write planes, but a computer player wants a View and a history, and so does a `Belief`. A referee
makes them from the same setups and actions. It is plain Python and far slower than the kernels, so an
environment has referees only where they are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from flagfall.board import parse_cell
from flagfall.edition import Game
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.match.play import GameRunner
from flagfall.players.belief import Belief
from flagfall.players.belief.setup_types import SetupTypes
from flagfall.rl.layout import Layout
from flagfall.setups import Setup
from flagfall.sides import SIDES
from flagfall.view.view import SeenEvent, View

Prior = Literal["even", "people"]
"""what a belief expects of a hidden army: every setup is equally likely, or as people and players set up"""
PRIORS: Final = ("even", "people")


class Referees:
    """One referee for each game of an environment."""

    def __init__(self, layout: Layout, n: int, prior: Prior | None) -> None:
        self.layout = layout
        self._prior = prior
        self._games: list[GameRunner | None] = [None] * n
        self._beliefs: list[list[Belief | None]] = [[None, None] for _ in range(n)]

    def has(self, i: int) -> bool:
        """Return whether game ``i`` has begun, with all pieces placed."""
        return self._games[i] is not None

    def end(self, i: int) -> None:
        """Forget game ``i``."""
        self._games[i], self._beliefs[i] = None, [None, None]

    def begin(self, i: int, setups: tuple[Setup, Setup]) -> GameRunner:
        """Begin game ``i`` with these setups."""
        game = self._games[i] = GameRunner(self.layout.game, self.layout.options, setups)
        return game

    def play(self, i: int, number: int) -> None:
        """Play the action with that number in game ``i``."""
        game = self._of(i)
        legal = game.referee.observers.legal(game.state)
        game.play(self.layout.space.decode(number, game.state.side, legal))

    def seen(self, i: int, side: int) -> tuple[View, Sequence[SeenEvent]]:
        """Return what a side of game ``i`` may know: its View and its history."""
        game = self._of(i)
        return game.view(SIDES[side]), game.history(SIDES[side])

    def _of(self, i: int) -> GameRunner:
        game = self._games[i]
        assert game is not None, "a game without a referee"
        return game

    def write_belief(self, i: int, side: int, planes: NDArray[np.float32]) -> None:
        """Write the chances of every kind of a side's hidden enemies, ``[kind, square]``."""
        kept = self._beliefs[i]
        belief = kept[side] = kept[side] or self._make_belief(side)
        view, history = self.seen(i, side)
        belief.update(view, history)
        kinds = list(self.layout.army_kinds[1 - side])
        squares = {piece.name: parse_cell(piece.cell) for piece in view.pieces}
        for name, chances in zip(belief.names, belief.marginals(), strict=True):
            planes[: len(kinds), self.layout.space.square(squares[name], side)] = chances[kinds]

    def _make_belief(self, side: int) -> Belief:
        game, options = self.layout.game, self.layout.options
        if self._prior == "even":
            return Belief(game, options, SIDES[side], types=_even_types(game, 1 - side), habits={})
        return Belief(game, options, SIDES[side])


@lru_cache(maxsize=32)
def _even_types(game: Game, side: int) -> SetupTypes:
    """Return one type: every setup is equally likely."""
    home, roster = game.board.home(side), np.array(game.rosters[side], dtype=np.float64)
    table = np.broadcast_to(roster / roster.sum(), (1, len(home), len(roster)))
    return SetupTypes(np.ones(1), table, {cell: place for place, cell in enumerate(home)})


def setups_of(game: Game, row: NDArray[np.int16]) -> tuple[Setup, Setup]:
    """Return the setups of a game that has just begun, from its State row."""
    found: list[dict[int, int]] = [{}, {}]
    for piece in range(1, T.PIECES):
        if cell := int(row[S.PIECE_CELL + piece]):
            info = int(row[S.PIECE_INFO + piece])
            found[info >> S.OWNER_SHIFT & 1][cell] = info & S.KIND_MASK
    south, north = (Setup(game, side, kinds) for side, kinds in zip(SIDES, found, strict=True))
    return south, north
