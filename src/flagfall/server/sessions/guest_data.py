"""What the server keeps of one guest: facts of finished games, everything in one download, and deletion."""

from __future__ import annotations

import asyncio
import io
import secrets
import zipfile
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime

import msgspec
import structlog

from flagfall.edition.versions import text_of_game
from flagfall.languages import say
from flagfall.match import Match, to_record
from flagfall.match.facts import GameFacts, game_facts
from flagfall.notation import Record, to_json, write_record
from flagfall.notation.names import DELETED_NAME
from flagfall.server.errors import RequestError
from flagfall.server.push.services import origin_of
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.store.rows import GuestRow, MatchRow
from flagfall.server.store.run_store import RunRow
from flagfall.server.store.subscriptions import SubscriptionRow
from flagfall.sides import Side

DELETE_BATCH = 50
"""matches deleted in one transaction, so that no player waits long"""
MAX_EXPORTED = 2_000
"""games in one download, the newest"""
MAX_EXPORTS = 2
"""downloads that are made at the same time"""
logger = structlog.get_logger("flagfall.guests")


# ---------------------------------------------------------------------- facts of finished games


async def fill_facts(registry: MatchRegistry, guest: str, match_ids: Sequence[str]) -> None:
    """Work out the facts of a guest's finished games that have none; one game at a time on this server."""
    if guest in registry.filling:
        return
    registry.filling.add(guest)
    try:
        for match_id in match_ids:
            async with registry.filling_lock:
                if registry.is_closing:
                    return
                with suppress(RequestError):
                    _, match = await registry.load_match(match_id)
                    await registry.store.guest_games.add_facts(
                        match_id, await asyncio.to_thread(_facts, match_id, match)
                    )
    finally:
        registry.filling.discard(guest)


def _facts(match_id: str, match: Match | None) -> GameFacts | None:
    """Return the facts of a game; None, and a line in the log, if there are none."""
    try:
        return game_facts(match) if match and not match.continued else None
    except Exception as error:
        logger.error("a game cannot be counted", match=match_id, kind=type(error).__name__)
        return None


# ---------------------------------------------------------------------- one download


async def export(registry: MatchRegistry, guest: GuestRow) -> AsyncIterator[bytes]:
    """Yield a ZIP file with the guest's finished games, notes and setups, a game at a time."""
    rows = [row for row in await registry.store.matches_of(guest.id, MAX_EXPORTED) if row.status != "damaged"]
    notes = [
        {"match": match, "piece": piece, "text": text}
        for match, piece, text in await registry.store.guest_games.notes_of(guest.id)
    ]
    setups = await registry.store.setups(guest.id)
    buffer = _Buffer()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", say("server.guest.export"))
        archive.writestr("games.json", _json([_listed(row, guest.id) for row in rows]))
        archive.writestr("notes.json", _json(notes))
        archive.writestr("setups.json", _json(setups))
        archive.writestr("puzzles.json", _json(await registry.store.attempts_of(guest.id)))
        archive.writestr(
            "runs.json", _json([_run(row) for row in await registry.store.runs.all_of(guest.id)])
        )
        devices = await registry.store.subscriptions.of_guest(guest.id)
        archive.writestr("devices.json", _json([_device(device) for device in devices]))
        yield buffer.take()
        async for name, text in _boxes(registry, guest, rows):
            await asyncio.to_thread(archive.writestr, f"boxes/{name}.toml", text)
            yield buffer.take()
        for row in rows:
            if row.status == "over" and not registry.is_closing:
                with suppress(RequestError):
                    _, match = await registry.load_match(row.id)
                    await asyncio.to_thread(_add_game, archive, row, match)
            yield buffer.take()
        for id, _, opened in await registry.store.records.of_guest(guest.id):
            await asyncio.to_thread(_add_opened, archive, id, opened)
            yield buffer.take()
    yield buffer.take()


async def _boxes(
    registry: MatchRegistry, guest: GuestRow, rows: Sequence[MatchRow]
) -> AsyncIterator[tuple[str, str]]:
    """Yield the texts of the guest's boxes, then of the versions that their games were played with.

    One at a time: a guest may have played with very many.
    """
    for row in await registry.store.boxes.of_guest(guest.id):
        yield row.id, row.text
    for box, game in {row.game.partition("/")[0]: row.game for row in rows if row.status == "over"}.items():
        if not registry.is_closing and (text := await asyncio.to_thread(text_of_game, game)):
            yield box, text


def _add_game(archive: zipfile.ZipFile, row: MatchRow, match: Match | None) -> None:
    """Add the record of a game, if everything about it may be shown."""
    if match is None or not match.is_open:
        return
    record = to_record(match)
    name = f"games/{_day(row.created_ms)} {row.game.replace('/', ' ')} {row.id}"
    archive.writestr(f"{name}.txt", write_record(record))
    archive.writestr(f"{name}.json", to_json(record))


