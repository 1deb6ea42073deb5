"""Who sits where: drawn by lot or chosen. The army that moves first sits South."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from flagfall.edition.schema import Game
from flagfall.notation.record import require_line
from flagfall.sides import SIDES, Side, SideName

MAX_NAME = 80


class Seating(Struct, frozen=True, forbid_unknown_fields=True):
    """The players' names by seat, and whether a lot decided it.

    >>> draw_lots("Anna", "Ben", Random(1)).by_lot
    True
    """

    south: str
    north: str
    by_lot: bool = False

    def __post_init__(self) -> None:
        for side, name in zip(SIDES, (self.south, self.north), strict=True):
            require_line(f"The name of {side}", name)
            if not 0 < len(name) <= MAX_NAME:
                raise ValueError(f"The name of {side} must have 1 to {MAX_NAME} characters")

    def name(self, seat: Side | SideName) -> str:
        """Who sits there."""
        return self.south if seat == "south" else self.north


def draw_lots(one: str, other: str, rng: Random) -> Seating:
    """One player hides a piece of each army in the hands, the other picks a hand."""
    south, north = (one, other) if rng.random() < 0.5 else (other, one)
    return Seating(south, north, by_lot=True)


def seat_players(game: Game, one: str, other: str, rng: Random) -> Seating:
    """By lot where the box says so; else as agreed, the first-named sits South."""
    return draw_lots(one, other, rng) if game.sides == "lot" else Seating(one, other)
