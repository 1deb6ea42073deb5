"""Copy the readable rows of a damaged database file into a new one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flagfall.edition.versions import VERSIONS
from flagfall.files import part_file
from flagfall.server.admin.database_file import (
    OWNER_ONLY,
    AdminError,
    ProgressCallback,
    admin_errors,
    connect,
    database_file,
    ignore_progress,
    leave_wal_mode,
    locked_folder,
    replace_database,
    sync,
    transaction,
)
from flagfall.server.store.box_store import versions_in
from flagfall.server.store.migrate import migrate
from flagfall.server.store.tables import TABLE_NAMES

MAX_QUERIES = 200_000
"""queries of one table before the rest of it is given up"""
MAX_ROWID = 1 << 40


@dataclass
class Recovered:
    """What could be read of a damaged file, and where everything is now."""

    rows: dict[str, int] = field(default_factory=dict)
    lost: int = 0
    """rows that are known to be there and cannot be read"""
    kept: str = ""
    old_file: str = ""


def recover(
    folder: Path,
    repair_rows: Callable[[sqlite3.Connection], str],
    *,
    is_applied: bool,
    advance: ProgressCallback = ignore_progress,
) -> Recovered:
    """Copy every readable row into a new file, repair that, and replace the damaged one by it.

    The folder must not be in use by a server. Without ``is_applied`` the new file is only examined.
    """
    file = database_file(folder)
    found = Recovered()
    with locked_folder(folder), part_file(file, OWNER_ONLY) as part:
        with admin_errors(part):
            migrate(part)
            with closing(connect(part)) as new, VERSIONS.source(versions_in(part)):
                _copy(file, new, found, advance)
                if not found.rows.get("matches") and not found.rows.get("guests"):
                    raise AdminError(f"Nothing can be read of {file}; restore a backup")
                found.kept = repair_rows(new)
                new.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                leave_wal_mode(new)
        if is_applied:
            sync(part)
            found.old_file = str(replace_database(part, file, "damaged"))
    return found


def _copy(file: Path, new: sqlite3.Connection, found: Recovered, advance: ProgressCallback) -> None:
    new.execute("PRAGMA foreign_keys=OFF")
    try:
        old = connect(file)
    except sqlite3.DatabaseError:
        return
    with closing(old):
        old.execute("PRAGMA query_only=ON")
        for at, table in enumerate(TABLE_NAMES):
            advance(at, len(TABLE_NAMES), table)
            with suppress(sqlite3.DatabaseError):
                _copy_table(old, new, table, found)
    new.execute("PRAGMA foreign_keys=ON")
    advance(len(TABLE_NAMES), len(TABLE_NAMES), "")


def _copy_table(old: sqlite3.Connection, new: sqlite3.Connection, table: str, found: Recovered) -> None:
    known = {row[1] for row in new.execute(f"PRAGMA table_info({table})")}
    names = [row[1] for row in old.execute(f"PRAGMA table_info({table})") if row[1] in known]
    if not names:
        return
    reader = _Reader(old, f"SELECT {', '.join(names)} FROM {table}", table)
    places = ", ".join("?" * len(names))
    statement = f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({places})"
    with transaction(new):
        for row in reader.rows():
            with suppress(sqlite3.IntegrityError):
                new.execute(statement, row)
    found.rows[table] = int(new.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    found.lost += reader.lost


class _Reader:
    """Reads a table by row id; around a damaged page the range is halved until only that is left out."""

    def __init__(self, connection: sqlite3.Connection, select: str, table: str) -> None:
        self._connection, self._select, self._table = connection, select, table
        self._left = MAX_QUERIES
        self.lost = 0

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Return every row that can be read, each once."""
        first, last = self._end("min", 1), self._end("max", MAX_ROWID)
        waiting = [(first, last)]
        while waiting and self._left > 0:
            low, high = waiting.pop()
            if low > high:
                continue
            self._left -= 1
            reached = low - 1
            try:
                query = f"{self._select.replace('SELECT ', 'SELECT rowid, ', 1)} "
                for rowid, *row in self._connection.execute(
                    f"{query} WHERE rowid BETWEEN ? AND ? ORDER BY rowid", (low, high)
                ):
                    reached = rowid
                    yield tuple(row)
            except sqlite3.DatabaseError:
                if reached + 1 >= high:
                    self.lost += reached < high
                    continue
                middle = (reached + 1 + high) // 2
                waiting += [(middle + 1, high), (reached + 1, middle)]

    def _end(self, which: str, otherwise: int) -> int:
        self._left -= 1
        try:
            found = self._connection.execute(f"SELECT {which}(rowid) FROM {self._table}").fetchone()[0]
        except sqlite3.DatabaseError:
            return otherwise
        return int(found) if found is not None else (1 if which == "min" else 0)
