"""Limits: how much one guest may send, how long it may be, and from where."""

from __future__ import annotations

import time
from collections import OrderedDict
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from flagfall.server.answers import refused
from flagfall.server.refusals import No
from flagfall.server.settings import Settings

MOST_REMEMBERED = 20_000
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Bucket:
    """So many a second on average, and so many at once."""

    __slots__ = ("_filled_at", "_left", "_most", "_per_s")

    def __init__(self, per_s: float, most: float) -> None:
        self._per_s, self._most, self._left = per_s, most, float(most)
        self._filled_at = time.monotonic()

    def take(self) -> bool:
        """Whether one more is within the limit."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._filled_at) * self._per_s)
        self._filled_at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for each sender; the longest unused are forgotten."""

    def __init__(self, per_s: float, most: float) -> None:
        self._per_s, self._most = per_s, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str) -> bool:
        """Whether that sender may send one more."""
        bucket = self._buckets.pop(who, None) or Bucket(self._per_s, self._most)
        self._buckets[who] = bucket
        if len(self._buckets) > MOST_REMEMBERED:
            self._buckets.popitem(last=False)
        return bucket.take()


class Doorman:
    """How many new guests may come from one address."""

    def __init__(self, per_hour: int) -> None:
        self._buckets = Buckets(per_hour / 3600, per_hour)

    def admit(self, connection: HTTPConnection) -> None:
        """Let one more in, or refuse."""
        if not self._buckets.take(connection.client.host if connection.client else ""):
            raise No("too-many", "Too many new guests come from your address; try again later.")


class Limits:
    """ASGI middleware: refuses what is too much, too large or from another site, before anybody reads it."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._buckets = Buckets(settings.requests_per_s, settings.requests_at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, then pass on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope)
        except No as no:
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 4403, "reason": no.code})
            else:
                await refused(no)(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._measured(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if scope["type"] == "websocket" or scope["method"] not in SAFE:
            origin = headers.get("origin")
            if origin is not None and urlsplit_host(origin) != headers.get("host", "").lower():
                raise No("cross-site", "This request comes from another site; open the game itself.")
        if scope["path"] != "/health" and not self._buckets.take(_sender(scope, headers)):
            raise No("too-many", "That is too much at once; wait a moment.")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdecimal():
            raise No("malformed", "The length of the request is no number.")
        if len(length) > 12 or int(length) > self._settings.most_body_bytes:
            raise self._too_large()

    def _too_large(self) -> No:
        return No("too-large", f"A request has at most {self._settings.most_body_bytes} bytes.")

    async def _measured(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count a body whose length was not said."""
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._settings.most_body_bytes:
                raise self._too_large()
            return message

        await self._app(scope, counted, send)


def urlsplit_host(origin: str) -> str:
    """Host and port of an origin; empty if it is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _sender(scope: Scope, headers: Headers) -> str:
    """Who sends: a guest by cookie, others by address."""
    address = scope["client"][0] if scope.get("client") else ""
    text = headers.get("cookie", "")
    if "flagfall_guest" in text:
        try:
            cookie = SimpleCookie(text).get("flagfall_guest")
        except CookieError:
            cookie = None
        if cookie is not None:
            return sha256(cookie.value.encode("utf-8", "replace")).hexdigest()
    return address
