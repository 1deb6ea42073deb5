"""How games end: a Flag, nothing to do, no progress."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

WALKED_IN = """
    10  -F  .  .  .  .  .  .  .  . -7
     3  +B  .  .  .  .  .  .  .  .  .
     2   . +B  .  .  .  .  .  .  .  .
     1  +7 +F  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("CM-05")
def test_a_move_that_the_two_square_rule_bars_does_not_save_from_the_no_move_loss() -> None:
    table = Table("onyx/classic", WALKED_IN).plays("a1-a2", "j10-j9", "a2-a1", "j9-j8")
    assert table.events == ["move j9-j8", "turn south", "result north no move"]
    assert table.choices() == set()


@pytest.mark.rule("CM-05")
def test_without_the_two_square_rule_the_same_player_plays_on() -> None:
    table = Table("onyx/classic", WALKED_IN, two_square_limit="off")
    table.plays("a1-a2", "j10-j9", "a2-a1", "j9-j8")
    assert table.choices() == {"a1-a2"}


@pytest.mark.rule("CM-05")
def test_the_no_move_test_is_made_when_the_turn_comes_and_not_before() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         2  -6 +B  .  .  .  .  .  .  .  .
         1  +7 +F  .  .  .  .  .  .  .  .
        """,
    )
    table.plays("a1xa2")
    assert table.result == ""
    table.plays("j10-j9")
    assert table.result == "north no move"


LAPS = """
    10  -F  .  .  .  .  .  .  .  .  .
     9   .  .  .  .  .  .  .  . -7  .
     4   .  .  .  . -B  .  .  .  .  .
     3   .  .  .  . +6  .  .  .  .  .
     2   . +7  .  .  .  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""
SOUTH_LAP = ("b2-c2", "c2-c3", "c3-b3", "b3-b2")
NORTH_LAP = ("i9-h9", "h9-h8", "h8-i8", "i8-i9")


def walks(table: Table, turns: int) -> Table:
    """Both sides walk on in small circles, ``turns`` turns in all."""
    for _ in range(turns):
        lap = SOUTH_LAP if table.to_move == "south" else NORTH_LAP
        table.plays(next(step for step in lap if step in table.choices()))
    return table


@pytest.mark.rule("CM-09", "CM-20")
def test_after_two_hundred_turns_without_progress_the_game_is_drawn_at_once() -> None:
    table = walks(Table("onyx/classic", LAPS), 199)
    assert table.result == ""
    walks(table, 1)
    assert table.events == ["move i8-i9", "result draw no progress"]


@pytest.mark.rule("CM-09")
def test_no_progress_draw_may_be_another_number() -> None:
    table = walks(Table("onyx/classic", LAPS, no_progress_draw="7"), 6)
    assert table.result == ""
    assert walks(table, 1).result == "draw no progress"


@pytest.mark.rule("CM-09")
def test_with_no_progress_draw_off_the_game_goes_on() -> None:
    assert walks(Table("onyx/classic", LAPS, no_progress_draw="off"), 408).result == ""


@pytest.mark.rule("CM-16")
def test_the_no_progress_count_is_of_the_turns_of_both_sides_together() -> None:
    table = walks(Table("onyx/classic", LAPS, no_progress_draw="3"), 3)
    assert table.result == "draw no progress"


@pytest.mark.rule("CM-16")
def test_any_removal_starts_the_no_progress_count_afresh() -> None:
    table = walks(Table("onyx/classic", LAPS, no_progress_draw="6"), 4)
    table.plays("e3xe4")  # South’s own loss on a Bomb is progress too
    assert table.events[-2:] == ["removed e3", "turn north"]
    walks(table, 5)
    assert table.result == ""
    assert walks(table, 1).result == "draw no progress"


@pytest.mark.rule("CM-16")
def test_a_rescue_starts_the_no_progress_count_afresh() -> None:
    drawing = LAPS.replace("9   .  .  .  .  .  .  .  . -7  .", "9   .  . +4  .  .  .  .  . -7  .")
    table = walks(Table("onyx/classic", drawing, no_progress_draw="6", rescue="on", lost_south="5"), 4)
    table.plays("c9-c10 rescue captain a2")
    walks(table, 5)
    assert table.result == ""
    assert walks(table, 1).result == "draw no progress"


