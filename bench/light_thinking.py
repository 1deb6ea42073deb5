"""Measure the processor time of a level's answers with interpreted kernels, as on a new machine.

``python -m bench.light_thinking`` forks workers from a warm template, as the server does, and asks Recruit
and Marshal at several turns of four games: on a machine as fast as this one, on one that is three times
slower, and on one so slow that no time is left.
"""

from __future__ import annotations

import os
import time
from functools import partial
from random import Random
from unittest.mock import patch

os.environ["FLAGFALL_KERNELS"] = "interpreted"

import msgspec

from flagfall.edition import load_game, resolve
from flagfall.match import Match, Seating
from flagfall.players import make_player, searcher
from flagfall.players.budget import Deadline
from flagfall.server.workers.jobs import Answer, Job, LivePlayers
from flagfall.server.workers.template import load_levels
from flagfall.sides import Side

LEVELS = ("recruit", "marshal")
GAMES = (
    "lotr/special-powers",
    "duel-masters/elemental-powers",
    "fire-and-ice/special-powers",
    "onyx/classic",
)
TURNS = (0, 2, 8, 30, 90)
SLOWNESS = (1.0, 3.0, 1e6)


def _jobs(game_id: str, level: str) -> list[Job]:
    """Return what South's player is asked at some turns of a game of two greedy players."""
    game = load_game(game_id)
    options = resolve(game, {})
    match = Match.created(game, options, Seating("South", "North"), 0)
    players = [make_player("greedy", game, options, Random(5 + number)) for number in (0, 1)]
    for number, side in enumerate(Side):
        match.seal(side, players[number].set_up(number), 0)
    found, turns = list[Job](), list(TURNS)
    while turns and (mover := match.to_move) is not None:
        view, history = match.view(mover, forgets=False), match.history(mover)
        if mover == Side.SOUTH and not match.is_turn_open and match.turn >= turns[0]:
            turns.pop(0)
            said = msgspec.json.encode(view), msgspec.json.encode(history)
            found.append(Job(game_id, {}, level, "bench", view=said[0], history=said[1], match="match"))
        match.act(mover, None, players[0 if mover == Side.SOUTH else 1].choose(view, history), 0)
    return found


def _answers(jobs: list[Job], slowness: float) -> list[float]:
    """Return the processor seconds of the answers of one new worker."""
    reading, writing = os.pipe()
    worker = os.fork()
    if worker == 0:
        slow = partial(Deadline, clock=lambda: slowness * time.process_time())
        patch.object(searcher, "Deadline", lambda budget, _: slow(budget)).start()
        players, spent = LivePlayers(), list[float]()
        for job in jobs:
            begun = time.process_time()
            answer = msgspec.msgpack.decode(players.answer(msgspec.msgpack.encode(job)) or b"", type=Answer)
            assert answer.action is not None, answer.error
            spent.append(time.process_time() - begun)
        os.write(writing, msgspec.msgpack.encode(spent))
        os._exit(0)
    os.waitpid(worker, 0)
    return msgspec.msgpack.decode(os.read(reading, 4096), type=list[float])


def main() -> None:
    """Print a line for each level, game and machine."""
    load_levels()
    print("slowness, level, game: processor seconds of a new worker's first answer, then of the next ones")
    for slowness in SLOWNESS:
        for level in LEVELS:
            for game_id in GAMES:
                spent = " ".join(f"{seconds:.2f}" for seconds in _answers(_jobs(game_id, level), slowness))
                print(f"{slowness:9g}  {level:8} {game_id:30} {spent}", flush=True)


if __name__ == "__main__":
    main()
