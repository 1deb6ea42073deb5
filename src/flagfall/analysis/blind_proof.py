"""Exact answers from one side's knowledge: turns that win the Flag whatever army the other side has.

::

    what a side has seen ─► every enemy army that fits ─► one game for each
                                                              │ the same turn in all of them,
                                                              ▼ then every reply of each
                              games that look alike stay together: the side cannot tell them apart

The solver's turns are of one action.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from flagfall.analysis.proof import Prover
from flagfall.analysis.redeal import looks_the_same
from flagfall.engine import state as S
from flagfall.engine.action import Action
from flagfall.engine.play import legal_actions
from flagfall.engine.tables import PIECES
from flagfall.match.play import GameRunner
from flagfall.players.belief.hidden import HistoryReader, UnknownPiece, hidden_army
from flagfall.setups import Setup, SetupError
from flagfall.sides import Side

MAX_ARMIES = 100
"""more armies that may fit are not looked at"""
SEER_NODES = 8_000
"""for the proof of a win in one game, which must be there in all"""
MAX_REPLY_ACTIONS = 4
Games = Sequence[GameRunner]
"""games that look alike to the side to move, the true one first if it is among them"""


@dataclass
class Group:
    """Games that look alike after a turn and a reply."""

    games: list[GameRunner]
    reply: tuple[Action, ...] | None = None
    """the reply in the true game; None if it is not among them"""


class TooManyArmiesError(Exception):
    """More armies may fit than are looked at."""


class NotProvedError(Exception):
    """The proof was stopped: too many positions, or a turn with several actions that it does not follow."""


def fitting_games(running: GameRunner, side: Side, max_armies: int = MAX_ARMIES) -> list[GameRunner]:
    """Return the game with every army of the enemy that fits all that a side has seen, the true one first."""
    enemy, found = side.other, [running]
    turns = [turn.actions for turn in running.referee.turns]
    for army in possible_armies(running, side, max_armies):
        if army == dict(running.setups[enemy].kinds):
            continue
        try:
            setups = running.setups.replaced(enemy, Setup(running.game, enemy, army))
        except SetupError:
            continue
        other = GameRunner(running.game, running.options, setups)
        if looks_the_same(other, turns, side, running.history(side)):
            found.append(other)
    return found


def possible_armies(running: GameRunner, side: Side, max_armies: int = MAX_ARMIES) -> list[dict[int, int]]:
    """Return the armies (cell → kind) with which no piece did what its kind cannot do."""
    reader = HistoryReader(running.game, running.options, side)
    knowledge = reader.update(running.view(side), running.history(side))
    hidden = hidden_army(knowledge.armies[int(side.other)])
    if hidden.rescued:
        raise TooManyArmiesError
    cells = [row.start_cell for row in hidden.rows]
    found: list[dict[int, int]] = []
    for kinds in _assignments(hidden.rows, [int(count) for count in hidden.counts]):
        if len(found) == max_armies:
            raise TooManyArmiesError
        found.append(dict(hidden.shown) | dict(zip(cells, kinds, strict=True)))
    return found


def _assignments(rows: Sequence[UnknownPiece], counts: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield every way to give the kinds that are left to the hidden pieces."""
    if not rows:
        yield ()
        return
    first, *rest = rows
    for kind, count in enumerate(counts):
        if count and first.kinds >> kind & 1:
            counts[kind] -= 1
            for others in _assignments(rest, counts):
                yield (kind, *others)
            counts[kind] += 1


