"""Reads and writes guests, matches, logs, chat, notes, setups and attempts at puzzles.

What is not committed has not happened.
"""

from __future__ import annotations

import time
import zlib
from base64 import b64decode, b64encode
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import structlog
from sqlalchemy import (
    Column,
    Connection,
    RowMapping,
    Table,
    and_,
    bindparam,
    delete,
    func,
    insert,
    not_,
    or_,
    select,
    text,
    update,
)

from flagfall.edition.versions import text_of_game
from flagfall.match import Entry, MatchError, decode_log, encode_log
from flagfall.match.log import SetupSealed
from flagfall.match.saving import MAX_LOG_ENTRIES
from flagfall.match.texts import ABORTED
from flagfall.server.store.box_store import BoxStore, store_version
from flagfall.server.store.database import Database, NotStoredError, StoreError
from flagfall.server.store.guest_games import GuestGames, belongs, listed
from flagfall.server.store.opened_records import OpenedRecords, is_record_id
from flagfall.server.store.rows import BanRow, ChatRow, GuestRow, MatchRow, SetupRow, decode_row, sendable
from flagfall.server.store.run_store import RunStore
from flagfall.server.store.subscriptions import Subscriptions
from flagfall.server.store.tables import (
    bans,
    chat,
    guests,
    log,
    matches,
    meta,
    notes,
    puzzle_attempts,
    record_reviews,
    records,
    reminders,
    reviews,
    setups,
)
from flagfall.sides import SIDES, Side

__all__ = ["FILE_NAME", "MatchStore", "NotStoredError", "StoreError"]

FILE_NAME = "flagfall.sqlite3"
MAX_CACHED_GUESTS = 5_000
GUEST_CACHE_S = 5.0
"""how long a guest's row is cached"""

logger = structlog.get_logger("flagfall.store")


