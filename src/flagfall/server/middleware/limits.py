"""Request limits: refuse too many, too large and cross-site requests before anything parses them."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from flagfall.languages import say
from flagfall.server.api.http import error_response
from flagfall.server.errors import RequestError
from flagfall.server.middleware.bans import refuse_address
from flagfall.server.middleware.clients import (
    COOKIE,
    SCOPE_KEY,
    SECURE_COOKIE,
    Client,
    Proxies,
    RawHeaders,
    address_key,
    read_cookie,
)
from flagfall.server.middleware.rate_limits import RateLimiter
from flagfall.server.settings import Settings

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
BOXES = "/api/workshop"
"""addresses whose requests may have the text of a box"""
PROBES = frozenset({"/health", "/ready"})
"""paths for monitors: any host name, no bans, and a rate limit of their own"""
RECORDS = "/api/records"
"""where records of games are opened"""
LOCAL_SUFFIXES = (".localhost", ".local", ".lan", ".home", ".internal", ".home.arpa")
"""suffixes that no public name server resolves, so that no other site can point them here"""
DEFAULT_PORTS = {"http": "80", "https": "443"}


class RequestLimits:
    """ASGI middleware that checks each request and socket and identifies its client."""

    def __init__(self, app: ASGIApp, settings: Settings, limiter: RateLimiter) -> None:
        self._app, self._settings, self._limiter = app, settings, limiter
        self._proxies = Proxies(settings.proxy_networks)
        self._hosts = Hosts(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the request and pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope)
        except RequestError as error:
            await _refuse(error, scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._measured(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        """Refuse the request, or put the client into the scope and remove the cookies."""
        raw: RawHeaders = scope["headers"]
        check_headers(raw, self._settings, len(scope.get("raw_path", b"")) + len(scope["query_string"]))
        peer = scope["client"][0] if scope.get("client") else ""
        headers = Headers(raw=list(raw))
        scheme = self._proxies.scheme(peer, raw)
        is_probe = scope["path"] in PROBES
        client = self._client(peer, raw)
        if not is_probe:
            self._hosts.check(headers.get("host", ""))
        if scope["type"] == "websocket" or scope["method"] not in SAFE:
            _check_origin(headers, scheme)
        if not is_probe:
            refuse_address(scope, client.address)
        self._limiter.check("health" if is_probe else "requests", address=client.address)
        self._check_length(headers, self._max_body_bytes(scope))
        scope[SCOPE_KEY] = client
        scope["headers"] = [pair for pair in raw if pair[0] != b"cookie"]
        scope["scheme"] = _as_scheme(scheme, scope)

    def _client(self, peer: str, raw: RawHeaders) -> Client:
        secure = read_cookie(raw, SECURE_COOKIE)
        return Client(
            address_key(self._proxies.client_address(peer, raw)),
            secure or read_cookie(raw, COOKIE),
            has_secure_cookie=bool(secure),
        )

    def _max_body_bytes(self, scope: Scope) -> int:
        """Return how long the body of a request may be; records and boxes are longer than anything else."""
        settings, path = self._settings, scope.get("path", "")
        if path == RECORDS:
            return max(settings.max_record_bytes, settings.max_body_bytes)
        is_box = scope["type"] == "http" and path.startswith(BOXES)
        return settings.max_box_bytes if is_box else settings.max_body_bytes

    def _check_length(self, headers: Headers, limit: int) -> None:
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdecimal():
            raise RequestError("malformed", "Content-Length is not a number.")
        if len(length) > 12 or int(length) > limit:
            raise _too_large(limit)

    async def _measured(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count the bytes of the body, for requests without Content-Length."""
        received, limit = 0, self._max_body_bytes(scope)

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise _too_large(limit)
            return message

        await self._app(scope, counted, send)


def _too_large(limit: int) -> RequestError:
    return RequestError("too-large", say("server.connection.too-large", bytes=str(limit)))


