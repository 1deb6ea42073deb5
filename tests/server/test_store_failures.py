"""The database fails in the middle of things: nothing acknowledged is lost, and everything goes on later."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sqlite3
import struct
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, text

from flagfall.server.api.commands import handle_command
from flagfall.server.api.requests import NewMatch, Say
from flagfall.server.app import create_app
from flagfall.server.errors import RequestError
from flagfall.server.logs import set_up_logs
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.sessions.session import MatchSession
from flagfall.server.settings import Settings
from flagfall.server.store.database import Database, NotReadError, NotStoredError
from flagfall.server.store.match_store import FILE_NAME
from flagfall.server.store.migrate import migrate
from flagfall.setups import styled_setup, write_setup
from flagfall.sides import Side
from tests.server.served import Guest, friends, seal_both, serving
from tests.server.test_match_store import ANNA, _first, _playing, _registry
from tests.server.test_memory_and_disk import locked

GAME = "spin-master/duel"
Work = Callable[[Connection], object]


async def until(is_true: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(seconds):
        while not is_true():
            await asyncio.sleep(0.02)


def disk(folder: Path, sql: str, *values: object) -> list[Any]:
    with closing(sqlite3.connect(folder / "box.sqlite3", isolation_level=None, timeout=10)) as connection:
        return connection.execute(sql, values).fetchall()


# ---------------------------------------------------------------------- one transaction for many


def _insert(key: str, value: str) -> Work:
    statement = text("INSERT INTO meta (key, value) VALUES (:key, :value)")
    return lambda connection: connection.execute(statement, {"key": key, "value": value})


async def _batch(database: Database, *works: Work) -> list[object]:
    """Let the writer commit these together."""
    gate = threading.Event()
    blocking = asyncio.create_task(database.write(lambda _: gate.wait(20)))
    await asyncio.sleep(0.1)
    tasks = [asyncio.create_task(database.write(work)) for work in works]
    await asyncio.sleep(0.1)
    gate.set()
    await blocking
    return await asyncio.gather(*tasks, return_exceptions=True)


def test_a_full_disk_in_the_middle_of_a_batch_acknowledges_nothing_that_is_not_stored(tmp_path: Path) -> None:
    """SQLite then rolls back the whole transaction by itself, and the commit after it reports success."""

    async def history() -> None:
        migrate(tmp_path / "box.sqlite3")
        database = Database(tmp_path / "box.sqlite3")

        def fill(connection: Connection) -> None:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

        await database.write(fill)
        small, large = "x", "x" * 100_000
        answers = await _batch(database, _insert("a", small), _insert("b", large), _insert("c", small))
        stored = {key for (key,) in disk(tmp_path, "SELECT key FROM meta")}
        for key, answer in zip("abc", answers, strict=True):
            assert (key in stored) == (not isinstance(answer, NotStoredError)), f"{key}: {answer!r}"
        assert "b" not in stored
        await database.write(_insert("d", small))
        await database.close()

    asyncio.run(history())


def test_a_job_that_fails_takes_back_its_own_part_only(tmp_path: Path) -> None:
    async def history() -> None:
        migrate(tmp_path / "box.sqlite3")
        database = Database(tmp_path / "box.sqlite3")
        answers = await _batch(database, _insert("a", "1"), _insert("a", "2"), _insert("b", "3"))
        assert [isinstance(answer, NotStoredError) for answer in answers] == [False, True, False]
        assert sorted(disk(tmp_path, "SELECT key, value FROM meta")) == [("a", "1"), ("b", "3")]
        await database.close()

    asyncio.run(history())


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full for the log too."""

    class Full:
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    async def history() -> None:
        migrate(tmp_path / "box.sqlite3")
        database = Database(tmp_path / "box.sqlite3")
        async with asyncio.timeout(20):
            await database.write(_insert("a", "1"))
            with pytest.raises(NotStoredError):
                await database.write(_insert("a", "2"))
            await database.write(_insert("b", "3"))
        await database.close()

    monkeypatch.setattr("sys.stderr", Full())
    set_up_logs(Settings())
    try:
        asyncio.run(history())
    finally:
        monkeypatch.undo()
        set_up_logs(Settings())


# ---------------------------------------------------------------------- a match in memory


def _fails_once(registry: MatchRegistry, name: str, error: Exception, *, is_stored: bool = False) -> None:
    """Let a call of the store fail the next time; ``is_stored``: after it has been done."""
    call = getattr(registry.store, name)

    async def fails(*arguments: Any) -> None:
        setattr(registry.store, name, call)
        if is_stored:
            await call(*arguments)
        raise error

    setattr(registry.store, name, fails)


