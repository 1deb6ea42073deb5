"""An action that did not work, and everything the player's View says about it."""

from __future__ import annotations

from dataclasses import dataclass

from flagfall.board import CELLS, cell_name
from flagfall.edition.options import Options
from flagfall.edition.schema import Game, Kind
from flagfall.edition.texts import listed
from flagfall.engine.action import ATTACK, MOVE, Action
from flagfall.view.view import SeenPiece, View

_LISTED = 5


@dataclass(frozen=True)
class Attempt:
    """Who tried what, as the player sees it."""

    game: Game
    options: Options
    view: View
    action: Action

    @property
    def side(self) -> int:
        """The mover: 0 South, 1 North."""
        return int(self.view.to_move)

    def is_square(self, cell: int) -> bool:
        """Whether that is a square of the board, zones included."""
        return 0 <= cell < CELLS and cell in self.game.board

    def at(self, cell: int) -> SeenPiece | None:
        """What stands there."""
        return self.view.at(cell_name(cell)) if self.is_square(cell) else None

    def is_own(self, cell: int) -> bool:
        """Whether a piece of the mover stands there."""
        piece = self.at(cell)
        return piece is not None and piece.side == self.view.to_move

    def is_enemy(self, cell: int) -> bool:
        """Whether a piece of the other side stands there."""
        piece = self.at(cell)
        return piece is not None and piece.side != self.view.to_move

    def is_open(self, cell: int) -> bool:
        """Whether it is a square where a piece could stand and none does."""
        return self.is_square(cell) and cell not in self.game.board.zones and self.at(cell) is None

    def kind_at(self, cell: int) -> Kind:
        """The kind of an own piece."""
        piece = self.at(cell)
        assert piece is not None
        return self.game.kinds[self.game.kind_index(piece.kind)]

    def name_at(self, cell: int) -> str:
        """What the mover calls an own piece."""
        return self.game.kind_name(self.game.kind_index(self.kind_at(cell).id), self.side)

    def has_verb(self, cell: int, verb: str) -> bool:
        """Return whether the player's piece on that square has a power of that verb."""
        return any(power.verb == verb for power in self.game.abilities(self.kind_at(cell)))

    def instead(self, cell: int) -> str:
        """What the piece on that square could do."""
        goes, strikes = (
            [cell_name(act.target) for act in self.view.legal if (act.verb, act.origin) == (verb, cell)]
            for verb in (MOVE, ATTACK)
        )
        ways = [f"go to {_some(goes)}"] if goes else []
        ways += [f"attack {_some(strikes)}"] if strikes else []
        return f"it can {' or '.join(ways)}" if ways else "it cannot move now, so choose another piece"


def _some(squares: list[str]) -> str:
    if len(squares) <= _LISTED:
        return listed(squares, "or")
    return f"{', '.join(squares[: _LISTED - 1])} or {len(squares) - _LISTED + 1} other squares"
