"""Positions as people draw them: a row number, then one cell per column, North on top.

``+3`` is South's piece with the code 3, ``-3`` North's; ``.`` is an empty square, ``~`` no square (a bearer
may stand on one of them).
"""

from __future__ import annotations

from collections.abc import Mapping

from flagfall.board import Board, cell_at, cell_name, column_of, row_of
from flagfall.edition import Game
from flagfall.engine.state import State, is_piece, kind_of, owner_of, piece_on
from flagfall.sides import SIDES

SIGNS = "+-"
Rows = dict[int, list[str]]


def empty(board: Board) -> Rows:
    """The empty board."""
    return {
        row: [_nobody(board, column, row) for column in range(1, board.columns + 1)]
        for row in range(1, board.rows + 1)
    }


def read(board: Board, drawing: str) -> Rows:
    """The rows that a drawing shows; every one must fit the board."""
    rows: Rows = {}
    for line in filter(None, map(str.strip, drawing.splitlines())):
        number, *cells = line.split()
        row = int(number)
        if row in rows or not 1 <= row <= board.rows or len(cells) != board.columns:
            raise ValueError(f"this row cannot be drawn so: {line}")
        for column, cell in enumerate(cells, 1):
            if cell[0] not in SIGNS and cell != _nobody(board, column, row):
                raise ValueError(f"{cell_name(cell_at(column, row))} is not {cell}")
        rows[row] = cells
    return rows


def draw(rows: Mapping[int, list[str]]) -> str:
    """The drawing of some rows."""
    ordered = sorted(rows, reverse=True)
    return "\n".join(f"{row:2d} " + "".join(f"{cell:>3}" for cell in rows[row]) for row in ordered)


def kind_of_code(game: Game, side: int, code: str) -> int:
    """The kind that a side's army writes with that code."""
    for index, kind in enumerate(game.kinds):
        if kind.code == code and game.rosters[side][index]:
            return index
    raise ValueError(f"{SIDES[side]} has no piece {code} in {game.id}")


def setup(game: Game, side: int, rows: Rows) -> dict[int, int]:
    """Where a side's pieces stand in a drawing: cell → kind."""
    return {
        cell_at(column, row): kind_of_code(game, side, cell[1:])
        for row, cells in rows.items()
        for column, cell in enumerate(cells, 1)
        if cell[0] == SIGNS[side]
    }


def rows_of(game: Game, state: State) -> Rows:
    """The rows of a State."""
    rows, s = empty(game.board), state.buffer
    for cell in game.board.cells():
        if is_piece(s, cell):
            piece = piece_on(s, cell)
            column, row = column_of(cell), row_of(cell)
            rows[row][column - 1] = SIGNS[owner_of(s, piece)] + game.kinds[kind_of(s, piece)].code
    return rows


def _nobody(board: Board, column: int, row: int) -> str:
    return "~" if cell_at(column, row) in board.zones else "."