def test_a_move_that_is_stored_but_could_not_be_confirmed_is_shown_by_itself(tmp_path: Path) -> None:
    """The commit reports a failure, and the disk cannot be read either: nobody knows, until it can be."""

    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        number = session.require_started().number
        _fails_once(registry, "append", NotStoredError(is_race=False), is_stored=True)
        _fails_once(registry, "log", NotReadError("disk I/O error"))
        with pytest.raises(RequestError) as refused:
            await session.execute(lambda match, now: match.act("south", None, _first(match), now))
        assert refused.value.code == "not-stored"
        following = registry.start(registry.follow_database())
        await until(lambda: session.require_started().number == number + 1)
        following.cancel()
        await registry.close()

    asyncio.run(history())


def test_a_join_that_is_stored_but_could_not_be_confirmed_begins_the_game(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        ben = type(ANNA)("ben", "Ben")
        await registry.store.add_guest(ben, "hash of Ben", 0)
        session = await registry.new_matches.create(
            ANNA, NewMatch(game="mini/3x3", opponent="friend", side="south")
        )
        _fails_once(registry, "start_match", NotStoredError(is_race=False), is_stored=True)
        with pytest.raises(RequestError):
            await registry.new_matches.join(session, ben)
        following = registry.start(registry.follow_database())
        await until(lambda: session.match is not None)
        assert session.row.seats_of("ben") == ("north",)
        following.cancel()
        await registry.close()

    asyncio.run(history())


def test_a_phrase_that_is_stored_but_was_refused_is_shown(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        _fails_once(registry, "add_chat_line", NotStoredError(is_race=False), is_stored=True)
        with pytest.raises(RequestError) as refused:
            await handle_command(registry, session, ANNA, Say(phrase="hello", seat=Side.SOUTH))
        assert refused.value.code == "not-stored"
        await handle_command(registry, session, ANNA, Say(phrase="wow", seat=Side.SOUTH))
        assert [line.phrase for line in session.chat] == ["hello", "wow"]
        assert await registry.store.chat_lines(session.row.id, 9) == session.chat
        await registry.close()

    asyncio.run(history())


def test_a_rematch_is_stored_with_the_question_or_not_at_all(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        await session.execute(lambda match, now: match.resign("south", now))
        _fails_once(registry, "add_rematch", NotStoredError(is_race=False))
        with pytest.raises(RequestError):
            await registry.new_matches.rematch(session, Side.SOUTH)
        assert disk(tmp_path, "SELECT rematch_asked, rematch FROM matches") == [("", "")]
        await registry.new_matches.rematch(session, Side.SOUTH)
        found = dict(disk(tmp_path, "SELECT id, rematch FROM matches WHERE rematch_asked = 'south north'"))
        assert found == {session.row.id: session.row.rematch}
        assert (await registry.session(session.row.rematch)).require_started().number == 1
        await registry.close()

    asyncio.run(history())


def test_an_invitation_that_another_process_closes_is_closed(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await registry.new_matches.create(ANNA, NewMatch(game="mini/3x3", opponent="friend"))
        following = registry.start(registry.follow_database())
        await asyncio.sleep(0.2)
        disk(tmp_path, "UPDATE matches SET status = 'over', reason = 'aborted'")
        await until(lambda: session.row.status == "over")
        following.cancel()
        await registry.close()

    asyncio.run(history())


def test_a_match_that_was_waited_for_stays_in_memory(tmp_path: Path) -> None:
    """A request waits long for a match; it must not be evicted between the waiting and the action."""

    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        async with session.lock:
            waiting = asyncio.create_task(registry.session(session.row.id))
            await asyncio.sleep(0.05)
            session.used_at = registry.loop_time() - 1000
        await waiting
        assert not session.is_idle(registry.loop_time() - 500)
        await registry.close()

    asyncio.run(history())


# ---------------------------------------------------------------------- what happens by itself


async def _against_a_computer(registry: MatchRegistry) -> MatchSession:
    session = await registry.new_matches.create(ANNA, NewMatch(game="mini/3x3", level="random", side="south"))
    await until(lambda: bool(session.require_started().sealed), 60)
    code = write_setup(styled_setup(session.game, 0, "open", registry.rng))
    await session.execute(lambda match, now: match.seal("south", code, now))
    return session


def test_a_computer_player_goes_on_after_the_database_failed(tmp_path: Path) -> None:
    """Its move is refused, and the disk cannot be read for a while: it tries again until it can."""

    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _against_a_computer(registry)
        await session.execute(lambda match, now: match.act("south", None, _first(match), now))
        number = session.require_started().number
        _fails_once(registry, "append", NotStoredError(is_race=False))
        log, failures = registry.store.log, iter(range(3))

        async def fails(match_id: str) -> Any:
            if next(failures, None) is not None:
                raise NotReadError("disk I/O error")
            return await log(match_id)

        registry.store.log = fails  # type: ignore[method-assign]
        await until(
            lambda: session.require_started().is_over or session.require_started().number > number, 60
        )
        await registry.close()

    asyncio.run(history())


def test_a_clock_that_cannot_be_stored_is_tried_again_calmly(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        request = NewMatch(game="mini/3x3", opponent="hot-seat", side="south", options={"clock": "1s/move"})
        session = await registry.new_matches.create(ANNA, request)
        keep, tries, is_full = registry.store.append, 0, False

        async def fails(*arguments: Any) -> None:
            nonlocal tries
            if is_full:
                tries += 1
                raise NotStoredError(is_race=False)
            await keep(*arguments)

        registry.store.append = fails  # type: ignore[method-assign, assignment]
        for side, at in (("south", 0), ("north", 1)):
            code = write_setup(styled_setup(session.game, at, "open", registry.rng))
            await session.execute(lambda match, now, side=side, code=code: match.seal(side, code, now))  # type: ignore[misc]
        is_full = True
        await until(lambda: tries > 0)
        await asyncio.sleep(2)
        assert tries < 10
        is_full = False
        await until(lambda: session.require_started().is_over)
        await session.wait_until_stored()
        assert await registry.store.log(session.row.id) == session.require_started().log
        await registry.close()

    asyncio.run(history())


# ---------------------------------------------------------------------- what clients are told


def test_a_socket_is_refused_with_a_sentence_while_guests_cannot_be_read(tmp_path: Path) -> None:
    async def history() -> None:
        app = create_app(Settings(data=str(tmp_path)))
        app.state.registry = registry = await _registry(tmp_path)
        _fails_once(registry, "guest", NotReadError("disk I/O error"))
        scope = {
            "type": "websocket",
            "path": "/api/matches/any/socket",
            "query_string": b"",
            "headers": [(b"host", b"127.0.0.1"), (b"cookie", b"flagfall_guest=token")],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 2),
            "scheme": "ws",
            "subprotocols": [],
            "root_path": "",
        }
        said: list[Any] = []

        async def receive() -> dict[str, str]:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            said.append(message)

        await app(scope, receive, send)
        assert [message["type"].rpartition(".")[2] for message in said] == ["accept", "send", "close"]
        assert json.loads(said[1]["text"])["code"] == "not-readable"
        await registry.close()

    asyncio.run(history())


def test_a_client_that_goes_away_in_the_middle_of_its_request_is_no_fault(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Guest(served, "Anna") as anna:
        cookie = "; ".join(f"{name}={value}" for name, value in anna.http.cookies.items())
        with socket.create_connection(("127.0.0.1", served.port)) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            head = f"POST /api/matches HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nCookie: {cookie}\r\n"
            connection.sendall(
                f"{head}Content-Type: application/json\r\nContent-Length: 90\r\n\r\n{{".encode()
            )
            time.sleep(0.5)
        deadline = time.monotonic() + 20
        while "route=/api/matches " not in served.log() and time.monotonic() < deadline:
            time.sleep(0.05)
        log = served.log()
        assert "status=499" in log
        assert "Traceback" not in log
        assert "status=500" not in log


def test_a_server_that_stops_answers_what_it_cannot_finish(tmp_path: Path) -> None:
    """It is told to stop while moves wait for a locked database, one over HTTP and one over a socket."""
    answers: list[httpx.Response] = []
    with serving(tmp_path, {"flagfall.server.serve.STOP_S": 1}) as served:
        anna, ben, match = friends(served, GAME)
        seal_both(anna, ben, match, GAME)
        state = anna.state(match)
        move = {"number": state["number"], "action": state["choices"][0]["action"]}

        def act() -> None:
            answers.append(anna.http.post(f"/api/matches/{match}/act", json=move))

        carla, dora, other = friends(served, GAME)
        seal_both(carla, dora, other, GAME)
        with carla.socket(other) as playing, locked(tmp_path / FILE_NAME):
            choice = playing.until("state")["choices"][0]
            time.sleep(0.3)
            playing.send(do="act", number=playing.state["number"], action=choice["action"])
            acting = threading.Thread(target=act)
            acting.start()
            time.sleep(0.5)
            assert served.process is not None
            served.process.send(signal.SIGTERM)
            acting.join(timeout=30)
        served.stop()
        assert [answer.status_code for answer in answers] == [503]
        assert answers[0].json()["code"] in ("stopping", "not-stored")
        log = served.log()
        assert "Traceback" not in log
        served.start()
        is_stored = anna.state(match)["number"] > state["number"]
        assert not is_stored or answers[0].json()["code"] == "stopping"
