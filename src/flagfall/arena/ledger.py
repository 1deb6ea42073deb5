"""The file of a match or league: one game a line, added as soon as it is over; a run goes on from it."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import IO

import msgspec

from flagfall.arena.plan import Plan, Played, Round

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


class LedgerError(ValueError):
    """The file cannot be gone on with; the message says why and what to do."""


class Ledger:
    """Games that were played, in memory and, if there is a file, in it.

    Opened with ``reads_only`` the file is left as it is, also while somebody else writes it.
    """

    def __init__(
        self, plan: Plan, file: Path | None = None, *, anew: bool = False, reads_only: bool = False
    ) -> None:
        self.plan, self.file = plan, file
        self.games: dict[Round, Played] = {}
        self._stream: IO[bytes] | None = None
        if file is not None and file.exists() and not anew:
            self._read(file, reads_only=reads_only)
        if file is not None and not reads_only:
            self._stream = file.open("wb" if anew else "ab")

    def _read(self, file: Path, *, reads_only: bool) -> None:
        data = file.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), start=1):
            played = self._played(file, number, line)
            self.games[played.round] = played
        if not whole and data.strip():
            raise LedgerError(f"{file} is no file of games; choose another --out.")
        if whole != data and not reads_only:  # a last line that was cut off is played again
            file.write_bytes(whole)

    def _played(self, file: Path, number: int, line: bytes) -> Played:
        try:
            played = msgspec.json.decode(line, type=Played)
        except (msgspec.DecodeError, UnicodeDecodeError):
            where = f"{file}, line {number}"
            raise LedgerError(f"{where}: this is no game of a match; choose another --out.") from None
        for name, word in _WORDS.items():
            there, here = getattr(played.plan, name), getattr(self.plan, name)
            if there != here:
                raise LedgerError(
                    f"{file}, line {number}: this is of another run: there {word} is {_said(there)}, here "
                    f"{_said(here)}; repeat that run's command or choose another --out."
                )
        return played

    def add(self, played: Played) -> None:
        """Write a game down."""
        self.games[played.round] = played
        if self._stream is not None:
            self._stream.write(msgspec.json.encode(played) + b"\n")
            self._stream.flush()

    def __len__(self) -> int:
        return len(self.games)

    def __contains__(self, at: Round) -> bool:
        return at in self.games

    def in_order(self) -> list[Played]:
        """All games, pair by pair."""
        order = sorted(self.games, key=lambda at: (at.pair, at.first, at.second, at.leg))
        return [self.games[at] for at in order]

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()


def _said(value: object) -> str:
    if isinstance(value, dict) and any(isinstance(chosen, dict) for chosen in value.values()):
        return "; ".join(f"{name}: {_said(chosen)}" for name, chosen in sorted(value.items()))
    if isinstance(value, dict):
        return ", ".join(f"{name}={chosen}" for name, chosen in sorted(value.items())) or "none"
    if isinstance(value, tuple):
        return " against ".join(map(str, value))
    return "unlimited" if value is None else str(value)
