"""What Worlds count, what an unsure attack is worth, and which ways lead to a flag."""

from __future__ import annotations

import numpy as np
import pytest

from flagfall.board import parse_cell
from flagfall.edition import load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.players.evaluate.values import Appraiser
from flagfall.players.evaluate.worth import standard_weights
from flagfall.players.search.ordering import CERTAIN
from flagfall.players.search.stakes import Stakes, stratified, told_apart
from flagfall.players.search.tree import mixed, unmixed

HALF = CERTAIN // 2


def test_worlds_that_are_the_same_are_one() -> None:
    kinds, share = told_apart(np.array([[2, 1], [1, 2], [2, 1], [2, 1]], dtype=np.int16))
    assert kinds.tolist() == [[2, 1], [1, 2]]
    assert share.tolist() == [0.75, 0.25]


def test_an_attacked_piece_counts_by_its_exact_chances() -> None:
    """Kind 0 was drawn three times in four although it is as likely as kind 1."""
    weights = stratified(
        np.array([0.5, 0.5]), np.array([0, 0, 1], dtype=np.int16), np.array([0.5, 0.25, 0.25])
    )
    assert weights.sum() == pytest.approx(1.0)
    assert weights[2] == pytest.approx(0.5)


def test_stakes_of_some_actions() -> None:
    stakes = Stakes.even(3, np.array([0.6, 0.4]))
    stakes.price[2] = 7.0
    assert stakes.only([0, 2]).price.tolist() == [[0.0, 0.0], [7.0, 7.0]]


def test_an_unsure_attack_gains_in_part_and_loses_in_full() -> None:
    """Whoever attacks in the dark while its flag hangs has not got out of it by being unsure."""
    assert mixed(100, 20, HALF) == 60
    assert mixed(-900, 20, HALF) == -900
    assert mixed(100, 20, CERTAIN) == 100


@pytest.mark.parametrize("share", [2, 5, HALF, 12, CERTAIN])
@pytest.mark.parametrize("value", [-900, -3, 0, 20, 25, 400])
def test_a_bound_before_mixing_loses_nothing(value: int, share: int) -> None:
    """What beats a bound after mixing beats the bound that the search below is given."""
    stand = 20
    for bound in range(-50, 300, 7):
        if mixed(value, stand, share) > bound:
            assert value > unmixed(bound, stand, share, -1)


def test_the_way_to_a_walled_flag_is_open_to_those_who_take_the_wall() -> None:
    game = load_game("lotr/classic")
    appraiser = Appraiser(game, compile_game(game, resolve(game, {})), standard_weights())
    goal = parse_cell("a1")
    walls = (parse_cell("a2"), parse_cell("b1"))
    assert appraiser._near(goal, ())[parse_cell("a3")] == pytest.approx(
        appraiser.weights.guard_fade**2, rel=1e-9
    )
    assert appraiser._near(goal, walls)[parse_cell("a3")] == 0.0
    one_gone = walls[:1]
    assert appraiser._near(goal, one_gone)[parse_cell("a3")] == pytest.approx(
        appraiser.weights.guard_fade**4, rel=1e-9
    )
