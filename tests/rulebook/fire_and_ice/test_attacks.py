"""Fire and Ice, the classic game: attacks and special pieces."""

from __future__ import annotations

import pytest

from tests.rulebook.fight import fight, meeting
from tests.rulebook.table import Table

GAME = "fire-and-ice/classic"

NEIGHBOURS = """
     8  -F  .  .  .  .  .  .  .  . -3
     3   .  .  . -9 -3  .  .  .  .  .
     2   .  .  .  . +5  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +3
"""


@pytest.mark.rule("FI-A-02")
def test_enemies_that_share_a_side_may_attack_and_those_at_a_corner_may_not() -> None:
    table = Table(GAME, NEIGHBOURS)
    assert table.choices("e2") == {"e2xe3", "e2-d2", "e2-f2", "e2-e1"}
    table.plays("j1-j2")
    assert table.allows("e3xe2")


@pytest.mark.rule("FI-A-02")
def test_nobody_attacks_its_own_side() -> None:
    table = Table(GAME, NEIGHBOURS.replace("-3 ", "+3 "))
    assert table.refuses("e2xe3")


@pytest.mark.rule("FI-A-02")
def test_the_attacker_is_shown_first_and_then_the_defender() -> None:
    table = Table(GAME, NEIGHBOURS).plays("e2xe3")
    assert table.events[:3] == ["attack e2xe3", "shown e2 beast to all", "shown e3 dwarf to all"]
    assert table.shown_to("south") == ["e3 dwarf"]
    assert table.shown_to("north") == ["e2 beast"]


RANKS = "X98765432"


@pytest.mark.rule("FI-A-03")
@pytest.mark.parametrize("side", ["south", "north"])
def test_the_lower_rank_is_captured_and_equals_are_both_captured(side: str) -> None:
    for a, attacker in enumerate(RANKS):
        for d, defender in enumerate(RANKS):
            winner = "attacker" if a < d else "defender" if a > d else "nobody"
            assert fight(GAME, attacker, defender, side=side) == winner, (attacker, defender)


@pytest.mark.rule("FI-A-03")
def test_a_winning_attacker_moves_in() -> None:
    table = Table(GAME, NEIGHBOURS).plays("e2xe3")
    assert table.becomes("""
         3   .  .  . -9 +5  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-3:] == ["removed e3", "take e2-e3", "turn north"]


@pytest.mark.rule("FI-A-03")
def test_a_winning_defender_stays_where_it_is() -> None:
    table = Table(GAME, NEIGHBOURS, to_move="north").plays("e3xe2")
    assert table.becomes("""
         3   .  .  . -9  .  .  .  .  .  .
    """)
    assert table.events[-2:] == ["removed e3", "turn south"]


@pytest.mark.rule("FI-A-03")
def test_after_a_tie_both_squares_are_empty() -> None:
    table = meeting(GAME, "5", "5").plays("e2xe3")
    assert table.becomes("""
         3   .  .  .  .  .  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-3:] == ["removed e2", "removed e3", "turn north"]


@pytest.mark.rule("FI-A-03")
def test_with_defender_advances_a_winning_defender_moves_up() -> None:
    table = Table(GAME, NEIGHBOURS, to_move="north", defender_advances="on").plays("e3xe2")
    assert table.events[-3:] == ["removed e3", "advance e2-e3", "turn south"]


@pytest.mark.rule("FI-S-01")
def test_a_slayer_that_is_attacked_is_always_captured() -> None:
    for attacker in "X98765432":
        assert fight(GAME, attacker, "s") == "attacker", attacker
    for attacker in "X98765432":
        assert fight(GAME, attacker, "s", side="north") == "attacker", attacker


@pytest.mark.rule("FI-S-02")
def test_a_slayer_that_attacks_is_captured_unless_it_finds_the_strongest_piece() -> None:
    assert fight(GAME, "s", "X") == "attacker"
    assert fight(GAME, "s", "X", side="north") == "attacker"
    for defender in "98765432B":
        assert fight(GAME, "s", defender) == "defender", defender
    for defender in "98765432B":
        assert fight(GAME, "s", defender, side="north") == "defender", defender


@pytest.mark.rule("FI-S-02")
def test_a_slayer_captures_the_flag() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -3
         7  +s  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    ).plays("a7xa8")
    assert table.result == "south flag"


@pytest.mark.rule("FI-S-03")
@pytest.mark.parametrize("code", list("X9876542s"))
def test_whoever_attacks_a_trap_is_captured_and_it_stays(code: str) -> None:
    table = meeting(GAME, code, "B").plays("e2xe3")
    assert table.becomes("""
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert "shown e3 trap to all" in table.events


@pytest.mark.rule("FI-S-03")
@pytest.mark.parametrize("side", ["south", "north"])
def test_a_dwarf_captures_a_trap_and_moves_in(side: str) -> None:
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


@pytest.mark.rule("FI-V-01")
@pytest.mark.parametrize("code", list("X98765432"))
def test_whoever_captures_the_enemys_flag_wins(code: str) -> None:
    table = Table(
        GAME,
        f"""
         8  -F  .  .  .  .  .  .  .  . -3
         7  +{code}  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    ).plays("a7xa8")
    assert table.events[-1] == "result south flag"


@pytest.mark.rule("FI-V-01")
def test_north_wins_by_capturing_souths_flag() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -3
         2  -5  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
        to_move="north",
    ).plays("a2xa1")
    assert table.result == "north flag"
