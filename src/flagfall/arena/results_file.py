"""The file of a match or league: one game a line, added as soon as it is over; a run goes on from it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from flagfall.arena.line_file import LineFile
from flagfall.arena.plan import Plan, Played, Round
from flagfall.errors import FlagfallError

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


class LedgerError(FlagfallError):
    """The file cannot be gone on with; the message says why and what to do."""


class Ledger(LineFile):
    """Games that were played, in memory and, if there is a file, in it."""

    def __init__(
        self, plan: Plan, file: Path | None = None, *, anew: bool = False, reads_only: bool = False
    ) -> None:
        self.plan = plan
        self.games: dict[Round, Played] = {}
        super().__init__(file, anew=anew, reads_only=reads_only)

    def _stranger(self, file: str) -> LedgerError:
        return LedgerError(f"{file} is no file of games; choose another --out.")

    def _take(self, where: str, text: bytes) -> None:
        try:
            played = msgspec.json.decode(text, type=Played)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise LedgerError(f"{where}: this is no game of a match; choose another --out.") from None
        for name, word in _WORDS.items():
            there, here = getattr(played.plan, name), getattr(self.plan, name)
            if there != here:
                raise LedgerError(
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
