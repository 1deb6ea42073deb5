"""The only door to the database. What it has not committed has not happened."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import structlog
from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    text,
    update,
)

from flagfall.match import Entry, MatchError, decode_log, encode_log
from flagfall.match.saving import MAX_LOG_ENTRIES
from flagfall.server.store.database import Database, NotStoredError, StoreError
from flagfall.server.store.rows import BanRow, ChatRow, GuestRow, MatchRow, SetupRow, decode_row
from flagfall.server.store.tables import bans, chat, guests, log, matches, meta, notes, setups
from flagfall.sides import SIDES, Side

__all__ = ["FILE_NAME", "MatchStore", "NotStoredError", "StoreError"]

FILE_NAME = "flagfall.sqlite3"
MAX_CACHED_GUESTS = 5_000
GUEST_CACHE_S = 5.0
"""how long a guest's row is believed without looking again"""

logger = structlog.get_logger("flagfall.store")


class MatchStore:
    """Guests, matches and their logs."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._guests: OrderedDict[str, tuple[float, GuestRow]] = OrderedDict()

    @classmethod
    def open(cls, file: Path) -> MatchStore:
        """The store in that file, which `migrate` has made."""
        return cls(Database(file))

    async def close(self) -> None:
        """Let go of the file."""
        await self.database.close()

    async def check(self, at_ms: int) -> None:
        """Write and read a row for real; `StoreError` if either is impossible."""
        await self.set_meta("checked", str(at_ms))
        if await self.meta("checked") is None:
            raise NotStoredError(is_race=False)
        await self.database.read(
            lambda connection: [
                connection.execute(select(table).limit(1)).first() for table in (guests, matches, log)
            ]
        )

    async def quick_check(self) -> str:
        """Let SQLite look at every page; “ok”, or its first complaint."""

        def look(connection: Connection) -> str:
            return str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())

        return await self.database.read(look)

    async def meta(self, key: str) -> str | None:
        """A fact about this database by name."""
        query = select(meta.c.value).where(meta.c.key == key)
        return await self.database.read(lambda connection: connection.execute(query).scalar())

    async def set_meta(self, key: str, value: str) -> None:
        """Keep a fact about this database."""
        statement = text(
            "INSERT INTO meta (key, value) VALUES (:key, :value) "
            "ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        )
        await self._execute(statement, {"key": key, "value": value})

    async def bans(self) -> list[BanRow]:
        """Return who is not served, and until when."""
        query = select(*(bans.c[name] for name in BanRow.__struct_fields__))
        rows = await self.database.read(lambda connection: connection.execute(query).mappings().all())
        return [BanRow(**row) for row in rows]

    # ------------------------------------------------------------------ guests

    async def add_guest(self, guest: GuestRow, token_hash: str, at_ms: int) -> None:
        """Store a new guest."""
        await self._execute(
            insert(guests).values(id=guest.id, name=guest.name, token_hash=token_hash, created_ms=at_ms)
        )

    async def rename_guest(self, guest_id: str, name: str) -> None:
        """Another name for the games to come."""
        await self._execute(update(guests).where(guests.c.id == guest_id).values(name=name))
        self.forget_guests()

    async def guest(self, token_hash: str) -> GuestRow | None:
        """The guest of a cookie."""
        now = time.monotonic()
        if (known := self._guests.get(token_hash)) is not None and known[0] > now:
            return known[1]
        row = await self.database.read(
            lambda connection: connection.execute(_GUEST, {"hash": token_hash}).mappings().first()
        )
        if row is None:
            return None
        guest = GuestRow(row["id"], _sendable(row["name"]))
        self._guests[token_hash] = (now + GUEST_CACHE_S, guest)
        self._guests.move_to_end(token_hash)
        if len(self._guests) > MAX_CACHED_GUESTS:
            self._guests.popitem(last=False)
        return guest

    def forget_guests(self) -> None:
        """Look every guest up again the next time."""
        self._guests.clear()

    # ------------------------------------------------------------------ matches

    async def add_match(self, match: MatchRow, entries: Sequence[Entry]) -> None:
        """A new match, with the beginning of its log if both players are known."""

        def work(connection: Connection) -> None:
            connection.execute(insert(matches).values(_columns(match)))
            _append(connection, match.id, entries)

        await self.database.write(work)

    async def add_rematch(self, old: MatchRow, match: MatchRow, entries: Sequence[Entry]) -> None:
        """The next match of the same two; only one follows a match."""

        def work(connection: Connection) -> None:
            connection.execute(insert(matches).values(_columns(match)))
            _append(connection, match.id, entries)
            query = update(matches).where(and_(matches.c.id == old.id, matches.c.rematch == ""))
            values = {"rematch": match.id, "rematch_asked": old.rematch_asked}
            if connection.execute(query.values(values)).rowcount != 1:
                raise NotStoredError(is_race=True)

        await self.database.write(work)

    async def start_match(self, match: MatchRow, entries: Sequence[Entry]) -> None:
        """Somebody has joined: the seats are taken and the log begins; only one can be first."""

        def work(connection: Connection) -> None:
            query = update(matches).where(and_(matches.c.id == match.id, matches.c.status == "waiting"))
            if connection.execute(query.values(_columns(match))).rowcount != 1:
                raise NotStoredError(is_race=True)
            _append(connection, match.id, entries)

        await self.database.write(work)

    async def append(self, match: MatchRow, entries: Sequence[Entry]) -> None:
        """What has happened in a match; each entry must have the next number, which decides every race."""

        def work(connection: Connection) -> None:
            _append(connection, match.id, entries)
            connection.execute(_PROGRESS, _progress(match))

        await self.database.write(work)

    async def update_match(self, match: MatchRow) -> None:
        """What has changed about a match besides its log."""
        await self._execute(_PROGRESS, _progress(match))

    async def close_invitation(self, match: MatchRow) -> None:
        """Take back an invitation, unless somebody has joined meanwhile."""

        def work(connection: Connection) -> None:
            query = update(matches).where(and_(matches.c.id == match.id, matches.c.status == "waiting"))
            if connection.execute(query.values(status="over", reason=match.reason)).rowcount != 1:
                raise NotStoredError(is_race=True)

        await self.database.write(work)

    async def mark_damaged(self, match_id: str) -> None:
        """Mark a match whose log cannot be read, so that nothing tries it again."""
        await self._execute(update(matches).where(matches.c.id == match_id).values(status="damaged"))

    async def match(self, match_id: str) -> MatchRow | None:
        """A match by id."""
        return await self._match(matches.c.id == match_id)

    async def invited_match(self, token: str) -> MatchRow | None:
        """The match of an invitation."""
        return await self._match(matches.c.invitation == token)

    async def log(self, match_id: str) -> tuple[Entry, ...]:
        """The whole log of a match; `MatchError` if an entry is missing or cannot be read."""
        query = select(log.c.number, log.c.entry).where(log.c.match_id == match_id).order_by(log.c.number)
        rows = await self.database.read(
            lambda connection: connection.execute(query.limit(MAX_LOG_ENTRIES + 1)).all()
        )
        if [row.number for row in rows] != list(range(len(rows))):
            raise MatchError("The log has a gap")
        if not all(isinstance(row.entry, str) for row in rows):
            raise MatchError("An entry of the log is no text")
        return decode_log("[" + ",".join(row.entry for row in rows) + "]")

    async def rows(self, match_ids: Iterable[str]) -> dict[str, tuple[MatchRow | None, int]]:
        """Return the rows of these matches and the lengths of their logs; None for a damaged row."""
        wanted = list(match_ids)
        length = select(func.coalesce(func.max(log.c.number) + 1, 0)).where(log.c.match_id == matches.c.id)
        query = select(matches, length.scalar_subquery().label("length")).where(
            matches.c.id.in_(bindparam("ids", expanding=True))
        )

        def work(connection: Connection) -> dict[str, tuple[MatchRow | None, int]]:
            found: dict[str, tuple[MatchRow | None, int]] = {}
            for at in range(0, len(wanted), 500):
                for row in connection.execute(query, {"ids": wanted[at : at + 500]}).mappings():
                    try:
                        found[row["id"]] = (decode_row(row), row["length"])
                    except MatchError:
                        found[row["id"]] = (None, row["length"])
            return found

        return await self.database.read(work)

    async def lobby_invitations(self, limit: int) -> list[MatchRow]:
        """Open invitations in the lobby, newest first."""
        return await self._matches(and_(matches.c.status == "waiting", matches.c.opponent == "lobby"), limit)

    async def public_matches(self, limit: int) -> list[MatchRow]:
        """Games from the lobby that are being played."""
        return await self._matches(and_(matches.c.status == "running", matches.c.opponent == "lobby"), limit)

    async def matches_of(self, guest_id: str, limit: int) -> list[MatchRow]:
        """A guest's matches, newest first."""
        return await self._matches(_belongs(guest_id), limit)

    async def unfinished_of(self, guest_id: str) -> int:
        """How many unfinished matches a guest has."""
        return await self._count(and_(_belongs(guest_id), matches.c.status.in_(("waiting", "running"))))

    async def invitations_of(self, guest_id: str) -> int:
        """How many open invitations a guest has."""
        return await self._count(and_(matches.c.host == guest_id, matches.c.status == "waiting"))

    async def oldest_invitations(self, limit: int) -> list[MatchRow]:
        """Open invitations, to the lobby and by link, oldest first."""
        return await self._matches(matches.c.status == "waiting", limit, matches.c.created_ms)

    async def matches_with_clock(self) -> list[MatchRow]:
        """Matches in which a clock runs."""
        runs = and_(matches.c.status == "running", matches.c.falls_at_ms.is_not(None))
        return await self._matches(runs, 100_000)

    async def matches_without_turn(self, limit: int) -> list[MatchRow]:
        """Running matches of an older version, whose rows do not say yet whose turn it is."""
        return await self._matches(and_(matches.c.status == "running", matches.c.to_move.is_(None)), limit)

    # ------------------------------------------------------------------ chat

    async def add_chat_line(self, match_id: str, line: ChatRow) -> None:
        """Keep a phrase."""
        await self._execute(insert(chat).values(match_id=match_id, **msgspec.structs.asdict(line)))

    async def chat_lines(self, match_id: str, limit: int) -> list[ChatRow]:
        """The last phrases, oldest first."""
        query = select(chat.c.seat, chat.c.phrase, chat.c.at_ms).where(chat.c.match_id == match_id)
        query = query.order_by(chat.c.id.desc()).limit(limit)
        rows = await self.database.read(lambda connection: connection.execute(query).mappings().all())
        return [
            ChatRow(row["seat"], _sendable(row["phrase"]), row["at_ms"])
            for row in reversed(rows)
            if row["seat"] in SIDES
        ]

    # ------------------------------------------------------------------ what players keep

    async def set_note(self, match_id: str, seat: Side, piece: str, text: str) -> None:
        """A seat's note on a piece in place of the one before; an empty text takes it away."""
        where = {"match_id": match_id, "seat": seat, "piece": piece}

        def work(connection: Connection) -> None:
            connection.execute(
                delete(notes).where(*(notes.c[name] == value for name, value in where.items()))
            )
            if text:
                connection.execute(insert(notes).values(text=text, **where))

        await self.database.write(work)

    async def notes(self, match_id: str) -> dict[Side, dict[str, str]]:
        """The notes of both seats: piece → text."""
        query = select(notes.c.seat, notes.c.piece, notes.c.text).where(notes.c.match_id == match_id)
        found: dict[Side, dict[str, str]] = {side: {} for side in SIDES}
        for seat, piece, note in await self.database.read(lambda connection: connection.execute(query).all()):
            if seat in found:
                found[seat][_sendable(piece)] = _sendable(note)
        return found

    async def save_setup(self, guest_id: str, kept: SetupRow, at_ms: int, limit: int) -> SetupRow | None:
        """A setup by name, in place of the one of that name before; None if there are too many."""
        by_name = (
            setups.c.guest == guest_id,
            setups.c.game == kept.game,
            setups.c.side == kept.side,
            setups.c.name == kept.name,
        )

        def work(connection: Connection) -> SetupRow | None:
            if connection.execute(update(setups).where(*by_name).values(code=kept.code)).rowcount:
                known = connection.execute(select(setups.c.id).where(*by_name)).scalar_one()
                return msgspec.structs.replace(kept, id=known)
            count = select(func.count()).where(setups.c.guest == guest_id)
            if int(connection.execute(count).scalar_one()) >= limit:
                return None
            values = msgspec.structs.asdict(kept) | {"guest": guest_id, "created_ms": at_ms}
            connection.execute(insert(setups).values(values))
            return kept

        return await self.database.write(work)

    async def setups(self, guest_id: str, game: str = "") -> list[SetupRow]:
        """A guest's setups, of one game or of all, oldest first."""
        columns = [setups.c[name] for name in SetupRow.__struct_fields__]
        query = select(*columns).where(setups.c.guest == guest_id).order_by(setups.c.created_ms, setups.c.id)
        if game:
            query = query.where(setups.c.game == game)
        rows = await self.database.read(lambda connection: connection.execute(query).mappings().all())
        return [SetupRow(**row) for row in rows]

    async def delete_setup(self, guest_id: str, setup_id: str) -> bool:
        """Forget one of a guest's setups; false if it has no such one."""
        return (
            await self._execute(delete(setups).where(setups.c.guest == guest_id, setups.c.id == setup_id)) > 0
        )

    # ------------------------------------------------------------------ how

    async def _execute(self, statement: Any, values: dict[str, Any] | None = None) -> int:
        """One statement in a transaction of its own; how many rows it has changed."""
        return await self.database.write(
            lambda connection: connection.execute(statement, values or {}).rowcount
        )

    async def _count(self, where: Any) -> int:
        query = select(func.count()).where(where)
        return int(await self.database.read(lambda connection: connection.execute(query).scalar_one()))

    async def _match(self, where: Any) -> MatchRow | None:
        query = select(matches).where(where)
        row = await self.database.read(lambda connection: connection.execute(query).mappings().first())
        return decode_row(row) if row else None

    async def _matches(self, where: Any, limit: int, order: Any = None) -> list[MatchRow]:
        """Rows, newest first by default; one that cannot be understood is left out and logged."""
        order = matches.c.created_ms.desc() if order is None else order
        query = select(matches).where(where).order_by(order).limit(limit)
        rows = await self.database.read(lambda connection: connection.execute(query).mappings().all())
        found = []
        for row in rows:
            try:
                found.append(decode_row(row))
            except MatchError:
                logger.error("a match has a damaged row and is left out of lists", match=str(row["id"])[:40])
        return found


