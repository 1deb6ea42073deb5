"""A match is saved and resumed, in the middle of a turn too; damaged data is refused with its place."""

from __future__ import annotations

import json

import pytest

from flagfall.match import (
    Acted,
    Annotations,
    Match,
    MatchError,
    RefusedError,
    decode_log,
    encode_log,
    load,
    save,
)
from tests.match.games import DUEL, MINI, barrage, duel, opened, play, random_match, rescue_ready, sight


@pytest.mark.parametrize("actions", [0, 1, 7, 40])
def test_what_was_saved_comes_back(actions: int) -> None:
    match = random_match(DUEL, actions, actions, {"clock": "9m+1s"})
    again = load(save(match))
    assert again.digest() == match.digest()
    assert sight(again) == sight(match)
    assert save(again) == save(match)


def test_a_match_before_its_setups_comes_back() -> None:
    match = opened(MINI)
    match.seal("north", "FsX", 4)
    again = load(save(match))
    assert again.sealed == ("north",)
    again.seal("south", "XsF", 5)
    assert again.phase == "playing"


def test_a_match_resumes_in_the_middle_of_a_turn() -> None:
    match = play(duel(clock="10s+1s"), "e3-e4", "e6-e5", "e4 spot e5")
    again = load(save(match))
    assert again.is_turn_open
    assert again.view("south").prompt == match.view("south").prompt
    assert again.clocks == match.clocks
    play(again, "marshal")
    play(match, "marshal")
    assert sight(again) == sight(match)


def test_a_silent_choice_survives_saving() -> None:
    match = play(rescue_ready(), "c3-b3 rescue", "spy")
    again = play(load(save(match)), "b1")
    assert [piece.kind for piece in again.view("south").pieces if piece.cell == "b1"] == ["spy"]


def test_entries_can_be_kept_one_by_one() -> None:
    match = play(duel(), "e3-e4", "e6-e5 ".strip())
    kept = b"[" + b",".join(encode_log((entry,))[1:-1] for entry in match.log) + b"]"
    assert decode_log(kept) == match.log
    assert Match.rebuilt(decode_log(kept)).digest() == match.digest()


def test_the_saved_text_is_plain_json() -> None:
    plain = json.loads(save(play(barrage(), "e4-e5")))
    assert plain["flagfall_match"] == 1
    assert plain["log"][3] == {"what": "acted", "number": 3, "at_ms": 0, "seat": "south", "text": "e4-e5"}


def test_remarks_are_saved() -> None:
    match = play(barrage(), "e4-e5")
    match.annotations = Annotations("2026-11-15", ("a quiet game",), {0: "bold"})
    assert load(save(match)).annotations == match.annotations


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda text: text[:-20], "This cannot be read: "),
        (lambda text: b"", "This cannot be read: "),
        (lambda text: b"\xff\xfe" + text, "This cannot be read: "),
        (lambda text: b"[" * 100_000, "This "),
        (lambda text: b"[]", "This is not a saved match: Expected `object`, got `array`"),
        (lambda text: b"{}", "Object missing required field `flagfall_match`"),
        (lambda text: text.replace(b'"flagfall_match":1', b'"flagfall_match":7'), "saved in format 7"),
        (
            lambda text: text.replace(b'"at_ms":0', b'"at_ms":"noon"', 1),
            "Expected `int`, got `str` - at `$.log[0].at_ms`",
        ),
        (lambda text: text.replace(b'"acted"', b'"danced"'), "Invalid value 'danced' - at `$.log[3].what`"),
        (lambda text: text.replace(b'"text"', b'"txt"'), "at `$.log[3]`"),
        (lambda text: text.replace(b'"Anna"', b'""'), "The name of south must have 1 to 80 characters"),
        (
            lambda text: text.replace(b"e4-e5", b"e4-e9"),
            "Entry 3 of the log is impossible: Your Marshal moves one square",
        ),
        (
            lambda text: text.replace(b'"salt":"0', b'"salt":"', 1).replace(b"123456789abcdef", b"1", 1),
            "Entry 1 of the log is impossible",
        ),
    ],
)
def test_damaged_data_is_refused_with_its_place(damage: object, sentence: str) -> None:
    text = save(play(barrage(), "e4-e5"))
    with pytest.raises(MatchError) as caught:
        load(damage(text))  # type: ignore[operator]
    assert sentence in str(caught.value)


def test_a_wrong_date_or_comment_is_no_remark() -> None:
    with pytest.raises(ValueError, match="is not a date"):
        Annotations("yesterday")
    with pytest.raises(ValueError, match="A comment contains the character"):
        Annotations(turns={0: "two\nlines"})


def test_a_refused_wish_is_not_saved() -> None:
    match = barrage()
    with pytest.raises(RefusedError):
        match.act("south", None, "e4-e9", 0)
    assert not any(isinstance(entry, Acted) for entry in load(save(match)).log)
