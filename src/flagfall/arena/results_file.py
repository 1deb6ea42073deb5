"""Files of long runs: one JSON line for each thing done, so that a stopped run resumes.

Whole lines are kept; a last line that was cut off is dropped and done again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import msgspec

from flagfall.arena.plan import Plan, Played, Round
from flagfall.errors import FlagfallError


class LineFile(ABC):
    """The lines of one run, in memory and, if there is a file, in it.

    Opened with ``reads_only`` the file is not changed, even while another process writes it.
    """

    def __init__(self, file: Path | None, *, anew: bool = False, reads_only: bool = False) -> None:
        self.file = file
        self._stream: IO[bytes] | None = None
        if file is not None and file.exists() and not anew:
            self._read(file, reads_only=reads_only)
        if file is not None and not reads_only:
            self._stream = file.open("wb" if anew else "ab")

    def _read(self, file: Path, *, reads_only: bool) -> None:
        data = file.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if not whole and data.strip():
            raise self._stranger(str(file))
        for number, text in enumerate(whole.splitlines(), start=1):
            self._take(f"{file}, line {number}", text)
        if whole != data and not reads_only:  # what was cut off is done again
            file.write_bytes(whole)

    @abstractmethod
    def _stranger(self, file: str) -> Exception:
        """What is wrong with a file that has no line at all."""

    @abstractmethod
    def _take(self, where: str, text: bytes) -> None:
        """Take in a line that was written before, or refuse the file."""

    def _write(self, line: object) -> None:
        """Add a line; it is in the file when this returns."""
        if self._stream is not None:
            self._stream.write(msgspec.json.encode(line) + b"\n")
            self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()


_WORDS = {
    "game": "the game",
    "options": "the options",
    "players": "the players",
    "seed": "the seed",
    "time_ms": "the time for an action",
    "nodes": "the nodes for an action",
    "setups": "the rule for setups",
    "most_turns": "the limit of turns",
    "allows_cheater": "whether a cheater may play",
    "weights": "what is in the files of weights",
}


class ResultsFileError(FlagfallError):
    """The file cannot be resumed; the message says why and what to do."""

    code = "bad-results-file"


class ResultsFile(LineFile):
    """Games that were played, in memory and, if there is a file, in it."""

    def __init__(
        self, plan: Plan, file: Path | None = None, *, anew: bool = False, reads_only: bool = False
    ) -> None:
        self.plan = plan
        self.games: dict[Round, Played] = {}
        super().__init__(file, anew=anew, reads_only=reads_only)

    def _stranger(self, file: str) -> ResultsFileError:
        return ResultsFileError(f"{file} is no file of games; choose another --out.")

    def _take(self, where: str, text: bytes) -> None:
        try:
            played = msgspec.json.decode(text, type=Played)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise ResultsFileError(f"{where}: this is no game of a match; choose another --out.") from None
        for name, word in _WORDS.items():
            there, here = getattr(played.plan, name), getattr(self.plan, name)
            if there != here:
                raise ResultsFileError(
                    f"{where}: this is of another run: there {word} is {_said(there)}, here "
                    f"{_said(here)}; repeat that run's command or choose another --out."
                )
        self.games[played.round] = played

    def add(self, played: Played) -> None:
        """Write a game down."""
        self.games[played.round] = played
        self._write(played)

    def __len__(self) -> int:
        return len(self.games)

    def __contains__(self, at: Round) -> bool:
        return at in self.games

    def in_order(self) -> list[Played]:
        """All games, pair by pair."""
        order = sorted(self.games, key=lambda at: (at.pair, at.first, at.second, at.leg))
        return [self.games[at] for at in order]


def _said(value: object) -> str:
    if isinstance(value, dict) and any(isinstance(chosen, dict) for chosen in value.values()):
        return "; ".join(f"{name}: {_said(chosen)}" for name, chosen in sorted(value.items()))
    if isinstance(value, dict):
        return ", ".join(f"{name}={chosen}" for name, chosen in sorted(value.items())) or "none"
    if isinstance(value, tuple):
        return " against ".join(map(str, value))
    return "unlimited" if value is None else str(value)
