"""Hidden armies by lot: every hidden piece gets a kind it can still be, as often as there are left."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from flagfall.edition import Game
from flagfall.view.view import SeenPiece, View

_TRIES = 8


def sample_armies(
    game: Game, view: View, hidden: Sequence[SeenPiece], deals: int, rng: Random
) -> NDArray[np.int16]:
    """One line a deal, one column a hidden piece: numbers of kinds."""
    number = {kind.id: index for index, kind in enumerate(game.kinds)}
    left = _left(game, view, number)
    options = [[number[kind] for kind in piece.possible] or list(range(len(left))) for piece in hidden]
    order = sorted(range(len(hidden)), key=lambda i: (len(options[i]), i))
    table = np.zeros((deals, len(hidden)), dtype=np.int16)
    for line in range(deals):
        for i, kind in _deal(options, order, left, rng).items():
            table[line, i] = kind
    return table


def _left(game: Game, view: View, number: dict[str, int]) -> list[int]:
    """How many of each kind the enemy still has hidden."""
    left = list(game.rosters[1 if view.viewer == "south" else 0])
    known = [piece.kind for piece in view.pieces if piece.side != view.viewer and piece.kind]
    known += [piece.kind for piece in view.tray if piece.side != view.viewer and piece.kind]
    for kind in known:
        left[number[kind]] = max(0, left[number[kind]] - 1)
    return left


def _deal(options: list[list[int]], order: list[int], left: list[int], rng: Random) -> dict[int, int]:
    """Those with the fewest possibilities first; after some vain tries, counts do not matter any more."""
    for _ in range(_TRIES):
        rest, dealt = list(left), {}
        for i in order:
            weights = [rest[kind] for kind in options[i]]
            if not any(weights):
                break
            kind = rng.choices(options[i], weights)[0]
            rest[kind] -= 1
            dealt[i] = kind
        else:
            return dealt
    return {i: rng.choice(options[i]) for i in order}
