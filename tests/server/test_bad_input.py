"""Malformed, oversized, out-of-order and slow messages are refused with a sentence, and nothing breaks."""

from __future__ import annotations

import json
import socket as raw_sockets
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.served import Guest, Served, Socket, friends, seal_both, serving

GAME = "spin-master/duel"
BAD_BODIES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b'{"name": "\\ud800"}',
    b'{"number": 1e400}',
    b'{"number": -1, "text": "a1-a2"}',
    b'{"number": true, "text": "a1-a2"}',
    b'{"number": 99999999999999999999, "text": "a1-a2"}',
    b'{"number": 3, "action": 2147483647}',
    b'{"number": 3, "action": 0}',
    b'{"number": 3, "text": "\\u0000"}',
    b'{"number": 3, "text": "' + b"a" * 500 + b'"}',
    b'{"number": 3, "text": "a1-a2", "action": 5}',
    b'{"number": 3, "text": "a1-a2", "extra": 5}',
    b'{"do": "seal", "number": 3, "text": "a1-a2"}',
    b"[" * 5000,
    b'{"code": "' + "é".encode() * 100 + b'"}',
    b'{"squares": {"a1": "flag", "z9": "nobody"}}',
    b'{"squares": {"": ""}}',
    b'{"phrase": "rude"}',
    b'{"accepts": "yes"}',
    b'{"seat": "east"}',
    b'{"game": "../../etc/passwd"}',
    b'{"game": "my.toml#x"}',
    b'{"game": "onyx/classic", "options": {"clock": "never"}}',
    b'{"game": "onyx/classic", "level": "god"}',
    b'{"name": "\\n"}',
    b'{"name": "Computer (greedy)"}',
    b'{"side": "south", "style": "fortress", "shuffle": true}',
]
POSTS = ("setup", "act", "draw/answer", "chat")


def hear_all(socket: Socket) -> None:
    """Read until the connection is closed."""
    while True:
        socket.hear()


def test_bad_bodies(served: Served) -> None:
    anna, ben, match = friends(served, GAME)
    with anna, ben:
        seal_both(anna, ben, match, GAME)
        paths = [f"/api/matches/{match}/{command}" for command in POSTS]
        paths += ["/api/guests", "/api/matches", f"/api/games/{GAME}/setup", "/api/matches/nothing/act"]
        for path in paths:
            for body in BAD_BODIES:
                answer = anna.http.post(path, content=body, headers={"content-type": "application/json"})
                is_fine = path.endswith(f"{GAME}/setup") or answer.status_code == 200
                assert answer.status_code < 500, (path, body, answer.text)
                if answer.status_code >= 400:
                    said = answer.json()
                    assert said["code"], (path, body)
                    assert said["sentence"].endswith((".", ")", "?")), said
                else:
                    assert is_fine
        assert anna.http.post(paths[1], content=b"a=1").status_code == 400
        assert anna.state(match)["number"] == 3


