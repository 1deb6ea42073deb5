"""Names of pieces: how people type them, and how sentences for one viewer name them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import tee

from flagfall.edition.schema import Game
from flagfall.edition.texts import capitalised, kind_names
from flagfall.languages import (
    ENGLISH,
    Phrase,
    cached_by_language,
    current_language,
    listed,
    say,
    use_language,
)
from flagfall.languages.messages import has_message
from flagfall.sides import Side
from flagfall.view.view import ONLOOKERS, View, Viewer

_SHOWN = 12
_Numbers = dict[str, list[int]]


DELETED_NAME = "Guest"
"""what a guest who was deleted is called in stored games"""
_COMPUTER = re.compile(r"Computer \((.+)\)")


def player_name(name: str) -> str:
    """Return the name of a player as people read it: a computer player is called by its level.

    Logs and records keep the whole name of its seat, which no person can have.

    >>> player_name("Computer (Marshal)"), player_name("Computer (greedy)"), player_name("Anna")
    ('Marshal', 'Greedy', 'Anna')
    """
    computer = _COMPUTER.fullmatch(name)
    if computer is None:
        return say("players.deleted") if name == DELETED_NAME else name
    called = computer[1].lower()
    key = f"levels.{'network' if called.startswith('network-') else called}.name"
    return say(key) if has_message(key) else capitalised(computer[1])


def _plain(text: str) -> str:
    """Return a name without capitals, blanks, hyphens and other marks.

    >>> _plain("Uruk-hai") == _plain("urukhai")
    True
    """
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def kinds_called(game: Game, text: str) -> list[int]:
    """Return the kinds a person may mean: several if a name is ambiguous, none if it is unknown.

    The first match decides, in this order: the id, a full name in either army, the printed label, the
    setup letter, the beginning of a name or of one of its words. Names may be in the language in use or in
    English.
    """
    indexes = _name_indexes(game)
    for lookups in zip(*(index.lookups(text) for index in indexes), strict=True):
        for table, key in lookups:
            if found := table.get(key):
                return list(found)
    return []


def count_name_words(game: Game, words: Iterable[str]) -> int:
    """Return how many of the first words together name a kind: as many as possible, or 0.

    A word is looked at only while some name continues with it, so the time is proportional to the length.
    """
    indexes = _name_indexes(game)
    return max(map(_count_in, indexes, tee(words, len(indexes))))


def _count_in(index: _NameIndex, words: Iterable[str]) -> int:
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
        names = [*names[: _SHOWN - 1], say("pieces.others", number=len(names) - _SHOWN + 1)]
    return listed(names, "or")


class _NameIndex:
    """Every text that names kinds of a game in the language in use: text → numbers of kinds."""

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

    def lookups(self, text: str) -> tuple[tuple[_Numbers, str], ...]:
        """Return where to look a text up: tables, and the key in each."""
        flat, folded = _plain(text), text.casefold()
        return (
            (self.ids, text),
            (self.names, flat),
            (self.labels, folded),
            (self.codes, text),
            (self.folded_codes, folded),
            (self.beginnings, flat),
            (self.word_beginnings, flat),
        )


@cached_by_language(maxsize=256)
def _name_index(game: Game) -> _NameIndex:
    return _NameIndex(game)


def _name_indexes(game: Game) -> tuple[_NameIndex, ...]:
    """Return the index of the language in use, then the English one."""
    index = _name_index(game)
    if current_language() == ENGLISH:
        return (index,)
    with use_language(ENGLISH):
        return index, _name_index(game)


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


def kind_phrase(game: Game, kind_id: str, side: str | None) -> Phrase:
    """Return the name of a kind as a phrase, so that a message can decline it."""
    return Phrase("pieces.name", kind_word(game, kind_id, side))


def piece_phrase(game: Game, side: Side | None, kind_id: str, viewer: Viewer) -> Phrase:
    """Return a piece for the middle of a sentence: ``your Scout``, ``an enemy piece``."""
    name = kind_word(game, kind_id, side) if kind_id else ""
    known = "" if name else "-unknown"
    if side is None:
        return Phrase(f"pieces.any{known}", name)
    if viewer in ONLOOKERS:
        return Phrase(f"pieces.side{known}", name, {"side": str(side)})
    return Phrase(f"pieces.own{known}" if side == viewer else f"pieces.enemy{known}", name)


def at_phrase(game: Game, view: View, cell: str) -> Phrase:
    """Return what stands on a square: ``your Scout on d4``, or just the square if it is empty."""
    piece = view.at(cell)
    if piece is None:
        return Phrase("pieces.square", arguments={"square": cell})
    return on_square(piece_phrase(game, piece.side, piece.kind, view.viewer), cell)


def on_square(piece: Phrase, cell: str) -> Phrase:
    """Return a piece with its square: ``your Scout on d4``; without a square, the piece alone."""
    return Phrase("pieces.on", piece.noun, {"piece": piece, "square": cell}) if cell else piece


def sentence(text: str) -> str:
    """Return a text with a capital at its beginning and a full stop at its end.

    >>> sentence("your Scout is lost")
    'Your Scout is lost.'
    """
    return f"{capitalised(text)}{'' if text.endswith(('.', '!', '?')) else '.'}"
