"""One socket of one viewer: commands in, States out, each with its number.

A viewer is sent the newest State, not every one in between: a slow client gets fewer and longer messages,
and nothing piles up here. What happened in between is in ``news``.
"""

from __future__ import annotations

import asyncio
from collections import Counter

import msgspec
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from flagfall.languages import say
from flagfall.server.api.commands import handle_command
from flagfall.server.api.http import registry_of
from flagfall.server.api.messages.matches import Done, Pong, SocketAnswer, State
from flagfall.server.api.requests import Look, Ping, SocketRequest, decode
from flagfall.server.api.routes.guests import check_command, check_rate, current_guest
from flagfall.server.errors import CLIENT_ERRORS, RequestError
from flagfall.server.middleware.clients import client_of
from flagfall.server.middleware.connections import EXTENSION, Connection
from flagfall.server.sessions.presenter import change_between, is_same
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.sessions.session import MatchSession
from flagfall.server.store.rows import GuestRow
from flagfall.view.view import Viewer

REFUSED, GOING_AWAY, TOO_MANY = 4403, 1001, 4429
"""close codes: refused; the server stops; too many messages"""
CLOSE_S = 5
MAX_REFUSED_MESSAGES = 20
"""messages above the rate limit that are answered before the socket is closed"""
BROKEN = (WebSocketDisconnect, TimeoutError, RuntimeError, OSError)
"""what a connection raises that the client has closed or does not read"""


