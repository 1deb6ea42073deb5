"""Worlds: States made from a View, the history of its seat and sampled kinds of hidden pieces.

Everything a seat can know is exact: where pieces stand, what each side was told, the open turn, the memory of
repetitions. Only the kinds of hidden pieces are guesses. Unnamed losses of the enemy, which matter only to
its rescues, are left out. Pieces are numbered by their names, not by their kinds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flagfall.board import CELLS, DIRECTION_NAMES, parse_cell
from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.engine import action as A
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints
from flagfall.engine.reach import NEIGHBOURS, OFFSETS
from flagfall.players.history import PROGRESS, GameHistory, starting_sides
from flagfall.sides import SIDES
from flagfall.view.view import SeenEvent, SeenPiece, View

Rows = NDArray[np.int16]
PHASE_NUMBERS: Final = {"": 0, "bearer lost": S.BEARER_LOST, "bearer arrived": S.BEARER_ARRIVED}
_ASKS: Final = {
    "guess": S.ASK_GUESS,
    "rescue kind": S.ASK_RESCUE_KIND,
    "rescue square": S.ASK_RESCUE_CELL,
    "attack again": S.ASK_ATTACK_AGAIN,
    "attack after landing": S.ASK_ATTACK_AFTER,
    "target": S.ASK_TARGETS,
    "next": S.ASK_NEXT,
}
_REPETITION: Final = (
    *range(S.LAST_PIECE, S.LAST_COUNT + 2),
    S.CHASER,
    S.EVADER,
    S.CHASE_COUNT,
    *range(S.CHASE_KEYS, S.CHASE_KEYS + S.CHASE_RING * S.KEY_WORDS),
    *range(S.TURN_PIECE, S.TURN_HOW + 1),
)


class WorldSampler:
    """Makes Worlds for one seat of one game and keeps its history."""

    def __init__(self, game: Game, options: Options) -> None:
        self.game, self.tables = game, compile_game(game, options)
        self.kind_number = {kind.id: index for index, kind in enumerate(game.kinds)}
        self.game_history: GameHistory | None = None

    def update(self, view: View, history: Sequence[SeenEvent]) -> GameHistory:
        """Return the game history, brought up to date."""
        game_history = self.game_history
        if game_history is None or game_history.seen > len(history):
            game_history = GameHistory(self.tables, starting_sides(view, history))
            self.game_history = game_history
        game_history.fold(history[game_history.seen :])
        return game_history

    def hidden(self, view: View) -> list[SeenPiece]:
        """Return the hidden enemy pieces in the View's order."""
        return [piece for piece in view.pieces if piece.side != view.viewer and not piece.kind]

    def worlds(self, view: View, history: Sequence[SeenEvent], kinds: NDArray[np.int16]) -> Rows:
        """Return State rows; ``kinds`` has a row per World and a column per hidden piece."""
        game_history = self.update(view, history)
        rows = np.tile(self._known(view, game_history), (len(kinds), 1))
        flags = self.tables.row[T.KIND_FLAGS : T.KIND_FLAGS + T.MAX_KINDS]
        for column, piece in enumerate(self.hidden(view)):
            number, side = game_history.number[piece.name], SIDES.index(piece.side)
            rows[:, S.PIECE_INFO + number] |= kinds[:, column]
            word, bit = S.MOVERS + S.MOVER_WORDS * side + (number >> 4), 1 << (number & 15)
            mark = bit - 65536 if bit == 32768 else bit
            rows[:, word] |= np.where(flags[kinds[:, column]] & T.MOBILE, np.int16(mark), np.int16(0))
        return rows

    def _known(self, view: View, game_history: GameHistory) -> Rows:
        """Return the row without the kinds of hidden pieces."""
        state = S.State()
        s, t = state.buffer, self.tables.buffer
        past = game_history.row.buffer
        for cell in range(CELLS):
            s[S.BOARD + cell] = (S.NO_SQUARE if t[T.CELL_FLAGS + cell] & T.BLOCKED else S.EMPTY) << S.STANDS
        for piece in view.pieces:
            self._stand(s, view, piece, game_history)
        for name, side in game_history.lost.items():
            kind = self.kind_number.get(game_history.kinds.get(name, ""), -1)
            if kind >= 0:
                s[S.PIECE_INFO + game_history.number[name]] = kind | side << S.OWNER_SHIFT | S.TOLD_ALL
        self._own_losses(s, view, game_history)
        for name in game_history.has_rescued:
            s[S.PIECE_INFO + game_history.number[name]] |= S.HAS_RESCUED
        for word in _REPETITION:
            s[word] = past[word]
        s[S.SIDE] = SIDES.index(view.to_move)
        s[S.RESERVED] = t[T.RESERVED_SQUARE]
        s[S.PHASE] = PHASE_NUMBERS[view.regime]
        is_fresh = any(event.what in PROGRESS for event in game_history.open_turn)
        s[S.NO_PROGRESS] = -1 if is_fresh else view.no_progress
        for side in (0, 1):
            s[S.RESCUES_MADE + side] = view.rescues[side]
            s[S.CONVERSIONS + side] = view.conversions[side]
        if view.prompt is not None:
            self._open_turn(s, view, game_history)
        return state.row

    def _stand(self, s: Ints, view: View, piece: SeenPiece, game_history: GameHistory) -> None:
        number, side = game_history.number[piece.name], SIDES.index(piece.side)
        info = side << S.OWNER_SHIFT | S.TOLD_SOUTH << side
        info |= S.TOLD_ALL if piece.is_told else 0
        info |= S.MOVED if piece.moved else 0
        info |= S.CONVERTED if piece.is_converted else 0
        s[S.PIECE_INFO + number] = info
        if piece.kind:
            kind = self.kind_number[piece.kind]
            s[S.PIECE_INFO + number] |= kind
            if self.tables.buffer[T.KIND_FLAGS + kind] & T.MOBILE:
                S.add_mover(s, side, number)
        S.put(s, number, parse_cell(piece.cell))

    def _own_losses(self, s: Ints, view: View, game_history: GameHistory) -> None:
        """Set the kinds of the viewer's losses that were not shown: what else is in its tray."""
        side = SIDES.index(view.viewer)
        kinds = [self.kind_number[gone.kind] for gone in view.tray if gone.side == view.viewer and gone.kind]
        unnamed = []
        for name, owner in game_history.lost.items():
            info = s[S.PIECE_INFO + game_history.number[name]]
            if owner == side and info & S.TOLD_ALL and info & S.KIND_MASK in kinds:
                kinds.remove(info & S.KIND_MASK)
            elif owner == side:
                unnamed.append(game_history.number[name])
        for number, kind in zip(unnamed, kinds, strict=False):
            s[S.PIECE_INFO + number] = kind | side << S.OWNER_SHIFT | S.TOLD_SOUTH << side

    def _open_turn(self, s: Ints, view: View, game_history: GameHistory) -> None:
        """Set what the mover is asked, and about which piece."""
        assert view.prompt is not None
        ask = _ASKS[view.prompt.ask]
        cell = parse_cell(view.prompt.cell) if view.prompt.cell else 0
        s[S.PENDING], s[S.PENDING_CELL] = ask, cell
        actor = next((event.piece for event in reversed(game_history.open_turn) if event.what in _ACTS), "")
        if ask != S.ASK_NEXT and actor:
            s[S.PENDING_PIECE] = game_history.number[actor]
        if ask in (S.ASK_ATTACK_AGAIN, S.ASK_ATTACK_AFTER):
            s[S.PENDING_PIECE] = S.piece_on(s, cell)
            s[S.PENDING_LIST] = game_history.first_cells.get(actor, 0)
        elif ask == S.ASK_TARGETS:
            self._targets(s, view, cell)
        elif ask == S.ASK_NEXT:
            self._advance(s, view, game_history)
        elif ask == S.ASK_RESCUE_CELL:
            s[S.PENDING_KIND] = self._best_loss(s, SIDES.index(view.viewer))

    def _targets(self, s: Ints, view: View, cell: int) -> None:
        """Mark targets already chosen: the neighbours that are no longer offered."""
        rows = int(self.tables.row[T.KIND_POWERS + S.kind_of(s, s[S.PENDING_PIECE])]) & int(
            self.tables.row[T.AREA_ROWS]
        )
        row = (rows & -rows).bit_length() - 1
        s[S.PENDING_KIND] = row
        offered = {act.target for act in view.legal if act.verb == A.CHOOSE_CELL}
        hits_friends = T.power(self.tables.buffer, row, T.HITS_FRIENDS) != 0
        for index in range(NEIGHBOURS):
            there = cell + OFFSETS[index]
            is_hit = S.is_enemy(s, s[S.SIDE], there) or (hits_friends and S.is_piece(s, there))
            if is_hit and there not in offered:
                s[S.PENDING_LIST] |= 1 << index

    def _advance(self, s: Ints, view: View, game_history: GameHistory) -> None:
        """Mark the pieces of an open advance that have moved or were passed over."""
        bits = int(self.tables.row[T.ADVANCE_ROW])
        said = next(event.detail for event in game_history.open_turn if event.what == "advance")
        s[S.PENDING_KIND] = DIRECTION_NAMES.index(said)
        s[S.PENDING_ROW] = bits.bit_length() - 1
        s[S.PENDING_LIST] = game_history.gone
        gone = {event.piece for event in game_history.open_turn if event.what in ("move", "attack")}
        offered = {act.target for act in view.legal if act.verb == A.CHOOSE_CELL}
        for piece in view.pieces:
            number = game_history.number[piece.name]
            has_power = (
                piece.side == view.viewer and self.tables.row[T.KIND_POWERS + S.kind_of(s, number)] & bits
            )
            if has_power and (
                piece.name in gone or (game_history.gone and parse_cell(piece.cell) not in offered)
            ):
                s[S.PIECE_INFO + number] |= S.ADVANCED

    def _best_loss(self, s: Ints, side: int) -> int:
        """Return the kind to rescue, which was chosen secretly: assume the one that beats most."""
        lost = [
            S.kind_of(s, piece)
            for piece in range(1, T.PIECES)
            if s[S.PIECE_CELL + piece] == 0
            and s[S.PIECE_INFO + piece] & S.TOLD_ALL
            and S.owner_of(s, piece) == side
            and self.tables.row[T.KIND_FLAGS + S.kind_of(s, piece)] & T.RESCUABLE
        ]
        fights = self.tables.fights(len(self.game.kinds))
        return max(lost, key=lambda kind: fights[kind].count(T.ATTACKER_WINS))


_ACTS: Final = frozenset({"spot", "attack", "leap", "swing", "sweep", "rescue"})
