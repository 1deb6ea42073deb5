"""Limits of a running server: sizes, rates, host names, origins and cookies."""

from __future__ import annotations

import contextlib
import json
import socket as raw_sockets
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from flagfall.server.errors import RequestError
from flagfall.server.middleware.limits import Hosts, host_name
from flagfall.server.settings import Settings
from tests.server.served import Guest, Served, friends, serving

BACKSLASHES = 'flagfall_guest="' + "\\" * 15_000 + '"'
"""seconds of work for the cookie parser of Pythons before 3.11.10 (CVE-2024-7592)"""
PROXY = {"trusted_proxies": "127.0.0.1"}


@pytest.fixture(scope="module")
def tight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with small limits, behind a proxy that names the client's address."""
    limits = {
        "requests_per_s": "0.01",
        "requests_at_once": "20",
        "address_factor": "2",
        "guests_per_hour": "3",
        "matches_per_hour": "4",
        "computer_games_per_hour": "1",
        "invitations_per_hour": "2",
        "sockets_per_minute": "3",
    }
    with serving(tmp_path_factory.mktemp("tight"), **limits, **PROXY) as served:
        yield served


def at(guest: Guest, address: str) -> Guest:
    guest.http.headers["x-forwarded-for"] = address
    return guest


def raw_answer(served: Served, data: bytes) -> bytes:
    """Return what the server sends until it closes or pauses."""
    received = b""
    with raw_sockets.create_connection(("127.0.0.1", served.port), timeout=10) as raw:
        with contextlib.suppress(ConnectionError):
            raw.sendall(data)
        with contextlib.suppress(ConnectionError, TimeoutError):
            while data := raw.recv(65_536):
                received += data
                if b'"reply_to"' in received:
                    break
    return received


# ------------------------------------------------------------------ headers


@pytest.mark.parametrize("path", ["/api/me", "/api/games", "/health", "/", "/api/matches/x/socket"])
def test_a_cookie_of_backslashes_costs_nothing(served: Served, path: str) -> None:
    """The cookie is refused for its length or read, but never by a parser of quoted cookies."""
    upgrade = {
        "connection": "upgrade",
        "upgrade": "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    for cookie, statuses in ((BACKSLASHES, {431}), (BACKSLASHES[:7_000] + '"', {200, 401, 404, 503, 101})):
        headers = {"cookie": cookie, **(upgrade if path.endswith("socket") else {})}
        began = time.process_time(), time.monotonic()
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{lines}connection: close\r\n\r\n"
        if path.endswith("socket"):
            head = head.replace("connection: close\r\n", "")
        answer = raw_answer(served, head.encode())
        assert int(answer.split()[1]) in statuses, answer[:200]
        if statuses == {431}:
            assert b"delete cookies of this site" in answer
        assert time.monotonic() - began[1] < 8


def test_too_many_and_too_long_headers(served: Served) -> None:
    with Guest(served) as guest:
        many = guest.http.get("/api/games", headers={f"x-{number}": "1" for number in range(120)})
        long = guest.http.get("/api/games", headers={"x-long": "y" * 16_000, "x-more": "y" * 300})
        path = guest.http.get("/api/games?" + "z" * 16_300)
        for answer in (many, long, path):
            assert (answer.status_code, answer.json()["code"]) == (431, "headers-too-large")
        assert guest.http.get("/api/games", headers={"x-long": "y" * 8_000}).status_code == 200
    endless = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-endless: " + b"y" * 100_000
    raw = raw_answer(served, endless)
    assert raw.startswith(b"HTTP/1.1 431 ")
    assert json.loads(raw.partition(b"\r\n\r\n")[2])["code"] == "headers-too-large"


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"POST /api/matches/x/socket HTTP/1.1\r\n", 400),
        (b"GET /api/matches/x/socket HTTP/1.1\r\nx-long: " + b"y" * 9_000 + b"\r\n", 400),
        (b"GET /api/matches/x/socket HTTP/1.1\r\n" + b"x: y\r\n" * 200, 431),
    ],
    ids=["not GET", "a long line", "many headers"],
)
def test_sockets_have_the_same_limits(served: Served, head: bytes, status: int) -> None:
    upgrade = b"host: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    answer = raw_answer(served, head + upgrade + b"\r\n")
    assert int(answer.split()[1]) == status, answer[:300]
    assert "Traceback" not in served.log()


# ------------------------------------------------------------------ rates


def test_forged_cookies_do_not_multiply_the_limit(tight: Served) -> None:
    with at(Guest(tight), "203.0.113.1") as stranger:
        answers = [
            stranger.http.get("/api/me", headers={"cookie": f"flagfall_guest={number}"})
            for number in range(60)
        ]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) == 20, "forty for the address, whatever the cookies say"
    assert int(refused[0].headers["retry-after"]) >= 1
    assert "wait" in refused[0].json()["sentence"]
    assert httpx.get(f"{tight.url}/health").status_code == 200


