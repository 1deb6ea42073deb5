"""Dimensional Vortex: a 7000 vanishes and appears near by."""

from __future__ import annotations

import pytest

from tests.rulebook.around import within_two
from tests.rulebook.table import Table

GAME = "duel-masters/elemental-powers"
OPEN = """
    10  -F  .  .  .  .  .  .  .  . -1
     3   .  .  .  . +7  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""
WALLED = """
    10  -F  .  .  .  .  .  .  .  . -1
     4   .  .  . +1 -2 +1  .  .  .  .
     3   .  .  . -2 +7 -2  .  .  .  .
     2   .  .  . +1 -2 +1  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


def vortexes(table: Table, origin: str) -> set[str]:
    """Where the piece on a square may teleport to."""
    return {turn.split("~")[1] for turn in table.choices(origin) if "~" in turn}


@pytest.mark.rule("DM-P-05", "DM-X-04")
def test_a_7000_reaches_every_open_square_within_two() -> None:
    assert vortexes(Table(GAME, OPEN), "e3") == within_two(GAME, "e3")
    north = Table(GAME, OPEN.replace("3   .  .  .  . +7", "8   .  .  .  . -7"), to_move="north")
    assert vortexes(north, "e8") == within_two(GAME, "e8")


@pytest.mark.rule("DM-X-25", "DM-P-05")
def test_a_7000_passes_through_everybody_but_lands_on_open_squares_only() -> None:
    table = Table(GAME, WALLED)
    walls = {"d4", "e4", "f4", "d3", "f3", "d2", "e2", "f2"}
    assert vortexes(table, "e3") == within_two(GAME, "e3") - walls


@pytest.mark.rule("DM-P-05")
@pytest.mark.parametrize("corner", ["a1", "j1", "a10", "j10"])
def test_at_the_edge_of_the_board_the_vortex_ends(corner: str) -> None:
    drawing = {corner: "+7", "c8": "-F", "c3": "+F", "f5": "-1"}
    rows = "\n".join(
        f"{row} " + " ".join(drawing.get(f"{column}{row}", ".") for column in "abcdefghij")
        for row in (10, 8, 3, 1)
    )
    zone_row = "5 . . ~ ~ . -1 ~ ~ . ."
    table = Table(GAME, f"{rows}\n{zone_row}")
    assert vortexes(table, corner) == within_two(GAME, corner) - {"c3", "c8"}


@pytest.mark.rule("DM-P-05", "DM-P-02", "DM-P-01")
def test_a_7000_is_shown_vanishes_appears_and_its_turn_is_over() -> None:
    table = Table(GAME, WALLED).plays("e3~f5")
    assert table.becomes("""
         5   .  .  ~  ~  . +7  ~  ~  .  .
         3   .  .  . -2  . -2  .  .  .  .
    """)
    assert table.events == [
        "use dimensional-vortex e3 on f5",
        "shown e3 knight to all",
        "teleport e3-f5",
        "turn north",
    ]
    assert table.known_to("north") == {"f5": "knight"}


@pytest.mark.rule("DM-P-05")
def test_a_vortex_cannot_attack() -> None:
    table = Table(GAME, WALLED)
    assert table.refuses("e3~e4")
    table.plays("e3~c4")
    assert table.to_move == "north"
    assert not table.state.is_turn_open