class MatchStore:
    """The database of a server, as methods."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.guest_games = GuestGames(database)
        self.subscriptions = Subscriptions(database)
        self.records = OpenedRecords(database)
        self.boxes = BoxStore(database)
        self.runs = RunStore(database)
        self._guests: OrderedDict[str, tuple[float, GuestRow]] = OrderedDict()

    @classmethod
    def open(cls, file: Path) -> MatchStore:
        """Open the database in a file, which `migrate` has made."""
        return cls(Database(file))

    async def close(self) -> None:
        """Close the file."""
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
        """Let SQLite check every page; return “ok” or the first problem."""

        pragma = "PRAGMA quick_check(1)"
        return str(await self.database.read(lambda found: found.exec_driver_sql(pragma).scalar_one()))

    async def meta(self, key: str) -> str | None:
        """Return a fact about this database by name."""
        query = select(meta.c.value).where(meta.c.key == key)
        return await self.database.read(lambda connection: connection.execute(query).scalar())

    async def set_meta(self, key: str, value: str) -> None:
        """Store a fact about this database."""
        statement = text(
            "INSERT INTO meta (key, value) VALUES (:key, :value) "
            "ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        )
        await self._execute(statement, {"key": key, "value": value})

    async def bans(self) -> list[BanRow]:
        """Return all bans."""
        query = select(*(bans.c[name] for name in BanRow.__struct_fields__))
        return [BanRow(**row) for row in await self._select(query)]

    # ------------------------------------------------------------------ guests

    async def add_guest(self, guest: GuestRow, token_hash: str, at_ms: int) -> None:
        """Store a new guest."""
        await self._execute(
            insert(guests).values(id=guest.id, name=guest.name, token_hash=token_hash, created_ms=at_ms)
        )

    async def rename_guest(self, guest_id: str, name: str) -> None:
        """Change a guest's name for future games."""
        await self._execute(update(guests).where(guests.c.id == guest_id).values(name=name))
        self.forget_guests()

    async def guest(self, token_hash: str) -> GuestRow | None:
        """Return the guest of a cookie."""
        now = time.monotonic()
        if (known := self._guests.get(token_hash)) is not None and known[0] > now:
            return known[1]
        row = await self.database.read(
            lambda connection: connection.execute(_GUEST, {"hash": token_hash}).mappings().first()
        )
        if row is None:
            return None
        guest = GuestRow(row["id"], sendable(row["name"]))
        self._guests[token_hash] = (now + GUEST_CACHE_S, guest)
        self._guests.move_to_end(token_hash)
        if len(self._guests) > MAX_CACHED_GUESTS:
            self._guests.popitem(last=False)
        return guest

    def forget_guests(self) -> None:
        """Empty the cache of guests."""
        self._guests.clear()

    # ------------------------------------------------------------------ matches

    async def add_match(self, match: MatchRow, entries: Sequence[Entry]) -> None:
        """Store a new match, with the first entries of its log if both players are known."""

        def work(connection: Connection) -> None:
            _keep_version(connection, match)
            connection.execute(insert(matches).values(_columns(match)))
            _append(connection, match.id, entries)

        await self.database.write(work)

    async def add_rematch(self, old: MatchRow, match: MatchRow, entries: Sequence[Entry]) -> None:
        """Store the rematch of a match, which has only one."""

        def work(connection: Connection) -> None:
            _keep_version(connection, match)
            connection.execute(insert(matches).values(_columns(match)))
            _append(connection, match.id, entries)
            values = {"rematch": match.id, "rematch_asked": old.rematch_asked}
            _update_one(connection, old.id, matches.c.rematch == "", values)

        await self.database.write(work)

    async def start_match(self, match: MatchRow, entries: Sequence[Entry]) -> None:
        """Store that a guest has joined and the log begins; a race if another one was first."""

        def work(connection: Connection) -> None:
            _update_one(connection, match.id, matches.c.status == "waiting", _columns(match))
            _append(connection, match.id, entries)

        await self.database.write(work)

    async def append(self, match: MatchRow, entries: Sequence[Entry]) -> None:
        """Append entries to the log of a match; each must have the next number, which decides every race."""

        def work(connection: Connection) -> None:
            _append(connection, match.id, entries)
            connection.execute(_PROGRESS, _progress(match))

        await self.database.write(work)

    async def update_match(self, match: MatchRow) -> None:
        """Store the columns of a match that change without its log."""
        await self._execute(_PROGRESS, _progress(match))

    async def close_invitation(self, match: MatchRow) -> None:
        """End an invitation; a race if a guest has joined meanwhile."""

        values = {"status": "over", "reason": match.reason}
        await self.database.write(
            lambda connection: _update_one(connection, match.id, matches.c.status == "waiting", values)
        )

    async def mark_damaged(self, match_id: str) -> None:
        """Mark a match that cannot be read, so that it is not loaded again."""
        await self._execute(update(matches).where(matches.c.id == match_id).values(status="damaged"))

    async def match(self, match_id: str) -> MatchRow | None:
        """Return a match by id."""
        return await self._match(matches.c.id == match_id)

    async def invited_match(self, token: str) -> MatchRow | None:
        """Return the match of an invitation."""
        return await self._match(matches.c.invitation == token)

    async def log(self, match_id: str) -> tuple[Entry, ...]:
        """Return the whole log of a match; `MatchError` if an entry is missing or cannot be read."""
        query = select(log.c.number, log.c.entry).where(log.c.match_id == match_id).order_by(log.c.number)
        rows = await self.database.read(
            lambda connection: connection.execute(query.limit(MAX_LOG_ENTRIES + 1)).all()
        )
        if [row.number for row in rows] != list(range(len(rows))):
            raise MatchError("The log has a gap")
        if not all(isinstance(row.entry, str) for row in rows):
            raise MatchError("An entry of the log is not text")
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
        """Return open invitations in the lobby, newest first."""
        return await self._matches(and_(matches.c.status == "waiting", matches.c.opponent == "lobby"), limit)

    async def public_matches(self, limit: int) -> list[MatchRow]:
        """Return matches from the lobby that are being played."""
        return await self._matches(and_(matches.c.status == "running", matches.c.opponent == "lobby"), limit)

    async def matches_of(self, guest_id: str, limit: int) -> list[MatchRow]:
        """Return a guest's matches, newest first."""
        return await self._matches(listed(guest_id), limit)

    async def unfinished_of(self, guest_id: str) -> int:
        """Return how many unfinished matches a guest has."""
        return await self._count(and_(belongs(guest_id), matches.c.status.in_(("waiting", "running"))))

    async def invitations_of(self, guest_id: str) -> int:
        """Return how many open invitations a guest has."""
        return await self._count(and_(matches.c.host == guest_id, matches.c.status == "waiting"))

    async def oldest_invitations(self, limit: int) -> list[MatchRow]:
        """Return open invitations, in the lobby and by link, oldest first."""
        return await self._matches(matches.c.status == "waiting", limit, matches.c.created_ms)

    async def matches_with_clock(self, before_ms: int) -> list[MatchRow]:
        """Return the matches in which a clock runs out before a time, or runs for a computer player."""
        is_computer = or_(
            and_(matches.c.to_move == "south", matches.c.south_level != ""),
            and_(matches.c.to_move == "north", matches.c.north_level != ""),
        )
        runs = and_(matches.c.status == "running", matches.c.falls_at_ms.is_not(None))
        return await self._matches(and_(runs, or_(matches.c.falls_at_ms < before_ms, is_computer)), 100_000)

    async def matches_falling(self, before_ms: int, limit: int) -> list[str]:
        """Return the ids of matches in which a clock runs out before a time, the first one first."""
        falls = and_(matches.c.status == "running", matches.c.falls_at_ms < before_ms)
        query = select(matches.c.id).where(falls).order_by(matches.c.falls_at_ms).limit(limit)
        return [str(row["id"]) for row in await self._select(query)]

    async def matches_to_remind(self, after_ms: int, before_ms: int, limit: int) -> list[MatchRow]:
        """Return matches of two people in which a clock runs out in a time, and nobody was reminded of it.

        Those with most time come first: they are games by day.
        """
        soon = and_(matches.c.falls_at_ms > after_ms, matches.c.falls_at_ms <= before_ms)
        people = matches.c.opponent.in_(("friend", "lobby"))
        noted = select(reminders.c.match_id).where(
            reminders.c.match_id == matches.c.id, reminders.c.falls_at_ms == matches.c.falls_at_ms
        )
        where = and_(matches.c.status == "running", soon, people, not_(noted.exists()))
        return await self._matches(where, limit, matches.c.falls_at_ms.desc())

    async def note_reminder(self, match_id: str, falls_at_ms: int) -> bool:
        """Note that a player is reminded of the end of their time; False if that was noted before."""
        statement = text(
            "INSERT INTO reminders (match_id, falls_at_ms) SELECT id, falls_at_ms FROM matches "
            "WHERE id = :match_id AND falls_at_ms = :falls_at_ms AND status = 'running' "
            "ON CONFLICT (match_id) DO UPDATE SET falls_at_ms = excluded.falls_at_ms "
            "WHERE reminders.falls_at_ms != excluded.falls_at_ms"
        )
        return await self._execute(statement, {"match_id": match_id, "falls_at_ms": falls_at_ms}) == 1

    async def matches_without_turn(self, limit: int) -> list[MatchRow]:
        """Return running matches of an older version, whose rows do not say whose turn it is."""
        return await self._matches(and_(matches.c.status == "running", matches.c.to_move.is_(None)), limit)

    # ------------------------------------------------------------------ chat

    async def add_chat_line(self, match_id: str, line: ChatRow) -> None:
        """Store a phrase."""
        await self._execute(insert(chat).values(match_id=match_id, **msgspec.structs.asdict(line)))

    async def chat_lines(self, match_id: str, limit: int) -> list[ChatRow]:
        """Return the last phrases, oldest first."""
        query = select(chat.c.seat, chat.c.phrase, chat.c.at_ms).where(chat.c.match_id == match_id)
        query = query.order_by(chat.c.id.desc()).limit(limit)
        return [
            ChatRow(row["seat"], sendable(row["phrase"]), row["at_ms"])
            for row in reversed(await self._select(query))
            if row["seat"] in SIDES
        ]

    # ------------------------------------------------------------------ notes and setups

    async def set_note(self, match_id: str, seat: Side, piece: str, text: str) -> None:
        """Replace a seat's note on a piece; an empty text deletes it."""
        where = {"match_id": match_id, "seat": seat, "piece": piece}

        def work(connection: Connection) -> None:
            connection.execute(
                delete(notes).where(*(notes.c[name] == value for name, value in where.items()))
            )
            if text:
                connection.execute(insert(notes).values(text=text, **where))

        await self.database.write(work)

    async def notes(self, match_id: str) -> dict[Side, dict[str, str]]:
        """Return the notes of both seats: piece → text."""
        query = select(notes.c.seat, notes.c.piece, notes.c.text).where(notes.c.match_id == match_id)
        found: dict[Side, dict[str, str]] = {side: {} for side in SIDES}
        for row in await self._select(query):
            if row["seat"] in found:
                found[row["seat"]][sendable(row["piece"])] = sendable(row["text"])
        return found

    async def save_setup(
        self, guest_id: str, kept: SetupRow, at_ms: int, limit: int, *, keeps_tags: bool = False
    ) -> SetupRow | None:
        """Store a setup, replacing the one of the same name; None if the guest has too many.

        ``keeps_tags`` leaves the tags of a setup that is replaced as they are.
        """
        by_name = (
            setups.c.guest == guest_id,
            setups.c.game == kept.game,
            setups.c.side == kept.side,
            setups.c.name == kept.name,
        )

        tags = {"own_tags": "\n".join(kept.own_tags)}
        changed = {"code": kept.code} | ({} if keeps_tags else tags)

        def work(connection: Connection) -> SetupRow | None:
            if connection.execute(update(setups).where(*by_name).values(changed)).rowcount:
                stored = connection.execute(select(setups.c.id, setups.c.own_tags).where(*by_name)).one()
                return msgspec.structs.replace(kept, id=stored.id, own_tags=_lines(stored.own_tags))
            count = select(func.count()).where(setups.c.guest == guest_id)
            if int(connection.execute(count).scalar_one()) >= limit:
                return None
            new = msgspec.structs.asdict(kept) | tags | {"guest": guest_id, "created_ms": at_ms}
            connection.execute(insert(setups).values(new))
            return kept

        return await self.database.write(work)

    async def setups(self, guest_id: str, game: str = "") -> list[SetupRow]:
        """Return a guest's setups, of one game or of all, oldest first."""
        columns = [setups.c[name] for name in SetupRow.__struct_fields__]
        query = select(*columns).where(setups.c.guest == guest_id).order_by(setups.c.created_ms, setups.c.id)
        if game:
            query = query.where(setups.c.game == game)
        return [SetupRow(**{**row, "own_tags": _lines(row["own_tags"])}) for row in await self._select(query)]

    async def finished_setups(self, game: str, side: Side, limit: int) -> list[tuple[str, str]]:
        """Return guest and code of people's setups in the newest finished games that are open to all."""
        guest = matches.c[side.value]
        is_open = and_(matches.c.status == "over", matches.c.reason != ABORTED)
        newest = (
            select(matches.c.id, guest.label("guest"))
            .where(and_(is_open, matches.c.game == game, guest.is_not(None)))
            .order_by(matches.c.created_ms.desc())
            .limit(limit)
            .subquery()
        )
        query = (
            select(newest.c.id, newest.c.guest, log.c.entry)
            .join(newest, log.c.match_id == newest.c.id)
            .where(log.c.entry.contains("setup sealed"))
            .order_by(log.c.match_id, log.c.number)
        )
        found: dict[str, tuple[str, str]] = {}
        for row in await self._select(query):
            with suppress(msgspec.DecodeError):
                entry = msgspec.json.decode(row["entry"], type=SetupSealed)
                if entry.seat == side:
                    found[row["id"]] = (row["guest"], entry.setup)
        return list(found.values())

    async def delete_setup(self, guest_id: str, setup_id: str) -> bool:
        """Delete one of a guest's setups; false if there is none."""
        statement = delete(setups).where(setups.c.guest == guest_id, setups.c.id == setup_id)
        return await self._execute(statement) > 0

    # ------------------------------------------------------------------ reviews

    async def add_review_steps(
        self, match_id: str, analyst: str, first: int, steps: Sequence[bytes], at_ms: int, max_matches: int
    ) -> None:
        """Store analysed turns, each as JSON; beyond ``max_matches``, or records, the oldest reviews go."""
        packed = b64encode(zlib.compress(b"[" + b",".join(steps) + b"]")).decode()
        table, owner = _reviews_of(match_id)
        row = {owner.name: match_id, "analyst": analyst, "first": first, "count": len(steps)}

        def work(connection: Connection) -> None:
            if table is record_reviews:
                known = select(func.count()).where(records.c.id == match_id)
                if not connection.execute(known).scalar_one():
                    return  # deleted while it was reviewed
            connection.execute(
                insert(table).prefix_with("OR REPLACE").values(**row, steps=packed, at_ms=at_ms)
            )
            connection.execute(_OLD_REVIEWS[table], {"max": max_matches})

        await self.database.write(work)

    async def review_length(self, match_id: str, analyst: str) -> int:
        """Return how many turns have been analysed."""
        return sum(count for _, count, _ in await self._review_rows(match_id, analyst))

    async def review_steps(self, match_id: str, analyst: str) -> bytes:
        """Return the analysed turns as a JSON array, up to the first row that cannot be read."""
        parts = []
        for _, _, packed in await self._review_rows(match_id, analyst):
            try:
                parts.append(zlib.decompress(b64decode(packed))[1:-1])
            except (ValueError, zlib.error):
                break
        return b"[" + b",".join(parts) + b"]"

    async def forget_review(self, match_id: str) -> None:
        """Delete the review of a match."""
        table, owner = _reviews_of(match_id)
        await self._execute(delete(table).where(owner == match_id))

    async def _review_rows(self, match_id: str, analyst: str) -> list[tuple[int, int, str]]:
        """Return the rows from the first turn on, up to a gap."""
        table, owner = _reviews_of(match_id)
        query = select(table.c.first, table.c["count"], table.c.steps).order_by(table.c.first)
        query = query.where(owner == match_id, table.c.analyst == analyst)
        found: list[tuple[int, int, str]] = []
        for row in await self._select(query):
            if row["first"] != (found[-1][0] + found[-1][1] if found else 0):
                break
            found.append((row["first"], row["count"], row["steps"]))
        return found

    # ------------------------------------------------------------------ puzzles

    async def add_attempt(self, guest_id: str, puzzle: str, *, is_solved: bool) -> None:
        """Store the outcome of a guest's first attempt; later ones change nothing."""
        values = {"guest": guest_id, "puzzle": puzzle, "is_solved": int(is_solved)}
        await self._execute(insert(puzzle_attempts).prefix_with("OR IGNORE"), values)

    async def attempts_of(self, guest_id: str) -> dict[str, bool]:
        """Return which puzzles a guest has tried, and whether the first attempt solved them."""
        columns = puzzle_attempts.c
        found = await self._select(select(columns.puzzle, columns.is_solved).where(columns.guest == guest_id))
        return {row["puzzle"]: bool(row["is_solved"]) for row in found}

    async def attempt_counts(self) -> dict[str, tuple[int, int]]:
        """Return for each puzzle how many guests have tried it and how many solved it."""
        columns = puzzle_attempts.c
        query = select(
            columns.puzzle, func.count().label("tried"), func.sum(columns.is_solved).label("solved")
        ).group_by(columns.puzzle)
        return {row["puzzle"]: (row["tried"], row["solved"]) for row in await self._select(query)}

    # ------------------------------------------------------------------ queries

    async def _execute(self, statement: Any, values: dict[str, Any] | None = None) -> int:
        """Run one statement in its own transaction; return how many rows it changed."""
        return await self.database.write(
            lambda connection: connection.execute(statement, values or {}).rowcount
        )

    async def _select(self, query: Any) -> Sequence[RowMapping]:
        return await self.database.read(lambda connection: connection.execute(query).mappings().all())

    async def _count(self, where: Any) -> int:
        query = select(func.count()).where(where)
        return int(await self.database.read(lambda connection: connection.execute(query).scalar_one()))

    async def _match(self, where: Any) -> MatchRow | None:
        rows = await self._select(select(matches).where(where))
        return decode_row(rows[0]) if rows else None

    async def _matches(self, where: Any, limit: int, order: Any = None) -> list[MatchRow]:
        """Return matches, newest first by default; a damaged row is left out and logged."""
        order = matches.c.created_ms.desc() if order is None else order
        query = select(matches).where(where).order_by(order).limit(limit)
        found = []
        for row in await self._select(query):
            try:
                found.append(decode_row(row))
            except MatchError:
                logger.error("a match has a damaged row and is left out of lists", match=str(row["id"])[:40])
        return found


