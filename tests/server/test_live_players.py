"""A computer player lives through its match: in one worker, for one seat, until the match is over."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from flagfall.edition import load_game, resolve
from flagfall.engine.action import Action
from flagfall.match import Match, Seating
from flagfall.players.belief import Belief
from flagfall.server.api.requests import NewMatch
from flagfall.server.settings import Settings
from flagfall.server.workers import Job, LivePlayers, Ticket, Workers
from flagfall.server.workers.jobs import Answer, Forget
from flagfall.setups import random_setup
from flagfall.sides import SIDES, Side, SideName
from flagfall.view.view import View
from tests.server.test_match_store import ANNA, _registry
from tests.server.test_store_failures import until
from tests.server.test_workers import run, running

GAME = "barrage/classic"


class Game:
    """A match after two turns, and the jobs of its seats."""

    def __init__(self, match_id: str = "one", player: str = "random") -> None:
        game = load_game(GAME)
        self.id, self.player = match_id, player
        self.match = Match.created(game, resolve(game, {}), Seating("Anna", "Ben"), 0)
        for number, side in enumerate(("south", "north")):
            self.match.seal(side, random_setup(game, number, Random(number)), 0)
        for mover in SIDES:
            self.match.act(mover.value, None, self.match.view(mover.value).legal[0], 0)

    def job(self, **changes: object) -> Job:
        """Return the question to the side to move."""
        mover = self.match.to_move
        assert mover is not None
        job = Job(
            game=self.match.game.id,
            options={},
            player=self.player,
            seed=f"{self.id} {self.match.number}",
            view=msgspec.json.encode(self.match.view(mover, forgets=False)),
            history=msgspec.json.encode(self.match.history(mover)),
            side=("south", "north").index(mover),
            time_ms=None,
            nodes=50,
            match=self.id,
        )
        return msgspec.structs.replace(job, **changes)

    def play(self, answer: Answer) -> None:
        """Play what a worker answered."""
        mover = self.match.to_move
        assert mover is not None
        assert answer.action is not None
        self.match.act(mover, None, Action.unpack(answer.action), 0)

    def events(self, side: Side | SideName) -> int:
        return len(self.match.history(side))


# ---------------------------------------------------------------------- in one worker


def test_the_player_of_the_first_action_chooses_the_second_one() -> None:
    game, players = Game(), LivePlayers()
    first = players.think(game.job())
    assert first.new_events == game.events("south")
    known = game.events("south")
    game.play(first)
    game.play(players.think(game.job()))
    second = players.think(game.job())
    assert second.new_events == game.events("south") - known
    assert len(players) == 2, "one for each seat"


def test_a_living_player_goes_on_with_its_belief(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    def make(*arguments: Any, **named: Any) -> Belief:
        made.append(arguments)
        return Belief(*arguments, **named)

    monkeypatch.setattr("flagfall.players.searcher.Belief", make)
    game, players = Game(player="marshal"), LivePlayers()
    for _ in range(4):
        game.play(players.think(game.job()))
    assert len(made) <= 2, "one for each seat, not one for each action"
    for _ in range(2):
        game.play(players.think(game.job(match="")))
    assert len(made) > 2, "a player that is not kept begins anew"


@pytest.mark.parametrize("player", ["random", "captain", "marshal"])
def test_a_player_made_from_the_whole_history_chooses_something_legal(player: str) -> None:
    job = Game(player=player).job()
    answer = LivePlayers().think(job)
    assert answer.new_events > 0
    assert answer.action is not None
    assert Action.unpack(answer.action) in msgspec.json.decode(job.view, type=View).legal


def test_a_player_never_serves_another_match_seat_game_or_level() -> None:
    players, game, other = LivePlayers(), Game("one"), Game("two")
    all_events = game.events("south")
    players.think(game.job())
    assert players.think(other.job()).new_events == all_events
    assert players.think(game.job(side=1)).new_events == all_events
    assert players.think(game.job(player="greedy")).new_events == all_events
    assert players.think(game.job(player="greedy")).new_events == 0
    assert players.think(game.job(player="greedy", options={"rescue": "on"})).new_events == all_events


def test_a_history_that_does_not_continue_the_known_one_makes_a_new_player() -> None:
    players, game = LivePlayers(), Game("one")
    players.think(game.job())
    shorter = msgspec.json.encode(game.match.history("south")[:-1])
    answer = players.think(game.job(history=shorter))
    assert answer.new_events == game.events("south") - 1


def test_a_player_has_the_time_of_each_job() -> None:
    players, game = LivePlayers(), Game(player="marshal")
    players.think(game.job(time_ms=None))
    players.think(game.job(time_ms=70))
    (live,) = players._players.values()
    assert live.player.budget.time_ms == 70  # type: ignore[attr-defined]
    assert live.player.budget.nodes == 50  # type: ignore[attr-defined]


def test_a_player_that_fails_is_not_kept() -> None:
    players, game = LivePlayers(), Game()
    players.think(game.job())
    reply = players.answer(msgspec.msgpack.encode(game.job(view=b"{}")))
    assert reply is not None
    players.answer(msgspec.msgpack.encode(game.job(history=game.job().history[:-1] + b",{}]")))
    assert len(players) == 0


def test_a_match_that_is_forgotten_frees_its_players() -> None:
    players, one, two = LivePlayers(), Game("one"), Game("two")
    for game in (one, two):
        game.play(players.think(game.job()))
        players.think(game.job())
    assert len(players) == 4
    assert players.answer(msgspec.msgpack.encode(Forget(["one", "unknown"]))) is None
    assert len(players) == 2
    assert players.think(two.job()).new_events == 0


def test_a_worker_keeps_a_limited_number_of_players() -> None:
    players = LivePlayers(max_players=2)
    games = [Game(str(number)) for number in range(3)]
    for game in games:
        players.think(game.job())
    assert len(players) == 2
    assert players.think(games[2].job()).new_events == 0
    assert players.think(games[0].job()).new_events > 0


def test_a_worker_that_has_gained_too_much_memory_keeps_the_last_player_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used = [100]
    monkeypatch.setattr("flagfall.server.workers.jobs.resident_bytes", lambda: used[0])
    players, one, two = LivePlayers(max_bytes=1000), Game("one"), Game("two")
    players.think(one.job())
    used[0] = 1101
    players.think(two.job())
    assert len(players) == 1
    assert players.think(two.job()).new_events == 0


# ---------------------------------------------------------------------- in processes


async def ask(workers: Workers, game: Game, guest: str = "anna") -> Answer:
    async with workers.lease(game.player, Ticket(guest, match=game.id)) as lease:
        return await lease._slot.ask(game.job())


def test_a_match_is_asked_where_its_player_lives() -> None:
    async def history() -> None:
        with running(2) as workers:
            one, two = Game("one"), Game("two")

            async def hold() -> None:
                async with workers.lease("random", Ticket("ben", match="two")) as lease:
                    await asyncio.sleep(0.2)
                    await lease._slot.ask(two.job())

            holding = asyncio.create_task(hold())
            await asyncio.sleep(0.05)
            assert (await ask(workers, one)).new_events > 0
            await holding
            for _ in range(3):
                assert (await ask(workers, one)).new_events == 0
                assert (await ask(workers, two)).new_events == 0

    run(history)


def test_a_match_does_not_wait_for_the_worker_that_has_its_player() -> None:
    """Another worker makes the player anew, and from then on has it alone."""

    async def history() -> None:
        with running(2) as workers:
            one, two = Game("one"), Game("two")
            await ask(workers, one)
            (first,) = workers.pids()
            os.kill(first, signal.SIGSTOP)
            stuck = asyncio.create_task(ask(workers, two, "ben"))
            await asyncio.sleep(0.05)
            assert (await ask(workers, one)).new_events > 0
            os.kill(first, signal.SIGCONT)
            await stuck
            assert (await ask(workers, one)).new_events == 0
            assert first in workers.pids()

    run(history)


def test_a_match_goes_on_when_the_worker_of_its_player_is_killed() -> None:
    async def history() -> None:
        with running(1) as workers:
            game = Game()
            game.play(await ask(workers, game))
            os.kill(workers.pids()[0], signal.SIGKILL)
            answer = await ask(workers, game)
            assert answer.new_events == game.events("north")
            game.play(answer)

    run(history)


def test_a_match_that_is_over_is_forgotten_by_its_worker() -> None:
    async def history() -> None:
        with running(1) as workers:
            one, two = Game("one"), Game("two")
            await ask(workers, one)
            await ask(workers, two)
            workers.forget("one")
            assert (await ask(workers, two)).new_events == 0
            assert (await ask(workers, one)).new_events > 0
            async with workers.lease("random", Ticket("anna", match="one")) as lease:
                workers.forget("one")
                assert (await lease._slot.ask(one.job())).new_events == 0, "it was busy"
            assert (await ask(workers, one)).new_events > 0

    run(history)


# ---------------------------------------------------------------------- in a server


@pytest.mark.parametrize("is_finished", [True, False])
def test_a_match_that_is_finished_or_evicted_frees_its_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_finished: bool
) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        forgotten: list[str] = []
        session = await registry.new_matches.create(
            ANNA, NewMatch(game="mini/3x3", level="random", side="south")
        )
        await until(lambda: bool(session.require_started().sealed), 60)
        monkeypatch.setattr(registry.workers, "forget", forgotten.append)
        if is_finished:
            await session.execute(lambda match, now: match.abort("south", now))
        else:
            await until(lambda: session.is_idle(registry.loop_time() + 1), 60)
            registry.settings = Settings(keep_idle_s=0)
            registry._evict()
        assert set(forgotten) == {session.row.id}
        await registry.close()

    asyncio.run(history())
