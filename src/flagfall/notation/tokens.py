"""The words of a turn's text: squares and paths, keywords, choices, names of pieces.

::

    d4-d5  spot     d6    marshal
    path   keyword  path  name          a path has one to three squares: d6, d4xd5, d4-d5-e5
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Form = Literal["path", "keyword", "cell choice", "kind choice", "name"]

SPOT_WORD, RESCUE_WORD, SHOOT_WORD, DETECT_WORD, CONVERT_WORD = "spot", "rescue", "shoot", "detect", "enchant"
SWING_WORD, RAMPAGE_WORD, ADVANCE_WORD, DONE_WORD, POWER_WORD = "swing", "rampage", "advance", "done", "power"
KEYWORDS = frozenset(
    {
        SPOT_WORD,
        RESCUE_WORD,
        SHOOT_WORD,
        DETECT_WORD,
        CONVERT_WORD,
        SWING_WORD,
        RAMPAGE_WORD,
        ADVANCE_WORD,
        DONE_WORD,
        POWER_WORD,
    }
)
STEP, STRIKE, LEAP_MARK, TELEPORT_MARK = "-", "x", "^", "~"
KIND_MARK, CELL_MARK = "=", "@"

_PATH = re.compile(r"[a-z][0-9]+(?:[-x^~]?[a-z][0-9]+)*")
_STOP = re.compile(r"([-x^~]?)([a-z][0-9]+)")
_LOOKALIKES = str.maketrans({"–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "×": "x"})


@dataclass(frozen=True)
class Stop:
    """One square of a path, the mark before it, and where it stands in the text."""

    mark: str
    square: str
    offset: int


@dataclass(frozen=True)
class Word:
    """A word of a turn: how it was written, where, and what sort of word it is."""

    text: str
    offset: int
    form: Form
    stops: tuple[Stop, ...] = ()

    @property
    def keyword(self) -> str:
        """The keyword this is, or nothing."""
        return self.text.lower() if self.form == "keyword" else ""

    @property
    def is_square(self) -> bool:
        """Whether this is a single square."""
        return self.form == "path" and len(self.stops) == 1


def split_words(text: str) -> list[Word]:
    """The words of a text in order."""
    return [_word(found.group(), found.start()) for found in re.finditer(r"\S+", text)]


def is_plain_name(text: str) -> bool:
    """Whether a single word would be read as the name of a piece and as nothing else."""
    words = split_words(text)
    return len(words) == 1 and words[0].text == text and words[0].form == "name"


def _word(text: str, offset: int) -> Word:
    if text.lower() in KEYWORDS:
        return Word(text, offset, "keyword")
    if text.startswith(KIND_MARK):
        return Word(text, offset, "kind choice")
    plain = text.translate(_LOOKALIKES)
    if plain.startswith(CELL_MARK):
        square = plain[len(CELL_MARK) :].lower()
        return Word(text, offset, "cell choice", (Stop("", square, offset + len(CELL_MARK)),))
    if plain.isascii() and _PATH.fullmatch(plain.lower()):
        found = _STOP.finditer(plain.lower())
        stops = tuple(Stop(each.group(1), each.group(2), offset + each.start(2)) for each in found)
        return Word(text, offset, "path", stops)
    return Word(text, offset, "name")
