"""The log of a match: everything that was done at the table, in order. Replaying it gives the match again.

Each entry has its ``number`` (0, 1, 2 …), the time ``at_ms`` and the ``seat`` it came from (None: the
referee). A log holds setups and choices that nobody else may know, so it stays with the referee; what is
hidden does not show in its `repr` either.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from msgspec import Struct, field

from flagfall.match.seating import Seating
from flagfall.sides import Side


class _Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="what"):
    number: int
    at_ms: int
    seat: Side | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.number}{f' by {self.seat}' if self.seat else ''}>"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("number", self.number), ("seat", self.seat)]


class Created(_Entry, frozen=True, kw_only=True, tag="created"):
    """The table is laid: which game, which options differ from its defaults, who sits where."""

    game: str
    seating: Seating
    options: dict[str, str] = field(default_factory=dict)


class SetupSealed(_Entry, frozen=True, kw_only=True, tag="setup sealed"):
    """A seat has handed in its setup; the last one before both are in counts."""

    setup: str
    salt: str = ""

    @property
    def commitment(self) -> str:
        """What is published at once, so that nobody can exchange the setup later; empty without a salt."""
        return sha256((self.salt + self.setup).encode()).hexdigest() if self.salt else ""


class Acted(_Entry, frozen=True, kw_only=True, tag="acted"):
    """One or more actions of a turn, as `flagfall.notation` writes them."""

    text: str


class DrawOffered(_Entry, frozen=True, kw_only=True, tag="draw offered"):
    """A seat offers a draw."""


class DrawAnswered(_Entry, frozen=True, kw_only=True, tag="draw answered"):
    """The other seat says yes or no."""

    accepts: bool


class Resigned(_Entry, frozen=True, kw_only=True, tag="resigned"):
    """A seat gives up."""


class FlagFell(_Entry, frozen=True, kw_only=True, tag="flag fell"):
    """The time of this seat is over."""


class Aborted(_Entry, frozen=True, kw_only=True, tag="aborted"):
    """The game is called off without a result."""


Entry = Created | SetupSealed | Acted | DrawOffered | DrawAnswered | Resigned | FlagFell | Aborted
