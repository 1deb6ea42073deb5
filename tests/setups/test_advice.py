"""Warnings name what is legal but hardly meant, and stay silent otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flagfall.board import Board
from flagfall.edition import load_game
from flagfall.setups import can_step, read_setup, warnings
from tests.boxes import DUEL, ONYX


@pytest.mark.rule("SM-X-16")
def test_an_army_that_cannot_move_is_legal_but_its_owner_is_warned() -> None:
    # a flag in its corner, all the others squeezed into a 2-wide board
    game = load_game("mini/3x3")
    walled = replace(game, board=Board(3, 3, 1, frozenset({25, 26, 27})))
    setup = read_setup(walled, 0, "XsF")
    assert not can_step(setup)
    assert warnings(setup) == (
        "No piece can make a first move, because every movable piece is boxed in; "
        "you would lose on your first turn.",
    )


def test_a_spotter_boxed_in_has_nobody_to_spot_on_the_first_turn() -> None:
    walled = replace(DUEL, board=Board(10, 8, 1, frozenset(range(25, 35))))
    setup = read_setup(walled, 0, "FBX92332s1".replace("2332", "33B2"))
    assert not can_step(setup)
    assert warnings(setup)[0].endswith("you would lose on your first turn.")


def test_pieces_behind_a_wall_of_bombs_are_named() -> None:
    free, walled = "FB88888777/B976666555", "9B88888777/BF76666555"
    front = "/1233444sBB/99B9599B99"
    assert warnings(read_setup(ONYX, 0, free + front)) == ()
    sentence = "Walled in behind pieces that never move, and out of play until the wall breaks: Scout on a1."
    assert sentence in warnings(read_setup(ONYX, 0, walled + front))


def test_a_flag_in_the_front_row_is_warned_about_for_both_sides() -> None:
    text = "8B64B8B8B9/689755778B/945B963697/9519924sF3"
    for side, square in ((0, "i4"), (1, "i7")):
        assert any(
            text.startswith(f"The Flag on {square} stands in the front row")
            for text in warnings(read_setup(ONYX, side, text))
        )
