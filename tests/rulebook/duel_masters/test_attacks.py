"""Duel Masters, the classic game: attacks and special pieces."""

from __future__ import annotations

import pytest

from tests.rulebook.fight import fight, meeting
from tests.rulebook.table import Table

GAME = "duel-masters/classic"

NEIGHBOURS = """
    10  -F  .  .  .  .  .  .  .  . -3
     3   .  .  . -9 -2  .  .  .  .  .
     2   .  .  .  . +5  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +3
"""


@pytest.mark.rule("DM-A-02")
def test_enemies_that_share_a_side_may_attack_and_those_at_a_corner_may_not() -> None:
    table = Table(GAME, NEIGHBOURS)
    assert table.choices("e2") == {"e2xe3", "e2-d2", "e2-f2", "e2-e1"}
    table.plays("j1-j2")
    assert table.allows("e3xe2")


@pytest.mark.rule("DM-A-02")
def test_nobody_attacks_its_own_side() -> None:
    table = Table(GAME, NEIGHBOURS.replace("-2 ", "+2 "))
    assert table.refuses("e2xe3")


@pytest.mark.rule("DM-A-03")
def test_the_attacker_is_shown_first_and_then_the_defender() -> None:
    table = Table(GAME, NEIGHBOURS).plays("e2xe3")
    assert table.events[:3] == ["attack e2xe3", "shown e2 brute to all", "shown e3 breaker to all"]
    assert table.shown_to("south") == ["e3 breaker"]
    assert table.shown_to("north") == ["e2 brute"]


RANKS = "987654321"


@pytest.mark.rule("DM-A-04")
@pytest.mark.parametrize("side", ["south", "north"])
def test_the_lower_rank_is_captured_and_equals_are_both_captured(side: str) -> None:
    for a, attacker in enumerate(RANKS):
        for d, defender in enumerate(RANKS):
            winner = "attacker" if a < d else "defender" if a > d else "nobody"
            assert fight(GAME, attacker, defender, side=side) == winner, (attacker, defender)


@pytest.mark.rule("DM-A-05")
def test_a_winning_attacker_moves_in() -> None:
    table = Table(GAME, NEIGHBOURS).plays("e2xe3")
    assert table.becomes("""
         3   .  .  . -9 +5  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-3:] == ["removed e3", "take e2-e3", "turn north"]


@pytest.mark.rule("DM-A-05")
def test_a_winning_defender_stays_where_it_is() -> None:
    table = Table(GAME, NEIGHBOURS, to_move="north").plays("e3xe2")
    assert table.becomes("""
         3   .  .  . -9  .  .  .  .  .  .
    """)
    assert table.events[-2:] == ["removed e3", "turn south"]


@pytest.mark.rule("DM-A-05")
def test_after_a_tie_both_squares_are_empty() -> None:
    table = meeting(GAME, "5", "5").plays("e2xe3")
    assert table.becomes("""
         3   .  .  .  .  .  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-3:] == ["removed e2", "removed e3", "turn north"]


@pytest.mark.rule("DM-A-05")
def test_with_defender_advances_a_winning_defender_moves_up() -> None:
    table = Table(GAME, NEIGHBOURS, to_move="north", defender_advances="on").plays("e3xe2")
    assert table.events[-3:] == ["removed e3", "advance e2-e3", "turn south"]


@pytest.mark.rule("DM-S-01")
def test_a_spy_that_is_attacked_is_always_captured() -> None:
    for attacker in "987654321":
        assert fight(GAME, attacker, "s") == "attacker", attacker
    for attacker in "987654321":
        assert fight(GAME, attacker, "s", side="north") == "attacker", attacker


@pytest.mark.rule("DM-S-02")
def test_a_spy_that_attacks_is_captured_unless_it_finds_the_strongest_piece() -> None:
    assert fight(GAME, "s", "9") == "attacker"
    assert fight(GAME, "s", "9", side="north") == "attacker"
    for defender in "87654321B":
        assert fight(GAME, "s", defender) == "defender", defender
    for defender in "87654321B":
        assert fight(GAME, "s", defender, side="north") == "defender", defender


@pytest.mark.rule("DM-S-02", "DM-S-06")
def test_a_spy_captures_the_flag() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  .  . -3
         9  +s  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    ).plays("a9xa10")
    assert table.result == "south flag"


@pytest.mark.rule("DM-S-04")
@pytest.mark.parametrize("code", list("98765431s"))
def test_whoever_attacks_a_snare_or_pit_is_captured_and_it_stays(code: str) -> None:
    table = meeting(GAME, code, "B").plays("e2xe3")
    assert table.becomes("""
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert "shown e3 trap to all" in table.events


@pytest.mark.rule("DM-S-05")
@pytest.mark.parametrize("side", ["south", "north"])
def test_a_2000_captures_a_snare_or_pit_and_moves_in(side: str) -> None:
    table = meeting(GAME, "2", "B", side=side)
    table.plays("e2xe3" if side == "south" else "e3xe2")
    assert table.becomes(
        """
         3   .  .  .  . +2  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
        """
        if side == "south"
        else """
         3   .  .  .  .  .  .  .  .  .  .
         2   .  .  .  . -2  .  .  .  .  .
        """
    )


@pytest.mark.rule("DM-V-01", "DM-S-06")
@pytest.mark.parametrize("code", list("987654321"))
def test_whoever_captures_the_enemys_flag_wins(code: str) -> None:
    table = Table(
        GAME,
        f"""
        10  -F  .  .  .  .  .  .  .  . -3
         9  +{code}  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    ).plays("a9xa10")
    assert table.events[-1] == "result south flag"


@pytest.mark.rule("DM-V-01")
def test_north_wins_by_capturing_souths_flag() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  .  . -3
         2  -5  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
        to_move="north",
    ).plays("a2xa1")
    assert table.result == "north flag"
