"""What searches with a network find in this process: run as a program, it prints it for comparison.

The values are random numbers, since beliefs with interpreted kernels have smaller tables and differ a little.
"""

from __future__ import annotations

import json
import sys

import numpy as np

from flagfall.edition import load_game, resolve
from flagfall.engine.kernel import buffer
from flagfall.engine.mode import mode
from flagfall.players.search import buffers as B
from flagfall.players.search.alpha_beta import search_root
from tests.laws.seen_game import Case, choose, start_game
from tests.players.nets import random_net

GAMES = ("barrage/classic", "fire-and-ice/special-powers")
ACTIONS, EVERY, NODES = 60, 10, 400


def everything() -> dict[str, list[list[int]]]:
    """Return values, nodes and accumulators of some searches, by game."""
    return {game_id: _trace(game_id) for game_id in GAMES}


def _trace(game_id: str) -> list[list[int]]:
    game, found = load_game(game_id), []
    seen_game, rng = start_game(Case(game, resolve(game, {}), 3))
    buffers = B.SearchBuffers(random_net(game, 8).numbers(game))
    _write_values(buffers)
    for number in range(ACTIONS):
        if seen_game.state.is_over:
            break
        legal = seen_game.legal()
        if number % EVERY == 0:
            buffers.clear()
            buffers.memory[B.VIEWER], buffers.memory[B.LIMIT] = number // EVERY % 2, NODES
            values = np.zeros(len(legal), dtype=np.int64)
            done = search_root(
                seen_game.tables.buffer, buffers.w, buffers.m, seen_game.state.buffer, buffers.rows,
                buffers.lists, buffers.order, buffers.out, buffers.ev,
                buffer(np.array(legal, dtype=np.int32)), buffer(values), len(legal), 3, 250,
            )  # fmt: skip
            width = int(buffers.values[B.NET_WIDTH])
            sums = [
                int(number)
                for ply in range(4)
                for number in buffers.memory[B.ACCUMULATORS + ply * B.MAX_NET_WIDTH :][:width]
            ]
            found.append([int(done), int(buffers.memory[B.NODES]), *values.tolist(), *sums])
        seen_game.play(choose(legal, seen_game.state.side, rng))
    return found


def _write_values(buffers: B.SearchBuffers) -> None:
    rng, w = np.random.default_rng(5), buffers.values
    w[B.PIECE_VALUE : B.SECRET_VALUE] = rng.integers(40, 300, B.SECRET_VALUE - B.PIECE_VALUE)
    w[B.SECRET_VALUE : B.SQUARE_VALUE] = rng.integers(0, 30, B.SQUARE_VALUE - B.SECRET_VALUE)
    w[B.SQUARE_VALUE : B.ATTACK_GAIN] = rng.integers(-20, 20, B.ATTACK_GAIN - B.SQUARE_VALUE)
    w[B.ATTACK_GAIN : B.GUESS] = rng.integers(-100, 100, B.GUESS - B.ATTACK_GAIN)
    w[B.CERTAIN_GAIN], w[B.MAX_PROBABILITY], w[B.FLAG_PROBABILITY], w[B.GAIN_CAP] = 40, 12, 10, 40
    w[B.MIN_PROBABILITY : B.MIN_PROBABILITY + 2] = 0, 3
    w[B.FLAG_DISTANCE : B.PATH_CLASS] = 99


if __name__ == "__main__":
    sys.stdout.write(json.dumps({"mode": mode(), "found": everything()}))
