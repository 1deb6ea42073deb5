"""Onyx: Rescue."""

from __future__ import annotations

import pytest

from flagfall.edition import load_game, resolve
from tests.rulebook.table import Table

REACHED = """
    10  -F  .  .  .  .  .  .  .  . -7
     9   .  .  . +4  . +5  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""
HOME = {f"{column}{row}" for column in "abcdefghij" for row in (1, 2, 3, 4)}


@pytest.mark.rule("ON-O-05")
def test_a_piece_that_moves_onto_the_enemys_back_row_may_bring_a_lost_piece_home() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="2")
    table.plays("d9-d10 rescue general b2")
    assert table.becomes("""
        10  -F  .  . +4  .  .  .  .  . -7
         9   .  .  .  .  . +5  .  .  .  .
         2   . +2  .  .  .  .  .  .  .  .
    """)
    assert table.events == [
        "rescue d9-d10",
        "move d9-d10",
        "returns b2",
        "shown b2 general to all",
        "turn north",
    ]


@pytest.mark.rule("ON-O-05")
def test_a_rescue_is_allowed_and_not_forced() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="2")
    assert {"d9-d10", "d9-d10 rescue"} <= table.choices("d9")
    assert table.plays("d9-d10").to_move == "north"


@pytest.mark.rule("ON-O-05")
def test_without_the_option_nobody_is_rescued() -> None:
    table = Table("onyx/classic", REACHED, lost_south="2")
    assert table.choices("d9") == {"d9-d10", "d9-c9", "d9-e9", "d9-d8"}


@pytest.mark.rule("ON-O-05")
def test_only_the_enemys_back_row_counts() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="2", lost_north="2")
    assert {text for text in table.choices() if "rescue" in text} == {"d9-d10 rescue", "f9-f10 rescue"}
    table.plays("d9-d8")
    assert table.choices() == {"j10-j9", "j10-i10"}


@pytest.mark.rule("ON-O-05")
def test_north_rescues_on_souths_back_row_into_its_own_rows() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  .  .
         2   .  .  . -4  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +7
        """,
        rescue="on",
        lost_north="2",
        to_move="north",
    )
    table.plays("d2-d1 rescue general")
    assert table.choices() == {f"{column}{row}" for column in "abcdefghij" for row in (7, 8, 9, 10)} - {"a10"}


@pytest.mark.rule("ON-O-05")
def test_the_player_chooses_among_the_kinds_it_has_lost() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="2 7 7 s", lost_north="1")
    table.plays("d9-d10 rescue")
    assert table.to_move == "south"
    assert table.choices() == {"general", "sergeant", "spy"}


@pytest.mark.rule("ON-O-05")
def test_a_piece_that_was_won_back_is_no_longer_among_the_lost() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="2 7")
    table.plays("d9-d10 rescue general b2", "j10-j9", "f9-f10 rescue")
    assert table.choices() == {"sergeant"}


@pytest.mark.rule("ON-O-05")
def test_a_rescued_piece_plays_on_like_any_other() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="2")
    table.plays("d9-d10 rescue general b2", "j10-j9")
    assert table.choices("b2") == {"b2-b3", "b2-b1", "b2-a2", "b2-c2"}


@pytest.mark.rule("ON-O-06")
def test_scouts_cannot_rescue() -> None:
    table = Table("onyx/classic", REACHED.replace("+4", "+9"), rescue="on", lost_south="2")
    assert table.allows("d9-d10")
    assert table.refuses("d9-d10 rescue")


@pytest.mark.rule("ON-O-06")
def test_a_scout_can_be_rescued() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="9")
    assert table.allows("d9-d10 rescue scout b2")


@pytest.mark.rule("ON-O-07")
def test_bombs_cannot_be_rescued() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="B 7")
    assert table.refuses("d9-d10 rescue bomb")
    assert table.plays("d9-d10 rescue").choices() == {"sergeant"}


FOUR_RESCUERS = """
    10  -F  .  .  .  .  .  .  .  . -7
     9   . +6  . +4  . +5  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("ON-O-08")
def test_a_player_rescues_at_most_twice() -> None:
    table = Table("onyx/classic", FOUR_RESCUERS, rescue="on", lost_south="7 7 7")
    table.plays("b9-b10 rescue sergeant b2", "j10-j9", "d9-d10 rescue sergeant d2", "j9-j8")
    assert table.allows("f9-f10")
    assert table.refuses("f9-f10 rescue")


@pytest.mark.rule("ON-O-08")
def test_one_piece_does_not_rescue_twice_but_another_may() -> None:
    table = Table("onyx/classic", FOUR_RESCUERS, rescue="on", lost_south="7 7 7")
    table.plays("b9-b10 rescue sergeant b2", "j10-j9")
    assert table.allows("b10-c10")
    assert table.refuses("b10-c10 rescue")
    assert table.allows("d9-d10 rescue sergeant d2")


@pytest.mark.rule("ON-O-08")
def test_each_player_has_two_rescues_of_its_own() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  .  .
         9   . +6  . +4  . +5  .  .  .  .
         2   .  .  .  .  .  .  . -5  . -6
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        rescue="on",
        lost_south="7 7 7",
        lost_north="7 7 7",
    )
    table.plays("b9-b10 rescue sergeant b2", "h2-h1 rescue sergeant h9", "d9-d10 rescue sergeant d2")
    assert table.allows("j2-j1 rescue sergeant j9")


@pytest.mark.rule("ON-X-08")
def test_every_lost_piece_counts_however_it_was_lost() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         9   .  .  . +4  .  .  .  .  .  .
         4   .  .  .  .  .  .  . -B  .  .
         3  -6 -2  .  .  .  .  . +3  .  .
         2  +6 +5  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        rescue="on",
        silent_defense="on",
    )
    table.plays("a2xa3", "j10-j9")  # a tie
    table.plays("b2xb3", "b2-c2")  # a lost strike
    table.plays("h3xh4", "j9-j8")  # a Bomb
    table.plays("d9-d10 rescue")
    assert table.choices() == {"lieutenant", "captain", "colonel"}


@pytest.mark.rule("ON-X-08")
def test_a_piece_lost_as_a_defender_counts_too() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         9   .  .  . +4  .  .  .  .  .  .
         3   . -2  .  .  .  .  .  .  .  .
         2   . +5  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        rescue="on",
        to_move="north",
    ).plays("b3xb2")
    assert table.allows("d9-d10 rescue captain b4")


@pytest.mark.rule("ON-X-09")
def test_both_players_know_a_rescued_piece() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="2").plays("d9-d10 rescue general b2")
    assert table.known_to("north") == table.known_to("watchers") == {"b2": "general"}


@pytest.mark.rule("ON-X-09")
def test_under_silent_defense_only_its_owner_knows_a_rescued_piece() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", silent_defense="on", lost_south="2 7")
    table.plays("d9-d10 rescue general b2")
    assert table.events[-3:] == ["returns b2", "shown b2 general to south", "turn north"]
    assert table.known_to("north") == table.known_to("watchers") == {}


@pytest.mark.rule("ON-X-10")
def test_a_rescued_piece_returns_to_any_empty_square_of_the_four_home_rows() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="2").plays("d9-d10 rescue general")
    assert table.choices() == HOME - {"a1"}


@pytest.mark.rule("ON-X-10")
def test_with_rescue_zone_half_the_near_middle_row_is_open_too() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", rescue_zone="half", lost_south="2")
    table.plays("d9-d10 rescue general")
    assert table.choices() == HOME - {"a1"} | {"a5", "b5", "e5", "f5", "i5", "j5"}


STRUCK = """
    10  -F  .  . -7  .  .  .  .  . -7
     9   .  .  . +4  .  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +7
"""


@pytest.mark.rule("ON-X-11")
def test_a_strike_on_the_back_row_does_not_rescue() -> None:
    table = Table("onyx/classic", STRUCK, rescue="on", lost_south="2")
    assert table.allows("d9xd10")
    assert table.refuses("d9xd10 rescue")


@pytest.mark.rule("ON-X-11")
def test_with_rescue_on_strike_a_won_strike_rescues_too() -> None:
    table = Table("onyx/classic", STRUCK, rescue="on", rescue_on_strike="on", lost_south="2")
    table.plays("d9xd10 rescue general b2")
    assert table.becomes("""
        10  -F  .  . +4  .  .  .  .  . -7
         9   .  .  .  .  .  .  .  .  .  .
         2   . +2  .  .  .  .  .  .  .  .
    """)
    assert table.events == [
        "rescue d9-d10",
        "attack d9xd10",
        "shown d9 major to all",
        "shown d10 sergeant to all",
        "removed d10",
        "take d9-d10",
        "returns b2",
        "shown b2 general to all",
        "turn north",
    ]


@pytest.mark.rule("ON-X-11")
@pytest.mark.parametrize("defender", ["4", "3", "B"])
def test_with_rescue_on_strike_a_strike_that_does_not_win_rescues_nobody(defender: str) -> None:
    drawing = STRUCK.replace("10  -F  .  . -7", f"10  -F  .  . -{defender}")
    table = Table("onyx/classic", drawing, rescue="on", rescue_on_strike="on", lost_south="2")
    table.plays("d9xd10 rescue")
    assert table.events[-1] == "turn north"
    assert not any(event.startswith("returns") for event in table.events)


@pytest.mark.rule("ON-X-11")
def test_with_rescue_on_strike_taking_the_flag_ends_the_game_at_once() -> None:
    drawing = STRUCK.replace("-F  .  . -7", " .  .  . -F")
    table = Table("onyx/classic", drawing, rescue="on", rescue_on_strike="on", lost_south="2")
    table.plays("d9xd10 rescue")
    assert table.result == "south flag"


@pytest.mark.rule("ON-X-12")
def test_a_defender_that_advances_onto_the_back_row_rescues_nobody() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         2   .  .  . -4  .  .  .  .  .  .
         1  +F  .  . +7  .  .  .  .  . +6
        """,
        rescue="on",
        rescue_on_strike="on",
        lost_north="2",
    ).plays("d1xd2")
    assert table.events[-2:] == ["advance d2-d1", "turn north"]
    assert "general" not in table.choices()
    assert {"d1-c1", "d1-c1 rescue"} <= table.choices("d1")


@pytest.mark.rule("ON-X-13")
def test_a_move_along_the_back_row_allows_a_rescue_too() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="2")
    table.plays("d9-d10", "j10-j9")
    assert {text for text in table.choices("d10") if "rescue" in text} == {"d10-c10 rescue", "d10-e10 rescue"}
    table.plays("d10-e10 rescue general b2")
    assert table.known_to("north") == {"b2": "general"}


@pytest.mark.rule("ON-X-15")
@pytest.mark.parametrize("lost", ["", "B", "B B"])
def test_with_nobody_to_bring_back_the_move_stands_without_a_rescue(lost: str) -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south=lost)
    assert table.refuses("d9-d10 rescue")
    assert table.plays("d9-d10").to_move == "north"


@pytest.mark.rule("ON-X-15")
def test_a_piece_that_found_nobody_to_rescue_may_do_so_on_a_later_move() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         9   .  .  . +4  .  .  .  .  .  .
         3   . -2  .  .  .  .  .  .  .  .
         2   . +5  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        rescue="on",
    )
    assert table.refuses("d9-d10 rescue")
    table.plays("d9-d10", "b3xb2")
    assert table.allows("d10-e10 rescue captain a2")


@pytest.mark.rule("ON-X-16")
def test_a_rescue_is_declared_with_the_move_or_lost_for_that_move() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="2")
    table.plays("d9-d10", "j10-j9")
    assert {text for text in table.choices() if text in ("general", "b2", "d10 rescue")} == set()
    assert not table.state.is_turn_open


@pytest.mark.rule("ON-X-16")
def test_a_piece_that_declares_a_rescue_finishes_it_before_the_turn_ends() -> None:
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="2").plays("d9-d10 rescue")
    assert table.to_move == "south"
    assert table.choices() == {"general"}
    table = Table("onyx/classic", REACHED, rescue="on", lost_south="2").plays("d9-d10 rescue general")
    assert table.events == ["rescue d9-d10", "move d9-d10"]  # the kind is chosen in silence
    assert table.to_move == "south"


@pytest.mark.rule("ON-X-10", "ON-X-11")
def test_the_booklets_own_reading_is_the_default() -> None:
    options = resolve(load_game("onyx/classic"), {"rescue": "on"})
    assert (options["rescue_zone"], options["rescue_on_strike"]) == ("home_rows", "off")
