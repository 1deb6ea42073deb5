"""Who sits where: drawn at random or chosen. South moves first."""

from __future__ import annotations

from random import Random

from msgspec import Struct, field

from flagfall.edition.schema import Game
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


def seat_at_random(one: str, other: str, rng: Random) -> Seating:
    """Return a seating drawn at random."""
    south, north = (one, other) if rng.random() < 0.5 else (other, one)
    return Seating(south, north, is_random=True)


def seat_players(game: Game, one: str, other: str, rng: Random) -> Seating:
    """Return the seating of a game: drawn at random where the box says so, else the first name sits South."""
    return seat_at_random(one, other, rng) if game.sides == "lot" else Seating(one, other)