def test_bad_addresses(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        for path, status in {
            "/api/nothing": 404,
            "/api/matches/%00/state": 404,
            "/api/matches/☃/state": 404,
            "/api/games/onyx/nothing": 404,
            "/api/invitations/nothing": 404,
            "/api/games/onyx/classic/rules?rescue=maybe": 400,
            "/api/games/onyx/classic/rules?nothing=1": 400,
        }.items():
            answer = anna.http.get(path)
            assert answer.status_code == status, path
            assert answer.json()["sentence"]
        match = anna.post("/api/matches", game="mini/3x3", opponent="hot-seat")["match"]
        for query in ("since=-1", "since=x", "since=99999999999", "wait_s=1000", "as=nobody", "as=x" * 9):
            answer = anna.http.get(f"/api/matches/{match}/state?{query}")
            assert answer.status_code == 400, query
            assert answer.json()["sentence"]
        assert anna.http.delete("/api/visitor").status_code == 405
        assert anna.get(f"/api/matches/{match}/replay", 403)["code"] == "hidden"


def test_too_large(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        answer = anna.http.post(
            "/api/guests", content=b" " * 20_000, headers={"content-type": "application/json"}
        )
        assert (answer.status_code, answer.json()["code"]) == (413, "too-large")

        def endless() -> Iterator[bytes]:
            for _ in range(30):
                yield b" " * 1000

        answer = anna.http.post(
            "/api/guests", content=endless(), headers={"content-type": "application/json"}
        )
        assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_cross_site_requests_are_refused(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        answer = anna.http.post(
            "/api/guests", json={"name": "Eve"}, headers={"origin": "https://elsewhere.example"}
        )
        assert (answer.status_code, answer.json()["code"]) == (403, "cross-site")
        own = anna.http.post("/api/guests", json={"name": "Anna"}, headers={"origin": served.url})
        assert own.status_code == 200


def test_out_of_order(served: Served) -> None:
    anna, ben, match = friends(served, GAME)
    with anna, ben:
        early = anna.post(f"/api/matches/{match}/act", 409, number=1, text="a3-a4")
        assert early["code"] == "not-started"
        assert anna.post(f"/api/matches/{match}/rematch", 409)["code"] == "not-over"
        seal_both(anna, ben, match, GAME)
        choice = anna.state(match)["choices"][0]
        assert anna.post(f"/api/matches/{match}/setup", 409, code="F")["code"] == "started"
        assert ben.post(f"/api/matches/{match}/act", 409, number=3, text="a6-a5")["code"] == "not-your-turn"
        stale = anna.post(f"/api/matches/{match}/act", 409, number=2, action=choice["action"])
        assert stale == {
            "what": "refused",
            "code": "stale-number",
            "sentence": "The next number is 3, not 2; look at the position again.",
            "reply_to": "",
            "retry_after_s": None,
        }
        anna.post(f"/api/matches/{match}/act", number=3, action=choice["action"])
        twice = anna.post(f"/api/matches/{match}/act", 409, number=3, action=choice["action"])
        assert twice["code"] == "not-your-turn"
        assert anna.post(f"/api/matches/{match}/draw/answer", 409, accepts=True)["code"] == "no-offer"


def test_bad_socket_messages(served: Served) -> None:
    anna, ben, match = friends(served, GAME)
    with anna, ben:
        seal_both(anna, ben, match, GAME)
        with anna.socket(match) as socket:
            socket.until("state")
            rng = Random(1)
            for body in [*BAD_BODIES, *(rng.randbytes(40) for _ in range(20))]:
                socket.raw.send(body if rng.random() < 0.5 else body.decode("latin-1"))
                assert socket.hear()["what"] == "refused"
            for request in (
                {"do": "act", "number": 0, "text": "a1-a2", "id": "q"},
                {"do": "look", "viewer": "north"},
            ):
                socket.raw.send(json.dumps(request))
                assert socket.hear()["sentence"]
            socket.send(do="ping", id="p")
            assert socket.hear() == {"what": "pong", "reply_to": "p"}
            socket.raw.send("x" * 20_000)
            with pytest.raises(ConnectionClosed):
                hear_all(socket)
        with anna.socket("nothing") as socket:
            assert socket.hear()["code"] == "not-found"
        with anna.socket(match, as_="nobody") as socket:
            assert socket.hear()["code"] == "unknown-seat"
        assert anna.state(match)["number"] == 3


def test_bytes_that_are_not_http(served: Served) -> None:
    for data in (
        b"\x00\x01\x02\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/guests HTTP/1.1\r\ncontent-length: x\r\n\r\n",
    ):
        with raw_sockets.create_connection(("127.0.0.1", served.port), timeout=10) as raw:
            raw.sendall(data)
            raw.recv(1000)
    with Guest(served) as guest:
        assert guest.get("/health")["status"] == "ok"


def test_too_many_and_too_slow_requests(tmp_path: Path) -> None:
    settings = {
        "requests_per_s": "5",
        "requests_at_once": "20",
        "body_timeout_s": "0.5",
        "guests_per_hour": "2",
    }
    with serving(tmp_path, **settings) as served, Guest(served, "Anna") as anna:
        with raw_sockets.create_connection(("127.0.0.1", served.port), timeout=10) as raw:
            head = f"POST /api/guests HTTP/1.1\r\nhost: 127.0.0.1:{served.port}\r\n"
            raw.sendall(f"{head}content-type: application/json\r\ncontent-length: 50\r\n\r\n{{".encode())
            assert b" 408 " in raw.recv(2000)
        match = anna.post("/api/matches", game="mini/3x3", opponent="hot-seat")["match"]
        with Guest(served, "Ben"), Guest(served) as third:
            assert third.post("/api/guests", 429, name="Carla")["code"] == "too-many"
        with anna.socket(match, as_="south") as socket:
            for _ in range(100):
                socket.send(do="ping")
            with pytest.raises(ConnectionClosed):
                hear_all(socket)
            assert any('"too-many"' in text for text in socket.heard)
        answers = [anna.http.get("/api/me").status_code for _ in range(40)]
        assert 429 in answers
        assert anna.http.get("/health").status_code == 200
        log = served.log()
        assert served.stop() == 0
        assert "Traceback" not in log
