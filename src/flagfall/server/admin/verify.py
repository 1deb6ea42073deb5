"""Check the database: the file, the references between tables, every log and every row."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct

from flagfall.edition import OptionError, UnknownGameError, load_game, resolve
from flagfall.match import Created, Entry, Match, MatchError, decode_log
from flagfall.server.admin.database_file import (
    AdminError,
    DamagedFileError,
    ProgressCallback,
    ignore_progress,
    open_database,
    transaction,
)
from flagfall.server.store.rows import MatchRow, decode_row, result_columns

MAX_FILE_PROBLEMS = 100
REFERENCES = ("log", "chat", "notes", "matches", "setups", "facts", "removed", "reviews", "boxes")
"""tables whose rows belong to a match or a guest"""


class Problem(Struct, frozen=True):
    """A problem: in which match, at which entry of its log, and what; never the stored content."""

    match: str
    """empty: not in one match"""
    entry: int | None
    """number of the first invalid entry; None: the problem is not in the log"""
    code: str
    """file, reference, gap, unreadable, replay, empty, row, set-aside"""
    sentence: str


class Report(Struct, frozen=True):
    """The result of a check."""

    file: str
    matches: int
    """how many were checked"""
    entries: int
    problems: tuple[Problem, ...]


@dataclass
class Examined:
    """One match as it is stored, and how much of it is valid."""

    match_id: str
    row: dict[str, Any]
    """the stored columns, which may have any type"""
    entries: list[tuple[Any, Any]]
    """number and text of each stored entry, which may have any type"""
    valid_entries: int = 0
    """how many entries from the first on can be replayed"""
    match: Match | None = None
    """the match after these entries"""
    problems: list[Problem] = field(default_factory=list)

    def add(self, entry: int | None, code: str, sentence: str) -> None:
        """Add a problem."""
        self.problems.append(Problem(self.match_id, entry, code, sentence))


def verify(folder: Path, match_id: str = "", advance: ProgressCallback = ignore_progress) -> Report:
    """Check the database of a data folder, or one match in it; nothing is changed."""
    try:
        with open_database(folder) as connection:
            return _verified(connection, folder, match_id, advance)
    except DamagedFileError as error:
        return Report(str(folder), 0, 0, (Problem("", None, "file", f"{error}."),))


def _verified(
    connection: sqlite3.Connection, folder: Path, match_id: str, advance: ProgressCallback
) -> Report:
    problems: list[Problem] = []
    if not match_id:
        problems += check_file(connection)
        problems += check_references(connection)
    ids = [match_id] if match_id else match_ids(connection)
    entries = 0
    for at, one in enumerate(ids):
        advance(at, len(ids), one)
        try:
            with transaction(connection, writes=False):
                examined = examine(connection, one)
        except sqlite3.DatabaseError:
            problems.append(Problem(one, None, "file", "It cannot be read: the database file is damaged."))
            continue
        if examined is not None:
            entries += len(examined.entries)
            problems += examined.problems
        elif match_id:
            raise AdminError(f"There is no match {match_id}; flagfall admin matches lists them")
    advance(len(ids), len(ids), "")
    return Report(str(folder), len(ids), entries, tuple(problems))


def check_file(connection: sqlite3.Connection) -> Iterable[Problem]:
    """Let SQLite check every page and index."""
    try:
        found = connection.execute(f"PRAGMA integrity_check({MAX_FILE_PROBLEMS})").fetchall()
    except sqlite3.DatabaseError as error:
        found = [(str(error),)]
    for (text,) in found:
        if text != "ok":
            first = str(text).splitlines()[0][:200]
            yield Problem("", None, "file", f"The database file is damaged: {first}.")


def check_references(connection: sqlite3.Connection) -> list[Problem]:
    """Find rows that belong to a match or a guest that does not exist."""
    found: dict[tuple[str, str, str], int] = {}
    for table, rowid, parent, _ in connection.execute("PRAGMA foreign_key_check").fetchall():
        owner = ""
        if table in REFERENCES and table != "setups":
            column = "id" if table == "matches" else "match_id"
            query = f"SELECT {column} FROM {table} WHERE rowid = ?"
            row = connection.execute(query, (rowid,)).fetchone()
            owner = str(row[0]) if row else ""
        key = (table, parent, owner)
        found[key] = found.get(key, 0) + 1
    return [
        Problem(
            owner, None, "reference", f"{count} row(s) of {table} name a row of {parent} that does not exist."
        )
        for (table, parent, owner), count in found.items()
    ]


def match_ids(connection: sqlite3.Connection) -> list[str]:
    """Return the ids of all matches, oldest first."""
    return [str(row[0]) for row in connection.execute("SELECT id FROM matches ORDER BY created_ms, id")]


def examine(connection: sqlite3.Connection, match_id: str) -> Examined | None:
    """Check one match; call it inside a transaction. None if there is no such match."""
    cursor = connection.execute("SELECT * FROM matches WHERE id = ?", (match_id,))
    columns = [column[0] for column in cursor.description]
    row = cursor.fetchone()
    if row is None:
        return None
    entries = connection.execute(
        "SELECT number, entry FROM log WHERE match_id = ? ORDER BY number", (match_id,)
    ).fetchall()
    examined = Examined(match_id, dict(zip(columns, row, strict=True)), entries)
    _check_log(examined)
    _check_row(examined)
    return examined


def expected_row(match: Match) -> dict[str, Any]:
    """Return the columns of a match that follow from its log."""
    created = match.log[0]
    assert isinstance(created, Created)
    return result_columns(match) | {
        "game": created.game,
        "options": dict(created.options),
        "south_name": created.seating.south,
        "north_name": created.seating.north,
    }


# ---------------------------------------------------------------------- one match


def _check_log(examined: Examined) -> None:
    entries: list[Entry] = []
    for at, (number, text) in enumerate(examined.entries):
        if number != at:
            examined.add(at, "gap", f"Entry {at} is missing.")
            break
        entry = _decoded(text)
        if entry is None or entry.number != at:
            examined.add(at, "unreadable", f"Entry {at} cannot be read.")
            break
        entries.append(entry)
    examined.match, examined.valid_entries = _longest_valid(entries)
    if examined.valid_entries < len(entries):
        at = examined.valid_entries
        examined.problems.clear()
        examined.add(at, "replay", f"Entry {at} cannot have happened after the entries before it.")


def _decoded(text: object) -> Entry | None:
    if not isinstance(text, str):
        return None
    try:
        (entry,) = decode_log(f"[{text}]")
    except ValueError:
        return None
    return entry


def _longest_valid(entries: Sequence[Entry]) -> tuple[Match | None, int]:
    """Return the match after as many entries as can be replayed, and their number."""
    if (match := _rebuilt(entries)) is not None:
        return match, len(entries)
    valid_entries, wrong, best = 0, len(entries), None
    while wrong - valid_entries > 1:
        middle = (valid_entries + wrong) // 2
        if (match := _rebuilt(entries[:middle])) is not None:
            valid_entries, best = middle, match
        else:
            wrong = middle
    return best, valid_entries


def _rebuilt(entries: Sequence[Entry]) -> Match | None:
    """Replay entries; damaged ones may raise anything."""
    try:
        return Match.rebuilt(entries) if entries else None
    except (ValueError, LookupError, TypeError, ArithmeticError):
        return None


def _check_row(examined: Examined) -> None:
    raw, match = examined.row, examined.match
    try:
        row = decode_row(raw)
    except MatchError:
        row = None
    if row is None or not _is_game(row):
        examined.add(None, "row", "The row has impossible values.")
        return
    if examined.problems:
        return
    if match is None:
        if row.status == "running":
            examined.add(0, "empty", "The match is running, but its log is empty.")
        elif row.status == "damaged":
            examined.add(0, "empty", "The match is marked as damaged, and its log is empty.")
        return
    if row.status == "damaged":
        examined.add(None, "set-aside", "The match is marked as damaged, but its log is valid.")
        return
    expected = expected_row(match)
    wrong = [name for name, value in expected.items() if getattr(row, name) != value]
    if row.to_move is None and "to_move" in wrong:
        wrong.remove("to_move")
    if wrong:
        examined.add(None, "row", f"The row does not agree with the log on {', '.join(wrong)}.")


def _is_game(row: MatchRow) -> bool:
    try:
        resolve(load_game(row.game, allow_files=False), row.options)
    except (UnknownGameError, OptionError):
        return False
    return True
