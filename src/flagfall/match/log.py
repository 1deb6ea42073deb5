"""The log of a match: everything that happened, in order. Replaying it gives the match again.

Each entry has a ``number`` (0, 1, 2 …), a time ``at_ms`` and the ``seat`` that made it; None is the referee.
A log contains setups and choices that are secret, so it stays with the referee; a `repr` does not show them.
"""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from flagfall.edition.schema import Game
from flagfall.languages import say
from flagfall.notation.names import player_name
from flagfall.notation.record import require_line
from flagfall.sides import SIDES, Side, SideName

MAX_NAME = 80


class Seating(Struct, frozen=True, forbid_unknown_fields=True):
    """The players' names by side, and whether they were drawn at random.

    >>> seat_at_random("Anna", "Ben", Random(1)).is_random
    True
    """

    south: str
    north: str
    is_random: bool = field(default=False, name="by_lot")

    def __post_init__(self) -> None:
        for side, name in zip(SIDES, (self.south, self.north), strict=True):
            require_line(f"The name of {side}", name)
            if not 0 < len(name) <= MAX_NAME:
                raise ValueError(f"The name of {side} must have 1 to {MAX_NAME} characters")

    def name(self, seat: Side | SideName) -> str:
        """Return the name of the player on this side."""
        return self.south if seat == "south" else self.north

    def shown_name(self, seat: Side | SideName) -> str:
        """Return the name of the player on this side as people read it."""
        return player_name(self.name(seat))


def seat_at_random(one: str, other: str, rng: Random) -> Seating:
    """Return a seating drawn at random."""
    south, north = (one, other) if rng.random() < 0.5 else (other, one)
    return Seating(south, north, is_random=True)


def seat_players(game: Game, one: str, other: str, rng: Random) -> Seating:
    """Return the seating of a game: drawn at random where the box says so, else the first name sits South."""
    return seat_at_random(one, other, rng) if game.sides == "lot" else Seating(one, other)


class Continued(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The moment of an earlier game from which a match goes on.

    >>> Continued(turn=12, dealt=Side.NORTH).sentence()
    'Continued from turn 12 of an earlier game; the hidden pieces of North were dealt again.'
    """

    turn: int
    """how many turns had been played"""
    match: str = ""
    """the id of the earlier match; empty if it was a record"""
    dealt: Side | None = None
    """the side whose hidden pieces were dealt anew; None: both armies are the true ones"""

    def sentence(self, *, names_match: bool = False) -> str:
        """Return this as a sentence, with the id of the earlier match if wanted."""
        source = "match" if names_match and self.match else "game"
        armies, side = ("dealt", self.dealt.title) if self.dealt else ("true", "")
        return say(f"match.continued.{source}.{armies}", turn=self.turn, match=self.match, side=side)


class _Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="what"):
    number: int
    at_ms: int
    seat: Side | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.number}{f' by {self.seat}' if self.seat else ''}>"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("number", self.number), ("seat", self.seat)]


class Created(_Entry, frozen=True, kw_only=True, tag="created"):
    """The match is created: its game, the options that differ from the defaults, and who sits where."""

    game: str
    seating: Seating
    options: dict[str, str] = field(default_factory=dict)
    training: Literal[True] | UnsetType = UNSET
    """set in a training game, in which turns may be taken back"""
    continued: Continued | UnsetType = UNSET
    """set in a match that goes on from a moment of an earlier game"""


class SetupSealed(_Entry, frozen=True, kw_only=True, tag="setup sealed"):
    """A seat hands in its setup; it may hand in another until both are there."""

    setup: str
    salt: str = ""

    @property
    def commitment(self) -> str:
        """The published hash, which shows that the setup was not changed later; empty without a salt."""
        return sha256((self.salt + self.setup).encode()).hexdigest() if self.salt else ""


class Acted(_Entry, frozen=True, kw_only=True, tag="acted"):
    """One or more actions of a turn, as `flagfall.notation` writes them."""

    text: str


class TakenBack(_Entry, frozen=True, kw_only=True, tag="taken back"):
    """A seat takes back its last turn and everything after it."""


class DrawOffered(_Entry, frozen=True, kw_only=True, tag="draw offered"):
    """A seat offers a draw."""


class DrawAnswered(_Entry, frozen=True, kw_only=True, tag="draw answered"):
    """The other seat accepts or declines."""

    accepts: bool


class Resigned(_Entry, frozen=True, kw_only=True, tag="resigned"):
    """A seat gives up."""


class FlagFell(_Entry, frozen=True, kw_only=True, tag="flag fell"):
    """This seat has run out of time."""


class Aborted(_Entry, frozen=True, kw_only=True, tag="aborted"):
    """The game is cancelled without a result."""


Entry = Created | SetupSealed | Acted | TakenBack | DrawOffered | DrawAnswered | Resigned | FlagFell | Aborted
