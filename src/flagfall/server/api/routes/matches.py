"""Routes: creating, finding, joining and viewing matches, and what is public when a game is over."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Annotated, Literal

from msgspec import Meta, Struct, field
from starlette.requests import Request
from starlette.responses import Response

from flagfall.analysis.redeal import moment_of
from flagfall.languages import say
from flagfall.notation import to_json, write_record
from flagfall.server.api.http import JSON, Operations, json_response, read_body, read_query, registry_of
from flagfall.server.api.messages.matches import (
    Invitation,
    Lobby,
    MatchLine,
    MatchList,
    NewsPage,
    Openings,
    OpeningShown,
    Replay,
    State,
)
from flagfall.server.api.requests import NewMatch
from flagfall.server.api.routes.guests import check_new_match, current_guest, require_guest
from flagfall.server.api.routes.records import replay_of
from flagfall.server.errors import RequestError
from flagfall.server.sessions.games import is_by_day
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.sessions.session import MatchSession
from flagfall.server.store.rows import GuestRow, MatchRow
from flagfall.sides import Side
from flagfall.view.view import Result, Viewer, ViewerName

operations = Operations("matches")
finished = Operations("table")

MAX_LISTED = 100
MAX_WAITING = 1_000
"""invitations among which the lobby chooses"""
DAMAGED = "damaged"
"""the result, in lists, of a match whose log cannot be read"""
VIEWERS: tuple[ViewerName, ...] = ("south", "north", "watcher", "truth")


# ---------------------------------------------------------------------- creating, finding, joining


@operations.add("POST", "/api/matches", State, 401, 404, request=NewMatch)
async def create(request: Request) -> Response:
    """Create a match and return its State for you, or for a watcher if you have both seats or none yet."""
    guest = await require_guest(request)
    body = await read_body(request, NewMatch)
    check_new_match(request, body.opponent)
    session = await registry_of(request).new_matches.create(guest, body)
    yours = session.row.seats_of(guest.id)
    viewer: Viewer = yours[0] if len(yours) == 1 else "watcher"
    return json_response(session.state(guest.id, viewer, 0))


@operations.add("GET", "/api/lobby", Lobby)
async def lobby(request: Request) -> Response:
    """List open invitations, and public games to watch."""
    registry, guest = registry_of(request), await current_guest(request)
    waiting = _invitations_shown(registry, await registry.store.lobby_invitations(MAX_WAITING))
    running = await registry.with_turns(await registry.store.public_matches(MAX_LISTED))
    return json_response(
        Lobby(
            tuple(_invitation(row, guest) for row in waiting),
            tuple(match_line(row, guest) for row in running),
        )
    )


def _invitations_shown(registry: MatchRegistry, rows: list[MatchRow]) -> list[MatchRow]:
    """Choose the invitations of hosts who are present: each host's newest before any host's second."""
    per_host: Counter[str] = Counter()
    ordered: list[tuple[int, int, MatchRow]] = []
    for index, row in enumerate(rows):
        if registry.away_s(row) <= registry.settings.host_away_s or is_by_day(row):
            ordered.append((per_host[row.host], index, row))
            per_host[row.host] += 1
    return [row for _, _, row in sorted(ordered, key=lambda entry: entry[:2])[:MAX_LISTED]]


@operations.add("GET", "/api/me/matches", MatchList, 401)
async def mine(request: Request) -> Response:
    """List your matches, newest first."""
    guest, registry = await require_guest(request), registry_of(request)
    rows = await registry.with_turns(await registry.store.matches_of(guest.id, MAX_LISTED))
    return json_response(MatchList(tuple(match_line(row, guest) for row in rows)))


@operations.add("GET", "/api/invitations/{token}", Invitation, 404, 409)
async def invitation(request: Request, token: str) -> Response:
    """Return the invitation behind a link."""
    session = await registry_of(request).invited_session(token)
    return json_response(_invitation(session.row, await current_guest(request)))


@operations.add("POST", "/api/invitations/{token}", State, 401, 404, 409)
async def accept(request: Request, token: str) -> Response:
    """Join the match behind a link."""
    guest = await require_guest(request)
    session = await registry_of(request).invited_session(token)
    return await _join(request, session, guest)


@operations.add("POST", "/api/matches/{match}/join", State, 401, 403, 404, 409)
async def join(request: Request, match: str) -> Response:
    """Join a match of the lobby."""
    guest = await require_guest(request)
    session = await registry_of(request).session(match)
    if session.row.opponent != "lobby":
        raise RequestError("not-your-seat", say("server.match.private"))
    return await _join(request, session, guest)


async def _join(request: Request, session: MatchSession, guest: GuestRow) -> Response:
    await registry_of(request).new_matches.join(session, guest)
    await session.wait_until_stored()
    return json_response(session.state(guest.id, session.viewer_for(guest.id, ""), 0))


def _invitation(row: MatchRow, guest: GuestRow | None) -> Invitation:
    if row.status != "waiting":
        raise RequestError("taken", say("server.match.taken-or-withdrawn"))
    side: Literal["south", "north", "lot"] = "lot"
    if row.host_side != "lot":
        side = Side(row.host_side).other.value
    return Invitation(
        match=row.id,
        game=row.game,
        host=row.south_name,
        options=row.options,
        clock=row.options.get("clock", "none"),
        side=side,
        is_yours=guest is not None and guest.id == row.host,
    )


def match_line(row: MatchRow, guest: GuestRow | None) -> MatchLine:
    """Return the line of a match in a list; needs only its row."""
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


# ---------------------------------------------------------------------- viewing

As = Annotated[
    str,
    Meta(
        max_length=8, description="the viewer: south, north, watcher or truth; empty: your seat, or watcher"
    ),
]
Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class StateQuery(Struct, frozen=True):
    """Whose State, and since when."""

    viewer: As = field(default="", name="as")
    since: Annotated[Number, Meta(description="news from this number on")] = 0
    wait_s: Annotated[
        float, Meta(ge=0, le=25, description="seconds to wait for something new after ``since``")
    ] = 0.0


class NewsQuery(Struct, frozen=True):
    """Whose news, and before when."""

    viewer: As = field(default="", name="as")
    before: Annotated[Number, Meta(description="only news before this number")] = 0


@operations.add("GET", "/api/matches/{match}/state", State, 401, 403, 404, query=StateQuery)
async def state(request: Request, match: str) -> Response:
    """Return the match as you may see it now, with the news since a number."""
    query = read_query(request, StateQuery)
    registry, guest = registry_of(request), await current_guest(request)
    session = await registry.session(match)
    guest_id = guest.id if guest else None
    viewer = session.viewer_for(guest_id, query.viewer)
    if query.wait_s and session.number(viewer) <= query.since:
        await _wait_for_news(session, guest_id, viewer, query)
        await session.wait_until_stored()
        viewer = session.viewer_for(guest_id, query.viewer)
    return json_response(session.state(guest_id, viewer, query.since))


@operations.add("GET", "/api/matches/{match}/news", NewsPage, 401, 403, 404, 409, query=NewsQuery)
async def news(request: Request, match: str) -> Response:
    """Return older news, a page at a time: those before the ``since`` of a State or of the last page."""
    query = read_query(request, NewsQuery)
    registry, guest = registry_of(request), await current_guest(request)
    session = await registry.session(match)
    viewer = session.viewer_for(guest.id if guest else None, query.viewer)
    return json_response(session.news(viewer, query.before))


async def _wait_for_news(session: MatchSession, guest: str | None, viewer: Viewer, query: StateQuery) -> None:
    """Wait until this viewer's number has grown or the time is over."""
    listener = asyncio.Event()
    session.listeners.add(listener)
    if guest is not None:
        session.presence.enter(guest)
    try:
        async with asyncio.timeout(query.wait_s):
            while session.number(viewer) <= query.since and not session.registry.is_closing:
                listener.clear()
                await listener.wait()
    except TimeoutError:
        pass
    finally:
        session.listeners.discard(listener)
        if guest is not None:
            session.presence.leave(guest)


