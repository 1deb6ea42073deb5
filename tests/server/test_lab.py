"""The setup lab: quick games with a setup, one run per guest, limits, and counted placements."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sqlite3
import time
import zipfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from flagfall.arena.tally import wilson
from flagfall.edition import load_game
from flagfall.server.api.routes.lab import result_sentence
from flagfall.server.errors import RequestError
from flagfall.server.sessions import runs as runs_module
from flagfall.server.sessions.lab import Run
from flagfall.server.sessions.runs import Runs
from flagfall.server.sessions.workshop import BoxRun
from flagfall.server.store.database import NotStoredError
from flagfall.server.store.match_store import FILE_NAME
from flagfall.server.store.run_store import RunRow
from flagfall.server.workers import Job, JobDroppedError, LivePlayers, Workers
from flagfall.server.workers.jobs import advise
from flagfall.server.workers.lab import GENERATED_SETUPS
from flagfall.setups import random_setup, read_setup, write_setup
from flagfall.sides import Side
from tests.server.served import Guest, Json, Served, friends, seal_both, serving
from tests.server.test_workers import run

GAME = "barrage/classic"
RUN = "/api/lab/run"


def until(guest: Guest, is_so: Callable[[Json], bool]) -> Json:
    """Ask for the run until something is so."""
    end = time.monotonic() + 60
    while True:
        state: Json = guest.get(RUN)["run"]
        if is_so(state):
            return state
        assert time.monotonic() < end, state
        time.sleep(0.05)


def start(guest: Guest, games: object = 4, status: int = 200, **changes: object) -> Json:
    body = {"game": GAME, "side": "south", "code": guest.code(GAME, "south"), "games": games} | changes
    return guest.post(RUN, status, **body)


# ---------------------------------------------------------------------- runs


def test_a_run_plays_all_its_games_and_tells_the_share_with_its_interval(served: Served) -> None:
    anna = Guest(served, "Anna")
    assert anna.get(RUN) == {"run": None}
    assert start(anna, 6)["run"]["state"] == "running"
    done = until(anna, lambda state: state["state"] != "running")
    assert (done["state"], done["games"], done["game"], done["side"]) == ("done", 6, GAME, "south")
    assert done["won"] + done["drawn"] + done["lost"] == len(done["points"]) == 6
    low, high = wilson(done["won"], 6)
    assert done["points"][-1] == {
        "percent": round(100 * done["won"] / 6, 1),
        "low": round(100 * low, 1),
        "high": round(100 * high, 1),
    }
    assert done["sentence"].startswith(f"Wins {round(100 * done['won'] / 6)}% (")
    assert Guest(served, "Ben").get(RUN) == {"run": None}


def test_a_guest_has_one_run_which_can_be_cancelled(served: Served) -> None:
    anna = Guest(served, "Anna")
    start(anna, 200, game="onyx/classic", code=anna.code("onyx/classic", "south"))
    assert start(anna, 4, 409)["code"] == "one-run"
    assert Guest(served, "Ben").delete(RUN) == {"run": None}
    until(anna, lambda state: len(state["points"]) > 0)
    cancelled = anna.delete(RUN)["run"]
    assert cancelled["state"] == "cancelled"
    played = len(cancelled["points"])
    assert 0 < played < 200
    assert anna.delete(RUN)["run"]["state"] == "cancelled"
    assert start(anna, 1)["run"]["state"] == "running"
    assert len(until(anna, lambda state: state["state"] == "done")["points"]) == 1


def test_what_is_forged_or_too_large_is_refused(served: Served) -> None:
    anna, nobody = Guest(served, "Anna"), Guest(served)
    assert nobody.get(RUN, 401)["code"] == "no-guest"
    assert nobody.delete(RUN, 401)["code"] == "no-guest"
    assert nobody.post(RUN, 401, game=GAME, side="south", code="F")["code"] == "no-guest"
    nobody.http.cookies.set("flagfall", "forged")
    assert nobody.get(RUN, 401)["code"] == "no-guest"
    for games in (0, -1, 201, 10**9, "200", 1.5):
        assert start(anna, games, 400)["code"] == "malformed"
    assert start(anna, 4, 400, side="truth")["code"] == "malformed"
    assert start(anna, 4, 400, code="F" * 401)["code"] == "malformed"
    assert start(anna, 4, 422, code="F" * 40)["code"] == "setup"
    assert start(anna, 4, 400, player="marshal")["code"] == "malformed"
    for game in ("no/such", "../../etc/passwd", "/etc/passwd", "x" * 80):
        assert start(anna, 4, 404, game=game)["code"] == "not-found"
    assert anna.get("/api/lab/no/such/placements", 404)["code"] == "not-found"
    assert anna.get(f"/api/lab/{GAME}/placements", 400, side="both")["code"] == "malformed"
    assert anna.get(RUN) == {"run": None}


def test_runs_are_limited_by_the_hour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGFALL_LAB_RUNS_PER_HOUR", "2")
    with serving(tmp_path) as served:
        anna = Guest(served, "Anna")
        for _ in range(2):
            start(anna, 1)
            until(anna, lambda state: state["state"] == "done")
        refused = start(anna, 1, 429)
        assert refused["sentence"].startswith("Too many runs in the setup lab; wait ")


class SlowWorkers:
    """Workers whose quick games are won when they are let go."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.jobs: list[Job] = []

    @asynccontextmanager
    async def background(self, ticket: object) -> AsyncIterator[SlowWorkers]:
        yield self

    async def advice(self, job: Job) -> bytes:
        self.jobs.append(job)
        await self.go.wait()
        return b'{"result": 1}'


