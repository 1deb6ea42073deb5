"""What everybody sees of an Advance and of a Rampage, and where their own dead lie."""

from __future__ import annotations

import msgspec
import pytest

from flagfall.view.view import VIEWERS, Viewer
from tests.view.table import Table

DM = "duel-masters/elemental-powers"
FI = "fire-and-ice/special-powers"
NORTH = "d4 flag, a4 scout"
FRIENDLY_FIRE = [
    ("open", "{0}", "{0}"),
    ("prisoner", "?", "{0}"),
    ("secret", "{0}", "?"),
    ("stealth", "?", "?"),
]


@pytest.mark.rule("DM-P-07", "DM-P-02")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_each_piece_of_an_advance_is_shown_as_it_goes_and_not_before(viewer: Viewer) -> None:
    table = Table(DM, south="a1 flag, b1 swarm, c1 swarm, d1 brute", north=NORTH).plays("advance north")
    assert table.shown(viewer) == set()
    announced = table.seen[viewer]
    assert [(event.what, event.side, event.detail) for event in announced] == [("advance", "south", "north")]
    if viewer != "south":
        assert table.piece(viewer, "b1").kind == ""
    table.plays("at c1")
    assert [(event.what, event.piece) for event in table.seen[viewer]] == [("shown", "c1"), ("move", "c1")]
    assert table.piece(viewer, "c2").kind == "swarm"
    if viewer != "south":
        assert table.piece(viewer, "b1").kind == "", "the next one has not been shown yet"


@pytest.mark.rule("DM-P-07")
def test_only_the_mover_is_asked_who_goes_next() -> None:
    table = Table(DM, south="a1 flag, b1 swarm, c1 swarm", north=NORTH).plays("advance north")
    prompt = table.view("south").prompt
    assert prompt is not None
    assert prompt.ask == "next"
    for viewer in ("north", "watcher"):
        assert table.view(viewer).prompt is None
        assert table.view(viewer).legal == ()


@pytest.mark.rule("DM-P-07", "DM-X-13")
def test_after_a_whole_advance_nobody_else_can_be_a_4000() -> None:
    table = Table(DM, south="a1 flag, b1 swarm, c1 brute, d1 scout", north=NORTH)
    assert "swarm" in table.possible("north", "c1")
    table.plays("advance north", "at b1")
    assert "swarm" not in table.possible("north", "c1")


@pytest.mark.rule("DM-X-13")
@pytest.mark.parametrize("viewer", ["north", "watcher"])
def test_who_stays_behind_in_an_advance_of_some_stays_hidden(viewer: Viewer) -> None:
    def some(south: str) -> bytes:
        table = Table(DM, south=south, north=NORTH, advance_subset="on")
        table.plays("advance north", "at b1", "done")
        assert "swarm" in table.possible(viewer, "c1")
        return msgspec.json.encode(table.view(viewer))

    assert some("a1 flag, b1 swarm, c1 swarm, d1 brute") == some("a1 flag, b1 swarm, c1 brute, d1 swarm")


@pytest.mark.rule("DM-X-15", "DM-P-09")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_fight_among_friends_shows_both_to_everybody(viewer: Viewer) -> None:
    table = Table(DM, south="a1 flag, b1 swarm, b2 brute", north=NORTH)
    table.plays("advance north", "at b1")
    assert table.shown(viewer) == {"swarm", "brute"}
    assert table.piece(viewer, "b2").kind == "brute"


@pytest.mark.rule("DM-X-17", "CM-23")
@pytest.mark.parametrize(("mode", "loser", "captor"), FRIENDLY_FIRE)
def test_a_piece_lost_over_the_edge_is_captured_by_the_opponent(mode: str, loser: str, captor: str) -> None:
    table = Table(DM, south="b1 flag, a1 swarm, d1 brute", north=NORTH, captured_pieces=mode)
    table.plays("advance west", "at a1", "a4-a3", "d1-d2", "a3-a4")
    assert table.tray("south") == [f"south {loser.format('swarm')}"]
    assert table.tray("north") == [f"south {captor.format('swarm')}"]


@pytest.mark.rule("CM-23", "DM-X-15")
@pytest.mark.parametrize(("mode", "loser", "captor"), FRIENDLY_FIRE)
def test_a_piece_that_fell_to_a_mate_is_captured_by_the_opponent(mode: str, loser: str, captor: str) -> None:
    table = Table(DM, south="a1 flag, b1 swarm, b2 scout, d1 brute", north=NORTH, captured_pieces=mode)
    table.plays("advance north", "at b1", "a4-a3", "d1-d2", "a3-a4")
    assert table.tray("south") == [f"south {loser.format('scout')}"]
    assert table.tray("north") == [f"south {captor.format('scout')}"]


@pytest.mark.rule("FI-X-11", "CM-23")
@pytest.mark.parametrize(("mode", "loser", "captor"), FRIENDLY_FIRE)
def test_friends_captured_by_a_rampage_are_the_opponents_captures(mode: str, loser: str, captor: str) -> None:
    table = Table(FI, south="d1 flag, a1 beast, a3 dwarf, c1 knight", north=NORTH, captured_pieces=mode)
    table.plays("a1-a2 rampage", "a4-b4", "c1-c2", "b4-a4", "c2-c1", "a4-a3")
    assert table.tray("south") == [f"south {loser.format('dwarf')}"]
    assert table.tray("north") == [f"south {captor.format('dwarf')}"]


@pytest.mark.rule("FI-P-07", "FI-X-09")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_rampage_shows_all_neighbours_of_both_sides_even_those_it_cannot_hurt(viewer: Viewer) -> None:
    table = Table(FI, south="a1 flag, b1 beast, a3 trap, d1 scout", north="b3 flag, c3 trap, d4 dwarf")
    table.plays("b1-b2 rampage")
    for cell, kind in {"a1": "flag", "a3": "trap", "b3": "flag", "c3": "trap"}.items():
        assert table.piece(viewer, cell).kind == kind
    if viewer != "north":
        assert table.piece(viewer, "d4").kind == "", "d4 is no neighbour"
    if viewer != "south":
        assert table.piece(viewer, "d1").kind == ""
