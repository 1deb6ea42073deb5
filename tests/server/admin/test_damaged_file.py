"""A damaged file is rescued row by row; other files are refused with a sentence."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from flagfall.server.store.folder_lock import folder_lock
from flagfall.server.store.match_store import FILE_NAME
from tests.cli.run import one_sentence
from tests.server.admin.data_folder import GAME, DataFolder, play_actions
from tests.server.admin.operator import Operator
from tests.server.served import seal_both, serving


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
    columns = [row[1] for row in kept.rows("PRAGMA table_info(matches)")]
    values = ", ".join({"id": "? || id", "invitation": "NULL"}.get(name, name) for name in columns)
    prefixes = [(f"{at}-", kept.over) for at in range(copies)]
    with closing(sqlite3.connect(kept.folder / FILE_NAME)) as connection, connection:
        connection.executemany(f"INSERT INTO matches SELECT {values} FROM matches WHERE id = ?", prefixes)
        connection.executemany(
            "INSERT INTO log SELECT ? || match_id, number, entry FROM log WHERE match_id = ?", prefixes
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
        assert play_actions(anna, ben, kept.running, 2) == 2


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
