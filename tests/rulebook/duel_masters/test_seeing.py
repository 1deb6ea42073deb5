"""Seeing: an 8000 makes an enemy near by show itself."""

from __future__ import annotations

import pytest

from tests.rulebook.around import within_two
from tests.rulebook.table import Table

GAME = "duel-masters/elemental-powers"
SOUTH_SEES = """
    10   .  .  .  .  .  .  .  .  . -F
     6   .  .  ~  ~ -5 -5  ~  ~  .  .
     5   .  .  ~  ~ -1 -1  ~  ~  .  .
     4   . -B -1 -1 -1 -1 -1 -B  .  .
     3   . -B -2 -2 +8 -2 -2 -B  .  .
     2   .  . -2 -3 -3 -3 -3  .  .  .
     1  +F  . -4 -4 -4 -4 -5  .  . +1
"""
NORTH_SEES = """
    10  -F  . +4 +4 +4 +4 +5  .  . -1
     9   .  . +2 +3 +3 +3 +3  .  .  .
     8   . +B +2 +2 -8 +2 +2 +B  .  .
     7   . +B +1 +1 +1 +1 +1 +B  .  .
     6   .  .  ~  ~ +1 +1  ~  ~  .  .
     5   .  .  ~  ~ +5 +5  ~  ~  .  .
     1   .  .  .  .  .  .  .  .  . +F
"""
PAIR = """
    10  -F  .  .  .  .  .  .  .  . -1
     5   .  .  ~  ~ -9  .  ~  ~  .  .
     4   .  .  .  . +3 -B  .  .  .  .
     3   .  .  .  . +8  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


@pytest.mark.rule("DM-P-04", "DM-X-04", "DM-X-09")
@pytest.mark.parametrize(
    ("drawing", "side", "seer"), [(SOUTH_SEES, "south", "e3"), (NORTH_SEES, "north", "e8")]
)
def test_an_8000_names_any_enemy_within_two_squares_whatever_stands_between(
    drawing: str, side: str, seer: str
) -> None:
    table = Table(GAME, drawing, to_move=side)
    seen = {turn for turn in table.choices(seer) if "detect" in turn}
    assert seen == {f"{seer} detect {cell}" for cell in within_two(GAME, seer)}


@pytest.mark.rule("DM-P-04", "DM-P-02")
def test_seer_and_target_are_shown_to_everybody_and_nothing_else_happens() -> None:
    table = Table(GAME, PAIR).plays("e3 detect e5")
    assert table.becomes("")
    assert table.events == [
        "use seeing e3 on e5",
        "shown e3 seer to all",
        "shown e5 leader to all",
        "turn north",
    ]
    assert table.shown_to("south") == ["e5 leader"]
    assert table.shown_to("north") == ["e3 seer"]


@pytest.mark.rule("DM-X-09")
def test_an_8000_sees_across_a_zone() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  .  . -1
         7   .  . -2 -3  .  .  .  .  .  .
         5   . +8  ~  ~  .  .  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert {turn for turn in table.choices("b5") if "detect" in turn} == {"b5 detect c7", "b5 detect d7"}


@pytest.mark.rule("DM-X-08")
@pytest.mark.parametrize(("code", "kind"), [("F", "flag"), ("B", "trap"), ("s", "spy")])
def test_flags_and_traps_can_be_seen_like_any_other_piece(code: str, kind: str) -> None:
    flag = "." if code == "F" else "-F"
    table = Table(
        GAME,
        f"""
        10  {flag}  .  .  .  .  .  .  .  . -1
         9   .  .  .  .  . -{code}  .  .  .  .
         8   .  .  .  . +8  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.plays("e8 detect f9").shown_to("south") == [f"f9 {kind}"]
    assert not table.result


@pytest.mark.rule("DM-P-04")
def test_an_8000_cannot_name_its_own_friends_or_an_empty_square() -> None:
    table = Table(GAME, PAIR)
    assert {turn for turn in table.choices("e3") if "detect" in turn} == {"e3 detect e5", "e3 detect f4"}


@pytest.mark.rule("DM-X-10")
def test_a_known_piece_may_be_named_again_and_again_and_that_is_no_progress() -> None:
    table = Table(GAME, PAIR, no_progress_draw="4")
    table.plays("e3 detect e5", "j10-j9", "e3 detect e5")
    assert not table.result
    assert table.plays("j9-j10").result == "draw no progress"


@pytest.mark.rule("DM-X-10")
def test_with_detect_known_off_a_piece_that_was_shown_cannot_be_named() -> None:
    table = Table(GAME, PAIR, detect_known="off")
    assert table.allows("e3 detect e5")
    table.plays("e3 detect e5", "j10-j9")
    assert table.refuses("e3 detect e5")
    assert table.allows("e3 detect f4")


@pytest.mark.rule("DM-X-10")
@pytest.mark.parametrize("known", ["on", "off"])
def test_detect_known_asks_what_the_seers_side_knows_however_it_was_shown(known: str) -> None:
    table = Table(GAME, PAIR, detect_known=known)
    table.plays("e4xf4", "j10-j9")
    assert table.known_to("south") == {"f4": "trap"}
    assert table.allows("e3 detect f4") == (known == "on")
    assert table.allows("e3 detect e5"), "North's 9000 has not been shown"