class MatchSocket:
    """One open socket of one viewer."""

    def __init__(
        self, socket: WebSocket, registry: MatchRegistry, session: MatchSession, guest: GuestRow | None
    ) -> None:
        self.socket, self.registry, self.session, self.guest = socket, registry, session, guest
        self._guest_id = guest.id if guest else None
        self.viewer: Viewer = "watcher"
        self._wanted = ""
        self.since = 0
        self.wants_changes = False
        """send what differs from the State before instead of the whole State"""
        self.news = asyncio.Event()
        self._sent: State | None = None
        self._sending = asyncio.Lock()

    def look(self, wanted: str, since: int) -> None:
        """Send the States of this viewer from now on."""
        self.viewer = self.session.viewer_for(self._guest_id, wanted)
        self._wanted, self.since, self._sent = wanted, since, None
        self.news.set()

    async def send_states(self) -> None:
        """Send the State whenever this viewer's has changed, until the server stops."""
        while not self.registry.is_closing:
            await self.news.wait()
            self.news.clear()
            await self.session.wait_until_stored()
            self._refuse_banned()
            if self._wanted == "" and self.viewer == "watcher":
                # A waiting host gets their seat once an opponent has joined.
                self.viewer = self.session.viewer_for(self._guest_id, "")
            state = self.session.state(self._guest_id, self.viewer, self.since)
            sent = self._sent
            if sent is not None and sent.number == state.number and is_same(sent, state):
                continue
            self._sent, self.since = msgspec.structs.replace(state, news=()), state.number
            change = change_between(sent, state) if sent is not None and self.wants_changes else None
            await self.send(change or state)
        await self.socket.close(GOING_AWAY, "The server stops; come back soon.")

    def _refuse_banned(self) -> None:
        now = self.registry.now_ms()
        self.registry.bans.refuse_guest(self._guest_id, now)
        self.registry.bans.refuse_address(client_of(self.socket.scope).address, now)

    async def send(self, message: SocketAnswer) -> None:
        """Send a message; time out if the client does not read."""
        async with self._sending, asyncio.timeout(self.registry.settings.send_timeout_s):
            await self.socket.send_text(msgspec.json.encode(message).decode())

    async def receive_requests(self) -> None:
        """Handle incoming requests one after the other, until the client leaves."""
        refusals_left = MAX_REFUSED_MESSAGES
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            self._refuse_banned()
            data = message.get("text") or message.get("bytes") or b""
            try:
                check_rate(self.socket, "messages")
            except RequestError as error:
                refusals_left -= 1
                if refusals_left < 0:
                    await self.socket.close(TOO_MANY, "Too many messages; slow down.")
                    return
                await self.send(error.message())
                continue
            await self._handle(data)

    async def _handle(self, data: bytes | str) -> None:
        reply_to = ""
        try:
            if len(data) > self.registry.settings.max_body_bytes:
                raise RequestError("too-large", say("server.connection.message-too-large"))
            request: SocketRequest = decode(data, SocketRequest)  # type: ignore[arg-type]
            reply_to = request.id
            await self._execute(request)
        except CLIENT_ERRORS as error:
            await self.send(RequestError.of(error).message(reply_to))

    async def _execute(self, request: SocketRequest) -> None:
        if isinstance(request, Ping):
            await self.send(Pong(request.id))
        elif isinstance(request, Look):
            self.look(request.viewer, request.since)
        elif self.guest is None:
            raise RequestError("no-guest", say("server.guest.none"))
        else:
            check_command(self.socket, request, self.session.row.opponent)
            seat = await handle_command(self.registry, self.session, self.guest, request)
            await self.session.wait_until_stored()
            await self.send(Done(request.id, self.session.number(seat or "watcher")))

    async def run(self) -> None:
        """Receive and send until one of the two ends."""
        self.session.listeners.add(self.news)
        if self.guest is not None:
            self.session.presence.enter(self.guest.id)
        tasks = [asyncio.ensure_future(self.receive_requests()), asyncio.ensure_future(self.send_states())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.session.listeners.discard(self.news)
            if self.guest is not None:
                self.session.presence.leave(self.guest.id)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()


_open: Counter[str] = Counter()
"""open sockets by guest and by address; one is counted until its transport is closed"""


async def play(socket: WebSocket) -> None:
    """Play or watch a match.

    ``as`` and ``since`` mean the same as over HTTP; with ``changes=1`` only the first State is sent whole.
    """
    registry, query = registry_of(socket), socket.query_params
    await socket.accept()
    try:
        guest = await current_guest(socket)
    except CLIENT_ERRORS as error:
        await _refuse(socket, RequestError.of(error))
        return
    counted = _count(socket, guest)
    try:
        _check_count(socket, counted, registry)
        since = query.get("since", "0")
        if not since.isascii() or not since.isdecimal() or len(since) > 9:
            raise RequestError("malformed", "“since” is a whole number, 0 or more.")
        session = await registry.session(socket.path_params["match"])
        match_socket = MatchSocket(socket, registry, session, guest)
        match_socket.wants_changes = query.get("changes") == "1"
        match_socket.look(query.get("as", ""), int(since))
        await match_socket.run()
    except CLIENT_ERRORS as error:
        await _refuse(socket, RequestError.of(error))
    except BROKEN:
        await _close(socket)
    finally:
        if _connection(socket) is None:
            _uncount(counted)


route = WebSocketRoute("/api/matches/{match}/socket", play)


def _count(socket: WebSocket, guest: GuestRow | None) -> list[str]:
    """Count a socket by address and by guest until its transport is closed."""
    keys = [f"address {client_of(socket.scope).address}", *([f"guest {guest.id}"] if guest else [])]
    for key in keys:
        _open[key] += 1
    if (connection := _connection(socket)) is not None:
        connection.on_closed(lambda: _uncount(keys))
    return keys


def _check_count(socket: WebSocket, counted: list[str], registry: MatchRegistry) -> None:
    """Refuse a socket if too many are open or were opened in a short time."""
    limits = (registry.settings.max_sockets_per_address, registry.settings.max_sockets)
    if any(_open[key] > limit for key, limit in zip(counted, limits, strict=False)):
        raise RequestError("too-many", say("server.connection.too-many-sockets"))
    check_rate(socket, "sockets")


def _uncount(keys: list[str]) -> None:
    for key in keys:
        _open[key] -= 1
        if not _open[key]:
            del _open[key]


def _connection(socket: WebSocket) -> Connection | None:
    """Return the transport of a socket; None under another server than ours."""
    connection: Connection | None = socket.scope.get("extensions", {}).get(EXTENSION, {}).get("connection")
    return connection


async def _refuse(socket: WebSocket, error: RequestError) -> None:
    try:
        async with asyncio.timeout(CLOSE_S):
            await socket.send_text(msgspec.json.encode(error.message()).decode())
            await socket.close(REFUSED, error.code)
    except BROKEN:
        _abort(socket)


async def _close(socket: WebSocket) -> None:
    if socket.application_state == WebSocketState.CONNECTED:
        try:
            async with asyncio.timeout(1):
                await socket.close(GOING_AWAY)
        except BROKEN:
            _abort(socket)


def _abort(socket: WebSocket) -> None:
    """Close the transport at once; unsent messages are lost."""
    if (connection := _connection(socket)) is not None:
        connection.abort()
