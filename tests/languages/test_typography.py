"""Translations look as in print: quotes, apostrophes and spaces of the language, and a familiar “you”."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from flagfall.languages import ENGLISH, LANGUAGES
from flagfall.languages.boxes import box_texts
from flagfall.languages.messages import messages
from tests.languages.test_messages import texts

CLIENT = Path(__file__).parents[2] / "web" / "src" / "languages"
OTHERS = [language for language in LANGUAGES if language != ENGLISH]
NARROW = "\N{NARROW NO-BREAK SPACE}"

# What no page shows: typed quotes and dots, quotes of another language, spaces where a line may break.
EVERYWHERE = {"a typed apostrophe": r"\w'|'\w", "a typed quotation mark": '"', "three full stops": r"\.\.\."}
WRONG = {
    "nl": {
        "another language’s quotes": "[„«»‘]",
        "a formal word": r"\b(uw|Uw)\b",
        "a space before %": r"[\d}] %",
    },
    "de": {
        "another language’s quotes": r"[«»‘”]",
        "a formal word": r"\bIhnen\b",
        "no fixed space before %": r"[\d}] ?%",
    },
    "fr": {
        "another language’s quotes": "[„“”‘]",
        "a formal word": r"\b[Cc]hoisissez\b|\b[Vv]otre partie\b",
        "no fixed space before %": r"[\d}] ?%",
        "no narrow space before a sign": rf"(?<![{NARROW}!?])[!?;](?=\s|$)",
        "no narrow space before a colon": rf"(?<!{NARROW}):(?!\S)",
        "no narrow space inside quotes": rf"«(?!{NARROW})|(?<!{NARROW})»",
    },
}
# What is typed in the same way in every language, the signs of pieces, and the file list of an export.
AS_TYPED = re.compile(
    r"`[^`]*`|note d6 espion\?|\? (?=inconnue)|(?m:^\S+(?:/|\.json) .*$)|flagfall replay .*$"
)


def _all_texts(language: str) -> Iterator[str]:
    for message in messages(language).values():
        yield from texts(message)
    for file in sorted((CLIENT / language).glob("*.toml")):
        yield from texts(tomllib.loads(file.read_text("utf-8")))
    yield from box_texts(language).values()


@pytest.mark.parametrize("language", OTHERS)
def test_texts_are_set_as_in_print(language: str) -> None:
    found = [
        (what, text)
        for text in _all_texts(language)
        for what, pattern in (EVERYWHERE | WRONG[language]).items()
        if re.search(pattern, AS_TYPED.sub("x", text))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("language", "text"),
    [("nl", "Kies ‘Redden’"), ("de", "Wähle “Rettung”"), ("fr", "Choisis « Sauvetage »"), ("fr", "Bravo !")],
)
def test_a_wrong_sign_is_seen(language: str, text: str) -> None:
    assert any(re.search(pattern, text) for pattern in WRONG[language].values())