class MemoryStore:
    """The stored runs of guests, without a database."""

    def __init__(self) -> None:
        self.rows: dict[str, RunRow] = {}
        self.fails = False

    async def of_guest(self, guest: str, sort: str) -> RunRow | None:
        await asyncio.sleep(0)
        row = self.rows.get(guest)
        return row if row is not None and row.sort == sort else None

    async def add(self, row: RunRow) -> None:
        await asyncio.sleep(0)
        self.rows[row.guest] = row

    async def save(self, row: RunRow) -> None:
        await asyncio.sleep(0)
        if self.fails:
            raise NotStoredError(is_race=False)
        if self.rows.get(row.guest, row).seed == row.seed:
            self.rows[row.guest] = row


def _runs(workers: Any, store: MemoryStore | None = None) -> Runs:
    stored: Any = store or MemoryStore()
    return Runs(workers, stored, asyncio.get_running_loop().create_task, (Run, BoxRun))


async def _start(runs: Runs, guest: str = "anna", games: int = 4) -> Run:
    setup = random_setup(load_game(GAME), 0, Random(1))
    tried = Run(guest, setup, games, f"seed of {guest}")
    await runs.start(tried, 0)
    return tried


def _free() -> SlowWorkers:
    workers = SlowWorkers()
    workers.go.set()
    return workers


def test_the_sides_alternate_and_the_setup_is_turned() -> None:
    async def scenario() -> None:
        workers = _free()
        tried = await _start(_runs(workers))
        assert tried.task is not None
        await tried.task
        assert (tried.state, tried.results) == ("done", [1, 1, 1, 1])
        assert [job.side for job in workers.jobs] == [0, 1, 0, 1]
        assert len({job.seed for job in workers.jobs}) == 4
        game = load_game(GAME)
        south, north = (read_setup(game, side, workers.jobs[side].setup) for side in (0, 1))
        assert len(south.kinds) == len(north.kinds)
        assert result_sentence(tried) == "Wins 100% (51 to 100) of 4 quick games against usual setups."

    run(scenario)


def test_a_run_that_nobody_asks_for_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        monkeypatch.setattr(runs_module, "UNWATCHED_S", -1.0)
        tried = await _start(_runs(SlowWorkers()))
        assert tried.task is not None
        await tried.task
        assert (tried.state, tried.results) == ("stopped", [])

    run(scenario)


def test_the_lab_has_room_for_a_number_of_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        monkeypatch.setattr(runs_module, "MAX_RUNNING", 2)
        monkeypatch.setattr(runs_module, "MAX_KEPT", 2)
        store = MemoryStore()
        runs = _runs(SlowWorkers(), store)
        started = [await _start(runs, guest) for guest in ("anna", "ben")]
        with pytest.raises(RequestError, match="The lab is full"):
            await _start(runs, "carl")
        await runs.cancel("anna", Run)
        started.append(await _start(runs, "carl"))
        again = await runs.run_of("anna", Run)
        assert again is not None
        assert again is not started[0], "the oldest ended run is dropped, and read again"
        assert again.state == "cancelled"
        await runs.cancel("ben", Run)
        runs.forget("carl")
        del store.rows["carl"]
        assert await runs.run_of("carl", Run) is None
        await asyncio.gather(*(one.task for one in started if one.task), return_exceptions=True)
        assert [one.state for one in started] == ["cancelled"] * 3

    run(scenario)