class BlindProver:
    """Searches turns that are right in all games that look alike, within a number of positions."""

    def __init__(self, side: Side, max_nodes: int = 8_000) -> None:
        self.side, self.max_nodes, self.nodes = side, max_nodes, 0

    def winning_turns(self, games: Games, depth: int) -> list[Action]:
        """Return the turns that force the capture of the Flag within ``depth`` turns in all games.

        `NotProvedError` if a turn of several actions may do it as well.
        """
        self._refuse_long_turns(games[0], depth)
        shared = self._shared(games)
        won = [action for action in shared if self._captures(games, action)]
        if won or depth == 1:
            return won
        return [action for action in self._hopeful(games, depth) if self._forces(games, action, depth)]

    def followed(self, games: Games, action: Action) -> list[Group] | None:
        """Return the games after a turn and every reply, those that look alike together.

        None if a game ends in another way than by the solver's capture of the Flag.
        """
        groups: dict[bytes, Group] = {}
        for at, game in enumerate(games):
            known, after = len(game.history(self.side)), self._played(game, action)
            if self._has_won(after):
                continue
            if after.is_over or not after.referee.is_fresh:
                return None
            for reply, answered in self._replies(after, ()):
                if answered.is_over:
                    return None
                seen = msgspec.json.encode(answered.history(self.side)[known:])
                group = groups.setdefault(seen, Group([]))
                group.games.append(answered)
                if at == 0 and group.reply is None:
                    group.reply = reply
        return list(groups.values())

    def _forces(self, games: Games, action: Action, depth: int) -> bool:
        groups = self.followed(games, action)
        return groups is not None and all(self._wins(group.games, depth - 1) for group in groups)

    def _wins(self, games: Games, depth: int) -> bool:
        shared = self._shared(games)
        if any(self._captures(games, action) for action in shared):
            return True
        return depth > 1 and any(self._forces(games, action, depth) for action in self._hopeful(games, depth))

    def _refuse_long_turns(self, game: GameRunner, depth: int) -> None:
        prover = Prover(game.referee, int(self.side), SEER_NODES)
        for turn in prover.turns(game.state):
            if len(turn.actions) > 1 and (
                prover.has_won(turn.after) or (depth > 1 and prover.forces(turn, depth - 1))
            ):
                raise NotProvedError

    def _hopeful(self, games: Games, depth: int) -> list[Action]:
        """Return the actions that win in each game if its army is known; others need not be followed."""
        left = self._shared(games)
        for game in games:
            prover = Prover(game.referee, int(self.side), SEER_NODES)
            wins = {
                turn.actions
                for turn in prover.turns(game.state)
                if Action.unpack(turn.actions[0]) in left
                and (prover.has_won(turn.after) or prover.forces(turn, depth - 1))
            }
            left = [action for action in left if (action.pack(),) in wins]
        return left

    def _captures(self, games: Games, action: Action) -> bool:
        return all(action.target in self._flags(game) for game in games) and all(
            self._has_won(self._played(game, action)) for game in games
        )

    def _flags(self, game: GameRunner) -> set[int]:
        """Return where the enemy's Flags stand."""
        kinds, s = game.game.kinds, game.state.buffer
        return {
            int(s[S.PIECE_CELL + piece])
            for piece in range(1, PIECES)
            if s[S.PIECE_CELL + piece]
            and S.owner_of(s, piece) != int(self.side)
            and kinds[S.kind_of(s, piece)].role == "flag"
        }

    def _shared(self, games: Games) -> list[Action]:
        """Return the actions that are legal in all games."""
        first, *others = ({action.pack() for action in _legal(game)} for game in games)
        return [Action.unpack(act) for act in sorted(first.intersection(*others))]

    def _replies(
        self, game: GameRunner, begun: tuple[Action, ...]
    ) -> Iterator[tuple[tuple[Action, ...], GameRunner]]:
        """Yield every turn of the side to move, and the game after it."""
        for action in _legal(game):
            after, turn = self._played(game, action), (*begun, action)
            if after.is_over or after.referee.is_fresh:
                yield turn, after
            elif len(turn) < MAX_REPLY_ACTIONS:
                yield from self._replies(after, turn)
            else:
                raise NotProvedError

    def _played(self, game: GameRunner, action: Action) -> GameRunner:
        self.nodes += 1
        if self.nodes > self.max_nodes:
            raise NotProvedError
        after = game.copy()
        after.play(action)
        return after

    def _has_won(self, game: GameRunner) -> bool:
        s = game.state.buffer
        return bool(s[S.RESULT] == int(self.side) + 1 and s[S.REASON] == S.FLAG_CAPTURED)


def _legal(game: GameRunner) -> list[Action]:
    return [Action.unpack(act) for act in legal_actions(game.referee.tables, game.state)]
