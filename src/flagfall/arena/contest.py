"""Play the games of a plan, in this process or in several; each game is told as soon as it is over."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import lru_cache
from multiprocessing.util import Finalize
from random import Random
from time import perf_counter_ns
from types import FrameType
from typing import Literal

import msgspec

from flagfall.arena.cheater import Cheater
from flagfall.arena.contestants import Contestant, Seat, seated
from flagfall.arena.plan import TURN_LIMIT, Plan, Played, Round, Spent
from flagfall.arena.processes import crew
from flagfall.arena.simulate import prepared
from flagfall.arena.sitting import Sitting
from flagfall.arena.warmup import warm_up_player
from flagfall.edition import Game, Options
from flagfall.engine.mode import is_compiled
from flagfall.engine.tables import Tables
from flagfall.notation import to_json, write_action
from flagfall.players.warm import warm_up
from flagfall.protocol.external_player import EngineSeat
from flagfall.protocol.forfeit import Forfeit
from flagfall.setups import Setup, any_style
from flagfall.sides import SIDES

_FIRST = 1000
"""before everything else that is done when a worker ends"""


def play_all(plan: Plan, wanted: Iterable[Round], jobs: int) -> Iterator[Played]:
    """Play these games, each as soon as somebody is free; whoever stops asking stops the rest."""
    rounds = list(wanted)
    jobs = min(jobs, len(rounds))
    if jobs <= 1:
        for at in rounds:
            yield play_round(plan, at)
        return
    with crew(jobs, begin_worker) as pool:
        for line in pool.imap_unordered(_Worker(plan), rounds, chunksize=1):
            yield msgspec.json.decode(line, type=Played)


def begin_worker() -> None:
    """A worker that is told to stop ends the programs it has started; on its way out it is not told again."""
    signal.signal(signal.SIGTERM, _leave)
    Finalize(None, signal.signal, (signal.SIGTERM, signal.SIG_IGN), exitpriority=_FIRST)
    warm_up()


def _leave(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(0)


class _Worker:
    def __init__(self, plan: Plan) -> None:
        self.plan = msgspec.json.encode(plan)

    def __call__(self, at: Round) -> bytes:
        return msgspec.json.encode(play_round(msgspec.json.decode(self.plan, type=Plan), at))


def play_round(plan: Plan, at: Round) -> Played:
    """One game of the plan."""
    game, options, tables = prepared(plan.game, tuple(sorted(plan.options.items())))
    contestants = plan.contestants()
    pair = [contestants[at.south], contestants[at.north]]
    with ExitStack() as stack:
        desk = _Desk(plan, at, game, options, tables)
        try:
            for side, contestant in enumerate(pair):
                desk.sit(side, contestant, stack)
            desk.set_up()
            desk.play()
        except _Lost as lost:
            desk.give_up(lost)
        return desk.played()


@lru_cache(maxsize=64)
def _rehearsed(address: str, pairs: tuple[tuple[str, str], ...], name: str) -> None:
    """Once a process: nothing of a player is compiled while its time runs."""
    game, options, _ = prepared(address, pairs)
    if is_compiled():
        warm_up_player(game, options, name)


class _Lost(Exception):  # noqa: N818
    """A seat has forfeited."""

    def __init__(self, side: int, forfeit: Forfeit) -> None:
        super().__init__(str(forfeit))
        self.side, self.forfeit = side, forfeit


class _Desk:
    """One game from sitting down to the record."""

    def __init__(self, plan: Plan, at: Round, game: Game, options: Options, tables: Tables) -> None:
        self.plan, self.at = plan, at
        self.game, self.options, self.tables = game, options, tables
        self.seats: list[Seat] = []
        self.spent = (Spent(), Spent())
        self.setups = self._shared()
        self.sitting: Sitting | None = None
        self.winner: Literal["south", "north", ""] = ""
        self.reason = TURN_LIMIT
        self.trouble = ""

    def _shared(self) -> tuple[Setup, Setup]:
        """Sound setups by lot: the same in every pair of this number."""
        lot = Random(f"{self.plan.seed}/{self.at.pair}/setups")
        return any_style(self.game, 0, lot), any_style(self.game, 1, lot)

    def sit(self, side: int, contestant: Contestant, stack: ExitStack) -> None:
        """Seat a player; its randomness is the same in both games of a pair."""
        number = self.at.south if side == 0 else self.at.north
        seed = f"{self.plan.seed}/{self.at.pair}/{number}"
        budget = contestant.budget(self.plan.budget)
        if not contestant.command:
            _rehearsed(self.plan.game, tuple(sorted(self.plan.options.items())), contestant.name)
            own = self.plan.weights
            self.seats.append(seated(contestant, self.game, self.options, Random(seed), budget, own))
            return
        seat = EngineSeat(contestant.command, self.game, self.options, budget, seed, address=self.plan.game)
        stack.callback(seat.close)
        self.seats.append(seat)
        try:
            seat.start()
        except Forfeit as forfeit:
            raise _Lost(side, forfeit) from forfeit

    def set_up(self) -> None:
        """Shared setups, or each player its own."""
        if self.plan.setups == "own":
            made = [self._made(side) for side in (0, 1)]
            self.setups = (made[0], made[1])
        self.sitting = Sitting(self.game, self.options, self.tables, self.setups)
        for side, seat in enumerate(self.seats):
            if isinstance(seat, EngineSeat):
                self._tell_setup(side, seat)

    def _tell_setup(self, side: int, seat: EngineSeat) -> None:
        try:
            seat.begin(side, self.setups[side], sorted(self.setups[1 - side].kinds))
        except Forfeit as forfeit:
            raise _Lost(side, forfeit) from forfeit

    def _made(self, side: int) -> Setup:
        try:
            return self.seats[side].set_up(side)
        except Forfeit as forfeit:
            raise _Lost(side, forfeit) from forfeit
        except Exception as problem:
            raise _Lost(side, _crash(problem)) from problem

    def play(self) -> None:
        """Turn by turn."""
        sitting = self.sitting
        assert sitting is not None
        while not sitting.is_over and sitting.turns <= self.plan.most_turns:
            self._act(sitting)
        for side, seat in enumerate(self.seats):
            if isinstance(seat, EngineSeat):
                seat.end(sitting.history(side))
        if (result := sitting.result) is not None:
            self.winner, self.reason = result.winner, result.reason

    def _act(self, sitting: Sitting) -> None:
        side = sitting.mover
        seat, view, history = self.seats[side], sitting.view(side), sitting.history(side)
        if isinstance(seat, Cheater):
            seat.peep(sitting.view(1 - side))
        before = perf_counter_ns()
        try:
            act = seat.choose(view, history)
        except Forfeit as forfeit:
            raise _Lost(side, forfeit) from forfeit
        except Exception as problem:
            raise _Lost(side, _crash(problem)) from problem
        finally:
            self.spent[side].us.append((perf_counter_ns() - before) // 1000)
        if (nodes := getattr(seat, "nodes", None)) is not None:
            self.spent[side].nodes.append(int(nodes))
        if act not in view.legal:
            raise _Lost(side, Forfeit("illegal action", f"It plays {self._named(act)}, which is not legal."))
        sitting.play(act)

    def _named(self, act: object) -> str:
        try:
            return f"“{write_action(self.game, act)}”"  # type: ignore[arg-type]
        except (ValueError, TypeError):
            return "something that is no action of this board"

    def give_up(self, lost: _Lost) -> None:
        """The seat that forfeits loses."""
        self.winner, self.reason = SIDES[1 - lost.side].value, lost.forfeit.fault
        self.trouble = lost.forfeit.sentence

    def played(self) -> Played:
        """The game as it is written down."""
        names = (self.plan.players[self.at.south], self.plan.players[self.at.north])
        sitting = self.sitting or Sitting(self.game, self.options, self.tables, self.setups)
        comments: tuple[str, ...] = (f"seed {self.plan.seed}, pair {self.at.pair}, game {self.at.leg + 1}",)
        if sitting.result is None:
            why = f"{self.winner or 'nobody'} wins: {self.reason}"
            comments += (" ".join(f"{why}. {self.trouble}".split()),)
        record = sitting.record(names, comments)
        return Played(
            plan=self.plan,
            round=self.at,
            winner=self.winner,
            reason=self.reason,
            trouble=self.trouble,
            turns=sitting.turns,
            south=self.spent[0],
            north=self.spent[1],
            record=msgspec.Raw(msgspec.json.format(to_json(record).encode(), indent=-1)),
        )


def _crash(problem: Exception) -> Forfeit:
    text = " ".join(str(problem).split())[:300]
    return Forfeit("crashed", f"It stops with {type(problem).__name__}{f': {text}' if text else ''}.")
