"""The Lord of the Rings: King Théoden's Swift Steed."""

from __future__ import annotations

import pytest

from tests.rulebook.lotr.pieces import GAMES, GOOD
from tests.rulebook.table import Table

OPEN = """
    10  -F  .  .  .  .  .  .  .  . -2
     8   .  .  .  . -T  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +2
"""
STEPS = {"e8-e9", "e8-f8", "e8-e7", "e8-d8"}
RIDES = {
    *{"e8-e9-e10", "e8-e9-f9", "e8-e9-d9", "e8-f8-f9", "e8-f8-g8", "e8-f8-f7"},
    *{"e8-e7-f7", "e8-e7-e6", "e8-e7-d7", "e8-d8-d9", "e8-d8-d7", "e8-d8-c8"},
}
RETURNS = {"e8-e9-e8", "e8-f8-e8", "e8-e7-e8", "e8-d8-e8"}


@pytest.mark.rule("LR-P-08", "LR-X-29")
@pytest.mark.parametrize("game", GAMES)
def test_theoden_goes_one_square_or_two_in_any_combination_but_not_back(game: str) -> None:
    assert Table(game, OPEN, to_move="north").choices("e8") == STEPS | RIDES


@pytest.mark.rule("LR-X-29")
@pytest.mark.parametrize("game", GAMES)
def test_with_two_step_may_return_he_may_ride_out_and_back(game: str) -> None:
    table = Table(game, OPEN, to_move="north", two_step_may_return="on")
    assert table.choices("e8") == STEPS | RIDES | RETURNS
    table.plays("e8-e9-e8")
    assert table.becomes("")
    assert table.events == ["shown e8 theoden to all", "move e8-e9", "move e9-e8", "turn south"]


@pytest.mark.rule("LR-P-02", "LR-P-08")
@pytest.mark.parametrize("game", GAMES)
def test_he_is_shown_before_he_rides_two_squares(game: str) -> None:
    table = Table(game, OPEN, to_move="north").plays("e8-e7-f7")
    assert table.events == ["shown e8 theoden to all", "move e8-e7", "move e7-f7", "turn south"]
    assert table.becomes("""
         8   .  .  .  .  .  .  .  .  .  .
         7   .  .  .  .  . -T  .  .  .  .
    """)


@pytest.mark.rule("LR-P-01", "LR-P-08")
@pytest.mark.parametrize("game", GAMES)
def test_a_single_step_shows_nothing_and_ends_the_turn(game: str) -> None:
    table = Table(game, OPEN, to_move="north").plays("e8-e7")
    assert table.events == ["move e8-e7", "turn south"]


MEETING = """
    10  -F  .  .  .  .  .  .  .  . -2
     8   .  .  .  . -T +3  .  .  .  .
     7   .  .  .  .  . +2  .  .  .  .
     6   .  .  ~  ~ +@  .  ~  ~  .  .
     1  +F  .  .  .  .  .  .  .  . +2
"""


@pytest.mark.rule("LR-P-08")
@pytest.mark.parametrize("game", GAMES)
def test_he_may_end_his_ride_with_an_attack_and_wins_the_square(game: str) -> None:
    table = Table(game, MEETING.replace("@", "6"), to_move="north").plays("e8-e7xe6")
    assert table.events == [
        "shown e8 theoden to all",
        "move e8-e7",
        "attack e7xe6",
        "shown e7 theoden to all",
        "shown e6 uruk-hai to all",
        "removed e6",
        "take e7-e6",
        "turn south",
    ]
    assert table.becomes("""
         8   .  .  .  .  . +3  .  .  .  .
         6   .  .  ~  ~ -T  .  ~  ~  .  .
    """)


@pytest.mark.rule("LR-P-08")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("code", "left"), [("L", "."), ("8", "+8"), ("B", "+B")])
def test_he_may_also_lose_at_the_end_of_his_ride(game: str, code: str, left: str) -> None:
    table = Table(game, MEETING.replace("@", code), to_move="north").plays("e8-e7xe6")
    assert table.becomes(f"""
         8   .  .  .  .  . +3  .  .  .  .
         6   .  .  ~  ~ {left}  .  ~  ~  .  .
    """)
    assert "removed e7" in table.events


