"""The two-square rule where pieces travel by powers: what counts, what breaks a chain."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

DM = "duel-masters/elemental-powers"
FI = "fire-and-ice/special-powers"
LR = "lotr/special-powers"
DM_WAITS = ["j10-j9", "j9-j8", "j8-j7", "j7-j6", "j6-j5", "j5-j4", "j4-j3", "j3-j2"]
FI_WAITS = ["j8-j7", "j7-j6", "j6-j5", "j5-j4", "j4-j3", "j3-j2"]


def plays(table: Table, *turns: str) -> Table:
    """South plays these turns while North walks down the j file."""
    waits = DM_WAITS if table.game.id == DM else FI_WAITS
    for turn, wait in zip(turns, waits, strict=False):
        table.plays(turn, wait)
    return table


def duel(row4: str, row3: str, **options: str) -> Table:
    """A position of Duel Masters."""
    return Table(
        DM,
        f"""
        10  -F  .  .  .  .  .  .  .  . -2
         4  {row4}
         3  {row3}
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        **options,
    )


EMPTY = ".  .  .  .  .  .  .  .  .  ."


@pytest.mark.rule("CM-03", "CM-19")
def test_flights_between_two_squares_count() -> None:
    table = plays(duel(".  . +9  .  .  .  .  .  .  .", EMPTY), "c4^c7", "c7^c4")
    assert table.refuses("c4^c7")
    assert table.allows("c4-c3")


@pytest.mark.rule("CM-03")
def test_teleports_between_two_squares_count() -> None:
    table = plays(duel(".  .  .  . +7  .  .  .  .  .", EMPTY), "e4~e2", "e2~e4")
    assert table.refuses("e4~e2")
    assert table.allows("e4~e3")


@pytest.mark.rule("CM-03")
def test_it_does_not_matter_by_which_means_a_piece_goes_back_and_forth() -> None:
    table = plays(duel(".  .  .  . +7  .  .  .  .  .", EMPTY), "e4-e3", "e3~e4")
    assert table.refuses("e4-e3")
    assert table.refuses("e4~e3")
    assert table.allows("e4~e2")


@pytest.mark.rule("CM-03", "CM-14")
def test_a_two_step_counts_by_its_first_and_last_square() -> None:
    table = plays(duel(".  .  .  . +3  .  .  .  .  .", EMPTY), "e4-f4-f3", "f3-e3-e4")
    assert table.refuses("e4-f4-f3")
    assert table.refuses("e4-e3-f3"), "the middle square does not matter"
    assert table.allows("e4-f4-g4")
    assert table.allows("e4-f4"), "one step goes elsewhere"


@pytest.mark.rule("CM-14", "CM-03")
def test_the_advance_of_a_lone_piece_is_its_move() -> None:
    table = plays(duel(".  .  .  . +4  .  .  .  .  .", EMPTY), "advance south e4", "advance north e3")
    assert table.refuses("advance south")
    assert table.refuses("e4-e3")
    assert {"advance north", "advance east", "advance west"} <= table.choices()


@pytest.mark.rule("CM-14")
def test_an_advance_of_several_is_never_barred_and_ends_the_chain() -> None:
    table = plays(duel(".  .  .  . +4  .  . +4  .  .", EMPTY), "e4-e3", "e3-e4")
    assert table.refuses("e4-e3")
    table.plays("advance south h4 e4", "j8-j7")
    table.plays("e3-e4", "j7-j6", "e4-e3", "j6-j5")
    assert table.refuses("e3-e4"), "the count has begun afresh after the advance"


@pytest.mark.rule("CM-14")
def test_several_may_advance_back_and_forth_for_ever() -> None:
    table = duel(".  .  .  . +4  .  . +4  .  .", EMPTY)
    plays(table, "advance south e4 h4", "advance north e3 h3", "advance south h4 e4", "advance north h3 e3")
    assert table.allows("advance south e4 h4")


@pytest.mark.rule("CM-14", "DM-X-13")
def test_one_of_several_may_not_shuttle_alone_in_an_advance_of_some() -> None:
    table = plays(duel(".  .  .  . +4  .  . +4  .  .", EMPTY, advance_subset="on"), "e4-e3", "e3-e4")
    table.plays("advance south e4")
    assert table.choices() == {"h4"}, "with another one it is an advance of several"
    assert table.plays("h4").to_move == "north"


