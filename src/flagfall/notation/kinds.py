"""How people call a piece: by id, name, printed label, setup letter, or the beginning of a name."""

from __future__ import annotations

from collections.abc import Callable

from flagfall.edition.schema import Game
from flagfall.edition.wording import listed

_SHOWN = 12


def kind_title(game: Game, kind: int, side: int | None = None) -> str:
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
    for fits in _WAYS:
        found = [number for number in range(len(game.kinds)) if fits(game, number, text)]
        if found:
            return found
    return []


def kinds_listed(game: Game, kinds: list[int]) -> str:
    """Names of kinds in a sentence: ``Scout, Sergeant or Spy``."""
    names = list(dict.fromkeys(kind_title(game, kind) for kind in kinds))
    if len(names) > _SHOWN:
        names = [*names[: _SHOWN - 1], f"{len(names) - _SHOWN + 1} others"]
    return listed(names, "or")


def _callings(game: Game, kind: int) -> list[str]:
    return [game.kinds[kind].id, *game.kinds[kind].names.values()]


def _same_id(game: Game, kind: int, text: str) -> bool:
    return game.kinds[kind].id == text


def _same_name(game: Game, kind: int, text: str) -> bool:
    return plain(text) != "" and plain(text) in map(plain, _callings(game, kind))


def _same_label(game: Game, kind: int, text: str) -> bool:
    return game.kinds[kind].label.casefold() == text.casefold()


def _same_code(game: Game, kind: int, text: str) -> bool:
    return game.kinds[kind].code == text


def _near_code(game: Game, kind: int, text: str) -> bool:
    return game.kinds[kind].code.casefold() == text.casefold()


def _beginning(game: Game, kind: int, text: str) -> bool:
    return plain(text) != "" and any(plain(name).startswith(plain(text)) for name in _callings(game, kind))


def _beginning_of_word(game: Game, kind: int, text: str) -> bool:
    words = [word for name in _callings(game, kind) for word in name.replace("-", " ").split()]
    return plain(text) != "" and any(plain(word).startswith(plain(text)) for word in words)


_WAYS: tuple[Callable[[Game, int, str], bool], ...] = (
    _same_id,
    _same_name,
    _same_label,
    _same_code,
    _near_code,
    _beginning,
    _beginning_of_word,
)
