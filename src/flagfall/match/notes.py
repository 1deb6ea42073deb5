"""What people write about a game: comments for its record, and private notes on pieces. Not in the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from flagfall.languages import say
from flagfall.match.errors import RefusedError
from flagfall.notation.record import require_date, require_line
from flagfall.sides import Side, SideName
from flagfall.view.view import SeenPiece

if TYPE_CHECKING:
    from flagfall.match.match import Match

MAX_NOTE = 200


class Annotations(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The date and comments of a match; its record contains them."""

    date: str = ""
    comments: tuple[str, ...] = ()
    turns: dict[int, str] = field(default_factory=dict)
    """index of a turn → comment"""

    def __post_init__(self) -> None:
        require_date(self.date)
        for comment in (*self.comments, *self.turns.values()):
            require_line("A comment", comment)


class Notes(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Each side's notes: public name of a piece → text. A note stays with its piece."""

    south: dict[str, str] = field(default_factory=dict)
    north: dict[str, str] = field(default_factory=dict)

    def of(self, side: Side | SideName) -> dict[str, str]:
        """Return the notes of one side."""
        return self.south if side == "south" else self.north


def allows_notes(match: Match) -> bool:
    """Return whether players may write notes; not with ``memory = strict``."""
    return match.options["memory"] != "strict"


def require_notes(match: Match) -> None:
    """Refuse notes if the options forbid them or the game has not started."""
    if not allows_notes(match):
        raise RefusedError("no-notes", say("match.note.forbidden"))
    if match.phase == "setup":
        raise RefusedError("not-started", say("match.note.too-early"))


def write_note(match: Match, side: Side | SideName, square: str, text: str) -> SeenPiece:
    """Write a note on the piece on a square; an empty text deletes it."""
    require_notes(match)
    piece = match.view(side).at(square)
    if piece is None:
        raise RefusedError("no-piece", say("match.note.no-piece", square=square))
    if len(text) > MAX_NOTE:
        raise RefusedError("no-notes", say("match.note.too-long", number=MAX_NOTE))
    require_line("A note", text)
    notes = match.notes.of(side)
    if text:
        notes[piece.name] = text
    else:
        notes.pop(piece.name, None)
    return piece
