"""Quick Strike: a 3000 takes two steps."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

GAME = "duel-masters/elemental-powers"
ALONE = """
    10  -F  .  .  .  .  .  .  .  . -1
     4   .  .  .  . +3  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""
AHEAD = """
    10  -F  .  .  .  .  .  .  .  . -1
     5   .  .  ~  ~ -2  .  ~  ~  .  .
     4   .  .  .  .  . -4  .  .  .  .
     3   .  .  .  . +3  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


def two_steps(table: Table, origin: str) -> set[str]:
    """The quick strikes of the piece on a square."""
    return {turn for turn in table.choices(origin) if len(turn.replace("x", "-").split("-")) == 3}


@pytest.mark.rule("DM-P-11", "DM-X-19")
def test_a_3000_may_take_two_steps_in_any_combination_but_never_into_a_zone_or_back() -> None:
    assert two_steps(Table(GAME, ALONE), "e4") == {
        "e4-e5-e6",
        "e4-e5-f5",
        "e4-f4-f5",
        "e4-f4-g4",
        "e4-f4-f3",
        "e4-e3-f3",
        "e4-e3-e2",
        "e4-e3-d3",
        "e4-d4-d3",
        "e4-d4-c4",
    }


@pytest.mark.rule("DM-P-11", "DM-P-02", "DM-P-01")
def test_a_3000_is_shown_before_it_takes_its_two_steps() -> None:
    table = Table(GAME, ALONE).plays("e4-e5-f5")
    assert table.becomes("""
         5   .  .  ~  ~  . +3  ~  ~  .  .
         4   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events == ["shown e4 striker to all", "move e4-e5", "move e5-f5", "turn north"]
    assert table.known_to("north") == {"f5": "striker"}


@pytest.mark.rule("DM-P-12")
def test_an_enemy_on_the_last_square_is_attacked() -> None:
    table = Table(GAME, AHEAD).plays("e3-e4xe5")
    assert table.becomes("""
         5   .  .  ~  ~ +3  .  ~  ~  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events == [
        "shown e3 striker to all",
        "move e3-e4",
        "attack e4xe5",
        "shown e4 striker to all",
        "shown e5 breaker to all",
        "removed e5",
        "take e4-e5",
        "turn north",
    ]


@pytest.mark.rule("DM-P-12")
@pytest.mark.parametrize("way", ["e3-e4xf4", "e3-f3xf4"])
def test_an_attack_on_the_last_square_may_be_lost_on_the_way_there(way: str) -> None:
    table = Table(GAME, AHEAD).plays(way)
    assert table.becomes("3  .  .  .  .  .  .  .  .  .  .")
    assert f"removed {way[3:5]}" in table.events


NEXT = """
    10  -F  .  .  .  .  .  .  .  . -1
     5   .  .  ~  ~ -1  .  ~  ~  .  .
     4   .  .  .  . -2  .  .  .  .  .
     3   .  .  .  . +3  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("DM-P-12", "DM-X-22", "CM-24")
def test_an_enemy_on_the_first_square_is_attacked_and_the_second_step_is_lost() -> None:
    table = Table(GAME, NEXT)
    through = {turn for turn in table.choices("e3") if turn.startswith(("e3-e4", "e3xe4"))}
    assert through == {"e3xe4"}, "the plain attack is the only action by way of e4"
    assert table.plays("e3xe4").to_move == "north"
    assert table.becomes("""
         4   .  .  .  . +3  .  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("DM-X-21")
def test_a_friend_on_the_first_or_on_the_last_square_is_in_the_way() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  .  . -1
         4   .  .  .  .  . +1  .  .  .  .
         3   .  .  . +2 +3  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert two_steps(table, "e3") == {
        "e3-e4-e5",
        "e3-e4-d4",
        "e3-f3-g3",
        "e3-f3-f2",
        "e3-e2-f2",
        "e3-e2-d2",
        "e3-e2-e1",
    }


@pytest.mark.rule("DM-X-20")
def test_a_single_step_is_a_standard_move_and_shows_nothing() -> None:
    assert Table(GAME, ALONE).plays("e4-e5").events == ["move e4-e5", "turn north"]


@pytest.mark.rule("DM-X-19")
def test_with_two_step_may_return_a_3000_may_go_out_and_back() -> None:
    table = Table(GAME, AHEAD, two_step_may_return="on")
    assert {"e3-e4-e3", "e3-f3-e3", "e3-e2-e3", "e3-d3-e3"} <= table.choices("e3")
    table.plays("e3-e4-e3")
    assert table.becomes("")
    assert table.events == ["shown e3 striker to all", "move e3-e4", "move e4-e3", "turn north"]


@pytest.mark.rule("DM-X-19", "DM-X-21")
def test_nobody_goes_out_and_back_by_way_of_a_taken_square() -> None:
    table = Table(GAME, NEXT, two_step_may_return="on")
    assert table.refuses("e3-e4-e3")


@pytest.mark.rule("DM-X-19")
def test_without_that_option_nobody_ends_where_it_began() -> None:
    assert Table(GAME, AHEAD).refuses("e3-e4-e3")
