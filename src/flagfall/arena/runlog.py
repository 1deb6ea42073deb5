"""The log of a long run: JSON lines, one added whenever something is done; the same command goes on from it.

Every line carries the plan of its run, everything that decides how it goes. A file of another plan is
refused with the first thing that differs; a last line that was cut off is done again.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import IO, Generic, Protocol, TypeVar

import msgspec


class LogError(ValueError):
    """The file cannot be gone on with; the message says why and what to do."""


class Line(Protocol):
    """One line of a log."""

    @property
    def plan(self) -> msgspec.Struct:
        """What the run was asked to do."""


L = TypeVar("L", bound=Line)


class RunLog(Generic[L]):
    """Lines of one run, in memory and, if there is a file, in it."""

    def __init__(
        self, kind: type[L], plan: msgspec.Struct, file: Path | None = None, *, anew: bool = False
    ) -> None:
        self.kind, self.plan, self.file = kind, plan, file
        self.lines: list[L] = []
        self._stream: IO[bytes] | None = None
        if file is not None and file.exists() and not anew:
            self._read(file)
        if file is not None:
            self._stream = file.open("wb" if anew else "ab")

    def _read(self, file: Path) -> None:
        data = file.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if not whole and data.strip():
            raise LogError(f"{file} is no log of such a run; choose another --log.")
        self.lines = [self._line(file, at, line) for at, line in enumerate(whole.splitlines(), start=1)]
        if whole != data:
            file.write_bytes(whole)

    def _line(self, file: Path, number: int, text: bytes) -> L:
        try:
            line = msgspec.json.decode(text, type=self.kind)
        except (msgspec.DecodeError, UnicodeDecodeError):
            where = f"{file}, line {number}"
            raise LogError(f"{where}: this is no line of such a run; choose another --log.") from None
        for name in self.plan.__struct_fields__:
            there, here = getattr(line.plan, name), getattr(self.plan, name)
            if there != here:
                raise LogError(
                    f"{file}, line {number}: this is of another run: there “{name.replace('_', ' ')}” is "
                    f"{said(there)}, here {said(here)}; repeat that run's command, choose another --log, or "
                    "begin the file again with --anew."
                )
        return line

    def add(self, line: L) -> None:
        """Write a line down."""
        self.lines.append(line)
        if self._stream is not None:
            self._stream.write(msgspec.json.encode(line) + b"\n")
            self._stream.flush()

    def __len__(self) -> int:
        return len(self.lines)

    def __enter__(self) -> RunLog[L]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()


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
