"""The two-square rule: no moving back and forth."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

SHUTTLE = """
    10  -F  .  .  .  .  .  .  .  . -7
     4   .  .  .  . +5  .  .  .  .  .
     2   . +7  .  .  .  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""
NORTH_WALKS = ["j10-j9", "j9-j8", "j8-j7", "j7-j6", "j6-j5", "j5-j4", "j4-j3", "j3-j2", "j2-j1"]


def shuttles(table: Table, times: int) -> Table:
    """South’s piece goes e4-e5, e5-e4, e4-e5 … while North walks down the board."""
    for turn in range(times):
        table.plays("e4-e5" if turn % 2 == 0 else "e5-e4", NORTH_WALKS[turn])
    return table


@pytest.mark.rule("CM-02")
def test_the_third_move_in_a_row_between_two_squares_is_barred() -> None:
    table = shuttles(Table("onyx/classic", SHUTTLE), 2)
    assert table.refuses("e4-e5")
    assert table.choices("e4") == {"e4-d4", "e4-f4", "e4-e3"}


@pytest.mark.rule("CM-02")
@pytest.mark.parametrize("limit", [1, 2, 3, 5, 9])
def test_two_square_limit_says_how_many_such_moves_are_allowed(limit: int) -> None:
    table = Table("onyx/classic", SHUTTLE, two_square_limit=str(limit))
    shuttles(table, limit - 1)
    last = "e4-e5" if limit % 2 else "e5-e4"
    assert table.allows(last)
    table.plays(last, NORTH_WALKS[limit - 1])
    assert table.refuses("e5-e4" if limit % 2 else "e4-e5")


@pytest.mark.rule("CM-02")
def test_without_a_two_square_limit_a_piece_may_shuttle_for_ever() -> None:
    table = Table("onyx/classic", SHUTTLE, two_square_limit="off")
    for _ in range(8):
        table.plays("e4-e5", "j10-j9", "e5-e4", "j9-j10")
    assert table.allows("e4-e5")


@pytest.mark.rule("CM-02")
def test_a_turn_with_another_piece_ends_the_shuttle() -> None:
    table = shuttles(Table("onyx/classic", SHUTTLE), 2)
    table.plays("b2-b3", "j8-j7")
    assert table.allows("e4-e5")


@pytest.mark.rule("CM-02")
def test_a_move_to_another_square_starts_a_new_shuttle() -> None:
    table = shuttles(Table("onyx/classic", SHUTTLE), 2)
    table.plays("e4-e3", "j8-j7", "e3-e4", "j7-j6")
    assert table.refuses("e4-e3")
    assert table.allows("e4-e5")


@pytest.mark.rule("CM-02")
def test_only_own_turns_count_so_each_side_has_a_shuttle_of_its_own() -> None:
    table = Table("onyx/classic", SHUTTLE)
    table.plays("e4-e5", "j10-j9", "e5-e4", "j9-j10", "e4-e3")
    assert table.to_move == "north"
    assert table.refuses("j10-j9")
    table.plays("j10-i10")
    assert table.allows("e3-e4")


@pytest.mark.rule("CM-02")
def test_another_piece_may_go_where_a_shuttling_piece_may_not() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         4   .  .  .  . +5 +6  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    table.plays("e4-e5", "j10-j9", "e5-e4", "j9-j8", "f4-f5", "j8-j7", "e4-e5", "j7-j6", "e5-e4", "j6-j5")
    assert table.refuses("e4-e5")
    assert table.allows("f5-e5")


@pytest.mark.rule("CM-03")
def test_a_run_with_the_same_two_ends_counts_like_a_step() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         2   .  .  .  . +9  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    table.plays("e2-e7", "j10-j9", "e7-e2", "j9-j8")
    assert table.refuses("e2-e7")
    assert table.allows("e2-e6")
    assert table.allows("e2-e8")


def enemy_steps_into_the_shuttle(**options: str) -> Table:
    """South went e4-e3 and back; now a weaker enemy stands on e3."""
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         4   .  .  .  . +5  .  .  .  .  .
         3   .  . -9  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        **options,
    )
    return table.plays("e4-e3", "c3-d3", "e3-e4", "d3-e3")


@pytest.mark.rule("CM-03")
def test_attacks_do_not_count_as_shuttling() -> None:
    table = enemy_steps_into_the_shuttle()
    assert table.allows("e4xe3")


@pytest.mark.rule("CM-03")
def test_an_attack_starts_the_count_afresh() -> None:
    table = enemy_steps_into_the_shuttle()
    table.plays("e4xe3", "j10-j9", "e3-e4", "j9-j8")
    assert table.allows("e4-e3")
    table.plays("e4-e3", "j8-j7")
    assert table.refuses("e3-e4")


@pytest.mark.rule("CM-03")
def test_with_two_square_counts_attacks_the_attack_is_barred_too() -> None:
    table = enemy_steps_into_the_shuttle(two_square_counts_attacks="on")
    assert table.refuses("e4xe3")
    assert table.allows("e4-d4")


@pytest.mark.rule("CM-03")
@pytest.mark.parametrize(("counts", "is_barred"), [("on", True), ("off", False)])
def test_with_two_square_counts_attacks_a_winning_attack_is_one_of_the_moves(
    counts: str, is_barred: bool
) -> None:
    table = enemy_steps_into_the_shuttle(two_square_limit="3", two_square_counts_attacks=counts)
    table.plays("e4xe3", "j10-j9")
    assert table.refuses("e3-e4") is is_barred


@pytest.mark.rule("CM-14")
def test_a_winning_defenders_advance_ends_its_chain_and_is_no_move_of_a_new_one() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         4   .  .  .  . +5 -9  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    table.plays("e4-e3", "j10-j9", "e3-e4", "f4xe4")
    assert table.becomes("""
        10  -F  .  .  .  .  .  .  .  .  .
         9   .  .  .  .  .  .  .  .  . -7
         4   .  .  .  .  . +5  .  .  .  .
    """)
    table.plays("f4-e4", "j9-j8")
    assert table.allows("e4-f4")
    table.plays("e4-f4", "j8-j7")
    assert table.refuses("f4-e4")


@pytest.mark.rule("CM-14")
def test_a_rescued_piece_starts_afresh() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         9   .  .  . +4  .  .  .  .  .  .
         4   .  .  .  . +6 -6  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        rescue="on",
    )
    table.plays("e4-e3", "j10-j9", "e3-e4", "f4xe4")
    table.plays("d9-d10 rescue lieutenant e4", "j9-j8")
    assert table.allows("e4-e3")
    table.plays("e4-e3", "j8-j7")
    assert table.allows("e3-e4")


@pytest.mark.rule("CM-19", "SM-X-15")
def test_the_step_before_spotting_counts_as_a_move() -> None:
    table = Table(
        "spin-master/standard",
        """
         8  -F  .  .  .  .  .  .  .  . -7
         4   .  .  ~  ~ -9  .  ~  ~  .  .
         2   .  .  .  . +1  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    table.plays("e2-e3 spot e4 bomb", "j8-j7", "e3-e2", "j7-j6")
    assert table.refuses("e2-e3")
    assert table.refuses("e2-e3 spot e4")


@pytest.mark.rule("CM-19", "SM-X-15")
def test_spotting_in_place_is_no_move_and_breaks_the_chain() -> None:
    table = Table(
        "spin-master/standard",
        """
         8  -F  .  .  .  .  .  .  .  . -7
         4   .  .  ~  ~ -9  .  ~  ~  .  .
         3   .  .  .  . +1  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    table.plays("e3-e2", "j8-j7", "e2-e3", "j7-j6")
    assert table.refuses("e3-e2")
    table.plays("e3 spot e4 bomb", "j6-j5")
    assert table.allows("e3-e2")


@pytest.mark.rule("CM-19")
def test_the_step_of_a_rescue_counts_as_a_move() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         9   .  .  . +4  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        lost_south="6 6",
        rescue="on",
    )
    table.plays("d9-d10 rescue lieutenant b2", "j10-j9", "d10-d9", "j9-j8")
    assert table.refuses("d9-d10")


@pytest.mark.rule("CM-19")
def test_a_barred_move_cannot_be_made_as_a_rescue_either() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -7
         9   .  .  . +4  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        lost_south="6",
        rescue="on",
    )
    assert table.allows("d9-d10 rescue lieutenant b2")
    table.plays("d9-d10", "j10-j9", "d10-d9", "j9-j8")
    assert table.refuses("d9-d10 rescue")
    assert table.choices("d9") == {"d9-d8", "d9-c9", "d9-e9"}


@pytest.mark.rule("CM-19")
def test_a_step_that_ends_in_an_attack_is_an_attack_and_starts_afresh() -> None:
    table = Table(
        "spin-master/standard",
        """
         8  -F  .  .  .  .  .  .  .  . -7
         4   .  .  ~  ~ -s  .  ~  ~  .  .
         2   .  .  .  . +1  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        spot_move_then_attack="on",
    )
    table.plays("e2-e3", "j8-j7", "e3-e2", "j7-j6")
    assert table.refuses("e2-e3")
    table.plays("e2-e3xe4", "j6-j5", "e4-e3", "j5-j4")
    assert table.allows("e3-e4")


@pytest.mark.rule("CM-19")
@pytest.mark.parametrize(("counts", "is_barred"), [("on", True), ("off", False)])
def test_with_two_square_counts_attacks_step_and_attack_counts_by_its_first_and_last_square(
    counts: str, is_barred: bool
) -> None:
    table = Table(
        "spin-master/standard",
        """
         8  -F  .  .  .  .  .  .  .  .  .
         4   .  .  ~  ~ -s  .  ~  ~  .  .
         2   .  .  . -7 +1  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        spot_move_then_attack="on",
        two_square_counts_attacks=counts,
        two_square_limit="1",
    )
    table.plays("e2-e3xe4", "d2-e2")
    assert table.refuses("e4-e3xe2") is is_barred
    assert table.allows("e4-e3")
