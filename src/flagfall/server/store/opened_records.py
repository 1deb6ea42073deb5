"""Reads and writes the records that guests have opened."""

from __future__ import annotations

import asyncio
import zlib
from base64 import b64decode, b64encode

import structlog
from sqlalchemy import Connection, delete, func, insert, select

from flagfall.notation import NotationError, Record, from_json, to_json
from flagfall.server.store.database import Database
from flagfall.server.store.tables import record_reviews, records

PREFIX = "record-"
"""how the id of an opened record begins; the id of a match never does"""

logger = structlog.get_logger("flagfall.store")


def is_record_id(id: str) -> bool:
    """Return whether an id is that of an opened record and not of a match."""
    return id.startswith(PREFIX)


class OpenedRecords:
    """The opened records of all guests, as methods."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, id: str, guest: str, record: Record, at_ms: int, limit: int, total: int) -> None:
        """Store a record; of more than ``limit`` of this guest, or ``total`` in all, the oldest go."""
        packed = await asyncio.to_thread(_packed, record)
        newest = records.c.created_ms.desc(), records.c.id

        def work(connection: Connection) -> None:
            row = {"id": id, "guest": guest, "record": packed, "created_ms": at_ms}
            connection.execute(insert(records).values(row))
            mine = select(records.c.id).where(records.c.guest == guest)
            old = [*connection.execute(mine.order_by(*newest).offset(limit)).scalars()]
            old += connection.execute(select(records.c.id).order_by(*newest).offset(total)).scalars()
            _delete(connection, old)

        await self._database.write(work)

    async def record(self, id: str, guest: str) -> tuple[int, Record] | None:
        """Return a record of a guest and its time; None if there is none of theirs, or it cannot be read."""
        query = select(records.c.created_ms, records.c.record)
        query = query.where(records.c.id == id, records.c.guest == guest)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        record = await asyncio.to_thread(_unpacked, id, row.record) if row is not None else None
        return None if row is None or record is None else (row.created_ms, record)

    async def belongs(self, id: str, guest: str) -> bool:
        """Return whether a guest has this record; it is not read."""
        query = select(func.count()).where(records.c.id == id, records.c.guest == guest)
        return await self._database.read(lambda connection: connection.execute(query).scalar_one() > 0)

    async def of_guest(self, guest: str) -> list[tuple[str, int, Record]]:
        """Return a guest's records with ids and times, newest first; unreadable ones are left out."""
        query = select(records.c.id, records.c.created_ms, records.c.record).where(records.c.guest == guest)
        query = query.order_by(records.c.created_ms.desc(), records.c.id)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        found = await asyncio.to_thread(
            lambda: [(row.id, row.created_ms, _unpacked(row.id, row.record)) for row in rows]
        )
        return [(id, at_ms, record) for id, at_ms, record in found if record is not None]

    async def delete(self, id: str, guest: str) -> bool:
        """Delete a record of a guest with its review; return whether there was one."""
        query = select(func.count()).where(records.c.id == id, records.c.guest == guest)

        def work(connection: Connection) -> bool:
            if not connection.execute(query).scalar_one():
                return False
            _delete(connection, [id])
            return True

        return await self._database.write(work)


def delete_records_of(connection: Connection, guest: str) -> None:
    """Delete all records of a guest and the reviews of them."""
    _delete(connection, [*connection.execute(select(records.c.id).where(records.c.guest == guest)).scalars()])


def _delete(connection: Connection, ids: list[str]) -> None:
    connection.execute(delete(record_reviews).where(record_reviews.c.record_id.in_(ids)))
    connection.execute(delete(records).where(records.c.id.in_(ids)))


def _packed(record: Record) -> str:
    return b64encode(zlib.compress(to_json(record).encode())).decode()


def _unpacked(id: str, packed: str) -> Record | None:
    try:
        return from_json(zlib.decompress(b64decode(packed)))
    except (ValueError, TypeError, zlib.error, NotationError):
        logger.error("an opened record cannot be read", record=id[:40])
        return None
