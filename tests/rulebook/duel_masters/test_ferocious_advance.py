"""Ferocious Advance: all 4000s of a player move together, whatever they meet."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

GAME = "duel-masters/elemental-powers"
OPEN = """
    10  -F  .  .  .  .  .  .  .  . -1
     7   .  .  .  .  .  . -4  .  .  .
     3   . +4  .  .  . +4  .  . +4  .
     2   .  .  .  .  . +1  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""
FILE = """
    10  -F  .  .  .  .  .  .  .  . -1
     4   .  .  .  . +4  .  .  .  .  .
     3   .  .  .  . +4  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


def next_to(code: str, **options: str) -> Table:
    """A lone 4000 on e3, and perhaps a piece on e4."""
    flag = " ." if code == "+F" else "+F"
    return Table(
        GAME,
        f"""
        10  -F  .  .  .  .  .  .  .  . -1
         4   .  .  .  . {code}  .  .  .  .  .
         3   .  .  .  . +4  .  .  .  .  .
         1  {flag}  .  .  .  .  .  .  .  . +1
        """,
        **options,
    )


@pytest.mark.rule("DM-P-07", "DM-P-02", "DM-X-12")
def test_every_4000_is_shown_and_moves_one_square_in_the_same_direction_one_after_another() -> None:
    table = Table(GAME, OPEN).plays("advance north f3 b3 i3")
    assert table.becomes("""
         4   . +4  .  .  . +4  .  . +4  .
         3   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events == [
        "use ferocious-advance north",
        "shown f3 swarm to all",
        "charge f3-f4",
        "shown b3 swarm to all",
        "charge b3-b4",
        "shown i3 swarm to all",
        "charge i3-i4",
        "turn north",
    ]
    assert table.shown_to("north") == ["f3 swarm", "b3 swarm", "i3 swarm"]


@pytest.mark.rule("DM-P-07")
@pytest.mark.parametrize(
    ("way", "row"),
    [
        ("north", "4  . +4  .  .  . +4  .  . +4  ."),
        ("south", "2  . +4  .  .  . +4  .  . +4  ."),
        ("east", "3  .  . +4  .  .  . +4  .  . +4"),
        ("west", "3 +4  .  .  . +4  .  . +4  .  ."),
    ],
)
def test_the_group_may_go_forward_backward_or_sideways(way: str, row: str) -> None:
    table = Table(GAME, OPEN.replace("2   .  .  .  .  . +1", "2   .  .  .  .  .  ."))
    table.plays(f"advance {way} b3 f3 i3")
    gone = "" if row[0] == "3" else "3  .  .  .  .  .  .  .  .  .  ."
    assert table.becomes(f"{row}\n{gone}")


@pytest.mark.rule("DM-P-07", "DM-X-13")
def test_an_open_advance_asks_for_the_next_piece_until_all_have_gone_and_each_goes_once() -> None:
    table = Table(GAME, OPEN).plays("advance north")
    assert table.choices() == {"b3", "f3", "i3"}
    assert table.plays("f3").choices() == {"b3", "i3"}
    assert table.plays("i3").choices() == {"b3"}
    assert table.to_move == "south"
    assert table.plays("b3").to_move == "north"


