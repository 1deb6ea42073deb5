"""The drawn board: aligned, complete, and silent about what the viewer may not know."""

from __future__ import annotations

from random import Random

import pytest

from flagfall.board import cell_name
from flagfall.edition import Game
from flagfall.notation import draw
from flagfall.setups import random_setup
from flagfall.sides import Side
from flagfall.view.view import SeenPiece, View
from tests.boxes import GAMES, LOTR, MINI, game_name


def opening(game: Game, own: str = "south") -> View:
    """The first View of South, with every enemy hidden."""
    pieces = []
    for side, name in ((0, "south"), (1, "north")):
        for cell, kind in random_setup(game, side, Random(1)).kinds.items():
            square = cell_name(cell)
            shown = game.kinds[kind].id if name == own else ""
            pieces.append(SeenPiece(square, square, Side.SOUTH if side == 0 else Side.NORTH, kind=shown))
    return View(game.id, "south", 0, Side.SOUTH, tuple(pieces), (), ())


def test_a_small_board_is_drawn_so() -> None:
    pieces = (
        SeenPiece("a1", "a1", Side.SOUTH, kind="flag"),
        SeenPiece("b1", "b2", Side.SOUTH, kind="marshal", moved=True),
        SeenPiece("a3", "a3", Side.NORTH),
        SeenPiece("b3", "c2", Side.NORTH, moved=True),
        SeenPiece("c3", "c3", Side.NORTH, kind="spy"),
    )
    lines = draw(MINI, View("mini/3x3", "south", 2, Side.SOUTH, pieces, (), ())).split("\n")
    assert lines == [
        "     a    b    c",
        "  3 <?>   .   <S>",
        "  2  .   [10] <*>",
        "  1 [F]   .    .",
        "     a    b    c",
        "    [ ] yours   < > enemy   ? unknown   * unknown, has moved",
    ]


def test_a_watcher_sees_south_in_brackets_and_north_in_angles() -> None:
    pieces = (SeenPiece("a1", "a1", Side.SOUTH), SeenPiece("a3", "a3", Side.NORTH, kind="spy"))
    drawn = draw(MINI, View("mini/3x3", "watcher", 2, Side.SOUTH, pieces, (), ()))
    assert "[?]" in drawn
    assert "<S>" in drawn
    assert "[ ] South   < > North" in drawn


@pytest.mark.parametrize("game", GAMES, ids=game_name)
def test_every_square_is_one_word_under_its_letter(game: Game) -> None:
    lines = draw(game, opening(game)).split("\n")
    letters = [at for at, letter in enumerate(lines[0]) if letter != " "]
    assert len(lines) == game.board.rows + 3
    for row, line in zip(range(game.board.rows, 0, -1), lines[1:], strict=False):
        number, *words = line.split()
        assert int(number) == row
        assert len(words) == game.board.columns
        padded = line.ljust(letters[-1] + 1)
        assert all(padded[at] != " " or padded[at - 1] != " " for at in letters)


def test_hidden_enemies_look_all_alike() -> None:
    words = [word for line in draw(LOTR, opening(LOTR)).split("\n")[1:5] for word in line.split()[1:]]
    assert words == ["<?>"] * 40


def test_pieces_of_one_army_with_the_same_label_are_told_apart() -> None:
    drawn = draw(LOTR, opening(LOTR, own="north"))
    assert "<8L>" in drawn
    assert "<8G>" in drawn
