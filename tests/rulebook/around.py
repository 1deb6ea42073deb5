"""The squares near a piece, worked out from the words of the rulebooks and not from the engine."""

from __future__ import annotations

from flagfall.board import cell_at, cell_name, column_of, parse_cell, row_of
from flagfall.edition import load_game


def within_two(game: str, centre: str) -> set[str]:
    """Squares that two steps in any mix of directions reach: nobody stands in a zone."""
    board, cell = load_game(game).board, parse_cell(centre)
    reached = {
        cell_at(column, row)
        for column in range(max(1, column_of(cell) - 2), min(board.columns, column_of(cell) + 2) + 1)
        for row in range(max(1, row_of(cell) - 2), min(board.rows, row_of(cell) + 2) + 1)
    }
    return {cell_name(one) for one in reached - board.zones - {cell}}


def along_lines(game: str, centre: str) -> set[str]:
    """Those of them that lie straight or diagonally from the centre."""
    return {cell for cell in within_two(game, centre) if not _is_knights_square(centre, cell)}


def _is_knights_square(one: str, other: str) -> bool:
    a, b = parse_cell(one), parse_cell(other)
    return {abs(column_of(a) - column_of(b)), abs(row_of(a) - row_of(b))} == {1, 2}
