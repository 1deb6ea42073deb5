"""Measure how long a review takes, and how much it delays running games: python -m bench.review_delay.

A server with compiled kernels plays Marshal's answers, first alone and then while it reviews a game of 300
turns. The time is from sending a move to seeing the answer; levels show their moves at set times, so a delay
is seen only where a move is late. ``--whole`` reviews that game in one process and prints the seconds of
processor time. Figures are in README.md.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.server.served import Guest, Json, Served, serving

from flagfall.analysis.review import DEFAULT_BUDGET, prepared
from flagfall.edition import load_game, resolve
from flagfall.engine import mode
from flagfall.match.play import GameRunner, play_game
from flagfall.notation import read_record, write_record
from flagfall.players import Budget, make_player
from flagfall.setups import random_setup
from flagfall.sides import BySide

GAME = "onyx/classic"
LEVEL = "marshal"
TURNS = 300
BLOCKS = 3
ANSWERS = 8
"""of each block"""


def main() -> None:
    """Measure what was asked for and print the figures."""
    asked = argparse.ArgumentParser(prog="python -m bench.review_delay", description=__doc__)
    asked.add_argument("--whole", action="store_true", help="time a whole review, without a server")
    asked.add_argument("--blocks", type=int, default=BLOCKS, help="rounds with and without a review")
    asked.add_argument("--answers", type=int, default=ANSWERS, help="answers of each block")
    wanted = asked.parse_args()
    if wanted.whole and not mode.is_compiled():  # this process has loaded the other kernels already
        os.environ[mode.VARIABLE] = "compiled"
        os.execv(sys.executable, [sys.executable, "-m", "bench.review_delay", "--whole"])
    elif wanted.whole:
        _time_a_review()
    else:
        _measure_delay(wanted.blocks, wanted.answers)


def _measure_delay(blocks: int, answers: int) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), compiles="true", prepares="true") as served,
    ):
        anna, ben = Guest(served, "Anna"), Guest(served, "Ben")
        record = ben.post("/api/records", text=long_record())["id"]
        _wait_until_compiled(served)
        path = f"/api/matches/{record}/review"
        alone: list[float] = []
        during: list[float] = []
        for _ in range(blocks):  # in turns, so that other work on the machine hits both
            alone += answer_times(anna, answers)
            ben.post(path)
            during += answer_times(anna, answers, lambda: ben.get(path))
            ben.delete(path)
        done = ben.get(path)["done"]
    _print("alone", alone)
    _print("during a review", during)
    late = 1000 * (statistics.median(during) - statistics.median(alone))
    sys.stdout.write(
        f"medians: {late:+.0f} ms, {statistics.median(during) / statistics.median(alone):.3f} ×; "
        f"meanwhile {done} of {TURNS} turns were reviewed\n"
    )


def _time_a_review() -> None:
    """Review the long game in this process, compiled, and print the seconds."""
    record = read_record(long_record())
    analysis = prepared(record, load_game, LEVEL, DEFAULT_BUDGET)
    next(analysis.steps_from(len(record.turns) - 1), None)  # compile first
    began, clock = time.process_time(), time.perf_counter()
    for _ in analysis.run():
        pass
    used, took = time.process_time() - began, time.perf_counter() - clock
    sys.stdout.write(f"{len(analysis.steps)} turns: {used:.0f} s of processor time, {took:.0f} s\n")


def long_record() -> str:
    """Return the record of a long game between two greedy players, cut at a number of turns."""
    game = load_game(GAME)
    options = resolve(game, {})
    for seed in range(100):
        rng = Random(seed)
        setups = [random_setup(game, side, rng) for side in (0, 1)]
        running = GameRunner(game, options, setups)
        south, north = (
            make_player("greedy", game, options, Random(rng.random()), Budget(nodes=1)) for _ in setups
        )
        players = BySide(south, north)
        play_game(running, players, max_turns=TURNS)
        if running.turns == TURNS:
            return write_record(running.record(("South", "North")))
    raise AssertionError("no game is long enough")


def _wait_until_compiled(served: Served) -> None:
    """Wait until the level plays at its full strength."""
    guest = Guest(served, "Cora")
    while True:
        made = guest.post("/api/matches", game="mini/3x4", opponent="computer", level=LEVEL, side="south")
        if not made["seats"]["north"]["is_warming_up"]:
            return
        time.sleep(2)


def answer_times(guest: Guest, answers: int, meanwhile: Callable[[], object] = lambda: None) -> list[float]:
    """Play against the level; return the seconds until each answer."""
    rng, took = Random(7), list[float]()
    while len(took) < answers:
        made = guest.post("/api/matches", game=GAME, opponent="computer", level=LEVEL, side="south")
        match = made["match"]
        guest.post(f"/api/matches/{match}/setup", code=guest.code(GAME, "south"))
        state = _your_turn(guest, match)
        while state["phase"] == "playing" and len(took) < answers:
            action = rng.choice(state["choices"])["action"]
            meanwhile()
            began = time.perf_counter()
            guest.post(f"/api/matches/{match}/act", number=state["number"], action=action)
            state = _your_turn(guest, match)
            took.append(time.perf_counter() - began)
    return took


def _your_turn(guest: Guest, match: str) -> Json:
    state = guest.state(match)
    while state["phase"] != "over" and state["to_move"] != "south":
        state = guest.state(match, since=state["number"], wait_s=10)
    return state


def _print(what: str, times: list[float]) -> None:
    values = sorted(1000 * one for one in times)
    slow = values[int(0.95 * (len(values) - 1))]
    sys.stdout.write(
        f"{what}: median {statistics.median(values):.0f} ms, p95 {slow:.0f} ms, {len(values)} answers\n"
    )


if __name__ == "__main__":
    main()
