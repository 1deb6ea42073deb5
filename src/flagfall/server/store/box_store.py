"""Reads and writes the boxes of guests and the versions that matches are played with."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, RowMapping, and_, delete, func, insert, select, text, update

from flagfall.edition.versions import is_version
from flagfall.server.store.database import Database
from flagfall.server.store.rows import sendable
from flagfall.server.store.tables import box_versions, boxes, guests

UNUSED = (
    "NOT EXISTS (SELECT 1 FROM boxes WHERE version = box_versions.id) AND NOT EXISTS "
    "(SELECT 1 FROM matches WHERE game > box_versions.id || '/' AND game < box_versions.id || '0')"
)
"""the condition for versions that neither a box nor a match names (0 is the character after the slash)"""


class BoxRow(Struct, frozen=True, kw_only=True):
    """A box of a guest."""

    id: str
    guest: str
    name: str
    text: str
    revision: int
    is_valid: bool
    version: str
    """the last text that could be played; empty: none yet"""
    info: str
    """the message about that version, as JSON; empty: none yet"""
    created_ms: int
    updated_ms: int


class BoxStore:
    """The boxes in the database of a server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, row: BoxRow, version_text: str, limit: int) -> bool:
        """Store a new box, and its text as a version if it can be played; False if the guest has too many."""

        def work(connection: Connection) -> bool:
            count = select(func.count()).where(boxes.c.guest == row.guest)
            if int(connection.execute(count).scalar_one()) >= limit:
                return False
            store_version(connection, row.version, version_text, row.updated_ms)
            connection.execute(insert(boxes).values(msgspec.structs.asdict(row)))
            return True

        return await self._database.write(work)

    async def save(self, row: BoxRow, base: int | None, version_text: str) -> BoxRow | None:
        """Store a new text of a box; None if it was changed since the revision ``base``, or deleted."""

        def work(connection: Connection) -> BoxRow | None:
            mine = and_(boxes.c.id == row.id, boxes.c.guest == row.guest)
            before = connection.execute(select(boxes).where(mine)).mappings().first()
            if before is None or (base is not None and before["revision"] != base):
                return None
            store_version(connection, row.version if version_text else "", version_text, row.updated_ms)
            new = msgspec.structs.replace(
                row,
                revision=before["revision"] + 1,
                version=row.version if row.is_valid else before["version"],
                info=row.info if row.is_valid else before["info"],
                created_ms=before["created_ms"],
            )
            connection.execute(update(boxes).where(mine).values(msgspec.structs.asdict(new)))
            _delete_unused(connection, before["version"])
            return new

        return await self._database.write(work)

    async def delete(self, guest_id: str, box_id: str) -> bool:
        """Delete a box of a guest, and its version if no match needs it; False if there is none."""

        def work(connection: Connection) -> bool:
            mine = and_(boxes.c.id == box_id, boxes.c.guest == guest_id)
            version = connection.execute(select(boxes.c.version).where(mine)).scalar()
            connection.execute(delete(boxes).where(mine))
            _delete_unused(connection, version or "")
            return version is not None

        return await self._database.write(work)

    async def of_guest(self, guest_id: str) -> list[BoxRow]:
        """Return the boxes of a guest, the last changed first."""
        query = select(boxes).where(boxes.c.guest == guest_id).order_by(boxes.c.updated_ms.desc(), boxes.c.id)
        return [_row(found) for found in await self._select(query)]

    async def box(self, box_id: str) -> tuple[BoxRow, str] | None:
        """Return a box and the name of its author."""
        query = select(boxes, guests.c.name.label("author")).join(guests, guests.c.id == boxes.c.guest)
        rows = await self._select(query.where(boxes.c.id == box_id))
        return (_row(rows[0]), sendable(rows[0]["author"])) if rows else None

    async def version_text(self, version_id: str) -> str | None:
        """Return the text of a version; None if there is none."""
        rows = await self._select(select(box_versions.c.text).where(box_versions.c.id == version_id))
        return sendable(rows[0]["text"]) if rows else None

    async def _select(self, query: Any) -> Sequence[RowMapping]:
        return await self._database.read(lambda connection: connection.execute(query).mappings().all())


def store_version(connection: Connection, version_id: str, version_text: str, at_ms: int) -> None:
    """Store a version in a transaction, unless it is stored already or there is none."""
    if version_id and version_text:
        values = {"id": version_id, "text": version_text, "created_ms": at_ms}
        connection.execute(insert(box_versions).prefix_with("OR IGNORE").values(values))


def delete_boxes_of(connection: Connection, guest_id: str) -> None:
    """Delete the boxes of a guest, and the versions that no match needs."""
    mine = boxes.c.guest == guest_id
    versions = connection.execute(select(boxes.c.version).where(mine)).scalars().all()
    connection.execute(delete(boxes).where(mine))
    for version in versions:
        _delete_unused(connection, version)


def _delete_unused(connection: Connection, version_id: str) -> None:
    if version_id:
        statement = text(f"DELETE FROM box_versions WHERE id = :id AND {UNUSED}")
        connection.execute(statement, {"id": version_id})


def _row(found: RowMapping) -> BoxRow:
    facts = {name: found[name] for name in BoxRow.__struct_fields__}
    texts = {name: sendable(value) for name, value in facts.items() if isinstance(value, str)}
    return BoxRow(**(facts | texts | {"is_valid": bool(found["is_valid"])}))


def versions_in(file: Path) -> Callable[[str], str | None]:
    """Return a source of the versions that are stored in a database file."""
    address = f"{file.absolute().as_uri()}?mode=ro"

    def read(version_id: str) -> str | None:
        if not is_version(version_id):
            return None
        with suppress(sqlite3.Error, UnicodeError):
            with closing(sqlite3.connect(address, uri=True, timeout=5)) as connection:
                query = "SELECT text FROM box_versions WHERE id = ?"
                found = connection.execute(query, (version_id,)).fetchone()
            return found[0] if found and isinstance(found[0], str) else None
        return None

    return read
