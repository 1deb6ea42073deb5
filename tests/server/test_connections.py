"""Connections that are silent, slow or unread are closed and do not block others."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import select
import socket as raw_sockets
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from starlette.types import Message
from starlette.websockets import WebSocket

from flagfall.server.api import sockets
from flagfall.server.middleware.clients import SCOPE_KEY, Client
from flagfall.server.middleware.connections import EXTENSION, Connection
from flagfall.server.store.rows import GuestRow
from tests.server.served import Guest, Served, serving

LIVELINESS_S = 30.0
"""generous time for something that must happen"""
QUICK = {"head_timeout_s": "1", "send_timeout_s": "0.5", "idle_timeout_s": "2", "body_timeout_s": "1"}
HEAD = b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n"
MASK = b"\x01\x02\x03\x04"


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with short time-outs and few connections."""
    limits = {"max_connections": "40", "max_connections_per_address": "30", "max_sockets": "3"}
    with serving(tmp_path_factory.mktemp("quick"), **QUICK, **limits) as served:
        yield served


@contextlib.contextmanager
def opened(
    served: Served, count: int, data: bytes = b"", source: str = ""
) -> Iterator[list[raw_sockets.socket]]:
    """Open connections and send some data on each."""
    with contextlib.ExitStack() as stack:
        found = []
        for _ in range(count):
            raw = raw_sockets.create_connection(
                ("127.0.0.1", served.port), timeout=10, source_address=(source, 0) if source else None
            )
            stack.enter_context(raw)
            raw.sendall(data)
            found.append(raw)
        yield found


def closed_by_the_server(raw: raw_sockets.socket, meanwhile: Callable[[], None] = lambda: None) -> bytes:
    """Return what came until the server closed the connection; fail if it stays open."""
    until, received = time.monotonic() + LIVELINESS_S, b""
    while time.monotonic() < until:
        with contextlib.suppress(ConnectionError):
            meanwhile()
        if select.select([raw], [], [], 0.2)[0]:
            try:
                data = raw.recv(65_536)
            except ConnectionError:
                return received
            if not data:
                return received
            received += data
    raise AssertionError(f"the connection stays open; received {received[:200]!r}")


def wait_for_data_or_the_end(raw: raw_sockets.socket) -> None:
    """Wait until the server has sent something, or has closed the connection."""
    assert select.select([raw], [], [], LIVELINESS_S)[0], "the server neither responds nor closes"


# ------------------------------------------------------------------ time-outs


def test_a_silent_connection_is_closed(quick: Served) -> None:
    with opened(quick, 1) as (raw,):
        assert closed_by_the_server(raw) == b""


def test_a_trickling_head_has_one_deadline(quick: Served) -> None:
    with opened(quick, 1, HEAD) as (raw,):
        answer = closed_by_the_server(raw, lambda: raw.sendall(b"x-more: y\r\n"))
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"too-slow"' in answer


def test_a_trickling_second_head_has_one_deadline(quick: Served) -> None:
    with opened(quick, 1, HEAD + b"\r\n") as (raw,):
        answer = closed_by_the_server(raw, lambda: raw.sendall(b"x"))
    assert answer.startswith(b"HTTP/1.1 200 ")


def test_an_idle_connection_is_closed(quick: Served) -> None:
    with opened(quick, 1, HEAD + b"\r\n") as (raw,):
        assert closed_by_the_server(raw).startswith(b"HTTP/1.1 200 ")


def test_an_unread_trickling_body_has_a_deadline(quick: Served) -> None:
    with opened(quick, 1, HEAD + b"content-length: 10000\r\n\r\n") as (raw,):
        answer = closed_by_the_server(raw, lambda: raw.sendall(b"x"))
    assert answer.startswith(b"HTTP/1.1 200 ")


def test_an_unread_response_has_a_deadline(quick: Served) -> None:
    """Send many requests on a connection that reads nothing, until the buffers are full."""
    with opened(quick, 1) as (raw,):
        raw.setsockopt(raw_sockets.SOL_SOCKET, raw_sockets.SO_RCVBUF, 4096)
        raw.settimeout(1)
        page = b"GET /api/games/onyx/classic HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
        until = time.monotonic() + LIVELINESS_S
        while time.monotonic() < until:
            try:
                raw.sendall(page * 50)
            except TimeoutError:
                continue
            except ConnectionError:
                return
        raise AssertionError("the connection stays open")


def test_a_slow_client_is_served(quick: Served) -> None:
    with opened(quick, 1) as (raw,):
        for part in (HEAD[:10], HEAD[10:], b"\r\n"):
            time.sleep(0.2)
            raw.sendall(part)
        assert raw.recv(4096).startswith(b"HTTP/1.1 200 ")


# ------------------------------------------------------------------ how many


