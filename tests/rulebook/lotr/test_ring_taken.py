"""The Lord of the Rings, Destroy the Ring: Evil has the Ring and is stronger by one."""

from __future__ import annotations

import pytest

from flagfall.engine import events
from tests.rulebook.lotr.pieces import EVIL, GOOD, RING
from tests.rulebook.table import Table

RAISED = {code: number + 1 for code, number in EVIL.items() if code != "s"}


def with_ring(drawing: str, *, to_move: str = "south", **options: str) -> Table:
    """The Ringwraith on j4 has taken Frodo on j5; then a piece on the back row waits if need be."""
    table = Table(RING, drawing, **options).plays("j4xj5")
    return table if to_move == "north" else table.plays("j10-i10")


def meeting(evil: str, good: str, side: str) -> Table:
    """Two neighbours, after Frodo's capture."""
    return with_ring(
        f"""
        10  -F  .  .  .  .  .  .  .  . -2
         5   .  .  ~  ~  .  .  ~  ~  . -D
         4   .  .  .  .  .  .  .  .  . +8
         3   .  .  .  . -{good}  .  .  .  .  .
         2   .  .  .  . +{evil}  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
        to_move=side,
    )


def fight(evil: str, good: str, side: str) -> str:
    """Who is left: ``evil``, ``good``, ``nobody``."""
    table = meeting(evil, good, side).plays("e2xe3" if side == "south" else "e3xe2")
    lost = {event[-2:] for event in table.events if event.startswith("removed")}
    return {("e3",): "evil", ("e2",): "good", ("e2", "e3"): "nobody"}[tuple(sorted(lost))]


@pytest.mark.rule("LR-R-10", "LR-X-34")
@pytest.mark.parametrize("side", ["south", "north"])
def test_every_gray_number_counts_one_more_from_now_on(side: str) -> None:
    for evil, strength in RAISED.items():
        for good, other in GOOD.items():
            is_exception = good == "s" and evil == "X" and side == "north"
            if good == "D" or is_exception:
                continue
            expected = "evil" if strength > other else "good" if strength < other else "nobody"
            assert fight(evil, good, side) == expected, (evil, good)


@pytest.mark.rule("LR-R-10")
def test_before_frodo_s_capture_the_numbers_are_the_printed_ones() -> None:
    drawing = """
        10  -F  .  .  .  .  .  .  .  . -2
         3   .  .  .  . -3  .  .  .  .  .
         2   .  .  .  . +2  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
    """
    assert Table(RING, drawing).plays("e2xe3").events[-2:] == ["removed e2", "turn north"]
    assert fight("2", "3", "south") == "nobody"


@pytest.mark.rule("LR-R-10", "LR-X-34")
def test_everybody_is_told_of_it() -> None:
    table = meeting("3", "3", "north")
    assert "regime bearer lost" in table.events
    [told] = [row for row in table.rows if row.what == events.PHASE]
    assert told.audience == events.TO_ALL


@pytest.mark.rule("LR-X-34")
def test_it_lasts_to_the_end() -> None:
    table = meeting("3", "3", "south")
    table.plays("j1-i1", "i10-h10", "i1-h1", "h10-g10", "h1-g1", "g10-f10")
    assert table.plays("e2xe3").events[-3:] == ["removed e3", "take e2-e3", "turn north"]


@pytest.mark.rule("LR-R-11", "LR-X-24")
def test_eowyn_still_captures_the_witch_king_but_not_saruman() -> None:
    assert fight("X", "s", "north") == "good"
    assert fight("9", "s", "north") == "evil"
    assert fight("X", "s", "south") == "evil"


@pytest.mark.rule("LR-R-12")
def test_wormtongue_the_flag_and_strongholds_are_as_before() -> None:
    for good in GOOD.keys() - {"D", "X", "s"}:
        assert fight("s", good, "south") == "good", good
    assert fight("s", "X", "south") == "evil"
    assert fight("s", "s", "south") == "nobody"
    assert fight("s", "2", "north") == "good"
    assert fight("B", "3", "north") == "good"
    assert fight("B", "A", "north") == "evil"


@pytest.mark.rule("LR-R-12", "LR-X-22")
def test_privileges_go_with_the_piece_and_not_with_its_number() -> None:
    assert fight("3", "B", "south") == "evil"
    assert fight("2", "B", "south") == "good"
    table = meeting("2", "3", "south")
    assert {"e2-h2", "e2-a2"} <= table.choices("e2")
    assert table.choices("j1") > {"j1-j2", "j1-j4"}
    orc = meeting("3", "B", "south")
    assert orc.refuses("e2-c2")


@pytest.mark.rule("LR-R-12")
@pytest.mark.parametrize(("code", "falls"), [("O", True), ("5", True), ("B", True), ("T", False)])
def test_a_rampage_now_takes_6s(code: str, falls: bool) -> None:
    table = with_ring(
        f"""
        10  -F  .  .  .  .  .  .  .  . -2
         5   .  .  ~  ~  .  .  ~  ~  . -D
         4   .  .  .  . -{code}  .  .  .  . +8
         2   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """
    ).plays("e2-e3 rampage")
    assert ("removed e4" in table.events) == falls
    assert "removed e3" in table.events


@pytest.mark.rule("LR-R-12")
@pytest.mark.parametrize(("code", "falls"), [("A", True), ("5", False), ("s", True), ("B", False)])
def test_the_haradrim_now_shoot_4s(code: str, falls: bool) -> None:
    table = with_ring(
        f"""
        10  -F  .  .  .  .  .  .  .  . -2
         5   .  .  ~  ~  .  .  ~  ~  . -D
         4   .  .  .  . -{code}  .  .  .  . +8
         2   .  .  .  . +4  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """
    ).plays("e2 shoot e4")
    assert ("removed e4" in table.events) == falls
    assert "removed e2" not in table.events


@pytest.mark.rule("LR-R-10", "LR-R-12", "LR-P-06")
def test_the_archers_of_good_meet_the_new_numbers_and_berzerkers_stay_immune() -> None:
    for archer, strength in {"L": 8, "R": 7, "5": 5}.items():
        for code, number in RAISED.items():
            table = with_ring(
                f"""
                10  -F  .  .  .  .  .  .  .  . -2
                 5   .  .  ~  ~  .  .  ~  ~  . -D
                 4   .  .  .  . -{archer}  .  .  .  . +8
                 2   .  .  .  . +{code}  .  .  .  .  .
                 1  +F  .  .  .  .  .  .  .  . +2
                """,
                to_move="north",
            ).plays("e4 shoot e2")
            is_captured = number < strength and code != "5"
            assert ("removed e2" in table.events) == is_captured, (archer, code)


@pytest.mark.rule("LR-R-10")
def test_gimli_s_axe_meets_the_new_numbers() -> None:
    for code, number in RAISED.items():
        table = with_ring(
            f"""
            10  -F  .  .  .  .  .  .  .  . -2
             5   .  .  ~  ~  .  .  ~  ~  . -D
             4   .  .  .  . -G  .  .  .  . +8
             2   .  .  .  . +{code}  .  .  .  .  .
             1  +F  .  .  .  .  .  .  .  . +2
            """,
            to_move="north",
        ).plays("e4-e3 swing e2 done")
        assert ("removed e2" in table.events) == (number <= 8), code
        assert ("removed e3" in table.events) == (number >= 8), code


@pytest.mark.rule("LR-R-12", "LR-P-09")
def test_an_uruk_hai_goes_on_attacking_as_a_seven() -> None:
    table = with_ring(
        """
        10  -F  .  .  .  .  .  .  .  . -2
         5   .  .  ~  ~ -T  .  ~  ~  . -D
         4   .  .  .  . -O  .  .  .  . +8
         3   .  .  .  . +6  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """
    ).plays("e3xe4")
    assert table.choices() == {"e4xe5", "done"}
    assert table.plays("e4xe5").events[-3:] == ["removed e4", "removed e5", "turn north"]


@pytest.mark.rule("LR-R-12", "LR-P-03", "LR-P-04")
def test_flight_and_detection_work_as_before() -> None:
    table = with_ring(
        """
        10  -F  .  .  .  .  .  .  .  . -2
         5   .  .  ~  ~  .  .  ~  ~  . -D
         4   .  .  .  . -3  .  .  .  . +8
         3   .  .  .  . +X  .  .  .  .  .
         2   .  .  .  . +9  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """
    )
    assert {"e3^e5", "e3^e1", "e2 detect e4"} <= table.choices()


@pytest.mark.rule("LR-R-08", "LR-R-10")
def test_nothing_is_purged_when_frodo_is_captured() -> None:
    table = meeting("3", "3", "north")
    assert [event for event in table.events if event.startswith("removed")] == ["removed j5"]