def _reviews_of(match_id: str) -> tuple[Table, Column[str]]:
    """Return the table with the review of a match or of an opened record, and its column of ids."""
    if is_record_id(match_id):
        return record_reviews, record_reviews.c.record_id
    return reviews, reviews.c.match_id


_GUEST = select(guests.c.id, guests.c.name).where(guests.c.token_hash == bindparam("hash"))

_OLD_REVIEWS = {
    table: text(
        f"DELETE FROM {table.name} WHERE {owner} IN (SELECT {owner} FROM {table.name} "
        f"GROUP BY {owner} ORDER BY max(at_ms) DESC LIMIT -1 OFFSET :max)"
    )
    for table, owner in ((reviews, "match_id"), (record_reviews, "record_id"))
}

_APPEND = text(
    "INSERT INTO log (match_id, number, entry) SELECT :match_id, :number, :entry "
    "WHERE :number = (SELECT coalesce(max(number), -1) + 1 FROM log WHERE match_id = :match_id)"
)
"""accepts the next number only: neither duplicates nor gaps"""

_CHANGING = ("status", "falls_at_ms", "to_move", "winner", "reason", "rematch_asked", "updated_ms")
_PROGRESS = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"))
    .values({name: bindparam(f"new_{name}") for name in _CHANGING})
)


def _append(connection: Connection, match_id: str, entries: Sequence[Entry]) -> None:
    for entry in entries:
        text = encode_log((entry,)).decode()[1:-1]
        values = {"match_id": match_id, "number": entry.number, "entry": text}
        if connection.execute(_APPEND, values).rowcount != 1:
            raise NotStoredError(is_race=True)


def _keep_version(connection: Connection, match: MatchRow) -> None:
    """Store the text of the box that a new match is played with, if it does not come with the program."""
    box = match.game.partition("/")[0]
    store_version(connection, box, text_of_game(match.game), match.created_ms)


def _update_one(connection: Connection, match_id: str, still: Any, values: dict[str, Any]) -> None:
    """Update a match if a condition still holds; a race if it does not."""
    query = update(matches).where(and_(matches.c.id == match_id, still)).values(values)
    if connection.execute(query).rowcount != 1:
        raise NotStoredError(is_race=True)


def _progress(match: MatchRow) -> dict[str, object]:
    return {f"new_{name}": getattr(match, name) for name in _CHANGING} | {"match_id": match.id}


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.split("\n") if line)


def _columns(match: MatchRow) -> dict[str, object]:
    return msgspec.structs.asdict(match) | {"options": msgspec.json.encode(match.options).decode()}