@pytest.mark.rule("CM-16")
def test_a_wrong_guess_is_no_progress_and_a_right_one_is() -> None:
    drawing = """
         8  -F  .  .  .  .  .  .  .  . -7
         4   .  .  ~  ~ -9  .  ~  ~  .  .
         3   .  .  .  . +1  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
    """
    wrong = Table("spin-master/standard", drawing, no_progress_draw="1").plays("e3 spot e4 bomb")
    assert wrong.result == "draw no progress"
    right = Table("spin-master/standard", drawing, no_progress_draw="1").plays("e3 spot e4 general")
    assert right.result == ""


@pytest.mark.rule("CM-20")
def test_the_no_progress_draw_comes_before_the_next_players_no_move_test() -> None:
    drawing = """
        10  -F  .  .  .  .  .  .  .  . -B
         1  +F  .  .  .  .  .  .  .  . +7
    """
    assert Table("onyx/classic", drawing).plays("j1-j2").result == "south no move"
    assert Table("onyx/classic", drawing, no_progress_draw="1").plays("j1-j2").events == [
        "move j1-j2",
        "result draw no progress",
    ]


LAST_TWO = """
    10  -F  .  .  .  .  .  .  .  . -B
     4   .  .  .  . -6  .  .  .  .  .
     3   .  .  .  . +6  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +B
"""


@pytest.mark.rule("CM-10")
def test_when_the_last_movable_pieces_fall_together_the_side_to_move_loses() -> None:
    table = Table("onyx/classic", LAST_TWO).plays("e3xe4")
    assert table.events[-2:] == ["turn north", "result south no move"]
    table = Table("onyx/classic", LAST_TWO, to_move="north").plays("e4xe3")
    assert table.result == "north no move"


@pytest.mark.rule("CM-10", "CM-21")
def test_with_both_stuck_draw_nobody_loses_when_nobody_can_move() -> None:
    table = Table("onyx/classic", LAST_TWO, both_stuck="draw").plays("e3xe4")
    assert table.result == "draw both stuck"


@pytest.mark.rule("CM-21")
def test_with_both_stuck_draw_a_player_who_alone_cannot_move_still_loses() -> None:
    drawing = LAST_TWO.replace("+B", "+7")
    assert Table("onyx/classic", drawing, both_stuck="draw").plays("e3xe4").result == "south no move"


@pytest.mark.rule("CM-21")
def test_both_stuck_counts_however_it_came_about() -> None:
    blown_up = LAST_TWO.replace("-6", "-B")
    assert Table("onyx/classic", blown_up, both_stuck="draw").plays("e3xe4").result == "draw both stuck"
    assert Table("onyx/classic", blown_up).plays("e3xe4").result == "south no move"


@pytest.mark.rule("CM-21", "CM-05")
@pytest.mark.parametrize(
    ("both_stuck", "result"), [("draw", "draw both stuck"), ("side_to_move_loses", "north no move")]
)
def test_players_whose_only_moves_are_barred_are_both_stuck(both_stuck: str, result: str) -> None:
    table = Table(
        "onyx/classic",
        """
        10   .  .  .  .  .  .  .  . -F -7
         9   .  .  .  .  .  .  .  . -B  .
         8   .  .  .  .  .  .  .  .  . -B
         3  +B  .  .  .  .  .  .  .  .  .
         2   . +B  .  .  .  .  .  .  .  .
         1  +7 +F  .  .  .  .  .  .  .  .
        """,
        both_stuck=both_stuck,
    )
    table.plays("a1-a2", "j10-j9", "a2-a1", "j9-j10")
    assert table.result == result


@pytest.mark.rule("CM-11")
@pytest.mark.parametrize("both_stuck", ["draw", "side_to_move_loses"])
def test_a_captured_flag_ends_the_game_before_anything_else_is_tested(both_stuck: str) -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -B
         9  +7  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        both_stuck=both_stuck,
        no_progress_draw="1",
    )
    table.plays("a9xa10")
    assert table.events[-3:] == ["removed a10", "take a9-a10", "result south flag"]
    assert table.choices() == set()