@pytest.mark.parametrize("data", [b"", HEAD, HEAD + b"\r\n"], ids=["silent", "half-sent", "idle"])
def test_waiting_connections_do_not_block_others(quick: Served, data: bytes) -> None:
    with opened(quick, 80, data) as some, opened(quick, 80, data, "127.0.0.2") as more:
        if data.endswith(b"\r\n\r\n"):  # idle once they have their responses; until then they are busy
            for raw in (*some, *more):
                wait_for_data_or_the_end(raw)
        for _ in range(5):
            assert httpx.get(f"{quick.url}/health", timeout=LIVELINESS_S).status_code == 200


def test_silent_connections_do_not_use_up_the_open_files(tmp_path: Path) -> None:
    served = Served(tmp_path)
    try:
        served.start(open_files=200)
        with opened(served, 120, HEAD), opened(served, 120, b"", "127.0.0.2"):
            for _ in range(5):
                assert httpx.get(f"{served.url}/health", timeout=10).status_code == 200
    finally:
        served.stop()
    assert "Traceback" not in served.log()


def test_busy_connections_of_one_address_are_limited(tmp_path: Path) -> None:
    """Requests that wait for news hold their connections; another address is still served."""
    limits = {"max_connections": "40", "max_connections_per_address": "10"}
    constants = {"flagfall.server.serve.STOP_S": 1}
    with serving(tmp_path, constants, **limits) as served, Guest(served, "Anna") as anna:
        match = anna.post("/api/matches", game="mini/3x3", opponent="hot-seat")["match"]
        wait = f"GET /api/matches/{match}/state?since=100&wait_s=20 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
        with opened(served, 10, wait.encode(), "127.0.0.3") as waiting:
            time.sleep(1)
            with opened(served, 3, b"", "127.0.0.3") as refused:
                for raw in refused:
                    answer = closed_by_the_server(raw)
                    assert answer.startswith(b"HTTP/1.1 503 ")
                    assert b"retry-after: " in answer
                    assert b'"too-busy"' in answer
            assert httpx.get(f"{served.url}/health", timeout=LIVELINESS_S).status_code == 200
            assert not select.select(waiting, [], [], 0)[0], "those that are served are not cut off"


def test_a_trusted_proxy_has_no_address_limit(tmp_path: Path) -> None:
    limits = {"max_connections_per_address": "3", "trusted_proxies": "127.0.0.0/8"}
    with serving(tmp_path, **limits) as served, opened(served, 10, HEAD) as waiting:
        for raw in waiting:
            raw.sendall(b"\r\n")
            assert raw.recv(4096).startswith(b"HTTP/1.1 200 ")


# ------------------------------------------------------------------ sockets


def frame(opcode: int, data: bytes = b"", *, is_last: bool = True) -> bytes:
    """A frame as clients send it."""
    length = struct.pack("!BB", opcode | (0x80 if is_last else 0), 0x80 | len(data))
    return length + MASK + bytes(byte ^ MASK[at % 4] for at, byte in enumerate(data))


@contextlib.contextmanager
def raw_socket(guest: Guest, match: str, receive_buffer: int = 0) -> Iterator[raw_sockets.socket]:
    """A WebSocket without a library, so that it can misbehave."""
    cookies = "; ".join(f"{name}={value}" for name, value in guest.http.cookies.items())
    key = base64.b64encode(bytes(16)).decode()
    head = (
        f"GET /api/matches/{match}/socket?as=south HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: {cookies}\r\n"
        f"connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
        f"sec-websocket-key: {key}\r\n\r\n"
    )
    raw = raw_sockets.socket()
    with contextlib.closing(raw):
        if receive_buffer:
            raw.setsockopt(raw_sockets.SOL_SOCKET, raw_sockets.SO_RCVBUF, receive_buffer)
        raw.settimeout(10)
        raw.connect(("127.0.0.1", guest.served.port))
        raw.sendall(head.encode())
        answer = raw.recv(200)
        assert answer.startswith(b"HTTP/1.1 101 "), answer
        yield raw


def hot_seat(guest: Guest) -> str:
    return str(guest.post("/api/matches", game="onyx/classic", opponent="hot-seat")["match"])


def flooded(raw: raw_sockets.socket, data: bytes) -> None:
    """Send until the server has aborted the connection; fail if it never does."""
    raw.settimeout(1)
    until = time.monotonic() + LIVELINESS_S
    while time.monotonic() < until:
        try:
            raw.sendall(data)
        except TimeoutError:
            continue
        except ConnectionError:
            return
        time.sleep(0.002)
    raise AssertionError("the socket stays open")


