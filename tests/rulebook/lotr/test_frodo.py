"""The Lord of the Rings, Destroy the Ring: Frodo in a fight."""

from __future__ import annotations

import pytest

from tests.rulebook.fight import fight, meeting
from tests.rulebook.lotr.pieces import EVIL, POWERS, RING
from tests.rulebook.table import Table

NAMES = {
    **{"X": "witch-king", "9": "saruman", "8": "ringwraith", "G": "gothmog", "L": "lurtz", "K": "sharku"},
    **{"6": "uruk-hai", "5": "berzerker", "4": "haradrim", "3": "orc", "2": "warg-rider", "s": "wormtongue"},
}
CAPTORS = ["X", "8"]
BLIND = ["9", "G", "L", "K", "6", "5", "4"]
WEAKER = ["3", "2", "s"]


def test_the_lists_name_every_movable_piece_of_evil() -> None:
    assert {*CAPTORS, *BLIND, *WEAKER} == EVIL.keys() == NAMES.keys()


@pytest.mark.rule("LR-R-06", "LR-R-10")
@pytest.mark.parametrize("code", CAPTORS)
def test_the_witch_king_and_a_ringwraith_capture_frodo_when_they_attack(code: str) -> None:
    table = meeting(RING, code, "D").plays("e2xe3")
    assert table.events == [
        "attack e2xe3",
        f"shown e2 {NAMES[code]} to all",
        "shown e3 frodo to all",
        "removed e3",
        "regime bearer lost",
        "take e2-e3",
        "turn north",
    ]
    assert table.becomes(f"""
         3   .  .  .  . +{code}  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("LR-R-06", "LR-R-10")
@pytest.mark.parametrize("code", CAPTORS)
def test_they_capture_him_when_he_attacks_them(code: str) -> None:
    table = meeting(RING, "D", code, side="north").plays("e3xe2")
    assert table.events == [
        "attack e3xe2",
        "shown e3 frodo to all",
        f"shown e2 {NAMES[code]} to all",
        "removed e3",
        "regime bearer lost",
        "turn south",
    ]
    assert table.becomes("""
         3   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("LR-R-04", "LR-R-07", "LR-X-11", "LR-X-12")
@pytest.mark.parametrize("code", BLIND)
def test_when_frodo_attacks_a_piece_that_cannot_see_him_nobody_is_captured_and_he_stays(code: str) -> None:
    table = meeting(RING, "D", code, side="north").plays("e3xe2")
    assert table.events == [
        "attack e3xe2",
        "shown e3 frodo to all",
        f"shown e2 {NAMES[code]} to all",
        "nothing e2",
        "turn south",
    ]
    assert table.becomes("")
    assert table.known_to("south") == {"e3": "frodo"}
    assert table.known_to("north") == {"e2": NAMES[code]}


@pytest.mark.rule("LR-R-04", "LR-R-07", "LR-X-11", "LR-X-12")
@pytest.mark.parametrize("code", BLIND)
def test_when_a_piece_that_cannot_see_him_attacks_frodo_nobody_is_captured_and_it_stays(code: str) -> None:
    table = meeting(RING, code, "D").plays("e2xe3")
    assert table.events == [
        "attack e2xe3",
        f"shown e2 {NAMES[code]} to all",
        "shown e3 frodo to all",
        "nothing e3",
        "turn north",
    ]
    assert table.becomes("")
    assert table.known_to("south") == {"e3": "frodo"}
    assert table.known_to("north") == {"e2": NAMES[code]}


@pytest.mark.rule("LR-R-03")
@pytest.mark.parametrize("code", WEAKER)
def test_frodo_captures_orcs_warg_riders_and_wormtongue_as_a_four_and_moves_in(code: str) -> None:
    table = meeting(RING, "D", code, side="north").plays("e3xe2")
    assert table.events[-3:] == ["removed e2", "take e3-e2", "turn south"]
    assert table.becomes("""
         3   .  .  .  .  .  .  .  .  .  .
         2   .  .  .  . -D  .  .  .  .  .
    """)


@pytest.mark.rule("LR-R-03")
@pytest.mark.parametrize("code", WEAKER)
def test_orcs_warg_riders_and_wormtongue_are_captured_when_they_attack_him(code: str) -> None:
    table = meeting(RING, code, "D").plays("e2xe3")
    assert table.events[-2:] == ["removed e2", "turn north"]
    assert table.becomes("""
         2   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("LR-R-05", "LR-R-07")
def test_a_stronghold_does_not_harm_frodo_and_both_are_shown() -> None:
    table = meeting(RING, "D", "B", side="north").plays("e3xe2")
    assert table.events == [
        "attack e3xe2",
        "shown e3 frodo to all",
        "shown e2 stronghold to all",
        "nothing e2",
        "turn south",
    ]
    assert table.becomes("")


@pytest.mark.rule("LR-R-03", "LR-V-01")
def test_frodo_may_capture_the_flag() -> None:
    table = Table(
        RING,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         2  -D  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
        to_move="north",
    ).plays("a2xa1")
    assert table.result == "north flag"


@pytest.mark.rule("LR-R-03")
def test_frodo_steps_as_any_other_piece_and_unseen() -> None:
    table = meeting(RING, "D", "B", side="north")
    assert table.choices("e3") == {"e3-e4", "e3-d3", "e3-f3", "e3xe2"}
    assert table.plays("e3-f3").events == ["move e3-f3", "turn south"]


@pytest.mark.rule("LR-R-03", "LR-S-04")
def test_a_warg_rider_that_runs_into_frodo_is_captured() -> None:
    table = Table(
        RING,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         8   .  .  .  . -D  .  .  .  .  .
         2   .  .  .  . +2  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    ).plays("e2xe8")
    assert table.events[-2:] == ["removed e2", "turn north"]


@pytest.mark.rule("LR-P-12")
def test_without_the_ring_frodo_is_an_ordinary_four() -> None:
    for code, number in EVIL.items():
        expected = "attacker" if number < 4 else "nobody" if number == 4 else "defender"
        assert fight(POWERS, "D", code, side="north") == expected, code
        expected = "defender" if number < 4 else "nobody" if number == 4 else "attacker"
        assert fight(POWERS, code, "D") == expected, code
    assert fight(POWERS, "D", "B", side="north") == "defender"


@pytest.mark.rule("LR-P-12", "LR-R-10")
def test_without_the_ring_his_capture_changes_nothing_else() -> None:
    table = meeting(POWERS, "X", "D").plays("e2xe3")
    assert table.events[-3:] == ["removed e3", "take e2-e3", "turn north"]


@pytest.mark.rule("LR-R-04")
@pytest.mark.parametrize("code", ["A", "M", "P"])
def test_his_friends_are_ordinary_fours_with_or_without_the_ring(code: str) -> None:
    for other, number in EVIL.items():
        expected = "defender" if number < 4 else "nobody" if number == 4 else "attacker"
        assert fight(RING, other, code) == expected, other
    assert fight(RING, code, "B", side="north") == "defender"


@pytest.mark.rule("LR-X-12", "LR-X-36")
def test_with_frodo_tie_kills_he_captures_haradrim_and_moves_in() -> None:
    table = meeting(RING, "D", "4", side="north", frodo_tie_kills="on").plays("e3xe2")
    assert table.events[-3:] == ["removed e2", "take e3-e2", "turn south"]
    assert table.becomes("""
         3   .  .  .  .  .  .  .  .  .  .
         2   .  .  .  . -D  .  .  .  .  .
    """)


@pytest.mark.rule("LR-X-12")
def test_with_frodo_tie_kills_haradrim_that_attack_him_are_captured() -> None:
    table = meeting(RING, "4", "D", frodo_tie_kills="on").plays("e2xe3")
    assert table.events[-2:] == ["removed e2", "turn north"]
    assert table.becomes("""
         2   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("LR-X-12")
def test_frodo_tie_kills_changes_no_other_fight() -> None:
    for code in EVIL.keys() - {"4"}:
        for side, pair in (("north", ("D", code)), ("south", (code, "D"))):
            usual = fight(RING, *pair, side=side)
            assert fight(RING, *pair, side=side, frodo_tie_kills="on") == usual, pair
    assert fight(RING, "A", "4", side="north", frodo_tie_kills="on") == "nobody"
    assert fight(RING, "D", "B", side="north", frodo_tie_kills="on") == "both"


@pytest.mark.rule("CM-16", "LR-X-11")
def test_a_fight_in_which_nobody_falls_is_no_progress() -> None:
    table = meeting(RING, "9", "D", no_progress_draw="3").plays("j1-i1", "j10-i10", "e2xe3")
    assert table.result == "draw no progress"


@pytest.mark.rule("CM-03", "LR-X-11")
def test_a_fight_in_which_nobody_falls_is_an_attack_for_the_two_square_rule() -> None:
    table = meeting(RING, "9", "D").plays("e2-f2", "j10-j9", "f2-e2", "j9-j10")
    assert table.refuses("e2-f2")
    assert table.plays("e2xe3", "j10-i10").allows("e2-f2")