@pytest.mark.rule("LR-P-08", "CM-24")
@pytest.mark.parametrize("game", GAMES)
def test_an_enemy_on_the_first_square_can_only_be_attacked(game: str) -> None:
    table = Table(game, MEETING.replace("@", "6"), to_move="north")
    assert {text for text in table.choices("e8") if text.startswith(("e8-f8", "e8xf8"))} == {"e8xf8"}
    table.plays("e8xf8")
    assert table.to_move == "south"
    assert not table.state.is_turn_open


@pytest.mark.rule("LR-P-08")
@pytest.mark.parametrize("game", GAMES)
def test_he_may_attack_round_a_corner(game: str) -> None:
    table = Table(game, MEETING.replace("@", "6"), to_move="north")
    assert {text for text in table.choices("e8") if "x" in text} == {"e8xf8", "e8-e7xe6", "e8-e7xf7"}


@pytest.mark.rule("LR-P-08")
@pytest.mark.parametrize("game", GAMES)
def test_he_rides_neither_through_friends_nor_into_zones_nor_off_the_board(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         9  -3  .  .  .  .  .  .  .  .  .
         6   .  .  ~  ~  .  .  ~  ~  .  .
         5 -T  .  ~  ~  .  .  ~  ~  .  .
         4   . -3  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
        to_move="north",
    )
    steps = {"a5-a6", "a5-b5", "a5-a4"}
    assert table.choices("a5") == {*steps, "a5-a6-a7", "a5-a6-b6", "a5-b5-b6", "a5-a4-a3"}


@pytest.mark.rule("LR-P-08")
@pytest.mark.parametrize("game", GAMES)
def test_nobody_else_rides_a_swift_steed(game: str) -> None:
    for code in GOOD.keys() - {"T", "2"}:
        table = Table(game, OPEN.replace("-T", f"-{code}"), to_move="north")
        assert table.choices("e8") == STEPS, code
    rider = Table(game, OPEN.replace("-T", "-2"), to_move="north")
    assert not [text for text in rider.choices() if text.count("-") == 2]
    assert Table("lotr/classic", OPEN, to_move="north").choices("e8") == STEPS


@pytest.mark.rule("LR-M-05", "CM-14")
@pytest.mark.parametrize("game", GAMES)
def test_a_ride_counts_by_its_first_and_last_square_whichever_way_he_takes(game: str) -> None:
    table = Table(game, OPEN, to_move="north")
    table.plays("e8-e7-f7", "j1-j2", "f7-f8-e8", "j2-j1")
    assert table.refuses("e8-e7-f7")
    assert table.refuses("e8-f8-f7")
    assert table.allows("e8-e7-d7")
    assert table.allows("e8-e7")


@pytest.mark.rule("CM-19")
@pytest.mark.parametrize("game", GAMES)
def test_a_ride_out_and_back_breaks_the_chain_of_the_two_square_rule(game: str) -> None:
    table = Table(game, OPEN, to_move="north", two_step_may_return="on")
    table.plays("e8-e7", "j1-j2", "e7-e8", "j2-j1")
    assert table.refuses("e8-e7")
    table.plays("e8-d8-e8", "j1-i1")
    assert table.allows("e8-e7")


@pytest.mark.rule("CM-19", "CM-03")
@pytest.mark.parametrize("game", GAMES)
def test_a_ride_that_ends_in_an_attack_is_an_attack_for_the_two_square_rule(game: str) -> None:
    drawing = """
        10  -F  .  .  .  .  .  .  .  . -2
         8   .  .  .  . -T  .  .  .  .  .
         6   .  .  ~  ~ +3  .  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  . +2
    """
    table = Table(game, drawing, to_move="north")
    table.plays("e8-e7xe6", "j1-j2", "e6-e7-e8", "j2-j1", "e8-e7-e6", "j1-i1")
    assert table.refuses("e6-e7-e8")
    table = Table(game, drawing, to_move="north", two_square_counts_attacks="on")
    table.plays("e8-e7xe6", "j1-j2", "e6-e7-e8", "j2-j1")
    assert table.refuses("e8-e7-e6")
