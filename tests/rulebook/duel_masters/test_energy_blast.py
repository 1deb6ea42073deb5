"""Energy Blast: a 6000 captures a weaker enemy from afar."""

from __future__ import annotations

import pytest

from tests.rulebook.around import along_lines, within_two
from tests.rulebook.table import Table

GAME = "duel-masters/elemental-powers"
SOUTH_RING = """
    10   .  .  .  .  .  .  .  .  . -F
     6   .  .  ~  ~ -5 -5  ~  ~  .  .
     5   .  .  ~  ~ -1 -1  ~  ~  .  .
     4   . -B -1  .  .  . -1 -B  .  .
     3   . -B -2  . +6  . -2 -B  .  .
     2   .  . -2  .  .  . -3  .  .  .
     1  +F  . -4 -4 -4 -4 -5  .  . +1
"""
NORTH_RING = """
    10  -F  . +4 +4 +4 +4 +5  .  . -1
     9   .  . +2  .  .  . +3  .  .  .
     8   . +B +2  . -6  . +2 +B  .  .
     7   . +B +1  .  .  . +1 +B  .  .
     6   .  .  ~  ~ +1 +1  ~  ~  .  .
     5   .  .  ~  ~ +5 +5  ~  ~  .  .
     1   .  .  .  .  .  .  .  .  . +F
"""
NEAR = {
    "e3": {"d4", "e4", "f4", "d3", "f3", "d2", "e2", "f2"},
    "e8": {"d9", "e9", "f9", "d8", "f8", "d7", "e7", "f7"},
}
CLOSE = """
    10  -F  .  .  .  .  .  .  .  . -2
     4   .  .  . -1 -1 -1  .  .  .  .
     3   .  .  . -1 +6 -1  .  .  .  .
     2   .  .  . -1 -1 -1  .  .  .  .
     1  +F  .  .  .  .  .  .  .  .  .
"""


def shots(table: Table, origin: str) -> set[str]:
    """The squares at which the piece on a square may shoot."""
    return {turn.split()[2] for turn in table.choices(origin) if "shoot" in turn}


def cells(row: int, stand: dict[str, str]) -> str:
    """A drawn row with pieces on some squares."""
    zone = "cdgh" if row == 5 else ""
    return " ".join(stand.get(f"{column}{row}", "~" if column in zone else ".") for column in "abcdefghij")


