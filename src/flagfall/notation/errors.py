"""The error of all readers: where a text is wrong, and what was expected."""

from __future__ import annotations

from flagfall.errors import FlagfallError
from flagfall.languages import say


class NotationError(FlagfallError):
    """A text cannot be read: ``reason`` says why, ``line`` and ``column`` where (both count from 1).

    ``expected`` says in a few words what would be right there.

    >>> print(NotationError("“k9” is not a square", line=2, column=5, expected="a square such as d4"))
    Line 2, column 5: “k9” is not a square; expected a square such as d4.
    """

    code = "bad-notation"

    def __init__(self, reason: str, *, line: int = 1, column: int = 1, expected: str) -> None:
        where = {"line": str(line), "column": str(column)}
        super().__init__(say("typing.error.at", reason=reason, expected=expected, **where))
        self.reason = reason
        self.line = line
        self.column = column
        self.expected = expected

    def moved(self, line: int, column: int) -> NotationError:
        """Return the same error for a text that begins at that line and column of a larger one."""
        column = column + self.column - 1 if self.line == 1 else self.column
        return NotationError(self.reason, line=line + self.line - 1, column=column, expected=self.expected)


def error_at(text: str, offset: int, reason: str, expected: str) -> NotationError:
    """Return an error at a character of a text."""
    before = text[:offset]
    line, column = before.count("\n") + 1, offset - before.rfind("\n")
    return NotationError(reason, line=line, column=column, expected=expected)
