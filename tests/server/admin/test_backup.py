"""Backups are made while the server runs, checked, and restored."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

from flagfall.server.store.match_store import FILE_NAME
from tests.cli.run import one_sentence
from tests.server.admin.data_folder import GAME, DataFolder, play_actions
from tests.server.admin.operator import Operator
from tests.server.served import Guest, friends, seal_both, serving


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
                if not play_actions(anna, ben, match, 1):
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
            assert play_actions(anna, ben, match, 2) >= 1
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
        assert play_actions(anna, ben, kept.running, 4) == 4
        served.kill()
        assert file.with_name(f"{FILE_NAME}-wal").exists(), "killed before it could tidy up"
        shutil.copy(target, file)
        for suffix in ("-wal", "-shm"):
            file.with_name(FILE_NAME + suffix).unlink(missing_ok=True)
        served.start()
        assert anna.state(kept.running)["turn"] == before
        assert play_actions(anna, ben, kept.running, 2) == 2
        assert admin(kept.folder, "verify").code == 0


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
    """The write lock is held by another process all the time, and the copy is made nevertheless."""
    kept = made.copy(tmp_path / "data")
    with closing(sqlite3.connect(kept.folder / FILE_NAME, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM chat")
        assert admin(kept.folder, "backup", tmp_path / "copy").code == 0
        writer.execute("COMMIT")
    with closing(sqlite3.connect(tmp_path / "copy")) as copy:
        assert copy.execute("SELECT count(*) FROM chat").fetchone() == (1,), "not committed, not copied"