@pytest.mark.rule("CM-14", "DM-X-27")
def test_front_first_the_last_in_line_may_not_shuttle_alone_either() -> None:
    table = duel(".  .  .  . +4  .  . +4  .  .", EMPTY, advance_subset="on", advance_order="front_first")
    plays(table, "h4-h3", "h3-h4").plays("advance south")
    assert table.choices() == {"e4"}
    assert table.plays("e4").choices() == {"h4", "done"}


@pytest.mark.rule("CM-03", "CM-14")
@pytest.mark.parametrize(("counts", "is_free"), [("off", True), ("on", False)])
def test_a_lone_advance_against_an_enemy_is_barred_only_where_attacks_count(
    counts: str, is_free: bool
) -> None:
    table = Table(
        DM,
        """
        10  -F  .  .  .  .  .  .  .  .  .
         4   .  .  .  . +4 -2  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        two_square_counts_attacks=counts,
    )
    table.plays("e4-e3", "f4-f3", "e3-e4", "f3-e3")
    assert table.allows("e4xe3") == is_free
    assert table.allows("advance south e4") == is_free


@pytest.mark.rule("CM-19")
def test_the_step_of_a_rampage_counts() -> None:
    table = Table(
        FI,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         3   .  .  . -B  .  .  .  .  .  .
         1  +F  .  .  . +5  .  .  .  .  .
        """,
    )
    plays(table, "e1-e2 rampage", "e2-e1")
    assert table.refuses("e1-e2 rampage")
    assert table.refuses("e1-e2")


SPELLS = """
     8  -F  .  .  .  .  .  .  .  . -2
     3   .  .  .  .  . -7  .  .  .  .
     2   .  .  .  . +{code}  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("CM-19")
@pytest.mark.parametrize(("code", "verb"), [("9", "detect"), ("6", "enchant"), ("4", "shoot")])
def test_a_turn_in_which_the_piece_does_something_else_breaks_its_chain(code: str, verb: str) -> None:
    table = plays(Table(FI, SPELLS.replace("{code}", code)), "e2-e1", "e1-e2")
    assert table.refuses("e2-e1")
    table.plays(f"e2 {verb} f3", "j6-j5")
    assert table.allows("e2-e1")


@pytest.mark.rule("CM-19")
def test_a_two_step_back_to_its_start_breaks_the_chain() -> None:
    table = Table(FI, SPELLS.replace("{code}", "8"), two_step_may_return="on")
    plays(table, "e2-e1", "e1-e2")
    assert table.refuses("e2-e1")
    table.plays("e2-e1-e2", "j6-j5")
    assert table.allows("e2-e1")


@pytest.mark.rule("CM-19", "CM-03")
@pytest.mark.parametrize(("counts", "is_free"), [("off", True), ("on", False)])
def test_a_two_step_that_ends_in_an_attack_is_an_attack(counts: str, is_free: bool) -> None:
    table = Table(
        FI,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         4   .  .  ~  ~  . -3  ~  ~  .  .
         2   .  .  .  . +8  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        two_square_counts_attacks=counts,
    )
    table.plays("e2-e3-e4", "j8-j7", "e4-e3-e2", "f4-e4")
    assert table.allows("e2-e3xe4") == is_free


FLYOVER = """
     8  -F  .  .  .  .  .  .  .  . -2
     6   .  .  .  . {ahead}  .  .  .  .  .
     4   .  .  ~  ~ +3  .  ~  ~  .  .
     3   .  .  .  . +X  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("CM-19", "CM-03")
def test_a_dragons_flight_without_an_attack_counts_as_a_move() -> None:
    table = plays(Table(FI, FLYOVER.replace("{ahead}", ".")), "e3^e5", "e5^e3")
    assert table.refuses("e3^e5")


@pytest.mark.rule("CM-19", "CM-03")
def test_a_barred_flight_is_free_as_an_attack_but_may_not_end_with_the_landing() -> None:
    table = plays(Table(FI, FLYOVER.replace("{ahead}", "-4")), "e3^e5 done", "e5^e3")
    table.plays("e3^e5")
    assert table.choices() == {"e5xe6"}
    assert table.plays("e5xe6").to_move == "north"


def dragon_between_e3_and_e6(near: str, counts: str) -> Table:
    """A Dragon that has flown to e6 and back, where an enemy stands now."""
    drawing = """
         8  -F  .  .  .  .  .  .  .  . -2
         5   .  .  ~  ~ -4 {near}  ~  ~  .  .
         4   .  .  ~  ~ +3  .  ~  ~  .  .
         3   .  .  .  . +X  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
    """
    table = Table(FI, drawing.replace("{near}", near), two_square_counts_attacks=counts)
    return table.plays("e3^e6 done", "j8-j7", "e6^e3", "e5-e6")


@pytest.mark.rule("CM-19", "CM-03")
@pytest.mark.parametrize(
    ("counts", "choices"), [("off", {"e5xe6", "e5xf5", "done"}), ("on", {"e5xf5", "done"})]
)
def test_a_flight_may_not_end_in_the_barred_attack_where_attacks_count(
    counts: str, choices: set[str]
) -> None:
    assert dragon_between_e3_and_e6("-3", counts).plays("e3^e5").choices() == choices


@pytest.mark.rule("CM-19", "CM-03")
@pytest.mark.parametrize(("counts", "to_move"), [("off", "south"), ("on", "north")])
def test_a_flight_that_leaves_only_the_barred_attack_ends_the_turn(counts: str, to_move: str) -> None:
    assert dragon_between_e3_and_e6(".", counts).plays("e3^e5").to_move == to_move


def uruk_hai_between_e3_and_e4(near: str, counts: str) -> Table:
    """An Uruk-hai that has gone to e4 and back, where an enemy stands now."""
    drawing = """
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  . {near} -3  . -3  .  .  .  .
         3   .  .  . -3 +6  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
    """
    table = Table(LR, drawing.replace("{near}", near), two_square_counts_attacks=counts)
    return table.plays("e3-e4", "j10-j9", "e4-e3", "f4-e4")


@pytest.mark.rule("CM-19", "CM-03")
@pytest.mark.parametrize(
    ("counts", "choices"), [("off", {"d4xe4", "d4xc4", "done"}), ("on", {"d4xc4", "done"})]
)
def test_a_chain_of_attacks_may_not_end_in_the_barred_one_where_attacks_count(
    counts: str, choices: set[str]
) -> None:
    assert uruk_hai_between_e3_and_e4("-3", counts).plays("e3xd3 d3xd4").choices() == choices


@pytest.mark.rule("CM-19", "CM-03")
@pytest.mark.parametrize(("counts", "to_move"), [("off", "south"), ("on", "north")])
def test_a_chain_that_leaves_only_the_barred_attack_ends_the_turn(counts: str, to_move: str) -> None:
    assert uruk_hai_between_e3_and_e4(".", counts).plays("e3xd3 d3xd4").to_move == to_move


@pytest.mark.rule("FI-X-27", "CM-14")
def test_the_two_square_history_of_a_converted_piece_starts_afresh() -> None:
    table = Table(
        FI,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         6   .  .  .  . -3  .  .  .  .  .
         4   .  .  ~  ~  . +6  ~  ~  .  .
         1  +F +2  .  .  .  .  .  .  .  .
        """,
    )
    table.plays("b1-b2", "e6-e7", "b2-b3", "e7-e6")
    table.plays("f4 enchant e6", "j8-j7")
    table.plays("e6-e7", "j7-j6", "e7-e6", "j6-j5")
    assert table.refuses("e6-e7"), "two moves of its new owner, as for anybody"
    assert table.allows("e6-d6")


@pytest.mark.rule("FI-X-27", "FI-X-21")
def test_the_piece_that_moved_last_no_longer_saves_the_side_that_lost_it() -> None:
    table = Table(
        FI,
        """
         8  -F -B  .  .  .  .  .  .  .  .
         6   .  .  .  . -3  .  .  .  .  .
         4   .  .  ~  ~  . +6  ~  ~  .  .
         1  +F +2  .  .  .  .  .  .  .  .
        """,
    )
    table.plays("b1-b2", "e6-f6")
    assert table.plays("f4 enchant f6").result == "south no move"
