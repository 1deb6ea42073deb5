"""The board as plain text, for a terminal, a script or a screen reader.

Every square is one word: your own piece in brackets, an enemy in angles, ``.`` for an empty square::

         a    b    c    d
     6   .   <?>  ####  .        <?>  enemy, unknown      <*>  unknown, has moved
     5  <10> <*>  ####  .        <10> enemy, known
     4  [S]  [10]  .   [B]       [10] yours               #### nobody may enter
         a    b    c    d

A watcher sees South in brackets and North in angles.
"""

from __future__ import annotations

from typing import SupportsIndex

from flagfall.board import cell_at, cell_name
from flagfall.edition.schema import Game
from flagfall.sides import SIDES, Side
from flagfall.view.view import ONLOOKERS, SeenPiece, View

UNKNOWN, UNKNOWN_MOVED, EMPTY, ZONE = "?", "*", ".", "#"


def draw(game: Game, view: View) -> str:
    """The board of a View with row numbers, column letters and a line that explains the marks."""
    labels = _labels(game)
    width = max(len(label) for side in labels for label in side.values()) + 2
    standing = {piece.cell: _mark(piece, view, labels) for piece in view.pieces}
    board = game.board
    letters = "    " + " ".join(cell_name(cell_at(column, 1))[0].center(width) for column in _columns(game))
    lines = [letters.rstrip()]
    for row in range(board.rows, 0, -1):
        marks = []
        for column in _columns(game):
            cell = cell_at(column, row)
            empty = ZONE * width if cell in board.zones else EMPTY.center(width)
            marks.append(standing.get(cell_name(cell), empty).center(width))
        lines.append(f"{row:>3} {' '.join(marks)}".rstrip())
    return "\n".join([*lines, letters.rstrip(), _key(game, view)])


def piece_label(game: Game, side: SupportsIndex, kind: int) -> str:
    """What stands for a kind on the drawn board: its printed label, with its letter where labels repeat."""
    labels = [game.kinds[other].label for other, count in enumerate(game.rosters[side]) if count]
    sort = game.kinds[kind]
    return sort.label if labels.count(sort.label) <= 1 else f"{sort.label}{sort.code}"


def _labels(game: Game) -> tuple[dict[str, str], dict[str, str]]:
    """Per side: kind id → label."""
    south, north = (
        {kind.id: piece_label(game, side, number) for number, kind in enumerate(game.kinds)} for side in SIDES
    )
    return south, north


def _mark(piece: SeenPiece, view: View, labels: tuple[dict[str, str], dict[str, str]]) -> str:
    hidden = UNKNOWN_MOVED if piece.moved else UNKNOWN
    label = labels[Side(piece.side)].get(piece.kind, piece.kind) if piece.kind else hidden
    near = "south" if view.viewer in ONLOOKERS else view.viewer
    return f"[{label}]" if piece.side == near else f"<{label}>"


def _columns(game: Game) -> range:
    return range(1, game.board.columns + 1)


def _key(game: Game, view: View) -> str:
    own, other = ("South", "North") if view.viewer in ONLOOKERS else ("yours", "enemy")
    zone = f"   {ZONE * 2} {game.edition.words.get('zone', 'no entry')}" if game.board.zones else ""
    return f"    [ ] {own}   < > {other}   {UNKNOWN} unknown   {UNKNOWN_MOVED} unknown, has moved{zone}"
