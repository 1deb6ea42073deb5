"""Fights that every box has: Spy against Spy, a defender that advances, a step before an attack."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

SPIES_10 = """
    10  -F  .  .  .  .  .  .  .  . -3
     4   .  .  .  . -s  .  .  .  .  .
     3   .  .  .  . +s  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +3
"""
SPIES_8 = """
     8  -F  .  .  .  .  .  .  .  . -3
     4   .  .  ~  ~ -s  .  ~  ~  .  .
     3   .  .  .  . +s  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +3
"""
GAMES = [
    ("onyx/classic", SPIES_10),
    ("duel-masters/classic", SPIES_10),
    ("lotr/classic", SPIES_10),
    ("barrage/classic", SPIES_10),
    ("fire-and-ice/classic", SPIES_8),
    ("spin-master/standard", SPIES_8),
    ("spin-master/duel", SPIES_8),
]


@pytest.mark.rule("CM-06")
@pytest.mark.parametrize(("game", "drawing"), GAMES)
def test_a_spy_that_attacks_a_spy_is_lost_with_it(game: str, drawing: str) -> None:
    table = Table(game, drawing).plays("e3xe4")
    middle = "~" if "spin" in game or "fire" in game else "."
    assert table.becomes(f"""
         4   .  .  {middle}  {middle}  .  .  {middle}  {middle}  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-3:] == ["removed e3", "removed e4", "turn north"]


@pytest.mark.rule("CM-06")
@pytest.mark.parametrize(("game", "drawing"), GAMES[:5])
def test_with_aggressor_advantage_the_attacking_spy_wins(game: str, drawing: str) -> None:
    table = Table(game, drawing, aggressor_advantage="on").plays("e3xe4")
    assert table.events[-3:] == ["removed e4", "take e3-e4", "turn north"]


STRUCK_AFTER_A_RUN = """
    10  -F  .  .  .  .  .  .  .  . -3
     7   .  .  .  . -5  .  .  .  .  .
     2   .  .  .  . +1  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("CM-15")
def test_after_a_run_the_winning_defender_advances_to_the_last_square_of_the_run() -> None:
    table = Table("duel-masters/classic", STRUCK_AFTER_A_RUN, defender_advances="on")
    table.plays("e2xe7")
    assert table.becomes("""
         7   .  .  .  .  .  .  .  .  .  .
         6   .  .  ~  ~ -5  .  ~  ~  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events == [
        "attack e2xe7",
        "shown e2 scout to all",
        "shown e7 brute to all",
        "removed e2",
        "advance e7-e6",
        "turn north",
    ]


@pytest.mark.rule("CM-15")
@pytest.mark.parametrize(
    ("attack", "stands"), [("e2xe9", "e8"), ("e2xb2", "c2"), ("e2xh2", "g2"), ("e2xe1", "e2")]
)
def test_from_whichever_side_the_run_came_the_defender_advances_towards_it(attack: str, stands: str) -> None:
    table = Table(
        "duel-masters/classic",
        """
        10  -F  .  .  .  .  .  .  .  .  .
         9   .  .  .  . -5  .  .  .  .  .
         2   . -5  .  . +1  .  . -5  .  .
         1  +F  .  .  . -5  .  .  .  .  .
        """,
        defender_advances="on",
    )
    table.plays(attack)
    assert f"advance {attack.split('x')[1]}-{stands}" in table.events
    assert table.to_move == "north"
    assert table.known_to("south") == {stands: "brute"}


@pytest.mark.rule("CM-15")
def test_without_the_option_a_winning_defender_stays_where_it_is() -> None:
    table = Table("duel-masters/classic", STRUCK_AFTER_A_RUN).plays("e2xe7")
    assert table.becomes("""
         2   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("CM-15")
def test_a_bomb_that_wins_stays_although_defenders_advance() -> None:
    table = Table(
        "duel-masters/classic", STRUCK_AFTER_A_RUN.replace("-5", "-B"), defender_advances="on"
    ).plays("e2xe7")
    assert table.becomes("""
         2   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("CM-15")
def test_a_defenders_advance_never_ends_in_a_rescue() -> None:
    table = Table(
        "duel-masters/classic",
        """
        10  -F  .  .  .  .  .  .  .  .  .
         2   .  .  .  . -5  .  .  .  .  .
         1  +F  .  .  . +4  .  .  .  . +3
        """,
        lost_north="6 6",
        defender_advances="on",
        rescue="on",
    )
    table.plays("e1xe2")
    assert table.events[-2:] == ["advance e2-e1", "turn north"]
    assert not table.state.is_turn_open
    assert table.choices() == {"e1-d1", "e1-d1 rescue", "e1-f1", "e1-f1 rescue", "e1-e2"}


@pytest.mark.rule("CM-24", "SM-X-03")
def test_a_step_and_attack_whose_first_square_holds_an_enemy_is_just_the_plain_attack() -> None:
    table = Table(
        "spin-master/standard",
        """
         8  -F  .  .  .  .  .  .  .  .  .
         4   .  .  ~  ~ -9  .  ~  ~  .  .
         3   .  .  .  . -7  .  .  .  .  .
         2   .  .  . -6 +1  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        spot_move_then_attack="on",
    )
    assert table.choices("e2") - {"e2 spot e3"} == {"e2xe3", "e2xd2", "e2-f2", "e2-e1"}


@pytest.mark.rule("CM-24", "SM-X-03")
def test_a_step_and_attack_goes_round_the_corner_over_an_empty_square_only() -> None:
    table = Table(
        "spin-master/standard",
        """
         8  -F  .  .  .  .  .  .  .  .  .
         3   .  .  . -5 -7 -6  .  .  .  .
         2   .  .  .  . +1 +4 -4  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        spot_move_then_attack="on",
    )
    assert {text for text in table.choices("e2") if "x" in text} == {"e2xe3", "e2-d2xd3"}
