"""Fire and Ice, The Lord of the Rings and Duel Masters: their classic games follow the same rules.

What differs is the size of the board, who is in the armies and what the pieces are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pytest

SPY, BOMB = "s", "B"


@dataclass(frozen=True)
class Edition:
    """A classic game; pieces are given by the codes of drawings."""

    game: str
    armies: tuple[str, str]
    top: int
    """the last row of the board"""
    south: dict[str, int]
    """the ranked pieces of South, with their strength"""
    north: dict[str, int]
    miner: str
    runner: str
    runner_id: str
    spy_id: str
    """North's spy"""
    miner_id: str
    five_id: str
    bomb_id: str

    @property
    def strongest(self) -> str:
        """The piece that a spy captures; it has the same code in both armies."""
        return next(iter(self.south))


def _ranked(codes: str, highest: int) -> dict[str, int]:
    return {code: highest - at for at, code in enumerate(codes)}


FIRE_AND_ICE = Edition(
    game="fire-and-ice/classic",
    armies=("volcandria", "everwinter"),
    top=8,
    south=_ranked("X98765432", 10),
    north=_ranked("X98765432", 10),
    miner="3",
    runner="2",
    runner_id="scout",
    spy_id="slayer",
    miner_id="dwarf",
    five_id="beast",
    bomb_id="trap",
)
LOTR = Edition(
    game="lotr/classic",
    armies=("evil", "good"),
    top=10,
    south={"X": 10, "9": 9, "8": 8, "G": 7, "L": 7, "K": 7, "6": 6, "5": 5, "4": 4, "3": 3, "2": 2},
    north={
        **{"X": 10, "9": 9, "L": 8, "G": 8, "R": 7, "T": 7, "E": 7, "O": 6, "W": 6, "N": 6, "H": 6},
        **{"5": 5, "D": 4, "A": 4, "M": 4, "P": 4, "3": 3, "2": 2},
    },
    miner="3",
    runner="2",
    runner_id="warg-rider",
    spy_id="eowyn",
    miner_id="soldier",
    five_id="berzerker",
    bomb_id="stronghold",
)
DUEL_MASTERS = Edition(
    game="duel-masters/classic",
    armies=("black", "beige"),
    top=10,
    south=_ranked("987654321", 9),
    north=_ranked("987654321", 9),
    miner="2",
    runner="1",
    runner_id="scout",
    spy_id="spy",
    miner_id="breaker",
    five_id="brute",
    bomb_id="trap",
)
EDITIONS = (FIRE_AND_ICE, LOTR, DUEL_MASTERS)

in_each_edition = pytest.mark.parametrize("e", EDITIONS, ids=lambda e: e.game)


def for_each(codes: Callable[[Edition], Iterable[str]]) -> pytest.MarkDecorator:
    """Parametrise by edition and by some of its pieces."""
    return pytest.mark.parametrize(
        ("e", "code"),
        [pytest.param(e, code, id=f"{e.game} {code}") for e in EDITIONS for code in codes(e)],
    )
