"""Play over one socket: messages in, the viewer's State out, each with its number.

A viewer is told the newest State, not every one in between: whoever is slow gets fewer and longer messages,
and nothing piles up here. What happened in between stands in ``news``.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from flagfall.server.api.commands import handle_command
from flagfall.server.api.guests import check_command, check_rate, current_guest, registry_of
from flagfall.server.api.messages import Done, Pong, SocketAnswer, State
from flagfall.server.api.requests import Look, Ping, SocketRequest, decode
from flagfall.server.errors import RequestError
from flagfall.server.middleware.clients import client_of
from flagfall.server.middleware.connections import EXTENSION, Connection
from flagfall.server.sessions.presenter import change_between, is_same
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.sessions.session import MatchSession
from flagfall.server.store.database import StoreError
from flagfall.server.store.rows import GuestRow
from flagfall.view.view import Viewer

router = APIRouter()

REFUSED, GOING_AWAY, TOO_MANY = 4403, 1001, 4429
"""how a socket is closed: this is not for you; the server stops; slow down"""
PATIENCE = 20
"""how many messages above the limit are answered before the socket is closed"""


class Socket:
    """One open socket of one viewer."""

    def __init__(
        self, socket: WebSocket, registry: MatchRegistry, session: MatchSession, guest: GuestRow | None
    ) -> None:
        self.socket, self.registry, self.session, self.guest = socket, registry, session, guest
        self.viewer: Viewer = "watcher"
        self._wanted = ""
        self.since = 0
        self.wants_changes = False
        """told by what differs from the State before, instead of the whole State each time"""
        self.news = asyncio.Event()
        self._told: State | None = None
        self._sending = asyncio.Lock()

    def look(self, wanted: str, since: int) -> None:
        """Look through these eyes from now on."""
        self.viewer = self.session.viewer_for(self.guest.id if self.guest else None, wanted)
        self._wanted, self.since, self._told = wanted, since, None
        self.news.set()

    async def tell(self) -> None:
        """Send the State whenever this viewer's has changed; until the server stops."""
        while not self.registry.is_closing:
            await self.news.wait()
            self.news.clear()
            await self.session.wait_until_stored()
            self._refuse_banned()
            self._take_seat()
            state = self.session.state(self.guest.id if self.guest else None, self.viewer, self.since)
            told = self._told
            if told is not None and told.number == state.number and is_same(told, state):
                continue
            self._told, self.since = msgspec.structs.replace(state, news=()), state.number
            change = change_between(told, state) if told is not None and self.wants_changes else None
            await self.send(change or state)
        await self.socket.close(GOING_AWAY, "The server stops; come back soon.")

    def _take_seat(self) -> None:
        """A host who waited for somebody, and named no eyes, sits down when the other has come."""
        if self._wanted == "" and self.viewer == "watcher" and self.guest is not None:
            self.viewer = self.session.viewer_for(self.guest.id, "")

    def _refuse_banned(self) -> None:
        """End the conversation with somebody who is not served any more."""
        now = self.registry.now_ms()
        self.registry.bans.refuse_guest(self.guest.id if self.guest else None, now)
        self.registry.bans.refuse_address(client_of(self.socket.scope).address, now)

    async def send(self, answer: SocketAnswer) -> None:
        """Send; a viewer who does not read is not waited for."""
        async with self._sending, asyncio.timeout(self.registry.settings.send_timeout_s):
            await self.socket.send_text(msgspec.json.encode(answer).decode())

    async def hear(self) -> None:
        """Do what comes in, one message after the other."""
        patience = PATIENCE
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            self._refuse_banned()
            data = message.get("text") or message.get("bytes") or b""
            try:
                check_rate(self.socket, "messages")
            except RequestError as no:
                patience -= 1
                if patience < 0:
                    await self.socket.close(TOO_MANY, "Too many messages; slow down.")
                    return
                await self.send(no.answer())
                continue
            await self._answer(data)

    async def _answer(self, data: bytes | str) -> None:
        reply_to = ""
        try:
            if len(data) > self.registry.settings.most_body_bytes:
                raise RequestError("too-large", "This message is too long.")
            request: SocketRequest = decode(data, SocketRequest)  # type: ignore[arg-type]
            reply_to = request.id
            await self._execute(request)
        except RequestError as no:
            await self.send(no.answer(reply_to))
        except StoreError as error:
            await self.send(RequestError.from_store_error(error).answer(reply_to))

    async def _execute(self, request: SocketRequest) -> None:
        if isinstance(request, Ping):
            await self.send(Pong(request.id))
        elif isinstance(request, Look):
            self.look(request.viewer, request.since)
        elif self.guest is None:
            raise RequestError(
                "no-guest", "You are not known here yet; say your name first (POST /api/guests)."
            )
        else:
            check_command(self.socket, request, self.session.row.opponent)
            seat = await handle_command(self.registry, self.session, self.guest, request)
            await self.session.wait_until_stored()
            await self.send(Done(request.id, self.session.number(seat or "watcher")))


