"""Duel Masters, the classic game: board, turns and moves."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

GAME = "duel-masters/classic"

OPEN = """
    10  -F  .  .  .  .  .  .  .  . -3
     3   .  .  .  . +5 -2  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +3
"""


@pytest.mark.rule("DM-B-04", "DM-M-05")
def test_the_two_barrier_zones_are_neither_entered_nor_crossed() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  .  . -3
         6   .  .  ~  ~  .  .  ~  ~  .  .
         5   . +1  ~  ~ +5  .  ~  ~  .  .
         4   .  .  .  .  .  . +6  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices("b5") == {"b5-a5", *(f"b5-b{row}" for row in (1, 2, 3, 4, 6, 7, 8, 9, 10))}
    assert table.choices("e5") == {"e5-e6", "e5-e4", "e5-f5"}
    assert table.choices("g4") == {"g4-f4", "g4-h4", "g4-g3"}


@pytest.mark.rule("DM-T-01")
def test_fire_and_darkness_begins_and_the_players_alternate() -> None:
    table = Table(GAME, OPEN)
    assert [army.id for army in table.game.armies] == ["black", "beige"]
    assert table.to_move == "south"
    assert table.plays("e3-e2").to_move == "north"
    assert table.plays("j10-j9").to_move == "south"


@pytest.mark.rule("DM-T-02", "DM-M-02")
def test_a_turn_is_one_move_of_one_piece() -> None:
    table = Table(GAME, OPEN).plays("e3-e2")
    assert table.events == ["move e3-e2", "turn north"]
    assert table.becomes("""
         3   .  .  .  .  . -2  .  .  .  .
         2   .  .  .  . +5  .  .  .  .  .
    """)


@pytest.mark.rule("DM-T-02")
def test_or_a_turn_is_one_attack() -> None:
    table = Table(GAME, OPEN).plays("e3xf3")
    assert table.events[-1] == "turn north"
    assert not table.state.is_turn_open


@pytest.mark.rule("DM-T-02", "DM-A-06")
def test_nobody_must_attack_and_nobody_may_pass() -> None:
    table = Table(GAME, OPEN)
    assert table.choices() == {"e3-e4", "e3-d3", "e3-e2", "e3xf3", "j1-j2", "j1-i1"}


@pytest.mark.rule("DM-T-03")
def test_a_player_who_can_neither_move_nor_attack_loses_at_once() -> None:
    table = Table(
        GAME,
        """
        10  -3 -F  .  .  .  .  .  .  .  .
         9  -B  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
    ).plays("j1-j2")
    assert table.events == ["move j1-j2", "turn north", "result south no move"]


@pytest.mark.rule("DM-T-03", "DM-V-02")
def test_a_player_whose_movable_pieces_are_all_gone_loses() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  .  . -B
         3   .  .  .  . -2  .  .  .  .  .
         2   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    ).plays("e2xe3")
    assert table.events[-2:] == ["turn north", "result south no move"]


@pytest.mark.rule("DM-T-03")
def test_whoever_can_only_attack_plays_on() -> None:
    table = Table(
        GAME,
        """
        10  -3 -F  .  .  .  .  .  .  .  .
         9  +5  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
    ).plays("j1-j2")
    assert table.choices() == {"a10xa9"}


@pytest.mark.rule("DM-M-01", "DM-A-01")
def test_the_flag_and_snares_and_pits_neither_move_nor_attack() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  .  . -3
         3   .  .  . -2 +B  . +F -2  .  .
         1   .  .  .  .  .  .  .  .  . +3
        """,
    )
    assert table.choices() == {"j1-j2", "j1-i1"}


@pytest.mark.rule("DM-M-03")
@pytest.mark.parametrize("code", list("98765432s"))
def test_a_piece_steps_to_a_neighbouring_empty_square_and_shows_nothing(code: str) -> None:
    table = Table(
        GAME,
        f"""
        10  -F  .  .  .  .  .  .  .  . -3
         2   .  .  .  . +{code}  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices() == {"e2-e3", "e2-e1", "e2-d2", "e2-f2"}
    assert table.plays("e2-e3").events == ["move e2-e3", "turn north"]
    assert table.known_to("north") == table.known_to("watchers") == {}


@pytest.mark.rule("DM-M-04")
def test_nobody_jumps_over_a_piece_or_enters_an_occupied_square_but_to_attack() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  .  . -3
         3   .  .  .  . -2  .  .  .  .  .
         2   .  .  . +5 +1  .  . +6  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices("e2") == {"e2xe3", "e2-f2", "e2-g2", "e2-e1"}
    assert table.choices("d2") == {"d2-d3", "d2-c2", "d2-d1"}


@pytest.mark.rule("DM-M-06")
def test_a_piece_may_not_shuttle_between_two_squares_three_turns_running() -> None:
    table = Table(GAME, OPEN).plays("j1-j2", "j10-j9", "j2-j1", "j9-j8")
    assert table.refuses("j1-j2")
    assert table.allows("j1-i1")


RUN = """
    10  -F  .  .  .  .  .  .  .  . -3
     8   .  .  .  . -9  .  .  .  .  .
     2   .  .  .  . +1  .  . -s  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("DM-M-07")
def test_a_scout_runs_any_number_of_empty_squares_in_one_line() -> None:
    moves = {text for text in Table(GAME, RUN).choices("e2") if "-" in text}
    assert moves == {
        *("e2-e3", "e2-e4", "e2-e5", "e2-e6", "e2-e7", "e2-e1"),
        *("e2-d2", "e2-c2", "e2-b2", "e2-a2", "e2-f2", "e2-g2"),
    }


@pytest.mark.rule("DM-M-08")
def test_a_scout_is_shown_before_it_goes_further_than_one_square() -> None:
    table = Table(GAME, RUN).plays("e2-e4")
    assert table.events == ["shown e2 scout to all", "run e2-e4", "turn north"]
    assert table.known_to("north") == {"e4": "scout"}


@pytest.mark.rule("DM-M-08")
def test_a_scout_that_goes_one_square_is_not_shown() -> None:
    table = Table(GAME, RUN).plays("e2-f2")
    assert table.events == ["move e2-f2", "turn north"]
    assert table.known_to("north") == {}


@pytest.mark.rule("DM-S-03")
def test_a_scout_may_end_its_run_on_an_enemys_square_and_attack() -> None:
    table = Table(GAME, RUN)
    assert {text for text in table.choices("e2") if "x" in text} == {"e2xe8", "e2xh2"}
    table.plays("e2xh2")
    assert table.becomes("""
         2   .  .  .  .  .  .  . +1  .  .
    """)
    assert table.events == [
        "attack e2xh2",
        "shown e2 scout to all",
        "shown h2 spy to all",
        "removed h2",
        "take e2-h2",
        "turn north",
    ]
