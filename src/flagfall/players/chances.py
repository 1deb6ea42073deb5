"""Chances of hidden pieces by counting the kinds that are left, and the odds of an attack on one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flagfall.board import cell_name
from flagfall.edition import Game, Options
from flagfall.edition.verbs import VERB_BY_CODE
from flagfall.engine import tables as T
from flagfall.engine.action import Action
from flagfall.languages import say
from flagfall.players.worlds import PHASE_NUMBERS
from flagfall.sides import Side
from flagfall.view.view import SeenEvent, SeenPiece, View

if TYPE_CHECKING:
    from flagfall.players.search.root import SearchResult

Chances = NDArray[np.float64]
_SCALING_ROUNDS = 12


def remaining(game: Game, view: View, side: str) -> NDArray[np.int64]:
    """Return how many of each kind an army has left, as far as the viewer knows its losses."""
    left = np.array(game.rosters[Side(side)], dtype=np.int64)
    for gone in view.tray:
        if gone.side == side and gone.kind:
            left[game.kind_index(gone.kind)] -= 1
    for piece in view.pieces:
        if piece.is_converted and piece.kind:
            left[game.kind_index(piece.kind)] += 1 if piece.side == side else -1
    return np.maximum(left, 0)


def hidden_counts(
    game: Game, view: View, side: str, pieces: Sequence[SeenPiece]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return which kinds each hidden piece may be, and how many of each kind are among them."""
    number = {kind.id: index for index, kind in enumerate(game.kinds)}
    left = remaining(game, view, side)
    names = {piece.name for piece in pieces}
    for piece in view.pieces:
        if piece.side == side and piece.kind and piece.name not in names:
            left[number[piece.kind]] -= 1
    mask = np.zeros((len(pieces), len(game.kinds)), dtype=bool)
    for i, piece in enumerate(pieces):
        kinds = piece.possible if piece.side != view.viewer else piece.looks_like
        mask[i, [number[kind] for kind in kinds]] = True
    return mask, np.maximum(left, 0)


def spread(weights: Chances, counts: NDArray[np.int64]) -> Chances:
    """Return chances whose rows sum to 1 and whose columns come near the counts (iterative scaling)."""
    chances = weights * np.maximum(counts, 1e-9)
    for _ in range(_SCALING_ROUNDS):
        chances /= np.maximum(chances.sum(axis=1, keepdims=True), 1e-12)
        chances *= counts / np.maximum(chances.sum(axis=0), 1e-12)
    chances /= np.maximum(chances.sum(axis=1, keepdims=True), 1e-12)
    return chances


class CountingBelief:
    """A belief from counting alone."""

    def __init__(self, game: Game, options: Options, viewer: str) -> None:
        self.game, self.viewer = game, viewer
        self.names: tuple[str, ...] = ()
        self._weights: Chances = np.zeros((0, len(game.kinds)))
        self._counts = np.zeros(len(game.kinds), dtype=np.int64)

    def update(self, view: View, history: Sequence[SeenEvent]) -> None:
        """Read which pieces are hidden and what is left."""
        pieces = [piece for piece in view.pieces if piece.side != self.viewer and not piece.kind]
        self.names = tuple(piece.name for piece in pieces)
        mask, self._counts = hidden_counts(self.game, view, Side(self.viewer).other, pieces)
        self._weights = mask.astype(np.float64)

    def marginals(self) -> Chances:
        """Return the chance of every kind for every hidden piece."""
        return spread(self._weights, self._counts)

    def sample(self, n: int, seed: int) -> NDArray[np.int16]:
        """Return ``n`` samples of all hidden pieces: a row per sample, a column per piece."""
        rng = np.random.default_rng(seed)
        samples = np.zeros((n, len(self.names)), dtype=np.int16)
        left = np.tile(self._counts.astype(np.float64), (n, 1))
        rows = np.arange(n)
        for piece in np.argsort((self._weights > 0).sum(axis=1), kind="stable"):
            weights = left * self._weights[piece]
            total = weights.sum(axis=1, keepdims=True)
            weights = np.where(total > 0, weights, self._weights[piece])
            cumulative = weights.cumsum(axis=1)
            kinds = (rng.random((n, 1)) * cumulative[:, -1:] >= cumulative).sum(axis=1)
            samples[:, piece] = kinds
            left[rows, kinds] = np.maximum(left[rows, kinds] - 1, 0)
        return samples


@dataclass(frozen=True)
class Odds:
    """Chances of the four results of a fight; they add up to 1."""

    wins: float
    both_fall: float
    loses: float
    in_vain: float = 0.0

    def words(self) -> str:
        """Return the odds as part of a sentence, without what cannot happen.

        >>> Odds(0.621, 0.0, 0.379).words()
        'wins 62%, loses 38%'
        """
        chances = {
            "wins": self.wins,
            "both-fall": self.both_fall,
            "loses": self.loses,
            "in-vain": self.in_vain,
        }
        return ", ".join(
            say(f"players.odds.{end}", chance=percent(chance)) for end, chance in chances.items() if chance
        )


def percent(chance: float) -> str:
    """Return a chance for people; only the impossible is 0%, only the certain 100%.

    >>> percent(0.5), percent(0.001), percent(0.999), percent(1.0)
    ('50%', 'under 1%', 'over 99%', '100%')
    """
    if 0 < chance < 0.005:
        return say("players.chance.under", chance=0.01)
    if 0.995 < chance < 1 - 1e-9:
        return say("players.chance.over", chance=0.99)
    return say("players.chance.about", chance=round(100 * chance) / 100)


@dataclass(frozen=True)
class Duel:
    """An attack by contact on a hidden piece."""

    column: int
    """of the defender among the hidden pieces"""
    outcomes: tuple[int, ...]
    """by kind of the defender"""
    odds: Odds
    likeliest: int
    """the likeliest outcome"""


def duel(game: Game, tables: T.Tables, result: SearchResult, action: Action) -> Duel | None:
    """Return the odds of an action of the viewer; None unless it attacks a hidden piece by contact."""
    if not VERB_BY_CODE[action.verb].may_attack:
        return None
    origin, target = cell_name(action.origin), cell_name(action.target)
    column = next((i for i, piece in enumerate(result.hidden) if piece.cell == target), -1)
    attacker = result.view.at(origin)
    if column < 0 or attacker is None or not attacker.kind:
        return None
    fights = tables.fights(len(game.kinds), PHASE_NUMBERS[result.view.regime])
    outcomes = fights[game.kind_index(attacker.kind)]
    chances = result.chances[column]
    ends = (T.ATTACKER_WINS, T.BOTH_LOST, T.DEFENDER_WINS, T.NOTHING)
    shares = [float(chances[np.array(outcomes) == end].sum()) for end in ends]
    return Duel(column, tuple(outcomes), Odds(*shares), ends[shares.index(max(shares))])
