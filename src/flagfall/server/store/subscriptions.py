"""Reads and writes push subscriptions: the devices on which a guest wants to be told."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update

from flagfall.languages import ENGLISH
from flagfall.server.store.database import Database
from flagfall.server.store.tables import matches, push_subscriptions

COLUMNS = push_subscriptions.c


class SubscriptionRow(Struct, frozen=True):
    """One device of one guest; the address is a secret of the two."""

    id: str
    """a hash of the address"""
    guest: str
    endpoint: str
    p256dh: str
    """public key of the browser, as base64url"""
    auth: str
    """secret of the browser, as base64url"""
    created_ms: int
    language: str = ENGLISH
    """in which its notices are written"""


class Subscriptions:
    """The table of push subscriptions, as methods."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, row: SubscriptionRow, limit: int) -> bool:
        """Store a subscription; false if another browser has the same address.

        The same browser may come back as another guest. Beyond the limit a guest's oldest one is deleted.
        """
        values = {name: getattr(row, name) for name in SubscriptionRow.__struct_fields__}
        is_older = (
            select(COLUMNS.id)
            .where(COLUMNS.guest == row.guest, COLUMNS.id != row.id)
            .order_by(COLUMNS.created_ms.desc(), COLUMNS.id)
            .offset(limit - 1)
        )

        def work(connection: Connection) -> bool:
            known = connection.execute(
                select(COLUMNS.p256dh, COLUMNS.auth).where(COLUMNS.id == row.id)
            ).first()
            if known is not None and tuple(known) != (row.p256dh, row.auth):
                return False
            if known is None:
                connection.execute(insert(push_subscriptions).values(values))
            else:
                connection.execute(update(push_subscriptions).where(COLUMNS.id == row.id).values(values))
            connection.execute(delete(push_subscriptions).where(COLUMNS.id.in_(is_older)))
            return True

        return await self._database.write(work)

    async def delete(self, row_id: str, guest: str) -> None:
        """Delete a subscription if it is this guest's."""
        where = and_(COLUMNS.id == row_id, COLUMNS.guest == guest)
        statement = delete(push_subscriptions).where(where)
        await self._database.write(lambda connection: connection.execute(statement).rowcount)

    async def of_guest(self, guest: str) -> list[SubscriptionRow]:
        """Return a guest's subscriptions, the newest first."""
        query = select(push_subscriptions).where(COLUMNS.guest == guest).order_by(COLUMNS.created_ms.desc())
        found = await self._database.read(lambda connection: connection.execute(query).mappings().all())
        return [SubscriptionRow(**row) for row in found]

    async def guests(self) -> set[str]:
        """Return all guests who have a subscription."""
        query = select(COLUMNS.guest).distinct()
        return await self._database.read(lambda connection: set(connection.execute(query).scalars()))

    async def waiting_matches(self, guest: str) -> list[str]:
        """Return the games against people in which it is this guest's turn."""
        query = select(matches.c.id).where(
            matches.c.status == "running", matches.c.opponent.in_(("friend", "lobby")), _is_turn_of(guest)
        )
        return await self._database.read(lambda connection: list(connection.execute(query).scalars()))

    async def count(self, guest: str) -> int:
        """Return how many subscriptions a guest has."""
        query = select(func.count()).where(COLUMNS.guest == guest)
        return int(await self._database.read(lambda connection: connection.execute(query).scalar_one()))


def _is_turn_of(guest: str) -> Any:
    south = and_(matches.c.to_move == "south", matches.c.south == guest)
    return or_(south, and_(matches.c.to_move == "north", matches.c.north == guest))
