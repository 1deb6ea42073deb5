"""Texts of boxes in other languages.

A box is written in English. ``data/LANGUAGE/boxes/*.toml`` give its texts in another language by the English
text, so that a text which is changed in the box is missing there, not wrong. A box of your own that calls a
piece “Scout” is translated as well. ``data/LANGUAGE/grammar.toml`` has what sentences need to know of a name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

from flagfall.languages.current import ENGLISH, current_language
from flagfall.languages.messages import GRAMMAR, data, messages, number_words, plural_form, say

P = ParamSpec("P")
T = TypeVar("T")


def translated(text: str) -> str:
    """Return a text of a box in the language in use; the text itself if it has not been translated."""
    language = current_language()
    return text if language == ENGLISH else box_texts(language).get(text, text)


@cache
def box_texts(language: str) -> Mapping[str, str]:
    """Return the texts of all boxes in a language by the English text."""
    found: dict[str, str] = {}
    if language != ENGLISH:
        for file in sorted((data(language) / "boxes").iterdir(), key=lambda file: file.name):
            if file.name.endswith(".toml"):
                for texts in tomllib.loads(file.read_text("utf-8")).values():
                    found.update(texts)
    return found


def translated_fields(*names: str) -> Callable[[type[T]], type[T]]:
    """Make the named fields of a dataclass read in the language in use: texts, and mappings to texts.

    They are stored in English. ``dataclasses.replace`` reads them, so use English around it.
    """

    def decorate(owner: type[T]) -> type[T]:
        for name in names:
            setattr(owner, name, _TranslatedField(name))
        return owner

    return decorate


class _TranslatedField:
    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: object | None, owner: type | None = None) -> Any:
        if instance is None:
            return self
        value = instance.__dict__[self._name]
        if current_language() == ENGLISH:
            return value
        if isinstance(value, str):
            return translated(value)
        return {key: translated(text) for key, text in value.items()}

    def __set__(self, instance: object, value: object) -> None:
        instance.__dict__[self._name] = value


def cached_by_language(maxsize: int | None) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache the results of a function that makes texts, for each language apart."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(maxsize=maxsize)
        def remembered(language: str, *args: Any, **kwargs: Any) -> T:
            return function(*args, **kwargs)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            return remembered(current_language(), *args, **kwargs)  # type: ignore[arg-type]

        call.cache_clear = remembered.cache_clear  # type: ignore[attr-defined]
        return call

    return decorate


@cache
def _grammar(language: str) -> Mapping[str, Mapping[str, str]]:
    file = data(language) / GRAMMAR
    return cast(
        "Mapping[str, Mapping[str, str]]",
        tomllib.loads(file.read_text("utf-8")) if file.is_file() else {},
    )


@dataclass(frozen=True)
class Phrase:
    """A noun phrase in a sentence: ``your Scout``, ``the enemy Marshal on d4``.

    A message may ask for a grammatical case: ``{who:dative}``. The message of the phrase then gets ``case``,
    the ``gender`` of its noun (``other`` if ``grammar.toml`` does not say it) and the ``noun`` in that case.
    A case with a capital makes the phrase begin with one: ``{who:Nominative} never moves.``
    """

    key: str
    noun: str = ""
    arguments: Mapping[str, object] = field(default_factory=dict)

    def __format__(self, case: str) -> str:
        facts, wanted = _grammar(current_language()).get(self.noun, {}), case.lower()
        text = say(
            self.key,
            noun=facts.get(wanted, self.noun),
            gender=facts.get("gender", "other"),
            case=wanted or "nominative",
            **self.arguments,
        )
        return text if case == wanted else f"{text[:1].upper()}{text[1:]}"

    def __str__(self) -> str:
        return format(self)


def load_language(language: str) -> None:
    """Read all files of a language now; nothing of it is read from the disk later."""
    messages(language)
    box_texts(language)
    _grammar(language)
    plural_form(1, language)
    number_words(1_000, language)
