"""Fire and Ice, the classic game: board, turns and moves."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

GAME = "fire-and-ice/classic"

OPEN = """
     8  -F  .  .  .  .  .  .  .  . -3
     3   .  .  .  . +5 -3  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +3
"""


@pytest.mark.rule("FI-B-03", "FI-M-04")
def test_the_two_forbidden_zones_are_neither_entered_nor_crossed() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -3
         5   .  .  ~  ~  .  .  ~  ~  .  .
         4   . +2  ~  ~ +5  .  ~  ~  .  .
         3   .  .  .  .  .  . +6  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices("b4") == {"b4-a4", *(f"b4-b{row}" for row in (1, 2, 3, 5, 6, 7, 8))}
    assert table.choices("e4") == {"e4-e5", "e4-e3", "e4-f4"}
    assert table.choices("g3") == {"g3-f3", "g3-h3", "g3-g2"}


@pytest.mark.rule("FI-T-01")
def test_volcandria_begins_and_the_players_alternate() -> None:
    table = Table(GAME, OPEN)
    assert [army.id for army in table.game.armies] == ["volcandria", "everwinter"]
    assert table.to_move == "south"
    assert table.plays("e3-e2").to_move == "north"
    assert table.plays("j8-j7").to_move == "south"


@pytest.mark.rule("FI-T-02", "FI-M-02")
def test_a_turn_is_one_move_of_one_piece() -> None:
    table = Table(GAME, OPEN).plays("e3-e2")
    assert table.events == ["move e3-e2", "turn north"]
    assert table.becomes("""
         3   .  .  .  .  . -3  .  .  .  .
         2   .  .  .  . +5  .  .  .  .  .
    """)


@pytest.mark.rule("FI-T-02")
def test_or_a_turn_is_one_attack() -> None:
    table = Table(GAME, OPEN).plays("e3xf3")
    assert table.events[-1] == "turn north"
    assert not table.state.is_turn_open


@pytest.mark.rule("FI-T-02")
def test_nobody_must_attack_and_nobody_may_pass() -> None:
    table = Table(GAME, OPEN)
    assert table.choices() == {"e3-e4", "e3-d3", "e3-e2", "e3xf3", "j1-j2", "j1-i1"}


@pytest.mark.rule("FI-T-03")
def test_a_player_who_can_neither_move_nor_attack_loses_at_once() -> None:
    table = Table(
        GAME,
        """
         8  -3 -F  .  .  .  .  .  .  .  .
         7  -B  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
    ).plays("j1-j2")
    assert table.events == ["move j1-j2", "turn north", "result south no move"]


@pytest.mark.rule("FI-T-03")
def test_a_player_whose_movable_pieces_are_all_gone_loses() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -B
         3   .  .  .  . -3  .  .  .  .  .
         2   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    ).plays("e2xe3")
    assert table.events[-2:] == ["turn north", "result south no move"]


@pytest.mark.rule("FI-T-03")
def test_whoever_can_only_attack_plays_on() -> None:
    table = Table(
        GAME,
        """
         8  -3 -F  .  .  .  .  .  .  .  .
         7  +5  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
    ).plays("j1-j2")
    assert table.choices() == {"a8xa7"}


@pytest.mark.rule("FI-M-01", "FI-A-01")
def test_the_flag_and_traps_neither_move_nor_attack() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -3
         3   .  .  . -3 +B  . +F -3  .  .
         1   .  .  .  .  .  .  .  .  . +3
        """,
    )
    assert table.choices() == {"j1-j2", "j1-i1"}


@pytest.mark.rule("FI-M-02")
@pytest.mark.parametrize("code", list("X9876543s"))
def test_a_piece_steps_to_a_neighbouring_empty_square_and_shows_nothing(code: str) -> None:
    table = Table(
        GAME,
        f"""
         8  -F  .  .  .  .  .  .  .  . -3
         2   .  .  .  . +{code}  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices() == {"e2-e3", "e2-e1", "e2-d2", "e2-f2"}
    assert table.plays("e2-e3").events == ["move e2-e3", "turn north"]
    assert table.known_to("north") == table.known_to("watchers") == {}


@pytest.mark.rule("FI-M-03")
def test_nobody_jumps_over_a_piece_or_enters_an_occupied_square_but_to_attack() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -3
         3   .  .  .  . -3  .  .  .  .  .
         2   .  .  . +5 +2  .  . +6  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices("e2") == {"e2xe3", "e2-f2", "e2-g2", "e2-e1"}
    assert table.choices("d2") == {"d2-d3", "d2-c2", "d2-d1"}


@pytest.mark.rule("FI-M-05")
def test_a_piece_may_not_shuttle_between_two_squares_three_turns_running() -> None:
    table = Table(GAME, OPEN).plays("j1-j2", "j8-j7", "j2-j1", "j7-j6")
    assert table.refuses("j1-j2")
    assert table.allows("j1-i1")


RUN = """
     8  -F  .  .  .  .  .  .  .  . -3
     6   .  .  .  . -9  .  .  .  .  .
     2   .  .  .  . +2  .  . -s  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("FI-M-06")
def test_a_scout_runs_any_number_of_empty_squares_in_one_line() -> None:
    moves = {text for text in Table(GAME, RUN).choices("e2") if "-" in text}
    assert moves == {
        *("e2-e3", "e2-e4", "e2-e5", "e2-e1"),
        *("e2-d2", "e2-c2", "e2-b2", "e2-a2", "e2-f2", "e2-g2"),
    }


@pytest.mark.rule("FI-M-06")
def test_a_scout_is_shown_before_it_goes_further_than_one_square() -> None:
    table = Table(GAME, RUN).plays("e2-e4")
    assert table.events == ["shown e2 scout to all", "run e2-e4", "turn north"]
    assert table.known_to("north") == {"e4": "scout"}


@pytest.mark.rule("FI-M-06")
def test_a_scout_that_goes_one_square_is_not_shown() -> None:
    table = Table(GAME, RUN).plays("e2-f2")
    assert table.events == ["move e2-f2", "turn north"]
    assert table.known_to("north") == {}


@pytest.mark.rule("FI-S-04")
def test_a_scout_may_end_its_run_on_an_enemys_square_and_attack() -> None:
    table = Table(GAME, RUN)
    assert {text for text in table.choices("e2") if "x" in text} == {"e2xe6", "e2xh2"}
    table.plays("e2xh2")
    assert table.becomes("""
         2   .  .  .  .  .  .  . +2  .  .
    """)
    assert table.events == [
        "attack e2xh2",
        "shown e2 scout to all",
        "shown h2 slayer to all",
        "removed h2",
        "take e2-h2",
        "turn north",
    ]
