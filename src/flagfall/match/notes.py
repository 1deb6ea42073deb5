"""What a player writes down about pieces, for nobody else's eyes. No part of the log and of no record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from flagfall.match.errors import RefusedError
from flagfall.notation.record import require_line
from flagfall.sides import Side, SideName
from flagfall.view.view import SeenPiece

if TYPE_CHECKING:
    from flagfall.match.match import Match

MAX_NOTE = 200


class Notes(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Each side's notes: public name of a piece → text. They follow the piece wherever it goes."""

    south: dict[str, str] = field(default_factory=dict)
    north: dict[str, str] = field(default_factory=dict)

    def of(self, side: Side | SideName) -> dict[str, str]:
        """One player's own."""
        return self.south if side == "south" else self.north


def allows_notes(match: Match) -> bool:
    """Whether players may write notes at all: never where they must remember everything themselves."""
    return match.options["memory"] != "strict"


def require_notes(match: Match) -> None:
    """Refuse a note where none may be written, or before there is a game to write about."""
    if not allows_notes(match):
        raise RefusedError("no-notes", "Notes are not allowed with memory=strict; remember it yourself.")
    if match.phase == "setup":
        raise RefusedError("not-started", "The game has not started; notes come with the first turn.")


def write_note(match: Match, side: Side | SideName, square: str, text: str) -> SeenPiece:
    """Note something about the piece on a square; an empty text takes the note away."""
    require_notes(match)
    piece = match.view(side).at(square)
    if piece is None:
        raise RefusedError("no-piece", f"Nobody stands on {square}; name the square of a piece.")
    if len(text) > MAX_NOTE:
        raise RefusedError("no-notes", f"A note has at most {MAX_NOTE} characters; write a shorter one.")
    require_line("A note", text)
    notes = match.notes.of(side)
    if text:
        notes[piece.name] = text
    else:
        notes.pop(piece.name, None)
    return piece