def test_a_guest_has_a_limit_at_every_address(tight: Served) -> None:
    with at(Guest(tight), "203.0.113.2") as anna:
        anna.post("/api/guests", name="Anna")
        for number in range(20):
            at(anna, f"198.51.100.{number}").get("/api/me")
        answer = at(anna, "198.51.100.99").http.get("/api/me")
        assert (answer.status_code, answer.json()["code"]) == (429, "too-many")
        with at(Guest(tight), "203.0.113.2") as ben:
            ben.post("/api/guests", name="Ben")
            ben.get("/api/me")


def test_new_guests_are_counted_by_address(tight: Served) -> None:
    with Guest(tight) as guest:
        for number in range(6):
            guest.http.cookies.clear()
            at(guest, f"2001:db8:7:7::{number}")
            answer = guest.http.post("/api/guests", json={"name": "Anna"})
            assert answer.status_code == (200 if number < 3 else 429), "all of a /64 are one address"
        assert int(answer.headers["retry-after"]) > 1000
        assert "minutes" in answer.json()["sentence"]
        at(guest, "2001:db8:7:8::1").post("/api/guests", name="Anna")


def test_a_refused_name_costs_no_new_guest(tight: Served) -> None:
    with at(Guest(tight), "203.0.113.3") as guest:
        for _ in range(5):
            guest.post("/api/guests", 400, name="Computer (Marshal)")
        guest.post("/api/guests", name="Anna")


@pytest.mark.parametrize(
    ("opponent", "allowed", "sentence"),
    [
        ("computer", 1, "games against the computer"),
        ("friend", 2, "invitations"),
        ("lobby", 2, "invitations"),
        ("hot-seat", 4, "games"),
    ],
)
def test_new_matches_are_counted_by_opponent(
    tight: Served, opponent: str, allowed: int, sentence: str
) -> None:
    with at(Guest(tight), f"203.0.113.{20 + len(opponent)}") as anna:
        anna.post("/api/guests", name="Anna")
        request = {"game": "mini/3x3", "opponent": opponent, "level": "random"}
        answers = [anna.http.post("/api/matches", json=request) for _ in range(allowed + 1)]
        assert [answer.status_code for answer in answers] == [200] * allowed + [429]
        assert sentence in answers[-1].json()["sentence"]
        assert int(answers[-1].headers["retry-after"]) > 60


def test_rematches_are_new_matches(tmp_path: Path) -> None:
    with serving(tmp_path, matches_per_hour="2") as served, Guest(served, "Anna") as anna:
        match = anna.post("/api/matches", game="mini/3x3", opponent="hot-seat")["match"]
        for status in (200, 429):
            for side in ("south", "north"):
                anna.post(f"/api/matches/{match}/setup", seat=side, code=anna.code("mini/3x3", side))
            anna.post(f"/api/matches/{match}/resign", seat="south")
            again = anna.post(f"/api/matches/{match}/rematch", status, seat="south")
            match = again["rematch"]["match"] if status == 200 else match
        with anna.socket(match, as_="south") as socket:
            socket.until("state")
            socket.send(do="rematch", seat="south", id="r")
            assert (refused := socket.hear())["code"] == "too-many", refused


def test_new_sockets_and_messages_are_counted(tight: Served) -> None:
    with at(Guest(tight), "203.0.113.50") as anna:
        anna.post("/api/guests", name="Anna")
        match = anna.post("/api/matches", game="mini/3x3", opponent="hot-seat")["match"]
        cookie = "; ".join(f"{name}={value}" for name, value in anna.http.cookies.items())
        address = f"ws://127.0.0.1:{tight.port}/api/matches/{match}/socket?as=south"
        heard = []
        for number in range(4):
            headers = {"Cookie": cookie, "X-Forwarded-For": f"203.0.113.{60 + number}"}
            with connect(address, additional_headers=headers) as socket:
                heard.append(json.loads(socket.recv(30)))
                if number == 0:
                    for _ in range(21):
                        socket.send('{"do": "ping"}')
                    answers = [json.loads(socket.recv(30)) for _ in range(21)]
                    assert [answer["what"] for answer in answers] == ["pong"] * 20 + ["refused"]
                if number == 1:
                    socket.send('{"do": "ping"}')
                    assert json.loads(socket.recv(30))["code"] == "too-many", "a new socket is no new limit"
        assert [message["what"] for message in heard] == ["state"] * 3 + ["refused"]


def test_forwarding_headers_are_ignored_without_a_trusted_proxy(tmp_path: Path) -> None:
    with serving(tmp_path, guests_per_hour="2") as served, Guest(served) as guest:
        for number in range(4):
            guest.http.cookies.clear()
            at(guest, f"203.0.113.{number}")
            answer = guest.http.post("/api/guests", json={"name": "Anna"})
            assert answer.status_code == (200 if number < 2 else 429)


