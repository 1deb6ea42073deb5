"""The desk at which an army is arranged."""

from __future__ import annotations

import pytest

from tests.terminal.script import Script
from tests.terminal.table import play, seated


def at_desk(*lines: str, game: str = "mini/3x3") -> str:
    return play(seated(Script(lines), game, "random", setups=()))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("help", "exchange two squares"),
        ("", "exchange two squares"),
        ("swap a1", "Name two squares, such as swap a1 b2."),
        ("swap a1 z9", "“z9” is not a square of this board; squares go from a1 to c3."),
        ("swap a1 a3", "a3 is not one of South's home squares; South sets up on row 1."),
        ("style", "There is no style “”; styles are "),
        ("style castle", "There is no style “castle”; styles are "),
        ("use", "The setup has 0 squares where South's home has 3"),
        ("use XXX", "Marshal"),
        ("use F#X", "is not a piece of South's army"),
        ("undo", "There is nothing to undo."),
        ("dance", "“dance” is not a command here; type ready, or help."),
        ("\N{GRINNING FACE}", "is not a command here; type ready, or help."),
    ],
)
def test_each_line_has_its_answer(line: str, answer: str) -> None:
    text = at_desk(line, "ready")
    assert answer in text
    assert text.endswith("You (South)> \n" + text.splitlines()[-1]) or "You (South)> " in text


def test_nine_scouts_and_a_piece_in_a_lake_are_refused_with_a_reason() -> None:
    nine = "F888889999/9999944444/BBBBBB8773/1233s55556"
    text = at_desk(f"use {nine}", "swap a1 c5", game="onyx/classic")
    assert "Scout" in text
    assert "c5 is not one of South's home squares; South sets up on rows 1–4." in text


def test_changes_and_undo() -> None:
    text = at_desk(
        "use XsF", "code", "swap a1 c1", "code", "undo", "code", "mirror", "code", "shuffle", "ready"
    )
    codes = [line for line in text.splitlines() if len(line) == 3 and "F" in line]
    assert codes == ["XsF", "FsX", "XsF", "FsX"]


def test_every_style_can_be_chosen() -> None:
    text = at_desk(*(f"style {name}" for name in ("fortress", "open", "decoy", "blitz")), game="onyx/classic")
    assert "There is no style" not in text


def test_leaving_at_the_desk_leaves_nothing_behind() -> None:
    assert "nothing to save" in at_desk("quit")
    assert "nothing to save" in at_desk()
