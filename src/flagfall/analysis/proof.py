"""Exact answers with all kinds known: forced captures of the Flag, and the turn that wins the most pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flagfall.edition import Game
from flagfall.engine import state as S
from flagfall.engine.action import ATTACK, MOVE, Action
from flagfall.engine.play import legal_actions, play
from flagfall.engine.state import State
from flagfall.engine.tables import PIECES
from flagfall.match.referee import Referee
from flagfall.notation.actions import write_turn

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
        self._refutations: dict[int, int] = {}
        """by depth: the opponent's action that last prevented a win"""
        self._threats: dict[int, int] = {}
        """by depth: the solver's action that last forced one"""

    # ------------------------------------------------------------------ turns

    def turns(self, state: State) -> list[WholeTurn]:
        """Return every turn of the side to move."""
        return list(self._turns(state))

    def _turns(self, state: State, first: int = 0) -> Iterator[WholeTurn]:
        """Yield every turn of the side to move; those that begin with the action ``first`` come first."""
        mover = state.side
        stack: list[tuple[tuple[int, ...], bool, State]] = [((), False, state)]
        while stack:
            acts, is_attack, at = stack.pop()
            for act in sorted(legal_actions(self.tables, at), key=lambda act: act != first):
                after = self._after(at, act)
                strikes = is_attack if acts else S.is_enemy(at.buffer, mover, act & 255)
                turn = (*acts, act), strikes, after
                if after.is_over or not after.is_turn_open or after.side != mover:
                    yield WholeTurn(*turn)
                elif len(turn[0]) < MAX_TURN_ACTIONS:
                    stack.append(turn)

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
        return list(self._captures(state))

    def _captures(self, state: State) -> Iterator[WholeTurn]:
        return (turn for turn in self._striking(state) if self.has_won(turn.after))

    def _striking(self, state: State) -> Iterator[WholeTurn]:
        """Yield the turns that do not begin with a plain move."""
        flags = self._flag_cells(state)
        for act in legal_actions(self.tables, state):
            if act >> 24 == MOVE or (
                act >> 24 == ATTACK and not self.game.has_powers and act & 255 not in flags
            ):
                continue
            after, is_attack = self._after(state, act), S.is_enemy(state.buffer, self.side, act & 255)
            if after.is_over or not after.is_turn_open:
                yield WholeTurn((act,), is_attack, after)
            else:
                for rest in self._turns(after):
                    yield WholeTurn((act, *rest.actions), is_attack, rest.after)

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
        return [turn for turn in self._turns(state) if self.forces(turn, depth - 1)]

    def forces(self, turn: WholeTurn, depth: int) -> bool:
        """Return whether the solver wins within ``depth`` turns after this one against every reply."""
        if turn.after.is_over:
            return False
        for reply in self._turns(turn.after, self._refutations.get(depth, 0)):
            is_won = self.has_won(reply.after) or (not reply.after.is_over and self.wins(reply.after, depth))
            if not is_won:
                self._refutations[depth] = reply.actions[0]
                return False
        return True

    def wins(self, state: State, depth: int) -> bool:
        """Return whether the solver, to move, can force the capture of the Flag within ``depth`` turns."""
        if any(self._captures(state)):
            return True
        if depth == 1:
            return False
        for turn in self._turns(state, self._threats.get(depth, 0)):
            if self.forces(turn, depth - 1):
                self._threats[depth] = turn.actions[0]
                return True
        return False

    def most_stubborn(self, state: State, depth: int) -> WholeTurn | None:
        """Return the reply after which a win within ``depth`` turns is hardest; None if all end the game."""
        replies = [reply for reply in self.turns(state) if not reply.after.is_over]
        return max(replies, key=lambda reply: self._stubbornness(reply, depth), default=None)

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
