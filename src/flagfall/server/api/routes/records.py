"""Routes: records of games that a guest opens, to replay and review them. Nobody else sees them.

The id of an opened record also works in the addresses of a finished match: replay, record and review.
"""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from flagfall.server.api.http import Operations, json_response, read_body, registry_of
from flagfall.server.api.messages.matches import OpenedRecord, OpenedRecords
from flagfall.server.api.requests import NewRecord
from flagfall.server.api.routes.guests import check_rate, current_guest, require_guest
from flagfall.server.sessions.presenter import ReplayedGame
from flagfall.server.sessions.records import MAX_RECORDS, Opened
from flagfall.server.store.opened_records import is_record_id

operations = Operations("records")


@operations.add("POST", "/api/records", OpenedRecord, 401, 413, 422, request=NewRecord)
async def open_record(request: Request) -> Response:
    """Open the record of a game, as text or as JSON; only you can see it."""
    guest = await require_guest(request)
    check_rate(request, "records")
    body = await read_body(request, NewRecord)
    return json_response(_message(await registry_of(request).records.open(guest, body.text)))


@operations.add("GET", "/api/records", OpenedRecords, 401)
async def opened_records(request: Request) -> Response:
    """List the records that you have opened, newest first."""
    guest = await require_guest(request)
    found = await registry_of(request).records.of_guest(guest.id)
    messages = await asyncio.to_thread(lambda: tuple(map(_message, found)))
    return json_response(OpenedRecords(messages, MAX_RECORDS))


@operations.add("GET", "/api/records/{id}", OpenedRecord, 401, 404)
async def opened_record(request: Request, id: str) -> Response:
    """Return a record that you have opened."""
    guest = await require_guest(request)
    return json_response(_message(await registry_of(request).records.opened(guest.id, id)))


@operations.add("DELETE", "/api/records/{id}", OpenedRecords, 401, 404)
async def delete_record(request: Request, id: str) -> Response:
    """Delete a record that you have opened, and its review."""
    guest = await require_guest(request)
    await registry_of(request).records.delete(guest.id, id)
    return json_response(OpenedRecords((), MAX_RECORDS))


async def replay_of(request: Request, match: str) -> ReplayedGame:
    """Return the replay of a finished match, or of a record that this guest has opened."""
    registry = registry_of(request)
    if is_record_id(match):
        guest = await current_guest(request)
        return await registry.records.replay(guest.id if guest else None, match)
    return await (await registry.session(match)).replay()


def _message(opened: Opened) -> OpenedRecord:
    record, (south, north) = opened.record, opened.record.shown_names
    return OpenedRecord(
        id=opened.id,
        game=record.game,
        south=south,
        north=north,
        date=record.date,
        options=dict(record.options),
        turns=len(record.turns),
        result=record.result,
        verdict=opened.verdict,
        created_ms=opened.created_ms,
    )
