"""The only door to the database. What it has not committed has not happened."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import RowMapping, and_, delete, event, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from flagfall.match import Entry, decode_log, encode_log
from flagfall.server.store.rows import SIDES, ChatRow, GuestRow, MatchRow, SetupRow
from flagfall.server.store.tables import chat, guests, log, matches, notes, setups
from flagfall.view.view import Side

FILE_NAME = "flagfall.sqlite3"
BUSY_MS = 5_000


class NotStoredError(Exception):
    """The commit failed, so it did not happen; ``is_race``: because somebody else was first."""

    def __init__(self, *, is_race: bool) -> None:
        super().__init__("somebody else was first" if is_race else "the database did not take it")
        self.is_race = is_race


class Strongbox:
    """Guests, matches and their logs."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @classmethod
    def opened(cls, file: Path) -> Strongbox:
        """The strongbox in that file, which `migrate` has made."""
        engine = create_async_engine(f"sqlite+aiosqlite:///{file}")
        event.listen(engine.sync_engine, "connect", _prepare)
        return cls(engine)

    async def close(self) -> None:
        """Let go of the file."""
        await self._engine.dispose()

    async def is_well(self) -> bool:
        """Whether the database answers."""
        try:
            async with self._engine.connect() as connection:
                await connection.execute(select(1))
        except SQLAlchemyError:
            return False
        return True

    # ------------------------------------------------------------------ guests

    async def add_guest(self, guest: GuestRow, token_hash: str, at_ms: int) -> None:
        """Somebody new."""
        async with self._writing() as connection:
            await connection.execute(
                insert(guests).values(id=guest.id, name=guest.name, token_hash=token_hash, created_ms=at_ms)
            )

    async def rename_guest(self, guest_id: str, name: str) -> None:
        """Another name for the games to come."""
        async with self._writing() as connection:
            await connection.execute(update(guests).where(guests.c.id == guest_id).values(name=name))

    async def guest(self, token_hash: str) -> GuestRow | None:
        """The guest of a cookie."""
        async with self._engine.connect() as connection:
            query = select(guests.c.id, guests.c.name).where(guests.c.token_hash == token_hash)
            row = (await connection.execute(query)).mappings().first()
        return GuestRow(**row) if row else None

    # ------------------------------------------------------------------ matches

    async def add_match(self, match: MatchRow, entries: Sequence[Entry]) -> None:
        """A new match, with the beginning of its log if both players are known."""
        async with self._writing() as connection:
            await connection.execute(insert(matches).values(_columns(match)))
            await _append(connection, match.id, entries)

    async def add_rematch(self, of: str, match: MatchRow, entries: Sequence[Entry]) -> None:
        """The next match of the same two; only one follows a match."""
        async with self._writing() as connection:
            await connection.execute(insert(matches).values(_columns(match)))
            await _append(connection, match.id, entries)
            query = update(matches).where(and_(matches.c.id == of, matches.c.rematch == ""))
            if (await connection.execute(query.values(rematch=match.id))).rowcount != 1:
                raise NotStoredError(is_race=True)

    async def begin(self, match: MatchRow, entries: Sequence[Entry]) -> None:
        """Somebody has joined: the seats are taken and the log begins; only one can be first."""
        async with self._writing() as connection:
            query = update(matches).where(and_(matches.c.id == match.id, matches.c.status == "waiting"))
            if (await connection.execute(query.values(_columns(match)))).rowcount != 1:
                raise NotStoredError(is_race=True)
            await _append(connection, match.id, entries)

    async def append(self, match: MatchRow, entries: Sequence[Entry]) -> None:
        """What has happened in a match; the unique number decides every race."""
        async with self._writing() as connection:
            await _append(connection, match.id, entries)
            await connection.execute(
                update(matches).where(matches.c.id == match.id).values(**_progress(match))
            )

    async def note(self, match: MatchRow) -> None:
        """What has changed about a match besides its log."""
        async with self._writing() as connection:
            await connection.execute(
                update(matches).where(matches.c.id == match.id).values(**_progress(match))
            )

    async def match(self, match_id: str) -> MatchRow | None:
        """A match by id."""
        return await self._one(matches.c.id == match_id)

    async def invited(self, token: str) -> MatchRow | None:
        """The match of an invitation."""
        return await self._one(matches.c.invitation == token)

    async def log(self, match_id: str) -> tuple[Entry, ...]:
        """The whole log of a match."""
        query = select(log.c.entry).where(log.c.match_id == match_id).order_by(log.c.number)
        async with self._engine.connect() as connection:
            texts = (await connection.execute(query)).scalars().all()
        return decode_log("[" + ",".join(texts) + "]")

    async def waiting(self, most: int) -> list[MatchRow]:
        """Open invitations in the lobby, newest first."""
        return await self._many(and_(matches.c.status == "waiting", matches.c.opponent == "lobby"), most)

    async def public(self, most: int) -> list[MatchRow]:
        """Games from the lobby that are being played."""
        return await self._many(and_(matches.c.status == "running", matches.c.opponent == "lobby"), most)

    async def matches_of(self, guest_id: str, most: int) -> list[MatchRow]:
        """A guest's matches, newest first."""
        return await self._many(_belongs(guest_id), most)

    async def unfinished_of(self, guest_id: str) -> int:
        """How many unfinished matches a guest has."""
        query = select(func.count()).where(and_(_belongs(guest_id), matches.c.status != "over"))
        async with self._engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def clocked(self) -> list[MatchRow]:
        """Matches in which a clock runs."""
        runs = and_(matches.c.status == "running", matches.c.falls_at_ms.is_not(None))
        return await self._many(runs, 100_000)

    # ------------------------------------------------------------------ chat

    async def say(self, match_id: str, line: ChatRow) -> None:
        """Keep a phrase."""
        async with self._writing() as connection:
            await connection.execute(insert(chat).values(match_id=match_id, **msgspec.structs.asdict(line)))

    async def said(self, match_id: str, most: int) -> list[ChatRow]:
        """The last phrases, oldest first."""
        query = select(chat.c.seat, chat.c.phrase, chat.c.at_ms).where(chat.c.match_id == match_id)
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query.order_by(chat.c.id.desc()).limit(most))).mappings().all()
        return [ChatRow(**row) for row in reversed(rows)]

    # ------------------------------------------------------------------ what players keep

    async def keep_note(self, match_id: str, seat: Side, piece: str, text: str) -> None:
        """A seat's note on a piece in place of the one before; an empty text takes it away."""
        where = {"match_id": match_id, "seat": seat, "piece": piece}
        async with self._writing() as connection:
            await connection.execute(
                delete(notes).where(*(notes.c[name] == value for name, value in where.items()))
            )
            if text:
                await connection.execute(insert(notes).values(text=text, **where))

    async def notes(self, match_id: str) -> dict[Side, dict[str, str]]:
        """The notes of both seats: piece → text."""
        query = select(notes.c.seat, notes.c.piece, notes.c.text).where(notes.c.match_id == match_id)
        found: dict[Side, dict[str, str]] = {side: {} for side in SIDES}
        async with self._engine.connect() as connection:
            for seat, piece, text in await connection.execute(query):
                found[seat][piece] = text
        return found

    async def keep_setup(self, guest_id: str, kept: SetupRow, at_ms: int, most: int) -> SetupRow | None:
        """A setup by name, in place of the one of that name before; None if there are too many."""
        async with self._writing() as connection:
            by_name = (
                setups.c.guest == guest_id,
                setups.c.game == kept.game,
                setups.c.side == kept.side,
                setups.c.name == kept.name,
            )
            if (await connection.execute(update(setups).where(*by_name).values(code=kept.code))).rowcount:
                known = (await connection.execute(select(setups.c.id).where(*by_name))).scalar_one()
                return msgspec.structs.replace(kept, id=known)
            count = select(func.count()).where(setups.c.guest == guest_id)
            if int((await connection.execute(count)).scalar_one()) >= most:
                return None
            values = msgspec.structs.asdict(kept) | {"guest": guest_id, "created_ms": at_ms}
            await connection.execute(insert(setups).values(values))
        return kept

    async def setups(self, guest_id: str, game: str = "") -> list[SetupRow]:
        """A guest's setups, of one game or of all, oldest first."""
        columns = [setups.c[name] for name in SetupRow.__struct_fields__]
        query = select(*columns).where(setups.c.guest == guest_id).order_by(setups.c.created_ms, setups.c.id)
        if game:
            query = query.where(setups.c.game == game)
        async with self._engine.connect() as connection:
            return [SetupRow(**row) for row in (await connection.execute(query)).mappings()]

    async def drop_setup(self, guest_id: str, setup_id: str) -> bool:
        """Forget one of a guest's setups; false if it has no such one."""
        async with self._writing() as connection:
            where = (setups.c.guest == guest_id, setups.c.id == setup_id)
            return (await connection.execute(delete(setups).where(*where))).rowcount > 0

    # ------------------------------------------------------------------ how

    def _writing(self) -> _Writing:
        return _Writing(self._engine)

    async def _one(self, where: Any) -> MatchRow | None:
        async with self._engine.connect() as connection:
            row = (await connection.execute(select(matches).where(where))).mappings().first()
        return _row(row) if row else None

    async def _many(self, where: Any, most: int) -> list[MatchRow]:
        query = select(matches).where(where).order_by(matches.c.created_ms.desc()).limit(most)
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [_row(row) for row in rows]


class _Writing:
    """A transaction; whatever the database says no with becomes `NotStoredError`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._begun = engine.begin()

    async def __aenter__(self) -> AsyncConnection:
        try:
            return await self._begun.__aenter__()
        except SQLAlchemyError as error:
            raise NotStoredError(is_race=False) from error

    async def __aexit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        try:
            await self._begun.__aexit__(kind, error, trace)
        except SQLAlchemyError as failed:
            raise NotStoredError(is_race=isinstance(failed, IntegrityError)) from failed
        if isinstance(error, SQLAlchemyError):
            raise NotStoredError(is_race=isinstance(error, IntegrityError)) from error


def _prepare(connection: Any, _: Any) -> None:
    """Every connection: readers never wait, an acknowledged commit is on the disk."""
    cursor: sqlite3.Cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_MS}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def _append(connection: AsyncConnection, match_id: str, entries: Sequence[Entry]) -> None:
    if entries:
        rows = [
            {"match_id": match_id, "number": entry.number, "entry": encode_log((entry,)).decode()[1:-1]}
            for entry in entries
        ]
        await connection.execute(insert(log), rows)


def _belongs(guest_id: str) -> Any:
    return or_(matches.c.south == guest_id, matches.c.north == guest_id, matches.c.host == guest_id)


def _columns(match: MatchRow) -> dict[str, object]:
    return msgspec.structs.asdict(match) | {"options": msgspec.json.encode(match.options).decode()}


def _progress(match: MatchRow) -> dict[str, object]:
    names = ("status", "falls_at_ms", "winner", "reason", "rematch_asked")
    return {name: getattr(match, name) for name in names}


def _row(row: RowMapping) -> MatchRow:
    facts = {name: row[name] for name in MatchRow.__struct_fields__}
    return msgspec.convert(facts | {"options": msgspec.json.decode(row["options"])}, MatchRow)