def test_a_socket_that_does_not_read_is_aborted(quick: Served) -> None:
    """Ask for the whole State again and again without reading it."""
    with Guest(quick, "Anna") as anna:
        match = hot_seat(anna)
        for side in ("south", "north"):
            code = anna.code("onyx/classic", side)
            anna.post(f"/api/matches/{match}/setup", seat=side, code=code)
        looks = b"".join(
            frame(1, b'{"do":"look","viewer":"%s"}' % viewer) for viewer in (b"south", b"watcher")
        )
        for _ in range(4):
            with raw_socket(anna, match, 4096) as raw:
                flooded(raw, looks)
        with anna.socket(match, as_="south") as socket:
            assert socket.hear()["what"] == "state", "those that were cut off are not counted any more"


def test_a_socket_that_ignores_the_close_counts_until_it_is_aborted(quick: Served) -> None:
    with Guest(quick, "Anna") as anna, contextlib.ExitStack() as stack:
        match = hot_seat(anna)
        raws = [stack.enter_context(raw_socket(anna, match)) for _ in range(3)]
        with anna.socket(match, as_="south") as fourth:
            assert fourth.hear()["code"] == "too-many"
        for raw in raws:
            raw.sendall(frame(1, b"x" * 100) * 3)
            raw.shutdown(raw_sockets.SHUT_WR)
        for raw in raws:
            closed_by_the_server(raw)
        until = time.monotonic() + LIVELINESS_S
        while time.monotonic() < until:
            with anna.socket(match, as_="south") as again:
                if again.hear()["what"] == "state":
                    return
            time.sleep(0.2)
        raise AssertionError("the places of closed sockets are not free again")


def test_a_socket_is_counted_until_its_transport_is_closed() -> None:
    """The application may be done with it before, but only closing the transport frees its place."""
    closed = Connection(asyncio.Transport(), "192.0.2.1")
    scope = {
        "type": "websocket",
        "extensions": {EXTENSION: {"connection": closed}},
        SCOPE_KEY: Client("192.0.2.1"),
    }
    socket = WebSocket(scope, no_messages, no_answers)
    for count in (1, 2):
        sockets._count(socket, GuestRow("anna", "Anna"))
        assert sockets._open["guest anna"] == sockets._open["address 192.0.2.1"] == count
    closed.mark_closed()
    assert "guest anna" not in sockets._open
    assert "address 192.0.2.1" not in sockets._open


async def no_messages() -> Message:
    raise AssertionError("nothing is received")


async def no_answers(message: Message) -> None:
    raise AssertionError("nothing is sent")


@pytest.mark.parametrize(
    ("first", "data"),
    [(b"", frame(9, b"x" * 100) * 100), (frame(1, is_last=False), frame(0, is_last=False) * 500)],
    ids=["pings", "empty fragments"],
)
def test_a_flood_of_small_frames_is_aborted(quick: Served, first: bytes, data: bytes) -> None:
    with Guest(quick, "Anna") as anna, raw_socket(anna, hot_seat(anna)) as raw:
        raw.sendall(first)
        flooded(raw, data)
        assert anna.get("/health")["status"] == "ok"


def test_the_server_stops_with_half_open_connections(tmp_path: Path) -> None:
    served = Served(tmp_path).start()
    with opened(served, 5), opened(served, 5, HEAD), opened(served, 2, b"nonsense\r\n\r\n"):
        assert served.stop() == 0
    assert "Traceback" not in served.log()


def test_a_flood_of_unsolicited_pongs_is_aborted(quick: Served) -> None:
    with Guest(quick, "Anna") as anna:
        match = anna.post("/api/matches", game="mini/3x3", opponent="hot-seat")["match"]
        key = "dGhlIHNhbXBsZSBub25jZQ=="
        head = (
            f"GET /api/matches/{match}/socket?as=watcher HTTP/1.1\r\nhost: 127.0.0.1\r\n"
            f"upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: {key}\r\n"
            "sec-websocket-version: 13\r\n\r\n"
        )
        with opened(quick, 1, head.encode()) as (raw,):
            assert b" 101 " in raw.recv(4096)
            assert _is_cut_off(raw, b"\x8a\x80\x00\x00\x00\x00" * 500)


def test_a_body_of_tiny_chunks_is_aborted(served: Served) -> None:
    """It is aborted long before the time-out for the rest of a body."""
    head = b"POST /api/nope HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n"
    with opened(served, 1, head) as (raw,):
        assert _is_cut_off(raw, b"1\r\na\r\n" * 500)


def _is_cut_off(raw: raw_sockets.socket, data: bytes) -> bool:
    """Return whether the server soon closes the connection while this is sent repeatedly."""
    until = time.monotonic() + 5
    raw.settimeout(1)
    try:
        while time.monotonic() < until:
            raw.sendall(data)
            time.sleep(0.02)
    except OSError:
        return True
    return False
