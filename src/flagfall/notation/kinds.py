"""How people call a piece: by id, name, printed label, setup letter, or the beginning of a name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import SupportsIndex

from flagfall.edition.schema import Game
from flagfall.edition.texts import listed

_SHOWN = 12
_Numbers = dict[str, list[int]]


def kind_title(game: Game, kind: int, side: SupportsIndex | None = None) -> str:
    """Name of a kind for people: that side's, or every name it has where sides differ."""
    names = game.kinds[kind].names
    own = names.get(game.armies[side].id) if side is not None else None
    return own or " / ".join(dict.fromkeys(names.values())) or game.kinds[kind].id


def plain(text: str) -> str:
    """A name without capitals, blanks, hyphens and other marks.

    >>> plain("Uruk-hai") == plain("urukhai")
    True
    """
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def kinds_called(game: Game, text: str) -> list[int]:
    """The kinds a person may mean: one if it is clear, several if not, none if nobody is called so.

    The first of these ways that fits anything decides: the id, a full name in either army, the printed
    label, the setup letter, the beginning of a name or of one of its words.
    """
    callings = _callings_of(game)
    flat, folded = plain(text), text.casefold()
    for table, key in (
        (callings.ids, text),
        (callings.names, flat),
        (callings.labels, folded),
        (callings.codes, text),
        (callings.folded_codes, folded),
        (callings.beginnings, flat),
        (callings.word_beginnings, flat),
    ):
        if found := table.get(key):
            return list(found)
    return []


def words_of_name(game: Game, words: Iterable[str]) -> int:
    """Count the words, from the first one on, that together name a kind: as many as possible, or 0.

    A word is looked at only while some name goes on with it, so reading a text of many names takes time in
    proportion to its length.
    """
    callings = _callings_of(game)
    text, flat, found = "", "", 0
    is_text, is_flat = True, True
    for count, word in enumerate(words, start=1):
        if is_text:
            text = f"{text} {word}" if count > 1 else word
            folded = text.casefold()
            if text in callings.ids or folded in callings.labels or folded in callings.folded_codes:
                found = count
            is_text = text in callings.id_beginnings or folded in callings.label_beginnings
        if is_flat:
            flat += plain(word)
            is_named = flat in callings.beginnings or flat in callings.word_beginnings
            found = count if is_named else found
            is_flat = is_named or not flat
        if not (is_text or is_flat):
            break
    return found


def kinds_listed(game: Game, kinds: list[int]) -> str:
    """Names of kinds in a sentence: ``Scout, Sergeant or Spy``."""
    names = list(dict.fromkeys(kind_title(game, kind) for kind in kinds))
    if len(names) > _SHOWN:
        names = [*names[: _SHOWN - 1], f"{len(names) - _SHOWN + 1} others"]
    return listed(names, "or")


class _Callings:
    """Everything the kinds of a game can be called by: what is written → numbers of kinds."""

    def __init__(self, game: Game) -> None:
        self.ids: _Numbers = {}
        self.names: _Numbers = {}
        self.labels: _Numbers = {}
        self.codes: _Numbers = {}
        self.folded_codes: _Numbers = {}
        self.beginnings: _Numbers = {}
        self.word_beginnings: _Numbers = {}
        for number, kind in enumerate(game.kinds):
            _add(self.ids, [kind.id], number)
            _add(self.labels, [kind.label.casefold()], number)
            _add(self.codes, [kind.code], number)
            _add(self.folded_codes, [kind.code.casefold()], number)
            for name in (kind.id, *kind.names.values()):
                _add(self.names, [plain(name)], number)
                _add(self.beginnings, _beginnings(plain(name)), number)
                for word in name.replace("-", " ").split():
                    _add(self.word_beginnings, _beginnings(plain(word)), number)
        self.id_beginnings = {start for name in self.ids for start in _beginnings(name)}
        self.label_beginnings = {start for name in self.labels for start in _beginnings(name)}


@lru_cache(maxsize=64)
def _callings_of(game: Game) -> _Callings:
    return _Callings(game)


def _beginnings(text: str) -> list[str]:
    return [text[:end] for end in range(1, len(text) + 1)]


def _add(table: _Numbers, keys: Iterable[str], number: int) -> None:
    for key in filter(None, keys):
        numbers = table.setdefault(key, [])
        if number not in numbers:
            numbers.append(number)
