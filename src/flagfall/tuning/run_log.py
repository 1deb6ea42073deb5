"""The log of a long run: JSON lines, one added whenever something is done; the same command goes on from it.

Every line carries the plan of its run, everything that decides how it goes. A file of another plan is
refused with the first thing that differs; a last line that was cut off is done again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec

from flagfall.arena.line_file import LineFile
from flagfall.errors import FlagfallError


class LogError(FlagfallError):
    """The file cannot be gone on with; the message says why and what to do."""


class Line(Protocol):
    """One line of a log."""

    @property
    def plan(self) -> msgspec.Struct:
        """What the run was asked to do."""


L = TypeVar("L", bound=Line)


class RunLog(LineFile, Generic[L]):
    """Lines of one run, in memory and, if there is a file, in it."""

    def __init__(
        self, kind: type[L], plan: msgspec.Struct, file: Path | None = None, *, anew: bool = False
    ) -> None:
        self.kind, self.plan = kind, plan
        self.lines: list[L] = []
        super().__init__(file, anew=anew)

    def _stranger(self, file: str) -> LogError:
        return LogError(f"{file} is no log of such a run; choose another --log.")

    def _take(self, where: str, text: bytes) -> None:
        try:
            line = msgspec.json.decode(text, type=self.kind)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise LogError(f"{where}: this is no line of such a run; choose another --log.") from None
        for name in self.plan.__struct_fields__:
            there, here = getattr(line.plan, name), getattr(self.plan, name)
            if there != here:
                raise LogError(
                    f"{where}: this is of another run: there “{name.replace('_', ' ')}” is "
                    f"{said(there)}, here {said(here)}; repeat that run's command, choose another --log, or "
                    "begin the file again with --anew."
                )
        self.lines.append(line)

    def add(self, line: L) -> None:
        """Write a line down."""
        self.lines.append(line)
        self._write(line)

    def __len__(self) -> int:
        return len(self.lines)


def said(value: object) -> str:
    """A value of a plan in words.

    >>> said({"b": 2, "a": 1}), said(("x", "y")), said({}), said(None)
    ('a=1, b=2', 'x, y', 'none', 'unlimited')
    """
    if isinstance(value, dict):
        return ", ".join(f"{name}={chosen}" for name, chosen in sorted(value.items())) or "none"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "none"
    return "unlimited" if value is None else str(value)
