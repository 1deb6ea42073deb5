"""Powers in the plain game: typed, told, asked for and explained."""

from __future__ import annotations

from flagfall.edition import load_game
from flagfall.setups import setup_from_squares, write_setup
from tests.terminal.script import Script
from tests.terminal.table import play, seated

FIRE = load_game("fire-and-ice/special-powers")


def fire(*lines: str) -> str:
    """South: a sorceress on e3 and an elf on b3 in the front row; North: wolves in front of them."""
    south = army({"e3": "sorceress", "b3": "elf", "j1": "flag"}, 0)
    north = army({"e6": "scout", "b6": "scout", "f6": "knight", "j8": "flag"}, 1)
    return play(seated(Script(lines), FIRE.id, "human", setups=(south, north)))


def army(placed: dict[str, str], side: int) -> str:
    """The placed pieces, and the rest of the army on the squares that are left."""
    left = [kind.id for kind, count in zip(FIRE.kinds, FIRE.rosters[side], strict=True) for _ in range(count)]
    for kind in placed.values():
        left.remove(kind)
    squares = dict(placed)
    for cell in FIRE.board.names(FIRE.board.home(side)):
        if cell not in squares:
            squares[cell] = left.pop()
    return write_setup(setup_from_squares(FIRE, side, squares))


def test_an_enemy_is_won_over_and_serves_its_new_side() -> None:
    text = fire("e3-e4", "a6-a5", "e4 enchant e6", "a5-a4", "who e6", "legal e6")
    assert "enchants" in text
    assert "has changed sides" in text
    assert "e6: yours" in text


def test_a_power_out_of_reach_is_explained_and_nothing_is_lost() -> None:
    text = fire("e3 enchant e6", "b3 shoot b6", "f3^f8", "e3-e4")
    assert "e6 is further away than two squares" in text
    assert "b6 is further away than two squares" in text
    assert "Your Sorceress moves from e3 to e4." in text


def test_help_and_rules_tell_of_powers() -> None:
    text = fire("help", "rules", "piece sorceress")
    assert "e4 enchant e6" in text
    assert "## Powers" in text
