"""Records: the text file and its JSON twin give the same game back, and say precisely what is wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.edition import Game, game_ids, load_game, resolve
from flagfall.engine.action import ATTACK, MOVE, Action
from flagfall.notation import (
    NotationError,
    Record,
    Turn,
    from_json,
    read_record,
    record_actions,
    to_json,
    write_record,
    write_turn,
)
from flagfall.setups import random_setup, write_setup
from flagfall.view.view import Result
from tests.boxes import GAMES, ONYX, game_name

TEXT = """\
flagfall record 1
game: onyx/classic
option rescue: on
option two_square_limit: 3
date: 2026-11-15
south: Anna
north: Computer (greedy)
setup south: FB88888777/B976666555/1233444sBB/99B9599B99
setup north: FB88888777/B976666555/1233444sBB/99B9599B99
; played by the fire
;
; and won

1s d4-d5
1n d7-d6 ; bold; too bold
2s d5xd6
2n e8xd8 rescue general b9
3s d6-d7 spot d8 …
result: south wins, flag captured
end
"""
RECORD = Record(
    game="onyx/classic",
    options={"rescue": "on", "two_square_limit": "3"},
    date="2026-11-15",
    players=("Anna", "Computer (greedy)"),
    setups=("FB88888777/B976666555/1233444sBB/99B9599B99",) * 2,
    comments=("played by the fire", "", "and won"),
    turns=(
        Turn("d4-d5"),
        Turn("d7-d6", "bold; too bold"),
        Turn("d5xd6"),
        Turn("e8xd8 rescue general b9"),
        Turn("d6-d7 spot d8", is_open=True),
    ),
    result=Result("south", "flag captured"),
)

lines = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))).map(str.strip)
turn_texts = st.sampled_from(("d4-d5", "d4xd5", "d4-d5 spot d6 marshal", "advance north a1 done", "=b2"))
turns = st.lists(st.builds(Turn, turn_texts, lines), max_size=5).map(tuple)
results = st.none() | st.builds(Result, st.sampled_from(("south", "north", "")), lines)
records = st.builds(
    Record,
    game=st.just("onyx/classic"),
    options=st.dictionaries(
        st.from_regex(r"[a-z][a-z0-9_]{0,39}", fullmatch=True), lines.filter(bool), max_size=3
    ),
    date=st.just("") | st.dates().map(str),
    players=st.tuples(lines, lines),
    setups=st.just(("F1", "F/1")),
    comments=st.lists(lines, max_size=3).map(tuple),
    turns=turns,
    result=results,
)


def test_a_record_is_read_and_written_as_documented() -> None:
    assert read_record(TEXT) == RECORD
    assert write_record(RECORD) == TEXT


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("\n", "\r\n"),
        "\ufeff" + TEXT,
        TEXT.encode("utf-8-sig"),
        TEXT.rstrip("\n"),
        TEXT.replace("\n", "\n\n") + "\n  \n",
        TEXT.replace("1s", "1S").replace(" …", " ..."),
        TEXT.replace(" ; bold; too bold", "\n; bold; too bold"),
    ],
    ids=["CRLF", "BOM", "bytes", "no last line break", "blank lines", "capitals and dots", "comment below"],
)
def test_the_layout_of_a_record_is_forgiving(text: str | bytes) -> None:
    assert read_record(text) == RECORD


def test_a_text_that_is_no_record_is_told_what_a_record_looks_like() -> None:
    for text in ("hello", "hello\n", "{}"):
        with pytest.raises(NotationError, match=r"not a Flagfall record.*“game: …”.*1s d4-d5.*“end”"):
            read_record(text)
    with pytest.raises(NotationError, match="breaks off in the middle of a line"):
        read_record("flagfall rec")


@settings(deadline=None)
@given(records)
def test_every_record_comes_back_from_its_text_and_from_its_json(record: Record) -> None:
    assert read_record(write_record(record)) == record
    assert read_record(write_record(record).encode()) == record
    assert from_json(to_json(record)) == record


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (None, "unfinished"),
        (Result("south", "flag captured"), "south wins, flag captured"),
        (Result("north", "resigned"), "north wins, resigned"),
        (Result("north", "south's time ran out"), "north wins, south's time ran out"),
        (Result("", "agreed"), "draw, agreed"),
    ],
)
def test_results_are_told_in_words(result: Result | None, text: str) -> None:
    written = write_record(replace(RECORD, result=result))
    assert f"\nresult: {text}\n" in written
    assert read_record(written).result == result


@pytest.mark.parametrize("game", GAMES, ids=game_name)
def test_the_turns_of_a_record_are_actions_again(game: Game) -> None:
    cells = game.board.open_cells()
    rng = Random(5)
    actions = tuple((Action(rng.choice((MOVE, ATTACK)), *rng.sample(cells, 2)),) for _ in range(20))
    setups = (write_setup(random_setup(game, 0, rng)), write_setup(random_setup(game, 1, rng)))
    record = Record(game.id, ("a", "b"), setups, tuple(Turn(write_turn(game, turn)) for turn in actions))
    assert record_actions(game, read_record(write_record(record))) == actions


def test_a_turn_that_this_game_does_not_know_is_named() -> None:
    record = replace(RECORD, turns=(Turn("d4-d5"), Turn("d5 spot d6 wizard")))
    with pytest.raises(NotationError, match="turn 1n: “wizard” is neither a square nor a piece") as refusal:
        record_actions(ONYX, record)
    assert (refusal.value.line, refusal.value.column) == (2, 12)


def test_one_more_turn_takes_the_place_of_an_open_one() -> None:
    longer = RECORD.with_turn(Turn("d6-d7 spot d8 spy")).with_turn(Turn("a7-a6"))
    assert [turn.text for turn in longer.turns[4:]] == ["d6-d7 spot d8 spy", "a7-a6"]


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "sentence"),
    [
        (
            "flagfall record 1",
            "chess record 1",
            1,
            1,
            "this is not a Flagfall record; expected the line “flagfall",
        ),
        (
            "flagfall record 1",
            "flagfall record 2",
            1,
            17,
            "this record has format 2, which this Flagfall cannot read",
        ),
        ("game: onyx/classic\n", "", 13, 1, "“game:” is missing; expected a line “game: …”"),
        (
            "setup north",
            "setup west",
            9,
            1,
            "“setup west” is not known in a record; expected one of game, south",
        ),
        (
            "date: 2026-11-15",
            "date: 2026-02-30",
            5,
            7,
            "“2026-02-30” is not a date; write year, month and day",
        ),
        ("date: 2026-11-15", "date: 20261115", 5, 7, "“20261115” is not a date"),
        ("date: 2026-11-15", "game: onyx/classic", 5, 1, "“game” is there twice; expected it only once"),
        ("option rescue: on", "option rescue:", 3, 15, "Option rescue has no value"),
        ("option rescue: on", "option Rescue: on", 3, 16, "“Rescue” is not the name of an option"),
        ("setup south: FB88888777/", "setup south: FB88888777 /", 8, 14, "must be one word of letters"),
        ("1n d7-d6", "2n d7-d6", 15, 1, "this is numbered 2n; expected turn 1n"),
        ("1n d7-d6", "1n d7-", 15, 4, "“d7-” breaks off"),
        ("1n d7-d6", "1n d7-d11", 15, 7, "“d11” is not a square of this board"),
        ("1n d7-d6 ;", "1n ;", 15, 4, "the turn is empty"),
        ("1n d7-d6", "1n d7-d6 …", 16, 1, "a turn follows an unfinished one; expected the result"),
        ("1n d7-d6", "hello", 15, 1, "is not a line of a record; expected turn 1n"),
        ("1n d7-d6", "date: 2026-11-15\n1n d7-d6", 15, 1, "“date” comes after a turn"),
        ("south wins, flag", "east wins, flag", 19, 9, "“east wins, flag captured” is not a result"),
        ("result: south wins, flag captured\n", "", 19, 1, "the result is missing"),
        ("end\n", "", 20, 1, "the record breaks off here; expected the line “end”"),
        ("end\n", "4s a1-a2\n", 20, 1, "something follows the result"),
        ("end\n", "end\nmore\n", 21, 1, "something follows the line “end”"),
        ("Anna", "An\x00na", 6, 10, "the character '\\x00' is not allowed"),
    ],
)
def test_a_mistake_is_named_with_its_place(old: str, new: str, line: int, column: int, sentence: str) -> None:
    text = TEXT.replace(old, new, 1)
    assert text != TEXT
    with pytest.raises(NotationError) as refusal:
        read_record(text)
    assert sentence in str(refusal.value)
    assert (refusal.value.line, refusal.value.column) == (line, column)


def test_bytes_that_are_no_text_are_refused_where_they_stand() -> None:
    with pytest.raises(NotationError, match="these bytes are not text") as refusal:
        read_record(TEXT.encode().replace(b"Anna", b"An\xffa"))
    assert (refusal.value.line, refusal.value.column) == (6, 10)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"players": ("An\nna", "b")}, "The name of south contains the character"),
        ({"players": (" Anna", "b")}, "The name of south begins or ends with a blank"),
        ({"comments": ("a\r",)}, "A comment contains the character"),
        ({"date": "tomorrow"}, "is not a date"),
        ({"game": "a b"}, "is not the id of a game"),
        ({"setups": ("", "F")}, "must be one word"),
        ({"options": {"A": "on"}}, "is not the name of an option"),
        ({"turns": (Turn("d4-d5", is_open=True), Turn("d7-d6"))}, "Only the last turn"),
    ],
)
def test_a_record_that_could_not_be_written_cannot_be_made(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        replace(RECORD, **change)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "d4-", "d4-d5 ; no", "foo...", "d4\nd5", "what?"])
def test_a_turn_that_could_not_be_written_cannot_be_made(text: str) -> None:
    with pytest.raises(ValueError, match=r"turn|written|breaks off|A turn|square"):
        Turn(text)


def test_the_json_twin_has_the_documented_fields() -> None:
    twin = json.loads(to_json(RECORD))
    assert twin["flagfall_record"] == 1
    assert twin["players"] == {"south": "Anna", "north": "Computer (greedy)"}
    assert twin["turns"][1] == {"text": "d7-d6", "comment": "bold; too bold"}
    assert twin["turns"][-1] == {"text": "d6-d7 spot d8", "open": True}
    assert twin["result"] == {"winner": "south", "reason": "flag captured"}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"colour": 1}, "unknown field `colour`"),
        ({"players": {"south": "a", "north": "b", "east": "c"}}, "unknown field `east` - at `$.players`"),
        ({"players": {"south": "a"}}, "missing required field `north` - at `$.players`"),
        ({"turns": [{"text": "d4-d5"}, {"text": "d4-"}]}, "“d4-” breaks off - at `$.turns[1].text`"),
        ({"turns": [{"text": "d4-d5", "comment": "\n"}]}, "at `$.turns[0]`"),
        ({"turns": [{"text": 4}]}, "Expected `str`, got `int` - at `$.turns[0].text`"),
        ({"result": {"winner": "east", "reason": ""}}, "at `$.result.winner`"),
        (
            {"flagfall_record": 2},
            "“flagfall_record” is 2, a format that this Flagfall cannot read",
        ),
        ({"date": "today"}, "“today” is not a date"),
    ],
)
def test_wrong_json_is_refused_with_the_field(change: dict[str, object], sentence: str) -> None:
    twin = json.loads(to_json(RECORD)) | change
    with pytest.raises(NotationError) as refusal:
        from_json(json.dumps(twin))
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{\n x}", "Line 2, column 2: this is not JSON"),
        ('{"game": "a", "game": "b"}', "“game” is there twice"),
        ("[" * 100_000, "nested too deeply"),
        ("NaN", "NaN is not a JSON value"),
        ("[]", "Expected `object`"),
        (b"\xff", "these bytes are not text"),
        ("1" * 5000, "a number has 5000 digits"),
    ],
)
def test_what_is_no_json_object_is_refused(text: str | bytes, sentence: str) -> None:
    with pytest.raises(NotationError) as refusal:
        from_json(text)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize("game", [load_game(game_id) for game_id in game_ids()], ids=game_name)
def test_the_options_of_a_record_make_the_same_game_again(game: Game) -> None:
    wanted = {"two_square_limit": "3", "no_progress_draw": "off", "both_stuck": "draw"}
    options = resolve(game, wanted)
    record = Record(game.id, ("a", "b"), ("F", "F"), options=options.changed(game))
    assert dict(record.options) == wanted
    assert resolve(game, read_record(write_record(record)).options) == options
    assert resolve(game, from_json(to_json(record)).options) == options
