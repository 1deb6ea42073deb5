"""Guests: a name and an unguessable cookie, of which only a hash is stored."""

from __future__ import annotations

import secrets
from hashlib import sha256

from fastapi import Response
from starlette.requests import HTTPConnection

from flagfall.server.house import House, check_name
from flagfall.server.refusals import No
from flagfall.server.store.rows import GuestRow

COOKIE = "flagfall_guest"
YEAR_S = 365 * 86_400
LONGEST_TOKEN = 100


def house_of(connection: HTTPConnection) -> House:
    """The house behind a request."""
    house: House = connection.app.state.house
    return house


async def maybe_guest(connection: HTTPConnection) -> GuestRow | None:
    """Who asks, if it is somebody."""
    token = connection.cookies.get(COOKIE, "")
    if not token or len(token) > LONGEST_TOKEN:
        return None
    house = house_of(connection)
    guest = await house.strongbox.guest(_hash(token))
    if guest is not None:
        house.saw(guest.id)
    return guest


async def the_guest(connection: HTTPConnection) -> GuestRow:
    """Who asks; strangers are told how to become a guest."""
    guest = await maybe_guest(connection)
    if guest is None:
        raise No("no-guest", "You are not known here yet; say your name first (POST /api/guests).")
    return guest


async def welcome(house: House, name: str, response: Response) -> GuestRow:
    """A new guest, with the cookie in the answer."""
    token = secrets.token_urlsafe(32)
    guest = GuestRow(secrets.token_urlsafe(9), check_name(name.strip()))
    await house.strongbox.add_guest(guest, _hash(token), house.now_ms())
    response.set_cookie(
        COOKIE,
        token,
        max_age=YEAR_S,
        path="/",
        httponly=True,
        samesite="lax",
        secure=house.settings.https_only,
    )
    return guest


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()
