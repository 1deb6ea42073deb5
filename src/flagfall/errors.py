"""Errors for people and programs: a code and one sentence that says what to do."""

from __future__ import annotations

import errno
import unicodedata

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
