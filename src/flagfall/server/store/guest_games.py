"""Reads, filters and deletes the games of one guest, and stores the facts of finished games."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import structlog
from sqlalchemy import Connection, RowMapping, and_, delete, func, not_, null, or_, select, text, update

from flagfall.match import Created, MatchError, decode_log, encode_log
from flagfall.match.facts import GameFacts
from flagfall.match.texts import ABORTED
from flagfall.server.store.box_store import delete_boxes_of
from flagfall.server.store.database import Database
from flagfall.server.store.opened_records import delete_records_of
from flagfall.server.store.rows import MatchFilter, MatchRow, decode_row, sendable
from flagfall.server.store.run_store import delete_runs_of
from flagfall.server.store.tables import (
    TABLES_OF_MATCHES,
    facts,
    guests,
    log,
    matches,
    metadata,
    notes,
    push_subscriptions,
    puzzle_attempts,
    removed,
    setups,
)
from flagfall.sides import Side

logger = structlog.get_logger("flagfall.store")


class GuestGames:
    """The matches of a guest, as methods."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def filtered_matches(
        self, guest_id: str, wanted: MatchFilter, first: int, count: int
    ) -> tuple[int, list[tuple[MatchRow, GameFacts | None]]]:
        """Return how many of a guest's matches pass a filter, and some of them with their facts."""
        where = and_(listed(guest_id), *_conditions(guest_id, wanted))
        query = select(matches, facts.c.facts).select_from(matches.outerjoin(facts)).where(where)
        query = query.order_by(matches.c.created_ms.desc(), matches.c.id).offset(first).limit(count)
        return await self._count(where), _with_facts(await self._select(query))

    async def counted_matches(
        self, guest_id: str, limit: int
    ) -> tuple[list[tuple[MatchRow, GameFacts]], list[str]]:
        """Return a guest's newest finished games with facts, and the ids of those whose facts are missing."""
        is_open = and_(matches.c.status == "over", matches.c.reason != ABORTED, matches.c.south_name != "")
        query = select(matches, facts.c.facts).select_from(matches.outerjoin(facts))
        query = query.where(listed(guest_id), is_open).order_by(matches.c.created_ms.desc()).limit(limit)
        rows = await self._select(query)
        decoded = await asyncio.to_thread(_with_facts, rows)
        known = [(row, found) for row, found in decoded if found is not None]
        return known, [row["id"] for row in rows if row["facts"] is None]

    async def kinds_of_matches(self, guest_id: str) -> list[tuple[str, str, str]]:
        """Return every (game, opponent, level) among a guest's matches."""
        level = matches.c.south_level + matches.c.north_level
        query = select(matches.c.game, matches.c.opponent, level.label("level")).distinct()
        rows = await self._select(query.where(listed(guest_id)))
        return [(sendable(row["game"]), row["opponent"], sendable(row["level"])) for row in rows]

    async def add_facts(self, match_id: str, found: GameFacts | None) -> None:
        """Store the facts of a finished game, once; None for a game that cannot be counted."""
        statement = text(
            "INSERT INTO facts (match_id, facts) SELECT :match_id, :facts "
            "WHERE EXISTS (SELECT 1 FROM matches WHERE id = :match_id) ON CONFLICT DO NOTHING"
        )
        encoded = msgspec.json.encode(found).decode() if found else ""
        await self._execute(statement, {"match_id": match_id, "facts": encoded})

    async def remove_from_list(self, match_id: str, guest_id: str) -> None:
        """Remove a match from a guest's list; it stays for the other player."""
        statement = text(
            "INSERT INTO removed (match_id, guest) VALUES (:match, :guest) ON CONFLICT DO NOTHING"
        )
        await self._execute(statement, {"match": match_id, "guest": guest_id})

    async def delete_matches(self, match_ids: Sequence[str]) -> None:
        """Delete matches with everything that belongs to them."""

        def work(connection: Connection) -> None:
            for name in TABLES_OF_MATCHES:
                table = metadata.tables[name]
                connection.execute(delete(table).where(table.c.match_id.in_(match_ids)))
            connection.execute(delete(matches).where(matches.c.id.in_(match_ids)))

        await self._database.write(work)

    async def notes_of(self, guest_id: str) -> list[tuple[str, str, str]]:
        """Return a guest's notes: match, piece, text."""
        mine = and_(notes.c.match_id == matches.c.id, _sits_at(guest_id, notes.c.seat))
        query = select(notes.c.match_id, notes.c.piece, notes.c.text).select_from(matches.join(notes, mine))
        rows = await self._select(query.order_by(matches.c.created_ms, notes.c.match_id, notes.c.piece))
        return [(row["match_id"], sendable(row["piece"]), sendable(row["text"])) for row in rows]

    async def all_matches_of(self, guest_id: str) -> list[MatchRow]:
        """Return all matches of a guest, also those removed from their list."""
        rows = await self._select(select(matches).where(belongs(guest_id)).add_columns(null().label("facts")))
        return [row for row, _ in _with_facts(rows)]

    async def take_name_off(self, match_id: str, sides: Iterable[Side], name: str) -> None:
        """Replace the name of a player in a match's row and log, and delete their notes on it."""

        def work(connection: Connection) -> None:
            for side in sides:
                where = and_(notes.c.match_id == match_id, notes.c.seat == side)
                connection.execute(delete(notes).where(where))
                values = {f"{side}_name": name}
                connection.execute(update(matches).where(matches.c.id == match_id).values(values))
                _rename_in_log(connection, match_id, side, name)

        await self._database.write(work)

    async def delete_guest(self, guest_id: str, name: str, token_hash: str) -> None:
        """Delete a guest's name, cookie, setups and devices; the row stays for games with other people."""

        def work(connection: Connection) -> None:
            connection.execute(delete(setups).where(setups.c.guest == guest_id))
            delete_boxes_of(connection, guest_id)
            delete_runs_of(connection, guest_id)
            connection.execute(delete(removed).where(removed.c.guest == guest_id))
            connection.execute(delete(push_subscriptions).where(push_subscriptions.c.guest == guest_id))
            delete_records_of(connection, guest_id)
            connection.execute(delete(puzzle_attempts).where(puzzle_attempts.c.guest == guest_id))
            values = {"name": name, "token_hash": token_hash}
            connection.execute(update(guests).where(guests.c.id == guest_id).values(values))

        await self._database.write(work)

    async def _execute(self, statement: Any, values: dict[str, Any]) -> None:
        await self._database.write(lambda connection: connection.execute(statement, values).rowcount)

    async def _select(self, query: Any) -> Sequence[RowMapping]:
        return await self._database.read(lambda connection: connection.execute(query).mappings().all())

    async def _count(self, where: Any) -> int:
        query = select(func.count()).where(where)
        return int(await self._database.read(lambda connection: connection.execute(query).scalar_one()))