def check_headers(headers: RawHeaders, settings: Settings, target_bytes: int) -> None:
    """Refuse too many or too long headers before any of them is parsed."""
    if len(headers) > settings.max_headers:
        raise RequestError(
            "headers-too-large", f"A request has at most {settings.max_headers} headers; send fewer."
        )
    size = target_bytes + sum(len(name) + len(value) + 4 for name, value in headers)
    if size > settings.max_header_bytes:
        raise RequestError(
            "headers-too-large",
            f"Address and headers of a request have at most {settings.max_header_bytes} bytes; send less.",
        )
    if sum(len(value) for name, value in headers if name == b"cookie") > settings.max_cookie_bytes:
        raise RequestError(
            "headers-too-large",
            say("server.connection.cookies-too-large", bytes=str(settings.max_cookie_bytes)),
        )


class Hosts:
    """The host names of this server; others that resolve to it (DNS rebinding) are refused.

    By default these are names that no other site can have: IP addresses, the machine's own name, names
    without a dot and names of local networks. A public name must be listed in the setting ``hosts``.
    """

    def __init__(self, settings: Settings) -> None:
        self._named = frozenset(name.lower() for name in settings.host_names)
        self._own = {"localhost", settings.host.lower(), socket.gethostname().lower(), ""}

    def check(self, host: str) -> None:
        """Refuse a Host header with another name."""
        if not self._is_ours(host_name(host)):
            raise RequestError(
                "unknown-host",
                "This server does not answer to that host name; add the name to the setting “hosts”.",
            )

    def _is_ours(self, name: str) -> bool:
        if "*" in self._named or name in ("", "localhost", "127.0.0.1", "::1"):
            return True
        if self._named:
            parents = name.split(".")
            return name in self._named or any(
                "*." + ".".join(parents[start:]) in self._named for start in range(1, len(parents))
            )
        return name in self._own or "." not in name or name.endswith(LOCAL_SUFFIXES) or _is_address(name)


_HOST = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[^\[\]:@/\s]+))(?::\d{1,5})?")


def host_name(host: str) -> str:
    """Return the name in a Host header without its port, in lower case; empty if it is invalid.

    >>> host_name("Example.org:8000"), host_name("[::1]:8000")
    ('example.org', '::1')
    """
    found = _HOST.fullmatch(host.strip().lower())
    return (found["address"] or found["name"]).rstrip(".") if found else ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _check_origin(headers: Headers, scheme: str) -> None:
    """Refuse requests from pages of other sites; behind a trusted proxy the scheme must match too."""
    origin = headers.get("origin")
    if origin is None:
        return
    try:
        parts = urlsplit(origin)
        origin_scheme, netloc = parts.scheme.lower(), parts.netloc.lower()
    except ValueError:
        origin_scheme, netloc = "", ""
    port = f":{DEFAULT_PORTS.get(origin_scheme, '')}"
    host = headers.get("host", "").lower()
    is_same = netloc != "" and netloc.removesuffix(port) == host.removesuffix(port)
    if not is_same or (scheme and origin_scheme != scheme):
        raise RequestError("cross-site", say("server.connection.cross-site"))


def _as_scheme(scheme: str, scope: Scope) -> str:
    if not scheme:
        return str(scope["scheme"])
    if scope["type"] == "websocket":
        return "wss" if scheme == "https" else "ws"
    return scheme


async def _refuse(error: RequestError, scope: Scope, receive: Receive, send: Send) -> None:
    """Respond with the error; a socket is not opened."""
    response = error_response(error)
    if scope["type"] == "http":
        await response(scope, receive, send)
    elif "websocket.http.response" in scope.get("extensions", {}):
        start = {"type": "websocket.http.response.start", "status": response.status_code}
        await send({**start, "headers": response.raw_headers})
        await send({"type": "websocket.http.response.body", "body": response.body})
    else:
        await send({"type": "websocket.close", "code": 4403, "reason": error.code})
