"""What stays marked after it was shown: assisted, notes, strict."""

from __future__ import annotations

import msgspec
import pytest

from flagfall.view.view import VIEWERS
from tests.view.table import Table


def table(memory: str) -> Table:
    """South's captain may strike North's bomb; both have a piece to walk with."""
    return Table(
        "spin-master/standard",
        south="a1 flag, b2 marshal, d1 captain",
        north="d4 flag, b3 general, c4 sergeant, a4 bomb",
        memory=memory,
    )


@pytest.mark.rule("CM-08")
def test_assisted_a_kind_once_shown_stays_marked() -> None:
    one = table("assisted").plays("d1-d2", "b3xb2", "d2-d1", "c4-c3", "b2-a2", "c3-c2")
    assert one.kind("a2") == {"south": "marshal", "north": "marshal", "watcher": "marshal"}
    assert one.piece("south", "a2").is_told
    assert one.piece("north", "a2").is_told


@pytest.mark.rule("CM-08")
@pytest.mark.parametrize("memory", ["notes", "strict"])
def test_otherwise_a_kind_is_visible_in_the_turn_it_is_shown_and_then_hidden_again(memory: str) -> None:
    one = table(memory).plays("d1-d2", "b3xb2")
    assert one.kind("b2") == {"south": "marshal", "north": "marshal", "watcher": "marshal"}
    one.plays("d2-d1")
    assert one.kind("b2") == {"south": "marshal", "north": "", "watcher": ""}
    assert not one.piece("south", "b2").is_told
    assert not one.piece("north", "b2").is_told


@pytest.mark.rule("CM-08")
def test_possible_kinds_are_shown_in_assisted_only() -> None:
    shown = table("assisted").plays("d1-d2", "c4-c3")
    assert shown.piece("south", "c3").possible == ("general", "sergeant")
    assert shown.piece("south", "a4").possible == ("general", "sergeant", "bomb", "flag")
    assert shown.piece("watcher", "d2").possible == ("marshal", "captain")
    for memory in ("notes", "strict"):
        hidden = table(memory).plays("d1-d2", "c4-c3")
        for viewer in VIEWERS:
            assert all(piece.possible == piece.looks_like == () for piece in hidden.view(viewer).pieces)


@pytest.mark.rule("CM-08")
@pytest.mark.parametrize(
    ("memory", "marked"), [("assisted", {"d2", "c3"}), ("notes", {"d2", "c3"}), ("strict", {"c3"})]
)
def test_moved_marks_are_kept_but_for_strict_which_keeps_those_of_the_last_turn(
    memory: str, marked: set[str]
) -> None:
    one = table(memory).plays("d1-d2", "c4-c3")
    for viewer in VIEWERS:
        assert {piece.cell for piece in one.view(viewer).pieces if piece.moved} == marked


@pytest.mark.rule("CM-08")
@pytest.mark.parametrize("memory", ["assisted", "notes", "strict"])
def test_a_view_tells_of_the_last_turn_and_the_open_one_and_nothing_before(memory: str) -> None:
    one = table(memory).plays("d1-d2", "b3xb2")
    for viewer in VIEWERS:
        told = [(event.what, event.piece, event.kind) for event in one.view(viewer).last_turn]
        assert told == [
            ("attack", "b3", ""),
            ("shown", "b3", "general"),
            ("shown", "b2", "marshal"),
            ("removed", "b3", ""),
        ]
    one.plays("d2-d1")
    for viewer in VIEWERS:
        assert [event.what for event in one.view(viewer).last_turn] == ["move"]


@pytest.mark.rule("CM-08")
@pytest.mark.parametrize("memory", ["notes", "strict"])
def test_a_piece_that_comes_back_later_is_not_sent_old_kinds(memory: str) -> None:
    one = table(memory).plays("d1-d2", "b3xb2", "d2-d1", "c4-c3")
    for viewer in ("north", "watcher"):
        assert b'"marshal"' not in msgspec.json.encode(one.view(viewer))


@pytest.mark.rule("CM-08")
@pytest.mark.parametrize("memory", ["assisted", "notes", "strict"])
def test_what_was_told_is_known_whatever_a_view_shows(memory: str) -> None:
    one = table(memory).plays("d1-d2", "b3xb2", "d2-d1", "c4-c3")
    assert one.possible("north", "b2") == {"marshal"}
    assert one.possible("north", "d1") == {"captain"}
    assert one.possible("north", "a1") == {"flag"}
