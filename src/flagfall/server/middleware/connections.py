"""Connections: how many there may be, and how long each may keep the server waiting.

Uvicorn closes connections that are idle between two requests. Everything else is done here::

    connected ──── head complete ──── answer sent ──── idle ──── next head …
        └ head_timeout_s ┘                 │              └ one head_timeout_s from its first byte
                                           └ the rest of an unread body: head_timeout_s
    written but not read by the client for send_timeout_s: cut off
    closed by us but still open after send_timeout_s: cut off

When there are too many connections, the oldest one that waits for its client (no request under way, no
socket) makes room, first among those of the address with the most. So silent connections shut nobody out.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Callable
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
"""where a socket finds its `Connection` in the extensions of the ASGI scope"""
BACKLOG = 64
"""connections that asyncio accepts in one go, before any of them can be refused"""
RESERVED_FILES = 96 + BACKLOG
"""open files that connections leave for the database, workers, the web client and the backlog"""
MAX_FRAGMENTS = 64
"""frames of one socket message"""
MAX_LINE_ENDS = 1_000
"""line ends in one request: a hundred headers, and a body in a few hundred chunks or lines"""
MAX_UNREAD_BYTES = 65_536
"""answers to pings that a client may leave unread"""
PINGS = Rate(per_s=5, at_once=50)
COMPRESSION = ServerPerMessageDeflateFactory(
    server_max_window_bits=12, client_max_window_bits=12, compress_settings={"memLevel": 5, "level": 1}
)
"""as Uvicorn's, but at the lowest level: a third of the CPU for a fifth more bytes"""
SWEEP_S = 1.0
TOO_BUSY = RequestError("too-busy", "Too many connections are open; close some or try again soon.")
TOO_LATE = RequestError("too-slow", "The request came too slowly; send it again.")


class Connection:
    """One open transport and since when it keeps the server waiting."""

    __slots__ = ("_is_gone", "_when_gone", "address", "closing_since", "transport", "unread_since", "waiting")

    def __init__(self, transport: asyncio.Transport, address: str) -> None:
        self.transport, self.address = transport, address
        self.waiting: Waiting | None = None
        self.unread_since: float | None = None
        self.closing_since: float | None = None
        self._is_gone = False
        self._when_gone: list[Callable[[], None]] = []

    def abort(self) -> None:
        """Cut the connection off; what was not sent is lost."""
        self.transport.abort()

    def when_gone(self, callback: Callable[[], None]) -> None:
        """Call back when the transport is really closed; at once if it is."""
        if self._is_gone:
            callback()
        else:
            self._when_gone.append(callback)

    def gone(self) -> None:
        """Tell those who wait for the end."""
        self._is_gone = True
        while self._when_gone:
            self._when_gone.pop()()

    def is_unread(self, now: float, timeout_s: float) -> bool:
        """Whether the client has left something unread for too long."""
        if not self.transport.get_write_buffer_size():
            self.unread_since = None
            return False
        if self.unread_since is None:
            self.unread_since = now
        return now - self.unread_since > timeout_s

    def is_stuck_closing(self, now: float, timeout_s: float) -> bool:
        """Whether a close has taken too long."""
        if not self.transport.is_closing():
            return False
        if self.closing_since is None:
            self.closing_since = now
        return now - self.closing_since > timeout_s


class Waiting:
    """The server waits for this client; with a deadline unless it is merely idle."""

    __slots__ = ("deadline", "since", "time_out")

    def __init__(self, since: float, deadline: float | None, time_out: Callable[[], None]) -> None:
        self.since, self.deadline, self.time_out = since, deadline, time_out


