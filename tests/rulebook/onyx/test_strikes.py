"""Onyx: strikes, and where the winner stands."""

from __future__ import annotations

import pytest

from tests.rulebook.fight import fight
from tests.rulebook.table import Table

RANKS = "123456789"

NEIGHBOURS = """
    10  -F  .  .  .  .  .  .  .  . -8
     4   .  .  . -6 -7 -6  .  .  .  .
     3   .  .  .  . +5  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +8
"""


@pytest.mark.rule("ON-A-01")
def test_enemies_that_share_a_side_may_strike_and_those_at_a_corner_may_not() -> None:
    table = Table("onyx/classic", NEIGHBOURS)
    assert table.choices("e3") == {"e3xe4", "e3-d3", "e3-f3", "e3-e2"}


@pytest.mark.rule("ON-A-01")
def test_a_piece_does_not_strike_its_own_side() -> None:
    table = Table("onyx/classic", NEIGHBOURS.replace("-7", "+7"))
    assert table.refuses("e3xe4")


@pytest.mark.rule("ON-A-02")
def test_striking_is_never_compulsory_and_either_neighbour_may_strike_on_its_turn() -> None:
    table = Table("onyx/classic", NEIGHBOURS)
    table.plays("j1-j2")
    assert {"e4xe3", "e4-e5", "j10-j9"} <= table.choices()
    table.plays("j10-j9")
    assert {"e3xe4", "e3-d3", "j2-j3"} <= table.choices()


@pytest.mark.rule("ON-A-03")
def test_the_striker_says_its_rank_and_the_struck_piece_answers() -> None:
    table = Table("onyx/classic", NEIGHBOURS).plays("e3xe4")
    assert table.events[:3] == ["attack e3xe4", "shown e3 captain to all", "shown e4 sergeant to all"]
    assert table.shown_to("south") == ["e4 sergeant"]
    assert table.shown_to("north") == ["e3 captain"]


@pytest.mark.rule("ON-A-04")
def test_a_winning_striker_moves_into_the_losers_square() -> None:
    table = Table("onyx/classic", NEIGHBOURS).plays("e3xe4")
    assert table.becomes("""
         4   .  .  . -6 +5 -6  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-3:] == ["removed e4", "take e3-e4", "turn north"]


@pytest.mark.rule("ON-A-04", "ON-X-01")
def test_a_winning_struck_piece_moves_into_the_strikers_square() -> None:
    table = Table("onyx/classic", NEIGHBOURS, to_move="north").plays("e4xe3")
    assert table.becomes("""
         4   .  .  . -6 +5 -6  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-3:] == ["removed e4", "advance e3-e4", "turn south"]


@pytest.mark.rule("ON-X-01")
def test_with_defender_advances_off_a_winning_defender_stays() -> None:
    table = Table("onyx/classic", NEIGHBOURS, to_move="north", defender_advances="off").plays("e4xe3")
    assert table.becomes("""
         4   .  .  . -6  . -6  .  .  .  .
         3   .  .  .  . +5  .  .  .  .  .
    """)
    assert table.events[-2:] == ["removed e4", "turn south"]


@pytest.mark.rule("ON-A-04", "ON-A-05")
@pytest.mark.parametrize("side", ["south", "north"])
def test_the_smaller_number_is_the_higher_rank_and_equals_are_both_removed(side: str) -> None:
    for attacker in RANKS:
        for defender in RANKS:
            winner = "attacker" if attacker < defender else "defender" if attacker > defender else "nobody"
            assert fight("onyx/classic", attacker, defender, side=side) == winner, (attacker, defender)


@pytest.mark.rule("ON-A-05")
def test_after_a_tie_both_squares_are_empty() -> None:
    table = Table("onyx/classic", NEIGHBOURS.replace("-7", "-5")).plays("e3xe4")
    assert table.becomes("""
         4   .  .  . -6  . -6  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-3:] == ["removed e3", "removed e4", "turn north"]


@pytest.mark.rule("ON-A-06")
def test_the_spy_removes_the_marshal_only_when_it_strikes_first() -> None:
    assert fight("onyx/classic", "s", "1") == "attacker"
    assert fight("onyx/classic", "1", "s") == "attacker"


@pytest.mark.rule("ON-A-06")
@pytest.mark.parametrize("code", list(RANKS[1:]))
def test_every_other_piece_removes_the_spy_struck_or_striking(code: str) -> None:
    assert fight("onyx/classic", "s", code) == "defender"
    assert fight("onyx/classic", code, "s") == "attacker"


@pytest.mark.rule("ON-A-07")
@pytest.mark.parametrize("code", list("12345679s"))
def test_a_piece_that_strikes_a_bomb_is_removed_unless_it_is_a_miner(code: str) -> None:
    assert fight("onyx/classic", code, "B") == "defender"


@pytest.mark.rule("ON-A-07")
def test_the_bomb_stays_on_its_square() -> None:
    table = Table("onyx/classic", NEIGHBOURS.replace("-7", "-B")).plays("e3xe4")
    assert table.becomes("""
         4   .  .  . -6 -B -6  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("ON-A-08")
def test_a_miner_removes_a_bomb_and_moves_in() -> None:
    table = Table("onyx/classic", NEIGHBOURS.replace("-7", "-B").replace("+5", "+8")).plays("e3xe4")
    assert table.becomes("""
         4   .  .  . -6 +8 -6  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("ON-A-09")
def test_bombs_never_strike() -> None:
    table = Table("onyx/classic", NEIGHBOURS.replace("-7", "-B"), to_move="north")
    assert table.refuses("e4xe3")
    assert table.choices("e4") == set()


@pytest.mark.rule("ON-V-01")
@pytest.mark.parametrize("code", list("123456789"))
def test_striking_the_enemy_flag_wins_the_game(code: str) -> None:
    table = Table(
        "onyx/classic",
        f"""
        10  -F  .  .  .  .  .  .  .  . -8
         9  +{code}  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    ).plays("a9xa10")
    assert table.events[-1] == "result south flag"
    assert table.result == "south flag"


@pytest.mark.rule("ON-V-01")
def test_north_wins_by_striking_souths_flag() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -8
         2  -6  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +8
        """,
        to_move="north",
    ).plays("a2xa1")
    assert table.result == "north flag"


@pytest.mark.rule("ON-X-02")
def test_a_scout_may_strike_a_neighbour() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -8
         4   .  .  .  .  . -s  .  .  .  .
         3   .  .  .  .  . +9 -7  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert {"f3xf4", "f3xg3"} <= table.choices("f3")
    table.plays("f3xf4")
    assert table.events[-2:] == ["take f3-f4", "turn north"]


@pytest.mark.rule("ON-X-03")
def test_a_spy_that_strikes_the_flag_wins_the_game() -> None:
    table = Table(
        "onyx/classic",
        """
        10  -F  .  .  .  .  .  .  .  . -8
         9  +s  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    ).plays("a9xa10")
    assert table.result == "south flag"
