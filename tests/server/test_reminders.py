"""Reminders in games by day: in time, once for each turn, and for nobody whose game needs none."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from flagfall.edition import load_game, resolve
from flagfall.languages import use_language
from flagfall.match import Match, Seating
from flagfall.server.push.notices import Notice
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.sessions.reminders import remind
from flagfall.server.settings import Settings
from flagfall.server.store.match_store import FILE_NAME, MatchStore
from flagfall.server.store.rows import GuestRow, MatchRow, result_columns
from flagfall.server.workers import Workers
from tests.server.push_service import push_service
from tests.server.served import friends, seal_both, serving
from tests.server.test_match_store import _registry
from tests.server.test_push import with_device

GAME = "mini/3x3"
HOUR_MS = 3_600_000
BEN = GuestRow("ben", "Ben")


class Post:
    """A registry whose notices are collected instead of sent."""

    def __init__(self, registry: MatchRegistry) -> None:
        self.registry, self.told = registry, list[Notice]()

        def tell(notice: Notice) -> None:
            self.told.append(notice)

        registry.push.tell = tell  # type: ignore[method-assign]

    async def lay(self, left_h: float, clock: str = "1d", **more: Any) -> Match:
        """Store a match in which South has so many hours left."""
        game = load_game(GAME)
        limit_h = 24 * int(clock.removesuffix("d")) if clock.endswith("d") else 0.05
        begun = self.registry.now_ms() - int((limit_h - left_h) * HOUR_MS)
        match = Match.created(game, resolve(game, {"clock": clock}), Seating("Anna", "Ben"), begun)
        match.seal("south", "XsF", begun)
        match.seal("north", "FsX", begun)
        values: dict[str, Any] = {
            "id": f"match{len(more)}{left_h}{clock}",
            "game": GAME,
            "options": {"clock": clock},
            "opponent": "friend",
            "host": "anna",
            "host_side": "south",
            "south": "anna",
            "north": "ben",
            "south_name": "Anna",
            "north_name": "Ben",
            "seed": "",
            "created_ms": begun,
        }
        if more.pop("is_over", False):
            match.resign("south", begun + 1)
        row = MatchRow(**(values | result_columns(match) | more))
        await self.registry.store.add_match(row, match.log)
        return match

    async def reminded(self) -> list[str]:
        """Look for players to remind; return those who are."""
        await remind(self.registry)
        found = [notice.guest for notice in self.told if notice.title == "reminder"]
        self.told.clear()
        return found


def run(history: Callable[[Post], Awaitable[None]], folder: Path) -> None:
    """Run something on a registry with two guests."""

    async def work() -> None:
        registry = await _registry(folder)
        await registry.store.add_guest(BEN, "other", 0)
        try:
            await history(Post(registry))
        finally:
            await registry.close()

    asyncio.run(work())


def test_a_player_is_reminded_once_whatever_restarts_and_whoever_looks(tmp_path: Path) -> None:
    async def history(post: Post) -> None:
        await post.lay(5.5)
        store = MatchStore.open(tmp_path / "box.sqlite3")
        other = Post(MatchRegistry(Settings(), store, Workers(1)))
        both = await asyncio.gather(post.reminded(), other.reminded())
        assert sorted(both) == [[], ["anna"]]
        assert await post.reminded() == []
        await other.registry.close()
        again = Post(MatchRegistry(Settings(), MatchStore.open(tmp_path / "box.sqlite3"), Workers(1)))
        assert await again.reminded() == []
        await again.registry.close()

    run(history, tmp_path)


def test_each_turn_has_its_own_reminder(tmp_path: Path) -> None:
    async def history(post: Post) -> None:
        await post.lay(5.5)
        assert await post.reminded() == ["anna"]
        (row,) = await post.registry.store.matches_of("anna", 5)
        session = await post.registry.session(row.id)
        await session.execute(lambda match, now: match.act("south", None, match.view("south").legal[0], now))
        assert await post.reminded() == []
        later = post.registry.now_ms() + 19 * HOUR_MS
        post.registry.now_ms = lambda: later  # type: ignore[method-assign]
        assert await post.reminded() == ["ben"]

    run(history, tmp_path)


@pytest.mark.parametrize(
    "match",
    [
        {"left_h": 7.0},
        {"left_h": 5.0, "is_over": True},
        {"left_h": 0.04, "clock": "3m/move"},
        {"left_h": 5.0, "opponent": "computer", "north": None, "north_level": "recruit"},
        {"left_h": -1.0},
    ],
    ids=["much time", "over", "a quick game", "against the computer", "too late"],
)
def test_who_needs_no_reminder_gets_none(match: dict[str, Any], tmp_path: Path) -> None:
    async def history(post: Post) -> None:
        await post.lay(**match)
        await post.lay(5.5, "3d")
        assert await post.reminded() == ["anna"]
        assert await post.registry.store.note_reminder("match05.53d", 0) is False

    run(history, tmp_path)


def test_a_player_who_looks_at_the_match_is_reminded_when_they_have_gone(tmp_path: Path) -> None:
    async def history(post: Post) -> None:
        await post.lay(5.5)
        post.registry.presence = lambda *_: "here"  # type: ignore[method-assign]
        assert await post.reminded() == []
        post.registry.presence = lambda *_: "away"  # type: ignore[method-assign]
        assert await post.reminded() == ["anna"]

    run(history, tmp_path)


def test_the_text_names_the_opponent_the_game_and_the_time_and_nothing_else(tmp_path: Path) -> None:
    async def history(post: Post) -> None:
        words = {}
        for left_h in (5.5, 0.5):
            await post.lay(left_h)
            await remind(post.registry)
            words[left_h] = post.told.pop().words()
        title = "Your time against Ben is running out"
        assert words[5.5] == (title, "Mini: Three by three. You have less than 6 hours left.")
        assert words[0.5] == (title, "Mini: Three by three. You have less than 30 minutes left.")
        await post.lay(4.5)
        await remind(post.registry)
        with use_language("de"):
            assert "weniger als 5 Stunden" in post.told[0].words()[1]

    run(history, tmp_path)


def test_a_server_reminds_also_after_a_restart(tmp_path: Path) -> None:
    constants = {"flagfall.server.sessions.registry.EVICT_EVERY_S": 0.05}
    with (
        push_service() as service,
        serving(tmp_path, constants, push_services=service.origin, grace_s="0") as server,
    ):
        anna, ben, match = friends(server, GAME, {"clock": "1d"})
        hers = with_device(anna, service, "hers")
        seal_both(anna, ben, match, GAME)
        while service.next(hers)[0]["waiting"] == 0:
            pass
        server.stop()
        with sqlite3.connect(tmp_path / FILE_NAME) as database:
            for number, text in database.execute("SELECT number, entry FROM log").fetchall():
                entry = json.loads(text) | {"at_ms": json.loads(text)["at_ms"] - 20 * HOUR_MS}
                database.execute("UPDATE log SET entry = ? WHERE number = ?", (json.dumps(entry), number))
            database.execute("UPDATE matches SET falls_at_ms = falls_at_ms - ?", (20 * HOUR_MS,))
        server.start()
        told, headers = service.next(hers)
        assert told["title"] == "Your time against Ben is running out"
        assert 3 * 3_600 < int(headers["ttl"]) <= 4 * 3_600
        assert (told["match"], told["waiting"]) == (match, 1)
