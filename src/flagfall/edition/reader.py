"""Reading a box file with good manners: every complaint names the file, the table, the key and the cure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NoReturn

from flagfall.edition.schema import EditionError

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
NAME_LENGTH = 60
TEXT_LENGTH = 4000
MAX_TABLES = 130
"""kinds, powers, games or hints of one box; two armies have setup letters for 124 kinds"""
MAX_LIST_ITEMS = 200
"""texts in one list of a box file: twice the squares of the largest board"""
MAX_GUESSED_CHARS = 200
"""a longer word is not compared with the known ones, because it is no slip of the keyboard"""
UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"
"""stands in messages for a character that could move the cursor or cannot be printed"""
_SHOWN_CHARS = 40
_SHOWN_ITEMS = 4
_LONGEST_ERROR = 200
_SHOWN_NAMES = 40
_LARGEST_SHOWN = 10**20

_TYPES = (
    (bool, "true or false"),
    (int, "a whole number"),
    (float, "a number with a point"),
    (str, "a text"),
    (list, "a list"),
    (dict, "a table"),
)


def nearest(word: str, known: Iterable[str]) -> str:
    """A helpful tail for “unknown …” messages: the nearest known word, or all of them.

    >>> nearest("resque", ["rescue", "clock"])
    'did you mean “rescue”?'
    """
    names = list(known)
    close = get_close_matches(word, names, n=1, cutoff=0.6) if len(word) <= MAX_GUESSED_CHARS else []
    if close:
        return f"did you mean “{close[0]}”?"
    if len(names) > _SHOWN_NAMES:
        names = [*names[: _SHOWN_NAMES - 1], f"{len(names) - _SHOWN_NAMES + 1} more"]
    return "known are " + ", ".join(names) if names else "none is known here"


def shown(value: object, most: int = _SHOWN_CHARS) -> str:
    """A value of a file as a message quotes it: short, and never with control characters.

    >>> shown("d4\\nd5"), shown([10, 10]), shown(True)
    ('“d4\N{REPLACEMENT CHARACTER}d5”', '“[10, 10]”', 'true')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value[: most + 1] if isinstance(value, str) else _spelt(value)
    text = "".join(char if char.isprintable() else UNPRINTABLE for char in text)
    return f"“{text[:most]}…”" if len(text) > most else f"“{text}”"


def _spelt(value: object) -> str:
    """A value as its file might spell it; of a list the first few items, of a table nothing."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value[: _SHOWN_CHARS + 1]}"'
    if isinstance(value, int) and not -_LARGEST_SHOWN < value < _LARGEST_SHOWN:
        return "a very large number"
    if isinstance(value, list):
        items = [_spelt(item) if not isinstance(item, list) else "[…]" for item in value[:_SHOWN_ITEMS]]
        return f"[{', '.join([*items, '…'] if len(value) > _SHOWN_ITEMS else items)}]"
    if isinstance(value, dict):
        return "{…}" if value else "{}"
    return str(value)


def shown_error(error: Exception) -> str:
    """What a library says about a wrong text, as one line of bounded length."""
    text = "".join(char if char.isprintable() else UNPRINTABLE for char in str(error)[: _LONGEST_ERROR + 1])
    return f"{text[:_LONGEST_ERROR]}…" if len(text) > _LONGEST_ERROR else text


def kind_of_value(value: object) -> str:
    """What sort of TOML value this is, in words."""
    return next((words for sort, words in _TYPES if isinstance(value, sort)), "a date or time")


class Table:
    """One table of a box file, which knows where it stands."""

    def __init__(self, file: str, path: str, data: dict[str, object]) -> None:
        self.file = file
        self.path = path
        self.data = data

    @property
    def where(self) -> str:
        """File and table, as messages begin."""
        return f"{self.file}, [{self.path}]" if self.path else self.file

    def fail(self, sentence: str) -> NoReturn:
        """Refuse the file with one sentence about this table."""
        raise EditionError(f"{self.where}: {sentence}")

    def only(self, known: Sequence[str]) -> None:
        """Refuse keys that are not known in this table."""
        for key in self.data:
            if key not in known:
                self.fail(f"unknown key {shown(key)}; {nearest(key, known)}")

    def _value(self, key: str, wanted: type, such_as: str, required: bool) -> object:
        if key not in self.data:
            if required:
                self.fail(f"the key “{key}” is missing; write {such_as}")
            return None
        value = self.data[key]
        if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
            self.fail(f"“{key}” must look like {such_as}, but it is {kind_of_value(value)}")
        return value

    def text(self, key: str, default: str | None = None, *, such_as: str = "", long: bool = False) -> str:
        """A text; without a default the key is required and may not be empty."""
        such_as = such_as or f'{key} = "…"'
        value = self._value(key, str, such_as, default is None)
        if value is None:
            assert default is not None
            return default
        return self.checked_text(key, str(value), long)

    def checked_text(self, key: str, value: str, long: bool = False) -> str:
        """The text without outer blanks, refused if it is empty, too long or has control characters."""
        text = value.strip()
        limit = TEXT_LENGTH if long else NAME_LENGTH
        if not text:
            self.fail(f"“{key}” is empty; write a few words")
        if len(text) > limit:
            self.fail(f"“{key}” has {len(text)} characters; at most {limit} fit")
        if any(not char.isprintable() and not (long and char == "\n") for char in text):
            self.fail(f"“{key}” contains a control character; use plain text")
        return text

    def number(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """A whole number between two bounds."""
        value = self._value(key, int, f"{key} = {max(least, 1)}", default is None)
        if value is None:
            assert default is not None
            return default
        assert isinstance(value, int)
        if not least <= value <= most:
            self.fail(f"“{key}” must be from {least} to {most}, not {shown(value)}")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self._value(key, bool, f"{key} = true", False)
        return default if value is None else bool(value)

    def choice(self, key: str, values: Sequence[str], default: str) -> str:
        """One of a few words."""
        value = self._value(key, str, f'{key} = "{values[0]}"', False)
        if value is None:
            return default
        if value not in values:
            self.fail(f"“{key}” cannot be {shown(value)}; it is one of {', '.join(values)}")
        return str(value)

    def texts(self, key: str, default: tuple[str, ...] | None = ()) -> tuple[str, ...]:
        """A list of different texts; required where there is no default."""
        value = self._value(key, list, f'{key} = ["…"]', default is None)
        if value is None:
            assert default is not None
            return default
        assert isinstance(value, list)
        if len(value) > MAX_LIST_ITEMS:
            self.fail(f"“{key}” lists {len(value)} texts; at most {MAX_LIST_ITEMS} are possible")
        seen: set[str] = set()
        for item in value:
            if not isinstance(item, str):
                self.fail(f"“{key}” must be a list of texts, but {shown(item)} is {kind_of_value(item)}")
            if item in seen:
                self.fail(f"“{key}” names {shown(item)} twice; once is enough")
            seen.add(item)
        return tuple(value)

    def table(self, key: str, *, required: bool = False) -> Table:
        """A table inside this one, empty if it is missing and may be."""
        path = f"{self.path}.{key}" if self.path else key
        value = self._value(key, dict, f"a table [{path}]", required)
        return Table(self.file, path, value if isinstance(value, dict) else {})

    def tables(self, key: str, *, required: bool = False) -> dict[str, Table]:
        """The named tables below a key: ``[kind.scout]`` and so on; their names must be good ids."""
        outer = self.table(key, required=required)
        if len(outer.data) > MAX_TABLES:
            self.fail(
                f"there are {len(outer.data)} tables [{outer.path}.…]; at most {MAX_TABLES} are possible"
            )
        for name in outer.data:
            if not ID.fullmatch(name) or len(name) > 32:
                outer.fail(f"{shown(name)} is no good name; use small letters, digits and single hyphens")
        return {name: outer.table(name, required=True) for name in outer.data}

    def strings(self, key: str, *, long: bool = False) -> dict[str, str]:
        """A table of texts: heading = text."""
        inner = self.table(key)
        if len(inner.data) > MAX_TABLES:
            self.fail(f"“{key}” has {len(inner.data)} headings; at most {MAX_TABLES} are possible")
        return {inner.checked_text("heading", name): inner.text(name, long=long) for name in inner.data}
