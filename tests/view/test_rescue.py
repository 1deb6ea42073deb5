"""A rescued piece returns under a new name; under silent defence nobody can link it to a loss."""

from __future__ import annotations

import pytest

from flagfall.view.view import VIEWERS
from tests.view.table import Table


def rescued(**options: str) -> Table:
    """South has lost a general and a captain, and brings the captain back."""
    table = Table(
        "onyx/classic",
        south="a1 flag, b2 general, c2 captain, d3 miner",
        north="a4 flag, b3 marshal, c3 colonel, a3 scout",
        rescue="on",
        defender_advances="off",
        **options,
    )
    table.plays("b2xb3", "a3-a2", "c2xc3", "a2-a3")
    return table.plays("rescue d3-d4", "kind captain", "at c1")


@pytest.mark.rule("CM-18")
def test_it_returns_under_a_new_name_and_everybody_sees_what_it_is() -> None:
    table = rescued()
    assert table.kind("c1") == dict.fromkeys(VIEWERS, "captain")
    for viewer in VIEWERS:
        assert table.piece(viewer, "c1").name == "south+1"
        assert table.tray(viewer) == ["south general"]
        assert table.view(viewer).rescues == (1, 0)


@pytest.mark.rule("CM-18")
def test_in_silence_nobody_but_its_owner_can_tell_which_loss_it_was() -> None:
    table = rescued(silent_defense="on")
    assert table.kind("c1") == {"south": "captain", "north": "", "watcher": ""}
    assert table.tray("south") == ["south general"]
    assert table.tray("north") == table.tray("watcher") == ["south ?"]
    for viewer in VIEWERS:
        assert table.piece(viewer, "c1").name == "south+1"
        assert not table.piece(viewer, "c1").is_told
        assert not table.piece(viewer, "c1").moved
    for viewer in ("north", "watcher"):
        assert table.shown(viewer) == set()
        assert table.thinks(viewer, "south+1") == {"general", "captain"}


@pytest.mark.rule("CM-18")
def test_the_choice_of_a_kind_is_made_in_silence_and_only_the_mover_is_asked() -> None:
    table = Table(
        "onyx/classic",
        south="a1 flag, b2 general, d3 miner",
        north="a4 flag, b3 marshal, a3 scout",
        rescue="on",
        silent_defense="on",
        defender_advances="off",
    )
    table.plays("b2xb3", "a3-a2", "rescue d3-d4")
    asked = table.view("south").prompt
    assert asked is not None
    assert (asked.ask, asked.cell) == ("rescue kind", "d4")
    before = table.view("north"), table.view("watcher")
    table.plays("kind general")
    assert all(table.seen[viewer] == () for viewer in VIEWERS)
    assert (table.view("north"), table.view("watcher")) == before
    asked = table.view("south").prompt
    assert asked is not None
    assert asked.ask == "rescue square"
    assert table.view("north").prompt is table.view("watcher").prompt is None
    assert table.view("north").legal == table.view("watcher").legal == ()


@pytest.mark.rule("CM-18")
def test_what_the_returned_piece_does_tells_of_the_losses_too() -> None:
    table = rescued(silent_defense="on")
    table.plays("b3-b4", "c1-c2", "c3xc2")
    assert table.shown("north") == {"colonel"}
    assert table.thinks("north", "south+1") == {"captain"}, "a general would have won"
    assert table.thinks("north", "b2") == {"general"}
