"""Follow a game from one side without its referee: from its setup and its events to its View.

A `Follower` keeps the Knowledge of its seat, folded from SeenEvents. At its turn it imagines a position that
fits everything it knows and asks the engine what is legal there; hidden kinds cannot change the answer (see
tests/laws). In the middle of its turn it replays its last action on that position, in which the pieces
have since become what was shown of them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from flagfall.board import cell_name, parse_cell
from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.engine import state as S
from flagfall.engine.action import Action
from flagfall.engine.play import legal_actions, play
from flagfall.engine.state import State
from flagfall.engine.tables import KIND_FLAGS, MOBILE, PIECES, RESERVED_SQUARE
from flagfall.errors import FlagfallError, quoted
from flagfall.players.history import PROGRESS
from flagfall.players.worlds import PHASE_NUMBERS, WorldSampler
from flagfall.setups import Setup
from flagfall.sides import SIDES, Side
from flagfall.view.knowledge import Knowledge
from flagfall.view.project import Observers
from flagfall.view.view import SeenEvent, View

_PLACED = frozenset({"move", "attack", "removed"})


class FollowError(FlagfallError):
    """An event contradicts the rules or earlier events; it was ignored."""

    code = "not-followed"


class Follower:
    """A game as one seat sees it."""

    def __init__(self, game: Game, options: Options, setup: Setup, squares: Iterable[int]) -> None:
        """``squares`` are those of the enemy's pieces at the start."""
        self.game, self.options, self.side = game, options, int(setup.side)
        self.tables = compile_game(game, options)
        enemy = dict.fromkeys(squares, 0)
        setups = (setup.kinds, enemy) if self.side == 0 else (enemy, setup.kinds)
        self._eyes = Observers(game, options, self.tables, setups)
        self._sampler = WorldSampler(game, options)
        self.history: list[SeenEvent] = []
        self.no_progress = 0
        self.doubt = ""
        """a sentence, if the events contradict each other"""
        self._state: State | None = None
        """the position imagined for the last View"""
        self._last: tuple[State, Action] | None = None
        """the imagined position and this side's last action, if its turn is open"""

    @property
    def seat(self) -> Side:
        """The seat whose events it gets."""
        return SIDES[self.side]

    @property
    def knowledge(self) -> Knowledge:
        """What the seat knows."""
        return self._eyes.knowledge[self.seat]

    @property
    def is_mover(self) -> bool:
        """Whether it is this seat's turn, by the events so far."""
        return self.knowledge.to_move == self.side and self.knowledge.result is None

    def tell(self, event: SeenEvent) -> None:
        """Add one event; `FollowError` if it is impossible, and then nothing has changed."""
        before = self.knowledge.copy()
        try:
            self._check(event)
            self.knowledge.fold([event])
        except FollowError:
            self._eyes.knowledge[self.seat] = before
            raise
        except (KeyError, ValueError, IndexError, TypeError) as problem:
            self._eyes.knowledge[self.seat] = before
            raise FollowError(f"{quoted(event.what)} does not fit the earlier events.") from problem
        self.history.append(event)
        if event.what == "turn":
            self._end_turn()

    def _end_turn(self) -> None:
        self._last = None
        has_progressed = any(each.what in PROGRESS for each in self.knowledge.last_turn)
        self.no_progress = 0 if has_progressed else self.no_progress + 1
        if not self.doubt:
            puzzling = [name for name in self.knowledge.cells if not self.knowledge.possible(name)]
            self.doubt = f"By the events so far, {puzzling[0]} cannot be any piece." if puzzling else ""

    def _check(self, event: SeenEvent) -> None:
        """Refuse an event that is impossible on this board."""
        knowledge = self.knowledge
        for square in filter(None, (event.origin, event.target)):
            cell = parse_cell(square)
            if cell not in self.game.board:
                raise FollowError(f"{square} is not on this board.")
        if event.kind and event.kind not in knowledge.facts.number:
            raise FollowError(f"{quoted(event.kind)} is not a piece of this game.")
        if event.what == "shown":
            self._check_shown(event)
        if event.what not in _PLACED:
            return
        if event.piece not in knowledge.cells:
            raise FollowError(f"There is no piece {event.piece[:20]} on the board.")
        cell_now, side = knowledge.cells[event.piece]
        if event.origin and event.origin != cell_now:
            raise FollowError(f"The piece {event.piece} stands on {cell_now}, not on {event.origin}.")
        if event.side is not None and event.side != SIDES[side]:
            raise FollowError(f"The piece {event.piece} is {SIDES[side]}'s.")
        there = knowledge.on.get(event.target, "")
        if event.what == "move" and there not in ("", event.piece):
            raise FollowError(f"{event.piece} cannot move to {event.target}: {there} stands there.")
        if event.what == "move" and parse_cell(event.target) in self.game.board.zones:
            self._check_reserved(event)
        is_friend = bool(there) and knowledge.cells[there][1] == side and not self.game.has_powers
        if event.what == "attack" and (not there or is_friend):
            raise FollowError(f"There is no enemy to attack on {event.target}.")

    def _check_shown(self, event: SeenEvent) -> None:
        """Refuse to show a piece as a kind that it cannot be."""
        kind = self.knowledge.facts.number.get(event.kind, -1)
        army = self.knowledge.army_of(event.piece)
        if kind < 0 or not army.tokens[event.piece].kinds >> kind & 1:
            raise FollowError(f"The piece {event.piece} cannot be “{event.kind}”.")

    def _check_reserved(self, event: SeenEvent) -> None:
        if parse_cell(event.target) != self.tables.row[RESERVED_SQUARE]:
            raise FollowError(f"No piece may stand on {event.target}.")

    def acted(self, action: Action) -> None:
        """Remember the action this seat has just chosen."""
        if self._state is not None:
            self._last = (self._state, action)

    def view(self) -> View:
        """Return everything this seat may know now, with its legal actions."""
        state = self._continued() if self._last else None
        self._state = state or self._imagined()
        return self._eyes.view(self._state, self.seat, forgets=False)

    def _imagined(self) -> State:
        """Return a position at the start of a turn that fits what is known."""
        stub = State()
        s = stub.buffer
        s[S.SIDE], s[S.RESULT], s[S.NO_PROGRESS] = self.side, S.DRAW, self.no_progress
        for event in self.history:
            if event.what == "regime":
                s[S.PHASE] = PHASE_NUMBERS[event.detail]
            elif event.what == "converted":
                s[S.CONVERSIONS + int(event.side or Side.SOUTH)] += 1
        seen = self._eyes.view(stub, self.seat, forgets=False)
        hidden = self._sampler.hidden(seen)
        guess = [self._lowest(piece.name) for piece in hidden]
        rows = self._sampler.worlds(seen, self.history, np.array([guess], dtype=np.int16))
        state = State(rows[0])
        state.buffer[S.SIDE] = self.side
        return state

    def _lowest(self, name: str) -> int:
        kinds = self.knowledge.possible(name) or 1
        return (kinds & -kinds).bit_length() - 1

    def _continued(self) -> State | None:
        """Return the position after this side's action of an open turn; None if it cannot be found."""
        assert self._last is not None
        before, action = self._last
        state = before.copy()
        self._show(state)
        if action.pack() not in legal_actions(self.tables, state):
            return None
        play(self.tables, state, action.pack())
        is_open = state.is_turn_open and state.side == self.side and not state.is_over
        return state if is_open and self._agrees(state) else None

    def _show(self, state: State) -> None:
        """Give the enemies on an imagined position kinds that fit what is known now."""
        game_history = self._sampler.game_history
        assert game_history is not None
        s = state.buffer
        for name, number in game_history.number.items():
            if not s[S.PIECE_CELL + number] or S.owner_of(s, number) == self.side:
                continue
            kind, side = self._lowest(name), S.owner_of(s, number)
            s[S.PIECE_INFO + number] = s[S.PIECE_INFO + number] & ~S.KIND_MASK | kind
            change = S.add_mover if self.tables.buffer[KIND_FLAGS + kind] & MOBILE else S.drop_mover
            change(s, side, number)

    def _agrees(self, state: State) -> bool:
        """Return whether the pieces stand where they should."""
        s = state.buffer
        standing = {}
        for number in range(1, PIECES):
            cell = s[S.PIECE_CELL + number]
            if cell:
                standing[cell_name(cell)] = S.owner_of(s, number)
        return standing == dict(self.knowledge.cells.values())
