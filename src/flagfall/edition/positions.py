"""Find where the tables and keys of a TOML text stand, because the parser does not tell.

>>> positions = Positions('id = "x"\\n\\n[kind.scout]\\nrank = 2\\nnames = { a = "A" }\\n')
>>> positions.of("kind.scout", "rank"), positions.of("kind.scout", "colour")
((4, 1), (3, 1))
>>> positions.of("kind.scout.names", "a")
(5, 11)
"""

from __future__ import annotations

import re

Position = tuple[int, int]
"""line and column, from 1"""

_KEY = re.compile(r"""[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*""")
_SKIP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' r"'''.*?'{3,5}|" r'"(?:[^"\\\n]|\\.)*"|' r"'[^'\n]*'", re.DOTALL
)
_PLAIN = re.compile(r"""[^\[\]{},"'#\n]+""")
_ESCAPE = re.compile(r"\\(.)")


class Positions:
    """The place of every table and key of a text that the TOML parser has accepted."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self._found: dict[str, Position] = {}
        self._rows: dict[str, int] = {}
        """how many tables of each list ``[[lesson.spy.step]]`` there are so far"""
        self._scan()

    def of(self, table: str, key: str = "") -> Position:
        """Return where a key of a table stands, or else its table, or the table around that."""
        path = f"{table}.{key}" if table and key else table or key
        while path not in self._found:
            if "." not in path:
                return (1, 1)
            path = path.rpartition(".")[0]
        return self._found[path]

    def _scan(self) -> None:
        text, at, table = self._text, 0, ""
        while (at := _skip(text, at)) < len(text):
            start = at
            if text[at] == "[":
                is_row = text.startswith("[[", at)
                path, at = self._keys("", at + (2 if is_row else 1), start)
                if is_row:
                    self._rows[path] = self._rows.get(path, 0) + 1
                    path = f"{path} {self._rows[path]}"
                    self._note(path, start)
                table, at = self._inside(path), text.find("]", at)
            else:
                path, at = self._keys(table, at, start)
                at = self._value(path, at + 1) if text[at : at + 1] == "=" else -1
            end = text.find("\n", at)
            if at < 0 or end < 0:
                return
            at = end

    def _inside(self, path: str) -> str:
        """Return the path of a table as messages name it: with the number of the row it belongs to."""
        for row, number in self._rows.items():
            if path.startswith(f"{row}."):
                return f"{row} {number}{path[len(row) :]}"
        return path

    def _keys(self, table: str, at: int, start: int) -> tuple[str, int]:
        """Read a key such as ``a.b`` and note each of its parts; return its path and where it ends."""
        path = table
        while (found := _KEY.match(self._text, at)) is not None:
            path = f"{path}.{_plain(found[1])}" if path else _plain(found[1])
            self._note(path, start)
            at = found.end()
            if self._text[at : at + 1] != ".":
                break
            at += 1
        return path, at

    def _note(self, path: str, at: int) -> None:
        if path not in self._found:
            line = self._line(at)
            self._found[path] = (line + 1, at - self._lines[line] + 1)

    def _line(self, at: int) -> int:
        low, high = 0, len(self._lines)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._lines[middle] <= at else (low, middle)
        return low

    def _value(self, path: str, at: int) -> int:
        """Skip a value and note the keys of inline tables in it; return where it ends."""
        text, open_paths = self._text, list[str]()
        while at < len(text):
            at = _skip(text, at)
            char = text[at : at + 1]
            if char in "\"'" and char:
                found = _STRING.match(text, at)
                if found is None:
                    return -1
                at = found.end()
            elif char in "[{" and char:
                open_paths.append(path if char == "{" else "")
                path, at = self._inline_key(open_paths[-1], path, at + 1)
            elif char == "," and open_paths:
                path, at = self._inline_key(open_paths[-1], path, at + 1)
            elif char in "]}" and open_paths:
                open_paths.pop()
                at += 1
            elif (found := _PLAIN.match(text, at)) is not None and found.end() > at:
                at = found.end()
            else:
                return at
            if not open_paths:
                return at
        return at

    def _inline_key(self, table: str, path: str, at: int) -> tuple[str, int]:
        """Read the key that follows ``{`` or a comma in an inline table; lists have none, and no table."""
        at = _skip(self._text, at)
        if not table or self._text[at : at + 1] in ("}", ""):
            return path, at
        path, at = self._keys(table, at, at)
        return path, at + 1 if self._text[at : at + 1] == "=" else at


def _skip(text: str, at: int) -> int:
    """Return the next place that is neither space nor remark."""
    found = _SKIP.match(text, at)
    return found.end() if found else at


def _plain(key: str) -> str:
    """Return a key without its quotes."""
    return _ESCAPE.sub(r"\1", key[1:-1]) if key[0] == '"' else key.strip("'")