_open: Counter[str] = Counter()
"""open sockets by guest and by address; one is counted until its transport is closed"""


@router.websocket("/api/matches/{match}/socket")
async def play(
    socket: WebSocket,
    match: str,
    eyes: Annotated[str, Query(alias="as")] = "",
    since: str = "0",
    changes: str = "",
) -> None:
    """Play or watch a match; ``as`` and ``since`` as over HTTP, ``changes=1`` for changes after the first."""
    registry = registry_of(socket)
    await socket.accept()
    try:
        guest = await current_guest(socket)
    except (RequestError, StoreError) as error:
        await _say_no(
            socket, error if isinstance(error, RequestError) else RequestError.from_store_error(error)
        )
        return
    counted = _count(socket, guest)
    try:
        _check_count(socket, counted, registry)
        if not since.isascii() or not since.isdecimal() or len(since) > 9:
            raise RequestError("malformed", "“since” is a number from 0 on.")
        one = Socket(socket, registry, await registry.session(match), guest)
        one.wants_changes = changes == "1"
        one.look(eyes, int(since))
        await _converse(one)
    except RequestError as no:
        await _say_no(socket, no)
    except StoreError as error:
        await _say_no(socket, RequestError.from_store_error(error))
    except (WebSocketDisconnect, TimeoutError, RuntimeError, OSError):
        await _hang_up(socket)
    finally:
        if _connection(socket) is None:
            _uncount(counted)


def _count(socket: WebSocket, guest: GuestRow | None) -> list[str]:
    """Count a socket by address and by guest until its transport is closed."""
    keys = [f"address {client_of(socket.scope).address}", *([f"guest {guest.id}"] if guest else [])]
    for key in keys:
        _open[key] += 1
    if (connection := _connection(socket)) is not None:
        connection.when_gone(lambda: _uncount(keys))
    return keys


def _check_count(socket: WebSocket, counted: list[str], registry: MatchRegistry) -> None:
    """Refuse one socket too many, or too many in a short time."""
    most = (registry.settings.most_sockets_per_address, registry.settings.most_sockets)
    if any(_open[key] > allowed for key, allowed in zip(counted, most, strict=False)):
        raise RequestError("too-many", "You have too many sockets open; close one first.")
    check_rate(socket, "sockets")


def _uncount(keys: list[str]) -> None:
    for key in keys:
        _open[key] -= 1
        if not _open[key]:
            del _open[key]


def _connection(socket: WebSocket) -> Connection | None:
    """The transport under a socket; None under another server than ours."""
    connection: Connection | None = socket.scope.get("extensions", {}).get(EXTENSION, {}).get("connection")
    return connection


async def _converse(one: Socket) -> None:
    """Hear and tell until one of them ends."""
    one.session.listeners.add(one.news)
    if one.guest is not None:
        one.session.presence.enter(one.guest.id)
    tasks = [asyncio.ensure_future(one.hear()), asyncio.ensure_future(one.tell())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        one.session.listeners.discard(one.news)
        if one.guest is not None:
            one.session.presence.leave(one.guest.id)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def _say_no(socket: WebSocket, no: RequestError) -> None:
    try:
        async with asyncio.timeout(5):
            await socket.send_text(msgspec.json.encode(no.answer()).decode())
            await socket.close(REFUSED, no.code)
    except (WebSocketDisconnect, TimeoutError, RuntimeError, OSError):
        _cut_off(socket)


async def _hang_up(socket: WebSocket) -> None:
    if socket.application_state == WebSocketState.CONNECTED:
        try:
            async with asyncio.timeout(1):
                await socket.close(GOING_AWAY)
        except (WebSocketDisconnect, TimeoutError, RuntimeError, OSError):
            _cut_off(socket)


def _cut_off(socket: WebSocket) -> None:
    """Close the transport of somebody who does not read, whatever is still to be sent."""
    if (connection := _connection(socket)) is not None:
        connection.abort()
