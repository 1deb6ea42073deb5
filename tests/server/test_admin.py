"""`flagfall admin`: on the database of a running server, without secrets, and every damage can be mended."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from flagfall.server.errors import RequestError
from flagfall.server.middleware.bans import BanError, Bans, network_of
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.settings import Settings
from flagfall.server.store.database import NotReadError
from flagfall.server.store.folder_lock import folder_lock
from flagfall.server.store.match_store import FILE_NAME, MatchStore
from flagfall.server.store.rows import BanRow
from flagfall.server.workers import Workers
from tests.cli.run import one_sentence
from tests.server.admin_at_work import Operator
from tests.server.served import Guest, Json, Served, Socket, friends, pick, seal_both, serving

GAME = "spin-master/duel"
SOON_S = 30.0


@pytest.fixture
def admin(capsys: pytest.CaptureFixture[str]) -> Iterator[Operator]:
    operator = Operator(capsys)
    yield operator
    operator.check()


@dataclass
class DataFolder:
    """A folder with the database of a server that was stopped, and what is in it."""

    folder: Path
    running: str
    over: str
    waiting: str
    timed: str
    hot_seat: str
    cookies: list[dict[str, str]]
    """of South and North of all matches between two"""

    def copy(self, folder: Path) -> DataFolder:
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return DataFolder(
            folder, self.running, self.over, self.waiting, self.timed, self.hot_seat, self.cookies
        )

    def guests(self, served: Served) -> tuple[Guest, Guest]:
        """South and North with the cookies they got before."""
        guests = Guest(served), Guest(served)
        for guest, cookies in zip(guests, self.cookies, strict=True):
            guest.http.cookies.update(cookies)
        return guests

    def execute(self, sql: str, *values: object) -> None:
        with closing(
            sqlite3.connect(self.folder / FILE_NAME, isolation_level=None, timeout=10)
        ) as connection:
            connection.execute(sql, values)

    def rows(self, sql: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(self.folder / FILE_NAME, timeout=10)) as connection:
            return connection.execute(sql, values).fetchall()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    folder = tmp_path_factory.mktemp("kept")
    with serving(folder) as served:
        anna, ben, running = friends(served, GAME)
        seal_both(anna, ben, running, GAME)
        _play(anna, ben, running, 6)
        piece = anna.state(running)["view"]["pieces"][0]["name"]
        anna.put(f"/api/matches/{running}/notes", piece=piece, text="my old spy")
        code = anna.code(GAME, "south")
        anna.put("/api/me/setups", game=GAME, side="south", name="Mine", code=code)
        anna.post(f"/api/matches/{running}/chat", phrase="hello")
        others = []
        for options in ({}, {"clock": "10m"}):
            one = anna.post("/api/matches", game=GAME, opponent="lobby", side="south", options=options)
            ben.post(f"/api/matches/{one['match']}/join")
            seal_both(anna, ben, one["match"], GAME)
            _play(anna, ben, one["match"], 4)
            others.append(one["match"])
        over, timed = others
        ben.post(f"/api/matches/{over}/resign")
        waiting = anna.post("/api/matches", game=GAME, opponent="friend")["match"]
        hot_seat = ben.post("/api/matches", game="mini/3x3", opponent="hot-seat", side="south")["match"]
        cookies = [dict(guest.http.cookies) for guest in (anna, ben)]
    return DataFolder(folder, running, over, waiting, timed, hot_seat, cookies)


def _play(anna: Guest, ben: Guest, match: str, actions: int) -> int:
    """Play so many actions, quiet ones so that the game goes on; how many it were."""
    rng = Random(match)
    for at in range(actions):
        state = anna.state(match)
        if state["phase"] != "playing":
            return at
        mover = anna if state["to_move"] == "south" else ben
        state = mover.state(match)
        quiet = [one for one in state["choices"] if one["verb"] == "move" and not one["is_attack"]]
        action = rng.choice(quiet or state["choices"])["action"]
        mover.post(f"/api/matches/{match}/act", number=state["number"], action=action)
    return actions


def _until(socket: Socket, what: str, **having: object) -> Json:
    """The next message of that sort, refusals included."""
    until = time.monotonic() + SOON_S
    while time.monotonic() < until:
        message = socket.hear(SOON_S)
        if message["what"] == what and all(message[name] == value for name, value in having.items()):
            return message
    raise AssertionError(f"no {what} came")


# ---------------------------------------------------------------------- backup and restore


def test_a_backup_made_while_moves_are_made_is_restored_and_played_on(
    tmp_path: Path, admin: Operator
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    target = tmp_path / "backup.sqlite3"
    played: list[int] = []
    with serving(first) as served:
        anna, ben, match = friends(served, GAME)
        seal_both(anna, ben, match, GAME)
        stopped = threading.Event()

        def play() -> None:
            while not stopped.is_set():
                if not _play(anna, ben, match, 1):
                    return
                played.append(1)

        player = threading.Thread(target=play)
        player.start()
        for at in range(3):
            facts = admin.facts(first, "backup", target, *(["--force"] if at else []))
            assert facts["matches"] == 1
            assert facts["guests"] == 2
        number = anna.state(match)["number"]
        stopped.set()
        player.join(timeout=60)
        assert played, "moves were made meanwhile"
        refused = one_sentence(admin(first, "restore", target))
        assert "uses the data folder" in refused
        cookies = [dict(guest.http.cookies) for guest in (anna, ben)]
        truth = anna.state(match)
        assert admin(first, "verify").code == 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert not list(tmp_path.glob(".*part*")), "nothing unfinished is left"
    restored = admin.facts(second, "restore", target)
    assert restored["kept"] is None
    with serving(second) as served:
        assert admin.facts(second, "verify")["problems"] == []
        anna, ben = Guest(served), Guest(served)
        for guest, known in zip((anna, ben), cookies, strict=True):
            guest.http.cookies.update(known)
        state = anna.state(match)
        assert state["viewer"] == "south"
        assert state["number"] <= max(number, truth["number"])
        assert [piece["name"] for piece in state["view"]["pieces"] if piece["side"] == "south"]
        if state["phase"] == "playing":
            assert _play(anna, ben, match, 2) >= 1
        anna.post("/api/matches", game=GAME, opponent="lobby")


def test_restore_keeps_the_database_from_before(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path / "data")
    target = tmp_path / "backup.sqlite3"
    admin.facts(kept.folder, "backup", target)
    kept.execute("DELETE FROM log WHERE match_id = ?", kept.running)
    facts = admin.facts(kept.folder, "restore", target)
    assert kept.rows("SELECT count(*) FROM log WHERE match_id = ?", kept.running) != [(0,)]
    with closing(sqlite3.connect(facts["kept"])) as before:
        assert before.execute("SELECT count(*) FROM log WHERE match_id = ?", (kept.running,)).fetchone() == (
            0,
        )
    assert not (kept.folder / f"{FILE_NAME}-wal").exists()
    assert admin(kept.folder, "verify").code == 0


def test_a_backup_is_restored_by_hand(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    """As docs/operate.md says: stop, put the file in place, remove -wal and -shm, start."""
    kept = made.copy(tmp_path / "data")
    file, target = kept.folder / FILE_NAME, tmp_path / "backup.sqlite3"
    with serving(kept.folder) as served:
        anna, ben = kept.guests(served)
        admin.facts(kept.folder, "backup", target)
        before = anna.state(kept.running)["turn"]
        assert _play(anna, ben, kept.running, 4) == 4
        served.kill()
        assert file.with_name(f"{FILE_NAME}-wal").exists(), "killed before it could tidy up"
        shutil.copy(target, file)
        for suffix in ("-wal", "-shm"):
            file.with_name(FILE_NAME + suffix).unlink(missing_ok=True)
        served.start()
        assert anna.state(kept.running)["turn"] == before
        assert _play(anna, ben, kept.running, 2) == 2
        assert admin(kept.folder, "verify").code == 0


def test_a_change_that_could_not_be_looked_at_is_looked_at_later(
    tmp_path: Path, made: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ban comes just when the database cannot be read: it takes effect as soon as it can."""
    kept = made.copy(tmp_path)
    monkeypatch.setattr("flagfall.server.sessions.registry.FOLLOW_EVERY_S", 0.05)

    async def history() -> None:
        store = MatchStore.open(kept.folder / FILE_NAME)
        registry = MatchRegistry(Settings(), store, Workers(1))
        await registry.follow_bans()
        registry.bans.refuse_guest("somebody", 0)
        load, failures = store.bans, [NotReadError("x"), NotReadError("x")]

        async def fails() -> list[BanRow]:
            if failures:
                raise failures.pop()
            return await load()

        monkeypatch.setattr(store, "bans", fails)
        kept.execute("INSERT INTO bans VALUES ('somebody', '', 0, NULL)")
        following = asyncio.create_task(registry.follow_database())
        async with asyncio.timeout(SOON_S):
            while not _is_banned(registry, "somebody"):
                await asyncio.sleep(0.02)
        assert not failures
        following.cancel()
        await registry.close()

    asyncio.run(history())


