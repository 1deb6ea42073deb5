"""Guests: who sends a request, and the routes for names and saved setups.

A guest is a name and an unguessable cookie, of which only a hash is stored.
"""

from __future__ import annotations

import asyncio
import secrets
from hashlib import sha256
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from flagfall.edition import UnknownGameError
from flagfall.languages import say
from flagfall.server.api.http import Operations, json_response, read_body, read_query, registry_of
from flagfall.server.api.messages.matches import Guest, Visitor
from flagfall.server.api.messages.setups import SavedSetup, SavedSetups
from flagfall.server.api.requests import (
    MAX_SAVED_SETUPS,
    AskRematch,
    Command,
    KeepSetup,
    NameRequest,
    NewGuest,
)
from flagfall.server.errors import RequestError
from flagfall.server.middleware.clients import COOKIE, SECURE_COOKIE, client_of
from flagfall.server.middleware.rate_limits import Kind, RateLimiter
from flagfall.server.names import MAX_SETUP_NAME, next_default_name, normalise_tags, normalise_text
from flagfall.server.sessions.games import check_name, find_game, found_game
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.store.rows import GuestRow, SetupRow, new_id
from flagfall.setups import SetupError, read_setup, tags, write_setup
from flagfall.sides import Side

YEAR_S = 365 * 86_400
MAX_TOKEN = 100

operations = Operations("guests")


# ---------------------------------------------------------------------- who sends it


async def current_guest(connection: HTTPConnection) -> GuestRow | None:
    """Return the guest who sends this, or None.

    The database is asked once per request or socket; a request then counts against the guest's limit. A
    cookie that belongs to no guest counts against the address only, as the middleware has done already.
    """
    client, registry = client_of(connection.scope), registry_of(connection)
    if not client.is_looked_up:
        if client.token and len(client.token) <= MAX_TOKEN:
            client.guest = await registry.store.guest(_hash(client.token))
        client.is_looked_up = True
        if client.guest is not None and connection.scope["type"] == "http":
            _limiter_of(connection).check("requests", guest=client.guest.id)
    if client.guest is not None:
        registry.bans.refuse_guest(client.guest.id, registry.now_ms())
        registry.mark_seen(client.guest.id)
    return client.guest


async def require_guest(connection: HTTPConnection) -> GuestRow:
    """Return the guest who sends this; refuse others and say how to become a guest."""
    guest = await current_guest(connection)
    if guest is None:
        raise RequestError("no-guest", say("server.guest.none"))
    return guest


async def create_guest(connection: HTTPConnection, name: str) -> tuple[GuestRow, str]:
    """Store a new guest; return it with the token for its cookie."""
    registry, token = registry_of(connection), secrets.token_urlsafe(32)
    guest = GuestRow(new_id(), check_name(name))
    check_rate(connection, "guests")
    await registry.store.add_guest(guest, _hash(token), registry.now_ms())
    return guest, token


def _set_cookie(registry: MatchRegistry, token: str, response: Response) -> None:
    is_secure = registry.settings.https_only
    response.set_cookie(
        SECURE_COOKIE if is_secure else COOKIE,
        token,
        max_age=YEAR_S,
        path="/",
        httponly=True,
        samesite="lax",
        secure=is_secure,
    )


def _renew_cookie(connection: HTTPConnection, response: Response) -> None:
    """Replace a cookie from before https was required by the one that only https can set."""
    client, registry = client_of(connection.scope), registry_of(connection)
    if registry.settings.https_only and client.guest is not None and not client.has_secure_cookie:
        _set_cookie(registry, client.token, response)
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax", secure=True)


def clear_cookies(connection: HTTPConnection, response: Response) -> None:
    """Have the browser delete the guest cookie, under either of its names."""
    is_secure = registry_of(connection).settings.https_only
    for name in (SECURE_COOKIE, COOKIE) if is_secure else (COOKIE,):
        response.delete_cookie(name, path="/", httponly=True, samesite="lax", secure=is_secure)


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()


# ---------------------------------------------------------------------- how often it may be sent


def check_rate(connection: HTTPConnection, *kinds: Kind) -> None:
    """Count a use by address and, if `current_guest` has found one, by guest; refuse if it is too much."""
    client = client_of(connection.scope)
    guest = client.guest.id if client.guest else None
    _limiter_of(connection).check(*kinds, address=client.address, guest=guest)


def check_new_match(connection: HTTPConnection, opponent: str) -> None:
    """Count a new match, and the computer game or invitation that it is."""
    kinds: dict[str, Kind] = {"computer": "computer-games", "friend": "invitations", "lobby": "invitations"}
    check_rate(connection, "matches", *([kinds[opponent]] if opponent in kinds else []))


