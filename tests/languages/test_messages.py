"""Messages: every language has every key with the same arguments, and no key is unused."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from flagfall.errors import quoted
from flagfall.languages import ENGLISH, LANGUAGES, choose_language, say, use_language
from flagfall.languages.boxes import box_texts
from flagfall.languages.messages import CHOOSES, Message, messages, plural_form
from flagfall.notation.names import player_name
from tests.languages.box_sources import sources

SOURCES = Path(__file__).parents[2] / "src" / "flagfall"
OTHERS = [language for language in LANGUAGES if language != ENGLISH]
_PIECES = re.compile(r"\{(?:piece|square)\}")


def texts(message: Message) -> Iterator[str]:
    """Every text of a message."""
    if isinstance(message, str):
        yield message
    else:
        for key, inner in message.items():
            if key != CHOOSES:
                yield from texts(inner)


def _arguments(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_message_and_no_other(language: str) -> None:
    missing = messages(ENGLISH).keys() - messages(language).keys()
    unknown = messages(language).keys() - messages(ENGLISH).keys()
    assert (sorted(missing), sorted(unknown)) == ([], [])


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_no_argument_that_english_does_not_have(language: str) -> None:
    wrong = [
        key
        for key, message in messages(language).items()
        if key in messages(ENGLISH)
        and not set().union(*map(_arguments, texts(message)))
        <= set().union(*map(_arguments, texts(messages(ENGLISH)[key]))) | {"number", "noun"}
    ]
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_text_of_the_boxes_and_no_other(language: str) -> None:
    missing = sources().keys() - box_texts(language).keys()
    unknown = box_texts(language).keys() - sources().keys()
    assert (sorted(missing), sorted(unknown)) == ([], [])


@pytest.mark.parametrize("language", OTHERS)
def test_a_translated_text_keeps_the_places_for_a_piece_and_a_square(language: str) -> None:
    wrong = [
        text
        for text, translation in box_texts(language).items()
        if not translation or set(_PIECES.findall(translation)) - set(_PIECES.findall(text))
    ]
    assert wrong == []


def test_every_message_is_used() -> None:
    code = "\n".join(path.read_text("utf-8") for path in SOURCES.rglob("*.py"))
    literal = set(re.findall(r"""["']([a-z_]+(?:\.[\w-]+)+)["']""", code))
    beginnings = tuple(re.findall(r"""f["']([a-z_]+\.(?:[\w-]+\.)*[\w-]*)\{""", code))
    unused = [
        key
        for key in messages(ENGLISH)
        if not {key, key.removesuffix("-because")} & literal and not key.startswith(beginnings)
    ]
    assert unused == []


def test_plural_forms_are_those_of_the_language() -> None:
    assert [plural_form(number, "en") for number in (0, 1, 2)] == ["other", "one", "other"]
    assert [plural_form(number, "fr") for number in (0, 1, 2)] == ["one", "one", "other"]


def test_the_language_is_that_of_the_block_and_english_outside() -> None:
    with use_language("de"):
        assert say("duration.hour", number=2) == "2 Stunden"
        with use_language("tlh"):
            assert say("duration.hour", number=2) == "2 hours"
    assert say("duration.hour", number=2) == "2 hours"


def test_what_a_person_typed_is_quoted_as_in_their_language() -> None:
    typed = quoted("Königin {0}")
    assert typed == "“Königin {0}”"
    for language, shown in (
        ("en", "“Königin {0}”"),
        ("nl", "“Königin {0}”"),
        ("de", "„Königin {0}“"),
        ("fr", "«\u202fKönigin {0}\u202f»"),
    ):
        with use_language(language):
            assert shown in say("errors.unknown.box", text=typed, guess="")
            assert player_name("Guest") == {"en": "Guest", "fr": "Invité"}.get(language, "Gast")


@pytest.mark.parametrize(
    ("header", "language"),
    [("nl", "nl"), ("de-AT,en;q=0.5", "de"), ("en;q=0.1, fr;q=0.9", "fr"), ("xx", "en"), ("de;q=nan", "en")],
)
def test_the_best_language_of_a_header_is_chosen(header: str, language: str) -> None:
    assert choose_language(header) == language
    assert choose_language(header + ", " + "x" * 10_000) == language
