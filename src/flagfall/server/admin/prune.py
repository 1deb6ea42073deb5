"""Delete old matches, guests who have neither matches, setups nor boxes, and bans that have ended."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from flagfall.server.admin.database_file import (
    ProgressCallback,
    ignore_progress,
    open_database,
    server_now_ms,
    transaction,
)
from flagfall.server.admin.matches import CLOSED_KEY
from flagfall.server.store.box_store import UNUSED
from flagfall.server.store.tables import TABLES_OF_MATCHES

BATCH = 100
"""rows deleted in one transaction, so that the server never waits long for the write lock"""
_GUESTS = (
    "FROM guests WHERE created_ms < ? "
    "AND NOT EXISTS (SELECT 1 FROM matches WHERE host = guests.id) "
    "AND NOT EXISTS (SELECT 1 FROM matches WHERE south = guests.id) "
    "AND NOT EXISTS (SELECT 1 FROM matches WHERE north = guests.id) "
    "AND NOT EXISTS (SELECT 1 FROM setups WHERE guest = guests.id) "
    "AND NOT EXISTS (SELECT 1 FROM boxes WHERE guest = guests.id) "
    "AND NOT EXISTS (SELECT 1 FROM removed WHERE guest = guests.id) "
    "AND NOT EXISTS (SELECT 1 FROM records WHERE guest = guests.id)"
)
_RUNS = "status = 'running' AND falls_at_ms IS NOT NULL AND falls_at_ms > ?"
"""a match whose clock has time left: in a game by day players may be away for weeks"""
_BANS = "FROM bans WHERE until_ms IS NOT NULL AND until_ms <= ?"


class Pruned(Struct, frozen=True):
    """What was deleted, or would be."""

    is_done: bool
    unfinished: int
    finished: int
    damaged: int
    guests: int
    bans: int
    free_bytes: int
    """space inside the file that is used again; the file itself does not shrink"""


def prune(
    folder: Path,
    older_than_ms: int,
    *,
    finished: bool = False,
    damaged: bool = False,
    is_applied: bool = False,
    advance: ProgressCallback = ignore_progress,
) -> Pruned:
    """Delete what is older; without ``is_applied`` only count it.

    Guests are counted as they are now: one whose last match is deleted goes with the next call.
    """
    kinds = {
        "unfinished": ("waiting", "running"),
        "finished": ("over",) if finished else (),
        "damaged": ("damaged",) if damaged else (),
    }
    with open_database(folder, writes=is_applied) as connection:
        now = server_now_ms(connection)
        cutoff = now - older_than_ms
        counts = {}
        for kind, statuses in kinds.items():
            where = f"status IN ({_places(statuses)}) AND updated_ms < ? AND NOT ({_RUNS})"
            values = (*statuses, cutoff, now)
            ids = [row[0] for row in connection.execute(f"SELECT id FROM matches WHERE {where}", values)]
            counts[kind] = (
                _delete_matches(connection, ids, where, values, advance) if is_applied else len(ids)
            )
        guests = _delete(connection, "guests", "id", _GUESTS, cutoff, is_applied=is_applied)
        if is_applied:
            for table in ("puzzle_attempts", "push_subscriptions", "runs"):
                connection.execute(f"DELETE FROM {table} WHERE guest NOT IN (SELECT id FROM guests)")
            connection.execute(f"DELETE FROM box_versions WHERE created_ms < ? AND {UNUSED}", (cutoff,))
        bans = _delete(connection, "bans", "subject", _BANS, now, is_applied=is_applied)
        if is_applied:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        free = _pragma(connection, "freelist_count") * _pragma(connection, "page_size")
    return Pruned(is_applied, counts["unfinished"], counts["finished"], counts["damaged"], guests, bans, free)


def _delete_matches(
    connection: sqlite3.Connection,
    ids: list[str],
    where: str,
    values: tuple[object, ...],
    advance: ProgressCallback,
) -> int:
    """Delete matches with everything that belongs to them, unless they were updated meanwhile."""
    deleted = 0
    for at in range(0, len(ids), BATCH):
        advance(at, len(ids), "matches")
        batch = ids[at : at + BATCH]
        with transaction(connection):
            query = f"SELECT id FROM matches WHERE id IN ({_places(batch)}) AND {where}"
            still = [row[0] for row in connection.execute(query, (*batch, *values))]
            for table in TABLES_OF_MATCHES:
                connection.execute(f"DELETE FROM {table} WHERE match_id IN ({_places(still)})", still)
            connection.execute(
                f"DELETE FROM meta WHERE key IN ({_places(still)})", [CLOSED_KEY + one for one in still]
            )
            connection.execute(f"DELETE FROM matches WHERE id IN ({_places(still)})", still)
        deleted += len(still)
    return deleted


def _delete(
    connection: sqlite3.Connection, table: str, key: str, where: str, at_ms: int, *, is_applied: bool
) -> int:
    if not is_applied:
        return int(connection.execute(f"SELECT count(*) {where}", (at_ms,)).fetchone()[0])
    deleted = 0
    while True:
        with transaction(connection):
            query = f"DELETE FROM {table} WHERE {key} IN (SELECT {key} {where} LIMIT {BATCH})"
            count = connection.execute(query, (at_ms,)).rowcount
        deleted += count
        if count < BATCH:
            return deleted


def _places(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
