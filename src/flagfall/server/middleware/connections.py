"""Connections: how many there may be, and how long each may keep the server waiting.

Uvicorn closes connections that are idle between two requests. This module does the rest::

    connected ──── head complete ──── response sent ──── idle ──── next head …
        └ head_timeout_s ┘                 │              └ one head_timeout_s from its first byte
                                           └ the rest of an unread body: head_timeout_s
    sent but not read by the client for send_timeout_s: aborted
    closed by the server but still open after send_timeout_s: aborted

When there are too many connections, the oldest one that waits for its client (no request under way, no
socket) is closed, first among those of the address with the most. So silent connections block nobody.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import h11
import msgspec
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import Frame
from websockets.http11 import Request

from flagfall.server.errors import RequestError
from flagfall.server.middleware.clients import Proxies, address_key
from flagfall.server.middleware.limits import check_headers
from flagfall.server.middleware.rate_limits import Buckets, Rate
from flagfall.server.settings import Settings

EXTENSION = "flagfall.connection"
"""key of the `Connection` in the extensions of the ASGI scope of a socket"""
BACKLOG = 64
"""connections that asyncio accepts in one go, before any of them can be refused"""
RESERVED_FILES = 96 + BACKLOG
"""open files reserved for the database, workers, the web client and the backlog"""
MAX_FRAGMENTS = 64
"""frames of one socket message"""
MAX_LINE_ENDS = 1_000
"""line ends in one request: a hundred headers, and a body in a few hundred chunks or lines"""
MAX_UNREAD_BYTES = 65_536
"""pongs that a client may leave unread"""
PINGS = Rate(per_s=5, burst=50)
COMPRESSION = ServerPerMessageDeflateFactory(
    server_max_window_bits=12, client_max_window_bits=12, compress_settings={"memLevel": 5, "level": 1}
)
"""as in Uvicorn, but at the lowest level: a third of the CPU for a fifth more bytes"""
SWEEP_S = 1.0
TOO_BUSY = RequestError("too-busy", "Too many connections are open; close some or try again soon.")
TOO_SLOW = RequestError("too-slow", "The request came too slowly; send it again.")


@dataclass(eq=False, slots=True)
class Connection:
    """An open transport, and since when the server has been waiting for its client."""

    transport: asyncio.Transport
    address: str
    waiting: Wait | None = None
    unread_since: float | None = None
    closing_since: float | None = None
    _is_closed: bool = False
    _callbacks: list[Callable[[], None]] = field(default_factory=list)

    def abort(self) -> None:
        """Close the connection at once; unsent data is lost."""
        self.transport.abort()

    def on_closed(self, callback: Callable[[], None]) -> None:
        """Call back when the transport is closed; immediately if it is already."""
        if self._is_closed:
            callback()
        else:
            self._callbacks.append(callback)

    def mark_closed(self) -> None:
        """Run the callbacks of `on_closed`."""
        self._is_closed = True
        while self._callbacks:
            self._callbacks.pop()()

    def is_unread(self, now: float, timeout_s: float) -> bool:
        """Return whether the client has left data unread for too long."""
        if not self.transport.get_write_buffer_size():
            self.unread_since = None
            return False
        if self.unread_since is None:
            self.unread_since = now
        return now - self.unread_since > timeout_s

    def is_stuck_closing(self, now: float, timeout_s: float) -> bool:
        """Return whether closing has taken too long."""
        if not self.transport.is_closing():
            return False
        if self.closing_since is None:
            self.closing_since = now
        return now - self.closing_since > timeout_s


@dataclass(eq=False, slots=True)
class Wait:
    """The server waits for a client; without a deadline if the connection is only idle."""

    since: float
    deadline: float | None
    time_out: Callable[[], None]


class Connections:
    """All open connections of this server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._proxies = Proxies(settings.proxy_networks)
        self._max = min(settings.max_connections, max(16, _open_files() - RESERVED_FILES))
        self._open: dict[asyncio.BaseTransport, Connection] = {}
        self._by_address: Counter[str] = Counter()
        self._sweep_s = min(SWEEP_S, settings.head_timeout_s / 4, settings.send_timeout_s / 4)
        self._sweeping: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, transport: asyncio.Transport) -> Connection | None:
        """Count a new connection; return None if there are too many."""
        peer = transport.get_extra_info("peername")
        host = str(peer[0]) if isinstance(peer, tuple) else ""
        address = "" if self._proxies.trusts(host) else address_key(host)
        if address and self._by_address[address] >= self.settings.max_connections_per_address:
            if not self._make_room(address):
                return None
        elif len(self._open) >= self._max and not self._make_room(""):
            return None
        connection = self._open[transport] = Connection(transport, address)
        self._by_address[address] += 1
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(self._sweep_s, self._sweep)
        return connection

    def of(self, transport: asyncio.BaseTransport) -> Connection | None:
        """Return the connection of a transport, unless it was refused or is closed."""
        return self._open.get(transport)

    def release(self, transport: asyncio.BaseTransport) -> None:
        """Forget a closed transport."""
        connection = self._open.pop(transport, None)
        if connection is None:
            return
        self._by_address[connection.address] -= 1
        if not self._by_address[connection.address]:
            del self._by_address[connection.address]
        connection.mark_closed()

    def _make_room(self, address: str) -> bool:
        """Abort a connection that waits for its client: of this address, or of the one with the most."""
        best: tuple[int, float] | None = None
        victim = None
        for connection in self._open.values():
            if connection.waiting is None or (address and connection.address != address):
                continue
            rank = (-self._by_address[connection.address], connection.waiting.since)
            if best is None or rank < best:
                best, victim = rank, connection
        if victim is None:
            return False
        victim.abort()
        self.release(victim.transport)
        return True

    def _sweep(self) -> None:
        """Abort connections whose clients have kept the server waiting for too long."""
        now, timeout_s = time.monotonic(), self.settings.send_timeout_s
        for connection in list(self._open.values()):
            if connection.is_unread(now, timeout_s) or connection.is_stuck_closing(now, timeout_s):
                connection.abort()
            elif (waiting := connection.waiting) and waiting.deadline is not None and now > waiting.deadline:
                waiting.time_out()
        self._sweeping = (
            asyncio.get_running_loop().call_later(self._sweep_s, self._sweep) if self._open else None
        )


