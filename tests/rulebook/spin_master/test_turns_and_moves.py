"""Spin Master: the board, turns, moves and Scouts."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

GAMES = ["spin-master/standard", "spin-master/duel"]
FULL = """
     8  -F -B -B -B -B -B -B -s -1 -1
     7  -3 -3 -3 -3 -3 -4 -4 -5 -5 -2
     6  -X -9 -8 -7 -6 -6 -2 -2 -2 -2
     3  +X +9 +8 +7 +6 +6 +2 +2 +2 +2
     2  +3 +3 +3 +3 +3 +4 +4 +5 +5 +2
     1  +F +B +B +B +B +B +B +s +1 +1
"""


@pytest.mark.rule("SM-B-02", "SM-B-03")
def test_thirty_pieces_fill_three_rows_and_two_rows_between_are_empty() -> None:
    table = Table("spin-master/standard", FULL)
    assert table.game.army_size(0) == table.game.army_size(1) == 30
    assert table.game.fills_home
    assert table.game.board.names(table.game.board.home(1)) == [
        f"{column}{row}" for row in (8, 7, 6) for column in "abcdefghij"
    ]
    steps = {"a3-a4", "b3-b4", "e3-e4", "f3-f4", "i3-i4", "j3-j4"}
    assert table.choices() == steps | {"i3-i5", "j3-j5", "i3xi6", "j3xj6"}


@pytest.mark.rule("SM-B-02")
@pytest.mark.parametrize("game", GAMES)
def test_the_board_ends_after_ten_columns_and_eight_rows(game: str) -> None:
    table = Table(
        game,
        """
         8  -F  .  .  .  .  .  .  .  . +2
         4  -3  .  ~  ~  .  .  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices("j8") == {
        *(f"j8-j{row}" for row in range(1, 8)),
        *(f"j8-{column}8" for column in "bcdefghi"),
        "j8xa8",
    }


@pytest.mark.rule("SM-B-04")
def test_in_duel_ten_pieces_stand_on_any_ten_of_the_thirty_home_squares() -> None:
    table = Table(
        "spin-master/duel",
        """
         8  -F -B  .  .  .  .  .  .  . -s
         7  -B  .  . -9  .  .  . -3  .  .
         6   . -X  .  . -2  . -1 -3  .  .
         3   .  .  . +X  .  . +9  .  . +2
         2  +3  .  .  .  .  .  . +1  .  .
         1  +F +B +s  .  .  . +B  .  . +3
        """,
    )
    assert table.game.army_size(0) == table.game.army_size(1) == 10
    assert not table.game.fills_home
    assert len(table.game.board.home(0)) == len(table.game.board.home(1)) == 30
    assert {"d3-d2", "a2-b2", "j3-j6", "h2-h3", "j1-j2"} <= table.choices()


