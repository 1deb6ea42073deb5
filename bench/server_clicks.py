"""Measure how long a click takes: a server and both players in one process, over real sockets.

Measured is the time from sending an action until the new State has come: to the player who acted, and to
the opponent; and the time a new match takes.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from flagfall.edition import load_game
from flagfall.server.app import create_app
from flagfall.server.logs import set_up_logs
from flagfall.server.middleware.clients import COOKIE
from flagfall.server.settings import Settings
from flagfall.setups import random_setup, write_setup

MATCHES = 20
"""matches created to measure creating one"""
Report = Callable[[int, int, str], None]
Times = dict[str, float]


@dataclass
class Clicks:
    """The times of one game id, in milliseconds."""

    own_ms: list[float] = field(default_factory=list)
    other_ms: list[float] = field(default_factory=list)
    state_bytes: list[int] = field(default_factory=list)

    def figures(self) -> Times:
        """Return the figures as printed."""
        return (
            _spread("own", self.own_ms) | _spread("other", self.other_ms) | {"bytes": max(self.state_bytes)}
        )


def measure(games: Sequence[str], actions: int, seed: int, report: Report) -> dict[str, Times]:
    """Play this many actions of each game over sockets; return medians and 95th percentiles."""
    with tempfile.TemporaryDirectory(prefix="flagfall-bench") as folder:
        return asyncio.run(_measured(Path(folder), games, actions, seed, report))


async def _measured(
    folder: Path, games: Sequence[str], actions: int, seed: int, report: Report
) -> dict[str, Times]:
    settings = Settings(
        data=str(folder),
        workers=1,
        log_level="error",
        requests_per_s=1e6,
        requests_at_once=1_000_000,
        max_matches=10_000,
        matches_per_hour=1_000_000,
        invitations_per_hour=1_000_000,
        sockets_per_minute=1_000_000,
    )
    set_up_logs(settings)
    config = uvicorn.Config(
        create_app(settings), host="127.0.0.1", port=0, log_config=None, ws="websockets-sansio"
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    figures = {}
    try:
        anna, ben = [await Player.welcomed(port, name) for name in ("Anna", "Ben")]
        for at, game in enumerate(games):
            report(at, len(games) + 1, game)
            figures[game] = (await _played(anna, ben, game, actions, seed)).figures()
        report(len(games), len(games) + 1, "new matches")
        figures["new match"] = await _making(anna, games)
        report(len(games) + 1, len(games) + 1, "")
    finally:
        server.should_exit = True
        await running
    return figures


class Player:
    """A guest with an HTTP connection."""

    def __init__(self, port: int, cookie: str) -> None:
        self.port, self.cookie = port, cookie

    @classmethod
    async def welcomed(cls, port: int, name: str) -> Player:
        """Create a guest."""
        request = _request(port, "/api/guests", {"name": name})
        headers = await asyncio.to_thread(lambda: urllib.request.urlopen(request).headers)
        return cls(port, headers["set-cookie"].partition(";")[0].removeprefix(f"{COOKIE}="))

    async def post(self, path: str, **body: object) -> dict[str, Any]:
        """Send a request and wait for the response."""
        request = _request(self.port, path, body, cookie=f"{COOKIE}={self.cookie}")
        answer: dict[str, Any] = json.loads(
            await asyncio.to_thread(lambda: urllib.request.urlopen(request).read())
        )
        return answer

    def socket(self, match: str) -> connect:
        """Open a socket of a match."""
        address = f"ws://127.0.0.1:{self.port}/api/matches/{match}/socket"
        return connect(address, additional_headers={"Cookie": f"{COOKIE}={self.cookie}"}, max_size=None)


async def _played(anna: Player, ben: Player, game_id: str, actions: int, seed: int) -> Clicks:
    """Play random games for this many actions."""
    clicks, rng, game = Clicks(), Random(seed), load_game(game_id, allow_files=False)
    while len(clicks.own_ms) < actions:
        made = await anna.post("/api/matches", game=game_id, opponent="friend", side="south")
        await ben.post(f"/api/invitations/{made['invitation']}")
        for side, player in enumerate((anna, ben)):
            code = write_setup(random_setup(game, side, rng))
            await player.post(f"/api/matches/{made['match']}/setup", code=code)
        async with anna.socket(made["match"]) as one, ben.socket(made["match"]) as two:
            await _turns(one, two, clicks, actions, rng)
    return clicks


async def _turns(
    one: ClientConnection, two: ClientConnection, clicks: Clicks, actions: int, rng: Random
) -> None:
    states = {"south": await state_after(one, -1), "north": await state_after(two, -1)}
    sockets = {"south": one, "north": two}
    mover = states["south"]["to_move"]
    while len(clicks.own_ms) < actions and mover:
        other = "north" if mover == "south" else "south"
        number = states[mover]["number"]
        choice = rng.choice(states[mover]["choices"])
        request = msgspec.json.encode({"do": "act", "number": number, "action": choice["action"]}).decode()
        sent_at = time.perf_counter()
        await sockets[mover].send(request)
        states[mover] = await state_after(sockets[mover], number)
        clicks.own_ms.append((time.perf_counter() - sent_at) * 1000)
        clicks.state_bytes.append(states[mover]["bytes"])
        if states[mover]["to_move"] != mover:
            while states[other]["to_move"] == mover:
                states[other] = await state_after(sockets[other], states[other]["number"])
            clicks.other_ms.append((time.perf_counter() - sent_at) * 1000)
            mover = states[mover]["to_move"]


async def state_after(socket: ClientConnection, after: int) -> dict[str, Any]:
    """Return the next State with a later number."""
    while True:
        text = await socket.recv()
        message: dict[str, Any] = msgspec.json.decode(text)
        if message["what"] == "refused":
            raise AssertionError(message["sentence"])
        if message["what"] == "state" and message["number"] > after:
            return message | {"bytes": len(text)}


async def _making(anna: Player, games: Sequence[str]) -> Times:
    took = []
    for at in range(MATCHES):
        began = time.perf_counter()
        await anna.post("/api/matches", game=games[at % len(games)], opponent="hot-seat")
        took.append((time.perf_counter() - began) * 1000)
    return _spread("own", took)


def _spread(name: str, took_ms: list[float]) -> Times:
    ordered = sorted(took_ms)
    late = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return {f"{name}_ms": round(statistics.median(ordered), 1), f"{name}_p95_ms": round(late, 1)}


def _request(port: int, path: str, body: dict[str, object], cookie: str = "") -> urllib.request.Request:
    headers = {"content-type": "application/json"} | ({"cookie": cookie} if cookie else {})
    data = json.dumps(body).encode()
    return urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers, method="POST")
