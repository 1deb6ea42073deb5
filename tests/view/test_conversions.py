"""What everybody sees of a piece that has changed sides."""

from __future__ import annotations

import msgspec
import pytest

from flagfall.view.view import VIEWERS, Viewer
from tests.view.table import Table

GAME = "fire-and-ice/special-powers"
SOUTH = "a1 flag, b2 sorceress, d1 scout"
NORTH = "d4 flag, b4 dwarf, c4 trap, d3 knight, a4 scout"
MODES = ["open", "prisoner", "secret", "stealth"]


def converted(north: str = NORTH, **options: str) -> Table:
    """South's Sorceress has won the Dwarf on b4 over."""
    return Table(GAME, south=SOUTH, north=north, **options).plays("b2 enchant b4")


def sent(table: Table, viewer: Viewer) -> bytes:
    """What a viewer gets over the wire."""
    return msgspec.json.encode(table.view(viewer))


@pytest.mark.rule("FI-P-10", "FI-X-17")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_converted_piece_has_a_new_owner_a_known_kind_and_a_mark_for_everybody(viewer: Viewer) -> None:
    piece = converted().piece(viewer, "b4")
    assert (piece.side, piece.kind, piece.is_converted, piece.is_told) == ("south", "dwarf", True, True)
    assert (piece.possible, piece.looks_like) == ((), ())
    assert piece.name == "b4", "it keeps the name under which everybody knows it"


@pytest.mark.rule("FI-P-10", "FI-P-02")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_everybody_sees_the_same_of_an_enchantment(viewer: Viewer) -> None:
    table = converted()
    told = [(event.what, event.side, event.piece, event.kind) for event in table.seen[viewer]]
    assert told == [
        ("convert", "south", "b2", ""),
        ("shown", "south", "b2", "sorceress"),
        ("shown", "north", "b4", "dwarf"),
        ("converted", "south", "b4", ""),
        ("turn", "north", "", ""),
    ]
    assert table.view(viewer).conversions == (1, 0)


@pytest.mark.rule("FI-X-17")
@pytest.mark.parametrize("memory", ["assisted", "notes", "strict"])
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_converted_piece_stays_known_to_both_in_every_kind_of_memory(viewer: Viewer, memory: str) -> None:
    table = converted(memory=memory).plays("d3-c3", "d1-d2", "c3-d3", "d2-d1", "a4-a3")
    assert table.piece(viewer, "b4").kind == "dwarf"
    assert table.piece(viewer, "b4").is_converted
    enemy = "" if memory != "assisted" else "sorceress"
    if viewer != "south":
        assert table.piece(viewer, "b2").kind == enemy, "the Sorceress herself is forgotten again"


@pytest.mark.rule("FI-X-16", "FI-X-17")
def test_a_converted_piece_moves_under_its_new_owner_before_everybodys_eyes() -> None:
    table = converted().plays("d3-c3", "b4-b3")
    for viewer in VIEWERS:
        piece = table.piece(viewer, "b3")
        assert (piece.side, piece.kind, piece.moved) == ("south", "dwarf", True)


@pytest.mark.rule("FI-X-16")
def test_its_actions_are_offered_to_its_new_owner_alone() -> None:
    table = converted()
    assert not [choice for choice in table.choices() if " b4-" in choice], "North may not move it"
    table.plays("d3-c3")
    assert "move b4-b3" in table.choices()


@pytest.mark.rule("FI-P-10")
def test_a_kind_that_was_won_over_is_ruled_out_for_the_rest_of_its_old_army() -> None:
    table = converted()
    for viewer in ("south", "watcher"):
        for cell in ("c4", "d3", "a4"):
            assert "dwarf" not in table.possible(viewer, cell)


@pytest.mark.rule("FI-X-22", "FI-C-02", "FI-C-03", "FI-C-04", "FI-C-05")
@pytest.mark.parametrize(
    ("mode", "south", "north", "watcher"),
    [
        ("open", "dwarf", "dwarf", "dwarf"),
        ("prisoner", "?", "dwarf", "?"),
        ("secret", "dwarf", "?", "?"),
        ("stealth", "?", "?", "?"),
    ],
)
def test_a_converted_piece_that_is_captured_was_its_controllers(
    mode: str, south: str, north: str, watcher: str
) -> None:
    table = Table(GAME, south=SOUTH, north="d4 flag, b4 dwarf, c4 knight, a4 scout", captured_pieces=mode)
    table.plays("b2 enchant b4", "c4xb4", "d1-d2", "a4-a3")
    assert table.tray("south") == [f"south {south}"]
    assert table.tray("north") == [f"south {north}"]
    assert table.tray("watcher") == [f"south {watcher}"]


@pytest.mark.rule("FI-X-22")
@pytest.mark.parametrize("mode", MODES)
def test_what_it_captures_lies_in_the_tray_of_its_new_side(mode: str) -> None:
    table = Table(GAME, south=SOUTH, north="d4 flag, b4 dwarf, a4 trap, d3 knight", captured_pieces=mode)
    table.plays("b2 enchant b4", "d3-d2", "b4xa4", "d2xd1", "b2-b1")
    hidden = {"open": "trap", "prisoner": "trap", "secret": "?", "stealth": "?"}[mode]
    assert f"north {hidden}" in table.tray("south")


@pytest.mark.rule("FI-X-17")
def test_a_failed_enchantment_shows_the_target_and_converts_nobody() -> None:
    table = Table(GAME, south=SOUTH, north=NORTH).plays("b2 enchant d3")
    for viewer in VIEWERS:
        piece = table.piece(viewer, "d3")
        assert (piece.side, piece.kind, piece.is_converted) == ("north", "knight", False)
        assert table.view(viewer).conversions == (0, 0)
        assert table.seen[viewer][-2].what == "no-effect"


@pytest.mark.rule("FI-P-10", "FI-X-17")
@pytest.mark.parametrize("memory", ["assisted", "notes", "strict"])
def test_nothing_else_leaks_when_a_piece_is_won_over(memory: str) -> None:
    other = "d4 scout, b4 dwarf, c4 knight, d3 trap, a4 flag"
    first = converted(memory=memory)
    twin = converted(other, memory=memory)
    assert sent(first, "south") == sent(twin, "south")
    assert sent(first, "watcher") == sent(twin, "watcher")


@pytest.mark.rule("FI-X-17")
def test_the_truth_of_a_finished_game_marks_who_has_changed_sides() -> None:
    table = Table(GAME, south=SOUTH, north="a4 flag, b4 dwarf, d3 knight")
    table.plays("b2 enchant b4", "d3-d2", "b4xa4")
    truth = table.view("truth")
    assert truth.conversions == (1, 0)
    assert [piece.kind for piece in truth.pieces if piece.is_converted] == ["dwarf"]
