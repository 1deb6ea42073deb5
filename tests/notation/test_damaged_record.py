"""Damaged records keep what is whole, and say what was lost."""

from __future__ import annotations

import pytest

from flagfall.notation import NotationError, Record, Turn, read_damaged_record, read_record, write_record
from flagfall.view.view import Result

RECORD = Record(
    game="onyx/classic",
    players=("Ánna ♟", "Бен"),
    setups=("FB1", "FB1"),
    options={"rescue": "on"},
    comments=("naïve",),
    turns=(Turn("d4-d10"), Turn("d7-d6", "schön"), Turn("d5xd10"), Turn("e8xd8 rescue general b10")),
    result=Result("", "agreed"),
)
DATA = write_record(RECORD).encode()
HEAD = DATA.index(b"setup north: FB1\n") + len(b"setup north: FB1\n")


def whole_lines(data: bytes) -> list[str]:
    return data[: data.rfind(b"\n") + 1].decode().splitlines()


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_a_record_cut_at_any_byte_keeps_every_whole_line(ending: bytes) -> None:
    data = DATA.replace(b"\n", ending)
    cuts = range(HEAD + (ending == b"\r\n") * DATA[:HEAD].count(b"\n"), len(data) - len(ending))
    for cut in cuts:
        record, losses = read_damaged_record(data[:cut])
        lines = whole_lines(data[:cut])
        assert list(record.turns) == [turn for at, turn in enumerate(RECORD.turns) if has_turn(lines, at)], (
            cut
        )
        assert record.players == RECORD.players
        assert record.comments == (RECORD.comments if "; naïve" in lines else ())
        assert record.result == (RECORD.result if "result: draw, agreed" in lines else None)
        assert len(losses) == 1


def has_turn(lines: list[str], at: int) -> bool:
    label = f"{at // 2 + 1}{'sn'[at % 2]} "
    return any(line.startswith(label) for line in lines)


def test_a_record_cut_in_its_head_cannot_be_saved() -> None:
    for cut in range(HEAD):
        with pytest.raises(NotationError) as refusal:
            read_damaged_record(DATA[:cut])
        lines = DATA[:cut].decode(errors="ignore").split("\n")
        assert 1 <= refusal.value.line <= len(lines)
        assert 1 <= refusal.value.column <= len(lines[refusal.value.line - 1]) + 1


def test_a_whole_record_has_no_losses() -> None:
    assert read_damaged_record(DATA) == (RECORD, [])
    assert read_damaged_record(DATA.decode()) == (read_record(DATA), [])


def test_everything_from_the_first_broken_line_on_is_lost_and_said_so() -> None:
    record, losses = read_damaged_record(DATA.replace(b"1n d7-d6", b"1n d7-d6 !%"))
    assert record.turns == RECORD.turns[:1]
    reason = "“!%” is neither a square nor a piece"
    assert losses == [f"5 lines from line 11 on are lost ({reason}); 1 turn and the head are kept."]


def test_bytes_that_are_no_text_break_their_line() -> None:
    record, losses = read_damaged_record(DATA.replace(b"2s d5", b"2s \xff5"))
    assert record.turns == RECORD.turns[:2]
    assert len(losses) == 1
    assert "2 turns and the head are kept" in losses[0]
    assert read_damaged_record(DATA + b"\xff") == (
        RECORD,
        ["What follows the end of the record is not text."],
    )


def test_a_record_without_its_end_says_that_it_breaks_off() -> None:
    record, losses = read_damaged_record(DATA.removesuffix(b"end\n"))
    assert record == RECORD
    assert losses == ["The record breaks off before line 15; 4 turns and the head are kept."]
