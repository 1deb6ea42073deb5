"""Guests: a name and an unguessable cookie, of which only a hash is stored."""

from __future__ import annotations

import secrets
from hashlib import sha256

from fastapi import Response
from starlette.requests import HTTPConnection

from flagfall.server.api.requests import AskRematch, Command
from flagfall.server.errors import RequestError
from flagfall.server.middleware.clients import COOKIE as COOKIE
from flagfall.server.middleware.clients import SECURE_COOKIE, client_of
from flagfall.server.middleware.rate_limits import Kind, RateLimiter
from flagfall.server.sessions.registry import MatchRegistry, check_name
from flagfall.server.store.rows import GuestRow, new_id

YEAR_S = 365 * 86_400
MAX_TOKEN = 100


def registry_of(connection: HTTPConnection) -> MatchRegistry:
    """Return the registry of the application."""
    registry: MatchRegistry = connection.app.state.registry
    return registry


def limiter_of(connection: HTTPConnection) -> RateLimiter:
    """Return the rate limiter of the application."""
    limiter: RateLimiter = connection.app.state.limiter
    return limiter


async def current_guest(connection: HTTPConnection) -> GuestRow | None:
    """Return the guest who sends this, or None for strangers.

    The database is asked once per request or socket; a request then counts against the guest's limit. A
    cookie that nobody has counts against the address only, as the middleware has done already.
    """
    client, registry = client_of(connection.scope), registry_of(connection)
    if not client.is_looked_up:
        if client.token and len(client.token) <= MAX_TOKEN:
            client.guest = await registry.store.guest(_hash(client.token))
        client.is_looked_up = True
        if client.guest is not None and connection.scope["type"] == "http":
            limiter_of(connection).check("requests", guest=client.guest.id)
    if client.guest is not None:
        registry.bans.refuse_guest(client.guest.id, registry.now_ms())
        registry.mark_seen(client.guest.id)
    return client.guest


async def require_guest(connection: HTTPConnection) -> GuestRow:
    """Who asks; strangers are told how to become a guest."""
    guest = await current_guest(connection)
    if guest is None:
        raise RequestError("no-guest", "You are not known here yet; say your name first (POST /api/guests).")
    return guest


def check_rate(connection: HTTPConnection, *kinds: Kind) -> None:
    """Count a use by address and, if `current_guest` has found one, by guest; refuse if it is too much."""
    client = client_of(connection.scope)
    guest = client.guest.id if client.guest else None
    limiter_of(connection).check(*kinds, address=client.address, guest=guest)


def check_new_match(connection: HTTPConnection, opponent: str) -> None:
    """Count a new match, and the computer game or invitation that it is."""
    kinds: dict[str, Kind] = {
        "computer": "computer-games",
        "friend": "invitations",
        "lobby": "invitations",
    }
    if opponent in kinds:
        check_rate(connection, "matches", kinds[opponent])
    else:
        check_rate(connection, "matches")


def check_command(connection: HTTPConnection, command: Command, opponent: str) -> None:
    """Count what makes a new match: a rematch is one."""
    if isinstance(command, AskRematch):
        check_new_match(connection, "computer" if opponent == "computer" else "")


async def create_guest(connection: HTTPConnection, name: str, response: Response) -> GuestRow:
    """Store a new guest and put the cookie into the answer."""
    registry = registry_of(connection)
    token = secrets.token_urlsafe(32)
    guest = GuestRow(new_id(), check_name(name))
    check_rate(connection, "guests")
    await registry.store.add_guest(guest, _hash(token), registry.now_ms())
    _set_cookie(registry, token, response)
    return guest


def renew_cookie(connection: HTTPConnection, response: Response) -> None:
    """Give a guest who came before https was required the cookie name that only https can set."""
    client, registry = client_of(connection.scope), registry_of(connection)
    if registry.settings.https_only and client.guest is not None and not client.has_secure_cookie:
        _set_cookie(registry, client.token, response)
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax", secure=True)


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


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()