class HttpProtocol(H11Protocol):
    """Uvicorn's HTTP protocol on h11, with deadlines for the client and errors in JSON."""

    open_connections: Connections
    """set by `protocols`"""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection, or refuse it."""
        self._line_ends = 0
        super().connection_made(transport)
        self._connection = self.open_connections.admit(transport)
        if self._connection is None:
            transport.write(_raw_response(TOO_BUSY))
            transport.close()
        else:
            self._wait(has_deadline=True)

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection."""
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self.open_connections.release(self.transport)

    def data_received(self, data: bytes) -> None:
        """Parse data, unless it has so many line ends that parsing it is an attack."""
        self._line_ends += data.count(b"\r\n")
        if self._line_ends > MAX_LINE_ENDS:
            self.transport.abort()
            return
        super().data_received(data)

    def handle_events(self) -> None:
        """Handle parsed events, then update the deadline."""
        super().handle_events()
        self._update_deadline()

    def on_response_complete(self) -> None:
        """Go on to the next request; the client may be idle, or still be sending a body."""
        if self.conn.their_state is not h11.SEND_BODY:
            self._line_ends = 0
        super().on_response_complete()
        self._update_deadline()

    def resume_writing(self) -> None:
        """Note that the client reads again."""
        super().resume_writing()
        if self._connection is not None:
            self._connection.unread_since = None

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to the socket protocol, unless it could not parse the request."""
        try:
            if event.method != b"GET":
                raise RequestError("malformed", "A socket is opened with GET.")
            check_headers(self.headers, self.open_connections.settings, len(event.target))
        except RequestError as error:
            self._refuse(error)
            return
        if self._connection is not None:
            self._connection.waiting = None
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Refuse an invalid HTTP request; called while h11's error is being handled."""
        error = sys.exc_info()[1]
        if isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == 431:
            limit = self.open_connections.settings.max_header_bytes
            self._refuse(
                RequestError("headers-too-large", f"The headers have more than {limit} bytes; send less.")
            )
        else:
            self._refuse(RequestError("malformed", "This is not a valid HTTP request."))

    def shutdown(self) -> None:
        """Stop gracefully; abort a connection that is being closed already."""
        if self.transport.is_closing():
            self.transport.abort()
        else:
            super().shutdown()

    def _refuse(self, error: RequestError) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(_raw_response(error))
            self.transport.close()
        else:
            self.transport.abort()

    def _update_deadline(self) -> None:
        """Start or stop the deadline by what h11 still expects from the client."""
        if self._connection is None or self.open_connections.of(self.transport) is None:
            return
        if self.transport.get_protocol() is not self:
            return
        if self.cycle is None:
            return
        if not self.cycle.response_complete:
            self._connection.waiting = None
            return
        owes_more = self.conn.their_state is h11.SEND_BODY or bool(self.conn.trailing_data[0])
        if not owes_more:
            self._connection.waiting = None
        self._wait(has_deadline=owes_more)

    def _wait(self, *, has_deadline: bool) -> None:
        assert self._connection is not None
        now = time.monotonic()
        waiting = self._connection.waiting
        if waiting is None:
            self._connection.waiting = waiting = Wait(now, None, self._time_out)
        if has_deadline and waiting.deadline is None:
            waiting.deadline = now + self.open_connections.settings.head_timeout_s

    def _time_out(self) -> None:
        """Close a connection whose request is late; respond with an error if part of it has arrived."""
        is_half_sent = self.conn.our_state is h11.IDLE and bool(self.conn.trailing_data[0])
        if is_half_sent and not self.transport.is_closing():
            self.transport.write(_raw_response(TOO_SLOW))
            self.transport.close()
        else:
            self.transport.abort()


class SocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket protocol, with bounds on the memory and work that a client can cause."""

    open_connections: Connections
    """set by `protocols`"""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        if config.ws_per_message_deflate:
            self.conn.available_extensions = [COMPRESSION]
        self._pings = Buckets(PINGS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection."""
        super().connection_lost(exc)
        self.open_connections.release(self.transport)

    def resume_writing(self) -> None:
        """Note that the client reads again."""
        super().resume_writing()
        if (connection := self.open_connections.of(self.transport)) is not None:
            connection.unread_since = None

    def handle_connect(self, event: Request) -> None:
        """Give the application its connection, so that it can abort it."""
        super().handle_connect(event)
        if (
            self.response.status_code == 101
            and (connection := self.open_connections.of(self.transport)) is not None
        ):
            self.scope["extensions"][EXTENSION] = {"connection": connection}

    def handle_cont(self, event: Frame) -> None:
        """Take a fragment of a message; abort after too many."""
        if len(self.frames) >= MAX_FRAGMENTS:
            self.transport.abort()
            return
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping; abort if there are too many or the client does not read the pongs."""
        is_unread = self.transport.get_write_buffer_size() > MAX_UNREAD_BYTES
        if not is_unread and self._is_allowed():
            super().handle_ping()
        else:
            self.transport.abort()

    def handle_pong(self, event: Frame) -> None:
        """Take a pong; abort if there are too many."""
        if self._is_allowed():
            super().handle_pong(event)
        else:
            self.transport.abort()

    def _is_allowed(self) -> bool:
        """Count a ping or pong; return whether it is within the limit."""
        if self.transport.is_closing() or self._pings.wait_s("") > 0:
            return False
        self._pings.take("")
        return True

    def data_received(self, data: bytes) -> None:
        """Parse data; the first is the whole request, so the handshake must have begun then."""
        super().data_received(data)
        if not self.handshake_initiated and not self.transport.is_closing():
            self._refuse()

    def handle_parser_exception(self) -> None:
        """Refuse an invalid handshake; after it, close as usual."""
        if self.conn.close_sent is None:
            self._refuse()
        else:
            super().handle_parser_exception()

    def _refuse(self) -> None:
        self.transport.write(
            _raw_response(RequestError("malformed", "This is not a valid WebSocket request."))
        )
        self.transport.close()


def protocols(settings: Settings) -> tuple[type[HttpProtocol], type[SocketProtocol]]:
    """Return the protocol classes for Uvicorn; they share one count of connections."""
    open_connections = Connections(settings)

    class Http(HttpProtocol):
        pass

    class Socket(SocketProtocol):
        pass

    Http.open_connections = Socket.open_connections = open_connections
    return Http, Socket


def _raw_response(error: RequestError) -> bytes:
    """Return an error as bytes of HTTP, for connections that do not reach the application."""
    body = msgspec.json.encode(error.message())
    phrase = HTTPStatus(error.status).phrase
    headers = {
        "content-type": "application/json",
        "content-length": str(len(body)),
        "cache-control": "no-store",
        "connection": "close",
        **error.headers(),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {error.status} {phrase}\r\n{lines}\r\n".encode("ascii") + body


def _open_files() -> int:
    """Return how many files this process may have open."""
    try:
        import resource
    except ImportError:
        return sys.maxsize
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft
