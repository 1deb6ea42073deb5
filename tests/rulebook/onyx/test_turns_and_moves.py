"""Onyx: the board, turns and moves."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

FULL = """
    10  -F -B -B -B -B -B -B -s -9 -9
     9  -8 -8 -8 -8 -8 -7 -7 -7 -7 -9
     8  -6 -6 -6 -6 -5 -5 -5 -5 -9 -9
     7  -4 -4 -4 -3 -3 -2 -1 -9 -9 -9
     4  +4 +4 +4 +3 +3 +2 +1 +9 +9 +9
     3  +6 +6 +6 +6 +5 +5 +5 +5 +9 +9
     2  +8 +8 +8 +8 +8 +7 +7 +7 +7 +9
     1  +F +B +B +B +B +B +B +s +9 +9
"""


@pytest.mark.rule("ON-B-02")
def test_forty_pieces_fill_four_rows_and_the_two_middle_rows_are_empty() -> None:
    table = Table("onyx/classic", FULL)
    assert table.game.army_size(0) == table.game.army_size(1) == 40
    assert table.game.fills_home
    assert set(table.game.board.names(table.game.board.home(0))) == {
        f"{column}{row}" for column in "abcdefghij" for row in (1, 2, 3, 4)
    }
    steps = {"a4-a5", "b4-b5", "e4-e5", "f4-f5", "i4-i5", "j4-j5"}
    assert table.choices() == steps | {"i4-i6", "j4-j6"}


@pytest.mark.rule("ON-T-01")
def test_red_sits_south_and_begins_then_the_players_alternate() -> None:
    table = Table("onyx/classic", FULL)
    assert [army.id for army in table.game.armies] == ["red", "blue"]
    assert table.to_move == "south"
    assert table.plays("a4-a5").to_move == "north"
    assert table.plays("b7-b6").to_move == "south"


OPEN = """
    10  -F  .  .  .  .  .  .  .  . -7
     4   .  .  .  . +5 -6  .  .  .  .
     1  +F +B  .  .  .  .  .  .  . +7
"""


@pytest.mark.rule("ON-T-02", "ON-M-04")
def test_a_turn_is_one_move_of_one_piece() -> None:
    table = Table("onyx/classic", OPEN).plays("e4-e5")
    assert table.events == ["move e4-e5", "turn north"]
    assert table.becomes("""
         5   .  .  ~  ~ +5  .  ~  ~  .  .
         4   .  .  .  .  . -6  .  .  .  .
    """)


@pytest.mark.rule("ON-T-02")
def test_or_a_turn_is_one_strike_which_ends_it() -> None:
    table = Table("onyx/classic", OPEN).plays("e4xf4")
    assert table.events[-1] == "turn north"
    assert table.to_move == "north"


@pytest.mark.rule("ON-T-02")
def test_a_player_must_move_or_strike_and_cannot_pass() -> None:
    table = Table("onyx/classic", OPEN)
    assert table.choices() == {"e4-e5", "e4-d4", "e4-e3", "e4xf4", "j1-j2", "j1-i1"}


@pytest.mark.rule("ON-T-03")
def test_a_player_who_can_neither_move_nor_strike_loses() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -B
         9  -B  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +7
        """,
    ).plays("j1-j2")
    assert table.events == ["move j1-j2", "turn north", "result south no move"]


@pytest.mark.rule("ON-T-03")
def test_a_player_who_is_hemmed_in_loses_although_he_has_movable_pieces() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -7 -F  .  .  .  .  .  .  .  .
         9  -B  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +7
        """,
    ).plays("j1-j2")
    assert table.result == "south no move"


@pytest.mark.rule("ON-T-03")
def test_a_piece_that_can_only_strike_is_not_beaten() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -7 -F  .  .  .  .  .  .  .  .
         9  +4  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +7
        """,
    ).plays("j1-j2")
    assert table.choices() == {"a10xa9"}


@pytest.mark.rule("ON-M-01")
@pytest.mark.parametrize("code", ["1", "2", "3", "4", "5", "6", "7", "8", "s"])
def test_a_piece_steps_one_square_up_down_or_sideways_and_shows_nothing(code: str) -> None:
    table = Table(
        "onyx/classic",
        f"""
        10  -F  .  .  .  .  .  .  .  . -7
         3   .  .  .  . +{code}  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices() == {"e3-e4", "e3-e2", "e3-d3", "e3-f3"}
    table.plays("e3-e4")
    assert table.events == ["move e3-e4", "turn north"]
    assert table.known_to("north") == table.known_to("watchers") == {}


@pytest.mark.rule("ON-M-02")
def test_the_lakes_hold_no_squares() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         6   .  .  ~  ~  .  .  ~  ~  .  .
         5   . +5  ~  ~  . +6  ~  ~  .  .
         4   .  .  . +4  .  .  .  . +9  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices("b5") == {"b5-a5", "b5-b6", "b5-b4"}
    assert table.choices("f5") == {"f5-e5", "f5-f6", "f5-f4"}
    assert table.choices("d4") == {"d4-c4", "d4-e4", "d4-d3"}
    table.plays("i4-i5", "j10-j9")
    assert table.choices("i5") >= {"i5-j5", "i5-i10"}
    assert table.refuses("i5-h5")
    assert table.refuses("i5-f5")


@pytest.mark.rule("ON-M-03")
def test_nobody_passes_through_or_lands_on_a_piece_of_either_side() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         4   .  .  .  . -7  .  .  .  .  .
         2   . +5  .  . +9  .  . +8  .  .
         1  +F +6  .  . +7  .  .  .  .  .
        """,
    )
    assert table.choices("e2") == {"e2-e3", "e2-d2", "e2-c2", "e2-f2", "e2-g2"}
    assert table.choices("b2") == {"b2-a2", "b2-c2", "b2-b3"}


@pytest.mark.rule("ON-M-05")
def test_the_flag_and_bombs_never_move() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         3   .  .  . +B  .  . +F  .  .  .
         1   .  .  .  .  .  .  .  .  . +7
        """,
    )
    assert table.choices() == {"j1-j2", "j1-i1"}


RUNNER = """
    10  -F  .  .  .  .  .  .  .  . -7
     7   .  .  .  . -5  .  .  .  .  .
     3   .  .  .  . +9  .  . +6  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("ON-M-06")
def test_a_scout_runs_any_number_of_empty_squares_in_one_line() -> None:
    table = Table("onyx/classic", RUNNER)
    assert table.choices("e3") == {
        *("e3-e4", "e3-e5", "e3-e6", "e3-e2", "e3-e1"),
        *("e3-d3", "e3-c3", "e3-b3", "e3-a3", "e3-f3", "e3-g3"),
    }


@pytest.mark.rule("ON-M-06", "ON-X-18")
def test_a_run_of_more_than_one_square_shows_the_scout_before_it_goes() -> None:
    table = Table("onyx/classic", RUNNER).plays("e3-e5")
    assert table.events == ["shown e3 scout to all", "run e3-e5", "turn north"]
    assert table.shown_to("north") == ["e3 scout"]
    assert table.known_to("north") == table.known_to("watchers") == {"e5": "scout"}


@pytest.mark.rule("ON-M-06", "ON-X-18")
def test_a_scout_that_steps_one_square_stays_hidden() -> None:
    table = Table("onyx/classic", RUNNER).plays("e3-e4")
    assert table.events == ["move e3-e4", "turn north"]
    assert table.known_to("north") == {}


@pytest.mark.rule("ON-M-07")
def test_not_even_a_scout_moves_and_strikes_in_one_turn() -> None:
    table = Table("onyx/classic", RUNNER)
    assert table.refuses("e3xe7")
    table.plays("e3-e6", "j10-j9")
    assert table.allows("e6xe7")


@pytest.mark.rule("ON-M-09")
def test_a_piece_may_not_shuttle_three_turns_running() -> None:
    table = Table("onyx/classic", OPEN)
    table.plays("j1-j2", "j10-j9", "j2-j1", "j9-j8")
    assert table.refuses("j1-j2")
    assert table.allows("j1-i1")
