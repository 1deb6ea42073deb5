"""Quickness: Knights and Beast Riders take two steps."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

GAME = "fire-and-ice/special-powers"
RIDERS = pytest.mark.parametrize(("code", "kind"), [("8", "knight"), ("7", "beast-rider")])
ALONE = """
     8  -F  .  .  .  .  .  .  .  . -2
     3   .  .  .  . +{code}  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""
AHEAD = """
     8  -F  .  .  .  .  .  .  .  . -2
     4   .  .  ~  ~ -4  .  ~  ~  .  .
     3   .  .  .  . -3 -9  .  .  .  .
     2   .  .  . +2 +{code}  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


def two_steps(table: Table, origin: str) -> set[str]:
    """The two-steps of the piece on a square."""
    return {turn for turn in table.choices(origin) if len(turn.replace("x", "-").split("-")) == 3}


@pytest.mark.rule("FI-P-06", "FI-X-06")
@RIDERS
def test_a_rider_takes_two_orthogonal_steps_in_any_combination_but_not_into_zones_or_back(
    code: str, kind: str
) -> None:
    assert two_steps(Table(GAME, ALONE.replace("{code}", code)), "e3") == {
        "e3-e4-e5",
        "e3-e4-f4",
        "e3-f3-f4",
        "e3-f3-g3",
        "e3-f3-f2",
        "e3-e2-f2",
        "e3-e2-e1",
        "e3-e2-d2",
        "e3-d3-d2",
        "e3-d3-c3",
    }


@pytest.mark.rule("FI-P-06", "FI-P-02")
@RIDERS
def test_a_rider_is_shown_before_it_rides(code: str, kind: str) -> None:
    table = Table(GAME, ALONE.replace("{code}", code)).plays("e3-e4-f4")
    assert table.events == [f"shown e3 {kind} to all", "move e3-e4", "move e4-f4", "turn north"]
    assert table.becomes(f"""
         4   .  .  ~  ~  . +{code}  ~  ~  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("FI-P-06", "CM-24")
@RIDERS
def test_an_enemy_on_the_first_square_is_attacked_and_ends_the_action(code: str, kind: str) -> None:
    table = Table(GAME, AHEAD.replace("{code}", code))
    assert {turn for turn in table.choices("e2") if turn[2:5] in ("-e3", "xe3")} == {"e2xe3"}
    assert table.plays("e2xe3").to_move == "north"
    assert table.becomes(f"""
         3   .  .  .  . +{code} -9  .  .  .  .
         2   .  .  . +2  .  .  .  .  .  .
    """)


@pytest.mark.rule("FI-P-06")
@RIDERS
def test_a_rider_may_end_on_an_enemys_square_and_attack_it(code: str, kind: str) -> None:
    table = Table(GAME, AHEAD.replace("{code}", code)).plays("e2-f2xf3")
    assert table.events == [
        f"shown e2 {kind} to all",
        "move e2-f2",
        "attack f2xf3",
        f"shown f2 {kind} to all",
        "shown f3 mage to all",
        "removed f2",
        "turn north",
    ]
    assert table.becomes("2  .  .  . +2  .  .  .  .  .  .")


@pytest.mark.rule("FI-P-06")
@RIDERS
def test_a_rider_jumps_over_nobody(code: str, kind: str) -> None:
    table = Table(GAME, AHEAD.replace("{code}", code))
    assert two_steps(table, "e2") == {"e2-f2-g2", "e2-f2-f1", "e2-f2xf3", "e2-e1-d1", "e2-e1-f1"}


@pytest.mark.rule("FI-X-06")
@RIDERS
def test_with_two_step_may_return_a_rider_may_go_out_and_back(code: str, kind: str) -> None:
    table = Table(GAME, AHEAD.replace("{code}", code), two_step_may_return="on")
    assert {"e2-f2-e2", "e2-e1-e2"} <= table.choices("e2")
    assert table.refuses("e2-d2-e2")
    assert table.plays("e2-f2-e2").becomes("")
