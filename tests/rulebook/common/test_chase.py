"""The chase rule (more squares): a chaser may not bring a position about again.

::

    b7 c7 d7 e7      South’s Captain hunts North’s Scout round the lake; twelve steps bring
    b6 ~  ~  e6      both back to where they were
    b5 ~  ~  e5
    b4 c4 d4 e4
"""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

RING = ["b4", "c4", "d4", "e4", "e5", "e6", "e7", "d7", "c7", "b7", "b6", "b5"]
HUNT = """
    10  -F  .  .  .  .  .  .  .  . -7
     4   . +5  . -8  .  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +7
"""


def hunts(table: Table, first: int, last: int) -> Table:
    """The hunter follows the hunted, one step each, from the ``first`` to the ``last`` pair of turns."""
    for step in range(first, last + 1):
        chaser, evader = RING[(step - 1) % 12], RING[(step + 1) % 12]
        table.plays(f"{chaser}-{RING[step % 12]}", f"{evader}-{RING[(step + 2) % 12]}")
    return table


def pauses(table: Table) -> Table:
    """Both sides do something else, and undo it."""
    return table.plays("j1-j2", "j10-j9", "j2-j1", "j9-j10")


@pytest.mark.rule("CM-09")
def test_a_chaser_may_not_go_round_the_lake_a_second_time() -> None:
    table = hunts(Table("onyx/classic", HUNT, chase_rule="on"), 1, 12)
    assert table.becomes(HUNT)
    assert table.refuses("b4-c4")
    assert table.choices("b4") == {"b4-a4", "b4-b3", "b4-b5"}


@pytest.mark.rule("CM-09")
def test_all_the_way_round_the_first_time_the_chase_is_legal() -> None:
    table = hunts(Table("onyx/classic", HUNT, chase_rule="on"), 1, 11)
    assert table.allows("b5-b4")


@pytest.mark.rule("CM-09")
def test_without_the_chase_rule_the_hunt_may_go_on() -> None:
    table = hunts(Table("onyx/classic", HUNT), 1, 12)
    assert table.allows("b4-c4")


@pytest.mark.rule("CM-09")
def test_another_position_is_not_barred_although_the_chaser_was_on_that_square() -> None:
    table = Table("onyx/classic", HUNT, chase_rule="on")
    hunts(table, 1, 11).plays("b5-b4", "c4-c3")
    assert table.allows("b4-c4")


@pytest.mark.rule("CM-09")
def test_stepping_straight_back_is_allowed_although_the_position_was_there() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         5   .  .  ~  ~ -8  .  ~  ~  .  .
         3   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +7
        """,
        chase_rule="on",
    )
    table.plays("e3-e4", "e5-f5", "e4-f4", "f5-e5")
    assert table.allows("f4-e4")


@pytest.mark.rule("CM-09")
@pytest.mark.parametrize(("limit", "is_barred"), [("2", True), ("3", False)])
def test_stepping_straight_back_does_not_lift_the_two_square_rule(limit: str, is_barred: bool) -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         5   .  .  ~  ~  . -8  ~  ~  .  .
         4   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +7
        """,
        chase_rule="on",
        two_square_limit=limit,
    )
    table.plays("e4-f4", "f5-e5", "f4-e4", "e5-f5")
    assert table.refuses("e4-f4") is is_barred


@pytest.mark.rule("CM-09")
def test_a_chaser_that_does_something_else_breaks_the_chase() -> None:
    table = hunts(Table("onyx/classic", HUNT, chase_rule="on"), 1, 5)
    hunts(pauses(table), 6, 12)
    assert table.becomes(HUNT)
    assert table.allows("b4-c4")


@pytest.mark.rule("CM-09")
def test_a_broken_chase_that_begins_anew_is_barred_from_its_own_positions() -> None:
    table = hunts(Table("onyx/classic", HUNT, chase_rule="on"), 1, 5)
    hunts(pauses(table), 6, 17)
    assert table.refuses(f"{RING[5]}-{RING[6]}")


@pytest.mark.rule("CM-09")
def test_a_threatened_piece_that_does_not_run_breaks_the_chase() -> None:
    table = hunts(Table("onyx/classic", HUNT, chase_rule="on"), 1, 5)
    table.plays("e6-e7", "j10-j9")
    table.plays("j1-j2", "j9-j10", "j2-j1", "d7-c7")
    hunts(table, 7, 12)
    assert table.becomes(HUNT)
    assert table.allows("b4-c4")


@pytest.mark.rule("CM-09")
def test_north_is_barred_from_an_endless_chase_as_well() -> None:
    mirrored = HUNT.replace("+5  . -8", "-5  . +8")
    table = Table("onyx/classic", mirrored, chase_rule="on", to_move="north")
    hunts(table, 1, 12)
    assert table.refuses("b4-c4")
    assert table.allows("b4-b5")


@pytest.mark.rule("CM-09")
def test_chasing_two_pieces_in_turn_is_one_chase() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         9   .  .  . -8  .  . -8  .  .  .
         8   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +7
        """,
        chase_rule="on",
    )
    table.plays("e8-e9", "d9-d8", "e9-f9", "g9-g8", "f9-f8", "g8-g9", "f8-e8", "d8-d9")
    assert table.refuses("e8-e9")
    assert table.allows("e8-d8")


@pytest.mark.rule("CM-09")
def test_a_chasing_move_that_rescues_brings_a_new_position_about_and_is_not_barred() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  . -8  .  .  .  . -7
         9   .  .  . +5  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +7
        """,
        chase_rule="on",
        rescue="on",
        lost_south="6",
    )
    table.plays("d9-d10", "e10-e9", "d10-e10", "e9-d9", "e10-e9", "d9-d10", "e9-d9", "d10-e10")
    assert table.refuses("d9-d10")
    assert table.allows("d9-d10 rescue lieutenant a2")


@pytest.mark.rule("CM-09")
def test_who_threatens_pieces_that_do_not_run_chases_nobody() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         9   .  .  . -6  .  . -6  .  .  .
         8   .  .  . -B +5  . -B  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        chase_rule="on",
    )
    table.plays("e8-e9", "j10-j9", "e9-f9", "j9-i9", "f9-f8", "i9-i10", "f8-e8", "i10-j10")
    assert table.allows("e8-e9")
