"""List matches, and abort one as the referee."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from msgspec import Struct

from flagfall.match import Match, decode_log, encode_log
from flagfall.server.admin.database_file import AdminError, open_database, server_now_ms, transaction
from flagfall.server.store.rows import Status, result_columns

STATUSES: tuple[Status, ...] = ("waiting", "running", "over", "damaged")
MAX_REASON = 200
MAX_ATTEMPTS = 20
"""how often closing is tried while the players go on moving"""
CLOSED_KEY = "closed "
"""key in table meta of why a match was closed, before its id"""


class MatchFacts(Struct, frozen=True):
    """A match as an operator sees it: who and when, never what was played."""

    match: str
    game: str
    opponent: str
    status: str
    south: str
    north: str
    south_guest: str | None
    north_guest: str | None
    host_guest: str
    created_ms: int
    updated_ms: int
    entries: int
    winner: str
    reason: str
    closed_because: str
    """what the operator noted when closing it"""


def list_matches(
    folder: Path, *, match: str = "", status: str = "", game: str = "", guest: str = "", limit: int = 50
) -> list[MatchFacts]:
    """Return matches, the last updated first."""
    if status and status not in STATUSES:
        raise AdminError(f"There is no status “{status}”; choose {', '.join(STATUSES)}")
    where, values = ["1"], list[Any]()
    for column, value in (("id", match), ("status", status), ("game", game)):
        if value:
            where.append(f"m.{column} = ?")
            values.append(value)
    if guest:
        where.append("? IN (m.south, m.north, m.host)")
        values.append(guest)
    query = (
        "SELECT m.id, m.game, m.opponent, m.status, m.south_name, m.north_name, m.south, m.north, m.host, "
        "m.created_ms, m.updated_ms, (SELECT count(*) FROM log WHERE match_id = m.id), m.winner, m.reason, "
        f"coalesce((SELECT value FROM meta WHERE key = '{CLOSED_KEY}' || m.id), '') "
        f"FROM matches AS m WHERE {' AND '.join(where)} ORDER BY m.updated_ms DESC, m.id LIMIT ?"
    )
    with open_database(folder) as connection:
        return [MatchFacts(*row) for row in connection.execute(query, (*values, limit))]


def close_match(folder: Path, match_id: str, reason: str = "") -> MatchFacts:
    """Abort a running match as the referee, or end an invitation; a running server tells the players."""
    if len(reason) > MAX_REASON or not reason.isprintable():
        raise AdminError(f"A reason is one line of at most {MAX_REASON} characters")
    with open_database(folder, writes=True) as connection:
        for _ in range(MAX_ATTEMPTS):
            if _close(connection, match_id, reason):
                break
        else:
            raise AdminError(f"{match_id} is being played too fast to be closed; try again")
    return list_matches(folder, match=match_id)[0]


def _close(connection: sqlite3.Connection, match_id: str, reason: str) -> bool:
    """Close a match; false if it has moved on while it was being rebuilt."""
    with transaction(connection, writes=False):
        status, texts = _stored(connection, match_id)
    ended = _aborted(connection, texts) if status == "running" else None
    with transaction(connection):
        if _stored(connection, match_id) != (status, texts):
            return False
        if ended is None:
            connection.execute(
                "UPDATE matches SET status = 'over', reason = 'aborted' WHERE id = ?", (match_id,)
            )
        else:
            _append(connection, match_id, ended)
        if reason:
            connection.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (CLOSED_KEY + match_id, reason)
            )
    return True


def _stored(connection: sqlite3.Connection, match_id: str) -> tuple[str, list[str]]:
    """Return status and log of a match that can be closed."""
    row = connection.execute("SELECT status FROM matches WHERE id = ?", (match_id,)).fetchone()
    if row is None:
        raise AdminError(f"There is no match {match_id}; flagfall admin matches lists them")
    if row[0] == "over":
        raise AdminError(f"{match_id} is over already")
    if row[0] == "damaged":
        raise AdminError(f"{match_id} is damaged; flagfall admin repair --match {match_id} comes first")
    query = "SELECT entry FROM log WHERE match_id = ? ORDER BY number"
    return row[0], [text for (text,) in connection.execute(query, (match_id,))]


def _aborted(connection: sqlite3.Connection, texts: list[str]) -> Match:
    """Return the match with the entry that aborts it."""
    try:
        match = Match.rebuilt(decode_log(f"[{','.join(texts)}]"))
        match.abort(None, server_now_ms(connection))
    except (ValueError, TypeError, LookupError):
        raise AdminError("The log of this match is damaged; flagfall admin repair comes first") from None
    return match


def _append(connection: sqlite3.Connection, match_id: str, match: Match) -> None:
    last = match.last
    values = result_columns(match) | {"updated_ms": last.at_ms}
    text = encode_log((last,)).decode()[1:-1]
    connection.execute(
        "INSERT INTO log (match_id, number, entry) VALUES (?, ?, ?)", (match_id, last.number, text)
    )
    columns = ", ".join(f"{name} = ?" for name in values)
    connection.execute(f"UPDATE matches SET {columns} WHERE id = ?", (*values.values(), match_id))
