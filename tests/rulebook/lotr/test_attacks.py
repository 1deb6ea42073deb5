"""The Lord of the Rings, the classic game: attacks and special pieces."""

from __future__ import annotations

import pytest

from tests.rulebook.fight import fight, meeting
from tests.rulebook.table import Table

GAME = "lotr/classic"

NEIGHBOURS = """
    10  -F  .  .  .  .  .  .  .  . -3
     3   .  .  . -9 -3  .  .  .  .  .
     2   .  .  .  . +5  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +3
"""


@pytest.mark.rule("LR-A-02")
def test_enemies_that_share_a_side_may_attack_and_those_at_a_corner_may_not() -> None:
    table = Table(GAME, NEIGHBOURS)
    assert table.choices("e2") == {"e2xe3", "e2-d2", "e2-f2", "e2-e1"}
    table.plays("j1-j2")
    assert table.allows("e3xe2")


@pytest.mark.rule("LR-A-02")
def test_nobody_attacks_its_own_side() -> None:
    table = Table(GAME, NEIGHBOURS.replace("-3 ", "+3 "))
    assert table.refuses("e2xe3")


@pytest.mark.rule("LR-A-03")
def test_the_attacker_is_shown_first_and_then_the_defender() -> None:
    table = Table(GAME, NEIGHBOURS).plays("e2xe3")
    assert table.events[:3] == ["attack e2xe3", "shown e2 berzerker to all", "shown e3 soldier to all"]
    assert table.shown_to("south") == ["e3 soldier"]
    assert table.shown_to("north") == ["e2 berzerker"]


EVIL = {"X": 10, "9": 9, "8": 8, "G": 7, "L": 7, "K": 7, "6": 6, "5": 5, "4": 4, "3": 3, "2": 2}
GOOD = {
    **{"X": 10, "9": 9, "L": 8, "G": 8, "R": 7, "T": 7, "E": 7, "O": 6, "W": 6, "N": 6, "H": 6},
    **{"5": 5, "D": 4, "A": 4, "M": 4, "P": 4, "3": 3, "2": 2},
}


@pytest.mark.rule("LR-A-04")
@pytest.mark.parametrize("side", ["south", "north"])
def test_the_lower_rank_is_captured_and_equals_are_both_captured(side: str) -> None:
    attackers, defenders = (EVIL, GOOD) if side == "south" else (GOOD, EVIL)
    for attacker, strength in attackers.items():
        for defender, other in defenders.items():
            winner = "attacker" if strength > other else "defender" if strength < other else "nobody"
            assert fight(GAME, attacker, defender, side=side) == winner, (attacker, defender)


@pytest.mark.rule("LR-A-05")
def test_a_winning_attacker_moves_in() -> None:
    table = Table(GAME, NEIGHBOURS).plays("e2xe3")
    assert table.becomes("""
         3   .  .  . -9 +5  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-3:] == ["removed e3", "take e2-e3", "turn north"]


@pytest.mark.rule("LR-A-05")
def test_a_winning_defender_stays_where_it_is() -> None:
    table = Table(GAME, NEIGHBOURS, to_move="north").plays("e3xe2")
    assert table.becomes("""
         3   .  .  . -9  .  .  .  .  .  .
    """)
    assert table.events[-2:] == ["removed e3", "turn south"]


@pytest.mark.rule("LR-A-04")
def test_after_a_tie_both_squares_are_empty() -> None:
    table = meeting(GAME, "5", "5").plays("e2xe3")
    assert table.becomes("""
         3   .  .  .  .  .  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-3:] == ["removed e2", "removed e3", "turn north"]


@pytest.mark.rule("LR-A-05")
def test_with_defender_advances_a_winning_defender_moves_up() -> None:
    table = Table(GAME, NEIGHBOURS, to_move="north", defender_advances="on").plays("e3xe2")
    assert table.events[-3:] == ["removed e3", "advance e2-e3", "turn south"]


@pytest.mark.rule("LR-S-01")
def test_a_spy_that_is_attacked_is_always_captured() -> None:
    for attacker in "X98GLK65432":
        assert fight(GAME, attacker, "s") == "attacker", attacker
    for attacker in "X9LGRTEOWNH5DAMP32":
        assert fight(GAME, attacker, "s", side="north") == "attacker", attacker


@pytest.mark.rule("LR-S-02")
def test_a_spy_that_attacks_is_captured_unless_it_finds_the_strongest_piece() -> None:
    assert fight(GAME, "s", "X") == "attacker"
    assert fight(GAME, "s", "X", side="north") == "attacker"
    for defender in "9LGRTEOWNH5DAMP32B":
        assert fight(GAME, "s", defender) == "defender", defender
    for defender in "98GLK65432B":
        assert fight(GAME, "s", defender, side="north") == "defender", defender


@pytest.mark.rule("LR-S-02")
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


@pytest.mark.rule("LR-S-03")
@pytest.mark.parametrize("code", list("X98GLK6542s"))
def test_whoever_attacks_a_stronghold_is_captured_and_it_stays(code: str) -> None:
    table = meeting(GAME, code, "B").plays("e2xe3")
    assert table.becomes("""
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert "shown e3 stronghold to all" in table.events


@pytest.mark.rule("LR-S-03")
@pytest.mark.parametrize("side", ["south", "north"])
def test_a_orc_captures_a_stronghold_and_moves_in(side: str) -> None:
    table = meeting(GAME, "3", "B", side=side)
    table.plays("e2xe3" if side == "south" else "e3xe2")
    assert table.becomes(
        """
         3   .  .  .  . +3  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
        """
        if side == "south"
        else """
         3   .  .  .  .  .  .  .  .  .  .
         2   .  .  .  . -3  .  .  .  .  .
        """
    )


@pytest.mark.rule("LR-V-01")
@pytest.mark.parametrize("code", list("X98GLK65432"))
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


@pytest.mark.rule("LR-V-01")
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
