"""The pieces of an endgame, from a View: movers, walls, and which attacks would be blind.

Enemy movers must be known, or of kinds that make no difference; immobile enemies may be hidden. Against one
enemy mover two hunters play for a win, and the other own pieces are *spare*: they stand still.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flagfall.board import distance, parse_cell
from flagfall.edition import Game
from flagfall.engine import tables as T
from flagfall.engine.tables import Tables, outcome_at
from flagfall.players.endgame.encoding import CODE_BITS, MAX_MOVERS, MEMORY_BITS
from flagfall.players.worlds import PHASE_NUMBERS
from flagfall.view.view import SeenPiece, View

_CAPTURES = (T.ATTACKER_WINS, T.BOTH_LOST)
_ABILITY_FLAGS = ~(T.RESCUABLE | T.PURGED | T.NAMES_STRUCK)


@dataclass(frozen=True)
class EndgamePieces:
    """The pieces of an endgame, by their public names."""

    kinds: Mapping[str, tuple[int, ...]]
    """all pieces on the board → possible kinds"""
    cells: Mapping[str, str]
    guess: tuple[int, ...]
    """a possible kind for each hidden piece, in the order of the View"""
    movers: tuple[str, ...]
    walls: tuple[str, ...]
    """pieces that never move and can be taken without ending the game"""
    blind: Mapping[str, frozenset[str]]
    """hidden pieces → the movers whose attack on them would be blind"""
    phase: int
    squares: int
    """number of squares on which a mover may stand"""
    spare: Mapping[str, str]
    """own mobile pieces that stand still → their squares; with them only wins are exact"""

    @property
    def size(self) -> int:
        """An estimate of the number of positions, without two-square memory."""
        return 2 * int(self.squares ** len(self.movers)) << len(self.walls)

    def continues(self, other: EndgamePieces) -> bool:
        """Return whether ``other`` is the same endgame later on: nothing learned, some pieces gone."""
        is_still = all(other.cells.get(name, cell) == cell for name, cell in self.spare.items())
        return is_still and self.phase == other.phase and other.kinds.items() <= self.kinds.items()


class EndgameFinder:
    """Finds the endgame of a View."""

    def __init__(self, game: Game, tables: Tables) -> None:
        self._row = tables.row
        self._squares = len(game.board.open_cells())
        self._number = {kind.id: index for index, kind in enumerate(game.kinds)}

    def find(self, view: View) -> EndgamePieces | None:
        """Return the pieces, or None if this is no endgame that can be solved."""
        if view.prompt is not None:
            return None
        kinds = {piece.name: self._kinds(piece) for piece in view.pieces}
        movers = [piece for piece in view.pieces if any(map(self._is_mobile, kinds[piece.name]))]
        spare = self._spare(view, kinds, movers)
        if len(movers) - len(spare) > MAX_MOVERS or not all(kinds.values()):
            return None
        phase = PHASE_NUMBERS[view.regime]
        for piece in view.pieces:
            enemies = {
                kind for other in view.pieces if other.side != piece.side for kind in kinds[other.name]
            }
            if piece in movers:
                if len({self._acts(kind) for kind in kinds[piece.name]}) > 1:
                    return None
                if not self._are_equivalent(phase, kinds[piece.name], enemies):
                    return None
            elif any(self._row[T.KIND_POWERS + kind] for kind in kinds[piece.name]):
                return None
        return self._sorted(view, kinds, movers, spare, phase)

    def _spare(
        self, view: View, kinds: Mapping[str, tuple[int, ...]], movers: list[SeenPiece]
    ) -> list[SeenPiece]:
        """Return the spare pieces: all but two hunters, the nearest of those that win."""
        own = [piece for piece in movers if piece.side == view.viewer]
        hunted = [piece for piece in movers if piece.side != view.viewer]
        if len(movers) <= MAX_MOVERS or len(hunted) != 1:
            return []
        prey, phase = hunted[0], PHASE_NUMBERS[view.regime]

        def rank(piece: SeenPiece) -> tuple[bool, int]:
            outcomes = {self._fight(phase, kinds[piece.name][0], kind) for kind in kinds[prey.name]}
            return outcomes != {T.ATTACKER_WINS}, distance(parse_cell(piece.cell), parse_cell(prey.cell))

        return sorted(own, key=rank)[MAX_MOVERS - 1 :]

    def _sorted(
        self,
        view: View,
        kinds: Mapping[str, tuple[int, ...]],
        able: list[SeenPiece],
        spare: list[SeenPiece],
        phase: int,
    ) -> EndgamePieces | None:
        """Find the walls and the blind attacks."""
        walls, blind = [], {}
        movers = [piece for piece in able if piece not in spare]
        for piece in view.pieces:
            if piece in movers:
                continue
            results = {
                mover.name: self._outcomes(phase, kinds[mover.name][0], kinds[piece.name])
                for mover in movers
                if mover.side != piece.side
            }
            guesses = frozenset(name for name, outcomes in results.items() if len(outcomes) > 1)
            if guesses:
                blind[piece.name] = guesses
            certain = {outcome for outcomes in results.values() if len(outcomes) == 1 for outcome in outcomes}
            if any(outcome in _CAPTURES and not is_flag for outcome, is_flag in certain):
                walls.append(piece.name)
        if 8 * len(movers) + len(walls) + 2 * MEMORY_BITS + 1 > CODE_BITS:
            return None
        return EndgamePieces(
            kinds,
            {piece.name: piece.cell for piece in view.pieces},
            tuple(
                kinds[piece.name][0] for piece in view.pieces if piece.side != view.viewer and not piece.kind
            ),
            tuple(mover.name for mover in movers),
            tuple(walls),
            blind,
            phase,
            self._squares - len(view.pieces) + len(movers) + len(walls),
            {piece.name: piece.cell for piece in spare},
        )

    def _kinds(self, piece: SeenPiece) -> tuple[int, ...]:
        return tuple(self._number[kind] for kind in ((piece.kind,) if piece.kind else piece.possible))

    def _is_mobile(self, kind: int) -> bool:
        return bool(self._row[T.KIND_FLAGS + kind] & T.MOBILE)

    def _acts(self, kind: int) -> tuple[int, int]:
        """Return a kind's ability flags and powers."""
        return int(self._row[T.KIND_FLAGS + kind]) & _ABILITY_FLAGS, int(self._row[T.KIND_POWERS + kind])

    def _fight(self, phase: int, attacker: int, defender: int) -> int:
        return int(self._row[outcome_at(phase, T.MELEE, attacker, defender)])

    def _outcomes(self, phase: int, attacker: int, kinds: tuple[int, ...]) -> set[tuple[int, bool]]:
        """Return the possible outcomes of an attack on a piece, and whether it is a flag."""
        return {
            (self._fight(phase, attacker, kind), bool(self._row[T.KIND_FLAGS + kind] & T.IS_FLAG))
            for kind in kinds
        }

    def _are_equivalent(self, phase: int, kinds: tuple[int, ...], enemies: set[int]) -> bool:
        """Return whether a piece fights the same whichever of these kinds it is."""
        return all(
            len({self._fight(phase, kind, foe) for kind in kinds}) == 1
            and len({self._fight(phase, foe, kind) for kind in kinds}) == 1
            for foe in enemies
        )