class Connections:
    """All open connections of this server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._proxies = Proxies(settings.proxy_networks)
        self._most = min(settings.max_connections, max(16, _open_files() - RESERVED_FILES))
        self._open: dict[asyncio.BaseTransport, Connection] = {}
        self._by_address: Counter[str] = Counter()
        self._sweep_s = min(SWEEP_S, settings.head_timeout_s / 4, settings.send_timeout_s / 4)
        self._sweeping: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, transport: asyncio.Transport) -> Connection | None:
        """Count one more connection; None if there is no room for it."""
        peer = transport.get_extra_info("peername")
        host = str(peer[0]) if isinstance(peer, tuple) else ""
        address = "" if self._proxies.trusts(host) else address_key(host)
        if address and self._by_address[address] >= self.settings.max_connections_per_address:
            if not self._make_room(address):
                return None
        elif len(self._open) >= self._most and not self._make_room(""):
            return None
        connection = self._open[transport] = Connection(transport, address)
        self._by_address[address] += 1
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(self._sweep_s, self._sweep)
        return connection

    def of(self, transport: asyncio.BaseTransport) -> Connection | None:
        """Return the connection of a transport, unless it was refused or is gone."""
        return self._open.get(transport)

    def release(self, transport: asyncio.BaseTransport) -> None:
        """The transport is closed."""
        connection = self._open.pop(transport, None)
        if connection is None:
            return
        self._by_address[connection.address] -= 1
        if not self._by_address[connection.address]:
            del self._by_address[connection.address]
        connection.gone()

    def _make_room(self, address: str) -> bool:
        """Cut off a connection that waits for its client: of that address, or of the one with the most."""
        found: tuple[int, float] | None = None
        victim = None
        for connection in self._open.values():
            if connection.waiting is None or (address and connection.address != address):
                continue
            rank = (-self._by_address[connection.address], connection.waiting.since)
            if found is None or rank < found:
                found, victim = rank, connection
        if victim is None:
            return False
        victim.abort()
        self.release(victim.transport)
        return True

    def _sweep(self) -> None:
        """Cut off clients that have kept the server waiting for too long."""
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
    """Uvicorn's HTTP protocol on h11, with deadlines for the client and refusals in JSON."""

    registry: Connections
    """set by `protocols`"""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection, or refuse it."""
        self._line_ends = 0
        super().connection_made(transport)
        self._connection = self.registry.admit(transport)
        if self._connection is None:
            transport.write(_raw_refusal(TOO_BUSY))
            transport.close()
        else:
            self._wait(has_deadline=True)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self.registry.release(self.transport)

    def data_received(self, data: bytes) -> None:
        """Take what has come in, unless it is cut into pieces so small that reading them is an attack."""
        self._line_ends += data.count(b"\r\n")
        if self._line_ends > MAX_LINE_ENDS:
            self.transport.abort()
            return
        super().data_received(data)

    def handle_events(self) -> None:
        """Handle what has come in; then the client may owe the rest of a request."""
        super().handle_events()
        self._note_state()

    def on_response_complete(self) -> None:
        """The answer is sent; the client may be idle, or owe the rest of a body that nobody reads."""
        if self.conn.their_state is not h11.SEND_BODY:
            self._line_ends = 0
        super().on_response_complete()
        self._note_state()

    def resume_writing(self) -> None:
        """The client reads."""
        super().resume_writing()
        if self._connection is not None:
            self._connection.unread_since = None

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to the socket protocol, unless that could not parse the request."""
        try:
            if event.method != b"GET":
                raise RequestError("malformed", "A socket is opened with GET.")
            check_headers(self.headers, self.registry.settings, len(event.target))
        except RequestError as error:
            self._refuse(error)
            return
        if self._connection is not None:
            self._connection.waiting = None
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP request; called while h11's error is being handled."""
        error = sys.exc_info()[1]
        if isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == 431:
            most = self.registry.settings.max_header_bytes
            self._refuse(
                RequestError("headers-too-large", f"The headers have more than {most} bytes; send less.")
            )
        else:
            self._refuse(RequestError("malformed", "This is not a valid HTTP request."))

    def shutdown(self) -> None:
        """Stop gracefully; a connection that is being closed already is cut off."""
        if self.transport.is_closing():
            self.transport.abort()
        else:
            super().shutdown()

    def _refuse(self, error: RequestError) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(_raw_refusal(error))
            self.transport.close()
        else:
            self.transport.abort()

    def _note_state(self) -> None:
        """Start or stop the deadline by what h11 still expects from the client."""
        if self._connection is None or self.registry.of(self.transport) is None:
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
            self._connection.waiting = waiting = Waiting(now, None, self._time_out)
        if has_deadline and waiting.deadline is None:
            waiting.deadline = now + self.registry.settings.head_timeout_s

    def _time_out(self) -> None:
        """The client did not send a request in time: say so if it has begun one, and cut it off."""
        is_half_sent = self.conn.our_state is h11.IDLE and bool(self.conn.trailing_data[0])
        if is_half_sent and not self.transport.is_closing():
            self.transport.write(_raw_refusal(TOO_LATE))
            self.transport.close()
        else:
            self.transport.abort()


class SocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket protocol, with bounds on what a client can make the server hold or do."""

    registry: Connections
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
        """The connection is gone."""
        super().connection_lost(exc)
        self.registry.release(self.transport)

    def resume_writing(self) -> None:
        """The client reads."""
        super().resume_writing()
        if (connection := self.registry.of(self.transport)) is not None:
            connection.unread_since = None

    def handle_connect(self, event: Request) -> None:
        """Let the application reach its connection, so that it can cut it off."""
        super().handle_connect(event)
        if self.response.status_code == 101 and (connection := self.registry.of(self.transport)) is not None:
            self.scope["extensions"][EXTENSION] = {"connection": connection}

    def handle_cont(self, event: Frame) -> None:
        """Take one more piece of a message; empty ones are not free."""
        if len(self.frames) >= MAX_FRAGMENTS:
            self.transport.abort()
            return
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping, unless the client floods the server or does not read the answers."""
        is_unread = self.transport.get_write_buffer_size() > MAX_UNREAD_BYTES
        if not is_unread and self._is_allowed():
            super().handle_ping()
        else:
            self.transport.abort()

    def handle_pong(self, event: Frame) -> None:
        """Take the answer to a ping; a flood of them, which nobody asked for, is cut off."""
        if self._is_allowed():
            super().handle_pong(event)
        else:
            self.transport.abort()

    def _is_allowed(self) -> bool:
        """Count one more ping or pong."""
        if self.transport.is_closing() or self._pings.wait_s("") > 0:
            return False
        self._pings.take("")
        return True

    def data_received(self, data: bytes) -> None:
        """Take in data; the first is the whole request, so a handshake that has not begun will never do."""
        super().data_received(data)
        if not self.handshake_initiated and not self.transport.is_closing():
            self._refuse()

    def handle_parser_exception(self) -> None:
        """Refuse what is no WebSocket; before the handshake there is nothing to close politely."""
        if self.conn.close_sent is None:
            self._refuse()
        else:
            super().handle_parser_exception()

    def _refuse(self) -> None:
        self.transport.write(
            _raw_refusal(RequestError("malformed", "This is not a valid WebSocket request."))
        )
        self.transport.close()


def protocols(settings: Settings) -> tuple[type[HttpProtocol], type[SocketProtocol]]:
    """Return the protocol classes for Uvicorn; they share one count of connections."""
    registry = Connections(settings)

    class Http(HttpProtocol):
        pass

    class Socket(SocketProtocol):
        pass

    Http.registry = Socket.registry = registry
    return Http, Socket


def _raw_refusal(error: RequestError) -> bytes:
    """A refusal as bytes of HTTP, for when no application is asked."""
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
    """How many files this process may have open."""
    try:
        import resource
    except ImportError:
        return sys.maxsize
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft
