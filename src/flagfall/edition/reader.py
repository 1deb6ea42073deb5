"""Reading a box file: every error names the file, the table, the key and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn, TypeVar

from flagfall.edition.schema import EditionError, Problem
from flagfall.errors import quoted, suggestion

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
NAME_LENGTH = 60
TEXT_LENGTH = 4000
MAX_TABLES = 130
"""maximum number of kinds, powers, games or hints of a box; two armies have setup letters for 124 kinds"""
MAX_PROBLEMS = 50
"""problems of a box that are told at once"""
MAX_LIST_ITEMS = 200
"""maximum number of texts in a list: twice the squares of the largest board"""

STAND_IN = "x"
"""read in place of a text that is missing or wrong"""
Built = TypeVar("Built")
_QUOTED = re.compile("“([^”]*)”")
_TYPES = (
    (bool, "true or false"),
    (int, "a whole number"),
    (float, "a number with a point"),
    (str, "a text"),
    (list, "a list"),
    (dict, "a table"),
)


def kind_of_value(value: object) -> str:
    """Return the type of a TOML value in words."""
    return next((words for sort, words in _TYPES if isinstance(value, sort)), "a date or time")


class Problems:
    """Collects the problems of a box, so that one does not hide the others."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    @contextmanager
    def collected(self) -> Iterator[None]:
        """Keep the problems that are raised in the block; the rest of the block is left out."""
        try:
            yield
        except EditionError as error:
            self._found += error.problems

    def refuse(self) -> None:
        """Raise an `EditionError` with everything found so far, if there is anything."""
        if self._found:
            raise EditionError(*self._found[:MAX_PROBLEMS])