def _add_opened(archive: zipfile.ZipFile, record_id: str, record: Record) -> None:
    """Add a record that the guest has opened."""
    archive.writestr(f"opened/{record.game.replace('/', ' ')} {record_id}.txt", write_record(record))


def _listed(row: MatchRow, guest: str) -> dict[str, object]:
    return {
        "match": row.id,
        "game": row.game,
        "options": row.options,
        "created": datetime.fromtimestamp(row.created_ms / 1000, UTC).isoformat(),
        "south": row.south_name,
        "north": row.north_name,
        "yours": row.seats_of(guest),
        "status": row.status,
        "winner": row.winner,
        "reason": row.reason,
    }


def _run(row: RunRow) -> dict[str, object]:
    return {
        "sort": row.sort,
        "started": _day(row.started_ms),
        "state": row.state,
        "games": row.games,
        "played": msgspec.Raw(row.facts.encode()),
        "results": msgspec.Raw(row.results.encode()),
    }


def _device(device: SubscriptionRow) -> dict[str, object]:
    return {"service": origin_of(device.endpoint), "since": _day(device.created_ms)}


def _day(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d")


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1)


class _Buffer(io.RawIOBase):
    """A file that is written once and taken away in pieces."""

    def __init__(self) -> None:
        self._data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._data += data
        return len(data)

    def take(self) -> bytes:
        """Return what was written since the last call."""
        data, self._data = bytes(self._data), bytearray()
        return data


# ---------------------------------------------------------------------- deletion


async def delete_game(registry: MatchRegistry, guest: GuestRow, match_id: str) -> None:
    """Delete a finished game of a guest; one with another person only leaves the guest's list."""
    row = await registry.store.match(match_id)
    if row is None or guest.id not in (row.south, row.north, row.host):
        raise RequestError("not-found", say("server.match.not-found"))
    if row.status in ("waiting", "running"):
        raise RequestError("not-over", say("server.match.not-over"))
    if is_shared(row, guest.id):
        await registry.store.guest_games.remove_from_list(match_id, guest.id)
    else:
        await registry.finish(_delete_alone(registry, [match_id]))


async def delete_everything(registry: MatchRegistry, guest: GuestRow) -> None:
    """Delete a guest: the games with other people are ended and stay for them, under another name.

    It can be repeated if it fails half-way.
    """
    await registry.finish(_delete_everything(registry, guest))


async def _delete_everything(registry: MatchRegistry, guest: GuestRow) -> None:
    async with registry.creating_lock(guest.id):
        rows = await registry.store.guest_games.all_matches_of(guest.id)
        shared = [row for row in rows if is_shared(row, guest.id)]
        alone = [row.id for row in rows if not is_shared(row, guest.id)]
        for row in shared:
            if row.status == "running":
                await _leave(registry, row, guest.id)
        for at in range(0, len(alone), DELETE_BATCH):
            await _delete_alone(registry, alone[at : at + DELETE_BATCH])
        for row in shared:
            await registry.store.guest_games.take_name_off(row.id, row.seats_of(guest.id), DELETED_NAME)
            await registry.reload_session(row.id)
        await registry.store.guest_games.delete_guest(guest.id, DELETED_NAME, secrets.token_hex(32))
        registry.store.forget_guests()
        registry.deleted_guests.add(guest.id)
        registry.runs.forget(guest.id)
        registry.push.forget(guest.id)


async def _leave(registry: MatchRegistry, row: MatchRow, guest: str) -> None:
    """End a running game with another person: cancel it before the first turn, or resign."""

    def end(match: Match, now: int) -> object:
        if match.is_over:
            return None
        return match.resign(seat, now) if match.has_acted(seat) else match.abort(seat, now)

    (seat,) = row.seats_of(guest)
    with suppress(RequestError):  # its clock has just run out, or it is damaged
        session = await registry.session(row.id)
        await session.execute(end)
    ended = await registry.store.match(row.id)
    if ended is not None and ended.status == "running":
        raise RequestError("not-stored", say("server.guest.still-here"))


async def _delete_alone(registry: MatchRegistry, match_ids: Sequence[str]) -> None:
    """Delete games that no other person has played in."""
    for match_id in match_ids:
        registry.drop_session(match_id)
    await registry.store.guest_games.delete_matches(match_ids)
    for match_id in match_ids:
        registry.drop_session(match_id)


def is_shared(row: MatchRow, guest: str) -> bool:
    """Return whether another person sits in this match."""
    return any(row.guest(side) not in (None, guest) for side in Side)
