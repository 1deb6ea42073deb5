"""Detect Enemy: a Mage makes an enemy near by show itself."""

from __future__ import annotations

import pytest

from tests.rulebook.around import within_two
from tests.rulebook.fire_and_ice.crowd import GAME, NORTH_CROWD, SOUTH_CROWD
from tests.rulebook.table import Table

PAIR = """
     8  -F  .  .  .  .  .  .  .  . -2
     4   .  .  ~  ~ -X  .  ~  ~  .  .
     3   .  .  .  . +3 -B  .  .  .  .
     2   .  .  .  . +9  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("FI-P-05", "FI-X-19")
@pytest.mark.parametrize(
    ("crowd", "side", "mage"), [(SOUTH_CROWD, "south", "e3"), (NORTH_CROWD, "north", "e6")]
)
def test_a_mage_names_any_enemy_within_two_squares_whatever_stands_between(
    crowd: str, side: str, mage: str
) -> None:
    table = Table(GAME, crowd.replace("{user}", "9"), to_move=side)
    seen = {turn for turn in table.choices(mage) if "detect" in turn}
    assert seen == {f"{mage} detect {cell}" for cell in within_two(GAME, mage)}


@pytest.mark.rule("FI-P-05")
def test_a_mage_detects_across_a_zone() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         6   .  . -3 -3  .  .  .  .  .  .
         4   . +9  ~  ~  .  .  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.allows("b4 detect c6")
    assert table.allows("b4 detect d6")


@pytest.mark.rule("FI-P-05", "FI-P-02", "FI-P-01")
def test_mage_and_target_are_shown_to_everybody_and_the_turn_is_over() -> None:
    table = Table(GAME, PAIR).plays("e2 detect e4")
    assert table.becomes("")
    assert table.events == [
        "use detect-enemy e2 on e4",
        "shown e2 mage to all",
        "shown e4 dragon to all",
        "turn north",
    ]
    assert (table.shown_to("south"), table.shown_to("north")) == (["e4 dragon"], ["e2 mage"])


@pytest.mark.rule("FI-P-05")
def test_a_mage_cannot_name_friends_or_empty_squares() -> None:
    found = {turn for turn in Table(GAME, PAIR).choices("e2") if "detect" in turn}
    assert found == {"e2 detect e4", "e2 detect f3"}


@pytest.mark.rule("FI-X-25")
@pytest.mark.parametrize("known", ["on", "off"])
def test_a_known_piece_may_be_detected_again_unless_detect_known_is_off(known: str) -> None:
    table = Table(GAME, PAIR, detect_known=known).plays("e2 detect e4", "j8-j7")
    assert table.allows("e2 detect e4") == (known == "on")
    assert table.allows("e2 detect f3")


@pytest.mark.rule("FI-X-25")
def test_arrows_and_enchantments_may_aim_at_known_pieces_whatever_detect_known_says() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         4   .  .  ~  ~ -X  .  ~  ~  .  .
         2   .  .  .  . +9 +4 +6  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        detect_known="off",
    )
    table.plays("e2 detect e4", "j8-j7")
    assert table.allows("f2 shoot e4")
    assert table.allows("g2 enchant e4")
    assert table.refuses("e2 detect e4")
