"""Make Views and SeenEvents: the only module that has both the true State and what viewers get.

`Observers` name the pieces of one game, translate events for their audience, add them to each viewer's
Knowledge and make its View. What a View says about pieces comes from the Knowledge; the State is read only
for what all may see, and for the legal actions of the side to move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from functools import lru_cache
from operator import itemgetter

from msgspec.structs import replace

from flagfall.board import DIRECTION_NAMES, cell_name
from flagfall.edition.options import Options
from flagfall.edition.schema import Game
from flagfall.engine import events as E
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.action import ATTACK, LEAP, MOVE, TELEPORT, TWO_STEP, VERB_NAMES, Action
from flagfall.engine.play import Event, legal_actions
from flagfall.engine.repetition import barred_move
from flagfall.engine.state import State
from flagfall.engine.tables import PIECES, Tables
from flagfall.sides import SIDES
from flagfall.view.knowledge import Knowledge, shared_facts
from flagfall.view.view import (
    VIEWERS,
    Barred,
    Prompt,
    Result,
    Rule,
    SeenEvent,
    SeenPiece,
    TrayPiece,
    View,
    Viewer,
    renamed,
    side_of,
    viewer_name,
)

Setups = tuple[Mapping[int, int], Mapping[int, int]]
"""South's and North's setup: cell → kind"""

_WHAT = {
    E.MOVE: "move",
    E.ATTACK: "attack",
    E.SHOWN: "shown",
    E.REMOVED: "removed",
    E.SPOT: "spot",
    E.GUESS: "guess",
    E.MISS: "miss",
    E.RESCUE: "rescue",
    E.RESCUED: "rescued",
    E.TURN: "turn",
    E.RESULT: "result",
    E.NOTHING: "no-effect",
    E.CONVERT: "converted",
    E.PHASE: "regime",
}
_HOW = {
    E.BY_STEP: "step",
    E.BY_RUN: "run",
    E.BY_CAPTURE: "capture",
    E.BY_DEFENCE: "defender",
    E.BY_LEAP: "leap",
    E.BY_TELEPORT: "teleport",
    E.BY_ADVANCE: "advance",
}
_DISPLACING = (MOVE, ATTACK, LEAP, TELEPORT, TWO_STEP)
_REGIME = {0: "", S.BEARER_LOST: "bearer lost", S.BEARER_ARRIVED: "bearer arrived"}
_REASONS = {
    S.FLAG_CAPTURED: "flag captured",
    S.OWN_FLAG_CAPTURED: "own flag captured",
    S.NO_MOVE: "no move left",
    S.NO_PROGRESS_DRAW: "no progress",
    S.BOTH_STUCK: "both stuck",
}
_ASK = {
    S.ASK_GUESS: "guess",
    S.ASK_RESCUE_KIND: "rescue kind",
    S.ASK_RESCUE_CELL: "rescue square",
    S.ASK_ATTACK_AGAIN: "attack again",
    S.ASK_ATTACK_AFTER: "attack after landing",
    S.ASK_TARGETS: "target",
    S.ASK_NEXT: "next",
}


class Observers:
    """The three viewers of one game and what each of them knows."""

    def __init__(self, game: Game, options: Options, tables: Tables, setups: Setups) -> None:
        self.game, self.options, self.tables = game, options, tables
        self.facts = shared_facts(game, tables)
        squares = tuple([cell_name(cell) for cell in sorted(setup)] for setup in setups)
        self.knowledge: dict[Viewer, Knowledge] = {}
        for viewer in VIEWERS:
            own: dict[str, str] = {}
            if (side := side_of(viewer)) is not None:
                setup = setups[side]
                own = {cell_name(cell): self.facts.ids[kind] for cell, kind in setup.items()}
            self.knowledge[viewer] = Knowledge(self.facts, viewer, (squares[0], squares[1]), own)
        self._names: dict[int, str] = {}
        self._owners: dict[int, int] = {}
        self._turn = 0
        self._mover = 0
        self._rescued = [0, 0]
        self._legal: tuple[bytes, tuple[Action, ...]] = (b"", ())
        """the last position that was asked for, and its legal actions"""

    def copy(self) -> Observers:
        """Return an independent copy."""
        other = copy(self)
        other.knowledge = {viewer: knowledge.copy() for viewer, knowledge in self.knowledge.items()}
        other._names, other._rescued = dict(self._names), list(self._rescued)
        other._owners = dict(self._owners)
        return other

    def assign_names(self, state: State) -> None:
        """Name the pieces of a new State by their squares."""
        self._mover = state.side
        for piece in range(1, PIECES):
            cell = state.buffer[S.PIECE_CELL + piece]
            if cell:
                self._names[piece] = cell_name(cell)
                self._owners[piece] = S.owner_of(state.buffer, piece)

    def see(self, state: State, happened: Iterable[Event]) -> dict[Viewer, tuple[SeenEvent, ...]]:
        """Translate the events of an action and return what each viewer saw of them."""
        seen: dict[Viewer, list[SeenEvent]] = {viewer: [] for viewer in VIEWERS}
        returned = 0
        for event in happened:
            if event.what == E.RESCUED:
                returned = event.piece
            is_return = event.what == E.SHOWN and event.piece == returned
            message = self._translate(event, is_return=is_return)
            for bit, viewer in enumerate(VIEWERS):
                if event.audience >> bit & 1:
                    seen[viewer].append(message)
        for viewer, messages in seen.items():
            self.knowledge[viewer].fold(messages)
        return {viewer: tuple(messages) for viewer, messages in seen.items()}

    def _translate(self, event: Event, *, is_return: bool) -> SeenEvent:
        if event.what == E.USE:
            return self._power_used(event)
        what, turn = _WHAT[event.what], self._turn
        if event.what == E.RESULT:
            result = _decoded(*divmod(event.value, 16))
            return SeenEvent(what, turn, side=result.side, detail=result.reason)
        if event.what == E.TURN:
            self._turn += 1
            self._mover = event.value
            return SeenEvent(what, turn, side=SIDES[event.value])
        if event.what == E.CONVERT:
            self._owners[event.piece] = event.value
        owner = self._owners[event.piece]
        if event.what == E.RESCUED:
            self._rescued[owner] += 1
            self._names[event.piece] = f"{SIDES[owner]}+{self._rescued[owner]}"
        has_kind = event.what in (E.SHOWN, E.GUESS, E.MISS)
        details = {E.MOVE: _HOW, E.PHASE: _REGIME}.get(event.what, {})
        detail = "rescued" if is_return else details.get(event.value, "")
        return SeenEvent(
            what,
            turn,
            side=SIDES[owner],
            piece=self._names[event.piece],
            origin=cell_name(event.origin) if event.origin else "",
            target=cell_name(event.target) if event.target else "",
            kind=self.facts.ids[event.value] if has_kind else "",
            detail=detail,
        )

    def _power_used(self, event: Event) -> SeenEvent:
        """Return the announcement of a power: by a piece, or by a group."""
        verb = VERB_NAMES[int(self.tables.row[T.POWERS + event.value * T.POWER_WIDTH + T.POWER_VERB])]
        if not event.piece:
            return SeenEvent(verb, self._turn, side=SIDES[self._mover], detail=DIRECTION_NAMES[event.target])
        return SeenEvent(
            verb,
            self._turn,
            side=SIDES[self._owners[event.piece]],
            piece=self._names[event.piece],
            origin=cell_name(event.origin),
            target=cell_name(event.target) if event.target else "",
        )

    def names(self, viewer: Viewer) -> dict[str, str]:
        """Return the names to send with ``memory = strict``; empty where those of the Knowledge are sent."""
        return self.knowledge[viewer].recent_names() if self.options["memory"] == "strict" else {}

    def view(self, state: State, viewer: Viewer, *, forgets: bool = True, is_open: bool = False) -> View:
        """Return everything that a viewer may know now.

        Without ``forgets``, for computer players, the memory options hide nothing. ``is_open``: the game was
        ended at the table with a result; then names no longer change, as after an end on the board.
        """
        if viewer == "truth":
            return self._truth(state)
        view = self._view(state, viewer, forgets=forgets)
        names = self.names(viewer) if forgets and not (is_open or state.is_over) else {}
        if not names:
            return view
        pieces = tuple(replace(piece, name=names[piece.name]) for piece in view.pieces)
        return replace(view, pieces=pieces, last_turn=renamed(view.last_turn, names))

    def _view(self, state: State, viewer: Viewer, *, forgets: bool = True) -> View:
        """Return the View with the names of the viewer's Knowledge."""
        knowledge = self.knowledge[viewer]
        result = knowledge.result
        is_mover = knowledge.side == state.side and not state.is_over
        return View(
            game=self.game.id,
            viewer=viewer_name(viewer),
            turn=knowledge.turn,
            to_move=SIDES[state.side],
            pieces=self._pieces(knowledge, self.options["memory"] if forgets else "assisted"),
            tray=self._tray(knowledge, self.options["captured_pieces"] if forgets else "open"),
            last_turn=tuple(knowledge.last_turn + knowledge.open_turn),
            legal=self.legal(state) if is_mover else (),
            prompt=self._prompt(state) if is_mover else None,
            barred=self._barred(state) if is_mover else (),
            no_progress=max(0, int(state.buffer[S.NO_PROGRESS])),
            rescues=(knowledge.rescues[0], knowledge.rescues[1]),
            conversions=(int(state.buffer[S.CONVERSIONS]), int(state.buffer[S.CONVERSIONS + 1])),
            regime=_REGIME[state.buffer[S.PHASE]],
            result=Result.of(result.side, result.detail) if result else None,
        )

    def legal(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions of the side to move; those of the last position are kept."""
        position = state.row.tobytes()
        if self._legal[0] != position:
            self._legal = (position, tuple(map(_unpacked, legal_actions(self.tables, state))))
        return self._legal[1]

    def _prompt(self, state: State) -> Prompt | None:
        ask = state.buffer[S.PENDING]
        cell = state.buffer[S.PENDING_CELL]
        return Prompt(_ASK[ask], cell_name(cell) if cell else "") if ask else None

    def _barred(self, state: State) -> tuple[Barred, ...]:
        """Return the moves, attacks, flights, teleports and two-steps that only a repetition rule forbids."""
        side, limit = state.side, self.tables.buffer[T.TWO_SQUARE_LIMIT]
        is_counted = limit != 0 and state.buffer[S.LAST_COUNT + side] >= limit
        is_chasing = state.buffer[S.CHASER] == side + 1 and not state.is_turn_open
        if not is_counted and not is_chasing:
            return ()
        way = barred_move(self.tables.buffer, state.buffer)
        free = state.copy()
        free.buffer[S.LAST_COUNT + side] = 0
        free.buffer[S.CHASER] = 0
        now = set(legal_actions(self.tables, state))
        found: dict[Barred, None] = {}
        for packed in legal_actions(self.tables, free):
            act = Action.unpack(packed)
            if packed not in now and act.verb in _DISPLACING:
                is_two_square = state.is_turn_open or packed & 0xFFFF == way
                rule: Rule = "two-square" if is_two_square else "chase"
                found[Barred(cell_name(act.origin), cell_name(act.target), rule)] = None
        return tuple(found)

    def _pieces(self, knowledge: Knowledge, memory: str) -> tuple[SeenPiece, ...]:
        """Return the pieces on the board, square by square; written for speed."""
        fresh = knowledge.last_turn + knowledge.open_turn
        shown = {event.piece for event in fresh if event.what == "shown"}
        moved, converted, own = knowledge.moved, knowledge.converted, knowledge.own
        if memory == "strict":
            moved = {event.piece for event in fresh if event.what == "move"}
        is_assisted = memory == "assisted"
        if is_assisted:
            knowledge.settle()
        south, north = knowledge.armies
        ids, names, viewer_side = self.facts.ids, self.facts.names, knowledge.side
        pieces = []
        for name, (cell, side) in sorted(knowledge.cells.items(), key=itemgetter(1)):
            army = south if name in south.tokens else north
            token = army.tokens[name]
            is_own, is_converted = side == viewer_side, name in converted
            is_told = token.is_told and (is_assisted or name in shown or is_converted)
            kind = own[name] if is_own else ids[token.kinds.bit_length() - 1] if is_told else ""
            possible = names(army.kinds_of(name)) if is_assisted and not is_told else ()
            pieces.append(
                _seen_piece(
                    name,
                    cell,
                    SIDES[side],
                    kind,
                    () if is_own else possible,
                    name in moved,
                    is_told,
                    is_converted,
                    possible if is_own else (),
                )
            )
        return tuple(pieces)

    def _tray(self, knowledge: Knowledge, mode: str) -> tuple[TrayPiece, ...]:
        """Return the captured pieces, as far as the captured-pieces option lets this viewer see them."""
        tray = []
        for side, lost in enumerate(knowledge.lost):
            is_own = side == knowledge.side
            is_seat = knowledge.side is not None
            may_look = mode == "open" or (is_seat and mode == ("secret" if is_own else "prisoner"))
            kinds = [knowledge.kind_of(name, side) if may_look else "" for name in lost]
            kept = kinds[: len(kinds) - knowledge.unnamed_returns[side]]
            tray += [TrayPiece(SIDES[side], kind) for kind in sorted(kept, key=self._strength)]
        return tuple(tray)

    def _strength(self, kind: str) -> int:
        return self.facts.number.get(kind, -1)

    def _truth(self, state: State) -> View:
        """Return the View of the truth, for games that are over and for tests."""
        watcher = self._view(state, "watcher")
        s = state.buffer
        kinds = {
            self._names[piece]: self.facts.ids[S.kind_of(s, piece)]
            for piece in self._names
            if s[S.PIECE_CELL + piece]
        }
        pieces = tuple(replace(piece, kind=kinds[piece.name], possible=()) for piece in watcher.pieces)
        tray = [
            TrayPiece(SIDES[S.owner_of(s, piece)], self.facts.ids[S.kind_of(s, piece)])
            for piece in self._names
            if not s[S.PIECE_CELL + piece]
        ]
        ordered = sorted(tray, key=lambda piece: (int(piece.side), self._strength(piece.kind)))
        return replace(watcher, viewer="truth", pieces=pieces, tray=tuple(ordered))


_seen_piece = lru_cache(maxsize=65_536)(SeenPiece)
_unpacked = lru_cache(maxsize=50_000)(Action.unpack)
"""equal pieces and actions are shared by all Views and matches, to save memory"""


def board_result(state: State) -> Result | None:
    """Return how a game has ended on the board; None while it goes on."""
    s = state.buffer
    return _decoded(int(s[S.RESULT]), int(s[S.REASON])) if s[S.RESULT] else None


def _decoded(winner: int, reason: int) -> Result:
    return Result.of(None if winner == S.DRAW else SIDES[winner - 1], _REASONS[reason])
