"""Where computer players think: other processes, which are given a View and never a State.

A job is bytes and words: the View and all its seat has seen as JSON, the id of the game, its options, the
player's name, its budget and a seed.
The answer is one packed action, or the code of a setup.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from flagfall.edition import Game, Options
    from flagfall.players import Player

Answer = TypeVar("Answer")
TRIES = 3


class Job(Struct, frozen=True):
    """What a worker is told."""

    game: str
    options: dict[str, str]
    player: str
    seed: str
    view: bytes = b""
    """empty: a setup is wanted"""
    side: int = 0
    story: bytes = b"[]"
    """all that the seat has seen on the board, oldest first"""
    time_ms: int | None = 1000
    nodes: int | None = None


class ThinkingError(Exception):
    """No worker could answer."""


def think(job: Job) -> int:
    """In a worker: the action that the player chooses, packed."""
    from flagfall.view.view import SeenEvent, View

    game, options = _game(job)
    view = msgspec.json.decode(job.view, type=View)
    story = msgspec.json.decode(job.story, type=list[SeenEvent])
    return _player(job, game, options).choose(view, story).pack()


def set_up(job: Job) -> str:
    """In a worker: the setup that the player makes, as a code."""
    from flagfall.setups import write_setup

    game, options = _game(job)
    return write_setup(_player(job, game, options).set_up(job.side))


def _player(job: Job, game: Game, options: Options) -> Player:
    from flagfall.players import Budget, make_player

    return make_player(job.player, game, options, Random(job.seed), Budget(job.time_ms, job.nodes))


def _game(job: Job) -> tuple[Game, Options]:
    from flagfall.edition import load_game, resolve

    game = load_game(job.game, allow_files=False)
    return game, resolve(game, job.options)


def _begin(is_searching: bool) -> None:
    """A worker leaves stopping to the server, and ends when the server is gone, however it went.

    One for players that search runs compiled, and has everything ready before its first job.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    if is_searching:
        from flagfall.engine import mode

        mode.choose("compiled")
        from flagfall.players.warm import warm_up

        warm_up()


def _follow(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(0)


class Workers:
    """Pools of thinking processes, for players that search and for others; a broken one is replaced."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pools: dict[bool, ProcessPoolExecutor] = {}

    async def action(self, job: Job) -> int:
        """What the player of that job does."""
        return await self._ask(think, job)

    async def setup(self, job: Job) -> str:
        """How the player of that job sets up."""
        return await self._ask(set_up, job)

    async def prepare(self) -> None:
        """Have one worker for players that search ready; the first time on a machine this takes a minute."""
        with suppress(BrokenExecutor):
            await asyncio.get_running_loop().run_in_executor(self._ready(is_searching=True), os.getpid)

    async def _ask(self, work: Callable[[Job], Answer], job: Job) -> Answer:
        from flagfall.players import SEARCHING

        is_searching = job.player in SEARCHING
        for _ in range(TRIES):
            pool = self._ready(is_searching)
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, work, job)
            except BrokenExecutor:
                if pool is self._pools.get(is_searching):
                    del self._pools[is_searching]
        raise ThinkingError("The computer player could not be started")

    def _ready(self, is_searching: bool) -> ProcessPoolExecutor:
        if is_searching not in self._pools:
            spawn = multiprocessing.get_context("spawn")
            self._pools[is_searching] = ProcessPoolExecutor(
                self._count, mp_context=spawn, initializer=_begin, initargs=(is_searching,)
            )
        return self._pools[is_searching]

    def close(self) -> None:
        """Stop; whoever still thinks is not waited for."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        self._pools.clear()
