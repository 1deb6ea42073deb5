"""What went wrong, in one sentence for the person at the keyboard: what, where, what would be right."""

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


class Mistake(ValueError):  # noqa: N818 (made by a person, not by the program)
    """Something was asked for that cannot be done; the message is one sentence that says what can."""


def is_for_people(problem: BaseException) -> bool:
    """Whether the message was written for the person at the keyboard."""
    return isinstance(problem, OSError) or type(problem).__module__.startswith("flagfall.")


def sentence(problem: BaseException) -> str:
    """The problem as a sentence that is safe to print."""
    if isinstance(problem, OSError) and problem.errno is not None:
        why = _WHY.get(problem.errno, problem.strerror or "the file cannot be used")
        text = f"{problem.filename}: {why}" if problem.filename else why
    elif isinstance(problem, LookupError) and problem.args:
        text = str(problem.args[0])
    else:
        text = str(problem)
    text = printable(text).strip()
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def printable(text: str) -> str:
    """A text without characters that could move the cursor, hide things or not be printed at all.

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
