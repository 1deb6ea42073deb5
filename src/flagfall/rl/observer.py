"""The observation of a View: the same planes, scalars and mask that the kernels write, made from sight alone.

A player at a table gets a View and a history of SeenEvents, not a State. `Observer` reads the history and
makes what a `VectorEnv` would show in the same position, so that a policy that learned there can sit at any
table. It is also the other half of a law: the kernels show no more than this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flagfall.board import parse_cell
from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.engine import tables as T
from flagfall.engine.action import CHOOSE_CELL, Action
from flagfall.rl import layout as L
from flagfall.rl.layout import Layout
from flagfall.view.view import SeenEvent, SeenPiece, View

_WAYS = frozenset(
    {"move", "attack", "spot", "leap", "teleport", "shoot", "detect", "convert", "swing", "sweep"}
)
"""events that say where a turn of their side went"""
_REGIMES = ("", "bearer lost", "bearer arrived")


class Observation(NamedTuple):
    """What the mover may know, as numbers; `Layout` names them."""

    planes: NDArray[np.uint8]
    scalars: NDArray[np.int16]
    mask: NDArray[np.bool_]


@dataclass
class _Token:
    """What is known of one enemy piece."""

    kind: int = -1
    is_returned: bool = False


@dataclass
class _Tally:
    """What one viewer was told of the enemy, counted."""

    not_known: Counter[int]
    losses: Counter[int] = field(default_factory=Counter)
    unnamed: int = 0
    returns: int = 0
    tokens: dict[str, _Token] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    ways: list[tuple[str, str] | None] = field(default_factory=lambda: [None, None])
    is_open: bool = False
    to_move: int = 0
    is_read: int = 0
    """how many events were read"""


class Observer:
    """Makes observations for one seat of one game."""

    def __init__(self, game: Game, options: Options, side: int, *, places: bool = False) -> None:
        self.game, self.side = game, int(side)
        self.layout = Layout(game, options, compile_game(game, options), places=places)
        self._numbers = {kind.id: number for number, kind in enumerate(game.kinds)}
        flags = self.layout.tables.row[T.KIND_FLAGS : T.KIND_FLAGS + len(game.kinds)]
        self._is_mobile = [bool(flag & T.MOBILE) for flag in flags]
        self._is_rescuable = [bool(flag & T.RESCUABLE) for flag in flags]
        self._options = self.layout.option_scalars()
        self._tally = self._fresh()

    def _fresh(self) -> _Tally:
        roster = self.game.rosters[1 - self.side]
        return _Tally(Counter({kind: count for kind, count in enumerate(roster) if count}))

    def forget(self) -> None:
        """Forget what was read: the next history is another one."""
        self._tally = self._fresh()

    def observe(self, view: View, history: Sequence[SeenEvent]) -> Observation:
        """Return the observation of a View; ``history`` is all that this seat has seen so far."""
        tally = self._tally
        if tally.is_read > len(history):
            tally = self._tally = self._fresh()
        for event in history[tally.is_read :]:
            self._fold(tally, event)
        tally.is_read = len(history)
        board = self.game.board
        planes = np.zeros((self.layout.plane_count, board.rows * board.columns), dtype=np.uint8)
        scalars = self._scalars(view, tally)
        self._write_pieces(view, tally, planes, scalars)
        self._write_ways(view, tally, planes)
        mask = np.zeros(self.layout.space.size, dtype=np.bool_)
        for action in view.legal:
            mask[self.layout.space.encode(action, self.side)] = True
        return Observation(planes.reshape(-1, board.rows, board.columns), scalars, mask)

    def observe_placing(self, placed: Mapping[int, int], *, is_asked: bool) -> Observation:
        """Return what a side sees that has placed these pieces so far (cell → kind).

        ``is_asked``: it is to place the next one. Needs ``places``.
        """
        layout, board = self.layout, self.game.board
        planes = np.zeros((layout.plane_count, board.rows * board.columns), dtype=np.uint8)
        planes[3 * layout.kinds + L.ZONES] = layout.zones()[self.side]
        scalars = np.zeros(layout.scalar_count, dtype=np.int16)
        mask = np.zeros(layout.space.size, dtype=np.bool_)
        for cell, kind in placed.items():
            place = self._place(kind, self.side)
            planes[place, layout.space.square(cell, self.side)] = 1
            scalars[L.KIND_SCALARS + place] += 1
        if is_asked:
            kind = layout.piece_kinds[self.side][len(placed)]
            scalars[L.KIND_TO_PLACE] = 1 + self._place(kind, self.side)
            scalars[L.ASKED + L.ASK_PLACE] = 1
            for cell in board.home(self.side):
                if cell not in placed:
                    mask[layout.space.encode(Action(CHOOSE_CELL, target=cell), self.side)] = True
        self._write_counts(scalars, self._fresh())
        return Observation(planes.reshape(-1, board.rows, board.columns), scalars, mask)

    # ------------------------------------------------------------ what was told

    def _fold(self, tally: _Tally, event: SeenEvent) -> None:
        if event.what == "turn":
            tally.is_open = False
            tally.to_move = int(event.side or 0)
        elif event.what in _WAYS and event.piece and int(event.side or 0) == tally.to_move:
            self._note_way(tally, event)
        elif event.what == "rescued" and int(event.side or 0) != self.side:
            tally.tokens[event.piece] = _Token(is_returned=True)
            tally.returns += 1
        elif event.what == "shown" and self._is_enemys(tally, event):
            self._learn(tally, event)
        elif event.what == "removed" and self._is_enemys(tally, event):
            self._lose(tally, event.piece)

    def _is_enemys(self, tally: _Tally, event: SeenEvent) -> bool:
        """Return whether a piece began in the enemy's army; one may have changed sides since."""
        return event.piece in tally.tokens or self._began_on(event.piece) != self.side

    def _began_on(self, name: str) -> int:
        if "+" in name:
            return 1 if name.startswith("north") else 0
        return 0 if parse_cell(name) in self.game.board.home(0) else 1

    def _note_way(self, tally: _Tally, event: SeenEvent) -> None:
        side = tally.to_move
        way = tally.ways[side] if tally.is_open else None
        start = way[0] if way else event.origin
        tally.ways[side] = (start, event.target or (way[1] if way else event.origin))
        tally.is_open = True

    def _learn(self, tally: _Tally, event: SeenEvent) -> None:
        token = tally.tokens.setdefault(event.piece, _Token())
        if token.kind >= 0:
            return
        token.kind = kind = self._numbers[event.kind]
        if token.is_returned:
            tally.returns -= 1
            if tally.losses[kind] > 0:
                tally.losses[kind] -= 1
                return
            tally.unnamed -= 1
        elif event.piece in tally.lost:
            tally.unnamed -= 1
            tally.losses[kind] += 1
        tally.not_known[kind] -= 1

    def _lose(self, tally: _Tally, name: str) -> None:
        token = tally.tokens.setdefault(name, _Token())
        tally.lost.add(name)
        if token.kind >= 0:
            tally.losses[token.kind] += 1
        elif token.is_returned:
            tally.returns -= 1
        else:
            tally.unnamed += 1

    # ------------------------------------------------------------ what is written

    def _place(self, kind: int, army: int) -> int:
        return self.layout.army_kinds[army].index(kind)

    def _square(self, name: str) -> int:
        return self.layout.space.square(parse_cell(name), self.side)

    def _write_pieces(
        self, view: View, tally: _Tally, planes: NDArray[np.uint8], scalars: NDArray[np.int16]
    ) -> None:
        kinds = self.layout.kinds
        plain = planes[3 * kinds :]
        hidden: list[SeenPiece] = []
        for piece in view.pieces:
            at = self._square(piece.cell)
            plain[L.CONVERTED, at] = piece.is_converted
            if int(piece.side) == self.side:
                kind = self._place(self._numbers[piece.kind], self.side)
                planes[kind, at] = 1
                scalars[L.KIND_SCALARS + kind] += 1
                plain[L.OWN_MOVED, at], plain[L.OWN_TOLD, at] = piece.moved, piece.is_told
            elif piece.is_told:
                planes[kinds + self._place(self._numbers[piece.kind], 1 - self.side), at] = 1
                plain[L.TOLD_MOVED, at] = piece.moved
            else:
                plain[L.HIDDEN_MOVED if piece.moved else L.HIDDEN_UNMOVED, at] = 1
                hidden.append(piece)
        for piece in hidden:
            for kind in self._possible(piece, hidden, tally):
                place = self._place(kind, 1 - self.side)
                planes[2 * kinds + place, self._square(piece.cell)] = 1
        plain[L.ZONES] = self.layout.zones()[self.side]

    def _possible(self, piece: SeenPiece, hidden: Sequence[SeenPiece], tally: _Tally) -> list[int]:
        """Return what a hidden piece can be by counting; `observing.py` says how."""

        def is_returned(name: str) -> bool:
            return name in tally.tokens and tally.tokens[name].is_returned

        if is_returned(piece.name):
            kinds = [
                kind
                for kind in self.layout.army_kinds[1 - self.side]
                if self._is_rescuable[kind] and tally.not_known[kind] + tally.losses[kind] > 0
            ]
        else:
            kinds = [kind for kind, count in tally.not_known.items() if count > 0]
            unmoved = sum(not one.moved and not is_returned(one.name) for one in hidden)
            fixed = sum(count for kind, count in tally.not_known.items() if not self._is_mobile[kind])
            if not piece.moved and unmoved + tally.unnamed <= fixed:
                kinds = [kind for kind in kinds if not self._is_mobile[kind]]
        return [kind for kind in kinds if self._is_mobile[kind]] if piece.moved else kinds

    def _write_ways(self, view: View, tally: _Tally, planes: NDArray[np.uint8]) -> None:
        plain = planes[3 * self.layout.kinds :]
        for side, first in ((self.side, L.LAST_OWN_FROM), (1 - self.side, L.LAST_ENEMY_FROM)):
            if way := tally.ways[side]:
                plain[first, self._square(way[0])] = 1
                plain[first + 1, self._square(way[1])] = 1
        if view.prompt and view.prompt.cell:
            plain[L.ASKED_SQUARE, self._square(view.prompt.cell)] = 1

    def _scalars(self, view: View, tally: _Tally) -> NDArray[np.int16]:
        scalars = np.zeros(self.layout.scalar_count, dtype=np.int16)
        scalars[L.NO_PROGRESS] = view.no_progress
        scalars[L.REGIME] = _REGIMES.index(view.regime)
        scalars[L.OWN_RESCUES], scalars[L.ENEMY_RESCUES] = self._own_first(view.rescues)
        scalars[L.OWN_CONVERSIONS], scalars[L.ENEMY_CONVERSIONS] = self._own_first(view.conversions)
        scalars[L.UNNAMED_LOSSES], scalars[L.UNNAMED_RETURNS] = tally.unnamed, tally.returns
        if int(view.to_move) == self.side:
            scalars[L.ASKED + L.PENDING_NAMES.index(view.prompt.ask if view.prompt else "turn")] = 1
        self._write_counts(scalars, tally)
        return scalars

    def _write_counts(self, scalars: NDArray[np.int16], tally: _Tally) -> None:
        """Write the side, what is known of the enemy's kinds, and the options."""
        layout = self.layout
        scalars[L.SIDE] = self.side
        first = L.KIND_SCALARS + layout.kinds
        for place, kind in enumerate(layout.army_kinds[1 - self.side]):
            scalars[first + place] = tally.not_known[kind]
            scalars[first + layout.kinds + place] = tally.losses[kind]
        scalars[layout.scalar_count - len(self._options) :] = self._options

    def _own_first(self, numbers: tuple[int, int]) -> tuple[int, int]:
        return (numbers[1], numbers[0]) if self.side else numbers
