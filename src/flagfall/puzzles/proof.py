"""Exact answers with all kinds known: forced captures of the Flag, and the turn that wins the most pieces."""

from __future__ import annotations

from dataclasses import dataclass

from flagfall.edition import Game
from flagfall.engine import state as S
from flagfall.engine.action import ATTACK, MOVE, Action
from flagfall.engine.play import legal_actions, play
from flagfall.engine.state import State
from flagfall.engine.tables import PIECES
from flagfall.match.referee import Referee
from flagfall.notation.actions import write_turn
from flagfall.puzzles.puzzle import Branch

MAX_TURN_ACTIONS = 12


class TooManyNodesError(Exception):
    """The search was stopped before it had an answer."""


@dataclass(frozen=True)
class WholeTurn:
    """A turn with all its actions, and the position after it."""

    actions: tuple[int, ...]
    is_attack: bool
    after: State

    def text(self, game: Game) -> str:
        """Return the turn in notation."""
        return write_turn(game, [Action.unpack(act) for act in self.actions], is_attack=self.is_attack)


class Prover:
    """Searches whole turns exhaustively, within a number of nodes."""

    def __init__(self, referee: Referee, side: int, max_nodes: int = 60_000) -> None:
        self.game, self.tables = referee.game, referee.tables
        self.side, self.max_nodes, self.nodes = side, max_nodes, 0

    # ------------------------------------------------------------------ turns

    def turns(self, state: State) -> list[WholeTurn]:
        """Return every turn of the side to move."""
        found: list[WholeTurn] = []
        mover = state.side
        stack: list[tuple[tuple[int, ...], bool, State]] = [((), False, state)]
        while stack:
            acts, is_attack, at = stack.pop()
            for act in legal_actions(self.tables, at):
                after = self._after(at, act)
                strikes = is_attack if acts else S.is_enemy(at.buffer, mover, act & 255)
                turn = (*acts, act), strikes, after
                if after.is_over or not after.is_turn_open or after.side != mover:
                    found.append(WholeTurn(*turn))
                elif len(turn[0]) < MAX_TURN_ACTIONS:
                    stack.append(turn)
        return found

    def _after(self, state: State, act: int) -> State:
        self.nodes += 1
        if self.nodes > self.max_nodes:
            raise TooManyNodesError
        after = state.copy()
        play(self.tables, after, act)
        return after

    # ------------------------------------------------------------------ the Flag

    def has_won(self, state: State) -> bool:
        """Return whether the solver has captured the Flag."""
        s = state.buffer
        return s[S.RESULT] == self.side + 1 and s[S.REASON] == S.FLAG_CAPTURED

    def captures(self, state: State) -> list[WholeTurn]:
        """Return the turns that capture the Flag at once; a plain move never does."""
        return [turn for turn in self._striking(state) if self.has_won(turn.after)]

    def _striking(self, state: State) -> list[WholeTurn]:
        """Return the turns that do not begin with a plain move."""
        flags = self._flag_cells(state)
        found = []
        for act in legal_actions(self.tables, state):
            if act >> 24 == MOVE or (
                act >> 24 == ATTACK and not self.game.has_powers and act & 255 not in flags
            ):
                continue
            after, is_attack = self._after(state, act), S.is_enemy(state.buffer, self.side, act & 255)
            if after.is_over or not after.is_turn_open:
                found.append(WholeTurn((act,), is_attack, after))
            else:
                found += [
                    WholeTurn((act, *rest.actions), is_attack, rest.after) for rest in self.turns(after)
                ]
        return found

    def _flag_cells(self, state: State) -> set[int]:
        """Return where the Flags of the solver's opponent stand."""
        flags = {index for index, kind in enumerate(self.game.kinds) if kind.role == "flag"}
        s, cells = state.buffer, set()
        for piece in range(1, PIECES):
            if s[S.PIECE_CELL + piece] and S.owner_of(s, piece) != self.side and S.kind_of(s, piece) in flags:
                cells.add(int(s[S.PIECE_CELL + piece]))
        return cells

    def winning_turns(self, state: State, depth: int) -> list[WholeTurn]:
        """Return the solver's turns that force the capture of the Flag within ``depth`` of its turns."""
        won = self.captures(state)
        if depth == 1 or won:
            return won
        return [
            turn
            for turn in self.turns(state)
            if not turn.after.is_over and self._is_forced(turn.after, depth - 1)
        ]

    def _is_forced(self, state: State, depth: int) -> bool:
        """Return whether the solver wins within ``depth`` turns after every turn of the opponent."""
        return all(
            self.has_won(reply.after) or (not reply.after.is_over and self._wins(reply.after, depth))
            for reply in self.turns(state)
        )

    def _wins(self, state: State, depth: int) -> bool:
        if self.captures(state):
            return True
        if depth == 1:
            return False
        return any(
            not turn.after.is_over and self._is_forced(turn.after, depth - 1) for turn in self.turns(state)
        )

    def tree(self, state: State, depth: int) -> dict[str, Branch]:
        """Return every right turn with the most stubborn reply to it, down to the capture."""
        found = {}
        for turn in self.winning_turns(state, depth):
            text = turn.text(self.game)
            if turn.after.is_over:
                found[text] = Branch()
                continue
            replies = [reply for reply in self.turns(turn.after) if not reply.after.is_over]
            if replies:
                stubborn = max(replies, key=lambda reply: self._stubbornness(reply, depth - 1))
                found[text] = Branch(stubborn.text(self.game), self.tree(stubborn.after, depth - 1))
        return found

    def _stubbornness(self, reply: WholeTurn, depth: int) -> tuple[int, int, int]:
        """Return how hard a reply makes it: turns until the capture, then how few turns are right."""
        for needed in range(1, depth + 1):
            if right := self.winning_turns(reply.after, needed):
                return needed, -len(right), int(reply.is_attack)
        return depth + 1, 0, 0

    # ------------------------------------------------------------------ pieces

    def gains(self, state: State) -> list[tuple[int, WholeTurn]]:
        """Return every turn with the enemy pieces it removes or converts, less what it loses."""
        before = _balance(state, self.side)
        return [(_balance(turn.after, self.side) - before, turn) for turn in self.turns(state)]


def _balance(state: State, side: int) -> int:
    """Return the number of own pieces less that of the enemy's."""
    s, balance = state.buffer, 0
    for piece in range(1, PIECES):
        if s[S.PIECE_CELL + piece]:
            balance += 1 if S.owner_of(s, piece) == side else -1
    return balance
