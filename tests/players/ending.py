"""Small endings for the tests: a few pieces on a small board, and a solution by brute force."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from flagfall.board import Board, cell_name, parse_cell
from flagfall.edition import Game, load_game, resolve
from flagfall.engine import state as S
from flagfall.engine.action import ATTACK, MOVE, Action
from flagfall.engine.play import legal_actions, play
from flagfall.engine.tables import PIECES, TWO_SQUARE_LIMIT, Tables
from flagfall.players import Budget
from flagfall.players.budget import Deadline
from flagfall.players.endgame import Endgame
from flagfall.players.levels import level_of
from flagfall.players.searcher import SearchingPlayer
from flagfall.players.worlds import WorldSampler
from flagfall.sides import Side
from flagfall.view.view import SeenEvent, View
from tests.laws.seen_game import SeenGame

SEATS: tuple[Side, Side] = (Side.SOUTH, Side.NORTH)
PLENTY = Budget(nodes=10_000_000)
Child = tuple[int, int | None, int]
"""an action, the position it leads to, or how it ends the game"""


def ending_game(
    columns: int, rows: int, south: dict[str, str], north: dict[str, str], zones: str = ""
) -> Game:
    """A game on a small board in which the armies are just these pieces (square → kind id)."""
    base = load_game("onyx/classic")
    board = Board(columns, rows, rows // 2, frozenset(parse_cell(cell) for cell in zones.split()))
    ids = [kind.id for kind in base.kinds]
    rosters = tuple(tuple(list(army.values()).count(kind) for kind in ids) for army in (south, north))
    return replace(base, id="test/ending", board=board, rosters=rosters, fills_home=False)  # type: ignore[arg-type]


class Ending:
    """An ending that is being played before both seats; squares and pieces by name."""

    def __init__(
        self,
        columns: int,
        rows: int,
        south: dict[str, str],
        north: dict[str, str],
        *,
        zones: str = "",
        **pairs: str,
    ) -> None:
        self.game = ending_game(columns, rows, south, north, zones)
        self.options = resolve(self.game, pairs)
        setups = [
            {parse_cell(cell): self.game.kind_index(kind) for cell, kind in army.items()}
            for army in (south, north)
        ]
        self.seen_game = SeenGame(self.game, self.options, *setups)
        self.stories: dict[Side, list[SeenEvent]] = {
            seat: list(self.seen_game.greeting[seat]) for seat in SEATS
        }
        self.solvers = [Endgame(self.game, WorldSampler(self.game, self.options)) for _ in SEATS]

    @property
    def tables(self) -> Tables:
        """The game as the engine knows it."""
        return self.seen_game.tables

    @property
    def state(self) -> S.State:
        """The truth."""
        return self.seen_game.state

    @property
    def seat(self) -> Side:
        """Who is to move."""
        return SEATS[self.state.side]

    def view(self) -> View:
        """What the seat to move sees."""
        return self.seen_game.observers.view(self.state, self.seat, forgets=False)

    def play(self, *turns: str) -> Ending:
        """Play turns like ``a1-a2``."""
        for turn in turns:
            origin, target = (parse_cell(cell) for cell in turn.split("-"))
            verb = MOVE if self.state.buffer[S.BOARD + target] == S.EMPTY else ATTACK
            self.act(Action(verb, origin, target).pack())
        return self

    def act(self, act: int) -> None:
        """Play an action."""
        assert act in self.seen_game.legal()
        seen = self.seen_game.play(act)
        for seat in SEATS:
            self.stories[seat] += seen[seat]

    def player(self, seed: int = 1, nodes: int = 3000, level: str = "marshal") -> SearchingPlayer:
        """A player for the seat to move."""
        return SearchingPlayer(self.game, self.options, Random(seed), Budget(nodes=nodes), level_of(level))

    def choose(self, player: SearchingPlayer) -> Action:
        """What a player does now."""
        return player.choose(self.view(), self.stories[self.seat])

    def solution(self) -> dict[str, int] | None:
        """How every action of the seat to move ends: ``a1-a2`` → turns to the win, or to the loss."""
        view, solver = self.view(), self.solvers[self.state.side]
        solver._sampler.update(view, self.stories[self.seat])
        solution = solver.solution(view, self.stories[self.seat], Deadline(PLENTY))
        if solution is None:
            return None
        return {act_name(act): value for act, value in zip(view.legal, solution.values, strict=True)}


def act_name(act: Action) -> str:
    """An action like ``a1-a2``."""
    return f"{cell_name(act.origin)}-{cell_name(act.target)}"


def brute_force(tables: Tables, state: S.State) -> dict[str, int]:
    """How every action ends, from whole rows and the engine's front door; nothing of the solver's is used."""
    first = state.copy()
    first.row[S.NO_PROGRESS] = 0
    rows = [first]
    known = {first.row.tobytes(): 0}
    after: list[list[Child]] = []
    while len(after) < len(rows):
        parent, children = rows[len(after)], []
        for act in legal_actions(tables, parent):
            child = parent.copy()
            play(tables, child, act)
            child.row[S.NO_PROGRESS] = 0
            place = None
            if not child.is_over:
                _forget(tables, child)
                place = known.setdefault(child.row.tobytes(), len(rows))
                rows += [child] * (place == len(rows))
            children.append((act, place, _end(child, parent.side)))
        after.append(children)
    values = _in_rounds(after)
    return {
        act_name(Action.unpack(act)): end if place is None else _one_more(values[place])
        for act, place, end in after[0]
    }


def _end(state: S.State, side: int) -> int:
    """1 if that side has won, -1 if it has lost, else 0."""
    result = int(state.buffer[S.RESULT])
    return 0 if result in (S.ONGOING, S.DRAW) else 1 if result == S.SOUTH_WINS + side else -1


def _forget(tables: Tables, state: S.State) -> None:
    """Leave out what changes no ending: what was shown, and counts beyond the two-square limit."""
    limit = tables.buffer[TWO_SQUARE_LIMIT]
    state.row[S.PIECE_INFO : S.PIECE_INFO + PIECES] &= ~np.int16(S.TOLD_ALL | S.MOVED)
    counts = state.row[S.LAST_COUNT : S.LAST_COUNT + 2]
    np.minimum(counts, limit, out=counts)
    if limit == 0:
        state.row[S.LAST_PIECE : S.LAST_COUNT] = 0


def _one_more(value: int) -> int:
    """An end for the other side, one turn later."""
    return 1 - value if value < 0 else -1 - value if value > 0 else 0


def _in_rounds(after: list[list[Child]]) -> list[int]:
    """Win or loss of every position, found round by round: in one turn, in two, and so on."""
    values = [0] * len(after)
    turns = 0
    while turns == 0 or any(abs(value) >= turns for value in values):
        turns += 1
        before = list(values)
        for i, children in enumerate(after):
            if before[i] == 0:
                ends = [end if place is None else _one_more(before[place]) for _, place, end in children]
                wins = [end for end in ends if end > 0]
                if wins:
                    values[i] = min(wins)
                elif 0 not in ends:
                    values[i] = min(ends)
    return values
