"""Games for fitting piece values: the true material of quiet positions.

Half of the games are between two searching players, the others against simple opponents, so that positions
vary. Game number ``i`` of a plan is always the same game, so a stopped run resumes from its log. The true
material is for fitting; no player sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flagfall.arena.executor import Executor
from flagfall.arena.plan import FILE_NAMES
from flagfall.arena.simulate import make_players, own_setups, prepared
from flagfall.engine.action import Action
from flagfall.engine.state import (
    KIND_MASK,
    NO_PROGRESS,
    OWNER_SHIFT,
    PENDING,
    PHASE,
    PIECE_CELL,
    PIECE_INFO,
    TOLD_NORTH,
    TOLD_SOUTH,
    State,
)
from flagfall.engine.tables import PIECES
from flagfall.match.play import GameRunner, Moment, play_game
from flagfall.players import Budget, Player
from flagfall.players.searcher import SearchingPlayer

QUIET = 2
"""turns without a capture after which a position is quiet"""


class Position(Struct, frozen=True, array_like=True):
    """One quiet position: pieces by kind, South's and North's, and those not yet revealed."""

    turn: int
    mover: int
    regime: int
    left: tuple[list[int], list[int]]
    hidden: tuple[list[int], list[int]]
    estimate: float | None = None
    """the mover's own win estimate; only of searching players"""


class GamesPlan(Struct, frozen=True, kw_only=True, rename=FILE_NAMES):
    """Everything that determines the games, except which and how many."""

    player: str
    opponents: tuple[str, ...]
    nodes: int
    seed: int
    every: int
    """minimum number of turns between two positions"""
    max_turns: int
    options: dict[str, str]


class Task(Struct, frozen=True):
    """One game to play."""

    game: str
    index: int

    def players(self, plan: GamesPlan) -> tuple[str, str]:
        """Return both players: every other game is against an opponent, on alternating sides."""
        if self.index % 2 == 0 or not plan.opponents:
            return plan.player, plan.player
        turn, number = divmod(self.index // 2, len(plan.opponents))
        other = plan.opponents[number]
        return (plan.player, other) if turn % 2 == 0 else (other, plan.player)


class Sampled(Struct, frozen=True, kw_only=True):
    """One played game: one line of the log."""

    plan: GamesPlan
    task: Task
    winner: Literal["south", "north", ""]
    reason: str
    turns: int
    positions: list[Position]


def tasks(games: Sequence[str], each: int) -> list[Task]:
    """Return all games of a run, alternating between game ids."""
    return [Task(game, index) for index in range(each) for game in games]


def gather(plan: GamesPlan, wanted: Sequence[Task], executor: Executor) -> Iterator[Sampled]:
    """Play these games; yield each when it is over."""
    for line in executor.results(_Work(plan), wanted):
        yield msgspec.json.decode(line, type=Sampled)


class _Work:
    def __init__(self, plan: GamesPlan) -> None:
        self.plan = msgspec.json.encode(plan)

    def __call__(self, task: Task) -> bytes:
        return msgspec.json.encode(sampled(msgspec.json.decode(self.plan, type=GamesPlan), task))


def sampled(plan: GamesPlan, task: Task) -> Sampled:
    """Play one game of the plan and return its positions."""
    game, options, _ = prepared(task.game, tuple(sorted(plan.options.items())))
    seed = f"{plan.seed}/{task.game}/{task.index}"
    players = make_players(task.players(plan), game, options, seed, Budget(nodes=plan.nodes))
    running = GameRunner(game, options, own_setups(players))
    positions: list[Position] = []
    due = Random(f"{seed}/when").randrange(plan.every)

    def observe(moment: Moment, action: Action) -> None:
        nonlocal due
        if running.turns >= due and is_quiet(running.state):
            positions.append(position_of(running, len(game.kinds), estimate_of(players[moment.side])))
            due = running.turns + plan.every

    result = play_game(running, players, observers=[observe], max_turns=plan.max_turns)
    return Sampled(
        plan=plan,
        task=task,
        winner=result.winner if result else "",
        reason=result.reason if result else "turn limit",
        turns=running.turns,
        positions=positions,
    )


def is_quiet(state: State) -> bool:
    """Return whether a turn is new and nothing was captured recently."""
    return not state.buffer[PENDING] and state.buffer[NO_PROGRESS] >= QUIET


def estimate_of(player: Player) -> float | None:
    """Return a searching player's own win estimate after its search."""
    if not isinstance(player, SearchingPlayer) or player.result is None:
        return None
    found = player.result.root_result
    return round(float(found.chances()[found.active[0]]), 4)


def position_of(game: GameRunner, kinds: int, estimate: float | None) -> Position:
    """Return the true material of a position."""
    s = game.state.row
    left, hidden = counted(s, kinds)
    return Position(
        turn=game.turns,
        mover=int(game.mover),
        regime=int(s[PHASE]),
        left=(left[0].tolist(), left[1].tolist()),
        hidden=(hidden[0].tolist(), hidden[1].tolist()),
        estimate=estimate,
    )


def counted(s: NDArray[np.int16], kinds: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the pieces on the board by side and kind: all, and those not yet revealed."""
    left, hidden = np.zeros((2, kinds), dtype=np.int64), np.zeros((2, kinds), dtype=np.int64)
    for piece in range(PIECES):
        if s[PIECE_CELL + piece] == 0:
            continue
        info = int(s[PIECE_INFO + piece])
        side, kind = info >> OWNER_SHIFT & 1, info & KIND_MASK
        left[side, kind] += 1
        hidden[side, kind] += not info & (TOLD_SOUTH if side else TOLD_NORTH)
    return left, hidden