def test_two_requests_at_once_start_one_run() -> None:
    async def scenario() -> None:
        runs = _runs(SlowWorkers())
        answers = await asyncio.gather(*(_start(runs) for _ in range(3)), return_exceptions=True)
        assert sorted(type(answer).__name__ for answer in answers) == ["RequestError", "RequestError", "Run"]
        await runs.cancel("anna", Run)

    run(scenario)


# ---------------------------------------------------------------------- a restart


def test_a_run_goes_on_after_a_restart_and_ends_as_if_there_had_been_none() -> None:
    async def scenario() -> None:
        whole, store = _free(), MemoryStore()
        tried = await _start(_runs(whole), games=12)
        assert tried.task is not None
        await tried.task

        workers = _free()
        before = _runs(workers, store)
        stopped = await _start(before, games=12)
        while stopped.played < 7:
            await asyncio.sleep(0)
        before.is_closing = True
        assert stopped.task is not None
        stopped.task.cancel()
        await asyncio.gather(stopped.task, return_exceptions=True)
        assert (store.rows["anna"].state, store.rows["anna"].results) == ("running", "[1,1,1,1,1]")

        workers.jobs.clear()
        workers.go.clear()
        after = _runs(workers, store)
        found = await asyncio.gather(*(after.run_of("anna", Run) for _ in range(3)))
        assert len({id(one) for one in found}) == 1, "two tabs see one run"
        resumed = found[0]
        assert resumed is not None
        assert resumed.task is not None
        with pytest.raises(RequestError, match="still going"):
            await _start(after)
        workers.go.set()
        await resumed.task
        assert (resumed.state, resumed.played) == ("done", 12)
        assert workers.jobs == whole.jobs[5:], "the games that were not stored are played again"
        assert store.rows["anna"].state == "done"

    run(scenario)


def test_workers_that_end_with_the_server_leave_a_run_to_go_on() -> None:
    class Closing(SlowWorkers):
        async def advice(self, job: Job) -> bytes:
            await self.go.wait()
            raise JobDroppedError

    async def scenario() -> None:
        workers, store = Closing(), MemoryStore()
        runs = _runs(workers, store)
        tried = await _start(runs)
        runs.is_closing = True
        workers.go.set()
        assert tried.task is not None
        await tried.task
        assert store.rows["anna"].state == "running"

    run(scenario)