_GUEST = select(guests.c.id, guests.c.name).where(guests.c.token_hash == bindparam("hash"))

_APPEND = text(
    "INSERT INTO log (match_id, number, entry) SELECT :match_id, :number, :entry "
    "WHERE :number = (SELECT coalesce(max(number), -1) + 1 FROM log WHERE match_id = :match_id)"
)
"""only the next number is taken: neither a number twice nor a gap"""

_CHANGING = ("status", "falls_at_ms", "to_move", "winner", "reason", "rematch_asked", "updated_ms")
_PROGRESS = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"))
    .values({name: bindparam(f"new_{name}") for name in _CHANGING})
)


def _sendable(text: str) -> str:
    """A text without damaged bytes, which could not be sent: each becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def _append(connection: Connection, match_id: str, entries: Sequence[Entry]) -> None:
    for entry in entries:
        values = {
            "match_id": match_id,
            "number": entry.number,
            "entry": encode_log((entry,)).decode()[1:-1],
        }
        if connection.execute(_APPEND, values).rowcount != 1:
            raise NotStoredError(is_race=True)


def _progress(match: MatchRow) -> dict[str, object]:
    return {f"new_{name}": getattr(match, name) for name in _CHANGING} | {"match_id": match.id}


def _belongs(guest_id: str) -> Any:
    return or_(matches.c.south == guest_id, matches.c.north == guest_id, matches.c.host == guest_id)


def _columns(match: MatchRow) -> dict[str, object]:
    return msgspec.structs.asdict(match) | {"options": msgspec.json.encode(match.options).decode()}
