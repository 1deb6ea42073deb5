"""Split the text of a turn into words: paths of squares, keywords, choices, names of pieces.

::

    d4-d5  spot     d6    marshal
    path   keyword  path  name          a path has one to three squares: d6, d4xd5, d4-d5-e5
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from flagfall.edition.verbs import VERB_BY_CODE, VERBS
from flagfall.engine import action as A

WordForm = Literal["path", "keyword", "cell choice", "kind choice", "name"]

POWER_WORD = "power"
"""the keyword before the number of a power, where a piece has several"""
MARKS = "".join(verb.token for verb in VERBS if verb.form == "path")
KEYWORDS = frozenset({POWER_WORD} | {verb.token for verb in VERBS if verb.token and verb.form != "path"})
STEP, STRIKE = VERB_BY_CODE[A.MOVE].token, VERB_BY_CODE[A.ATTACK].token
KIND_MARK, CELL_MARK = "=", "@"

_MARK = f"[{re.escape(MARKS)}]?"
_PATH = re.compile(rf"[a-z][0-9]+(?:{_MARK}[a-z][0-9]+)*")
_STOP = re.compile(rf"({_MARK})([a-z][0-9]+)")
_LOOKALIKES = str.maketrans({"–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "×": "x"})


@dataclass(frozen=True)
class Stop:
    """One square of a path, the mark before it, and its position in the text."""

    mark: str
    square: str
    offset: int


@dataclass(frozen=True)
class Word:
    """A word of a turn: its text, position and form."""

    text: str
    offset: int
    form: WordForm
    stops: tuple[Stop, ...] = ()

    @property
    def keyword(self) -> str:
        """The word in lower case if it is a keyword, else empty."""
        return self.text.lower() if self.form == "keyword" else ""

    @property
    def is_square(self) -> bool:
        """Whether this word is a single square."""
        return self.form == "path" and len(self.stops) == 1


def split_words(text: str) -> list[Word]:
    """Return the words of a text in order."""
    return [_word(match.group(), match.start()) for match in re.finditer(r"\S+", text)]


def is_plain_name(text: str) -> bool:
    """Return whether a text can only be read as the name of a piece."""
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
        matches = _STOP.finditer(plain.lower())
        stops = tuple(Stop(match.group(1), match.group(2), offset + match.start(2)) for match in matches)
        return Word(text, offset, "path", stops)
    return Word(text, offset, "name")
