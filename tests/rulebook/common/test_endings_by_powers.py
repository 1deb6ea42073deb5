"""How games end where pieces have powers."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

DM = "duel-masters/elemental-powers"
FI = "fire-and-ice/special-powers"
HEMMED_DM = """
    10  -F  .  .  .  .  .  .  .  . -1
     3   .  .  .  .  .  .  .  .  .  .
     2  +B {neighbour}  .  .  .  .  .  .  .  .
     1  +{code} +F  .  .  .  .  .  .  .  .
"""
HEMMED_FI = HEMMED_DM.replace("10 ", " 8 ").replace("-1", "-2")


@pytest.mark.rule("CM-05")
@pytest.mark.parametrize(
    ("code", "neighbour", "saving"),
    [
        ("9", ".", {"a1^a3", "a1^c1"}),
        ("8", "-2", {"a1 detect b2"}),
        ("7", "-2", {"a1~a3", "a1~b3", "a1~c3", "a1~c2", "a1~c1"}),
        ("6", "-2", {"a1 shoot b2"}),
        ("4", ".", {"advance north", "advance east", "advance south", "advance west"}),
    ],
)
def test_in_duel_masters_a_power_saves_from_the_no_move_loss(
    code: str, neighbour: str, saving: set[str]
) -> None:
    table = Table(DM, HEMMED_DM.replace("{code}", code).replace("{neighbour}", neighbour))
    assert not table.result
    assert table.choices() == saving


@pytest.mark.rule("CM-05")
@pytest.mark.parametrize(
    ("code", "neighbour", "saving"),
    [
        ("X", ".", {"a1^a3", "a1^c1"}),
        ("9", "-3", {"a1 detect b2"}),
        ("6", "-3", {"a1 enchant b2"}),
        ("4", "-3", {"a1 shoot b2"}),
    ],
)
def test_in_fire_and_ice_a_power_saves_from_the_no_move_loss(
    code: str, neighbour: str, saving: set[str]
) -> None:
    table = Table(FI, HEMMED_FI.replace("{code}", code).replace("{neighbour}", neighbour))
    assert not table.result
    assert table.choices() == saving


@pytest.mark.rule("CM-05")
@pytest.mark.parametrize(
    ("game", "code", "neighbour"),
    [
        (DM, "8", "."),
        (DM, "6", "."),
        (DM, "3", "-2"),
        (DM, "5", "-2"),
        (FI, "9", "."),
        (FI, "8", "-3"),
        (FI, "5", "-3"),
    ],
)
def test_a_power_that_cannot_be_used_saves_nobody(game: str, code: str, neighbour: str) -> None:
    drawing = HEMMED_DM if game == DM else HEMMED_FI
    table = Table(game, drawing.replace("{code}", code).replace("{neighbour}", neighbour))
    assert table.result == "north no move"


@pytest.mark.rule("CM-05")
def test_a_cap_that_is_used_up_saves_nobody() -> None:
    table = Table(
        FI,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         3  -7  .  .  .  .  .  .  .  .  .
         2  +B -3  .  .  .  .  .  .  .  .
         1  +6 +F  .  .  .  .  .  .  .  .
        """,
        enchant_cap="1",
    )
    table.plays("a1 enchant b2", "j8-j7", "b2-b3", "a3xb3")
    assert table.result == "north no move"


@pytest.mark.rule("CM-05")
def test_an_advance_that_only_destroys_its_own_pieces_is_an_action_all_the_same() -> None:
    table = Table(DM, HEMMED_DM.replace("{code}", "4").replace("{neighbour}", "."))
    assert table.plays("advance north a1").events[-2:] == ["removed a1", "turn north"]
    assert not table.result
    assert table.plays("j10-j9").result == "north no move"


@pytest.mark.rule("CM-10", "CM-21", "FI-X-10")
@pytest.mark.parametrize(
    ("stuck", "result"), [("side_to_move_loses", "south no move"), ("draw", "draw both stuck")]
)
def test_a_rampage_may_take_the_last_movable_pieces_of_both_sides(stuck: str, result: str) -> None:
    table = Table(
        FI,
        """
         8  -F  .  .  .  .  .  .  .  .  .
         3   .  .  . -5  .  .  .  .  .  .
         1  +F  .  .  . +5  .  .  .  .  .
        """,
        both_stuck=stuck,
    )
    assert table.plays("e1-e2 rampage").result == result


@pytest.mark.rule("CM-21", "CM-05")
def test_both_stuck_is_no_draw_when_the_other_side_could_still_use_a_power() -> None:
    table = Table(
        FI,
        """
         8  -F  .  .  .  .  .  .  .  .  .
         3   .  . -3  .  .  .  .  .  .  .
         2  +B  .  .  .  .  .  .  .  .  .
         1  +4 +F  .  .  .  .  .  .  .  .
        """,
        both_stuck="draw",
    )
    table.plays("a1 shoot c3")
    assert table.result == "draw both stuck", "with nobody left to shoot at, South could not act either"
    again = Table(
        FI,
        """
         8  -F  .  .  .  .  .  .  .  .  .
         3  -B  . -3  .  .  .  .  .  .  .
         2  +B  .  .  .  .  .  .  .  .  .
         1  +4 +F  .  .  .  .  .  .  .  .
        """,
        both_stuck="draw",
    )
    assert again.plays("a1 shoot c3").result == "south no move", "South could still shoot at the Trap"


@pytest.mark.rule("CM-09", "CM-16")
@pytest.mark.parametrize("turn", ["e3^e5", "e3-d3"])
def test_a_power_that_removes_nobody_is_no_progress(turn: str) -> None:
    table = Table(
        DM,
        """
        10  -F  .  .  .  .  .  .  .  . -1
         4   .  .  .  . +2  .  .  .  .  .
         3   .  .  .  . +9  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        no_progress_draw="1",
    )
    assert table.plays(turn).result == "draw no progress"


@pytest.mark.rule("CM-16", "DM-P-08")
def test_a_piece_lost_over_the_edge_is_a_removal_and_so_progress() -> None:
    table = Table(
        DM,
        """
        10  -F  .  .  .  .  .  .  .  . -1
         3  +4  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
        no_progress_draw="1",
    )
    assert not table.plays("advance west a3").result
