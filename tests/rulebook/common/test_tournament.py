"""The tournament options of Onyx in every box that offers them."""

from __future__ import annotations

import pytest

from flagfall.edition import load_game
from tests.rulebook.fight import meeting
from tests.rulebook.table import Table


@pytest.mark.rule("CM-22")
@pytest.mark.parametrize(
    ("game", "runner", "walker"),
    [("onyx/classic", "9", "5"), ("duel-masters/classic", "1", "5"), ("lotr/classic", "2", "5")],
)
def test_no_runner_of_any_box_can_rescue(game: str, runner: str, walker: str) -> None:
    drawing = """
        10  -F  .  .  .  .  .  .  .  . -3
         9   .  .  . +{}  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
    """
    assert Table(game, drawing.format(runner), rescue="on", lost_south="3").refuses("d9-d10 rescue")
    assert Table(game, drawing.format(walker), rescue="on", lost_south="3").allows("d9-d10 rescue")


@pytest.mark.rule("CM-22")
@pytest.mark.parametrize(
    ("game", "runner", "struck"),
    [
        ("duel-masters/classic", "1", "brute"),
        ("lotr/classic", "2", "elf"),
        ("fire-and-ice/classic", "2", "beast"),
    ],
)
def test_with_silent_defense_the_strike_of_any_runner_names_the_struck_piece(
    game: str, runner: str, struck: str
) -> None:
    top = load_game(game).board.rows
    drawing = f"""
        {top}  -F  .  .  .  .  .  .  .  . -3
         3   .  .  .  . -5  .  .  .  .  .
         1  +F  .  .  . +{runner}  .  .  .  . +4
    """
    table = Table(game, drawing, silent_defense="on").plays("e1xe3")
    assert table.shown_to("south") == [f"e3 {struck}"]
    walker = meeting(game, "6", "5", silent_defense="on").plays("e2xe3")
    assert walker.shown_to("south") == []


@pytest.mark.rule("CM-25")
def test_half_of_eight_rows_is_four_without_the_zones() -> None:
    drawing = """
         8  -F  .  .  .  .  .  .  .  . -3
         7   .  .  . +5  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
    """
    home = {f"{column}{row}" for column in "abcdefghij" for row in (1, 2, 3)} - {"a1"}
    table = Table("fire-and-ice/classic", drawing, rescue="on", lost_south="9").plays("d7-d8 rescue mage")
    assert table.choices() == home
    table = Table("fire-and-ice/classic", drawing, rescue="on", rescue_zone="half", lost_south="9")
    assert table.plays("d7-d8 rescue mage").choices() == home | {"a4", "b4", "e4", "f4", "i4", "j4"}


@pytest.mark.rule("CM-25", "ON-X-10")
def test_half_of_ten_rows_is_five_for_north_as_well() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  .  .
         2   .  .  . -4  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +7
        """,
        rescue="on",
        rescue_zone="half",
        lost_north="2",
        to_move="north",
    ).plays("d2-d1 rescue general")
    assert {cell for cell in table.choices() if int(cell[1:]) < 7} == {"a6", "b6", "e6", "f6", "i6", "j6"}
