"""Measure the first game on a new machine: a server with empty caches, and levels that are asked at once.

``python -m bench.first_game`` prints, for each level, how long its answers to the first moves take while its
kernels are compiled, and at last how long compiling took.
"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from random import Random

from bench.server_clicks import Player, state_after
from flagfall.edition import load_game
from flagfall.setups import random_setup, write_setup

LEVELS = ("recruit", "marshal")
GAMES = ("spin-master/duel", "onyx/classic", "lotr/special-powers", "duel-masters/elemental-powers")
MOVES = 4
PORT = 8765


async def _answers(player: Player, game_id: str, level: str) -> list[float]:
    """Play the first moves against a level; return the seconds until it has moved, the setup first."""
    rng, game = Random(1), load_game(game_id, allow_files=False)
    made = await player.post("/api/matches", game=game_id, opponent="computer", level=level, side="south")
    async with player.socket(made["match"]) as socket:
        state = await state_after(socket, -1)
        began = time.perf_counter()
        code = write_setup(random_setup(game, 0, rng))
        await player.post(f"/api/matches/{made['match']}/setup", code=code)
        took: list[float] = []
        while len(took) <= MOVES and state["phase"] != "over":
            while state["phase"] != "over" and state["to_move"] != "south":
                state = await state_after(socket, state["number"])
            took.append(time.perf_counter() - began)
            while state["to_move"] == "south":
                action = rng.choice(state["choices"])["action"]
                began = time.perf_counter()
                await player.post(f"/api/matches/{made['match']}/act", number=state["number"], action=action)
                state = await state_after(socket, state["number"])
        return took


async def _measure() -> None:
    player = await Player.welcomed(PORT, "Anna")
    began = time.perf_counter()
    is_warming_up = True
    while is_warming_up:
        for level in LEVELS:
            for game in GAMES:
                took = await _answers(player, game, level)
                after_s = time.perf_counter() - began
                print(
                    f"{after_s:5.0f} s  {level:8} {game:30} " + " ".join(f"{s:.1f}" for s in took), flush=True
                )
        made = await player.post("/api/matches", game=GAMES[0], opponent="computer", level="marshal")
        async with player.socket(made["match"]) as socket:
            state = await state_after(socket, -1)
        is_warming_up = state["seats"]["south"]["is_warming_up"] or state["seats"]["north"]["is_warming_up"]
    print(f"at full strength after at most {time.perf_counter() - began:.0f} s")


def main() -> None:
    """Start a server with empty caches and play against the levels until they are at full strength."""
    with tempfile.TemporaryDirectory(prefix="flagfall-bench") as folder:
        environment = os.environ | {
            "XDG_CACHE_HOME": str(Path(folder) / "cache"),
            "FLAGFALL_DATA": folder,
            "FLAGFALL_PORT": str(PORT),
            "FLAGFALL_LOG_LEVEL": "error",
            "FLAGFALL_PREPARES": "1",
            "FLAGFALL_MATCHES_PER_HOUR": "1000",
        }
        server = subprocess.Popen(
            [sys.executable, "-c", "from flagfall.cli import main; main(['serve'])"], env=environment
        )
        try:
            while True:
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health")
                    break
                except OSError:
                    time.sleep(0.05)
            asyncio.run(_measure())
        finally:
            server.terminate()
            server.wait()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"processor time of the server and what it compiled: {used.ru_utime + used.ru_stime:.0f} s")


if __name__ == "__main__":
    main()
