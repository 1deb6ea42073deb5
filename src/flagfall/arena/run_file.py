"""Files of long runs: one JSON line for each step, so that a stopped run resumes.

Every line contains the plan of its run. A file of another plan is refused with the first difference; an
incomplete last line is dropped and done again.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import IO, Generic, Protocol, Self, TypeVar

import msgspec

from flagfall.arena.plan import GameResult, GameSlot, Plan
from flagfall.errors import FlagfallError


class RunFileError(FlagfallError):
    """The file cannot be resumed; the message says why and what to do."""

    code = "bad-run-file"


class Line(Protocol):
    """One line of a run."""

    @property
    def plan(self) -> msgspec.Struct:
        """The settings of the run."""


L = TypeVar("L", bound=Line)


class RunFile(Generic[L]):
    """The lines of one run, in memory and, if there is one, in a file.

    With ``reads_only`` the file is not changed, even while another process writes it.
    """

    option = "--log"
    """the option of the command line that names the file"""

    def __init__(
        self,
        kind: type[L],
        plan: msgspec.Struct,
        file: Path | None = None,
        *,
        restarts: bool = False,
        reads_only: bool = False,
    ) -> None:
        self.kind, self.plan, self.file = kind, plan, file
        self.lines: list[L] = []
        self._stream: IO[bytes] | None = None
        if file is not None and file.exists() and not restarts:
            for number, text in enumerate(complete_lines(file, self.option), start=1):
                self._append(self._decoded(f"{file}, line {number}", text))
            if not reads_only:
                drop_incomplete_line(file)
        if file is not None and not reads_only:
            self._stream = file.open("wb" if restarts else "ab")

    def _decoded(self, where: str, text: bytes) -> L:
        try:
            line = msgspec.json.decode(text, type=self.kind)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise RunFileError(
                f"{where}: this is not a line of such a run; choose another {self.option}."
            ) from None
        for name in self.plan.__struct_fields__:
            there, here = getattr(line.plan, name), getattr(self.plan, name)
            if there != here:
                raise RunFileError(
                    f"{where}: this is another run: there “{name.replace('_', ' ')}” is {_text(there)}, here "
                    f"{_text(here)}; repeat its command, choose another {self.option}, or use --restart."
                )
        return line

    def _append(self, line: L) -> None:
        self.lines.append(line)

    def add(self, line: L) -> None:
        """Append a line; it is in the file when this returns."""
        self._append(line)
        if self._stream is not None:
            self._stream.write(msgspec.json.encode(line) + b"\n")
            self._stream.flush()

    def __len__(self) -> int:
        return len(self.lines)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()


class ResultsFile(RunFile[GameResult]):
    """The games of a match or a league."""

    option = "--out"
    plan: Plan

    def __init__(
        self, plan: Plan, file: Path | None = None, *, restarts: bool = False, reads_only: bool = False
    ) -> None:
        self.games: dict[GameSlot, GameResult] = {}
        super().__init__(GameResult, plan, file, restarts=restarts, reads_only=reads_only)

    def _append(self, line: GameResult) -> None:
        self.games[line.round] = line

    def __len__(self) -> int:
        return len(self.games)

    def in_order(self) -> list[GameResult]:
        """Return all games, pair by pair."""
        order = sorted(self.games, key=lambda slot: (slot.pair, slot.first, slot.second, slot.leg))
        return [self.games[slot] for slot in order]


def complete_lines(file: Path, option: str) -> list[bytes]:
    """Return the complete lines of a file; ``option`` names it on the command line."""
    data = file.read_bytes()
    *lines, rest = data.split(b"\n")
    if not lines and rest.strip():
        raise RunFileError(f"{file} is not a file of such a run; choose another {option}.")
    return lines


def drop_incomplete_line(file: Path) -> None:
    """Remove what follows the last line break of a file."""
    data = file.read_bytes()
    if not data.endswith(b"\n"):
        file.write_bytes(data[: data.rfind(b"\n") + 1])


def _text(value: object) -> str:
    """Return a value of a plan as text.

    >>> _text({"b": 2, "a": 1}), _text(("x", "y")), _text({}), _text(None)
    ('a=1, b=2', 'x, y', 'none', 'unlimited')
    """
    if isinstance(value, dict):
        return ", ".join(f"{name}={_text(chosen)}" for name, chosen in sorted(value.items())) or "none"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "none"
    return "unlimited" if value is None else str(value)
