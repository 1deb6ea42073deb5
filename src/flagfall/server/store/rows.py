"""Rows of the database as values."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from flagfall.match import Match, MatchError
from flagfall.sides import SIDES, Side, SideName

Status = Literal["waiting", "running", "over", "damaged"]
Opponent = Literal["computer", "hot-seat", "friend", "lobby"]
HostSide = Literal["south", "north", "lot"]


def new_id() -> str:
    """Return a random id that a command line cannot take for an option."""
    while (found := secrets.token_urlsafe(9)).startswith("-"):
        pass
    return found


class GuestRow(Struct, frozen=True):
    """A guest, without the cookie."""

    id: str
    name: str


class BanRow(Struct, frozen=True):
    """A guest id, address or network that is not served, why, and until when (None: permanently)."""

    subject: str
    reason: str
    created_ms: int
    until_ms: int | None


class ChatRow(Struct, frozen=True):
    """A phrase that a player said."""

    seat: Side
    phrase: str
    at_ms: int


class SetupRow(Struct, frozen=True):
    """A setup that a guest has saved under a name."""

    id: str
    game: str
    side: Side
    name: str
    code: str
    own_tags: tuple[str, ...] = ()


class MatchRow(Struct, frozen=True, kw_only=True):
    """A match as lists show it; what was played is in its log."""

    id: str
    game: str
    options: dict[str, str]
    opponent: Opponent
    status: Status
    host: str
    host_side: HostSide
    invitation: str | None = None
    south: str | None = None
    north: str | None = None
    south_name: str = ""
    north_name: str = ""
    south_level: str = ""
    north_level: str = ""
    seed: str
    created_ms: int
    falls_at_ms: int | None = None
    to_move: SideName | Literal[""] | None = ""
    """whose turn it is; empty: in the setup phase or after the end; None: unknown, from an older version"""
    updated_ms: int = 0
    """time of the last entry of its log"""
    winner: SideName | Literal[""] = ""
    reason: str = ""
    rematch_asked: str = ""
    rematch: str = ""

    def guest(self, side: Side) -> str | None:
        """Return the id of the guest in a seat; None for a computer."""
        return self.south if side == "south" else self.north

    def level(self, side: Side) -> str:
        """Return the id of the computer player in a seat; empty for a person."""
        return self.south_level if side == "south" else self.north_level

    def name(self, side: Side) -> str:
        """Return the name of the player in a seat."""
        return self.south_name if side == "south" else self.north_name

    def seats_of(self, guest: str | None) -> tuple[Side, ...]:
        """Return the seats of a guest."""
        return tuple(side for side in SIDES if guest is not None and self.guest(side) == guest)

    @property
    def phase(self) -> Literal["waiting", "setup", "playing", "over"]:
        """The phase of the match, as lists show it."""
        if self.status == "running":
            return "setup" if self.to_move == "" else "playing"
        return "waiting" if self.status == "waiting" else "over"

    def computers(self) -> tuple[Side, ...]:
        """Return the seats of computer players."""
        return tuple(side for side in SIDES if self.level(side))


class MatchFilter(Struct, frozen=True):
    """Which of a guest's matches to list; empty fields allow all."""

    game: str = ""
    """id of a game or of a box"""
    opponent: str = ""
    """``people``, ``same-screen`` or the id of a computer player"""
    result: str = ""
    """running, won, lost, drawn or cancelled"""


def result_columns(match: Match) -> dict[str, Any]:
    """Return the columns of a match that change with its log."""
    result = match.result
    return {
        "status": "over" if match.is_over else "running",
        "falls_at_ms": match.clocks.falls_at_ms,
        "to_move": match.to_move or "",
        "winner": result.winner if result else "",
        "reason": result.reason if result else "",
    }


def decode_row(row: Mapping[Any, Any]) -> MatchRow:
    """Return a row of the table of matches as a value; `MatchError` if a column has an impossible value."""
    try:
        facts = {name: row[name] for name in MatchRow.__struct_fields__}
        for value in facts.values():
            if isinstance(value, str):
                value.encode()  # raises if the stored bytes are no UTF-8
        return msgspec.convert(facts | {"options": msgspec.json.decode(row["options"])}, MatchRow)
    except (msgspec.MsgspecError, TypeError, UnicodeError):
        raise MatchError("The row of the match is damaged") from None


def sendable(text: str) -> str:
    """Return a text that can be sent: damaged bytes become question marks."""
    return text.encode("utf-8", "replace").decode()
