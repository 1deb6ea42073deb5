"""The board as plain text, for a terminal, a script or a screen reader.

Every square is one word: your own piece in brackets, an enemy in angles, ``.`` for an empty square::

         a    b    c    d
     6   .   <?>  ####  .        <?>  enemy, unknown      <*>  unknown, has moved
     5  <10> <*>  ####  .        <10> enemy, known
     4  [S]  [10]  .   [B]       [10] yours               #### no entry
         a    b    c    d

A watcher sees South in brackets and North in angles.
"""

from __future__ import annotations

from typing import SupportsIndex

from flagfall.board import cell_at, cell_name
from flagfall.edition.schema import Game
from flagfall.languages import say
from flagfall.sides import BySide, Side
from flagfall.view.view import ONLOOKERS, SeenPiece, View

UNKNOWN, UNKNOWN_MOVED, EMPTY, ZONE = "?", "*", ".", "#"


def draw(game: Game, view: View) -> str:
    """Return the board of a View with row numbers, column letters and a line that explains the marks."""
    labels = BySide.of(lambda side: _labels(game, side))
    width = max(len(label) for side in labels for label in side.values()) + 2
    standing = {piece.cell: _mark(piece, view, labels) for piece in view.pieces}
    board, columns = game.board, range(1, game.board.columns + 1)
    letters = "    " + " ".join(cell_name(cell_at(column, 1))[0].center(width) for column in columns)
    lines = [letters.rstrip()]
    for row in range(board.rows, 0, -1):
        marks = []
        for column in columns:
            cell = cell_at(column, row)
            empty = ZONE * width if cell in board.zones else EMPTY.center(width)
            marks.append(standing.get(cell_name(cell), empty).center(width))
        lines.append(f"{row:>3} {' '.join(marks)}".rstrip())
    return "\n".join([*lines, letters.rstrip(), _key(game, view)])


def _label(game: Game, side: SupportsIndex, kind: int) -> str:
    """Return the label of a kind on the drawn board, with its setup letter where labels repeat."""
    labels = [game.kinds[other].label for other, count in enumerate(game.rosters[side]) if count]
    label, code = game.kinds[kind].label, game.kinds[kind].code
    return label if labels.count(label) <= 1 else f"{label}{code}"


def _labels(game: Game, side: Side) -> dict[str, str]:
    return {kind.id: _label(game, side, number) for number, kind in enumerate(game.kinds)}


def _mark(piece: SeenPiece, view: View, labels: BySide[dict[str, str]]) -> str:
    hidden = UNKNOWN_MOVED if piece.moved else UNKNOWN
    label = labels[piece.side].get(piece.kind, piece.kind) if piece.kind else hidden
    near = "south" if view.viewer in ONLOOKERS else view.viewer
    return f"[{label}]" if piece.side == near else f"<{label}>"


def _key(game: Game, view: View) -> str:
    marks = [say("pieces.marks.sides" if view.viewer in ONLOOKERS else "pieces.marks.own")]
    if game.board.zones:
        marks.append(say("pieces.marks.zone", zone=game.edition.words["zone"]))
    return "".join(["    ", "   ".join(marks)])
