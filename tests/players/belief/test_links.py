"""A piece rescued in silence is one of the losses: chances over every way to link it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flagfall.board import cell_at
from flagfall.players.belief.hidden import Hidden, Returned, Row
from flagfall.players.belief.worlds import Worlds
from tests.players.belief.test_deals import every_deal

Reals = NDArray[np.float64]
KINDS = 3


def army(returned: tuple[Returned, ...]) -> Hidden:
    """Two pieces stand, two were lost unnamed, one was lost and shown as kind 2."""
    names = ("a4", "b4", "c4", "d4")
    rows = tuple(Row(name, cell_at(1 + at, 4), 0b111, at >= 2) for at, name in enumerate(names))
    return Hidden(rows, np.array([1, 2, 1]), ((cell_at(5, 4), 2),), returned, {"e4": 2})


def by_hand(hidden: Hidden, weight: Reals, back: list[Reals]) -> Reals:
    """Every deal, and every different loss for each rescued piece."""
    place = {row.name: at for at, row in enumerate(hidden.rows)}
    total = np.zeros((len(hidden.rows) + len(back), KINDS))

    def linked(at: int, used: tuple[str, ...], kinds: list[int], deal: list[int], chance: float) -> None:
        if at == len(back):
            for row, kind in enumerate([*deal, *kinds]):
                total[row, kind] += chance
            return
        for loss in hidden.returned[at].candidates:
            if loss not in used:
                kind = hidden.told[loss] if loss in hidden.told else deal[place[loss]]
                linked(at + 1, (*used, loss), [*kinds, kind], deal, chance * back[at][kind])

    for deal in every_deal([int(count) for count in hidden.counts]):
        linked(0, (), [], deal, float(weight[np.arange(len(deal)), deal].prod()))
    result: Reals = total / total.sum(axis=1, keepdims=True)
    return result


def test_one_rescued_piece_is_as_likely_of_each_kind_as_counted_by_hand() -> None:
    rng = np.random.default_rng(4)
    hidden = army((Returned("north+1", 0b110, ("c4", "d4", "e4"), is_hidden=True),))
    for _ in range(20):
        weight, back = rng.random((1, 4, KINDS)) + 0.1, [rng.random(KINDS) * [0, 1, 1]]
        worlds = Worlds(hidden, np.ones(1), weight, back, limit=10_000)
        assert np.abs(worlds.chances() - by_hand(hidden, weight[0], back)).max() < 1e-9


def test_two_rescued_pieces_are_two_different_losses() -> None:
    rng = np.random.default_rng(6)
    candidates = ("c4", "d4", "e4")
    hidden = army(
        (
            Returned("north+1", 0b111, candidates, is_hidden=True),
            Returned("north+2", 0b111, candidates, is_hidden=True),
        )
    )
    for _ in range(20):
        weight, back = rng.random((1, 4, KINDS)) + 0.1, [rng.random(KINDS) + 0.1, rng.random(KINDS) + 0.1]
        worlds = Worlds(hidden, np.ones(1), weight, back, limit=10_000)
        assert np.abs(worlds.chances() - by_hand(hidden, weight[0], back)).max() < 1e-9


def test_a_rescued_piece_by_lot_is_of_the_kind_of_some_loss() -> None:
    hidden = army((Returned("north+1", 0b110, ("c4", "d4", "e4"), is_hidden=True),))
    weight, back = np.ones((1, 4, KINDS)), [np.array([0.0, 1.0, 1.0])]
    worlds = Worlds(hidden, np.ones(1), weight, back, limit=10_000)
    drawn = worlds.draw(4000, np.random.default_rng(1))
    for world in drawn:
        assert int(world[4]) in {int(world[2]), int(world[3]), 2} - {0}
    share = np.array([(drawn[:, 4] == kind).mean() for kind in range(KINDS)])
    assert np.abs(share - worlds.chances()[4]).max() < 0.03