class Section:
    """One table of a box file, with its file and path for messages.

    While `read_by` runs, a wrong value is noted, and a harmless one is read in its place.
    """

    def __init__(
        self, file: str, path: str, data: dict[str, object], found: list[Problem] | None = None
    ) -> None:
        self.file = file
        self.path = path
        self.data = data
        self.found = found
        """problems noted so far; None: the first one is raised"""

    def read_by(self, build: Callable[[], Built]) -> Built:
        """Return what is built of this table; everything found wrong with its values is raised together."""
        found = self.found = []
        try:
            built = build()
        except EditionError as error:
            for problem in error.problems:
                self._note(problem)
        finally:
            self.found = None
        if found:
            raise EditionError(*found)
        return built

    def stop_if_wrong(self) -> None:
        """Raise what was noted so far: what follows would only be wrong because of it."""
        if self.found:
            raise EditionError(*self.found)

    def note(self, sentence: str) -> None:
        """Note a problem and go on, or raise it if problems are not collected."""
        if self.found is None:
            self.fail(sentence)
        self._note(self.problem(sentence))

    def _note(self, problem: Problem) -> None:
        """Add a problem, unless an earlier one quotes one of its words: it may follow from that one."""
        found = self.found
        assert found is not None
        words = set(_QUOTED.findall(problem.sentence))
        if not any(words & set(_QUOTED.findall(earlier.sentence)) for earlier in found):
            found.append(problem)

    def problem(self, sentence: str) -> Problem:
        """Return a problem of this table; it is about the first of its keys that the sentence quotes."""
        quotes = (found[1] for found in _QUOTED.finditer(sentence))
        key = next((name for name in quotes if name in self.data), "")
        return Problem(sentence, self.file, self.path, key)

    def fail(self, sentence: str) -> NoReturn:
        """Raise an `EditionError` about this table."""
        raise EditionError(self.problem(sentence))

    def only(self, known: Sequence[str]) -> None:
        """Refuse unknown keys, all of them."""
        unknown = [key for key in self.data if key not in known][:MAX_PROBLEMS]
        problems = [self.problem(f"unknown key {quoted(key)}; {suggestion(key, known)}") for key in unknown]
        if self.found is not None:
            self.found += problems
        elif problems:
            raise EditionError(*problems)

    def _value(
        self, key: str, wanted: type, such_as: str, required: bool, *, can_go_on: bool = True
    ) -> object:
        """Return a value of the wanted type; None if it is missing, or wrong and noted."""
        refuse = self.note if can_go_on else self.fail
        if key not in self.data:
            if required:
                refuse(f"the key “{key}” is missing; write {such_as}")
            return None
        value = self.data[key]
        if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
            refuse(f"“{key}” must look like {such_as}, but it is {kind_of_value(value)}")
            return None
        return value

    def text(self, key: str, default: str | None = None, *, such_as: str = "", long: bool = False) -> str:
        """Return a text; without a default the key is required."""
        such_as = such_as or f'{key} = "…"'
        value = self._value(key, str, such_as, default is None)
        if value is None:
            return STAND_IN if default is None else default
        return self.checked_text(key, str(value), long)

    def checked_text(self, key: str, value: str, long: bool = False) -> str:
        """Return the text stripped; refuse one that is empty, too long or has control characters."""
        text = value.strip()
        limit = TEXT_LENGTH if long else NAME_LENGTH
        if not text:
            self.note(f"“{key}” is empty; write a few words")
        elif len(text) > limit:
            self.note(f"“{key}” has {len(text)} characters; at most {limit} fit")
        elif any(not char.isprintable() and not (long and char == "\n") for char in text):
            self.note(f"“{key}” contains a control character; use plain text")
        else:
            return text
        return STAND_IN

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number within bounds."""
        value = self._value(key, int, f"{key} = {max(low, 1)}", default is None)
        if value is None:
            return low if default is None else default
        assert isinstance(value, int)
        if not low <= value <= high:
            self.note(f"“{key}” must be from {low} to {high}, not {quoted(value)}")
            return low
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Return a boolean."""
        value = self._value(key, bool, f"{key} = true", False)
        return default if value is None else bool(value)

    def choice(self, key: str, values: Sequence[str], default: str) -> str:
        """Return one of the given words."""
        value = self._value(key, str, f'{key} = "{values[0]}"', False)
        if value is None:
            return default
        if value not in values:
            self.note(f"“{key}” cannot be {quoted(value)}; it is one of {', '.join(values)}")
            return default
        return str(value)

    def texts(self, key: str, default: tuple[str, ...] | None = ()) -> tuple[str, ...]:
        """Return a list of different texts; without a default the key is required."""
        value = self._value(key, list, f'{key} = ["…"]', default is None)
        if value is None:
            return default or ()
        assert isinstance(value, list)
        if len(value) > MAX_LIST_ITEMS:
            self.note(f"“{key}” lists {len(value)} texts; at most {MAX_LIST_ITEMS} are possible")
            return default or ()
        seen: dict[str, None] = {}
        for item in value:
            if not isinstance(item, str):
                self.note(f"“{key}” must be a list of texts, but {quoted(item)} is {kind_of_value(item)}")
            elif item in seen:
                self.note(f"“{key}” names {quoted(item)} twice; once is enough")
            else:
                seen[item] = None
        return tuple(seen)

    def table(self, key: str, *, required: bool = False) -> Section:
        """Return a table inside this one, empty if it is missing and not required."""
        path = f"{self.path}.{key}" if self.path else key
        value = self._value(key, dict, f"a table [{path}]", required, can_go_on=not required)
        return Section(self.file, path, value if isinstance(value, dict) else {}, self.found)

    def tables(self, key: str, *, required: bool = False) -> dict[str, Section]:
        """Return the named tables below a key, such as ``[kind.scout]``; their names must be valid ids."""
        outer = self.table(key, required=required)
        if len(outer.data) > MAX_TABLES:
            self.fail(
                f"there are {len(outer.data)} tables [{outer.path}.…]; at most {MAX_TABLES} are possible"
            )
        for name in outer.data:
            if not ID.fullmatch(name) or len(name) > 32:
                outer.fail(f"{quoted(name)} is not a valid name; use small letters, digits, single hyphens")
        return {name: outer.table(name, required=True) for name in outer.data}

    def rows(self, key: str) -> list[Section]:
        """Return the tables of a list, such as ``[[lesson.spy.step]]``; it must have at least one."""
        path = f"{self.path}.{key}" if self.path else key
        value = self._value(key, list, f"tables [[{path}]]", required=True, can_go_on=False)
        assert isinstance(value, list)
        if not value or not all(isinstance(row, dict) for row in value):
            self.fail(f"“{key}” must be tables [[{path}]], at least one")
        if len(value) > MAX_LIST_ITEMS:
            self.fail(f"there are {len(value)} tables [[{path}]]; at most {MAX_LIST_ITEMS} are possible")
        return [
            Section(self.file, f"{path} {number}", row, self.found)
            for number, row in enumerate(value, start=1)
        ]

    def strings(self, key: str, *, long: bool = False) -> dict[str, str]:
        """Return a table of texts: heading = text."""
        inner = self.table(key)
        if len(inner.data) > MAX_TABLES:
            self.fail(f"“{key}” has {len(inner.data)} headings; at most {MAX_TABLES} are possible")
        return {inner.checked_text("heading", name): inner.text(name, long=long) for name in inner.data}
