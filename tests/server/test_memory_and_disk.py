"""Memory and disk never part: whatever is cancelled, locked, full, damaged or written by another process."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from structlog.testing import capture_logs

from flagfall.match import Match
from flagfall.server import clock
from flagfall.server.api.requests import NewMatch
from flagfall.server.clock import Anchor, ServerClock, load_clock
from flagfall.server.errors import RequestError
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.settings import Settings
from flagfall.server.store.database import NotReadError
from flagfall.server.store.folder_lock import FolderInUseError, folder_lock
from flagfall.server.store.match_store import FILE_NAME, MatchStore, NotStoredError
from flagfall.server.store.migrate import migrate
from flagfall.server.store.rows import new_id
from flagfall.server.workers import Workers
from flagfall.sides import Side
from tests.server.served import REGISTRY, Guest, Served, friends, seal_both, serving
from tests.server.test_match_store import ANNA, _first, _playing, _registry

GAME = "spin-master/duel"
READY_S = 0.2


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another process, such as a backup, holds SQLite's write lock."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=10)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


# ---------------------------------------------------------------------- cancelled in the middle


def test_a_cancelled_request_neither_frees_the_match_nor_loses_the_move(tmp_path: Path) -> None:
    """The handler goes away while its move waits for the disk; the opponent's answer comes after it."""

    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        before = session.require_started().number
        with locked(tmp_path / "box.sqlite3"):
            first = asyncio.create_task(
                session.execute(lambda match, now: match.act("south", None, _first(match), now))
            )
            await asyncio.sleep(0.2)
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            assert session.lock.locked(), "the match is held until the disk has answered"
            second = asyncio.create_task(
                session.execute(
                    lambda match, now: match.act("north", None, match.view("north").legal[0], now)
                )
            )
            await asyncio.sleep(0.2)
            assert not second.done()
        await second
        assert session.require_started().number == before + 2
        assert await registry.store.log(session.row.id) == session.require_started().log
        await registry.close()

    asyncio.run(history())


def test_a_locked_database_refuses_and_takes_the_move_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flagfall.server.store.database.BUSY_MS", 200)

    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        before = session.require_started().digest()
        with locked(tmp_path / "box.sqlite3"):
            with pytest.raises(RequestError) as refused:
                await session.execute(lambda match, now: match.act("south", None, _first(match), now))
            assert refused.value.code == "not-stored"
            assert session.require_started().digest() == before
            assert await registry.store.guest("hash") is not None, "reading goes on"
        await session.execute(lambda match, now: match.act("south", None, _first(match), now))
        assert await registry.store.log(session.row.id) == session.require_started().log
        await registry.close()

    asyncio.run(history())


