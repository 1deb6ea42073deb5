"""Resynchronise an engine from the whole visible board, the ``position`` command.

::

    position turn=31 south:d4=marshal south:a1=flag north:d6=? north:e7=?,moved lost=north:scout

A past that leads to the position is invented: every piece began on some home square of its side, the lost
ones were captured there, and those that have moved went to their present squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flagfall.board import cell_name, parse_cell
from flagfall.edition import Game, Options
from flagfall.errors import quoted
from flagfall.protocol.follower import Follower, FollowError
from flagfall.protocol.messages import ProtocolError, read_side, whole
from flagfall.setups import Setup, SetupError
from flagfall.sides import SIDES
from flagfall.view.view import SeenEvent

UNKNOWN = "?"


@dataclass
class PlacedPiece:
    """A piece of the position: on the board, or lost if it has no square."""

    side: int
    square: str
    kind: str
    has_moved: bool = False
    is_shown: bool = False
    name: str = ""

    def event(self, what: str, **facts: str) -> SeenEvent:
        """Return an event of this piece before the first turn."""
        return SeenEvent(what, 0, side=SIDES[self.side], piece=self.name, **facts)


def from_position(game: Game, options: Options, side: int, words: Sequence[str]) -> Follower:
    """Return a follower for a position; ``words`` are those after ``position``."""
    turn, pieces = _read(game, words)
    _name_pieces(game, pieces)
    own = {parse_cell(piece.name): _number(game, piece) for piece in pieces if piece.side == side}
    try:
        setup = Setup(game, SIDES[side], own)
    except SetupError as problem:
        raise FollowError(f"These are not all pieces of one army. {problem}") from None
    enemy = [parse_cell(piece.name) for piece in pieces if piece.side != side]
    follower = Follower(game, options, setup, enemy)
    for event in _past(game, pieces, side, turn):
        follower.tell(event)
    follower.knowledge.turn = turn
    return follower


def _number(game: Game, piece: PlacedPiece) -> int:
    for number, kind in enumerate(game.kinds):
        if kind.id == piece.kind:
            return number
    raise ProtocolError(
        f"{quoted(piece.kind)} is not a piece of this game; give the kind of every own piece."
    )


def _read(game: Game, words: Sequence[str]) -> tuple[int, list[PlacedPiece]]:
    turn, pieces = 0, []
    for word in words:
        name, mark, value = word.partition("=")
        if not mark:
            raise ProtocolError(f"{quoted(word)} is not part of a position, such as north:d6=?,moved.")
        if name == "turn":
            turn = whole(value, "turn")
        elif name == "lost":
            owner, _, kind = value.partition(":")
            pieces.append(PlacedPiece(int(read_side(owner)), "", kind, is_shown=kind != UNKNOWN))
        else:
            pieces.append(_standing(game, name, value))
    squares = [piece.square for piece in pieces if piece.square]
    if len(set(squares)) < len(squares):
        raise ProtocolError("Two pieces stand on one square.")
    return turn, pieces


def _standing(game: Game, name: str, value: str) -> PlacedPiece:
    owner, _, square = name.partition(":")
    side = int(read_side(owner))
    try:
        cell = parse_cell(square)
    except ValueError as problem:
        raise ProtocolError(f"{problem}.") from None
    if cell not in game.board:
        raise ProtocolError(f"{square} is not on this board.")
    kind, *marks = value.split(",")
    if not set(marks) <= {"moved", "shown"}:
        raise ProtocolError(f"{quoted(value)}: marks are moved and shown.")
    is_away = cell not in game.board.home(side)
    return PlacedPiece(side, cell_name(cell), kind, "moved" in marks or is_away, "shown" in marks)


def _name_pieces(game: Game, pieces: list[PlacedPiece]) -> None:
    """Name every piece after a home square of its side; a piece on such a square keeps it."""
    for side in (0, 1):
        free = {cell_name(cell) for cell in game.board.home(side)}
        own = [piece for piece in pieces if piece.side == side]
        for piece in own:
            if piece.square in free:
                piece.name = piece.square
                free.discard(piece.square)
        rest = [piece for piece in own if not piece.name]
        if len(rest) > len(free):
            raise ProtocolError(f"{SIDES[side].title} has too many pieces.")
        for piece, name in zip(rest, sorted(free, key=parse_cell), strict=False):
            piece.name = name


def _past(game: Game, pieces: list[PlacedPiece], side: int, turn: int) -> list[SeenEvent]:
    """Return events that lead from the starting squares to the position, as seen by that side."""
    events = [
        piece.event("shown", origin=piece.name, kind=piece.kind)
        for piece in pieces
        if piece.kind != UNKNOWN and (piece.side != side or piece.is_shown)
    ]
    events += [piece.event("removed", origin=piece.name) for piece in pieces if not piece.square]
    events += _ways(game, [piece for piece in pieces if piece.square])
    last = max(0, turn - 1)
    return [*events, SeenEvent("turn", last, side=SIDES[1 - side]), SeenEvent("turn", last, side=SIDES[side])]


def _ways(game: Game, pieces: list[PlacedPiece]) -> list[SeenEvent]:
    """Return moves that bring every piece to its square, never onto an occupied one."""
    at = {piece.name: piece.name for piece in pieces}
    waiting = [piece for piece in pieces if piece.has_moved]
    events = []
    while waiting:
        taken = set(at.values())
        piece = next((each for each in waiting if each.square not in taken - {at[each.name]}), None)
        if piece is not None:
            waiting.remove(piece)
            target = piece.square
        else:  # all targets are occupied: one piece steps aside
            piece = waiting[0]
            free = [cell_name(cell) for cell in game.board.open_cells() if cell_name(cell) not in taken]
            if not free:
                raise ProtocolError("No square of the board is empty, so no piece can have moved.")
            target = free[0]
        events.append(piece.event("move", origin=at[piece.name], target=target, detail="step"))
        at[piece.name] = target
    return events
