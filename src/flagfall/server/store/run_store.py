"""Reads and writes runs of quick games, so that a restart of the server does not end them."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, RowMapping, and_, delete, insert, select, update

from flagfall.server.store.database import Database
from flagfall.server.store.rows import sendable
from flagfall.server.store.tables import runs

MAX_STORED = 500
"""runs of all guests, the newest; one of a box with 200 games takes about 100 kB"""


class RunRow(Struct, frozen=True, kw_only=True):
    """The last run of one sort of one guest."""

    guest: str
    sort: str
    """where it was started: ``lab`` or ``workshop``"""
    seed: str
    games: int
    facts: str
    """what is played, as JSON"""
    state: str
    results: str
    """how the games ended that have been played, as JSON"""
    started_ms: int


class RunStore:
    """The table of runs, as methods."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, row: RunRow) -> None:
        """Store a new run in place of the guest's last one of its sort; the oldest of all are deleted."""
        newest = select(runs.c.seed).order_by(runs.c.started_ms.desc()).limit(MAX_STORED)

        def work(connection: Connection) -> None:
            connection.execute(delete(runs).where(_is(row.guest, row.sort)))
            connection.execute(insert(runs).values(msgspec.structs.asdict(row)))
            connection.execute(delete(runs).where(runs.c.seed.not_in(newest)))

        await self._database.write(work)

    async def save(self, row: RunRow) -> None:
        """Store how far a run is, unless it was deleted or another one was started in its place."""
        where = and_(_is(row.guest, row.sort), runs.c.seed == row.seed)
        statement = update(runs).where(where).values(state=row.state, results=row.results)
        await self._database.write(lambda connection: connection.execute(statement).rowcount)

    async def of_guest(self, guest: str, sort: str) -> RunRow | None:
        """Return the guest's last run of a sort."""
        return next((row for row in await self.all_of(guest) if row.sort == sort), None)

    async def all_of(self, guest: str) -> list[RunRow]:
        """Return the guest's last run of each sort."""
        query = select(runs).where(runs.c.guest == guest).order_by(runs.c.sort)
        found = await self._database.read(lambda connection: connection.execute(query).mappings().all())
        return [_row(row) for row in found]


def delete_runs_of(connection: Connection, guest: str) -> None:
    """Delete the runs of a guest."""
    connection.execute(delete(runs).where(runs.c.guest == guest))


def _row(found: RowMapping) -> RunRow:
    facts: dict[str, Any] = {name: found[name] for name in RunRow.__struct_fields__}
    texts = {name: sendable(value) for name, value in facts.items() if isinstance(value, str)}
    return RunRow(**(facts | texts))


def _is(guest: str, sort: str) -> Any:
    return and_(runs.c.guest == guest, runs.c.sort == sort)