# ---------------------------------------------------------------------- when the game is over


class ReplayQuery(Struct, frozen=True):
    """Whose replay, and which steps."""

    viewer: Annotated[str, Meta(max_length=8, description="south, north, watcher, truth")] = field(
        default="truth", name="as"
    )
    first: Annotated[int, Meta(ge=0, le=100_000, description="the first step; 0 is the start")] = 0
    count: Annotated[int, Meta(ge=1, le=100, description="how many steps")] = 50


class RecordQuery(Struct, frozen=True):
    """How much of a record."""

    turns: Annotated[int, Meta(ge=-1, le=100_000, description="only so many turns; -1: the whole game")] = -1


@finished.add(
    "GET", "/api/matches/{match}/record", None, 403, 404, 409, query=RecordQuery, media_type="text/plain"
)
async def record(request: Request, match: str) -> Response:
    """Return the record of a finished game as text, whole or up to a turn."""
    turns = read_query(request, RecordQuery).turns
    replay = await replay_of(request, match)
    if turns > replay.turns:
        raise RequestError("malformed", f"This game has {replay.turns} turns; ask for at most so many.")
    wanted = replay.record if turns < 0 else moment_of(replay.record, turns)
    text = await asyncio.to_thread(write_record, wanted)
    return Response(text, media_type="text/plain; charset=utf-8")


@finished.add("GET", "/api/matches/{match}/record.json", None, 403, 404, 409)
async def record_json(request: Request, match: str) -> Response:
    """Return the record of a finished game as JSON."""
    replay = await replay_of(request, match)
    return Response(await asyncio.to_thread(to_json, replay.record), media_type=JSON)


@finished.add("GET", "/api/matches/{match}/openings", Openings, 403, 404, 409)
async def openings(request: Request, match: str) -> Response:
    """Return salt and setup of both sides of a finished game, to check the commitments."""
    found = (await registry_of(request).session(match)).require_open()
    shown = {
        side: OpeningShown(opening.salt, opening.setup, found.commitments.get(side, ""))
        for side, opening in found.openings().items()
    }
    return json_response(Openings(shown[Side.SOUTH], shown[Side.NORTH]))


@finished.add("GET", "/api/matches/{match}/replay", Replay, 403, 404, 409, query=ReplayQuery)
async def replay(request: Request, match: str) -> Response:
    """Return steps of a finished game as South, North or a watcher saw them, or with everything revealed."""
    query = read_query(request, ReplayQuery)
    viewer = next((known for known in VIEWERS if known == query.viewer), None)
    if viewer is None:
        raise RequestError("unknown-seat", f"Unknown viewer; use {', '.join(VIEWERS)}.")
    found = await replay_of(request, match)
    steps = await asyncio.to_thread(found.steps, viewer, query.first, query.count)
    return json_response(Replay(match, viewer, found.turns, query.first, steps))
