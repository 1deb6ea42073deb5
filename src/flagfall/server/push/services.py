"""Push services: which ones are allowed, and one request to one of them.

The address of a subscription comes from a client, so it is never trusted: the host must be on the operator's
list, the scheme https, the port 443, and the host must have a public address, to which the connection is
made. Redirects are not followed, and nothing of the response but its status is used.

>>> services = PushServices(("*.push.example",))
>>> services.is_allowed("https://eu.push.example/send/abc"), services.is_allowed("https://push.example/abc")
(True, False)
>>> services.is_allowed("https://eu.push.example@127.0.0.1/abc")
False
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from ipaddress import IPv6Address, ip_address

import h11
from msgspec import Struct

MAX_ENDPOINT = 1_000
"""characters of an address; the longest in use have about 600"""
REQUEST_S = 10.0
"""time for one request, from the look-up of the host to the status"""
MAX_ADDRESSES = 2
"""addresses of a host that are tried"""
MAX_RESPONSE_BYTES = 16_384
MAX_RETRY_AFTER_S = 3_600
HTTPS_PORT = 443

_HOST = r"[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?"
_ENDPOINT = re.compile(
    rf"(?P<scheme>https?)://(?P<host>{_HOST})(?::(?P<port>\d{{1,5}}))?"
    r"(?P<path>/[A-Za-z0-9._~:/?@!$&'()*+,;=%-]*)",
    re.ASCII,
)
_ORIGIN = re.compile(rf"https?://{_HOST}(?::\d{{1,5}})?", re.ASCII)
_PATTERN = re.compile(rf"(?:\*\.)?{_HOST}", re.ASCII)


class PushAnswer(Struct, frozen=True):
    """What a push service answered."""

    status: int
    retry_after_s: int = 0


class PushError(Exception):
    """A push service could not be reached; try again later."""


class PushServices:
    """The allowed push services.

    A name such as ``push.example.org`` or ``*.example.org`` allows https there. An operator may also name a
    whole origin, ``http://10.0.0.5:9000``: it is used as it is, also in a private network.
    """

    def __init__(self, allowed: Iterable[str]) -> None:
        allowed = tuple(allowed)
        self._origins = frozenset(entry for entry in allowed if "://" in entry)
        self._names = tuple(entry for entry in allowed if "://" not in entry)
        self._tls: ssl.SSLContext | None = None

    def __bool__(self) -> bool:
        return bool(self._origins or self._names)

    def is_allowed(self, endpoint: str) -> bool:
        """Return whether notifications may be sent to this address."""
        found = _ENDPOINT.fullmatch(endpoint) if len(endpoint) <= MAX_ENDPOINT else None
        if found is None:
            return False
        if origin_of(endpoint) in self._origins:
            return True
        is_usual = found["scheme"] == "https" and found["port"] in (None, str(HTTPS_PORT))
        return is_usual and any(_matches(found["host"], name) for name in self._names)

    async def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> PushAnswer:
        """Send one request; `PushError` if there is no answer within ten seconds."""
        try:
            async with asyncio.timeout(REQUEST_S):
                return await self._post(endpoint, headers, body)
        except (OSError, TimeoutError, h11.ProtocolError, UnicodeError) as error:
            raise PushError(type(error).__name__) from None

    async def _post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> PushAnswer:
        found = _ENDPOINT.fullmatch(endpoint)
        if found is None or not self.is_allowed(endpoint):
            raise PushError("not allowed")
        is_https = found["scheme"] == "https"
        port = int(found["port"] or (HTTPS_PORT if is_https else 80))
        addresses = await _resolve(found["host"], port)
        if origin_of(endpoint) not in self._origins:
            addresses = [address for address in addresses if is_public(address)]
        if not addresses:
            raise PushError("no public address")
        reader, writer = await self._connect(found["host"] if is_https else "", addresses, port)
        try:
            host = found["host"] + (f":{found['port']}" if found["port"] else "")
            fields = [("Host", host), ("Content-Length", str(len(body))), ("Connection", "close")]
            request = h11.Request(method="POST", target=found["path"], headers=[*fields, *headers.items()])
            return await _exchange(reader, writer, request, body)
        finally:
            writer.transport.abort()

    async def _connect(
        self, tls_host: str, addresses: list[str], port: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first address that answers; with TLS if there is a name to check."""
        if tls_host and self._tls is None:
            self._tls = await asyncio.to_thread(ssl.create_default_context)
        refused: OSError | None = None
        for address in addresses[:MAX_ADDRESSES]:
            try:
                return await asyncio.open_connection(
                    address, port, ssl=self._tls if tls_host else None, server_hostname=tls_host or None
                )
            except OSError as error:
                refused = error
        raise refused or OSError("no address")


async def _exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: h11.Request, body: bytes
) -> PushAnswer:
    """Send a request and read the head of the response."""
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_RESPONSE_BYTES)
    for event in (request, h11.Data(body), h11.EndOfMessage()):
        writer.write(connection.send(event) or b"")
    await writer.drain()
    while True:
        answer = connection.next_event()
        if answer is h11.NEED_DATA:
            connection.receive_data(await reader.read(MAX_RESPONSE_BYTES))
        elif isinstance(answer, h11.Response):
            return PushAnswer(answer.status_code, _retry_after(dict(answer.headers.raw_items())))
        elif not isinstance(answer, h11.InformationalResponse):
            raise PushError("no response")


def origin_of(endpoint: str) -> str:
    """Return scheme, host and port of an address: all of it that a log may show."""
    return "/".join(endpoint.split("/", 3)[:3])


def is_entry(text: str) -> bool:
    """Return whether an operator may list this: a host name, ``*.`` and a name, or an origin."""
    return bool(_PATTERN.fullmatch(text) or _ORIGIN.fullmatch(text))


def is_public(address: str) -> bool:
    """Return whether an IP address is on the public internet.

    >>> [is_public(address) for address in ("9.9.9.9", "10.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.1.1")]
    [True, False, False, False, False]
    >>> is_public("fec0::1")  # a private network, by an old rule
    False
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        elif found.sixtofour is not None or found.teredo is not None or found.is_site_local:
            return False
    return found.is_global and not found.is_multicast and not found.is_reserved


def _matches(host: str, name: str) -> bool:
    return host.endswith(name[1:]) if name.startswith("*.") else host == name


def _retry_after(headers: Mapping[bytes, bytes]) -> int:
    """Return the seconds of a Retry-After header; 0 without one that is a number."""
    for name, value in headers.items():
        if name.lower() == b"retry-after" and value.isdigit() and len(value) <= 6:
            return min(int(value), MAX_RETRY_AFTER_S)
    return 0


async def _resolve(host: str, port: int) -> list[str]:
    """Look up the addresses of a host, in a thread that neither a stop nor a game waits for."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[list[str]] = loop.create_future()

    def settle(addresses: list[str], error: OSError | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(addresses)

    def work() -> None:
        addresses: list[str] = []
        problem: OSError | None = None
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
        except (OSError, UnicodeError):
            problem = OSError("the host is not found")
        with suppress(RuntimeError):  # the server has stopped meanwhile
            loop.call_soon_threadsafe(settle, addresses, problem)

    threading.Thread(target=work, name="flagfall-lookup", daemon=True).start()
    return await future