def belongs(guest_id: str) -> Any:
    """Return the condition for all matches of a guest."""
    return or_(matches.c.south == guest_id, matches.c.north == guest_id, matches.c.host == guest_id)


def listed(guest_id: str) -> Any:
    """Return the condition for the matches in a guest's list."""
    hidden = select(removed.c.match_id).where(removed.c.guest == guest_id)
    return and_(belongs(guest_id), matches.c.id.not_in(hidden))


def _sits_at(guest_id: str, side: Any) -> Any:
    return or_(
        and_(side == Side.SOUTH.value, matches.c.south == guest_id),
        and_(side == Side.NORTH.value, matches.c.north == guest_id),
    )


def _conditions(guest_id: str, wanted: MatchFilter) -> Iterable[Any]:
    """Yield the conditions of a filter."""
    is_over, is_cancelled = matches.c.status == "over", matches.c.reason == ABORTED
    if wanted.game:
        is_box = "/" not in wanted.game
        yield (
            matches.c.game.startswith(f"{wanted.game}/", autoescape=True)
            if is_box
            else (matches.c.game == wanted.game)
        )
    if wanted.opponent == "people":
        yield matches.c.opponent.in_(("friend", "lobby"))
    elif wanted.opponent == "same-screen":
        yield matches.c.opponent == "hot-seat"
    elif wanted.opponent:
        yield or_(matches.c.south_level == wanted.opponent, matches.c.north_level == wanted.opponent)
    if wanted.result == "running":
        yield matches.c.status.in_(("waiting", "running"))
    elif wanted.result == "cancelled":
        yield and_(is_over, is_cancelled)
    elif wanted.result == "drawn":
        yield and_(is_over, not_(is_cancelled), matches.c.winner == "")
    elif wanted.result:
        is_mine = _sits_at(guest_id, matches.c.winner)
        yield and_(is_over, matches.c.winner != "", matches.c.opponent != "hot-seat")
        yield is_mine if wanted.result == "won" else not_(func.coalesce(is_mine, False))


def _with_facts(rows: Sequence[RowMapping]) -> list[tuple[MatchRow, GameFacts | None]]:
    """Return rows with their facts; a damaged row is left out, damaged facts are None."""
    found: list[tuple[MatchRow, GameFacts | None]] = []
    for row in rows:
        try:
            match = decode_row(row)
        except MatchError:
            logger.error("a match has a damaged row and is left out of lists", match=str(row["id"])[:40])
            continue
        known: GameFacts | None = None
        if row["facts"]:
            with suppress(msgspec.MsgspecError, UnicodeError, TypeError):
                known = msgspec.json.decode(row["facts"], type=GameFacts)
        found.append((match, known))
    return found


def _rename_in_log(connection: Connection, match_id: str, side: Side, name: str) -> None:
    """Replace a player's name in the first entry of a log, if it can be read."""
    where = and_(log.c.match_id == match_id, log.c.number == 0)
    entry = connection.execute(select(log.c.entry).where(where)).scalar()
    with suppress(MatchError, UnicodeError):
        (created,) = decode_log(f"[{entry}]")
        if isinstance(created, Created):
            seating = msgspec.structs.replace(created.seating, **{side.value: name})
            renamed = msgspec.structs.replace(created, seating=seating)
            text = encode_log((renamed,)).decode()[1:-1]
            connection.execute(update(log).where(where).values(entry=text))
