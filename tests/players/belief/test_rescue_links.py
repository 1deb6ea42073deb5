"""A piece rescued in silence is one of the losses: chances over every way to link it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flagfall.board import cell_at
from flagfall.players.belief.hidden import HiddenArmy, RescuedPiece, UnknownPiece
from flagfall.players.belief.rescue_links import LinkedAssignments
from tests.players.belief.test_assignments import every_assignment

Reals = NDArray[np.float64]
KINDS = 3


def army(rescued: tuple[RescuedPiece, ...]) -> HiddenArmy:
    """Two pieces stand, two were lost unnamed, one was lost and shown as kind 2."""
    names = ("a4", "b4", "c4", "d4")
    rows = tuple(UnknownPiece(name, cell_at(1 + i, 4), 0b111, i >= 2) for i, name in enumerate(names))
    return HiddenArmy(rows, np.array([1, 2, 1]), ((cell_at(5, 4), 2),), rescued, {"e4": 2})


def by_hand(hidden: HiddenArmy, weight: Reals, back: list[Reals]) -> Reals:
    """Every assignment, and every different loss for each rescued piece."""
    place = {row.name: i for i, row in enumerate(hidden.rows)}
    total = np.zeros((len(hidden.rows) + len(back), KINDS))

    def linked(i: int, used: tuple[str, ...], kinds: list[int], assignment: list[int], chance: float) -> None:
        if i == len(back):
            for row, kind in enumerate([*assignment, *kinds]):
                total[row, kind] += chance
            return
        for loss in hidden.rescued[i].candidates:
            if loss not in used:
                kind = hidden.told[loss] if loss in hidden.told else assignment[place[loss]]
                linked(i + 1, (*used, loss), [*kinds, kind], assignment, chance * back[i][kind])

    for assignment in every_assignment([int(count) for count in hidden.counts]):
        linked(0, (), [], assignment, float(weight[np.arange(len(assignment)), assignment].prod()))
    result: Reals = total / total.sum(axis=1, keepdims=True)
    return result


def test_one_rescued_piece_is_as_likely_of_each_kind_as_counted_by_hand() -> None:
    rng = np.random.default_rng(4)
    hidden = army((RescuedPiece("north+1", 0b110, ("c4", "d4", "e4"), is_hidden=True),))
    for _ in range(20):
        weight, back = rng.random((1, 4, KINDS)) + 0.1, [rng.random(KINDS) * [0, 1, 1]]
        worlds = LinkedAssignments(hidden, np.ones(1), weight, back, limit=10_000)
        assert np.abs(worlds.chances() - by_hand(hidden, weight[0], back)).max() < 1e-9


def test_two_rescued_pieces_are_two_different_losses() -> None:
    rng = np.random.default_rng(6)
    candidates = ("c4", "d4", "e4")
    hidden = army(
        (
            RescuedPiece("north+1", 0b111, candidates, is_hidden=True),
            RescuedPiece("north+2", 0b111, candidates, is_hidden=True),
        )
    )
    for _ in range(20):
        weight, back = rng.random((1, 4, KINDS)) + 0.1, [rng.random(KINDS) + 0.1, rng.random(KINDS) + 0.1]
        worlds = LinkedAssignments(hidden, np.ones(1), weight, back, limit=10_000)
        assert np.abs(worlds.chances() - by_hand(hidden, weight[0], back)).max() < 1e-9


def test_a_sampled_rescued_piece_is_of_the_kind_of_some_loss() -> None:
    hidden = army((RescuedPiece("north+1", 0b110, ("c4", "d4", "e4"), is_hidden=True),))
    weight, back = np.ones((1, 4, KINDS)), [np.array([0.0, 1.0, 1.0])]
    worlds = LinkedAssignments(hidden, np.ones(1), weight, back, limit=10_000)
    drawn = worlds.sample(4000, np.random.default_rng(1))
    for world in drawn:
        assert int(world[4]) in {int(world[2]), int(world[3]), 2} - {0}
    share = np.array([(drawn[:, 4] == kind).mean() for kind in range(KINDS)])
    assert np.abs(share - worlds.chances()[4]).max() < 0.03