def test_runs_of_before_a_restart_wait_for_room(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        monkeypatch.setattr(runs_module, "MAX_RUNNING", 1)
        store = MemoryStore()
        before = _runs(SlowWorkers(), store)
        await _start(before)
        after = _runs(SlowWorkers(), store)
        ben = await _start(after, "ben")
        waiting = await after.run_of("anna", Run)
        assert waiting is not None
        assert (waiting.state, waiting.task) == ("running", None)
        await after.cancel("ben", Run)
        assert (await after.run_of("anna", Run)) is waiting
        assert waiting.task is not None
        for one in (waiting, ben):
            await after.cancel(one.guest, Run)

    run(scenario)


def test_a_full_disk_refuses_a_run_or_lets_it_go_on_in_memory() -> None:
    class Full(MemoryStore):
        async def add(self, row: RunRow) -> None:
            raise NotStoredError(is_race=False)

    async def scenario() -> None:
        refusing = _runs(_free(), Full())
        with pytest.raises(NotStoredError):
            await _start(refusing)
        await refusing.check_free("anna")
        store = MemoryStore()
        store.fails = True
        tried = await _start(_runs(_free(), store), games=11)
        assert tried.task is not None
        await tried.task
        assert (tried.state, tried.played) == ("done", 11)
        assert store.rows["anna"].results == "[]"

    run(scenario)


@pytest.mark.parametrize(
    "change",
    [
        {"facts": "{}"},
        {"facts": "x"},
        {"results": "[7]"},
        {"state": "odd"},
        {"facts": '{"game": "no/such", "side": "south", "code": "F", "text": ""}'},
        {"results": "[1,1,1,1,1]"},
    ],
    ids=str,
)
def test_a_stored_run_that_cannot_be_read_is_none(change: dict[str, str]) -> None:
    async def scenario() -> None:
        store = MemoryStore()
        first = await _start(_runs(SlowWorkers(), store))
        assert first.task is not None
        first.task.cancel()
        store.rows["anna"] = msgspec.structs.replace(store.rows["anna"], **change)
        runs = _runs(_free(), store)
        assert await runs.run_of("anna", Run) is None
        assert (await _start(runs)).state == "running", "another one can be started"

    run(scenario)


def test_a_run_that_is_read_while_its_guest_is_deleted_is_none() -> None:
    async def scenario() -> None:
        store = MemoryStore()
        runs = _runs(SlowWorkers(), store)
        first = await _start(runs)
        assert first.task is not None
        first.task.cancel()
        after = _runs(SlowWorkers(), store)
        reading = asyncio.ensure_future(after.run_of("anna", Run))
        await asyncio.sleep(0)
        after.forget("anna")
        assert await reading is None

    run(scenario)


@pytest.mark.parametrize("ends", ["stopped", "killed"])
def test_a_server_that_starts_again_goes_on_with_runs(ends: str, tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        anna, ben = Guest(served, "Anna"), Guest(served, "Ben")
        start(anna, 40)
        until(anna, lambda state: len(state["points"]) >= 5)
        start(ben, 40)
        ben.http.request("DELETE", "/api/me", json={"guest": ben.get("/api/me")["id"]}).raise_for_status()
        if ends == "stopped":
            served.stop()
        else:
            served.kill()
        served.start()
        assert len(anna.get(RUN)["run"]["points"]) >= 5
        with zipfile.ZipFile(io.BytesIO(anna.http.get("/api/me/export").content)) as archive:
            (exported,) = json.loads(archive.read("runs.json"))
        assert (exported["sort"], exported["games"]) == ("lab", 40)
        assert len(exported["results"]) >= 5
        assert start(anna, 4, 409)["code"] == "one-run"
        assert anna.delete(RUN)["run"]["state"] == "cancelled"
        served.stop()
        served.start()
        assert anna.get(RUN)["run"]["state"] == "cancelled"
    with sqlite3.connect(tmp_path / FILE_NAME) as database:
        assert database.execute("SELECT sort, state FROM runs").fetchall() == [("lab", "cancelled")]


def test_quick_games_run_at_the_lowest_priority_apart_from_games() -> None:
    async def scenario() -> None:
        workers = Workers(1, compiles=False)
        tried = await _start(_runs(workers), games=1)
        assert tried.task is not None
        await tried.task
        assert tried.state == "done"
        (pid,) = workers.pids()
        assert os.getpriority(os.PRIO_PROCESS, pid) == 19
        workers.close()

    run(scenario)


def test_a_quick_game_is_the_same_for_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flagfall.server.workers.lab.lower_priority", lambda: None)
    code = write_setup(random_setup(load_game(GAME), 1, Random(3)))
    job = Job(game=GAME, options={}, player="greedy", seed="7", side=1, setup=code, coach="quick-game")
    assert json.loads(advise(job))["result"] in (-1, 0, 1)
    assert advise(job) == advise(job)
    assert len(LivePlayers()) == 0


# ---------------------------------------------------------------------- placements


def test_placements_of_computer_players_add_up(served: Served) -> None:
    found = Guest(served).get(f"/api/lab/{GAME}/placements", side="north")
    game = load_game(GAME)
    assert (found["game"], found["side"], found["people"]) == (GAME, "north", None)
    assert found["computer"]["setups"] == GENERATED_SETUPS
    home = set(game.board.names(game.board.home(Side.NORTH)))
    for kind, count in zip(game.kinds, game.rosters[Side.NORTH], strict=True):
        squares = found["computer"]["counts"][kind.id]
        assert set(squares) <= home
        assert sum(squares.values()) == count * GENERATED_SETUPS


def test_people_are_counted_from_open_games_and_only_if_there_are_enough(tmp_path: Path) -> None:
    constants = {
        "flagfall.server.sessions.lab.MIN_PEOPLE_SETUPS": 3,
        "flagfall.server.sessions.lab.MIN_PEOPLE": 2,
        "flagfall.server.sessions.lab.PEOPLE_CACHED_S": 0,
    }
    with serving(tmp_path, constants) as served:
        path = f"/api/lab/{GAME}/placements"
        asking = Guest(served)

        def people() -> Json | None:
            found: Json | None = asking.get(path)["people"]
            return found

        for _ in range(2):
            anna, ben, match = friends(served, GAME)
            seal_both(anna, ben, match, GAME)
            anna.post(f"/api/matches/{match}/resign")
        running = friends(served, GAME)
        seal_both(*running, GAME)
        called_off = friends(served, GAME)
        seal_both(*called_off, GAME)
        called_off[0].post(f"/api/matches/{called_off[2]}/abort")
        assert people() is None, "a running and a cancelled game do not count"
        running[0].post(f"/api/matches/{running[2]}/resign")
        counted = people()
        assert counted is not None
        assert counted["setups"] == 3
        assert sum(counted["counts"]["flag"].values()) == 3
        with sqlite3.connect(tmp_path / FILE_NAME) as database:
            database.execute("UPDATE matches SET south = (SELECT min(south) FROM matches)")
        assert people() is None, "they must be of different people"
