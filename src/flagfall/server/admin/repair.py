"""Repair what `verify` finds: cut logs back to their valid entries, and make rows agree with them.

What is removed is kept in a file next to the database that only the owner can read, because it holds setups
and turns. Nothing is changed without ``is_applied``: then the repairs are only listed.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
from msgspec import Struct

from flagfall.edition import OptionError, UnknownGameError, load_game, resolve
from flagfall.files import unused_name
from flagfall.match import Match, Seating, encode_log
from flagfall.server.admin.database_file import (
    AdminError,
    DamagedFileError,
    ProgressCallback,
    ignore_progress,
    open_database,
    server_now_ms,
    stamp,
    sync,
    transaction,
)
from flagfall.server.admin.recover import Recovered, recover
from flagfall.server.admin.verify import (
    Examined,
    check_file,
    examine,
    expected_row,
    match_ids,
)
from flagfall.server.store.rows import MatchRow

CHANGING = tuple(
    name for name in MatchRow.__struct_fields__ if name not in ("id", "invitation", "south", "north")
)
"""columns of a match that a repair may change"""
_OF_GUESTS = ("setups", "removed", "records", "boxes")
_CHILDREN = ("log", "chat", "notes", "facts", "removed", "reviews")
"""tables whose rows belong to a match"""


class Repair(Struct, frozen=True):
    """A repair that was done, or would be."""

    match: str
    """empty: not in one match"""
    action: str
    """cut, row, restart, end, guest, rows, file, none"""
    sentence: str
    entries: int = 0
    """how many entries of the log are removed"""


class Repaired(Struct, frozen=True):
    """What was done, or would be."""

    is_done: bool
    repairs: tuple[Repair, ...]
    kept: str = ""
    """file with what was removed; readable by its owner only"""
    old_file: str = ""
    """the damaged database, if a new file was made"""

    @property
    def is_complete(self) -> bool:
        """Whether everything could be repaired."""
        return all(repair.action != "none" for repair in self.repairs)


def repair(
    folder: Path, match_id: str = "", *, is_applied: bool = False, advance: ProgressCallback = ignore_progress
) -> Repaired:
    """Repair everything, or one match; without ``is_applied`` only say what would be done."""
    if not match_id and _is_damaged(folder):
        return _repair_file(folder, is_applied=is_applied, advance=advance)
    with (
        open_database(folder, writes=is_applied) as connection,
        RemovedRows(folder, is_open=is_applied) as kept,
    ):
        repairs = tuple(repair_rows(connection, kept, match_id, advance))
        if match_id and not repairs and examine(connection, match_id) is None:
            raise AdminError(f"There is no match {match_id}; flagfall admin matches lists them")
    return Repaired(is_applied, repairs, kept.name)


def repair_rows(
    connection: sqlite3.Connection,
    kept: RemovedRows,
    match_id: str = "",
    advance: ProgressCallback = ignore_progress,
) -> Iterator[Repair]:
    """Repair the rows of an intact file if ``kept`` is open; otherwise only list the repairs."""
    if not match_id:
        yield from _repair_references(connection, kept)
    ids = [match_id] if match_id else match_ids(connection)
    for at, one in enumerate(ids):
        advance(at, len(ids), one)
        with transaction(connection, writes=False):
            examined = examine(connection, one)
        if examined is None or not examined.problems:
            continue
        planned: Repair | None = _plan(examined, server_now_ms(connection))[0]
        if kept.is_open:
            with transaction(connection):
                examined = examine(connection, one)
                planned = _apply(connection, examined, kept) if examined and examined.problems else None
        if planned is not None:
            yield planned
    advance(len(ids), len(ids), "")


class RemovedRows:
    """A file for what is removed from the database: JSON lines, synced before the database is changed."""

    def __init__(self, folder: Path, *, is_open: bool) -> None:
        self._file = folder / f"flagfall-repair-{stamp()}-{os.getpid()}.jsonl"
        self.is_open = is_open
        self._handle = -1

    def __enter__(self) -> RemovedRows:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handle >= 0:
            os.close(self._handle)

    @property
    def name(self) -> str:
        """The file, if anything was written to it."""
        return str(self._file) if self._handle >= 0 else ""

    def write(self, fact: dict[str, Any]) -> None:
        """Append a line and sync it to the disk."""
        if self._handle < 0:
            self._file = unused_name(self._file)
            self._handle = os.open(self._file, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND, 0o600)
            sync(self._file.parent)
        line = memoryview(json.dumps(fact, default=_as_hex).encode("ascii") + b"\n")
        while line:
            line = line[os.write(self._handle, line) :]
        os.fsync(self._handle)


def _as_hex(value: object) -> object:
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    raise TypeError(type(value).__name__)


# ---------------------------------------------------------------------- the file


def _is_damaged(folder: Path) -> bool:
    try:
        with open_database(folder) as connection:
            return any(True for _ in check_file(connection))
    except DamagedFileError:
        return True


def _repair_file(folder: Path, *, is_applied: bool, advance: ProgressCallback) -> Repaired:
    """Make a new file from the readable rows, repair it, and put it in place."""
    repairs: list[Repair] = []

    def repair_new_file(connection: sqlite3.Connection) -> str:
        with RemovedRows(folder, is_open=is_applied) as kept:
            repairs.extend(repair_rows(connection, kept))
        return kept.name

    found: Recovered = recover(folder, repair_new_file, is_applied=is_applied, advance=advance)
    rows = ", ".join(f"{count} of {table}" for table, count in found.rows.items())
    lost = f"; {found.lost} or more rows are lost" if found.lost else ""
    first = Repair(
        "", "file", f"The file is damaged; these rows can be copied into a new one: {rows or 'none'}{lost}."
    )
    return Repaired(is_applied, (first, *repairs), found.kept, found.old_file)


# ---------------------------------------------------------------------- references


def _repair_references(connection: sqlite3.Connection, kept: RemovedRows) -> Iterator[Repair]:
    """Create missing guests of matches without a cookie, and remove rows that belong to nothing."""
    missing = _missing_guests(connection)
    for guest, name, at_ms in missing:
        if kept.is_open:
            values = (guest, name, secrets.token_hex(32), at_ms)
            with transaction(connection):
                connection.execute("INSERT OR IGNORE INTO guests VALUES (?, ?, ?, ?)", values)
        yield Repair("", "guest", f"The guest {guest} is missing; a guest without a cookie is created.")
    orphans = [
        *((table, "match_id NOT IN (SELECT id FROM matches)") for table in _CHILDREN),
        *(
            (table, "guest NOT IN (SELECT id FROM guests)")
            for table in ("setups", "removed", "records", "boxes")
        ),
        ("record_reviews", "record_id NOT IN (SELECT id FROM records)"),
    ]
    for table, where in orphans:
        count = int(connection.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0])
        if not count:
            continue
        if kept.is_open:
            with transaction(connection):
                cursor = connection.execute(f"SELECT * FROM {table} WHERE {where}")
                names = [column[0] for column in cursor.description]
                for row in cursor.fetchall():
                    kept.write({"table": table, "row": dict(zip(names, row, strict=True))})
                connection.execute(f"DELETE FROM {table} WHERE {where}")
        yield Repair("", "rows", f"{count} row(s) of {table} belong to nothing and are removed.")


def _missing_guests(connection: sqlite3.Connection) -> list[tuple[str, str, int]]:
    found: dict[str, tuple[str, str, int]] = {}
    for column, name in (("south", "south_name"), ("north", "north_name"), ("host", "south_name")):
        query = (
            f"SELECT {column}, {name}, created_ms FROM matches "
            f"WHERE {column} IS NOT NULL AND {column} NOT IN (SELECT id FROM guests)"
        )
        for guest, called, at_ms in connection.execute(query):
            found.setdefault(guest, (guest, called or "Guest", at_ms))
    return list(found.values())


# ---------------------------------------------------------------------- one match


def _apply(connection: sqlite3.Connection, examined: Examined, kept: RemovedRows) -> Repair:
    """Repair one match, inside a transaction."""
    planned, row, first = _plan(examined, server_now_ms(connection))
    if row is None:
        connection.execute("UPDATE matches SET status = 'damaged' WHERE id = ?", (examined.match_id,))
        return planned
    cut = examined.entries[examined.valid_entries :]
    kept.write(
        {
            "match": examined.match_id,
            "row": examined.row,
            "entries": [{"number": number, "entry": text} for number, text in cut],
        }
    )
    connection.execute(
        "DELETE FROM log WHERE match_id = ? AND (typeof(number) <> 'integer' OR number < 0 OR number >= ?)",
        (examined.match_id, examined.valid_entries),
    )
    connection.execute("DELETE FROM facts WHERE match_id = ?", (examined.match_id,))
    if first is not None:
        text = encode_log(first.log).decode()[1:-1]
        connection.execute("INSERT INTO log VALUES (?, 0, ?)", (examined.match_id, text))
    columns = ", ".join(f"{name} = ?" for name in CHANGING)
    values = [row[name] for name in CHANGING]
    connection.execute(f"UPDATE matches SET {columns} WHERE id = ?", (*values, examined.match_id))
    return planned


def _plan(examined: Examined, now_ms: int) -> tuple[Repair, dict[str, Any] | None, Match | None]:
    """Return the repair of a match, its new row, and the match if its log has to start again."""
    cut = len(examined.entries) - examined.valid_entries
    one = examined.match_id
    if examined.match is not None:
        row = _new_row(examined, examined.match)
        if row is None:
            return _no_repair(one), None, None
        then = _consequence(row, now_ms)
        if not cut:
            return Repair(one, "row", f"The row is made to agree with the log{then}."), row, None
        sentence = f"The log is cut back to {examined.valid_entries} entries, {cut} are removed{then}."
        return Repair(one, "cut", sentence, cut), row, None
    if (begun := _restarted(examined.row)) is not None:
        row = _new_row(examined, begun)
        if row is not None:
            sentence = f"No entry is valid, {cut} are removed; the match starts again with the setups."
            return Repair(one, "restart", sentence, cut), row, begun
    if not examined.row.get("north") and not examined.row.get("north_level"):
        row = _valid_columns(examined.row, {"status": "over", "reason": "aborted", "to_move": ""})
        if row is not None:
            return Repair(one, "end", "No second player has joined; the invitation is ended.", cut), row, None
    return _no_repair(one), None, None


def _consequence(row: dict[str, Any], now_ms: int) -> str:
    if row["status"] == "over":
        return "; it is over"
    if row["falls_at_ms"] is not None and row["falls_at_ms"] <= now_ms:
        return "; its clock has run out, so the side to move loses on time"
    return "; it goes on"


def _no_repair(match_id: str) -> Repair:
    sentence = "Neither log nor row name the game; it stays marked as damaged (see flagfall admin prune)."
    return Repair(match_id, "none", sentence)


def _restarted(row: dict[str, Any]) -> Match | None:
    """Return the match before the setups, from its row."""
    if not all(row.get(side) or row.get(f"{side}_level") for side in ("south", "north")):
        return None
    try:
        game = load_game(row["game"], allow_files=False)
        options = resolve(game, msgspec.json.decode(row["options"], type=dict[str, str]))
        seating = Seating(row["south_name"], row["north_name"], is_random=row["host_side"] == "lot")
        return Match.created(game, options, seating, int(row["created_ms"]))
    except (ValueError, TypeError, LookupError, UnknownGameError, OptionError):
        return None


def _new_row(examined: Examined, match: Match) -> dict[str, Any] | None:
    expected = expected_row(match)
    expected["options"] = msgspec.json.encode(expected["options"]).decode()
    raw = examined.row
    is_moved_on = len(examined.entries) > examined.valid_entries or not isinstance(raw["updated_ms"], int)
    if is_moved_on:
        expected["updated_ms"] = match.last.at_ms
    return _valid_columns(raw, expected, match)


def _valid_columns(
    raw: dict[str, Any], expected: dict[str, Any], match: Match | None = None
) -> dict[str, Any] | None:
    """Return the row with the expected values; impossible values are replaced by likely ones."""
    row = raw | expected
    likely = {
        "opponent": _opponent(raw),
        "host": raw.get("south") or raw.get("north"),
        "host_side": "north" if raw.get("host") and raw.get("host") == raw.get("north") else "south",
        "seed": secrets.token_urlsafe(18),
        "created_ms": match.log[0].at_ms if match else None,
        "updated_ms": match.last.at_ms if match else None,
        "options": "{}",
    }
    for field in msgspec.structs.fields(MatchRow):
        name = field.name
        with suppress(msgspec.MsgspecError, TypeError, UnicodeError):
            value = msgspec.json.decode(row[name]) if name == "options" else row[name]
            msgspec.convert(value, field.type)
            msgspec.json.encode(value)  # raises if the stored bytes are no UTF-8
            continue
        if name not in CHANGING:
            return None
        default = None if field.default is msgspec.NODEFAULT else field.default
        row[name] = likely.get(name, default)
        if row[name] is None and name not in ("falls_at_ms", "to_move"):
            return None
    return row


def _opponent(row: dict[str, Any]) -> str:
    if row.get("south_level") or row.get("north_level"):
        return "computer"
    return "hot-seat" if row.get("south") and row.get("south") == row.get("north") else "friend"
