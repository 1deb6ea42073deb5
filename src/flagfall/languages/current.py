"""The languages there are, and the one in use: each request and each task can have its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

ENGLISH = "en"
LANGUAGES: Mapping[str, str] = {
    ENGLISH: "English",
    "nl": "Nederlands",
    "de": "Deutsch",
    "fr": "Français",
}
"""code → its name in the language itself"""
MAX_HEADER_CHARS = 200
"""of an ``Accept-Language`` header; the rest is not read"""

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def current_language() -> str:
    """Return the code of the language in use: ``en``."""
    return _language.get()


@contextmanager
def use_language(language: str) -> Iterator[None]:
    """Use a language in the block; an unknown code means English."""
    token = _language.set(language if language in LANGUAGES else ENGLISH)
    try:
        yield
    finally:
        _language.reset(token)


def choose_language(accepted: str) -> str:
    """Return the best language for an ``Accept-Language`` header.

    >>> choose_language("fr-CH, fr;q=0.9, en;q=0.8"), choose_language("da, de;q=0.4"), choose_language("")
    ('fr', 'de', 'en')
    """
    best, best_weight = ENGLISH, 0.0
    for part in accepted[:MAX_HEADER_CHARS].split(","):
        tag, _, quality = part.partition(";")
        language = tag.strip().lower().partition("-")[0]
        weight = _weight(quality)
        if language in LANGUAGES and weight > best_weight:
            best, best_weight = language, weight
    return best


def _weight(quality: str) -> float:
    """Return the weight of a language; 0 if it cannot be read."""
    name, _, value = quality.partition("=")
    if not name.strip():
        return 1.0
    digits = value.strip()
    if name.strip().lower() != "q" or not digits.isascii() or not digits.replace(".", "", 1).isdecimal():
        return 0.0
    return min(float(digits), 1.0)
