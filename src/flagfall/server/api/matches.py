"""Routes: making, finding, joining and looking at matches."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from flagfall.server.api.guests import check_new_match, current_guest, registry_of, require_guest
from flagfall.server.api.http import json_response, operation, read_body
from flagfall.server.api.messages import Invitation, Lobby, MatchLine, MatchList, NewsPage, State
from flagfall.server.api.requests import NewMatch
from flagfall.server.errors import RequestError
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.sessions.session import MatchSession
from flagfall.server.store.rows import GuestRow, MatchRow
from flagfall.view.view import Result, Viewer

router = APIRouter(tags=["matches"])

Since = Annotated[int, Query(ge=0, le=2**31 - 1, description="news from this number on")]
As = Annotated[
    str,
    Query(
        alias="as",
        max_length=8,
        description="whose eyes: south, north, watcher, truth; empty: your own seat, or watcher",
    ),
]
MAX_LISTED = 100
MAX_WAITING = 1_000
"""invitations among which the lobby chooses"""
DAMAGED = "damaged"
"""the result, in lists, of a match whose log cannot be read"""


@router.post("/api/matches", openapi_extra=operation(State, NewMatch, 401, 404, 503))
async def create(request: Request) -> Response:
    """A new match; the answer shows it as a watcher sees it, or as its host."""
    guest = await require_guest(request)
    body = await read_body(request, NewMatch)
    check_new_match(request, body.opponent)
    session = await registry_of(request).create(guest, body)
    yours = session.row.seats_of(guest.id)
    eyes: Viewer = yours[0] if len(yours) == 1 else "watcher"
    return json_response(session.state(guest.id, eyes, 0))


@router.get("/api/lobby", openapi_extra=operation(Lobby))
async def lobby(request: Request) -> Response:
    """Open invitations, and public games to watch."""
    registry, guest = registry_of(request), await current_guest(request)
    waiting = _fairly(registry, await registry.store.lobby_invitations(MAX_WAITING))
    running = await registry.store.public_matches(MAX_LISTED)
    return json_response(
        Lobby(
            tuple(_invitation(row, guest) for row in waiting),
            tuple(_line(row, guest) for row in running),
        )
    )


def _fairly(registry: MatchRegistry, rows: list[MatchRow]) -> list[MatchRow]:
    """The invitations of hosts who are there; everybody's newest before anybody's second."""
    turns: Counter[str] = Counter()
    ordered: list[tuple[int, int, MatchRow]] = []
    for at, row in enumerate(rows):
        if registry.away_s(row) <= registry.settings.host_away_s:
            ordered.append((turns[row.host], at, row))
            turns[row.host] += 1
    return [row for _, _, row in sorted(ordered, key=lambda one: one[:2])[:MAX_LISTED]]


@router.get("/api/me/matches", openapi_extra=operation(MatchList, None, 401))
async def mine(request: Request) -> Response:
    """Your matches, newest first."""
    guest = await require_guest(request)
    rows = await registry_of(request).store.matches_of(guest.id, MAX_LISTED)
    return json_response(MatchList(tuple(_line(row, guest) for row in rows)))


@router.get("/api/invitations/{token}", openapi_extra=operation(Invitation, None, 404, 409))
async def invitation(token: str, request: Request) -> Response:
    """What a link leads to."""
    session = await registry_of(request).invited_session(token)
    return json_response(_invitation(session.row, await current_guest(request)))


@router.post("/api/invitations/{token}", openapi_extra=operation(State, None, 401, 404, 409))
async def accept(token: str, request: Request) -> Response:
    """Join by a link."""
    guest = await require_guest(request)
    session = await registry_of(request).invited_session(token)
    return await _joined(request, session, guest)


@router.post("/api/matches/{match}/join", openapi_extra=operation(State, None, 401, 403, 404, 409))
async def join(match: str, request: Request) -> Response:
    """Join a match of the lobby."""
    guest = await require_guest(request)
    session = await registry_of(request).session(match)
    if session.row.opponent != "lobby":
        raise RequestError("not-your-seat", "This match is private; join it by its link.")
    return await _joined(request, session, guest)


async def _joined(request: Request, session: MatchSession, guest: GuestRow) -> Response:
    await registry_of(request).join(session, guest)
    await session.wait_until_stored()
    return json_response(session.state(guest.id, session.viewer_for(guest.id, ""), 0))


@router.get("/api/matches/{match}/state", openapi_extra=operation(State, None, 401, 403, 404))
async def state(
    match: str,
    request: Request,
    eyes: As = "",
    since: Since = 0,
    wait_s: Annotated[
        float, Query(ge=0, le=25, description="wait so long for something new after ``since``")
    ] = 0.0,
) -> Response:
    """The match as you may see it now, with the news since a number."""
    registry, guest = registry_of(request), await current_guest(request)
    session = await registry.session(match)
    guest_id = guest.id if guest else None
    viewer = session.viewer_for(guest_id, eyes)
    if wait_s and session.number(viewer) <= since:
        await _something_new(session, guest_id, viewer, since, wait_s)
        await session.wait_until_stored()
        viewer = session.viewer_for(guest_id, eyes)
    return json_response(session.state(guest_id, viewer, since))


@router.get("/api/matches/{match}/news", openapi_extra=operation(NewsPage, None, 401, 403, 404, 409))
async def news(
    match: str,
    request: Request,
    eyes: As = "",
    before: Annotated[int, Query(ge=0, le=2**31 - 1, description="only what came before this number")] = 0,
) -> Response:
    """Older news, a page at a time: those before the ``since`` of a State or of the last page."""
    registry, guest = registry_of(request), await current_guest(request)
    session = await registry.session(match)
    return json_response(session.news(session.viewer_for(guest.id if guest else None, eyes), before))


async def _something_new(
    session: MatchSession, guest: str | None, viewer: Viewer, since: int, wait_s: float
) -> None:
    """Until this viewer's number has grown, or the time is over."""
    listener = asyncio.Event()
    session.listeners.add(listener)
    if guest is not None:
        session.presence.enter(guest)
    try:
        async with asyncio.timeout(wait_s):
            while session.number(viewer) <= since and not session.registry.is_closing:
                listener.clear()
                await listener.wait()
    except TimeoutError:
        pass
    finally:
        session.listeners.discard(listener)
        if guest is not None:
            session.presence.leave(guest)


def _invitation(row: MatchRow, guest: GuestRow | None) -> Invitation:
    if row.status != "waiting":
        raise RequestError("taken", "This match has its two players already, or was taken back.")
    sides = {"south": "north", "north": "south", "lot": "lot"}
    return Invitation(
        match=row.id,
        game=row.game,
        host=row.south_name,
        options=row.options,
        clock=row.options.get("clock", "none"),
        side=sides[row.host_side],  # type: ignore[arg-type]
        is_yours=guest is not None and guest.id == row.host,
    )


def _line(row: MatchRow, guest: GuestRow | None) -> MatchLine:
    """A match in a list, from its row alone."""
    yours = row.seats_of(guest.id if guest else None)
    reason = DAMAGED if row.status == "damaged" else row.reason
    return MatchLine(
        match=row.id,
        game=row.game,
        opponent=row.opponent,
        phase=row.phase,
        south=row.south_name,
        north=row.north_name,
        clock=row.options.get("clock", "none"),
        yours=yours,
        is_your_turn=row.status == "running" and row.to_move in yours,
        created_ms=row.created_ms,
        result=Result(row.winner, reason) if reason else None,
    )
