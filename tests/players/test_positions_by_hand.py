"""Players in positions set up by hand, where pieces begin anywhere."""

from __future__ import annotations

import msgspec
import pytest

import flagfall
from flagfall.players.history import starting_sides
from flagfall.view.view import SeenEvent, SeenPiece

LEVELS = ("recruit", "colonel", "marshal")


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_captures_a_flag_far_from_the_home_rows_of_its_owner(level: str) -> None:
    position = flagfall.game("onyx/classic").position(
        {"a1": "flag", "e8": "miner", "b7": "scout"},
        {"e7": "flag", "h2": "bomb", "j1": "sergeant", "a4": "spy"},
        known=["e7", "h2"],
    )
    action = flagfall.player(level, nodes=2000, seed=1).choose_action(position)
    assert position.text(action) == "e8xe7"


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_knows_whose_piece_stands_in_its_own_rows(level: str) -> None:
    """North's known Marshal stands in South's home, next to South's Spy; the Flag is far away."""
    position = flagfall.game("onyx/classic").position(
        {"j1": "flag", "i1": "bomb", "j2": "bomb", "b2": "spy", "g8": "captain"},
        {"a10": "flag", "a9": "bomb", "b10": "bomb", "b3": "marshal", "i5": "scout"},
        known=["b3"],
    )
    action = flagfall.player(level, nodes=2000, seed=1).choose_action(position)
    assert position.text(action) == "b2xb3"


def test_the_first_event_of_a_piece_tells_on_which_side_it_began() -> None:
    south, north = flagfall.Side.SOUTH, flagfall.Side.NORTH
    game = flagfall.game("onyx/classic")
    view = game.position({"a1": "flag", "d9": "spy"}, {"a10": "flag", "c2": "miner"}).view("south")
    history = [
        SeenEvent("removed", 1, side=north, piece="b1"),
        SeenEvent("converted", 2, side=south, piece="e9"),
        SeenEvent("move", 3, side=south, piece="e9", origin="e9", target="e8"),
        SeenEvent("rescued", 4, side=south, piece="south+1", target="a2"),
    ]
    sides = starting_sides(view, history)
    assert sides == {"a1": 0, "d9": 0, "a10": 1, "c2": 1, "b1": 1, "e9": 1}


def test_a_piece_that_has_changed_sides_began_on_the_other() -> None:
    piece = SeenPiece("c2", "c4", flagfall.Side.NORTH, kind="wolf", is_converted=True)
    game = flagfall.game("onyx/classic")
    view = game.position({"a1": "flag"}, {"a10": "flag", "b9": "spy"}).view("south")
    assert starting_sides(msgspec.structs.replace(view, pieces=(piece,)), ()) == {"c2": 0}