def _is_banned(registry: MatchRegistry, guest: str) -> bool:
    try:
        registry.bans.refuse_guest(guest, 0)
    except RequestError:
        return True
    return False


def test_backups_are_refused_with_a_sentence(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path / "data")
    target = tmp_path / "backup.sqlite3"
    target.write_text("mine")
    for file, why in (
        (target, "exists already"),
        (tmp_path, "is a folder"),
        (kept.folder / FILE_NAME, "is the database itself"),
        (tmp_path / "no" / "such", "There is no folder"),
    ):
        assert why in one_sentence(admin(kept.folder, "backup", file))
    assert target.read_text() == "mine"
    assert "There is no database" in one_sentence(admin(tmp_path, "backup", tmp_path / "b"))
    assert "not a database" in one_sentence(admin(kept.folder, "restore", target))
    with closing(sqlite3.connect(tmp_path / "other.sqlite3")) as other:
        other.execute("CREATE TABLE hello (world)")
    assert "not one of a Flagfall server" in one_sentence(
        admin(kept.folder, "restore", tmp_path / "other.sqlite3")
    )
    assert admin(kept.folder, "verify").code == 0
    assert not list(tmp_path.rglob("*.part*"))


def test_a_backup_does_not_wait_for_writers_nor_they_for_it(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    """The write lock is held by somebody else all the time, and the copy is made nevertheless."""
    kept = made.copy(tmp_path / "data")
    with closing(sqlite3.connect(kept.folder / FILE_NAME, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM chat")
        assert admin(kept.folder, "backup", tmp_path / "copy").code == 0
        writer.execute("COMMIT")
    with closing(sqlite3.connect(tmp_path / "copy")) as copy:
        assert copy.execute("SELECT count(*) FROM chat").fetchone() == (1,), "not committed, not copied"


# ---------------------------------------------------------------------- verify and repair

LOG_DAMAGE = {
    "cut short": ("UPDATE log SET entry = substr(entry, 1, 20) WHERE match_id = ? AND number = 4", 4),
    "no JSON object": ("UPDATE log SET entry = 'null' WHERE match_id = ? AND number = 3", 3),
    "not text": ("UPDATE log SET entry = x'00ff' WHERE match_id = ? AND number = 3", 3),
    "not UTF-8": ("UPDATE log SET entry = cast(x'ff22' AS TEXT) WHERE match_id = ? AND number = 3", 3),
    "two in one": ("UPDATE log SET entry = entry || ',' || entry WHERE match_id = ? AND number = 3", 3),
    "missing": ("DELETE FROM log WHERE match_id = ? AND number = 5", 5),
    "another number": (
        "UPDATE log SET entry = replace(entry, '\"number\":4', '\"number\":7') "
        "WHERE match_id = ? AND number = 4",
        4,
    ),
    "cannot be": (
        'UPDATE log SET entry = \'{"what":"acted","number":4,"at_ms":99999999999999,"seat":"north",'
        '"text":"a1-a9"}\' WHERE match_id = ? AND number = 4',
        4,
    ),
    "earlier": (
        "UPDATE log SET entry = json_set(entry, '$.at_ms', 5) WHERE match_id = ? AND number = 5",
        5,
    ),
    "other setup": (
        "UPDATE log SET entry = json_set(entry, '$.setup', 'F') WHERE match_id = ? AND number = 2",
        2,
    ),
    "first entry": ("UPDATE log SET entry = '{}' WHERE match_id = ? AND number = 0", 0),
    "no log": ("DELETE FROM log WHERE match_id = ?", 0),
}
ROW_DAMAGE = {
    "status": "UPDATE matches SET status = 'over' WHERE id = ?",
    "waiting": "UPDATE matches SET status = 'waiting' WHERE id = ?",
    "set aside": "UPDATE matches SET status = 'damaged' WHERE id = ?",
    "no status": "UPDATE matches SET status = 'whatever' WHERE id = ?",
    "winner": "UPDATE matches SET winner = 'south' WHERE id = ?",
    "reason": "UPDATE matches SET reason = 'resigned' WHERE id = ?",
    "to_move": "UPDATE matches SET to_move = '' WHERE id = ?",
    "falls_at_ms": "UPDATE matches SET falls_at_ms = 5 WHERE id = ?",
    "options": "UPDATE matches SET options = '{' WHERE id = ?",
    "game": "UPDATE matches SET game = 'no/such' WHERE id = ?",
    "other game": "UPDATE matches SET game = 'mini/3x3' WHERE id = ?",
    "host_side": "UPDATE matches SET host_side = 'up' WHERE id = ?",
    "opponent": "UPDATE matches SET opponent = 'dog' WHERE id = ?",
    "created_ms": "UPDATE matches SET created_ms = 'then' WHERE id = ?",
    "seed": "UPDATE matches SET seed = x'00' WHERE id = ?",
    "name": "UPDATE matches SET south_name = '' WHERE id = ?",
}


def test_a_sound_database_is_sound(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    facts = admin.facts(kept.folder, "verify")
    assert facts["problems"] == []
    assert facts["matches"] == 5
    assert admin.facts(kept.folder, "repair", "--yes")["repairs"] == []
    assert "no match" in one_sentence(admin(kept.folder, "verify", "--match", "nothing"))
    assert "no match" in one_sentence(admin(kept.folder, "repair", "--match", "nothing"))


@pytest.mark.parametrize("kind", LOG_DAMAGE)
def test_damage_in_a_log_is_found_and_cut_out(
    tmp_path: Path, made: DataFolder, admin: Operator, kind: str
) -> None:
    kept = made.copy(tmp_path)
    before = kept.rows("SELECT number, entry FROM log WHERE match_id = ? ORDER BY number", kept.running)
    sql, entry = LOG_DAMAGE[kind]
    kept.execute(sql, kept.running)
    (problem,) = admin.facts(kept.folder, "verify", code=1)["problems"]
    assert (problem["match"], problem["entry"]) == (kept.running, entry)
    damaged = kept.rows("SELECT number, hex(entry) FROM log ORDER BY match_id, number")
    assert admin(kept.folder, "repair").code == 0
    assert kept.rows("SELECT number, hex(entry) FROM log ORDER BY match_id, number") == damaged, "a dry run"
    facts = admin.facts(kept.folder, "repair", "--yes")
    assert [one["match"] for one in facts["repairs"]] == [kept.running]
    assert stat.S_IMODE(Path(facts["kept"]).stat().st_mode) == 0o600
    assert json.loads(Path(facts["kept"]).read_text())["match"] == kept.running
    assert admin.facts(kept.folder, "verify")["problems"] == []
    after = kept.rows("SELECT number, entry FROM log WHERE match_id = ? ORDER BY number", kept.running)
    if entry:
        assert after == before[:entry], "all that was sound is still there"
    assert kept.rows("SELECT status FROM matches WHERE id = ?", kept.running) == [("running",)]
    assert kept.rows("SELECT count(*) FROM log WHERE match_id <> ?", kept.running) == made.rows(
        "SELECT count(*) FROM log WHERE match_id <> ?", kept.running
    )


@pytest.mark.parametrize("kind", ROW_DAMAGE)
def test_a_row_that_disagrees_with_its_log_is_found_and_mended(
    tmp_path: Path, made: DataFolder, admin: Operator, kind: str
) -> None:
    kept = made.copy(tmp_path)
    columns = "game, options, status, to_move, falls_at_ms, winner, reason, south_name, created_ms"
    before = kept.rows(f"SELECT {columns} FROM matches WHERE id = ?", kept.timed)
    kept.execute(ROW_DAMAGE[kind], kept.timed)
    (problem,) = admin.facts(kept.folder, "verify", "--match", kept.timed, code=1)["problems"]
    assert (problem["match"], problem["entry"]) == (kept.timed, None)
    assert admin(kept.folder, "verify", "--match", kept.running).code == 0
    assert admin.facts(kept.folder, "repair", "--match", kept.timed, "--yes")["is_done"]
    assert admin.facts(kept.folder, "verify")["problems"] == []
    (after,) = kept.rows(f"SELECT {columns} FROM matches WHERE id = ?", kept.timed)
    if kind == "created_ms":
        assert abs(after[-1] - before[0][-1]) < 60_000
        after = (*after[:-1], before[0][-1])
    assert after == before[0]


def test_references_to_nothing_are_found_and_mended(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    kept = made.copy(tmp_path)
    guest = kept.rows("SELECT north FROM matches WHERE id = ?", kept.running)[0][0]
    kept.execute("DELETE FROM guests WHERE id = ?", guest)
    kept.execute("DELETE FROM matches WHERE id = ?", kept.timed)
    kept.execute("UPDATE setups SET guest = 'nobody'")
    found = admin.facts(kept.folder, "verify", code=1)["problems"]
    assert {problem["code"] for problem in found} == {"reference"}
    assert kept.timed in {problem["match"] for problem in found}
    facts = admin.facts(kept.folder, "repair", "--yes")
    assert {one["action"] for one in facts["repairs"]} == {"guest", "rows"}
    assert admin.facts(kept.folder, "verify")["problems"] == []


def test_what_cannot_be_mended_stays_set_aside(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    kept.execute("DELETE FROM log WHERE match_id = ?", kept.running)
    kept.execute("UPDATE matches SET game = 'no/such' WHERE id = ?", kept.running)
    (one,) = admin.facts(kept.folder, "repair", "--yes", code=1)["repairs"]
    assert one["action"] == "none"
    assert kept.rows("SELECT status FROM matches WHERE id = ?", kept.running) == [("damaged",)]
    kept.execute("UPDATE matches SET updated_ms = 5 WHERE id = ?", kept.running)
    assert admin.facts(kept.folder, "prune", "--yes")["damaged"] == 0
    assert admin.facts(kept.folder, "prune", "--damaged", "--yes")["damaged"] == 1
    assert admin.facts(kept.folder, "verify")["problems"] == []


def test_a_damaged_invitation_is_ended(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    kept.execute("UPDATE matches SET status = 'damaged' WHERE id = ?", kept.waiting)
    (one,) = admin.facts(kept.folder, "repair", "--yes")["repairs"]
    assert one["action"] == "end"
    assert admin.facts(kept.folder, "verify")["problems"] == []


def test_a_match_is_mended_while_the_server_runs_and_played_on(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    kept = made.copy(tmp_path)
    kept.execute("UPDATE log SET entry = 'null' WHERE match_id = ? AND number = 7", kept.running)
    kept.execute("DELETE FROM log WHERE match_id = ?", kept.timed)
    with serving(kept.folder) as served:
        anna, ben = kept.guests(served)
        for match in (kept.running, kept.timed):
            assert anna.state(match, status=409)["code"] == "damaged"
        assert len(admin.facts(kept.folder, "verify", code=1)["problems"]) == 2
        assert len(admin.facts(kept.folder, "repair", "--yes")["repairs"]) == 2
        state = anna.state(kept.running)
        assert state["phase"] == "playing"
        assert _play(anna, ben, kept.running, 3) == 3
        assert anna.state(kept.timed)["phase"] == "setup"
        seal_both(anna, ben, kept.timed, GAME)
        assert _play(anna, ben, kept.timed, 2) == 2
        assert admin.facts(kept.folder, "verify")["problems"] == []
        kept.execute("UPDATE log SET entry = 'null' WHERE match_id = ? AND number = 5", kept.running)
        admin.facts(kept.folder, "repair", "--yes")
        until = time.monotonic() + SOON_S
        while anna.state(kept.running)["turn"] > 2 and time.monotonic() < until:
            time.sleep(0.2)
        assert _play(anna, ben, kept.running, 2) == 2, "a match in memory follows its mended log"
        assert admin.facts(kept.folder, "verify")["problems"] == []


def test_bytes_that_are_no_text_damage_one_match_only(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    """Neither lists nor the clocks of other matches stop for them, also at the start of the server."""
    kept = made.copy(tmp_path)
    copies = {"utf8": "log", "blob": "log", "row": "matches"}
    columns = [row[1] for row in kept.rows("PRAGMA table_info(matches)")]
    values = ", ".join({"id": "?", "invitation": "NULL"}.get(name, name) for name in columns)
    for one in copies:
        kept.execute(f"INSERT INTO matches SELECT {values} FROM matches WHERE id = ?", one, kept.timed)
        kept.execute("INSERT INTO log SELECT ?, number, entry FROM log WHERE match_id = ?", one, kept.timed)
    kept.execute("UPDATE log SET entry = cast(x'ff22' AS TEXT) WHERE match_id = 'utf8' AND number = 3")
    kept.execute("UPDATE log SET entry = x'00ff' WHERE match_id = 'blob' AND number = 3")
    kept.execute("UPDATE matches SET south_name = cast(x'ff22' AS TEXT) WHERE id = 'row'")
    kept.execute("UPDATE matches SET created_ms = created_ms + 1 WHERE id = ?", kept.timed)
    with serving(kept.folder) as served:
        anna, ben = kept.guests(served)
        for one in copies:
            assert anna.state(one, status=409)["code"] == "damaged"
        assert kept.timed in {line["match"] for line in anna.get("/api/lobby")["running"]}
        assert kept.timed in {line["match"] for line in anna.get("/api/me/matches")["matches"]}
        assert {one["match"] for one in admin.facts(kept.folder, "verify", code=1)["problems"]} == set(copies)
        assert len(admin.facts(kept.folder, "repair", "--yes")["repairs"]) == 3
        for one in copies:
            assert anna.state(one)["phase"] == "playing"
            assert _play(anna, ben, one, 1) == 1
        log = served.log()
        assert "Traceback" not in log
        assert "status=50" not in log


# ---------------------------------------------------------------------- a damaged file


def _spoil(kept: DataFolder, match: str) -> None:
    """Overwrite the page of the file that holds entry 3 of a log."""
    size = _folded(kept)
    ((text,),) = kept.rows("SELECT entry FROM log WHERE match_id = ? AND number = 3", match)
    data = bytearray((kept.folder / FILE_NAME).read_bytes())
    page = data.index(f"{match}\x03{text}".encode()) // size
    data[page * size : (page + 1) * size] = b"\xff" * size
    (kept.folder / FILE_NAME).write_bytes(bytes(data))


def _folded(kept: DataFolder) -> int:
    """Have everything in one file; the size of its pages."""
    with closing(sqlite3.connect(kept.folder / FILE_NAME)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
        return int(connection.execute("PRAGMA page_size").fetchone()[0])


def test_a_damaged_file_is_rescued_row_by_row(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    copies = 150
    for at in range(copies):
        columns = [row[1] for row in kept.rows("PRAGMA table_info(matches)")]
        values = ", ".join({"id": "? || id", "invitation": "NULL"}.get(name, name) for name in columns)
        kept.execute(f"INSERT INTO matches SELECT {values} FROM matches WHERE id = ?", f"{at}-", kept.over)
        kept.execute(
            "INSERT INTO log SELECT ? || match_id, number, entry FROM log WHERE match_id = ?",
            f"{at}-",
            kept.over,
        )
    assert admin(kept.folder, "verify").code == 0
    _spoil(kept, f"70-{kept.over}")
    assert admin(kept.folder, "verify").code == 1
    with folder_lock(kept.folder):
        assert "uses the data folder" in one_sentence(admin(kept.folder, "repair", "--yes"))
    before = (kept.folder / FILE_NAME).read_bytes()
    assert admin.facts(kept.folder, "repair")["is_done"] is False
    assert (kept.folder / FILE_NAME).read_bytes() == before
    facts = admin.facts(kept.folder, "repair", "--yes")
    assert Path(facts["old_file"]).read_bytes() == before
    assert admin.facts(kept.folder, "verify")["problems"] == []
    sound = kept.rows("SELECT count(*) FROM matches WHERE status = 'over' AND reason = 'resigned'")[0][0]
    assert sound > copies // 2, "most matches lost nothing"
    assert not list(kept.folder.glob(".*part*"))
    with serving(kept.folder) as served:
        anna, ben = kept.guests(served)
        if anna.state(kept.running)["phase"] == "setup":
            seal_both(anna, ben, kept.running, GAME)
        assert _play(anna, ben, kept.running, 2) == 2


def test_a_damaged_index_loses_nothing(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    size = _folded(kept)
    page = kept.rows("SELECT rootpage FROM sqlite_master WHERE name = 'matches_by_status'")[0][0]
    data = bytearray((kept.folder / FILE_NAME).read_bytes())
    data[(page - 1) * size : page * size] = b"\x00" * size
    (kept.folder / FILE_NAME).write_bytes(bytes(data))
    assert admin(kept.folder, "verify").code == 1
    admin.facts(kept.folder, "repair", "--yes")
    assert admin.facts(kept.folder, "verify")["problems"] == []
    for table in ("guests", "matches", "log", "chat", "notes", "setups", "meta"):
        assert sorted(kept.rows(f"SELECT * FROM {table}")) == sorted(made.rows(f"SELECT * FROM {table}"))


def test_a_file_that_is_no_database_is_told(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    for suffix in ("-wal", "-shm"):
        (kept.folder / (FILE_NAME + suffix)).unlink(missing_ok=True)
    (kept.folder / FILE_NAME).write_bytes(b"no database at all " * 1000)
    assert admin(kept.folder, "verify").code == 1
    assert "restore a backup" in one_sentence(admin(kept.folder, "repair", "--yes"))
    assert "damaged" in one_sentence(admin(kept.folder, "matches"))
    assert "flagfall admin repair" in _serve_says(kept.folder)


def test_a_newer_database_is_refused_with_a_sentence(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    kept = made.copy(tmp_path / "data")
    admin.facts(kept.folder, "backup", tmp_path / "backup")
    kept.execute("UPDATE alembic_version SET version_num = '0999'")
    said = _serve_says(kept.folder)
    assert "newer version of Flagfall (schema 0999" in said
    assert "restore a backup made before the upgrade" in said
    assert "newer version" in one_sentence(admin(kept.folder, "matches"))
    admin.facts(kept.folder, "backup", tmp_path / "newer")
    admin.facts(kept.folder, "restore", tmp_path / "backup")
    assert "newer version" in one_sentence(admin(kept.folder, "restore", tmp_path / "newer"))
    assert admin(kept.folder, "verify").code == 0


def _serve_says(folder: Path) -> str:
    command = [sys.executable, "-c", "from flagfall.cli import main; main()", "serve", "--port", "0"]
    ran = subprocess.run(
        [*command, "--data", str(folder)], capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
    return ran.stderr


# ---------------------------------------------------------------------- matches and close


def test_matches_are_listed(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    every = {one["match"]: one for one in admin.facts(kept.folder, "matches")}
    assert set(every) == {kept.running, kept.over, kept.waiting, kept.timed, kept.hot_seat}
    over = every[kept.over]
    assert (over["winner"], over["reason"], over["south"], over["north"]) == (
        "south",
        "resigned",
        "Anna",
        "Ben",
    )
    assert over["entries"] == 8
    for arguments, wanted in (
        (("--status", "over"), {kept.over}),
        (("--status", "waiting"), {kept.waiting}),
        (("--game", "mini/3x3"), {kept.hot_seat}),
        (("--guest", over["south_guest"]), {kept.running, kept.over, kept.timed, kept.waiting}),
    ):
        found = admin.facts(kept.folder, "matches", *arguments)
        assert {one["match"] for one in found} == wanted
    assert len(admin.facts(kept.folder, "matches", "--limit", 2)) == 2
    assert "no status" in one_sentence(admin(kept.folder, "matches", "--status", "lost"))


def test_a_closed_match_is_told_to_both_players(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    with serving(kept.folder) as served:
        anna, ben = kept.guests(served)
        with anna.socket(kept.timed) as south, ben.socket(kept.timed) as north:
            south.until("state")
            north.until("state")
            closed = admin.facts(kept.folder, "close", kept.timed, "--reason", "somebody cheated")
            assert (closed["status"], closed["reason"]) == ("over", "aborted")
            for socket in (south, north):
                state = _until(socket, "state", phase="over")
                assert state["result"]["reason"] == "aborted"
                assert "cheated" not in "".join(socket.heard)
        assert ben.post(f"/api/matches/{kept.timed}/resign", 409)["code"] == "finished"
        with anna.socket(kept.waiting) as host:
            assert host.until("state")["phase"] == "waiting"
            admin(kept.folder, "close", kept.waiting)
            assert _until(host, "state", phase="over")
        assert ben.post(f"/api/matches/{kept.waiting}/join", 403)
        assert "over already" in one_sentence(admin(kept.folder, "close", kept.over))
        assert "no match" in one_sentence(admin(kept.folder, "close", "nothing"))
        listed = {one["match"]: one for one in admin.facts(kept.folder, "matches")}
        assert listed[kept.timed]["closed_because"] == "somebody cheated"
        assert admin.facts(kept.folder, "verify")["problems"] == []
        served.stop()
        served.start()
        assert anna.state(kept.timed)["phase"] == "over"


def test_a_match_is_closed_while_it_is_being_played(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    kept = made.copy(tmp_path)
    with serving(kept.folder) as served:
        anna, ben = kept.guests(served)
        codes: list[int] = []

        def play() -> None:
            rng = Random(1)
            while True:
                state = anna.state(kept.running)
                if state["phase"] == "over":
                    return
                mover = anna if state["to_move"] == "south" else ben
                state = mover.state(kept.running)
                if not state["choices"]:
                    continue
                body = {"number": state["number"], "action": pick(state, rng)["action"]}
                codes.append(mover.http.post(f"/api/matches/{kept.running}/act", json=body).status_code)

        player = threading.Thread(target=play)
        player.start()
        time.sleep(0.3)
        ran = admin(kept.folder, "close", kept.running)
        player.join(timeout=60)
        assert not player.is_alive()
        assert ran.code == 0 or "over already" in ran.err
        assert set(codes) <= {200, 409, 503}
        assert admin.facts(kept.folder, "verify")["problems"] == []


# ---------------------------------------------------------------------- bans


def test_a_banned_guest_is_not_served(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    with serving(kept.folder) as served:
        anna, ben = kept.guests(served)
        guest = kept.rows("SELECT north FROM matches WHERE id = ?", kept.running)[0][0]
        with anna.socket(kept.running) as south, ben.socket(kept.running) as north:
            south.until("state")
            north.until("state")
            admin.facts(kept.folder, "ban", guest, "--for", "7d", "--reason", "between us")
            refused = _until(north, "refused")
            assert refused["code"] == "banned"
            assert "until 2" in refused["sentence"]
            assert "between us" not in refused["sentence"]
            with pytest.raises(ConnectionClosed):
                north.hear(SOON_S)
            south.send(do="ping", id="1")
            assert _until(south, "pong")
        assert ben.get("/api/me", 403)["code"] == "banned"
        assert ben.post(f"/api/matches/{kept.running}/resign", 403)["code"] == "banned"
        with ben.socket(kept.running) as socket:
            assert socket.hear()["code"] == "banned"
        anna.get("/api/me")
        served.stop()
        served.start()
        assert ben.get("/api/me", 403)["code"] == "banned", "also after a restart"
        assert [one["subject"] for one in admin.facts(kept.folder, "ban", "--list")] == [guest]
        admin.facts(kept.folder, "ban", guest, "--reason", "You know why", "--tell")
        _soon(lambda: "You know why" in ben.http.get("/api/me").text)
        assert admin(kept.folder, "ban", "--list").code == 0
        admin.facts(kept.folder, "ban", "--lift", guest)
        _soon(lambda: ben.http.get("/api/me").status_code == 200)
        admin.facts(kept.folder, "ban", guest, "--for", "4s")
        _soon(lambda: ben.http.get("/api/me").status_code == 403)
        _soon(lambda: ben.http.get("/api/me").status_code == 200)


def test_a_banned_address_is_not_served(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    with serving(kept.folder) as served:
        anna, _ = kept.guests(served)
        with anna.socket(kept.running) as south:
            south.until("state")
            assert admin(kept.folder, "ban", "127.0.0.0/8").code == 0
            assert _until(south, "refused")["code"] == "banned"
        stranger = Guest(served)
        assert stranger.get("/api/games", 403)["code"] == "banned"
        assert stranger.http.get("/").status_code == 403
        assert stranger.post("/api/guests", 403, name="Eve")["code"] == "banned"
        assert stranger.get("/health")["status"] == stranger.get("/ready")["status"] == "ok"
        admin(kept.folder, "ban", "--lift", "127.0.0.0/8")
        _soon(lambda: stranger.http.get("/api/games").status_code == 200)
        with anna.socket(kept.running) as south:
            south.until("state")


def test_behind_a_proxy_the_players_address_is_banned_and_not_the_proxys(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    kept = made.copy(tmp_path)
    assert admin(kept.folder, "ban", "203.0.113.9").code == 0
    assert admin(kept.folder, "ban", "2001:db8:1:2::9").code == 0
    with serving(kept.folder, trusted_proxies="127.0.0.1") as served, Guest(served) as guest:

        def answer(forwarded: str) -> int:
            headers = {"X-Forwarded-For": forwarded}
            return guest.http.get("/api/games", headers=headers).status_code

        assert answer("203.0.113.9") == answer("2001:db8:1:2:3::4") == 403
        assert answer("198.51.100.1, 203.0.113.9") == 403, "only what the proxy has added is believed"
        assert answer("203.0.113.9, 198.51.100.1") == answer("203.0.113.8") == 200


def _soon(claim: Any) -> None:
    until = time.monotonic() + SOON_S
    while not claim():
        assert time.monotonic() < until
        time.sleep(0.1)


def test_bans_are_refused_with_a_sentence(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    for arguments, why in (
        (("nobody",), "no guest nobody"),
        (("0.0.0.0/0",), "too large"),
        (("::/0",), "too large"),
        (("192.0.2.1", "--for", "soon"), "such as 30m"),
        (("192.0.2.1", "--for", "0d"), "choose a span"),
        (("192.0.2.1", "--reason", "x" * 500), "at most"),
        (("192.0.2.1", "--tell"), "no reason to tell"),
        (("--lift", "192.0.2.1"), "is not banned"),
        ((), "Name whom to ban"),
        (("192.0.2.1", "--list"), "Name whom to ban"),
    ):
        assert why in one_sentence(admin(kept.folder, "ban", *arguments))
    assert admin.facts(kept.folder, "ban", "--list") == []


def test_addresses_are_banned_by_network() -> None:
    bans = Bans()
    rows = [
        BanRow(network_of(text) or "", "", 0, until)
        for text, until in (
            ("192.0.2.7", None),
            ("198.51.100.0/24", None),
            ("2001:db8:1:2::5", None),
            ("203.0.113.1", 1_000),
        )
    ]
    assert bans.load(rows)
    assert not bans.load(rows), "nothing has changed"
    refused = ("192.0.2.7", "::ffff:192.0.2.7", "198.51.100.255", "2001:db8:1:2:ffff::", "2001:db8:1:2::/64")
    for address in refused:
        with pytest.raises(RequestError, match="banned"):
            bans.refuse_address(address, 5_000)
    for address in ("192.0.2.8", "198.51.101.0", "2001:db8:1:3::5", "203.0.113.1", "", "testclient"):
        bans.refuse_address(address, 5_000)
    with pytest.raises(RequestError, match="until 1970-01-01 00:00 UTC"):
        bans.refuse_address("203.0.113.1", 999)
    with pytest.raises(BanError):
        network_of("1.2.3.4/1")
    bans.load([BanRow("0.0.0.0/0", "", 0, None), BanRow("guest", "", 0, None)])
    bans.refuse_address("192.0.2.7", 0)
    bans.refuse_guest(None, 0)
    with pytest.raises(RequestError):
        bans.refuse_guest("guest", 0)


# ---------------------------------------------------------------------- prune


def test_prune_deletes_what_is_old_and_nothing_else(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    kept = made.copy(tmp_path)
    kept.execute("UPDATE matches SET updated_ms = 5 WHERE id IN (?, ?)", kept.timed, kept.over)
    kept.execute("INSERT INTO guests VALUES ('old', 'Old', 'hash of old', 5)")
    kept.execute("INSERT INTO guests VALUES ('new', 'New', 'hash of new', 99999999999999)")
    kept.execute("INSERT INTO bans VALUES ('ended', '', 5, 6), ('lasting', '', 5, NULL)")
    with serving(kept.folder) as served:
        anna, _ = kept.guests(served)
        anna.state(kept.timed)
        counts = {"unfinished": 1, "finished": 0, "damaged": 0, "guests": 1, "bans": 1}
        facts = admin.facts(kept.folder, "prune")
        assert {name: facts[name] for name in counts} == counts
        assert not facts["is_done"]
        assert kept.rows("SELECT count(*) FROM matches") == [(5,)]
        assert admin(kept.folder, "prune", "--older-than", "2w").code == 0
        facts = admin.facts(kept.folder, "prune", "--yes")
        assert {name: facts[name] for name in counts} == counts
        assert kept.rows("SELECT id FROM guests WHERE id IN ('old', 'new')") == [("new",)]
        assert kept.rows("SELECT subject FROM bans") == [("lasting",)]
        _soon(lambda: anna.http.get(f"/api/matches/{kept.timed}/state").status_code == 404)
        assert anna.state(kept.running)["phase"] == "playing"
        assert admin.facts(kept.folder, "prune", "--finished", "--yes")["finished"] == 1
        assert admin(kept.folder, "prune", "--yes").code == 0
        assert admin.facts(kept.folder, "verify")["problems"] == []
        assert "such as 30m" in one_sentence(admin(kept.folder, "prune", "--older-than", "always"))
        log = served.log()
        assert "Traceback" not in log
        assert "status=500" not in log


# ---------------------------------------------------------------------- what is imported


def test_help_is_quick() -> None:
    code = (
        "import sys\nfrom flagfall.cli import main\n"
        "try: main(['admin', '--help'])\nexcept SystemExit: pass\n"
        "print([name for name in ('sqlalchemy', 'fastapi', 'numpy', 'alembic') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.rstrip().endswith("[]")