# ------------------------------------------------------------------ hosts and origins


@pytest.mark.parametrize(
    "host",
    ["localhost:8000", "127.0.0.1", "[::1]:80", "192.168.1.5:8000", "mypc", "mypc.local", "nas.lan", ""],
)
def test_local_host_names_are_accepted(host: str) -> None:
    Hosts(Settings()).check(host)


@pytest.mark.parametrize("host", ["attacker.example", "127.0.0.1.attacker.example", "localhost.attacker.io"])
def test_foreign_host_names_are_refused(served: Served, host: str) -> None:
    with pytest.raises(RequestError):
        Hosts(Settings()).check(host)
    with Guest(served) as guest:
        answer = guest.http.get("/api/games", headers={"host": host})
        assert (answer.status_code, answer.json()["code"]) == (421, "unknown-host")
        assert host not in answer.text
    with pytest.raises(InvalidStatus):
        connect(f"ws://127.0.0.1:{served.port}/api/matches/x/socket", additional_headers={"Host": host})


def test_named_hosts() -> None:
    hosts = Hosts(Settings(hosts="Play.example.org, *.club.example"))
    for host in ("play.example.org:443", "PLAY.example.org.", "a.club.example", "localhost", "127.0.0.1:80"):
        hosts.check(host)
    for host in ("example.org", "club.example", "192.168.1.5", "mypc", "evil-club.example"):
        with pytest.raises(RequestError):
            hosts.check(host)
    Hosts(Settings(hosts="*")).check("anything.example")
    assert host_name("[2001:db8::1]:80") == "2001:db8::1"


@pytest.mark.parametrize(
    ("origin", "host", "scheme", "status"),
    [
        ("https://play.example", "play.example", "https", 200),
        ("https://play.example", "play.example:443", "https", 200),
        ("http://play.example", "play.example", "https", 403),
        ("https://play.example:8443", "play.example", "https", 403),
        ("https://evil.example", "play.example", "https", 403),
        ("null", "play.example", "https", 403),
        ("https://play.example", "play.example", "", 200),
    ],
)
def test_origins_behind_a_proxy(proxied: Served, origin: str, host: str, scheme: str, status: int) -> None:
    headers = {"origin": origin, "host": host} | ({"x-forwarded-proto": scheme} if scheme else {})
    answer = httpx.post(f"{proxied.url}/api/guests", json={"name": "Anna"}, headers=headers)
    assert answer.status_code == status


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server behind a TLS proxy."""
    folder = tmp_path_factory.mktemp("proxied")
    with serving(folder, hosts="play.example", https_only="1", **PROXY) as served:
        yield served


def test_https_only(proxied: Served) -> None:
    headers = {"host": "play.example"}
    answer = httpx.post(f"{proxied.url}/api/guests", json={"name": "Anna"}, headers=headers)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-flagfall_guest=")
    for part in ("Secure", "HttpOnly", "Path=/", "SameSite=lax"):
        assert part in cookie
    assert "domain" not in cookie.lower()
    assert answer.headers["strict-transport-security"] == "max-age=31536000"
    token = cookie.partition(";")[0].partition("=")[2]
    new = httpx.get(f"{proxied.url}/api/me", headers=headers | {"cookie": f"__Host-flagfall_guest={token}"})
    assert (new.status_code, "set-cookie" in new.headers) == (200, False)
    old = httpx.get(f"{proxied.url}/api/me", headers=headers | {"cookie": f"flagfall_guest={token}"})
    assert old.status_code == 200, "nobody is logged out by the new name"
    given = old.headers.get_list("set-cookie")
    assert given[0].startswith(f"__Host-flagfall_guest={token};")
    assert given[1].startswith('flagfall_guest="";')


def test_no_hsts_over_http(served: Served) -> None:
    assert "strict-transport-security" not in httpx.get(f"{served.url}/health").headers


# ------------------------------------------------------------------ logs


def test_requests_cannot_inject_log_lines(served: Served) -> None:
    with Guest(served) as guest:
        for path in ("/%0d%0aforged%20line", "/api/%1b%5b31mforged", "/forged" + "x" * 9_000):
            guest.http.get(path, headers={"accept": "application/json"})
        guest.http.request("FORGED" + "X" * 5_000, "/api/me")
    assert "forged" not in served.log().lower()
    assert max(map(len, served.log().splitlines())) < 1_000


def test_ordinary_requests_are_still_served(served: Served) -> None:
    anna, ben, match = friends(served, "mini/3x3")
    assert anna.state(match)["phase"] == ben.state(match)["phase"] == "setup"


@pytest.mark.parametrize("host", ["[x]evil.com", "localhost:80@evil.com", "[::1", "a b", ""])
def test_an_invalid_host_has_no_name(host: str) -> None:
    assert host_name(host) == ""
