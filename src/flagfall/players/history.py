"""What a seat knows of a game's past, folded from the events it saw.

A View is the present, but a few rules look back: the two-square rule, the chase rule, rescues. `GameHistory`
keeps what they need in a State row without kinds, with the engine's own code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from flagfall.board import parse_cell
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.repetition import remember_turn
from flagfall.sides import Side
from flagfall.view.view import SeenEvent, View

PROGRESS = frozenset({"removed", "converted", "rescued"})


def starting_sides(view: View, history: Sequence[SeenEvent]) -> dict[str, int]:
    """Return the side that each piece began on, by its name; rescued pieces have names of their own.

    The square alone does not tell: in a position that was set up by hand a piece may begin anywhere.
    """
    sides: dict[str, int] = {}
    for event in history:
        if event.piece and event.side is not None:
            owner = int(event.side)
            sides.setdefault(event.piece, 1 - owner if event.what == "converted" else owner)
    for piece in view.pieces:
        sides.setdefault(piece.name, 1 - int(piece.side) if piece.is_converted else int(piece.side))
    return {name: side for name, side in sides.items() if "+" not in name}


class GameHistory:
    """The past of one game as one seat saw it."""

    def __init__(self, tables: T.Tables, sides: Mapping[str, int]) -> None:
        """``sides``: the side of each piece by its public name, which is the square it began on."""
        self._tables = tables.buffer
        self.row = S.State()
        """cells, owners and the memory of repetitions; no kinds"""
        self.number: dict[str, int] = {}
        """public name → number of the piece in the row"""
        self.has_rescued: set[str] = set()
        self.kinds: dict[str, str] = {}
        """public name → kind id, if it was shown"""
        self.lost: dict[str, int] = {}
        """public name → side, of the pieces off the board"""
        self.changed: dict[str, int] = {}
        """public name → the turn in which it was last shown or moved"""
        self.visits: Counter[tuple[str, str]] = Counter()
        """(public name, square) → how often the piece has gone there since a piece was last removed"""
        self.turn = 0
        self.seen = 0
        """number of events folded"""
        self._begin_turn()
        next_number = [S.first_piece(0), S.first_piece(1)]
        for name in sorted(sides, key=parse_cell):
            side = sides[name]
            self._stand(name, next_number[side], side, parse_cell(name))
            next_number[side] += 1

    def _stand(self, name: str, number: int, side: int, cell: int) -> None:
        self.number[name] = number
        s = self.row.buffer
        s[S.PIECE_INFO + number] = side << S.OWNER_SHIFT
        S.put(s, number, cell)

    def _begin_turn(self) -> None:
        self.open_turn: list[SeenEvent] = []
        self.first_cells: dict[str, int] = {}
        """public name → where it stood before the open turn moved it"""
        self._fight: set[str] = set()
        self._is_advance = False
        self.gone = 0
        """pieces that have had their part in the group advance of the open turn"""

    def fold(self, events: Iterable[SeenEvent]) -> None:
        """Fold further events."""
        for event in events:
            self.seen += 1
            if event.what != "turn":
                self.open_turn.append(event)
            handler = _HANDLERS.get(event.what)
            if handler is not None:
                handler(self, event)

    def _displace(self, piece: int, origin: int, target: int, how: int) -> None:
        s = self.row.buffer
        s[S.TURN_PIECE], s[S.TURN_FROM], s[S.TURN_TO], s[S.TURN_HOW] = piece, origin, target, how

    def _move(self, event: SeenEvent) -> None:
        s, piece = self.row.buffer, self.number[event.piece]
        origin, target = parse_cell(event.origin), parse_cell(event.target)
        self.changed[event.piece] = self.turn
        self.visits[event.piece, event.target] += 1
        S.lift(s, piece)
        S.put(s, piece, target)
        if event.detail == "defender":
            self._forget_last(piece)
            return
        first = self.first_cells.setdefault(event.piece, origin)
        if self._is_advance:
            self.gone += event.detail == "advance"
            self._displace(piece, origin, target, S.ATTACKED if event.detail == "capture" else S.DISPLACED)
        elif event.detail == "capture":
            self._displace(piece, first, target, S.ATTACKED)
        elif first == target:
            self._displace(0, 0, 0, S.STAYED)
        else:
            self._displace(piece, first, target, S.DISPLACED)

    def _forget_last(self, piece: int) -> None:
        s = self.row.buffer
        owner = S.owner_of(s, piece)
        if s[S.LAST_PIECE + owner] == piece:
            s[S.LAST_PIECE + owner] = 0
            s[S.LAST_COUNT + owner] = 0

    def _attack(self, event: SeenEvent) -> None:
        self.first_cells.setdefault(event.piece, parse_cell(event.origin))
        self._displace(0, 0, 0, S.ATTACKED)
        self.gone += self._is_advance
        there, s = parse_cell(event.target), self.row.buffer
        defenders = {name for name, i in self.number.items() if s[S.PIECE_CELL + i] == there}
        self._fight = {event.piece} | defenders

    def _advance(self, event: SeenEvent) -> None:
        self._is_advance = True

    def _shown(self, event: SeenEvent) -> None:
        self.kinds[event.piece] = event.kind
        self.changed[event.piece] = self.turn
        if event.detail == "rescued":
            self._returned(event)

    def _removed(self, event: SeenEvent) -> None:
        piece = self.number[event.piece]
        if self._is_advance and event.piece not in self._fight:
            self.gone += 1
            self._displace(0, 0, 0, S.STAYED)
        self.lost[event.piece] = _index(event)
        self.visits.clear()
        S.lift(self.row.buffer, piece)

    def _rescue(self, event: SeenEvent) -> None:
        self._rescuer = event.piece

    def _rescued(self, event: SeenEvent) -> None:
        """Note a rescued piece; which of the captured ones it is follows from its kind, if revealed."""
        side = _index(event)
        self.has_rescued.add(self._rescuer)
        last = [name for name, owner in self.lost.items() if owner == side]
        self._stand(event.piece, self.number[last[-1]], side, parse_cell(event.target))
        self._forget_last(self.number[event.piece])
        self._back = last[-1]
        del self.lost[self._back]

    def _returned(self, event: SeenEvent) -> None:
        """Exchange the returned piece, which was shown, for a lost one of its kind."""
        side = _index(event)
        if self.kinds.get(self._back) == event.kind and self._back not in self.has_rescued:
            return
        self.lost[self._back] = side
        fit = [name for name in self.lost if self.lost[name] == side and self.kinds.get(name) == event.kind]
        found = min(fit or [self._back], key=lambda name: name in self.has_rescued)
        del self.lost[found]
        cell = self.row.buffer[S.PIECE_CELL + self.number[event.piece]]
        S.lift(self.row.buffer, self.number[event.piece])
        self._stand(event.piece, self.number[found], side, cell)
        self._forget_last(self.number[event.piece])
        if found in self.has_rescued:
            self.has_rescued.add(event.piece)

    def _converted(self, event: SeenEvent) -> None:
        piece = self.number[event.piece]
        self._forget_last(piece)
        side = _index(event)
        self.row.buffer[S.PIECE_INFO + piece] = side << S.OWNER_SHIFT
        S.put(self.row.buffer, piece, parse_cell(event.target))

    def _turn(self, event: SeenEvent) -> None:
        s = self.row.buffer
        if self._is_advance and self.gone > 1:
            self._displace(0, 0, 0, S.STAYED)
        remember_turn(self._tables, s)
        s[S.SIDE] = _index(event)
        self.turn = event.turn + 1
        self._begin_turn()


def _index(event: SeenEvent) -> int:
    return int(event.side or Side.SOUTH)


_HANDLERS: Mapping[str, Callable[[GameHistory, SeenEvent], None]] = {
    "move": GameHistory._move,
    "attack": GameHistory._attack,
    "advance": GameHistory._advance,
    "shown": GameHistory._shown,
    "removed": GameHistory._removed,
    "rescue": GameHistory._rescue,
    "rescued": GameHistory._rescued,
    "converted": GameHistory._converted,
    "turn": GameHistory._turn,
}
