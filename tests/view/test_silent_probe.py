"""``enchant_probe = off``: what is learnt from a Trap or Flag that only answers “no effect”."""

from __future__ import annotations

import msgspec
import pytest

from flagfall.view.view import VIEWERS, Viewer
from tests.view.table import Table

GAME = "fire-and-ice/special-powers"
SOUTH = "a1 flag, b2 sorceress, d1 scout"
NORTH = "b4 trap, c4 flag, d4 knight, a4 scout, d3 dwarf"
TWIN = "b4 flag, c4 trap, d4 knight, a4 scout, d3 dwarf"


def probed(north: str = NORTH, **options: str) -> Table:
    """South's Sorceress has tried her power on b4."""
    table = Table(GAME, south=SOUTH, north=north, enchant_probe="off", **options)
    return table.plays("b2 enchant b4")


@pytest.mark.rule("FI-X-20")
@pytest.mark.parametrize("viewer", ["south", "watcher"])
@pytest.mark.parametrize("north", [NORTH, TWIN])
def test_a_piece_that_answers_in_silence_is_a_trap_or_the_flag(viewer: Viewer, north: str) -> None:
    table = probed(north)
    piece = table.piece(viewer, "b4")
    assert (piece.kind, piece.is_told) == ("", False)
    assert set(piece.possible) == {"trap", "flag"}
    assert table.shown(viewer) == {"sorceress"}


@pytest.mark.rule("FI-X-20")
def test_its_owner_sees_what_the_enemy_must_think_now() -> None:
    piece = probed().piece("north", "b4")
    assert (piece.kind, piece.is_told) == ("trap", False)
    assert set(piece.looks_like) == {"trap", "flag"}


@pytest.mark.rule("FI-X-20")
def test_two_silent_answers_of_one_trap_and_one_flag_rule_everything_else_out() -> None:
    table = probed().plays("a4-a3", "b2 enchant c4")
    for viewer in ("south", "watcher"):
        assert table.possible(viewer, "b4") == table.possible(viewer, "c4") == {"trap", "flag"}
        assert table.possible(viewer, "d4") == {"knight", "scout", "dwarf"}


@pytest.mark.rule("FI-X-20")
def test_a_silent_answer_leaves_only_the_flag_when_every_trap_is_known() -> None:
    table = Table(GAME, south=f"{SOUTH}, b3 elf", north=TWIN, enchant_probe="off")
    table.plays("b3 shoot c4", "a4-a3", "b2 enchant b4")
    assert table.possible("south", "b4") == {"flag"}
    assert table.piece("south", "b4").kind == "", "but nobody has shown it"


@pytest.mark.rule("FI-X-20")
@pytest.mark.parametrize("memory", ["assisted", "notes", "strict"])
@pytest.mark.parametrize("viewer", ["south", "watcher"])
def test_nothing_tells_a_silent_trap_from_a_silent_flag(viewer: Viewer, memory: str) -> None:
    first, twin = probed(NORTH, memory=memory), probed(TWIN, memory=memory)
    for turn in ("a4-a3", "b2-b3", "a3-a4"):
        assert msgspec.json.encode(first.view(viewer)) == msgspec.json.encode(twin.view(viewer))
        first.plays(turn)
        twin.plays(turn)


@pytest.mark.rule("FI-X-20")
@pytest.mark.parametrize("memory", ["notes", "strict"])
@pytest.mark.parametrize("viewer", VIEWERS)
def test_conclusions_are_not_written_on_the_board_unless_memory_is_assisted(
    viewer: Viewer, memory: str
) -> None:
    piece = probed(memory=memory).piece(viewer, "b4")
    assert (piece.possible, piece.looks_like) == ((), ())


@pytest.mark.rule("FI-X-20")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_with_the_probe_on_a_trap_shows_itself(viewer: Viewer) -> None:
    table = Table(GAME, south=SOUTH, north=NORTH).plays("b2 enchant b4")
    assert table.piece(viewer, "b4").kind == "trap"


@pytest.mark.rule("FI-X-20")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_with_the_probe_off_a_stronger_piece_still_shows_itself(viewer: Viewer) -> None:
    table = probed().plays("a4-a3", "b2 enchant d4")
    assert table.piece(viewer, "d4").kind == "knight"
