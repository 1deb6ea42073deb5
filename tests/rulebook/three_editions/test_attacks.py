"""The classic games of three editions: attacks and special pieces."""

from __future__ import annotations

import pytest

from tests.rulebook.fight import fight, meeting
from tests.rulebook.table import Table
from tests.rulebook.three_editions.editions import BOMB, SPY, Edition, for_each, in_each_edition


def neighbours(e: Edition, *, sign: str = "-", **options: str) -> Table:
    """A piece below one that shares a side with it and below another at its corner."""
    return Table(
        e.game,
        f"""
        {e.top}  -F  .  .  .  .  .  .  .  . -3
         3   .  .  . -9 {sign}{e.miner}  .  .  .  .  .
         2   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
        **options,
    )


@pytest.mark.rule("FI-A-02", "LR-A-02", "DM-A-02")
@in_each_edition
def test_enemies_that_share_a_side_may_attack_and_those_at_a_corner_may_not(e: Edition) -> None:
    table = neighbours(e)
    assert table.choices("e2") == {"e2xe3", "e2-d2", "e2-f2", "e2-e1"}
    table.plays("j1-j2")
    assert table.allows("e3xe2")


@pytest.mark.rule("FI-A-02", "LR-A-02", "DM-A-02")
@in_each_edition
def test_nobody_attacks_its_own_side(e: Edition) -> None:
    assert neighbours(e, sign="+").refuses("e2xe3")


@pytest.mark.rule("FI-A-02", "LR-A-03", "DM-A-03")
@in_each_edition
def test_the_attacker_is_shown_first_and_then_the_defender(e: Edition) -> None:
    table = neighbours(e).plays("e2xe3")
    assert table.events[:3] == [
        "attack e2xe3",
        f"shown e2 {e.five_id} to all",
        f"shown e3 {e.miner_id} to all",
    ]
    assert table.shown_to("south") == [f"e3 {e.miner_id}"]
    assert table.shown_to("north") == [f"e2 {e.five_id}"]


@pytest.mark.rule("FI-A-03", "LR-A-04", "DM-A-04")
@in_each_edition
@pytest.mark.parametrize("side", ["south", "north"])
def test_the_lower_rank_is_captured_and_equals_are_both_captured(e: Edition, side: str) -> None:
    attackers, defenders = (e.south, e.north) if side == "south" else (e.north, e.south)
    for attacker, strength in attackers.items():
        for defender, other in defenders.items():
            winner = "attacker" if strength > other else "defender" if strength < other else "nobody"
            assert fight(e.game, attacker, defender, side=side) == winner, (attacker, defender)


@pytest.mark.rule("FI-A-03", "LR-A-05", "DM-A-05")
@in_each_edition
def test_a_winning_attacker_moves_in(e: Edition) -> None:
    table = neighbours(e).plays("e2xe3")
    assert table.becomes("""
         3   .  .  . -9 +5  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-3:] == ["removed e3", "take e2-e3", "turn north"]


@pytest.mark.rule("FI-A-03", "LR-A-05", "DM-A-05")
@in_each_edition
def test_a_winning_defender_stays_where_it_is(e: Edition) -> None:
    table = neighbours(e, to_move="north").plays("e3xe2")
    assert table.becomes("""
         3   .  .  . -9  .  .  .  .  .  .
    """)
    assert table.events[-2:] == ["removed e3", "turn south"]


@pytest.mark.rule("FI-A-03", "LR-A-04", "DM-A-05")
@in_each_edition
def test_after_a_tie_both_squares_are_empty(e: Edition) -> None:
    table = meeting(e.game, "5", "5").plays("e2xe3")
    assert table.becomes("""
         3   .  .  .  .  .  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-3:] == ["removed e2", "removed e3", "turn north"]


@pytest.mark.rule("FI-A-03", "LR-A-05", "DM-A-05")
@in_each_edition
def test_with_defender_advances_a_winning_defender_moves_up(e: Edition) -> None:
    table = neighbours(e, to_move="north", defender_advances="on").plays("e3xe2")
    assert table.events[-3:] == ["removed e3", "advance e2-e3", "turn south"]


@pytest.mark.rule("FI-S-01", "LR-S-01", "DM-S-01")
@in_each_edition
def test_a_spy_that_is_attacked_is_always_captured(e: Edition) -> None:
    for attacker in e.south:
        assert fight(e.game, attacker, SPY) == "attacker", attacker
    for attacker in e.north:
        assert fight(e.game, attacker, SPY, side="north") == "attacker", attacker


@pytest.mark.rule("FI-S-02", "LR-S-02", "DM-S-02")
@in_each_edition
def test_a_spy_that_attacks_is_captured_unless_it_finds_the_strongest_piece(e: Edition) -> None:
    for side, defenders in (("south", e.north), ("north", e.south)):
        for defender in (*defenders, BOMB):
            winner = "attacker" if defender == e.strongest else "defender"
            assert fight(e.game, SPY, defender, side=side) == winner, (side, defender)


@pytest.mark.rule("FI-S-02", "LR-S-02", "DM-S-02", "DM-S-06")
@in_each_edition
def test_a_spy_captures_the_flag(e: Edition) -> None:
    assert before_the_flag(e, SPY).plays(f"a{e.top - 1}xa{e.top}").result == "south flag"


def before_the_flag(e: Edition, code: str) -> Table:
    """A piece of South next to the enemy's flag."""
    return Table(
        e.game,
        f"""
        {e.top}  -F  .  .  .  .  .  .  .  . -3
        {e.top - 1}  +{code}  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )


@pytest.mark.rule("FI-S-03", "LR-S-03", "DM-S-04")
@for_each(lambda e: [*(code for code in e.south if code != e.miner), SPY])
def test_a_piece_that_attacks_a_bomb_is_captured_and_the_bomb_stays(e: Edition, code: str) -> None:
    table = meeting(e.game, code, BOMB).plays("e2xe3")
    assert table.becomes("""
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert f"shown e3 {e.bomb_id} to all" in table.events


@pytest.mark.rule("FI-S-03", "LR-S-03", "DM-S-05")
@in_each_edition
@pytest.mark.parametrize("side", ["south", "north"])
def test_a_miner_captures_a_bomb_and_moves_in(e: Edition, side: str) -> None:
    table = meeting(e.game, e.miner, BOMB, side=side)
    table.plays("e2xe3" if side == "south" else "e3xe2")
    assert table.becomes(
        f"""
         3   .  .  .  . +{e.miner}  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
        """
        if side == "south"
        else f"""
         3   .  .  .  .  .  .  .  .  .  .
         2   .  .  .  . -{e.miner}  .  .  .  .  .
        """
    )


@pytest.mark.rule("FI-V-01", "LR-V-01", "DM-V-01", "DM-S-06")
@for_each(lambda e: e.south)
def test_any_piece_that_captures_the_enemys_flag_wins(e: Edition, code: str) -> None:
    table = before_the_flag(e, code).plays(f"a{e.top - 1}xa{e.top}")
    assert table.events[-1] == "result south flag"


@pytest.mark.rule("FI-V-01", "LR-V-01", "DM-V-01")
@in_each_edition
def test_north_wins_by_capturing_souths_flag(e: Edition) -> None:
    table = Table(
        e.game,
        f"""
        {e.top}  -F  .  .  .  .  .  .  .  . -3
         2  -5  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
        to_move="north",
    ).plays("a2xa1")
    assert table.result == "north flag"