def check_command(connection: HTTPConnection, command: Command, opponent: str) -> None:
    """Count a command that makes a new match: a rematch."""
    if isinstance(command, AskRematch):
        check_new_match(connection, "computer" if opponent == "computer" else "")


def _limiter_of(connection: HTTPConnection) -> RateLimiter:
    limiter: RateLimiter = connection.app.state.limiter
    return limiter


# ---------------------------------------------------------------------- names


@operations.add("GET", "/api/visitor", Visitor, sets_cookie=True)
async def visitor(request: Request) -> Response:
    """Return the guest that you are, if you are one already."""
    guest = await current_guest(request)
    response = json_response(Visitor(Guest(guest.id, guest.name) if guest else None))
    _renew_cookie(request, response)
    return response


@operations.add("POST", "/api/guests", Guest, request=NewGuest, sets_cookie=True)
async def enter(request: Request) -> Response:
    """Get the guest cookie, with your name or a default one. With a cookie, only the name changes."""
    body = await read_body(request, NewGuest)
    known = await current_guest(request)
    if known is not None:
        if body.name is None:
            response = json_response(Guest(known.id, known.name))
            _renew_cookie(request, response)
            return response
        return await _rename(request, known.id, body.name)
    guest, token = await create_guest(request, body.name or next_default_name())
    response = json_response(Guest(guest.id, guest.name))
    _set_cookie(registry_of(request), token, response)
    return response


@operations.add("GET", "/api/me", Guest, 401, sets_cookie=True)
async def me(request: Request) -> Response:
    """Return your id and name."""
    guest = await require_guest(request)
    response = json_response(Guest(guest.id, guest.name))
    _renew_cookie(request, response)
    return response


@operations.add("PUT", "/api/me", Guest, 401, request=NameRequest)
async def rename(request: Request) -> Response:
    """Change your name for future games."""
    guest = await require_guest(request)
    body = await read_body(request, NameRequest)
    return await _rename(request, guest.id, body.name)


async def _rename(request: Request, guest_id: str, wanted: str) -> Response:
    name = check_name(wanted)
    await registry_of(request).store.rename_guest(guest_id, name)
    return json_response(Guest(guest_id, name))


# ---------------------------------------------------------------------- saved setups


class SetupsQuery(Struct, frozen=True):
    """Which saved setups to list."""

    game: Annotated[str, Meta(max_length=80, description="only setups of this game")] = ""


@operations.add("GET", "/api/me/setups", SavedSetups, 401, query=SetupsQuery)
async def my_setups(request: Request) -> Response:
    """List your saved setups."""
    query = read_query(request, SetupsQuery)
    guest = await require_guest(request)
    return await _saved_setups(request, guest.id, query.game)


@operations.add("PUT", "/api/me/setups", SavedSetup, 401, 404, 409, 422, request=KeepSetup)
async def keep_setup(request: Request) -> Response:
    """Save a setup under a name; the same name again replaces it."""
    guest = await require_guest(request)
    body = await read_body(request, KeepSetup)
    name = normalise_text(body.name, "setup", MAX_SETUP_NAME)
    if not name:
        raise RequestError("malformed", say("server.name.setup-empty"))
    game = await found_game(body.game)
    code = write_setup(read_setup(game, int(body.side), body.code))
    registry = registry_of(request)
    row = SetupRow(new_id(), game.id, body.side, name, code, normalise_tags(body.own_tags or ()))
    saved = await registry.store.save_setup(
        guest.id, row, registry.now_ms(), MAX_SAVED_SETUPS, keeps_tags=body.own_tags is None
    )
    if saved is None:
        raise RequestError("full", say("server.setup.full", number=MAX_SAVED_SETUPS))
    return json_response(await asyncio.to_thread(_saved_setup, saved))


@operations.add("DELETE", "/api/me/setups/{setup}", SavedSetups, 401, 404)
async def drop_setup(request: Request, setup: str) -> Response:
    """Delete a saved setup and list the others."""
    guest = await require_guest(request)
    if not await registry_of(request).store.delete_setup(guest.id, setup):
        raise RequestError("not-found", say("server.setup.not-found"))
    return await _saved_setups(request, guest.id, "")


async def _saved_setups(request: Request, guest_id: str, game: str) -> Response:
    rows = await registry_of(request).store.setups(guest_id, game)
    return json_response(SavedSetups(await asyncio.to_thread(lambda: tuple(map(_saved_setup, rows)))))


def _saved_setup(row: SetupRow) -> SavedSetup:
    """Return a saved setup with its tags; one of a game that is not here any more has none."""
    try:
        words = tags(read_setup(find_game(row.game), Side(row.side), row.code))
    except (SetupError, UnknownGameError):
        words = ()
    return SavedSetup(row.id, row.game, row.side, row.name, row.code, words, row.own_tags)
