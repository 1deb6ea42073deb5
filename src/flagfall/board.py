"""Geometry of the board: cells, directions, lines, regions and their names. No rules.

Cells are numbered on a 12-wide grid with a rim of cells that are off the board, so that a step never
needs a bounds check: the next cell is always ``cell + direction``. A 10×10 board::

      row 10  |121 122 … 130|        cell = 12 * row + column   (row 1.., column a = 1 ..)
       …      |             |        north  = +12
      row 2   | 25  26 …  34|        west   =  -1     east = +1
      row 1   | 13  14 …  22|        south  = -12
               a   b  …   j

>>> cell_name(parse_cell("d4"))
'd4'
>>> cell_name(parse_cell("d4") + NORTH)
'd5'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import index
from typing import SupportsIndex

STRIDE = 12
CELLS = 144
MAX_COLUMNS = 10
MAX_ROWS = 10

NORTH, EAST, SOUTH, WEST = STRIDE, 1, -STRIDE, -1
DIRECTIONS = (NORTH, EAST, SOUTH, WEST)
DIRECTION_NAMES = ("north", "east", "south", "west")
DIAGONALS = (NORTH + EAST, SOUTH + EAST, SOUTH + WEST, NORTH + WEST)

_COLUMNS = "abcdefghij"
_MAX_NAME_CHARS = 3
"""a letter and two digits; digits of a longer name are never converted to a number"""
_SHOWN_CHARS = 20
"""how many characters of a wrong name an error quotes"""


def cell_at(column: int, row: int) -> int:
    """Return the cell in a column and a row, both counted from 1."""
    return row * STRIDE + column


def column_of(cell: int) -> int:
    """Return the column of a cell, 1 for a."""
    return cell % STRIDE


def row_of(cell: int) -> int:
    """Return the row of a cell, 1 for South's back row."""
    return cell // STRIDE


def distance(one: int, other: int) -> int:
    """Return the number of steps between two cells on an empty board without zones.

    >>> distance(parse_cell("b2"), parse_cell("d3"))
    3
    """
    return abs(column_of(one) - column_of(other)) + abs(row_of(one) - row_of(other))


@lru_cache(maxsize=1024)
def cell_name(cell: int) -> str:
    """Return the name of a cell, such as ``d4``; always the same string object, to save memory."""
    return f"{_COLUMNS[cell % STRIDE - 1]}{cell // STRIDE}"


@lru_cache(maxsize=1024)
def parse_cell(name: str) -> int:
    """Return the cell of a name such as ``d4``; `ValueError` for anything else."""
    column = _COLUMNS.find(name[:1].lower()) + 1
    number = name[1:] if len(name) <= _MAX_NAME_CHARS else ""
    row = int(number) if number.isascii() and number.isdecimal() and number[0] != "0" else 0
    if not name[:1] or column < 1 or not 1 <= row <= MAX_ROWS:
        start = "".join(
            letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name[:_SHOWN_CHARS]
        )
        shown = start if len(name) <= _SHOWN_CHARS else f"{start}…"
        raise ValueError(f"“{shown}” is not a square; squares are a letter a–j and a number 1–10, such as d4")
    return cell_at(column, row)


@dataclass(frozen=True)
class Board:
    """A rectangle of cells with zones that no piece may enter and home rows for both sides."""

    columns: int
    rows: int
    home_rows: int
    zones: frozenset[int] = frozenset()

    def __contains__(self, cell: int) -> bool:
        return 1 <= column_of(cell) <= self.columns and 1 <= row_of(cell) <= self.rows

    def cells(self) -> Iterator[int]:
        """Yield every cell of the board, zones included, a1 first, row by row."""
        for row in range(1, self.rows + 1):
            for column in range(1, self.columns + 1):
                yield cell_at(column, row)

    def open_cells(self) -> list[int]:
        """Return every cell where a piece may stand."""
        return [cell for cell in self.cells() if cell not in self.zones]

    def home(self, side: SupportsIndex, rows: int | None = None) -> list[int]:
        """Return the home cells of a side (0 South, 1 North): its back row first, column a first."""
        depth = self.home_rows if rows is None else rows
        order = range(1, depth + 1) if index(side) == 0 else range(self.rows, self.rows - depth, -1)
        cells = [cell_at(column, row) for row in order for column in range(1, self.columns + 1)]
        return [cell for cell in cells if cell not in self.zones]

    def back_row(self, side: SupportsIndex) -> int:
        """Return the number of the row nearest to that side's player."""
        return 1 if index(side) == 0 else self.rows

    def names(self, cells: Iterable[int]) -> list[str]:
        """Return the names of cells."""
        return [cell_name(cell) for cell in cells]
