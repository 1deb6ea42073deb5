"""Whatever text comes in, a reader gives a value or a NotationError whose place lies inside the text."""

from __future__ import annotations

import json
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.notation import (
    NotationError,
    check_turn,
    from_json,
    read_damaged_record,
    read_record,
    read_turn,
    to_json,
    write_record,
    write_turn,
)
from flagfall.sides import Side
from flagfall.view.view import SeenPiece, View
from tests.boxes import AWKWARD, ONYX
from tests.notation.test_record import RECORD, TEXT

VIEW = View("onyx/classic", "south", 0, Side.SOUTH, (SeenPiece("d4", "d4", Side.SOUTH),), (), ())
WORDS = (
    *(
        "d4-d5",
        "d4xd5",
        "a1",
        "b2",
        "j10",
        "k3",
        "d0",
        "d4^c7",
        "d4~e6",
        "d4-d5-e5",
        "spot",
        "rescue",
        "shoot",
    ),
    *(
        "detect",
        "enchant",
        "swing",
        "rampage",
        "advance",
        "north",
        "done",
        "power",
        "2",
        "marshal",
        "ma",
        "=",
        "@",
    ),
    *("=spot", "@d4", "@", "-", "x", "\n", "…", "İ", "\u2028"),
)
turn_like = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
record_lines = st.sampled_from(
    [*TEXT.split("\n"), "1s", "9999n d4-d5", ":", "option : x", "result:", ";", "\r"]
)
record_like = st.lists(record_lines, max_size=25).map("\n".join)
head = "\n".join(TEXT.split("\n")[:10]) + "\n"
headed = st.tuples(st.just(head), record_like | st.text()).map("".join)


def refusal_of(read: Callable[[], object]) -> NotationError | None:
    try:
        read()
    except NotationError as error:
        return error
    return None


def assert_inside(text: str, refusal: NotationError | None) -> None:
    if refusal is None:
        return
    lines = text.split("\n")
    assert 1 <= refusal.line <= len(lines)
    assert 1 <= refusal.column <= len(lines[refusal.line - 1]) + 1
    assert refusal.expected
    assert str(refusal).endswith(".")


@settings(deadline=None)
@given(st.text() | turn_like)
def test_any_text_is_a_turn_or_refused_at_a_place_inside_it(text: str) -> None:
    for read in (
        lambda: read_turn(ONYX, text),
        lambda: read_turn(ONYX, text, VIEW),
        lambda: read_turn(AWKWARD, text),
        lambda: check_turn(text),
    ):
        assert_inside(text, refusal_of(read))


@settings(deadline=None)
@given(turn_like)
def test_whatever_is_read_is_written_so_that_it_reads_the_same(text: str) -> None:
    if refusal_of(lambda: read_turn(ONYX, text)) is None:
        actions = read_turn(ONYX, text)
        assert refusal_of(lambda: check_turn(write_turn(ONYX, actions))) is None
        assert write_turn(ONYX, read_turn(ONYX, write_turn(ONYX, actions))) == write_turn(ONYX, actions)


@settings(deadline=None)
@given(st.text() | record_like | headed)
def test_any_text_is_a_record_or_refused_at_a_place_inside_it(text: str) -> None:
    refusal = refusal_of(lambda: read_record(text))
    assert_inside(text, refusal)
    if refusal is None:
        record = read_record(text)
        assert read_record(write_record(record)) == record
        assert read_damaged_record(text) == (record, [])


@settings(deadline=None)
@given(st.text() | record_like | headed)
def test_any_text_is_a_damaged_record_or_refused_at_a_place_inside_it(text: str) -> None:
    refusal = refusal_of(lambda: read_damaged_record(text))
    assert_inside(text, refusal)
    if refusal is None:
        record, losses = read_damaged_record(text)
        assert read_record(write_record(record)) == record
        assert (losses == []) == (refusal_of(lambda: read_record(text)) is None)


@settings(deadline=None)
@given(st.binary())
def test_any_bytes_are_refused_or_read(data: bytes) -> None:
    for read in (read_record, read_damaged_record, from_json):
        refusal = refusal_of(lambda read=read: read(data))  # type: ignore[misc]
        assert refusal is not None
        assert refusal.line >= 1


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@settings(deadline=None)
@given(st.text())
def test_any_text_is_json_of_a_record_or_refused_at_a_place_inside_it(text: str) -> None:
    refusal = refusal_of(lambda: from_json(text))
    assert refusal is not None
    assert_inside(text, refusal)


@settings(deadline=None)
@given(
    st.sampled_from(("game", "players", "setups", "turns", "result", "options", "date", "comments")),
    json_like,
)
def test_any_value_in_a_field_is_taken_or_refused(name: str, value: object) -> None:
    twin = json.loads(to_json(RECORD)) | {name: value}
    refusal = refusal_of(lambda: from_json(json.dumps(twin)))
    if refusal is None:
        record = from_json(json.dumps(twin))
        assert read_record(write_record(record)) == record
    else:
        assert refusal.expected
