"""Games from which a network learns to correct the evaluation (`flagfall train value`).

Every decision of the player gives two positions, before its action and after it: the true row with what each
side has been told, the hand-made evaluation of it, and the player's own win chance. The truth is for fitting;
no player sees it. Game number ``i`` of a plan is always the same game, so a stopped run resumes.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Sequence
from random import Random

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flagfall.arena.contestants import read_contestant, seated
from flagfall.arena.executor import Executor
from flagfall.arena.simulate import own_setups, prepared
from flagfall.engine import state as S
from flagfall.engine.action import Action
from flagfall.engine.kernel import buffer
from flagfall.engine.tables import PIECES
from flagfall.match.play import GameRunner, Moment
from flagfall.players import Budget
from flagfall.players.search import buffers as B
from flagfall.players.search.make_move import evaluate_row
from flagfall.players.searcher import SearchingPlayer
from flagfall.sides import BySide, Side

FACTS = ("viewer", "is_after", "step", "static", "scale", "chance")
"""numbers before the row of a position: whose seat, before or after its action, which of its decisions, the
hand-made evaluation, the lead at which the win chance is about 0.7, the chance that the player saw"""
CHANCE = 10_000
"""unit of chances"""
WIDTH = len(FACTS) + 2 * PIECES
Positions = NDArray[np.int16]


class ValuePlan(Struct, frozen=True, kw_only=True):
    """Everything that determines the games, except how many."""

    game: str
    options: dict[str, str]
    player: str
    net: str
    """digest of the network that the player has, empty for none"""
    rival: str = ""
    """the same player with the network that was thrown away last; its games show what it got wrong"""
    opponents: tuple[str, ...]
    nodes: int
    seed: int
    max_turns: int

    def players(self, index: int) -> tuple[str, str]:
        """Return both players: itself, an opponent, its rival, an opponent …, on alternating sides."""
        others: tuple[str, ...]
        if index % 2 == 0:
            others = (self.rival if self.rival and index % 4 else self.player,)
        else:
            others = self.opponents or (self.rival or self.player,)
        turn, number = divmod(index // (4 if index % 2 == 0 else 2), len(others))
        return (self.player, others[number]) if turn % 2 == 0 else (others[number], self.player)

    def is_watched(self, name: str) -> bool:
        """Return whether positions are noted of a player."""
        return name in (self.player, self.rival)


class ValueGame(Struct, frozen=True, kw_only=True):
    """One game: one line of the file."""

    plan: ValuePlan
    index: int
    points: float
    """South's: 1, ½ or 0"""
    turns: int
    packed: str

    def positions(self) -> Positions:
        """Return the positions, a row of `FACTS`, cells and infos each."""
        data = zlib.decompress(base64.b85decode(self.packed))
        return np.frombuffer(data, dtype="<i2").reshape(-1, WIDTH)


def gather(plan: ValuePlan, wanted: Sequence[int], executor: Executor) -> Iterator[ValueGame]:
    """Play these games; yield each when it is over."""
    for line in executor.results(_Work(plan), wanted):
        yield msgspec.json.decode(line, type=ValueGame)


class _Work:
    def __init__(self, plan: ValuePlan) -> None:
        self.plan = msgspec.json.encode(plan)

    def __call__(self, index: int) -> bytes:
        return msgspec.json.encode(play_one(msgspec.json.decode(self.plan, type=ValuePlan), index))


def play_one(plan: ValuePlan, index: int) -> ValueGame:
    """Play one game of the plan and note its positions."""
    game, options, _ = prepared(plan.game, tuple(sorted(plan.options.items())))
    names, budget = plan.players(index), Budget(nodes=plan.nodes)
    players = BySide.of(
        lambda side: seated(
            read_contestant(names[int(side)]),
            game,
            options,
            Random(f"{plan.seed}/{index}/{int(side)}"),
            budget,
        )
    )
    running = GameRunner(game, options, own_setups(players))
    notes = _Notes(running)
    watched = [side for side in Side if plan.is_watched(names[int(side)])]

    def observe(moment: Moment, action: Action) -> None:
        player = players[moment.side]
        if moment.side in watched and isinstance(player, SearchingPlayer):
            notes.before(player, moment.side)

    for _moment in running.moments(players, observers=[observe], max_turns=plan.max_turns):
        notes.after()
    points = 0.5
    if running.result is not None and running.result.winner:
        points = float(running.result.winner == "south")
    packed = base64.b85encode(zlib.compress(notes.array().astype("<i2").tobytes(), 9)).decode()
    return ValueGame(plan=plan, index=index, points=points, turns=running.turns, packed=packed)


class _Notes:
    """The positions of a game so far."""

    def __init__(self, running: GameRunner) -> None:
        self._running, self._rows = running, list[Positions]()
        self._steps = [0, 0]
        self._last: tuple[SearchingPlayer, Side, float] | None = None

    def array(self) -> Positions:
        return np.stack(self._rows) if self._rows else np.zeros((0, WIDTH), dtype=np.int16)

    def before(self, player: SearchingPlayer, side: Side) -> None:
        """Note the position in which a player has just chosen."""
        self._last = None
        if player.result is None:
            return
        found = player.result.root_result
        chance = float(found.chances()[found.active[0]])
        self._note(player, side, chance, is_after=False)
        self._last = player, side, chance

    def after(self) -> None:
        """Note the position after that action, unless its turn goes on."""
        if self._last is None or self._running.state.is_over:
            return
        player, side, chance = self._last
        self._last = None
        if self._running.mover != side:
            self._note(player, side, chance, is_after=True)
            self._steps[int(side)] += 1

    def _note(self, player: SearchingPlayer, side: Side, chance: float, *, is_after: bool) -> None:
        state = self._running.state
        if state.is_turn_open or player.result is None:
            return
        static = hand_made(player, state, int(side))
        scale = min(round(player.result.root_result.scale), 32767)
        facts = (int(side), int(is_after), self._steps[int(side)], static, scale, round(CHANCE * chance))
        row = np.empty(WIDTH, dtype=np.int16)
        row[: len(FACTS)] = facts
        row[len(FACTS) :] = state.row[S.PIECE_CELL : S.PIECE_CELL + 2 * PIECES]
        self._rows.append(row)


def hand_made(player: SearchingPlayer, state: S.State, viewer: int) -> int:
    """Return the evaluation of a row by the values of the player's last action, without a network."""
    buffers = player.buffers
    width, buffers.values[B.NET_WIDTH] = int(buffers.values[B.NET_WIDTH]), 0
    buffers.memory[B.VIEWER] = viewer
    tables, row = player.sampler.tables, buffer(state.row)
    value = int(evaluate_row(tables.buffer, buffers.w, buffers.m, row))
    buffers.values[B.NET_WIDTH] = width
    return value
