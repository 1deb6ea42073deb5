"""Banned guests, addresses and networks are not served."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from flagfall.server.errors import RequestError
from flagfall.server.middleware.bans import BanError, Bans, network_of
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.settings import Settings
from flagfall.server.store.database import NotReadError
from flagfall.server.store.match_store import FILE_NAME, MatchStore
from flagfall.server.store.rows import BanRow
from flagfall.server.workers import Workers
from tests.cli.run import one_sentence
from tests.server.admin.data_folder import SOON_S, DataFolder, soon, until_message
from tests.server.admin.operator import Operator
from tests.server.served import Guest, serving


def test_a_banned_guest_is_not_served(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    with serving(kept.folder) as served:
        anna, ben = kept.guests(served)
        guest = kept.rows("SELECT north FROM matches WHERE id = ?", kept.running)[0][0]
        with anna.socket(kept.running) as south, ben.socket(kept.running) as north:
            south.until("state")
            north.until("state")
            admin.facts(kept.folder, "ban", guest, "--for", "7d", "--reason", "between us")
            refused = until_message(north, "refused")
            assert refused["code"] == "banned"
            assert "until 2" in refused["sentence"]
            assert "between us" not in refused["sentence"]
            with pytest.raises(ConnectionClosed):
                north.hear(SOON_S)
            south.send(do="ping", id="1")
            assert until_message(south, "pong")
        assert ben.get("/api/me", 403)["code"] == "banned"
        assert ben.post(f"/api/matches/{kept.running}/resign", 403)["code"] == "banned"
        with ben.socket(kept.running) as socket:
            assert socket.hear()["code"] == "banned"
        anna.get("/api/me")
        served.stop()
        served.start()
        assert ben.get("/api/me", 403)["code"] == "banned", "also after a restart"
        assert [one["subject"] for one in admin.facts(kept.folder, "ban", "--list")] == [guest]
        admin.facts(kept.folder, "ban", guest, "--reason", "You know why", "--tell")
        soon(lambda: "You know why" in ben.http.get("/api/me").text)
        assert admin(kept.folder, "ban", "--list").code == 0
        admin.facts(kept.folder, "ban", "--lift", guest)
        soon(lambda: ben.http.get("/api/me").status_code == 200)
        admin.facts(kept.folder, "ban", guest, "--for", "4s")
        soon(lambda: ben.http.get("/api/me").status_code == 403)
        soon(lambda: ben.http.get("/api/me").status_code == 200)


def test_a_banned_address_is_not_served(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    with serving(kept.folder) as served:
        anna, _ = kept.guests(served)
        with anna.socket(kept.running) as south:
            south.until("state")
            assert admin(kept.folder, "ban", "127.0.0.0/8").code == 0
            assert until_message(south, "refused")["code"] == "banned"
        stranger = Guest(served)
        assert stranger.get("/api/games", 403)["code"] == "banned"
        assert stranger.http.get("/").status_code == 403
        assert stranger.post("/api/guests", 403, name="Eve")["code"] == "banned"
        assert stranger.get("/health")["status"] == stranger.get("/ready")["status"] == "ok"
        admin(kept.folder, "ban", "--lift", "127.0.0.0/8")
        soon(lambda: stranger.http.get("/api/games").status_code == 200)
        with anna.socket(kept.running) as south:
            south.until("state")


def test_behind_a_proxy_the_players_address_is_banned_and_not_the_proxys(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    kept = made.copy(tmp_path)
    assert admin(kept.folder, "ban", "203.0.113.9").code == 0
    assert admin(kept.folder, "ban", "2001:db8:1:2::9").code == 0
    with serving(kept.folder, trusted_proxies="127.0.0.1") as served, Guest(served) as guest:

        def answer(forwarded: str) -> int:
            headers = {"X-Forwarded-For": forwarded}
            return guest.http.get("/api/games", headers=headers).status_code

        assert answer("203.0.113.9") == answer("2001:db8:1:2:3::4") == 403
        assert answer("198.51.100.1, 203.0.113.9") == 403, "only what the proxy has added is believed"
        assert answer("203.0.113.9, 198.51.100.1") == answer("203.0.113.8") == 200


def test_bans_are_refused_with_a_sentence(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    for arguments, why in (
        (("nobody",), "no guest nobody"),
        (("0.0.0.0/0",), "too large"),
        (("::/0",), "too large"),
        (("192.0.2.1", "--for", "soon"), "such as 30m"),
        (("192.0.2.1", "--for", "0d"), "choose a span"),
        (("192.0.2.1", "--reason", "x" * 500), "at most"),
        (("192.0.2.1", "--tell"), "no reason to tell"),
        (("--lift", "192.0.2.1"), "is not banned"),
        ((), "Name a guest, address or network"),
        (("192.0.2.1", "--list"), "Name a guest, address or network"),
    ):
        assert why in one_sentence(admin(kept.folder, "ban", *arguments))
    assert admin.facts(kept.folder, "ban", "--list") == []


def test_addresses_are_banned_by_network() -> None:
    bans = Bans()
    rows = [
        BanRow(network_of(text) or "", "", 0, until)
        for text, until in (
            ("192.0.2.7", None),
            ("198.51.100.0/24", None),
            ("2001:db8:1:2::5", None),
            ("203.0.113.1", 1_000),
        )
    ]
    assert bans.load(rows)
    assert not bans.load(rows), "nothing has changed"
    refused = ("192.0.2.7", "::ffff:192.0.2.7", "198.51.100.255", "2001:db8:1:2:ffff::", "2001:db8:1:2::/64")
    for address in refused:
        with pytest.raises(RequestError, match="banned"):
            bans.refuse_address(address, 5_000)
    for address in ("192.0.2.8", "198.51.101.0", "2001:db8:1:3::5", "203.0.113.1", "", "testclient"):
        bans.refuse_address(address, 5_000)
    with pytest.raises(RequestError, match="until 1970-01-01 00:00 UTC"):
        bans.refuse_address("203.0.113.1", 999)
    with pytest.raises(BanError):
        network_of("1.2.3.4/1")
    bans.load([BanRow("0.0.0.0/0", "", 0, None), BanRow("guest", "", 0, None)])
    bans.refuse_address("192.0.2.7", 0)
    bans.refuse_guest(None, 0)
    with pytest.raises(RequestError):
        bans.refuse_guest("guest", 0)


def test_a_change_that_could_not_be_looked_at_is_looked_at_later(
    tmp_path: Path, made: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ban comes just when the database cannot be read: it takes effect as soon as it can."""
    kept = made.copy(tmp_path)
    monkeypatch.setattr("flagfall.server.sessions.registry.FOLLOW_EVERY_S", 0.05)

    async def history() -> None:
        store = MatchStore.open(kept.folder / FILE_NAME)
        registry = MatchRegistry(Settings(), store, Workers(1))
        await registry.follow_bans()
        registry.bans.refuse_guest("carla", 0)
        load, failures = store.bans, [NotReadError("x"), NotReadError("x")]

        async def fails() -> list[BanRow]:
            if failures:
                raise failures.pop()
            return await load()

        monkeypatch.setattr(store, "bans", fails)
        kept.execute("INSERT INTO bans VALUES ('carla', '', 0, NULL)")
        following = asyncio.create_task(registry.follow_database())
        async with asyncio.timeout(SOON_S):
            while not _is_banned(registry, "carla"):
                await asyncio.sleep(0.02)
        assert not failures
        following.cancel()
        await registry.close()

    asyncio.run(history())


def _is_banned(registry: MatchRegistry, guest: str) -> bool:
    try:
        registry.bans.refuse_guest(guest, 0)
    except RequestError:
        return True
    return False