@pytest.mark.rule("DM-P-07")
def test_the_enemys_4000s_and_other_friends_stay_where_they_are() -> None:
    table = Table(GAME, OPEN).plays("advance north b3 f3 i3")
    assert table.becomes("""
         4   . +4  .  .  . +4  .  . +4  .
         3   .  .  .  .  .  .  .  .  .  .
    """)
    table.plays("advance south g7")
    assert table.becomes("""
         7   .  .  .  .  .  .  .  .  .  .
         6   .  .  ~  ~  .  .  ~  ~  .  .
         4   . +4  .  .  . +4  .  . +4  .
         3   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events == [
        "use ferocious-advance south",
        "shown g7 swarm to all",
        "removed g7",
        "turn south",
    ]


@pytest.mark.rule("DM-P-08", "DM-X-17")
@pytest.mark.parametrize(
    ("square", "way"),
    [("e10", "north"), ("e1", "south"), ("j8", "east"), ("a8", "west")],
)
def test_a_4000_that_would_leave_the_board_is_shown_and_captured(square: str, way: str) -> None:
    stand = {square: "+4", "b8": "-F", "b3": "+F", "f3": "+1", "f8": "-1"}
    rows = [
        f"{row} " + " ".join(stand.get(f"{column}{row}", ".") for column in "abcdefghij")
        for row in (10, 8, 3, 1)
    ]
    table = Table(GAME, "\n".join(rows)).plays(f"advance {way} {square}")
    assert table.events == [
        f"use ferocious-advance {way}",
        f"shown {square} swarm to all",
        f"removed {square}",
        "turn north",
    ]
    assert "+4" not in table.board()


@pytest.mark.rule("DM-P-08")
def test_a_4000_that_would_enter_a_zone_is_captured_and_the_others_go_on() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  .  . -1
         4   .  . +4  . +4  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    table.plays("advance north c4 e4")
    assert table.becomes("""
         5   .  .  ~  ~ +4  .  ~  ~  .  .
         4   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("DM-P-09")
def test_a_4000_that_meets_an_enemy_must_attack_it() -> None:
    table = next_to("-3").plays("advance north e3")
    assert table.becomes("""
         4   .  .  .  . +4  .  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events == [
        "use ferocious-advance north",
        "attack e3xe4",
        "shown e3 swarm to all",
        "shown e4 striker to all",
        "removed e4",
        "take e3-e4",
        "turn north",
    ]


@pytest.mark.rule("DM-P-09")
@pytest.mark.parametrize(
    ("code", "left"),
    [("-1", "+4"), ("-s", "+4"), ("-4", "."), ("-5", "-5"), ("-9", "-9"), ("-B", "-B")],
)
def test_such_an_attack_is_an_ordinary_one(code: str, left: str) -> None:
    assert (
        next_to(code)
        .plays("advance north e3")
        .becomes(f"""
         4   .  .  .  . {left}  .  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)
    )


