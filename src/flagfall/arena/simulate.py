"""Many games between computer players: seeded, in several processes, resumable.

Game number ``i`` of seed ``S`` is always the same game, whatever came before it; so a run that was stopped
goes on where its file ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import msgspec
import numpy as np

from flagfall.arena.processes import crew
from flagfall.arena.sitting import Sitting, Turns, result_of, written
from flagfall.edition import Game, Options, load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine import play, simulate
from flagfall.engine.action import Action
from flagfall.engine.kernel import buffer
from flagfall.engine.tables import Tables
from flagfall.notation import Record, to_json
from flagfall.players import make_player
from flagfall.setups import random_setup

MAX_ACTIONS = 60_000
"""a game that goes on for longer is left unfinished"""


@dataclass(frozen=True)
class Plan:
    """What is to be played. Only plain values, so that it travels to other processes."""

    game: str
    """an id, or the address of a box file"""
    options: tuple[tuple[str, str], ...]
    """those that differ from the defaults"""
    seed: int
    players: tuple[str, str] = ("random", "random")


@dataclass(frozen=True)
class Played:
    """One game of a run."""

    index: int
    winner: str
    """south, north, or empty for a draw"""
    reason: str
    turns: int
    line: str
    """the game's record as one line of JSON"""


def run(plan: Plan, first: int, games: int, jobs: int) -> Iterator[Played]:
    """Play games number ``first`` … of the plan, in order."""
    indices = range(first, games)
    jobs = min(jobs, len(indices))
    if jobs <= 1:
        for index in indices:
            yield play_one(plan, index)
        return
    with crew(jobs) as pool:
        yield from pool.imap(_Worker(plan), indices, chunksize=4)


class _Worker:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __call__(self, index: int) -> Played:
        return play_one(self.plan, index)


def play_one(plan: Plan, index: int) -> Played:
    """One game of the plan."""
    game, options, tables = prepared(plan.game, plan.options)
    comments = (f"seed {plan.seed}, game {index}",)
    if plan.players == ("random", "random"):
        record = _random_game(game, options, tables, plan, index, comments)
    else:
        record = _players_game(game, options, tables, plan, index, comments)
    result = record.result
    line = msgspec.json.format(to_json(record), indent=-1)
    winner, reason = (result.winner, result.reason) if result else ("", "unfinished")
    return Played(index, winner, reason, len(record.turns), line)


@lru_cache(maxsize=8)
def prepared(address: str, pairs: tuple[tuple[str, str], ...]) -> tuple[Game, Options, Tables]:
    """The game of an address, with its options and Tables; kept for the next time."""
    game = load_game(address)
    options = resolve(game, dict(pairs))
    return game, options, compile_game(game, options)


def _random_game(
    game: Game, options: Options, tables: Tables, plan: Plan, index: int, comments: tuple[str, ...]
) -> Record:
    """Random play in one kernel; the record is made afterwards by playing it again."""
    lot = Random(f"{plan.seed}/{index}")
    setups = random_setup(game, 0, lot), random_setup(game, 1, lot)
    state, _ = play.deal(tables, setups[0].kinds, setups[1].kinds)
    acts = buffer(np.zeros(MAX_ACTIONS, dtype=np.int32))
    rng = simulate.seeded(lot.getrandbits(60))
    room, events = play.action_buffer(), play.event_buffer()
    n = simulate.play_logged(tables.buffer, state.copy().buffer, rng, acts, MAX_ACTIONS, room, events)
    turns = Turns(state)
    for at in range(n):
        act = int(acts[at])
        turns.note(Action.unpack(act))
        play.play(tables, state, act)
    return written(game, options, setups, turns, result_of(state), plan.players, comments)


def _players_game(
    game: Game, options: Options, tables: Tables, plan: Plan, index: int, comments: tuple[str, ...]
) -> Record:
    """Two players, each with its own View and its own randomness."""
    seats = [
        make_player(name, game, options, Random(f"{plan.seed}/{index}/{seat}"))
        for seat, name in enumerate(plan.players)
    ]
    sitting = Sitting(game, options, tables, (seats[0].set_up(0), seats[1].set_up(1)))
    while not sitting.is_over and sitting.turns < MAX_ACTIONS:
        side = sitting.mover
        sitting.play(seats[side].choose(sitting.view(side), sitting.history(side)))
    return sitting.record(plan.players, comments)
