"""What people remark on a game: its date, comments on the whole and on single turns. No part of the log."""

from __future__ import annotations

from msgspec import Struct, field

from flagfall.notation.record import require_date, require_line


class Annotations(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Date and comments, kept with a match and written into its record."""

    date: str = ""
    comments: tuple[str, ...] = ()
    turns: dict[int, str] = field(default_factory=dict)
    """turn, counted from 0 → comment"""

    def __post_init__(self) -> None:
        require_date(self.date)
        for comment in (*self.comments, *self.turns.values()):
            require_line("A comment", comment)
