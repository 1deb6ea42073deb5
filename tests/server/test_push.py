"""Notifications: who is told what, on which device, and what a client cannot make the server do."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from flagfall.edition.clock import parse_clock
from flagfall.server.push.encryption import CURVE, PushKey, decode, encode, encrypt
from flagfall.server.push.services import PushServices
from flagfall.server.settings import Settings, SettingsError
from flagfall.server.store.match_store import FILE_NAME
from tests.server.push_service import Browser, PushService, claims, push_service
from tests.server.served import Guest, Served, friends, pick, seal_both, serving

GAME = "mini/3x3"
BY_DAY = {"clock": "3d"}
PUSH = "/api/push"


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with push_service() as running:
        yield running


@pytest.fixture(scope="module")
def server(service: PushService, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("push")
    constants = {"flagfall.server.push.sender.MAX_WAITING": 50}
    allowed = f"{service.origin}, *.push.example"
    with serving(folder, constants, push_services=allowed, grace_s="0", devices_per_hour="1000") as running:
        yield running
        assert "Traceback" not in running.log()


def with_device(guest: Guest, service: PushService, name: str) -> Browser:
    browser = service.browser(name)
    assert guest.post(PUSH, **browser.device)["devices"] >= 1
    return browser


def remove(guest: Guest, endpoint: str) -> int:
    answer = guest.http.request("DELETE", PUSH, json={"endpoint": endpoint})
    assert answer.status_code == 200, answer.text
    return int(answer.json()["devices"])


def move(guest: Guest, match: str) -> None:
    state = guest.state(match)
    choice = pick(state, Random(1))
    guest.post(f"/api/matches/{match}/act", number=state["number"], action=choice["action"])


# ---------------------------------------------------------------------- who is told what


def test_people_who_are_away_are_told_each_step_of_a_game(server: Served, service: PushService) -> None:
    anna, ben = Guest(server, "Anna"), Guest(server, "Ben")
    made = anna.post("/api/matches", game=GAME, opponent="friend", side="south", options=BY_DAY)
    match = made["match"]
    hers, his = with_device(anna, service, "hers"), with_device(ben, service, "his")
    ben.post(f"/api/invitations/{made['invitation']}")
    told, headers = service.next(hers)
    assert (told["title"], told["match"], told["waiting"]) == ("Ben has joined your game", match, 0)
    box = told["text"].removesuffix("Set up your army.")
    assert headers["content-encoding"] == "aes128gcm"
    assert match not in json.dumps(headers)
    signed = claims(headers["authorization"], anna.get(PUSH)["key"])
    assert signed["aud"] == service.origin
    assert 0 < signed["exp"] - time.time() <= 86_400
    topic = headers["topic"]
    ben.post(f"/api/matches/{match}/setup", code=ben.code(GAME, "north"))
    assert service.next(hers)[0]["title"] == "Ben is ready"
    anna.post(f"/api/matches/{match}/setup", code=anna.code(GAME, "south"))
    told, headers = service.next(hers)
    assert told == {
        "title": "Your turn against Ben",
        "text": f"{box}You have 3 days.",
        "match": match,
        "waiting": 1,
    }
    assert headers["topic"] == topic
    assert 0 < int(headers["ttl"]) <= 3 * 86_400
    anna.post(f"/api/matches/{match}/draw")
    assert service.next(his)[0]["title"] == "Anna offers a draw"
    ben.post(f"/api/matches/{match}/draw/answer", accepts=False)
    ben.post(f"/api/matches/{match}/resign")
    told, _ = service.next(hers)
    assert told == {
        "title": "Your game against Ben is over",
        "text": f"{box}You won: Ben resigned.",
        "match": match,
        "waiting": 0,
    }
    assert service.arrived.empty()


def test_each_device_is_told_in_the_language_in_which_it_subscribed(
    server: Served, service: PushService
) -> None:
    anna, ben, match = friends(server, GAME, BY_DAY)
    anna.http.headers["accept-language"] = "de"
    hers = with_device(anna, service, "german")
    ben.http.headers["accept-language"] = "fr"
    seal_both(anna, ben, match, GAME)
    told, _ = service.next(hers)
    while told["waiting"] == 0:
        told, _ = service.next(hers)
    assert "3 Tage" in told["text"]
    remove(anna, hers.device["endpoint"])


def test_a_player_with_the_match_open_is_not_told(server: Served, service: PushService) -> None:
    anna, ben, match = friends(server, GAME, BY_DAY)
    hers, his = with_device(anna, service, "open-hers"), with_device(ben, service, "open-his")
    with anna.socket(match) as socket:
        socket.hear()
        seal_both(anna, ben, match, GAME)
        assert service.next(his)[0]["title"] == "Anna is ready"
        anna.post(f"/api/matches/{match}/resign")
        assert service.next(his)[0]["title"] == "Your game against Anna is over"
    assert service.arrived.empty()
    assert remove(anna, hers.endpoint) == remove(ben, his.endpoint) == 0


def test_a_game_against_the_computer_tells_nobody(server: Served, service: PushService) -> None:
    anna = Guest(server, "Anna")
    with_device(anna, service, "alone")
    match = anna.post("/api/matches", game=GAME, opponent="computer", level="random", side="south")["match"]
    anna.post(f"/api/matches/{match}/setup", code=anna.code(GAME, "south"))
    number = anna.state(match)["number"]
    while anna.state(match, since=number, wait_s=20)["to_move"] != "south":
        pass
    anna.post(f"/api/matches/{match}/resign")
    assert service.arrived.empty()


def test_the_same_message_is_sent_whatever_is_hidden(server: Served, service: PushService) -> None:
    texts = []
    for index, is_shuffled in enumerate((False, True)):
        anna, ben, match = friends(server, GAME)
        his = with_device(ben, service, f"twin-{index}")
        shuffled = anna.post(f"/api/games/{GAME}/setup", side="south", shuffle=True)["code"]
        anna.post(f"/api/matches/{match}/setup", code=shuffled if is_shuffled else anna.code(GAME, "south"))
        told, _ = service.next(his)
        texts.append(told | {"match": ""})
        assert remove(ben, his.endpoint) == 0
    assert texts[0] == texts[1]


# ---------------------------------------------------------------------- devices


def test_a_device_that_is_gone_is_forgotten(server: Served, service: PushService) -> None:
    anna, ben, match = friends(server, GAME)
    browser = with_device(anna, service, "gone")
    service.answers["/gone"] = 410
    ben.post(f"/api/matches/{match}/setup", code=ben.code(GAME, "north"))
    service.next(browser)
    end = time.monotonic() + 30
    while anna.get(PUSH)["devices"]:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_redirect_is_not_followed(server: Served, service: PushService) -> None:
    anna, ben, match = friends(server, GAME)
    browser = with_device(anna, service, "moved")
    service.answers["/moved"] = 307
    ben.post(f"/api/matches/{match}/setup", code=ben.code(GAME, "north"))
    service.next(browser)
    ben.post(f"/api/matches/{match}/abort")
    assert service.next(browser)[0]["title"] == "Ben has cancelled your game"
    assert service.arrived.empty()


def test_a_slow_push_service_delays_no_move(server: Served, service: PushService) -> None:
    anna, ben, match = friends(server, GAME)
    browser = with_device(anna, service, "slow")
    service.held["/slow"] = threading.Event()
    ben.post(f"/api/matches/{match}/setup", code=ben.code(GAME, "north"))
    service.next(browser)  # its answer is still held back
    anna.post(f"/api/matches/{match}/setup", code=anna.code(GAME, "south"))
    move(anna, match)
    assert ben.state(match)["to_move"] == "north"
    service.held["/slow"].set()
    assert remove(anna, browser.endpoint) == 0


def test_a_guest_has_five_devices_and_the_oldest_is_replaced(server: Served, service: PushService) -> None:
    anna = Guest(server, "Anna")
    devices = [with_device(anna, service, f"many-{index}") for index in range(6)]
    assert anna.post(PUSH, **devices[-1].device)["devices"] == 5
    assert remove(anna, devices[0].endpoint) == 5  # it was replaced
    assert remove(anna, devices[1].endpoint) == 4


def test_a_stranger_cannot_take_or_remove_a_device(server: Served, service: PushService) -> None:
    anna, ben = Guest(server, "Anna"), Guest(server, "Ben")
    browser = with_device(anna, service, "mine")
    forged = service.browser("mine")  # the address is known, the keys are not
    assert ben.post(PUSH, 409, **forged.device)["code"] == "taken"
    assert remove(ben, browser.endpoint) == 0
    assert anna.get(PUSH)["devices"] == 1
    # the same browser under another name: the device follows
    assert ben.post(PUSH, **browser.device)["devices"] == 1
    assert anna.get(PUSH)["devices"] == 0
    assert Guest(server).get(PUSH, 401)["code"] == "no-guest"


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://a.push.example/x",
        "https://push.example/x",
        "https://a.push.example:8443/x",
        "https://a.push.example@127.0.0.1/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://a.push.example\\@localhost/x",
        "https://a.push.example/x\r\nHost: localhost",
        "https://a.push.example#@localhost/x",
        "https://evil-push.example/x",
        "file:///etc/passwd",
        "https://a.push.example/" + "x" * 980,
    ],
)
def test_an_address_that_is_not_of_an_allowed_service_is_refused(server: Served, endpoint: str) -> None:
    anna = Guest(server, "Anna")
    device = Browser(endpoint).device
    assert anna.http.post(PUSH, json=device).status_code in (400, 409)
    assert anna.get(PUSH)["devices"] == 0


def test_keys_that_are_none_are_refused(server: Served, service: PushService) -> None:
    anna = Guest(server, "Anna")
    device = service.browser("keys").device
    for wrong in (
        {"p256dh": encode(b"\x04" + bytes(64))},
        {"p256dh": "é"},
        {"auth": "AA"},
        {"auth": "=" * 20},
    ):
        assert anna.post(PUSH, 400, **(device | wrong))["code"] == "malformed"


def test_deleting_everything_deletes_devices_and_the_log_has_no_address(
    server: Served, service: PushService
) -> None:
    anna = Guest(server, "Anna")
    with_device(anna, service, "deleted-secret")
    guest = anna.get("/api/me")["id"]
    answer = anna.http.request("DELETE", "/api/me", json={"guest": guest})
    assert answer.status_code == 200, answer.text
    with sqlite3.connect(server.folder / FILE_NAME) as database:
        query = "SELECT count(*) FROM push_subscriptions WHERE endpoint LIKE '%deleted-secret'"
        assert database.execute(query).fetchone() == (0,)
    log = server.log()
    assert "deleted-secret" not in log
    assert "/moved" not in log


def test_the_key_outlives_a_restart_and_is_not_sent(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        anna = Guest(server, "Anna")
        key = anna.get(PUSH)["key"]
        server.stop()
        assert (tmp_path / FILE_NAME).stat().st_mode & 0o077 == 0
        server.start()
        again = Guest(server, "Ben").get(PUSH)
        assert again == {"key": key, "devices": 0, "waiting": 0}


def test_a_server_without_push_services_sends_nothing(tmp_path: Path) -> None:
    with serving(tmp_path, push_services="") as server:
        anna = Guest(server, "Anna")
        assert anna.get(PUSH)["key"] == ""
        assert anna.post(PUSH, 409, **Browser("https://a.push.example/x").device)["code"] == "no-push"


# ---------------------------------------------------------------------- games by day


def test_a_game_by_day_is_dropped_from_memory_and_its_flag_falls_all_the_same(tmp_path: Path) -> None:
    constants = {"flagfall.server.sessions.registry.EVICT_EVERY_S": 0.05}
    with serving(tmp_path, constants, keep_idle_s="0", grace_s="0") as server:
        anna, ben, match = friends(server, GAME, {"clock": "1d"})
        seal_both(anna, ben, match, GAME)
        assert ben.state(match)["clocks"]["running"] == "south"
        server.stop()
        day_ms = 86_400_000
        with sqlite3.connect(tmp_path / FILE_NAME) as database:
            for number, text in database.execute("SELECT number, entry FROM log").fetchall():
                entry = json.loads(text) | {"at_ms": json.loads(text)["at_ms"] - day_ms}
                database.execute("UPDATE log SET entry = ? WHERE number = ?", (json.dumps(entry), number))
            database.execute("UPDATE matches SET falls_at_ms = falls_at_ms - ?", (day_ms,))
        server.start()
        end = time.monotonic() + 30
        while ben.get("/api/me/matches")["matches"][0]["phase"] != "over":
            assert time.monotonic() < end
            time.sleep(0.01)
        assert ben.get("/api/me/matches")["matches"][0]["result"] == {"winner": "north", "reason": "time"}


def test_which_clocks_are_by_day() -> None:
    by_day = [
        clock
        for clock in ("none", "24h", "10m+5s", "23h/move", "24h/move", "1d", "3d")
        if parse_clock(clock).is_by_day
    ]
    assert by_day == ["24h/move", "1d", "3d"]


# ---------------------------------------------------------------------- cryptography


def test_a_text_is_encrypted_as_in_the_example_of_the_standard() -> None:
    """The example of RFC 8291, section 5."""
    private = ec.derive_private_key(
        int.from_bytes(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", 32), "big"), CURVE
    )
    browser = decode(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", 65
    )
    text = b"When I grow up, I want to be a watermelon\x02"
    body = encrypt(
        text, browser, decode("BTBZMqHH6r4Tts7J_aSIgg", 16), private, decode("DGv6ra1nlYgDCS1FRnbzlw", 16)
    )
    assert encode(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
        "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_token_is_used_for_hours_and_then_replaced() -> None:
    key = PushKey(ec.generate_private_key(CURVE))
    first = key.authorization("https://a.example", 1_000_000)
    assert key.authorization("https://a.example", 1_000_000 + 10 * 3600) == first
    assert key.authorization("https://a.example", 1_000_000 + 12 * 3600) != first
    assert key.authorization("https://b.example", 1_000_000) != first


def test_only_the_listed_services_are_allowed() -> None:
    usual = PushServices(Settings().push_service_names)
    for endpoint in (
        "https://fcm.googleapis.com/fcm/send/abc:APA91b_-",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
        "https://web.push.apple.com/QGuQ",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%2b",
    ):
        assert usual.is_allowed(endpoint)
    assert not usual.is_allowed("https://googleapis.com/x")
    with pytest.raises(SettingsError):
        Settings(push_services="a b")
    with pytest.raises(SettingsError):
        Settings(push_contact="me")
