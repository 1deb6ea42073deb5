"""Errors for people and programs: a code and one sentence that says what to do."""

from __future__ import annotations

import errno
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

from flagfall.languages import Quotation, say

MAX_GUESSED_CHARS = 200
"""a longer word is not compared with the known ones: it cannot be a typing error"""
UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"
"""replaces a character that could move the cursor or cannot be printed"""
_MAX_QUOTED_CHARS = 40
_MAX_QUOTED_ITEMS = 4
_MAX_QUOTED_NUMBER = 10**20
_MAX_ERROR_CHARS = 200
_MAX_SUGGESTED_NAMES = 40

_WHY = {
    errno.ENOENT: "there is no such file or folder; check the name",
    errno.EISDIR: "this is a folder; name a file",
    errno.ENOTDIR: "a part of this name is a file, not a folder; check the name",
    errno.EACCES: "the system does not allow it; choose another place",
    errno.EPERM: "the system does not allow it; choose another place",
    errno.EROFS: "nothing can be written there; choose another place",
    errno.ENOSPC: "the disk is full; make room or choose another place",
    errno.ENAMETOOLONG: "the name is too long; choose a shorter one",
}


class FlagfallError(ValueError):
    """Base class of the errors of this package.

    The message is one sentence for the person who caused it; ``code`` is the same for programs.
    """

    code = "error"


class UserError(FlagfallError):
    """Something was asked for that cannot be done."""

    code = "bad-request"


def is_for_people(error: BaseException) -> bool:
    """Return whether the message was written for the person at the keyboard."""
    return isinstance(error, OSError | FlagfallError)


def sentence(error: BaseException) -> str:
    """Return the error as a sentence that is safe to print."""
    if isinstance(error, OSError) and error.errno is not None:
        why = _WHY.get(error.errno, error.strerror or "the file cannot be used")
        text = f"{error.filename}: {why}" if error.filename else why
    elif isinstance(error, LookupError) and error.args:
        text = str(error.args[0])
    else:
        text = str(error)
    text = printable(text).strip()
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def printable(text: str) -> str:
    """Replace characters that could move the cursor, hide text or not be printed.

    >>> printable("red\\x1b[31m") == "red\N{REPLACEMENT CHARACTER}[31m"
    True
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join("\N{REPLACEMENT CHARACTER}" if _is_unsafe(letter) else letter for letter in text)


def _is_unsafe(letter: str) -> bool:
    return letter not in "\n\t" and (
        unicodedata.category(letter) in ("Cc", "Cs") or "\u202a" <= letter <= "\u202e"
    )


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the end of an “unknown …” message: the nearest known word, or all of them.

    >>> suggestion("resque", ["rescue", "clock"])
    'did you mean “rescue”?'
    """
    names = list(known)
    if near := nearest(word, names):
        return say("errors.suggestion.near", name=near)
    if len(names) > _MAX_SUGGESTED_NAMES:
        more = say("errors.suggestion.more", number=str(len(names) - _MAX_SUGGESTED_NAMES + 1))
        names = [*names[: _MAX_SUGGESTED_NAMES - 1], more]
    if not names:
        return say("errors.suggestion.none")
    return say("errors.suggestion.all", names=", ".join(names))


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that a mistyped one is nearest to; empty if none is near."""
    close = get_close_matches(word, known, n=1, cutoff=0.6) if len(word) <= MAX_GUESSED_CHARS else []
    return close[0] if close else ""


def quoted(value: object, max_chars: int = _MAX_QUOTED_CHARS) -> str:
    """Return a value as a message quotes it: short and without control characters.

    >>> quoted("d4\\nd5"), quoted([10, 10]), quoted(True)
    ('“d4\N{REPLACEMENT CHARACTER}d5”', '“[10, 10]”', 'true')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value[: max_chars + 1] if isinstance(value, str) else _spelled(value)
    text = "".join(char if char.isprintable() else UNPRINTABLE for char in text)
    return Quotation(f"“{text[:max_chars]}…”" if len(text) > max_chars else f"“{text}”")


def _spelled(value: object) -> str:
    """Return a value as a file might spell it; of a list the first items, of a table nothing."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value[: _MAX_QUOTED_CHARS + 1]}"'
    if isinstance(value, int) and not -_MAX_QUOTED_NUMBER < value < _MAX_QUOTED_NUMBER:
        return "a very large number"
    if isinstance(value, list):
        items = [
            _spelled(item) if not isinstance(item, list) else "[…]" for item in value[:_MAX_QUOTED_ITEMS]
        ]
        return f"[{', '.join([*items, '…'] if len(value) > _MAX_QUOTED_ITEMS else items)}]"
    if isinstance(value, dict):
        return "{…}" if value else "{}"
    return str(value)


def quoted_error(error: Exception) -> str:
    """Return the message of a library's error as one line of bounded length."""
    text = "".join(char if char.isprintable() else UNPRINTABLE for char in str(error)[: _MAX_ERROR_CHARS + 1])
    return f"{text[:_MAX_ERROR_CHARS]}…" if len(text) > _MAX_ERROR_CHARS else text