def test_a_commit_that_reports_failure_but_is_on_the_disk_has_happened(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        keep, number = registry.store.append, session.require_started().number

        async def stores_and_fails(*arguments: Any) -> None:
            await keep(*arguments)
            raise NotStoredError(is_race=False)

        registry.store.append = stores_and_fails  # type: ignore[method-assign, assignment]
        await session.execute(lambda match, now: match.act("south", None, _first(match), now))
        assert session.require_started().number == number + 1
        assert await registry.store.log(session.row.id) == session.require_started().log
        await registry.close()

    asyncio.run(history())


def test_a_fault_in_the_middle_leaves_no_half_move(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        before = session.require_started().digest()

        def faulty(match: Match, now: int) -> None:
            match.act("south", None, _first(match), now)
            raise RuntimeError("a fault")

        with pytest.raises(RuntimeError):
            await session.execute(faulty)
        assert session.require_started().digest() == before
        assert await registry.store.log(session.row.id) == session.require_started().log
        await registry.close()

    asyncio.run(history())


def test_a_cancelled_first_look_does_not_hide_the_match_from_others(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        registry._sessions.clear()
        keep, gate = registry.store.log, asyncio.Event()

        async def slow(match_id: str) -> Any:
            await gate.wait()
            return await keep(match_id)

        registry.store.log = slow  # type: ignore[method-assign]
        first = asyncio.create_task(registry.session(session.row.id))
        await asyncio.sleep(0)
        second = asyncio.create_task(registry.session(session.row.id))
        await asyncio.sleep(0.05)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        gate.set()
        assert (await second).require_started().log == session.require_started().log
        await registry.close()

    asyncio.run(history())


def test_the_log_takes_only_the_next_number(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        match = session.require_started()
        for _ in range(2):
            match.act(match.to_move or "", None, match.view(match.to_move or "south").legal[0], 0)
        for wrong in (match.log[-1:], match.log[-3:]):
            with pytest.raises(NotStoredError) as refused:
                await registry.store.append(session.row, wrong)
            assert refused.value.is_race
        assert len(await registry.store.log(session.row.id)) == match.number - 2
        await registry.close()

    asyncio.run(history())


def test_an_unread_socket_and_a_locked_database_lose_nothing(tmp_path: Path) -> None:
    """A's connection is dropped while A's move waits for the disk; B must not be shown it, nor answer it."""
    with serving(tmp_path) as served:
        anna, ben, match = friends(served, GAME)
        seal_both(anna, ben, match, GAME)
        state = anna.state(match)
        with locked(tmp_path / FILE_NAME):
            move = {"number": state["number"], "action": state["choices"][0]["action"]}
            with pytest.raises(httpx.ReadTimeout):
                anna.http.post(f"/api/matches/{match}/act", json=move, timeout=0.5)
            waiting = threading.Thread(target=ben.state, args=(match,))
            waiting.start()
            time.sleep(0.3)
            assert waiting.is_alive(), "nobody is shown a move that is not stored"
        waiting.join(timeout=20)
        state = ben.state(match)
        assert state["to_move"] == "north"
        ben.post(f"/api/matches/{match}/act", number=state["number"], action=state["choices"][0]["action"])
        served.kill()
        served.start()
        assert ben.state(match)["turn"] == 2


# ---------------------------------------------------------------------- damage


def _damage(folder: Path, match: str, sql: str) -> None:
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
        connection.execute(sql, (match,))


DAMAGE = (
    "UPDATE log SET entry = substr(entry, 1, 20) WHERE match_id = ? AND number = 2",
    "UPDATE log SET entry = 'null' WHERE match_id = ? AND number = 0",
    "DELETE FROM log WHERE match_id = ? AND number = 1",
    "DELETE FROM log WHERE match_id = ?",
    "UPDATE matches SET options = '{' WHERE id = ?",
    "UPDATE matches SET game = 'no/such' WHERE id = ?",
    "UPDATE matches SET host_side = 'up' WHERE id = ?",
)


def test_damaged_matches_are_set_aside_and_everything_else_goes_on(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        anna, ben = Guest(served, "Anna"), Guest(served, "Ben")
        matches, codes = [], []
        for _ in range(len(DAMAGE) + 1):
            made = anna.post(
                "/api/matches", game=GAME, opponent="lobby", side="south", options={"clock": "10m"}
            )["match"]
            ben.post(f"/api/matches/{made}/join")
            for side, guest in (("south", anna), ("north", ben)):
                codes.append(guest.code(GAME, side))
                guest.post(f"/api/matches/{made}/setup", code=codes[-1])
            matches.append(made)
        *broken, sound = matches
        served.stop()
        for match, sql in zip(broken, DAMAGE, strict=True):
            _damage(tmp_path, match, sql)
        served.start()
        assert sound in {line["match"] for line in anna.get("/api/lobby")["running"]}
        assert sound in {line["match"] for line in anna.get("/api/me/matches")["matches"]}
        for match in broken:
            answer = anna.state(match, status=409)
            assert answer["code"] == "damaged"
            assert "cannot be opened" in answer["sentence"]
            with anna.socket(match) as socket:
                assert socket.hear()["code"] == "damaged"
            assert match in served.log(), "the operator is told which match"
        state = anna.state(sound)
        anna.post(f"/api/matches/{sound}/act", number=state["number"], action=state["choices"][0]["action"])
        assert [line["match"] for line in anna.get("/api/lobby")["running"]] == [sound]
        log = served.log()
        assert "Traceback" not in log
        assert "status=500" not in log
        assert not any(code in log for code in codes)


def test_ready_reads_and_writes_and_health_does_not(tmp_path: Path) -> None:
    constants = {f"{REGISTRY}.READY_S": READY_S, f"{REGISTRY}.CHECK_S": 1.0}
    with serving(tmp_path, constants) as served, Guest(served, "Anna") as anna:
        assert anna.get("/ready")["status"] == "ok"
        time.sleep(READY_S + 0.1)
        with locked(tmp_path / FILE_NAME):
            assert anna.get("/ready", 503)["code"] == "not-ready"
            assert anna.get("/health")["status"] == "ok"
        time.sleep(READY_S + 0.1)
        assert anna.get("/ready")["status"] == "ok"


def test_database_errors_show_no_values(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        from flagfall.server.store.rows import GuestRow

        with pytest.raises(NotStoredError) as refused:
            await registry.store.add_guest(GuestRow("anna", "Anna"), "secret-token-hash", 0)
        assert "secret-token-hash" not in repr(refused.value) + str(refused.value.__cause__)
        await registry.close()

    with capture_logs() as shown:
        asyncio.run(history())
    assert "IntegrityError" in str(shown)
    assert "secret-token-hash" not in str(shown)


# ---------------------------------------------------------------------- other processes


def test_a_second_server_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    refused = pytest.raises(FolderInUseError, match=r"Another server \(process \d+\) uses the data folder")
    with folder_lock(tmp_path), refused, folder_lock(tmp_path):
        pass
    with folder_lock(tmp_path):
        assert (tmp_path / "flagfall.lock").exists()


def test_serve_says_that_the_folder_is_in_use(tmp_path: Path) -> None:
    import subprocess
    import sys

    with serving(tmp_path):
        command = [sys.executable, "-c", "from flagfall.cli import main; main()", "serve", "--port", "0"]
        second = subprocess.run(
            [*command, "--data", str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
        )
        assert second.returncode == 2
        assert "uses the data folder" in second.stderr + second.stdout
        assert "Traceback" not in second.stderr


def test_what_another_process_writes_is_shown(tmp_path: Path) -> None:
    """As an operator's command does, another process appends to the log of a match that is in memory."""
    with serving(tmp_path) as served:
        anna, ben, match = friends(served, GAME)
        seal_both(anna, ben, match, GAME)
        with anna.socket(match) as socket:
            state = socket.until("state")
            entry = {"what": "aborted", "number": 3, "at_ms": state["clocks"]["at_ms"] + 1}
            with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("INSERT INTO log VALUES (?, 3, ?)", (match, json.dumps(entry)))
                connection.execute(
                    "UPDATE matches SET status = 'over', reason = 'aborted' WHERE id = ?", (match,)
                )
                connection.execute("COMMIT")
            assert socket.until("state", phase="over")["result"]["reason"] == "aborted"
        assert ben.post(f"/api/matches/{match}/resign", 409)["code"] == "finished"


# ---------------------------------------------------------------------- time


def test_a_wall_clock_that_jumps_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def history() -> None:
        migrate(tmp_path / "box.sqlite3")
        store = MatchStore.open(tmp_path / "box.sqlite3")
        now = {"wall": 1_000_000, "monotonic": 500, "boot": "a"}
        monkeypatch.setattr(clock, "wall_ms", lambda: now["wall"])
        monkeypatch.setattr(clock, "monotonic_ms", lambda: now["monotonic"])
        monkeypatch.setattr(clock, "boot_id", lambda: now["boot"])
        first = await load_clock(store)
        assert first.now_ms() == 1_000_000
        now |= {"wall": 9_000_000, "monotonic": 1_500}
        assert first.now_ms() == 1_001_000, "an hour forward on the wall is a second here"
        assert (await load_clock(store)).now_ms() == 1_001_000, "also after a restart"
        now |= {"wall": 2_000_000, "monotonic": 10, "boot": "b"}
        assert (await load_clock(store)).now_ms() == 2_000_000, "a new boot asks the wall"
        now |= {"wall": 0, "monotonic": 5, "boot": "c"}
        assert (await load_clock(store)).now_ms() == 2_000_000, "and never goes back"
        await store.close()

    asyncio.run(history())


def test_the_house_keeps_its_clock(tmp_path: Path) -> None:
    async def history() -> None:
        migrate(tmp_path / "box.sqlite3")
        anchor = Anchor(5_000, clock.monotonic_ms(), "")
        registry = MatchRegistry(
            Settings(), MatchStore.open(tmp_path / "box.sqlite3"), Workers(1), ServerClock(anchor)
        )
        assert 5_000 <= registry.now_ms() < 65_000
        await registry.close()

    asyncio.run(history())


# ---------------------------------------------------------------------- the lobby


def test_a_guest_cannot_fill_the_lobby(served: Served) -> None:
    with Guest(served, "Anna") as anna, Guest(served, "Ben") as ben:
        first = ben.post("/api/matches", game=GAME, opponent="lobby")["match"]
        own = [anna.post("/api/matches", game=GAME, opponent="lobby")["match"] for _ in range(5)]
        refused = anna.post("/api/matches", 429, game=GAME, opponent="friend")
        assert refused["code"] == "too-many"
        listed = [line["match"] for line in anna.get("/api/lobby")["invitations"]]
        assert listed.index(first) < listed.index(own[0]), "everybody's newest before anybody's second"
        for match in (*own, first):
            (ben if match == first else anna).post(f"/api/matches/{match}/abort")


def test_an_invitation_does_not_outlive_its_host(tmp_path: Path) -> None:
    with serving(tmp_path, host_away_s="1") as served, Guest(served, "Anna") as anna, Guest(served) as other:
        match = anna.post("/api/matches", game=GAME, opponent="lobby")["match"]
        assert [line["match"] for line in other.get("/api/lobby")["invitations"]] == [match]
        time.sleep(1.5)
        assert other.get("/api/lobby")["invitations"] == []
        with anna.socket(match) as socket:
            socket.until("state")
            time.sleep(1.5)
            assert [line["match"] for line in other.get("/api/lobby")["invitations"]] == [match]


def test_parallel_requests_do_not_get_round_the_cap_of_invitations(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        wanted = NewMatch(game="mini/3x3", opponent="lobby")
        made = await asyncio.gather(
            *(registry.new_matches.create(ANNA, wanted) for _ in range(20)), return_exceptions=True
        )
        assert sum(not isinstance(one, BaseException) for one in made) == registry.settings.max_invitations
        assert {one.code for one in made if isinstance(one, RequestError)} == {"too-many"}
        await registry.close()

    asyncio.run(history())


# ---------------------------------------------------------------------- small things


def test_damaged_notes_chat_and_names_stop_nothing(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        registry._sessions.clear()
        with closing(sqlite3.connect(tmp_path / "box.sqlite3", isolation_level=None)) as connection:
            match = session.row.id
            connection.execute("INSERT INTO notes VALUES (?, 'sou', 'a1', 'flag')", (match,))
            connection.execute("INSERT INTO notes VALUES (?, 'south', 'a1', CAST(x'ff' AS TEXT))", (match,))
            connection.execute("INSERT INTO chat VALUES (1, ?, 'south', CAST(x'ff' AS TEXT), 0)", (match,))
            connection.execute("UPDATE guests SET name = CAST(x'41ff' AS TEXT)")
        registry.store.forget_guests()
        again = await registry.session(match)
        assert again.notes[Side.SOUTH] == {"a1": "?"}
        assert msgspec.json.encode(again.state("anna", "south", 0))
        guest = await registry.store.guest("hash")
        assert guest is not None
        assert guest.name == "A?"
        await registry.close()

    asyncio.run(history())


def test_pages_that_cannot_be_looked_at_are_damage(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)

        async def fails() -> str:
            raise NotReadError("malformed")

        registry.store.quick_check = fails  # type: ignore[method-assign]
        with pytest.raises(NotReadError):
            await registry._check_pages()
        with pytest.raises(RequestError, match="damaged"):
            await registry.check_ready()
        await registry.close()

    asyncio.run(history())


def test_ids_are_no_options_of_a_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-Tr", "--x", "a-b"])
    monkeypatch.setattr("flagfall.server.store.rows.secrets.token_urlsafe", lambda _: next(drawn))
    assert new_id() == "a-b"


def test_only_its_owner_can_read_the_database(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Guest(served, "Anna"):
        modes = {file.name: file.stat().st_mode & 0o077 for file in tmp_path.glob("flagfall.*")}
    assert FILE_NAME in modes
    assert set(modes.values()) == {0}, modes
