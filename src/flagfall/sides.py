"""The two sides of a game, and a pair of values, one for each side.

A side is the text "south" or "north", and also an index: 0 or 1.

>>> Side.SOUTH.other
<Side.NORTH: 'north'>
>>> Side("north") == "north", int(Side.NORTH), ["first", "second"][Side.NORTH]
(True, 1, 'second')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Literal, TypeVar

from flagfall.languages import say

SideName = Literal["south", "north"]
"""How a side is written in records, messages and arguments."""

T = TypeVar("T")
U = TypeVar("U")


class Side(StrEnum):
    """A side: South moves first and sits at the bottom of the board."""

    SOUTH = "south"
    NORTH = "north"

    @classmethod
    def at(cls, index: int) -> Side:
        """Return the side with this index: 0 is South, 1 is North."""
        return SIDES[index]

    @property
    def other(self) -> Side:
        """The opponent's side."""
        return Side.NORTH if self is Side.SOUTH else Side.SOUTH

    @property
    def title(self) -> str:  # type: ignore[override]
        """The side's name as the first word of a sentence."""
        return say(f"sides.{self.value}")

    def __index__(self) -> int:
        return 0 if self is Side.SOUTH else 1


SIDES = (Side.SOUTH, Side.NORTH)


@dataclass(frozen=True, slots=True)
class BySide(Generic[T]):
    """One value for each side.

    >>> names = BySide("Anna", "Ben")
    >>> names["north"], names[Side.SOUTH], list(names)
    ('Ben', 'Anna', ['Anna', 'Ben'])
    """

    south: T
    north: T

    @classmethod
    def of(cls, make: Callable[[Side], T]) -> BySide[T]:
        """Return what ``make`` gives for each side."""
        return cls(make(Side.SOUTH), make(Side.NORTH))

    def __getitem__(self, side: Side | SideName) -> T:
        return self.south if side == "south" else self.north

    def __iter__(self) -> Iterator[T]:
        yield self.south
        yield self.north

    def items(self) -> Iterator[tuple[Side, T]]:
        """Yield each side with its value, South first."""
        yield Side.SOUTH, self.south
        yield Side.NORTH, self.north

    def map(self, change: Callable[[T], U]) -> BySide[U]:
        """Return the changed value of each side."""
        return BySide(change(self.south), change(self.north))

    def replaced(self, side: Side | SideName, value: T) -> BySide[T]:
        """Return a copy with another value for one side."""
        return BySide(value, self.north) if side == "south" else BySide(self.south, value)
