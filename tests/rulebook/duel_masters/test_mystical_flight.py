"""Mystical Flight: a 9000 flies over pieces and Barrier Zones."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

GAME = "duel-masters/elemental-powers"
CROWD = """
    10  -F  .  .  .  .  .  .  .  . -1
     9   .  .  .  .  .  .  .  .  .  .
     4   .  .  .  . -2  .  .  .  .  .
     3   .  .  .  . +2  .  .  .  .  .
     2   . +1 +1 -1 +9 -1  .  . -1  .
     1  +F  .  .  .  . +1  .  .  .  .
"""


@pytest.mark.rule("DM-P-03", "DM-P-02")
def test_a_9000_is_shown_and_flies_over_friends_and_enemies_to_the_first_open_square() -> None:
    table = Table(GAME, CROWD).plays("e2^e5")
    assert table.becomes("""
         5   .  .  ~  ~ +9  .  ~  ~  .  .
         2   . +1 +1 -1  . -1  .  . -1  .
    """)
    assert table.events == [
        "use mystical-flight e2 on e5",
        "shown e2 leader to all",
        "leap e2-e5",
        "turn north",
    ]
    assert table.shown_to("north") == ["e2 leader"]
    assert table.known_to("north") == {"e5": "leader"}


@pytest.mark.rule("DM-P-03", "DM-X-03")
def test_a_flight_is_straight_never_diagonal_and_lands_behind_the_unbroken_row() -> None:
    flights = {turn for turn in Table(GAME, CROWD).choices("e2") if "^" in turn}
    assert flights == {"e2^e5", "e2^a2", "e2^g2"}, (
        "to the south nobody stands; to the east i2 is beyond a gap"
    )


@pytest.mark.rule("DM-X-01")
def test_without_anybody_to_fly_over_there_is_no_flight_only_a_step_that_shows_nothing() -> None:
    table = Table(GAME, CROWD)
    assert table.refuses("e2^e1")
    assert table.plays("e2-e1").events == ["move e2-e1", "turn north"]


@pytest.mark.rule("DM-P-03")
def test_a_flight_needs_an_open_square_before_the_edge_of_the_board() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  . -1  .
         9   .  .  .  .  .  .  .  . -2  .
         8   .  .  .  .  .  .  . +1 +9 -1
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices("i8") == {"i8xi9", "i8xj8", "i8-i7", "i8^g8"}


@pytest.mark.rule("DM-X-02", "DM-P-03")
@pytest.mark.parametrize(
    ("row7", "row8", "landing"),
    [
        ("7  .  .  .  .  .  .  .  .  .  .", "8  .  .  .  .  .  .  .  .  .  .", "c7"),
        ("7  .  . -2  .  .  .  .  .  .  .", "8  .  .  .  .  .  .  .  .  .  .", "c8"),
        ("7  .  . -2  .  .  .  .  .  .  .", "8  .  . +2  .  .  .  .  .  .  .", "c9"),
    ],
)
def test_from_next_to_a_zone_a_9000_flies_over_both_its_squares_and_a_piece_that_stands_behind(
    row7: str, row8: str, landing: str
) -> None:
    table = Table(
        GAME,
        f"""
        10  -F  .  .  .  .  .  .  .  . -1
        {row8}
        {row7}
         4   .  . +9  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert {turn for turn in table.choices("c4") if "^" in turn} == {f"c4^{landing}"}


@pytest.mark.rule("DM-X-02")
def test_a_flight_along_a_row_crosses_a_zone_and_pieces_on_both_sides_of_it() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  .  . -1
         6 +9  -2  ~  ~ -3 +3  ~  ~ -4  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    table.plays("a6^j6")
    assert table.becomes("6  . -2  ~  ~ -3 +3  ~  ~ -4 +9")


@pytest.mark.rule("DM-X-02")
def test_there_is_no_flight_where_no_square_behind_the_zone_is_open() -> None:
    table = Table(
        GAME,
        """
        10  -F  . -1  .  .  .  .  .  .  .
         9   .  . -1  .  .  .  .  .  .  .
         8   .  . -1  .  .  .  .  .  .  .
         7   .  . -1  .  .  .  .  .  .  .
         4   .  . +9  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices("c4") == {"c4-b4", "c4-d4", "c4-c3"}


@pytest.mark.rule("DM-P-03", "DM-P-01")
def test_a_flight_is_no_attack_and_none_follows_it() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  .  . -1
         4   .  .  .  . -2  .  .  .  .  .
         2   .  .  .  . +2  .  .  .  .  .
         1  +F  .  .  . +9  .  .  .  .  .
        """,
    )
    assert table.plays("e1^e3").to_move == "north"
    assert not table.state.is_turn_open
    assert table.becomes("""
         3   .  .  .  . +9  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
    """)
