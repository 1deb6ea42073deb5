"""Messages by key, from ``data/LANGUAGE/FILE.toml``.

A key is the name of the file and the keys in it: ``match.offer.draw``. A message is a text with arguments in
braces, or a table of texts of which one argument chooses:

- by number, with the plural forms of the language (CLDR): ``one = "{number} turn"``, ``other = …``; the
  argument is ``number`` unless ``by`` names another;
- by word: ``by = "gender"``, then a text for each word; ``other`` for all words without one.

The texts of a table may be tables again. Numbers are written as the language writes them;
``{chance:percent}`` makes 0.5 a percentage.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from flagfall.languages.current import ENGLISH, current_language

Message = str | dict[str, "Message"]
CATEGORIES = frozenset({"zero", "one", "two", "few", "many", "other"})
"""plural forms of CLDR"""
GRAMMAR = "grammar.toml"
"""the file of a language that has no messages"""
CHOOSES = "by"
"""the key of a table that names the argument that chooses"""
_QUOTED = "errors.quoted"
_LARGE = 1000
"""numbers from here on have separators in some languages"""


class Quotation(str):
    """A text that a person has typed, in English quotation marks; a message uses those of its language."""

    __slots__ = ()


def say(key: str, /, **arguments: object) -> str:
    """Return a message in the language in use; in English if it has not been translated."""
    language = current_language()
    message = messages(language).get(key)
    if message is None:
        language = ENGLISH
        message = messages(ENGLISH)[key]
    return formatted(message, language, arguments)


def has_message(key: str) -> bool:
    """Return whether there is a message with this key."""
    return key in messages(ENGLISH)


def formatted(message: Message, language: str, arguments: Mapping[str, object]) -> str:
    """Return a message with its arguments."""
    while not isinstance(message, str):
        value = arguments[str(message.get(CHOOSES, "number"))]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        form = plural_form(value, language) if is_number else str(value)  # type: ignore[arg-type]
        message = message[form] if form in message else message["other"]
    if "{" not in message:
        return message
    return _formatter(language).vformat(message, (), arguments)


@cache
def messages(language: str) -> Mapping[str, Message]:
    """Return all messages of a language by key."""
    found: dict[str, Message] = {}
    for file in sorted(data(language).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml") and file.name != GRAMMAR:
            found.update(_flat(file.name.removesuffix(".toml"), tomllib.loads(file.read_text("utf-8"))))
    return found


def data(language: str) -> Traversable:
    """Return the folder of a language."""
    return files("flagfall.languages") / "data" / language


def is_choice(table: Mapping[str, object]) -> bool:
    """Return whether a table is one message, not a group of messages."""
    return "other" in table and (CHOOSES in table or CATEGORIES.issuperset(table))


def _flat(prefix: str, table: dict[str, Any]) -> Iterator[tuple[str, Message]]:
    for key, value in table.items():
        if isinstance(value, dict) and not is_choice(value):
            yield from _flat(f"{prefix}.{key}", value)
        else:
            yield f"{prefix}.{key}", value


def plural_form(number: float, language: str) -> str:
    """Return the plural form that a language uses for a number: ``one``, ``other``, …"""
    form: str = _locale(language).plural_form(number)
    return form


def number_words(number: float, language: str, style: str = "") -> str:
    """Return a number as a language writes it."""
    from babel.numbers import format_decimal, format_percent

    if style == "percent":
        return str(format_percent(number, locale=_locale(language)))
    return str(format_decimal(number, locale=_locale(language)))


@cache
def _locale(language: str) -> Any:
    from babel.core import Locale  # takes a tenth of a second: only when a number is said

    return Locale.parse("en_GB" if language == ENGLISH else language)


class _Formatter(string.Formatter):
    """Formats the arguments of messages in one language."""

    def __init__(self, language: str) -> None:
        self._language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Quotation):
            quoted = messages(self._language).get(_QUOTED) or messages(ENGLISH)[_QUOTED]
            return formatted(quoted, self._language, {"text": value[1:-1]})
        if isinstance(value, str):  # a text has no cases, but it may begin a sentence
            return f"{value[:1].upper()}{value[1:]}" if format_spec[:1].isupper() else value
        if isinstance(value, bool) or not isinstance(value, int | float):
            return format(value, format_spec)
        if not format_spec and isinstance(value, int) and abs(value) < _LARGE:
            return str(value)
        return number_words(value, self._language, format_spec)


@cache
def _formatter(language: str) -> _Formatter:
    return _Formatter(language)
