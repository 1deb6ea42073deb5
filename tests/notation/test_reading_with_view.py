"""With a View the reader knows what stands where."""

from __future__ import annotations

import pytest

from flagfall.board import parse_cell
from flagfall.engine.action import ATTACK, CHOOSE_CELL, MOVE, RESCUE, TWO_STEP, Action
from flagfall.notation import NotationError, read_turn
from flagfall.sides import Side
from flagfall.view.view import Prompt, SeenPiece, View
from tests.boxes import LOTR, ONYX

D4, D5, D6, E5 = map(parse_cell, ("d4", "d5", "d6", "e5"))
VIEW = View(
    game="onyx/classic",
    viewer="south",
    turn=4,
    to_move=Side.SOUTH,
    pieces=(
        SeenPiece("d4", "d4", Side.SOUTH, kind="scout"),
        SeenPiece("e4", "e4", Side.SOUTH, kind="miner"),
        SeenPiece("d7", "d5", Side.NORTH),
        SeenPiece("e7", "e6", Side.NORTH),
    ),
    tray=(),
    last_turn=(),
)


@pytest.mark.parametrize("text", ["d4xd5", "d4-d5", "d4d5", "d4 d5"])
def test_a_step_onto_an_enemy_is_an_attack_however_it_is_typed(text: str) -> None:
    assert read_turn(ONYX, text, VIEW) == (Action(ATTACK, D4, D5),)


@pytest.mark.parametrize("text", ["e4-e5", "e4e5", "e4 e5"])
def test_a_step_onto_an_empty_square_is_a_move(text: str) -> None:
    assert read_turn(ONYX, text, VIEW) == (Action(MOVE, parse_cell("e4"), E5),)


def test_the_enemy_is_the_side_not_to_move() -> None:
    view = View(VIEW.game, "watcher", 5, Side.NORTH, VIEW.pieces, (), ())
    assert read_turn(ONYX, "d5-d4", view) == (Action(ATTACK, D5, D4),)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("e4xe5", "nothing stands on e5, so it cannot be attacked; expected e4-e5 to move there"),
        ("e4xe5 rescue", "nothing stands on e5, so it cannot be attacked"),
        ("e4-e5xf5", "nothing stands on f5, so it cannot be attacked"),
        ("e4xd4", "your own piece stands on d4, so it cannot be attacked; expected an enemy's square"),
    ],
)
def test_an_attack_on_nobody_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        read_turn(ONYX, text, VIEW)


def test_rescues_and_two_steps_may_strike_an_enemy() -> None:
    assert read_turn(ONYX, "d4xd5 rescue", VIEW) == (Action(RESCUE, D4, D5),)
    assert read_turn(ONYX, "e4-e5xd5", VIEW) == (Action(TWO_STEP, parse_cell("e4"), D5, 0),)
    assert read_turn(ONYX, "e4-e5-e6", VIEW) == (Action(TWO_STEP, parse_cell("e4"), parse_cell("e6"), 0),)


def test_a_second_attack_is_judged_by_what_is_typed_since_the_first_may_change_the_board() -> None:
    assert read_turn(ONYX, "d4xd5 d5xd6", VIEW) == (Action(ATTACK, D4, D5), Action(ATTACK, D5, D6))


def test_an_open_turn_that_asks_for_squares_takes_two_squares_as_two_choices() -> None:
    legal = (Action(CHOOSE_CELL, 0, D5), Action(CHOOSE_CELL, 0, D6))
    view = View(VIEW.game, "south", 4, Side.SOUTH, VIEW.pieces, (), (), legal, Prompt("target"))
    assert read_turn(ONYX, "d5 d6", view) == legal


def test_a_label_that_both_armies_have_means_the_enemy_in_a_guess_and_ones_own_in_a_rescue() -> None:
    def named(text: str) -> str:
        return LOTR.kinds[read_turn(LOTR, text, view)[1].choice].id

    view = View("lotr/classic", "south", 4, Side.SOUTH, (), (), ())
    assert (named("d4 spot d5 10"), named("d4-d5 rescue 10")) == ("gandalf", "witch-king")