@pytest.mark.rule("DM-P-09", "DM-X-15")
@pytest.mark.parametrize(
    ("code", "kind", "left"),
    [
        ("+1", "scout", "+4"),
        ("+3", "striker", "+4"),
        ("+s", "spy", "+4"),
        ("+5", "brute", "+5"),
        ("+9", "leader", "+9"),
        ("+B", "trap", "+B"),
    ],
)
def test_a_4000_that_meets_a_friend_must_attack_it_and_both_are_shown(
    code: str, kind: str, left: str
) -> None:
    table = next_to(code).plays("advance north e3")
    assert table.becomes(f"""
         4   .  .  .  . {left}  .  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.shown_to("north") == ["e3 swarm", f"e4 {kind}"]
    assert "shown e4 " + kind + " to all" in table.events
    assert not table.result


@pytest.mark.rule("DM-P-10", "DM-X-15")
def test_taking_ones_own_flag_loses_the_game() -> None:
    table = next_to("+F").plays("advance north e3")
    assert table.result == "north own flag"
    assert table.events[-2:] == ["take e3-e4", "result north own flag"]


@pytest.mark.rule("DM-X-14")
def test_the_owner_chooses_the_order_and_rear_first_strikes_the_mate_in_front() -> None:
    table = Table(GAME, FILE).plays("advance north e3")
    assert table.to_move == "north", "both are lost, so nobody is left to go"
    assert table.becomes("""
         4   .  .  .  .  .  .  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)
    front_first = Table(GAME, FILE).plays("advance north e4 e3")
    assert front_first.becomes("""
         5   .  .  ~  ~ +4  .  ~  ~  .  .
         4   .  .  .  . +4  .  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)


SCATTERED = """
    10  -F  .  .  .  .  .  .  .  . -1
     7   .  .  .  .  . +4  .  .  .  .
     4   . +4  .  .  .  .  .  . +4  .
     2   .  .  .  .  . +4  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("DM-X-14", "DM-X-27")
@pytest.mark.parametrize(
    ("way", "order"),
    [
        ("north", ["f7-f8", "b4-b5", "i4-i5", "f2-f3"]),
        ("south", ["f2-f1", "b4-b3", "i4-i3", "f7-f6"]),
        ("east", ["i4-j4", "f2-g2", "f7-g7", "b4-c4"]),
        ("west", ["b4-a4", "f2-e2", "f7-e7", "i4-h4"]),
    ],
)
def test_front_first_the_foremost_goes_first_and_equals_from_column_a_or_row_1(
    way: str, order: list[str]
) -> None:
    table = Table(GAME, SCATTERED, advance_order="front_first").plays(f"advance {way}")
    charges = [event.removeprefix("charge ") for event in table.events if event.startswith("charge")]
    assert charges == order
    assert table.to_move == "north", "nothing is asked"


@pytest.mark.rule("DM-X-14", "DM-X-27")
def test_front_first_mates_in_file_never_meet() -> None:
    table = Table(GAME, FILE, advance_order="front_first").plays("advance north")
    assert table.becomes("""
         5   .  .  ~  ~ +4  .  ~  ~  .  .
         4   .  .  .  . +4  .  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("DM-X-13", "DM-X-27")
def test_with_advance_subset_some_may_stay_but_at_least_one_goes() -> None:
    table = Table(GAME, OPEN, advance_subset="on").plays("advance north")
    assert table.choices() == {"b3", "f3", "i3"}
    assert table.plays("i3").choices() == {"b3", "f3", "done"}
    table.plays("done")
    assert table.becomes("""
         4   .  .  .  .  .  .  .  . +4  .
         3   . +4  .  .  . +4  .  .  .  .
    """)
    assert table.to_move == "north"


@pytest.mark.rule("DM-X-13")
def test_without_advance_subset_nobody_may_stay() -> None:
    table = Table(GAME, OPEN).plays("advance north i3")
    assert table.refuses("done")


@pytest.mark.rule("DM-X-13", "DM-X-14", "DM-X-27")
def test_some_front_first_a_piece_that_goes_leaves_those_ahead_where_they_are() -> None:
    table = Table(GAME, SCATTERED, advance_subset="on", advance_order="front_first").plays("advance north")
    assert table.choices() == {"f7", "b4", "i4", "f2"}
    assert table.plays("b4").choices() == {"i4", "f2", "done"}
    assert table.plays("f2").to_move == "north", "nobody comes after the last"
    assert table.becomes("""
         5   . +4  ~  ~  .  .  ~  ~  .  .
         4   .  .  .  .  .  .  .  . +4  .
         3   .  .  .  .  . +4  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)
    table.plays("j10-j9", "advance north")
    assert table.choices() == {"f7", "b5", "i4", "f3"}, "in the next advance everybody may go again"


TWO_FLAGS = """
     8   .  .  .  . -F +4  .  .  . -1
     3   .  .  .  . +F +4  .  .  .  .
"""


@pytest.mark.rule("DM-X-16", "CM-11")
def test_the_enemys_flag_taken_first_wins_at_once_and_the_others_do_not_move() -> None:
    table = Table(GAME, TWO_FLAGS).plays("advance west f8")
    assert table.result == "south flag"
    assert table.becomes("8  .  .  .  . +4  .  .  .  . -1")
    assert table.choices() == set()


@pytest.mark.rule("DM-X-16", "CM-11", "DM-P-10")
def test_ones_own_flag_taken_first_loses_at_once() -> None:
    table = Table(GAME, TWO_FLAGS).plays("advance west f3")
    assert table.result == "north own flag"
    assert table.becomes("3  .  .  .  . +4  .  .  .  .  .")


@pytest.mark.rule("CM-11", "DM-X-27")
def test_front_first_the_first_flag_counts_too() -> None:
    table = Table(GAME, TWO_FLAGS, advance_order="front_first").plays("advance west")
    assert table.result == "north own flag", "of equals the lower row goes first"
    assert table.becomes("3  .  .  .  . +4  .  .  .  .  ."), "the other one has not moved"


@pytest.mark.rule("DM-X-18")
def test_a_single_4000_may_advance_even_into_ruin() -> None:
    table = next_to("+B")
    assert {"advance north", "advance east", "advance south", "advance west"} <= table.choices()
    assert table.plays("advance north e3").events[-2:] == ["removed e3", "turn north"]


@pytest.mark.rule("DM-X-18", "DM-P-07")
def test_without_a_4000_there_is_no_advance() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  .  . -4
         1  +F  .  .  .  .  .  .  .  . +1
        """,
    )
    assert not [turn for turn in table.choices() if turn.startswith("advance")]


@pytest.mark.rule("DM-X-18")
def test_after_the_last_4000_has_perished_there_is_no_more_advance() -> None:
    table = next_to("+B").plays("advance north e3", "j10-j9")
    assert not [turn for turn in table.choices() if turn.startswith("advance")]
