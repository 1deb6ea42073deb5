"""What players with a network do in this process: run as a program, it prints it for comparison."""

from __future__ import annotations

import json
import sys
from random import Random

from flagfall.edition import load_game, resolve
from flagfall.engine.mode import mode
from flagfall.match.play import GameRunner
from flagfall.players import Budget, make_player
from flagfall.players.search import buffers as B
from flagfall.players.searcher import SearchingPlayer
from flagfall.sides import BySide
from tests.players.nets import random_net

GAMES = ("barrage/classic", "fire-and-ice/special-powers")
TURNS = 12


def everything() -> dict[str, list[list[int]]]:
    """Return actions, nodes and the first accumulator of some turns, by game."""
    return {game_id: _trace(game_id) for game_id in GAMES}


def _trace(game_id: str) -> list[list[int]]:
    game = load_game(game_id)
    options, found = resolve(game, {}), []
    players = BySide.of(
        lambda side: make_player(
            "marshal", game, options, Random(f"6/{int(side)}"), Budget(nodes=120), net=random_net(game, 8)
        )
    )
    running = GameRunner(game, options, (players.south.set_up(0), players.north.set_up(1)))
    for _ in range(TURNS):
        player, side = players[running.mover], running.mover
        assert isinstance(player, SearchingPlayer)
        act = player.choose(running.view(side), running.history(side))
        width = int(player.buffers.values[B.NET_WIDTH])
        sums = [int(number) for number in player.buffers.memory[B.ACCUMULATORS :][:width]]
        found.append([act.pack(), player.nodes, *sums])
        running.play(act)
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps({"mode": mode(), "found": everything()}))
