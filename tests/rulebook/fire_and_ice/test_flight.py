"""Flight: a Dragon glides over pieces and may attack where it lands."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

GAME = "fire-and-ice/special-powers"
CROWD = """
     8  -F  .  .  .  .  .  .  .  . -2
     7   .  .  .  .  .  .  .  .  .  .
     4   .  .  ~  ~ -3  .  ~  ~  .  .
     3   .  .  .  . +3  .  .  .  .  .
     2   . +2 +2 -3 +X -3  .  . -3  .
     1  +F  .  .  .  .  .  .  .  .  .
"""
LANDING = """
     8  -F  .  .  .  .  .  .  .  . -2
     7   .  .  .  . -8  .  .  .  .  .
     6   .  .  .  . -4  .  .  .  .  .
     4   .  .  ~  ~ -3  .  ~  ~  .  .
     3   .  .  .  . +X  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("FI-P-03", "FI-P-02")
def test_a_dragon_is_shown_and_glides_over_pieces_of_both_sides_to_the_first_empty_square() -> None:
    table = Table(GAME, CROWD).plays("e2^e5 done")
    assert table.becomes("""
         5   .  .  ~  ~ +X  .  ~  ~  .  .
         2   . +2 +2 -3  . -3  .  . -3  .
    """)
    assert table.events == ["use flight e2 on e5", "shown e2 dragon to all", "leap e2-e5", "turn north"]
    assert table.known_to("north") == {"e5": "dragon"}


@pytest.mark.rule("FI-P-03", "FI-X-02")
def test_a_flight_goes_in_one_straight_line_over_at_least_one_piece() -> None:
    table = Table(GAME, CROWD)
    assert {turn for turn in table.choices("e2") if "^" in turn} == {"e2^e5", "e2^a2", "e2^g2"}
    assert table.plays("e2-e1").events == ["move e2-e1", "turn north"], "a step south shows nothing"


@pytest.mark.rule("FI-P-03")
def test_there_is_no_flight_without_an_empty_square_before_the_edge() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  . -2  .
         7   .  .  .  .  .  .  . +2 +X -3
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices("i7") == {"i7xi8", "i7xj7", "i7-i6", "i7^g7"}


ZONES = """
     8  -F  .  .  .  .  .  .  .  . -2
     6   .  .  .  .  .  .  .  .  .  .
     5   .  .  ~  ~  .  .  ~  ~  .  .
     4  +X +2  ~  ~  .  .  ~  ~  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("FI-X-01")
@pytest.mark.parametrize(("over", "flights"), [("off", set()), ("on", {"a4^e4"})])
def test_a_dragon_crosses_forbidden_zones_only_with_dragon_over_zones(over: str, flights: set[str]) -> None:
    table = Table(GAME, ZONES, dragon_over_zones=over)
    assert {turn for turn in table.choices("a4") if "^" in turn} == flights


@pytest.mark.rule("FI-X-01")
@pytest.mark.parametrize(("over", "flights"), [("off", set()), ("on", {"c3^c6"})])
def test_with_dragon_over_zones_a_zone_alone_is_enough_to_fly_over(over: str, flights: set[str]) -> None:
    drawing = """
         8  -F  .  .  .  .  .  .  .  . -2
         3   .  . +X  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
    """
    table = Table(GAME, drawing, dragon_over_zones=over)
    assert {turn for turn in table.choices("c3") if "^" in turn} == flights


@pytest.mark.rule("FI-P-04", "FI-X-03")
def test_after_landing_the_turn_stays_open_for_an_attack_on_a_neighbour_or_nothing() -> None:
    table = Table(GAME, LANDING).plays("e3^e5")
    assert table.to_move == "south"
    assert table.choices() == {"e5xe6", "e5xe4", "done"}
    assert table.known_to("south") == {}, "nothing but the Dragon has been shown"


@pytest.mark.rule("FI-P-04", "FI-X-03")
def test_a_won_attack_after_landing_moves_the_dragon_in_and_ends_the_turn() -> None:
    table = Table(GAME, LANDING).plays("e3^e5").plays("e5xe6")
    assert table.becomes("""
         6   .  .  .  . +X  .  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events == [
        "attack e5xe6",
        "shown e5 dragon to all",
        "shown e6 elf to all",
        "removed e6",
        "take e5-e6",
        "turn north",
    ]
    assert not table.state.is_turn_open


@pytest.mark.rule("FI-X-03")
def test_the_attack_after_landing_is_never_compulsory() -> None:
    table = Table(GAME, LANDING).plays("e3^e5").plays("done")
    assert table.events == ["turn north"]
    assert table.to_move == "north"


DIVE = """
     8  -F  .  .  .  .  .  .  .  . -2
     6   .  .  .  . -{code}  .  .  .  .  .
     4   .  .  ~  ~ -3  .  ~  ~  .  .
     3   .  .  .  . +X  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("FI-X-03", "FI-P-04")
@pytest.mark.parametrize(("code", "left"), [("9", "+X"), ("s", "+X"), ("X", "."), ("B", "-B")])
def test_the_attack_after_landing_is_an_ordinary_one(code: str, left: str) -> None:
    table = Table(GAME, DIVE.replace("{code}", code)).plays("e3^e5 e5xe6")
    assert table.becomes(f"""
         6   .  .  .  . {left}  .  .  .  .  .
         3   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("FI-P-04")
def test_a_dragon_may_fly_to_the_flag_and_take_it() -> None:
    table = Table(
        GAME,
        """
         8   .  .  .  . -F  .  .  .  . -2
         6   .  .  .  . -3  .  .  .  .  .
         5   .  .  ~  ~ +X  .  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.plays("e5^e7 e7xe8").result == "south flag"


@pytest.mark.rule("FI-P-04")
def test_the_turn_ends_at_once_when_no_enemy_stands_next_to_the_landing_square() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         6   .  .  . -3  .  .  .  .  .  .
         4   .  .  ~  ~ +2  .  ~  ~  .  .
         3   .  .  .  . +X  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.plays("e3^e5").to_move == "north", "d6 is only diagonally next to e5, and e4 is a friend"


@pytest.mark.rule("FI-X-28")
def test_after_a_plain_step_there_is_no_attack() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         4   .  .  ~  ~ -3  .  ~  ~  .  .
         2   .  .  .  . +X  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.refuses("e2^e3")
    assert table.plays("e2-e3").to_move == "north"
