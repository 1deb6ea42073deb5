"""The log of a long run: JSON lines; the same command resumes from it.

Every line contains the plan of its run. A file of another plan is refused with the first difference; an
incomplete last line is dropped.
"""

from __future__ import annotations

from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec

from flagfall.arena.results_file import LineFile
from flagfall.errors import FlagfallError


class LogError(FlagfallError):
    """The file cannot be resumed; the message says why and what to do."""

    code = "bad-run-log"


class Line(Protocol):
    """One line of a log."""

    @property
    def plan(self) -> msgspec.Struct:
        """The settings of the run."""


L = TypeVar("L", bound=Line)


class RunLog(LineFile, Generic[L]):
    """The lines of one run, in memory and, if there is one, in a file."""

    def __init__(
        self, kind: type[L], plan: msgspec.Struct, file: Path | None = None, *, anew: bool = False
    ) -> None:
        self.kind, self.plan = kind, plan
        self.lines: list[L] = []
        super().__init__(file, anew=anew)

    def _stranger(self, file: str) -> LogError:
        return LogError(f"{file} is not a log of such a run; choose another --log.")

    def _take(self, where: str, text: bytes) -> None:
        try:
            line = msgspec.json.decode(text, type=self.kind)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise LogError(f"{where}: this is not a line of such a run; choose another --log.") from None
        for name in self.plan.__struct_fields__:
            there, here = getattr(line.plan, name), getattr(self.plan, name)
            if there != here:
                raise LogError(
                    f"{where}: this is another run: there “{name.replace('_', ' ')}” is "
                    f"{said(there)}, here {said(here)}; repeat its command, choose another --log, or "
                    "start over with --anew."
                )
        self.lines.append(line)

    def add(self, line: L) -> None:
        """Append a line."""
        self.lines.append(line)
        self._write(line)

    def __len__(self) -> int:
        return len(self.lines)


def said(value: object) -> str:
    """Return a value of a plan in words.

    >>> said({"b": 2, "a": 1}), said(("x", "y")), said({}), said(None)
    ('a=1, b=2', 'x, y', 'none', 'unlimited')
    """
    if isinstance(value, dict):
        return ", ".join(f"{name}={chosen}" for name, chosen in sorted(value.items())) or "none"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "none"
    return "unlimited" if value is None else str(value)
