"""Lists in a sentence: ``Scout, Spy and Flag``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from flagfall.languages.boxes import Phrase
from flagfall.languages.messages import say


def listed(words: Iterable[object], last: Literal["and", "or"] = "and") -> str:
    """Return a list for a sentence.

    >>> listed(["Scout", "Spy", "Flag"])
    'Scout, Spy and Flag'
    """
    items = [str(word) for word in words]
    if len(items) < 2:
        return "".join(items)
    return say(f"lists.{last}", most=", ".join(items[:-1]), last=items[-1])


@dataclass(frozen=True)
class PhraseList:
    """Phrases as a list in a sentence, each in the case that the message asks for: ``{pieces:dative}``."""

    phrases: tuple[Phrase, ...]
    last: Literal["and", "or"] = "and"

    def __format__(self, case: str) -> str:
        cases = [case, *[case.lower()] * len(self.phrases)]
        words = [format(phrase, one) for phrase, one in zip(self.phrases, cases, strict=False)]
        return listed(words, self.last)

    def __str__(self) -> str:
        return format(self)
