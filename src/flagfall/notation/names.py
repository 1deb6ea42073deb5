"""Names of pieces: how people type them, and how sentences for one viewer name them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from flagfall.edition.schema import Game
from flagfall.edition.texts import kind_names, listed
from flagfall.sides import Side
from flagfall.view.view import ONLOOKERS, View, Viewer

_SHOWN = 12
_Numbers = dict[str, list[int]]


_COMPUTER = re.compile(r"Computer \((.+)\)")


def player_name(name: str) -> str:
    """Return the name of a player as people read it: a computer player is called by its level.

    Logs and records keep the whole name of its seat, which no person can have.

    >>> player_name("Computer (Marshal)"), player_name("Computer (greedy)"), player_name("Anna")
    ('Marshal', 'Greedy', 'Anna')
    """
    computer = _COMPUTER.fullmatch(name)
    return computer[1][0].upper() + computer[1][1:] if computer else name


def _plain(text: str) -> str:
    """Return a name without capitals, blanks, hyphens and other marks.

    >>> _plain("Uruk-hai") == _plain("urukhai")
    True
    """
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def kinds_called(game: Game, text: str) -> list[int]:
    """Return the kinds a person may mean: several if a name is ambiguous, none if it is unknown.

    The first match decides, in this order: the id, a full name in either army, the printed label, the
    setup letter, the beginning of a name or of one of its words.
    """
    index = _name_index(game)
    flat, folded = _plain(text), text.casefold()
    for table, key in (
        (index.ids, text),
        (index.names, flat),
        (index.labels, folded),
        (index.codes, text),
        (index.folded_codes, folded),
        (index.beginnings, flat),
        (index.word_beginnings, flat),
    ):
        if found := table.get(key):
            return list(found)
    return []


def count_name_words(game: Game, words: Iterable[str]) -> int:
    """Return how many of the first words together name a kind: as many as possible, or 0.

    A word is looked at only while some name continues with it, so the time is proportional to the length.
    """
    index = _name_index(game)
    text, flat, found = "", "", 0
    is_text, is_flat = True, True
    for count, word in enumerate(words, start=1):
        if is_text:
            text = f"{text} {word}" if count > 1 else word
            folded = text.casefold()
            if text in index.ids or folded in index.labels or folded in index.folded_codes:
                found = count
            is_text = text in index.id_beginnings or folded in index.label_beginnings
        if is_flat:
            flat += _plain(word)
            is_named = flat in index.beginnings or flat in index.word_beginnings
            found = count if is_named else found
            is_flat = is_named or not flat
        if not (is_text or is_flat):
            break
    return found


def kinds_listed(game: Game, kinds: list[int]) -> str:
    """Return names of kinds for a sentence: ``Scout, Sergeant or Spy``."""
    names = list(dict.fromkeys(kind_names(game, game.kinds[kind]) for kind in kinds))
    if len(names) > _SHOWN:
        names = [*names[: _SHOWN - 1], f"{len(names) - _SHOWN + 1} others"]
    return listed(names, "or")


class _NameIndex:
    """Every text that names kinds of a game: text → numbers of kinds."""

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
                _add(self.names, [_plain(name)], number)
                _add(self.beginnings, _beginnings(_plain(name)), number)
                for word in name.replace("-", " ").split():
                    _add(self.word_beginnings, _beginnings(_plain(word)), number)
        self.id_beginnings = {start for name in self.ids for start in _beginnings(name)}
        self.label_beginnings = {start for name in self.labels for start in _beginnings(name)}


@lru_cache(maxsize=64)
def _name_index(game: Game) -> _NameIndex:
    return _NameIndex(game)


def _beginnings(text: str) -> list[str]:
    return [text[:end] for end in range(1, len(text) + 1)]


def _add(table: _Numbers, keys: Iterable[str], number: int) -> None:
    for key in filter(None, keys):
        numbers = table.setdefault(key, [])
        if number not in numbers:
            numbers.append(number)


def kind_word(game: Game, kind_id: str, side: str | None) -> str:
    """Return the name of a kind in that side's army; the id itself for an unknown kind."""
    for number, kind in enumerate(game.kinds):
        if kind.id == kind_id:
            return game.kind_name(number, Side(side)) if side else kind_names(game, kind)
    return kind_id


def piece_phrase(game: Game, side: Side | None, kind_id: str, viewer: Viewer) -> str:
    """Return a piece for the middle of a sentence: ``your Scout``, ``an enemy piece``."""
    name = kind_word(game, kind_id, side) if kind_id else ""
    if side is None:
        return f"a {name}" if name else "a piece"
    if viewer in ONLOOKERS:
        return f"{side.capitalize()}'s {name or 'piece'}"
    if side == viewer:
        return f"your {name or 'piece'}"
    return f"the enemy {name}" if name else "an enemy piece"


def at_phrase(game: Game, view: View, cell: str) -> str:
    """Return what stands on a square: ``your Scout on d4``, or just the square if it is empty."""
    piece = view.at(cell)
    return f"{piece_phrase(game, piece.side, piece.kind, view.viewer)} on {cell}" if piece else cell


def sentence(text: str) -> str:
    """Return a text with a capital at its beginning and a full stop at its end.

    >>> sentence("your Scout is lost")
    'Your Scout is lost.'
    """
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
