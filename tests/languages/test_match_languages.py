"""Sentences of a match, the players and setups in another language; the messages are made up here."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from flagfall.edition import load_game, resolve
from flagfall.edition.verbs import ROW_PRIMITIVES, VERBS
from flagfall.languages import Phrase, PhraseList, boxes, messages, say, use_language
from flagfall.match import Continued, Match, RefusedError, Seating, from_record, to_record
from flagfall.notation import write_record
from flagfall.players.chances import percent
from flagfall.players.levels import level_of, player_in_seat, seat_name
from flagfall.setups import any_style, setup_from_squares, write_setup

GERMAN: dict[str, messages.Message] = {
    "refusals.from.immobile": "{who:Nominative} bewegt sich nie.",
    "match.news.resigned.you": "Du gibst auf.",
    "match.worry.strike.hits": "trifft {pieces:accusative}",
    "phrases.your": {
        "by": "gender",
        "feminine": {"by": "case", "dative": "deiner {noun}", "other": "deine {noun}"},
        "other": {"by": "case", "accusative": "deinen {noun}", "other": "dein {noun}"},
    },
    "lists.and": "{most} und {last}",
    "players.chance.about": "{chance:percent}",
    "levels.marshal.name": "Feldmarschall",
    "match.continued.game.true": "Fortsetzung nach Zug {turn}.",
}
TEXTS = {"Bomb": "Bombe", "Scout": "Aufklärer", "Marshal": "Marschall"}
GRAMMAR = {"Bombe": {"gender": "feminine"}, "Aufklärer": {"gender": "masculine"}}
ONYX = load_game("onyx/classic")


@pytest.fixture(autouse=True)
def german(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    english = messages.messages("en")
    monkeypatch.setattr(messages, "messages", lambda language: GERMAN if language == "de" else english)
    monkeypatch.setattr(boxes, "box_texts", lambda language: TEXTS if language == "de" else {})
    monkeypatch.setattr(boxes, "_grammar", lambda language: GRAMMAR if language == "de" else {})
    yield
    from flagfall.setups import setup

    setup._names_of.cache_clear()  # type: ignore[attr-defined]


def begun() -> Match:
    match = Match.created(ONYX, resolve(ONYX, {}), Seating("Anna", "Ben"), at_ms=0)
    for side in ("south", "north"):
        match.seal(side, write_setup(any_style(ONYX, int(side == "north"), Random(1))), 10)
    return match


def test_a_refusal_is_in_the_language_of_the_player_who_asks() -> None:
    match = begun()
    bomb = next(piece.cell for piece in match.view("south").pieces if piece.kind == "bomb")
    move = f"{bomb}-{bomb[0]}5"
    with use_language("de"), pytest.raises(RefusedError, match=r"^Deine Bombe bewegt sich nie\.$"):
        match.act("south", None, move, 20)
    with pytest.raises(RefusedError, match=r"^Your Bomb never moves\. Choose another piece\.$"):
        match.act("south", None, move, 20)


def test_news_are_told_in_two_languages_from_one_log() -> None:
    match = begun()
    number = match.number
    with use_language("de"):
        match.resign("south", 20)
        german = match.messages("south", number)[0].text
    assert german.startswith("Du gibst auf.")
    assert match.messages("south", number)[0].text.startswith("You resign.")


def test_a_record_is_the_same_in_every_language() -> None:
    match = from_record(to_record(begun()), continued=Continued(turn=0))
    record = write_record(to_record(match))
    assert "; Continued from turn 0 of an earlier game" in record
    with use_language("de"):
        assert Continued(turn=0).sentence() == "Fortsetzung nach Zug 0."
        assert write_record(to_record(match)) == record


def test_a_list_of_pieces_takes_the_case_of_the_sentence() -> None:
    with use_language("de"):
        pieces = PhraseList((Phrase("phrases.your", "Aufklärer"), Phrase("phrases.your", "Bombe")))
        assert say("match.worry.strike.hits", pieces=pieces) == "trifft deinen Aufklärer und deine Bombe"
        assert f"{pieces:Dative}" == "Dein Aufklärer und deiner Bombe"


def test_the_seat_of_a_level_is_kept_in_english() -> None:
    with use_language("de"):
        assert level_of("marshal").name == "Feldmarschall"
        assert seat_name("marshal") == "Computer (Marshal)"
        assert player_in_seat("Computer (Marshal)") == "marshal"
    assert level_of("marshal").name == "Marshal"


def test_pieces_of_a_setup_are_called_in_the_language_or_in_english() -> None:
    setup = any_style(ONYX, 0, Random(2))
    squares = {ONYX.board.names([cell])[0]: ONYX.kinds[kind].id for cell, kind in setup.kinds.items()}
    german = {square: TEXTS.get(kind.title(), kind) for square, kind in squares.items()}
    assert "Aufklärer" in german.values()
    with use_language("de"):
        assert setup_from_squares(ONYX, 0, german) == setup_from_squares(ONYX, 0, squares) == setup
    with pytest.raises(ValueError, match="is not one piece of South's army"):
        setup_from_squares(ONYX, 0, german)


def test_a_chance_is_written_as_the_language_writes_it() -> None:
    with use_language("de"):
        assert percent(0.62) == "62\N{NO-BREAK SPACE}%"
    assert percent(0.62) == "62%"


def test_every_power_has_a_word_for_refusals() -> None:
    named = [verb.name for verb in VERBS if verb.primitive in ROW_PRIMITIVES or verb.name == "spot"]
    assert [name for name in named if not messages.has_message(f"refusals.verb.{name}")] == []
