"""The time a computer player takes tells nothing: answers are shown at moments that public facts decide."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from flagfall.edition import load_game
from flagfall.match import Match
from flagfall.notation import read_turn
from flagfall.server.api.requests import NewMatch
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.settings import Settings
from flagfall.server.store.match_store import MatchStore
from flagfall.server.store.migrate import migrate
from flagfall.server.store.rows import GuestRow
from flagfall.server.workers import Job
from flagfall.setups import random_setup, write_setup
from flagfall.sides import Side
from flagfall.view.view import View
from tests.match.games import opened, play, rescue_ready

GAME = "mini/3x4"
ANNA = GuestRow("anna", "Anna")
RESCUE = ("b1-b2", "b2xb3", "c1-c2", "c2xc3", "c3-b3 rescue", "spy")
"""what the computer does in the South until it has silently chosen which piece comes back"""
REPLIES = ("d3-d2", "d2-d3", "b3-b2", "d3-d2")


class Clock:
    """A clock that stands still but for thinking and waiting."""

    now_s = 0.0


class ScriptedWorkers:
    """Workers that take so long and play a script, then anything legal; no process is started."""

    def __init__(self, clock: Clock, thinking_ms: Iterator[float], script: Sequence[str] = ()) -> None:
        self._clock, self._thinking_ms, self._script = clock, thinking_ms, list(script)
        self.budgets_ms: list[int | None] = []

    @asynccontextmanager
    async def lease(self, player: str, ticket: object) -> AsyncIterator[ScriptedWorkers]:
        yield self

    async def action(self, job: Job) -> int:
        self._clock.now_s += next(self._thinking_ms) / 1000
        self.budgets_ms.append(job.time_ms)
        view = msgspec.json.decode(job.view, type=View)
        if self._script:
            (action,) = read_turn(load_game(job.game), self._script.pop(0))
            return action.pack()
        return view.legal[0].pack()

    async def setup(self, job: Job) -> str:
        self._clock.now_s += next(self._thinking_ms) / 1000
        return "FsX2" if job.side == 0 else write_setup(random_setup(load_game(job.game), 1, Random(1)))

    def forget(self, match: str) -> None:
        pass

    def close(self) -> None:
        pass


class TimedRegistry(MatchRegistry):
    """A server whose time is the clock's."""

    def __init__(self, watch: Clock, store: MatchStore, workers: Any) -> None:
        self._watch = watch
        super().__init__(Settings(), store, workers)

    def loop_time(self) -> float:
        return self._watch.now_s

    def now_ms(self) -> int:
        return round(self._watch.now_s * 1000)


async def moments(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    level: str,
    thinking_ms: Sequence[float],
    script: Sequence[str] = (),
    replies: Sequence[str] = ("",),
) -> tuple[list[int], list[int | None]]:
    """Play a match in which the computer thinks so long.

    Given are the times it took, from one thing that its opponent saw to the next, and its time budgets.
    """
    clock, sleep = Clock(), asyncio.sleep
    folder.mkdir()
    migrate(folder / "box.sqlite3")
    workers = ScriptedWorkers(clock, cycle(thinking_ms), script)
    registry = TimedRegistry(clock, MatchStore.open(folder / "box.sqlite3"), workers)

    async def waits(seconds: float) -> None:
        clock.now_s += seconds
        await sleep(0)

    with monkeypatch.context() as patched:
        patched.setattr(asyncio, "sleep", waits)
        try:
            await registry.store.add_guest(ANNA, "hash", 0)
            match = await _played(registry, level, script, replies, sleep)
        finally:
            await registry.close()
    return _computer_times_ms(match, Side.SOUTH if script else Side.NORTH), workers.budgets_ms


async def _played(
    registry: MatchRegistry,
    level: str,
    script: Sequence[str],
    replies: Sequence[str],
    sleep: Callable[[float], Any],
) -> Match:
    side = Side.NORTH if script else Side.SOUTH
    session = await registry.new_matches.create(
        ANNA, NewMatch(game=GAME, opponent="computer", level=level, side=side.value, options={"rescue": "on"})
    )
    match = session.require_started()

    async def until(is_done: Callable[[], bool]) -> None:
        async with asyncio.timeout(30):
            while not is_done():
                await sleep(0.001)

    await until(lambda: len(match.sealed) == 1)
    code = "F2sX" if script else write_setup(random_setup(session.game, 0, Random(0)))
    await session.execute(lambda match, now: match.seal(side, code, now))
    for reply in replies:
        await until(lambda: match.to_move == side)
        text = reply or match.view(side).legal[0]
        await session.execute(lambda match, now, text=text: match.act(side, None, text, now))  # type: ignore[misc]
    await until(lambda: match.is_over or match.to_move == side)
    await session.wait_until_stored()
    return match


def _computer_times_ms(match: Match, computer: Side) -> list[int]:
    human: Side = Side.NORTH if computer == Side.SOUTH else Side.SOUTH
    visible = {number for number, events in match.seen(human) if events}
    times_ms, before_ms = [], match.log[0].at_ms
    for entry in match.log:
        if entry.seat == computer and entry.number in visible:
            times_ms.append(entry.at_ms - before_ms)
        if entry.seat == human or entry.number in visible:
            before_ms = entry.at_ms
    return times_ms


@pytest.mark.parametrize("level", ["random", "greedy", "recruit", "captain", "marshal", "ismcts"])
def test_two_players_that_think_differently_long_answer_at_the_same_moments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    """In the setup phase and in the game, as long as both are in time."""
    told = [
        asyncio.run(moments(tmp_path / str(at), monkeypatch, level, [thinking_ms]))[0]
        for at, thinking_ms in enumerate((0.25, 7.0, 93.0))
    ]
    assert told[0] == told[1] == told[2]
    assert len(told[0]) == 2
    assert min(told[0]) >= 100


@pytest.mark.parametrize("level", ["greedy", "marshal"])
def test_two_late_answers_are_shown_at_the_same_later_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    told = [
        asyncio.run(moments(tmp_path / str(at), monkeypatch, level, [thinking_ms]))[0]
        for at, thinking_ms in enumerate((1610.0, 1690.0))
    ]
    assert told[0] == told[1]


@pytest.mark.parametrize("level", ["random", "recruit", "marshal"])
def test_the_time_of_a_turn_does_not_tell_of_silent_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    """The turn with the silent choice takes as long as every other one."""
    times_ms, budgets_ms = asyncio.run(
        moments(tmp_path / "one", monkeypatch, level, [20.0, 31.0], RESCUE, REPLIES)
    )
    assert len(budgets_ms) == len(RESCUE) + 1
    assert len(times_ms) == len(RESCUE) + 1
    assert len(set(times_ms)) == 1, times_ms
    assert budgets_ms[-1] is not None
    assert budgets_ms[-2] is not None
    assert budgets_ms[-1] < budgets_ms[-2]


def test_silent_is_what_nobody_else_sees() -> None:
    match = rescue_ready()
    (visible,) = read_turn(match.game, "c3-b3 rescue")
    assert not match.is_silent("south", visible)
    play(match, "c3-b3 rescue")
    (silent,) = read_turn(match.game, "spy")
    assert match.is_silent("south", silent)
    assert not match.is_silent("north", silent)
    number = match.number
    play(match, "spy")
    assert match.to_move == "south"
    assert match.seen("north", number) == match.seen("watcher", number) == []
    last = match.view("south").legal[0]
    assert not match.is_silent("south", last)


def test_nothing_is_silent_before_the_game() -> None:
    match = opened(load_game(GAME))
    assert not match.is_silent("south", rescue_ready().view("south").legal[0])