def blast(code: str, **options: str) -> Table:
    """A 6000 on e3 has blasted a piece two squares north of it."""
    flag = " ." if code == "F" else "-F"
    table = Table(
        GAME,
        f"""
        10  {flag}  .  .  .  .  .  .  .  . -1
         5   .  .  ~  ~ -{code}  .  ~  ~  .  .
         3   .  .  .  . +6  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        **options,
    )
    return table.plays("e3 shoot e5")


@pytest.mark.rule("DM-P-06", "DM-X-05")
@pytest.mark.parametrize(
    ("drawing", "side", "blaster"), [(SOUTH_RING, "south", "e3"), (NORTH_RING, "north", "e8")]
)
def test_a_blast_goes_two_squares_along_rows_columns_and_diagonals(
    drawing: str, side: str, blaster: str
) -> None:
    table = Table(GAME, drawing, to_move=side)
    assert shots(table, blaster) == along_lines(GAME, blaster) - NEAR[blaster]


@pytest.mark.rule("DM-X-05")
@pytest.mark.parametrize(
    ("drawing", "side", "blaster"), [(SOUTH_RING, "south", "e3"), (NORTH_RING, "north", "e8")]
)
def test_with_blast_range_square_a_blast_reaches_every_square_within_two(
    drawing: str, side: str, blaster: str
) -> None:
    table = Table(GAME, drawing, to_move=side, blast_range="square")
    assert shots(table, blaster) == within_two(GAME, blaster) - NEAR[blaster]


@pytest.mark.rule("DM-P-06", "DM-X-11")
def test_a_blast_hits_neighbours_too_also_diagonally() -> None:
    table = Table(GAME, CLOSE)
    assert shots(table, "e3") == NEAR["e3"]


@pytest.mark.rule("DM-P-06")
@pytest.mark.parametrize("between", ["+2", "-2"])
@pytest.mark.parametrize("reach", ["lines", "square"])
def test_a_piece_of_either_side_between_is_in_the_way(between: str, reach: str) -> None:
    table = Table(
        GAME,
        f"""
        10  -F  .  .  .  .  .  .  .  . -1
         5   .  .  ~  ~ -1  .  ~  ~  .  .
         4   .  .  .  . {between} {between}  .  .  .  .
         3   .  .  .  . +6  . -1  .  .  .
         2   .  .  . {between}  .  .  .  .  .  .
         1  +F  . -1  . -1  .  .  .  .  .
        """,
        blast_range=reach,
    )
    near = {"e4", "f4", "d2"} if between == "-2" else set()
    assert shots(table, "e3") == {"g3", "e1"} | near


@pytest.mark.rule("DM-P-06", "DM-X-05")
def test_a_blast_flies_over_a_zone() -> None:
    table = Table(
        GAME,
        """
        10  -F  .  .  .  .  .  .  .  . -1
         6   . +6  ~  ~  .  .  ~  ~  .  .
         5   .  .  ~  ~  .  .  ~  ~  .  .
         4   .  .  . -5  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    table.plays("b6 shoot d4")
    assert table.becomes("4  .  .  .  .  .  .  .  .  .  .")


@pytest.mark.rule("DM-P-06", "DM-P-02", "DM-X-11")
def test_a_weaker_target_is_shown_and_captured_and_the_blaster_stays_where_it_is() -> None:
    table = blast("5")
    assert table.becomes("5  .  .  ~  ~  .  .  ~  ~  .  .")
    assert table.events == [
        "use energy-blast e3 on e5",
        "shown e3 blaster to all",
        "shown e5 brute to all",
        "removed e5",
        "turn north",
    ]
    assert table.shown_to("south") == ["e5 brute"]
    assert table.shown_to("north") == ["e3 blaster"]


@pytest.mark.rule("DM-X-11")
def test_the_blaster_does_not_move_onto_the_square_of_a_neighbour_it_captured() -> None:
    table = Table(GAME, CLOSE).plays("e3 shoot e4")
    assert table.becomes("4  .  .  . -1  . -1  .  .  .  .")


@pytest.mark.rule("DM-P-06")
@pytest.mark.parametrize("code", list("12345"))
def test_every_lower_rank_falls(code: str) -> None:
    assert "removed e5" in blast(code).events


@pytest.mark.rule("DM-P-06")
@pytest.mark.parametrize(
    ("code", "kind"), [("6", "blaster"), ("7", "knight"), ("8", "seer"), ("9", "leader")]
)
def test_nothing_happens_to_an_equal_or_higher_rank_nor_to_the_blaster(code: str, kind: str) -> None:
    table = blast(code)
    assert table.becomes("")
    assert table.events[2:] == [f"shown e5 {kind} to all", "nothing e5", "turn north"]


@pytest.mark.rule("DM-X-06", "CM-12")
def test_a_spy_falls_to_a_blast() -> None:
    assert blast("s").events[2:] == ["shown e5 spy to all", "removed e5", "turn north"]


@pytest.mark.rule("DM-X-07", "DM-X-08", "DM-P-06", "CM-12")
@pytest.mark.parametrize(("code", "kind"), [("B", "trap"), ("F", "flag")])
def test_a_trap_or_flag_may_be_aimed_at_is_shown_and_does_not_mind(code: str, kind: str) -> None:
    table = blast(code)
    assert table.becomes("")
    assert table.events[2:] == [f"shown e5 {kind} to all", "nothing e5", "turn north"]
    assert not table.result


@pytest.mark.rule("DM-X-26")
@pytest.mark.parametrize(
    ("straight", "slanted", "is_clear"),
    [(".", ".", True), ("+2", ".", True), (".", "-2", True), ("-2", "+2", False), ("+2", "+2", False)],
)
def test_a_knights_square_is_hidden_only_if_both_squares_between_are_taken(
    straight: str, slanted: str, is_clear: bool
) -> None:
    table = Table(
        GAME,
        f"""
        10  -F  .  .  .  .  .  .  .  . -1
         5   .  .  ~  ~  . -1  ~  ~  .  .
         4   .  .  .  . {straight} {slanted}  .  .  .  .
         3   .  .  .  . +6  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        blast_range="square",
    )
    assert ("f5" in shots(table, "e3")) == is_clear


KNIGHTS_SQUARES = [
    ("f5", "e4", "f4"),
    ("g4", "f3", "f4"),
    ("g2", "f3", "f2"),
    ("f1", "e2", "f2"),
    ("d1", "e2", "d2"),
    ("c2", "d3", "d2"),
    ("c4", "d3", "d4"),
]


@pytest.mark.rule("DM-X-26")
@pytest.mark.parametrize(("target", "straight", "slanted"), KNIGHTS_SQUARES)
def test_the_squares_between_lie_on_the_way_to_each_knights_square(
    target: str, straight: str, slanted: str
) -> None:
    def table(*friends: str) -> Table:
        stand = {"e3": "+6", target: "-1", "a1": "+F"} | dict.fromkeys(friends, "+2")
        rows = [f"{row} {cells(row, stand)}" for row in (5, 4, 3, 2, 1)]
        return Table(GAME, "\n".join(["10 -F . . . . . . . . -1", *rows]), blast_range="square")

    assert table(straight, slanted).refuses(f"e3 shoot {target}")
    assert table(straight).allows(f"e3 shoot {target}")
    assert table(slanted).allows(f"e3 shoot {target}")


@pytest.mark.rule("DM-P-06", "CM-16")
def test_a_capture_by_a_blast_is_progress_and_a_vain_blast_is_not() -> None:
    vain, good = blast("7", no_progress_draw="2"), blast("1", no_progress_draw="2")
    assert vain.plays("j10-j9").result == "draw no progress"
    assert not good.plays("j10-j9").result
    assert good.plays("e3-e2").result == "draw no progress"
