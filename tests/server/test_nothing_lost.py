"""Killed at random moments: every acknowledged action is there after the restart, none twice."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import pytest

from tests.server.killable import KillableServer
from tests.server.served import Guest, Json, Served, friends, pick, seal_both

GAME = "spin-master/duel"
KILLS = 200 if os.environ.get("FLAGFALL_SOAK") else 10


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[KillableServer]:
    server = KillableServer(tmp_path)
    try:
        yield server.start()
    finally:
        server.close()


class Table:
    """Two friends who go on playing whatever happens to the server, and remember what was acknowledged."""

    def __init__(self, served: Served, seed: int) -> None:
        self.served, self.rng = served, Random(seed)
        self.anna, self.ben = Guest(served, "Anna"), Guest(served, "Ben")
        self.acknowledged: list[tuple[str, int, str]] = []
        self.doubtful: list[tuple[str, int, str]] = []
        self.faults: list[str] = []
        self.is_done = threading.Event()
        self.match = ""
        self._begin()

    def _begin(self) -> None:
        """A new game; if the server dies meanwhile the old one stays, and it is tried again."""
        anna, ben, match = friends(self.served, GAME)
        seal_both(anna, ben, match, GAME)
        for guest in (self.anna, self.ben):
            guest.http.close()
        self.anna, self.ben, self.match = anna, ben, match

    def play(self) -> None:
        while not self.is_done.is_set():
            try:
                self._turn()
            except httpx.HTTPError:
                time.sleep(0.02)

    def _turn(self) -> None:
        state = self.anna.http.get(f"/api/matches/{self.match}/state").json()
        if state["phase"] == "over":
            self._begin()
            return
        guest = self.anna if state["to_move"] == "south" else self.ben
        mine: Json = guest.http.get(f"/api/matches/{self.match}/state").json()
        if not mine["choices"]:
            return
        text = pick(mine, self.rng)["text"]
        self.doubtful.append((self.match, mine["number"], text))
        answer = guest.http.post(
            f"/api/matches/{self.match}/act", json={"number": mine["number"], "text": text}
        )
        if answer.status_code == 200:
            self.acknowledged.append(self.doubtful[-1])
        elif answer.status_code >= 500:
            self.faults.append(answer.text)


def test_killed_again_and_again(mortal: KillableServer) -> None:
    table = Table(mortal, 1)
    with Guest(mortal, "Carla") as carla:
        computer = carla.post("/api/matches", game=GAME, side="south")["match"]
        carla.post(f"/api/matches/{computer}/setup", code=carla.code(GAME, "south"))
    player = threading.Thread(target=table.play, daemon=True)
    player.start()
    rng = Random(2)
    try:
        for _ in range(KILLS):
            time.sleep(rng.uniform(0.05, 0.8))
            mortal.kill()
            mortal.start()
    finally:
        table.is_done.set()
        player.join(timeout=60)
    assert not player.is_alive()
    assert not table.faults
    assert len(table.acknowledged) > KILLS, "too little happened between the kills"
    stored = _stored(mortal.folder)
    for match, number, text in table.acknowledged:
        assert stored[match][number] == text, f"{match} {number}"
    wanted = set(table.doubtful)
    for match, entries in stored.items():
        if match != computer:
            assert {(match, number, text) for number, text in entries.items()} <= wanted
    state = table.anna.state(table.match)
    assert state["phase"] in ("playing", "over")
    for guest in (table.anna, table.ben):
        guest.http.close()


def _stored(folder: Path) -> dict[str, dict[int, str]]:
    """The turns in the log, by match and number; numbers without a gap."""
    import json

    found: dict[str, dict[int, str]] = {}
    numbers: dict[str, list[int]] = {}
    with closing(sqlite3.connect(folder / "flagfall.sqlite3")) as connection:
        for match, number, entry in connection.execute(
            "SELECT match_id, number, entry FROM log ORDER BY match_id, number"
        ):
            numbers.setdefault(match, []).append(number)
            value = json.loads(entry)
            if value["what"] == "acted":
                found.setdefault(match, {})[number] = value["text"]
    for match, listed in numbers.items():
        assert listed == list(range(len(listed))), match
    return found
