"""Routes: making, finding, joining and looking at matches."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from flagfall.server.api.guests import check_new_match, house_of, maybe_guest, the_guest
from flagfall.server.api.http import body, sent, spoken
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


@router.post("/api/matches", openapi_extra=spoken(State, NewMatch, 401, 404, 503))
async def create(request: Request) -> Response:
    """A new match; the answer shows it as a watcher sees it, or as its host."""
    guest = await the_guest(request)
    wish = await body(request, NewMatch)
    check_new_match(request, wish.opponent)
    room = await house_of(request).create(guest, wish)
    yours = room.row.seats_of(guest.id)
    eyes: Viewer = yours[0] if len(yours) == 1 else "watcher"
    return sent(room.state(guest.id, eyes, 0))


@router.get("/api/lobby", openapi_extra=spoken(Lobby))
async def lobby(request: Request) -> Response:
    """Open invitations, and public games to watch."""
    house, guest = house_of(request), await maybe_guest(request)
    waiting = _fairly(house, await house.strongbox.waiting(MAX_WAITING))
    running = await house.strongbox.public(MAX_LISTED)
    return sent(
        Lobby(
            tuple(_invitation(row, guest) for row in waiting),
            tuple(_line(row, guest) for row in running),
        )
    )


def _fairly(house: MatchRegistry, rows: list[MatchRow]) -> list[MatchRow]:
    """The invitations of hosts who are there; everybody's newest before anybody's second."""
    turns: Counter[str] = Counter()
    ordered: list[tuple[int, int, MatchRow]] = []
    for at, row in enumerate(rows):
        if house.away_s(row) <= house.settings.host_away_s:
            ordered.append((turns[row.host], at, row))
            turns[row.host] += 1
    return [row for _, _, row in sorted(ordered, key=lambda one: one[:2])[:MAX_LISTED]]


@router.get("/api/me/matches", openapi_extra=spoken(MatchList, None, 401))
async def mine(request: Request) -> Response:
    """Your matches, newest first."""
    guest = await the_guest(request)
    rows = await house_of(request).strongbox.matches_of(guest.id, MAX_LISTED)
    return sent(MatchList(tuple(_line(row, guest) for row in rows)))


@router.get("/api/invitations/{token}", openapi_extra=spoken(Invitation, None, 404, 409))
async def invitation(token: str, request: Request) -> Response:
    """What a link leads to."""
    room = await house_of(request).invited(token)
    return sent(_invitation(room.row, await maybe_guest(request)))


@router.post("/api/invitations/{token}", openapi_extra=spoken(State, None, 401, 404, 409))
async def accept(token: str, request: Request) -> Response:
    """Join by a link."""
    guest = await the_guest(request)
    room = await house_of(request).invited(token)
    return await _joined(request, room, guest)


@router.post("/api/matches/{match}/join", openapi_extra=spoken(State, None, 401, 403, 404, 409))
async def join(match: str, request: Request) -> Response:
    """Join a match of the lobby."""
    guest = await the_guest(request)
    room = await house_of(request).room(match)
    if room.row.opponent != "lobby":
        raise RequestError("not-your-seat", "This match is private; join it by its link.")
    return await _joined(request, room, guest)


async def _joined(request: Request, room: MatchSession, guest: GuestRow) -> Response:
    await house_of(request).join(room, guest)
    await room.settled()
    return sent(room.state(guest.id, room.eyes(guest.id, ""), 0))


@router.get("/api/matches/{match}/state", openapi_extra=spoken(State, None, 401, 403, 404))
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
    house, guest = house_of(request), await maybe_guest(request)
    room = await house.room(match)
    guest_id = guest.id if guest else None
    viewer = room.eyes(guest_id, eyes)
    if wait_s and room.number(viewer) <= since:
        await _something_new(room, guest_id, viewer, since, wait_s)
        await room.settled()
        viewer = room.eyes(guest_id, eyes)
    return sent(room.state(guest_id, viewer, since))


@router.get("/api/matches/{match}/news", openapi_extra=spoken(NewsPage, None, 401, 403, 404, 409))
async def news(
    match: str,
    request: Request,
    eyes: As = "",
    before: Annotated[int, Query(ge=0, le=2**31 - 1, description="only what came before this number")] = 0,
) -> Response:
    """Older news, a page at a time: those before the ``since`` of a State or of the last page."""
    house, guest = house_of(request), await maybe_guest(request)
    room = await house.room(match)
    return sent(room.news(room.eyes(guest.id if guest else None, eyes), before))


async def _something_new(
    room: MatchSession, guest: str | None, viewer: Viewer, since: int, wait_s: float
) -> None:
    """Until this viewer's number has grown, or the time is over."""
    listener = asyncio.Event()
    room.listeners.add(listener)
    if guest is not None:
        room.presence.enter(guest)
    try:
        async with asyncio.timeout(wait_s):
            while room.number(viewer) <= since and not room.house.is_closing:
                listener.clear()
                await listener.wait()
    except TimeoutError:
        pass
    finally:
        room.listeners.discard(listener)
        if guest is not None:
            room.presence.leave(guest)


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
