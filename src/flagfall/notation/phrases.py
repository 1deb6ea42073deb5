"""Small phrases that name sides, pieces and kinds from one viewer's chair."""

from __future__ import annotations

from flagfall import sides
from flagfall.edition.schema import Game
from flagfall.notation.kinds import kind_title
from flagfall.view.view import ONLOOKERS, SeenPiece, Side, View, Viewer


def kind_word(game: Game, kind_id: str, side: Side | None) -> str:
    """Name of a kind as that side's army calls it; the id itself for a kind this game does not know."""
    for number, kind in enumerate(game.kinds):
        if kind.id == kind_id:
            return kind_title(game, number, sides.Side(side) if side else None)
    return kind_id


def piece_phrase(game: Game, side: Side | None, kind_id: str, viewer: Viewer) -> str:
    """A piece in the middle of a sentence: ``your Scout``, ``an enemy piece``, ``the enemy General``."""
    name = kind_word(game, kind_id, side) if kind_id else ""
    if side is None:
        return f"a {name}" if name else "a piece"
    if viewer in ONLOOKERS:
        return f"{side.capitalize()}'s {name or 'piece'}"
    if side == viewer:
        return f"your {name or 'piece'}"
    return f"the enemy {name}" if name else "an enemy piece"


def seen_phrase(game: Game, piece: SeenPiece | None, viewer: Viewer) -> str:
    """A piece on the board in the middle of a sentence; ``nothing`` if there is none."""
    return piece_phrase(game, piece.side, piece.kind, viewer) if piece else "nothing"


def at_phrase(game: Game, view: View, cell: str) -> str:
    """What stands on a square: ``your Scout on d4``, or just the square if it is empty."""
    piece = view.at(cell)
    return f"{seen_phrase(game, piece, view.viewer)} on {cell}" if piece else cell


def sentence(text: str) -> str:
    """A text with a capital at its beginning and a full stop at its end.

    >>> sentence("your Scout is lost")
    'Your Scout is lost.'
    """
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