@pytest.mark.rule("SM-B-06", "SM-M-03")
@pytest.mark.parametrize("game", GAMES)
def test_craters_are_never_entered_or_crossed(game: str) -> None:
    table = Table(
        game,
        """
         8  -F  .  .  .  .  .  .  .  . -3
         5   .  .  ~  ~  .  .  ~  ~  .  .
         4   . +2  ~  ~ +X  .  ~  ~  .  .
         3   .  .  .  .  .  . +9  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices("b4") == {"b4-a4", *(f"b4-b{row}" for row in (1, 2, 3, 5, 6, 7, 8))}
    assert table.choices("e4") == {"e4-e5", "e4-e3", "e4-f4"}
    assert table.choices("g3") == {"g3-f3", "g3-h3", "g3-g2"}


@pytest.mark.rule("SM-T-01")
@pytest.mark.parametrize("game", GAMES)
def test_red_sits_south_and_begins_then_the_players_alternate(game: str) -> None:
    table = Table(
        game,
        """
         8  -F  .  .  .  .  .  .  .  . -3
         1  +F  .  .  .  .  .  .  .  . +3
        """,
    )
    assert [army.id for army in table.game.armies] == ["red", "blue"]
    assert table.to_move == "south"
    assert table.plays("j1-j2").to_move == "north"
    assert table.plays("j8-j7").to_move == "south"


OPEN = """
     8  -F  .  .  .  .  .  .  .  . -3
     3   .  .  .  . +9 -s  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +B
"""


@pytest.mark.rule("SM-T-02")
def test_a_turn_is_one_move_or_one_attack_and_no_pass() -> None:
    table = Table("spin-master/standard", OPEN)
    assert table.choices() == {"e3-e4", "e3-d3", "e3-e2", "e3xf3"}
    assert Table("spin-master/standard", OPEN).plays("e3-e4").events == ["move e3-e4", "turn north"]
    assert Table("spin-master/standard", OPEN).plays("e3xf3").events[-1] == "turn north"


@pytest.mark.rule("SM-T-02")
@pytest.mark.parametrize("code", ["X", "9", "8", "7", "6", "5", "4", "3", "1", "s"])
def test_nobody_but_a_scout_moves_and_then_attacks(code: str) -> None:
    table = Table(
        "spin-master/standard",
        f"""
         8  -F  .  .  .  .  .  .  .  . -3
         3   .  .  .  .  .  . -2  .  .  .
         2   .  .  .  . +{code}  . -2  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices("e2") == {"e2-e3", "e2-e1", "e2-d2", "e2-f2"}


@pytest.mark.rule("SM-T-03")
@pytest.mark.parametrize("game", GAMES)
def test_a_player_none_of_whose_pieces_can_move_or_attack_loses(game: str) -> None:
    table = Table(
        game,
        """
         8  -3 -F  .  .  .  .  .  .  .  .
         7  -B  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
    ).plays("j1-j2")
    assert table.events == ["move j1-j2", "turn north", "result south no move"]


@pytest.mark.rule("SM-M-01")
@pytest.mark.parametrize("code", ["X", "9", "8", "7", "6", "5", "4", "3", "1", "s"])
def test_a_piece_steps_one_square_in_a_straight_line_and_shows_nothing(code: str) -> None:
    table = Table(
        "spin-master/standard",
        f"""
         8  -F  .  .  .  .  .  .  .  . -3
         2   .  .  .  . +{code}  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices() == {"e2-e3", "e2-e1", "e2-d2", "e2-f2"}
    assert table.plays("e2-f2").events == ["move e2-f2", "turn north"]
    assert table.known_to("north") == {}


@pytest.mark.rule("SM-M-02")
@pytest.mark.parametrize("game", GAMES)
def test_one_piece_per_square_and_no_passing_through_pieces(game: str) -> None:
    table = Table(
        game,
        """
         8  -F  .  .  .  .  .  .  .  . -3
         3   .  .  .  . -9  .  .  .  .  .
         2   .  .  . +3 +2  .  . +9  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices("e2") == {"e2xe3", "e2-f2", "e2-g2", "e2-e1"}
    assert table.choices("d2") == {"d2-d3", "d2-c2", "d2-d1"}


@pytest.mark.rule("SM-M-05")
@pytest.mark.parametrize("game", GAMES)
def test_a_piece_may_not_shuttle_three_turns_running(game: str) -> None:
    table = Table(
        game,
        """
         8  -F  .  .  .  .  .  .  .  . -3
         1  +F  .  .  .  .  .  .  .  . +3
        """,
    ).plays("j1-j2", "j8-j7", "j2-j1", "j7-j6")
    assert table.refuses("j1-j2")
    assert table.allows("j1-i1")


@pytest.mark.rule("SM-M-06", "SM-A-07")
@pytest.mark.parametrize("game", GAMES)
def test_the_flag_and_bombs_neither_move_nor_attack(game: str) -> None:
    table = Table(
        game,
        """
         8  -F  .  .  .  .  .  .  .  . -3
         3   .  .  . -9 +B  . +F -3  .  .
         1   .  .  .  .  .  .  .  .  . +3
        """,
    )
    assert table.choices() == {"j1-j2", "j1-i1"}


RUN = """
     8  -F  .  .  .  .  .  .  .  . -3
     6   .  .  .  . -9  .  .  .  .  .
     2   .  .  .  . +2  .  . -s  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("SM-S-01", "SM-S-02")
@pytest.mark.parametrize("game", GAMES)
def test_a_scout_runs_along_a_line_and_may_attack_at_its_end(game: str) -> None:
    table = Table(game, RUN)
    assert table.choices("e2") == {
        *("e2-e3", "e2-e4", "e2-e5", "e2xe6", "e2-e1"),
        *("e2-d2", "e2-c2", "e2-b2", "e2-a2", "e2-f2", "e2-g2", "e2xh2"),
    }


@pytest.mark.rule("SM-S-02")
def test_a_scout_that_wins_at_the_end_of_its_run_takes_the_square() -> None:
    table = Table("spin-master/standard", RUN).plays("e2xh2")
    assert table.becomes("""
         2   .  .  .  .  .  .  . +2  .  .
    """)
    assert table.events == [
        "attack e2xh2",
        "shown e2 scout to all",
        "shown h2 spy to all",
        "removed h2",
        "take e2-h2",
        "turn north",
    ]


@pytest.mark.rule("SM-S-03")
def test_a_scout_that_goes_further_than_one_square_is_revealed_and_a_single_step_is_not() -> None:
    table = Table("spin-master/standard", RUN).plays("e2-e4")
    assert table.events == ["shown e2 scout to all", "run e2-e4", "turn north"]
    assert table.known_to("north") == {"e4": "scout"}
    table = Table("spin-master/standard", RUN).plays("e2-e3")
    assert table.events == ["move e2-e3", "turn north"]
    assert table.known_to("north") == {}


@pytest.mark.rule("SM-X-14")
def test_a_scout_does_not_turn_before_it_attacks() -> None:
    table = Table(
        "spin-master/standard",
        """
         8  -F  .  .  .  .  .  .  .  . -3
         3   .  .  .  .  .  . -s  .  .  .
         2   .  .  .  . +2  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.allows("e2-g2")
    assert {text for text in table.choices("e2") if "x" in text} == set()
