"""The hidden part of one army: its pieces, the kinds left for them, and pieces rescued secretly.

Every piece of the starting army that was not shown is a *row*, also those that left the board unnamed (silent
defence, secret captures), because they use up kinds. A piece rescued secretly is one of those losses, not a
row of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flagfall.board import parse_cell
from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.players.history import starting_sides
from flagfall.sides import SIDES
from flagfall.view.army import Army
from flagfall.view.knowledge import Facts, Knowledge
from flagfall.view.view import SeenEvent, View, Viewer


@dataclass(frozen=True)
class UnknownPiece:
    """A piece of the starting army that was not shown."""

    name: str
    start_cell: int
    kinds: int
    """the kinds that its actions allow, as a bit set"""
    is_lost: bool = False


@dataclass(frozen=True)
class RescuedPiece:
    """A rescued piece that is one of several losses."""

    name: str
    kinds: int
    candidates: tuple[str, ...]
    is_hidden: bool
    """on the board and not shown"""


@dataclass(frozen=True)
class HiddenArmy:
    """The hidden part of one army."""

    rows: tuple[UnknownPiece, ...]
    """those on the board first"""
    counts: NDArray[np.int64]
    """the number of each kind among the rows"""
    shown: tuple[tuple[int, int], ...]
    """starting cell and kind of the pieces that were shown"""
    rescued: tuple[RescuedPiece, ...]
    told: dict[str, int]
    """name → kind of every piece that was shown"""

    @property
    def on_board(self) -> int:
        """How many rows stand on the board."""
        return sum(not row.is_lost for row in self.rows)


def hidden_army(army: Army) -> HiddenArmy:
    """Return the hidden part of an army, from what an opponent knows of it."""
    originals = [token for token in army.tokens.values() if not token.was]
    unseen = [token for token in originals if not token.is_told]
    rows = [
        UnknownPiece(token.name, parse_cell(token.name), token.kinds, token.is_lost)
        for token in sorted(unseen, key=lambda token: (token.is_lost, parse_cell(token.name)))
    ]
    told = {token.name: token.kinds.bit_length() - 1 for token in army.tokens.values() if token.is_told}
    shown = tuple((parse_cell(token.name), told[token.name]) for token in originals if token.is_told)
    counts = np.array(army.counts, dtype=np.int64)
    for _, kind in shown:
        counts[kind] -= 1
    rescued = tuple(
        RescuedPiece(token.name, token.kinds, token.was, not token.is_told and not token.is_lost)
        for token in army.tokens.values()
        if token.was and not {token.name, *token.was} <= told.keys()
    )
    return HiddenArmy(tuple(rows), counts, shown, rescued, told)


Listener = Callable[[Knowledge, SeenEvent], None]
"""called with every event before it is folded"""


class HistoryReader:
    """Folds the history of one seat, event by event."""

    def __init__(self, game: Game, options: Options, viewer: Viewer) -> None:
        self.game, self.viewer = game, viewer
        self.facts = Facts(game, compile_game(game, options))
        self._folded: list[SeenEvent] = []
        self._knowledge: Knowledge | None = None

    def continues(self, history: Sequence[SeenEvent]) -> bool:
        """Return whether the history continues the one read so far."""
        known = len(self._folded)
        return known <= len(history) and (known == 0 or self._folded[-1] == history[known - 1])

    def update(self, view: View, history: Sequence[SeenEvent], listener: Listener | None = None) -> Knowledge:
        """Fold what is new in the history; a different history is folded from its start."""
        if self._knowledge is None or not self.continues(history):
            self._knowledge = self._initial_knowledge(view, history)
            self._folded = []
        for event in history[len(self._folded) :]:
            if listener is not None:
                listener(self._knowledge, event)
            self._knowledge.fold((event,))
            self._folded.append(event)
        self._knowledge.settle()
        return self._knowledge

    def _initial_knowledge(self, view: View, history: Sequence[SeenEvent]) -> Knowledge:
        """Return the Knowledge at the start of the game; names are starting squares."""
        sides = starting_sides(view, history)
        squares = tuple(
            sorted((name for name, side in sides.items() if side == which), key=parse_cell)
            for which in (0, 1)
        )
        own = {}
        if self.viewer in SIDES:
            own = dict.fromkeys(squares[SIDES.index(self.viewer)], "")
            own |= {piece.name: piece.kind for piece in view.pieces if piece.side == self.viewer}
        return Knowledge(self.facts, self.viewer, (squares[0], squares[1]), own)
