"""Many games between computer players: seeded, in several processes, resumable.

Game number ``i`` of seed ``S`` is always the same game, whatever came before it; so a run that was stopped
goes on where its file ends.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.pool import Pool
from random import Random

import msgspec
import numpy as np

from flagfall.edition import Game, Options, load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine import play, simulate
from flagfall.engine.action import ATTACK, Action
from flagfall.engine.kernel import buffer
from flagfall.engine.play import deal
from flagfall.engine.state import DRAW, PENDING, REASON, RESULT, SIDE, State, is_enemy
from flagfall.engine.tables import Tables
from flagfall.notation import Record, Turn, to_json, write_turn
from flagfall.players import make_player
from flagfall.setups import Setup, random_setup, write_setup
from flagfall.view.knowledge import SIDES
from flagfall.view.project import REASONS, Eyes
from flagfall.view.view import Result, SeenEvent, Side, Viewer

MOST_ACTIONS = 60_000
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


@dataclass(frozen=True)
class _Course:
    setups: tuple[Setup, Setup]
    turns: list[list[Action]]
    strikes: list[bool]
    state: State


def run(plan: Plan, first: int, games: int, jobs: int) -> Iterator[Played]:
    """Play games number ``first`` … of the plan, in order."""
    indices = range(first, games)
    jobs = min(jobs, len(indices))
    if jobs <= 1:
        for index in indices:
            yield play_one(plan, index)
        return
    with _pool(jobs) as pool:
        yield from pool.imap(_Worker(plan), indices, chunksize=4)


def _pool(jobs: int) -> Pool:
    """Processes that leave Ctrl-C to the one who started them."""
    if threading.current_thread() is not threading.main_thread():
        return multiprocessing.get_context("spawn").Pool(jobs)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return multiprocessing.get_context("spawn").Pool(jobs)
    finally:
        signal.signal(signal.SIGINT, before)


class _Worker:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __call__(self, index: int) -> Played:
        return play_one(self.plan, index)


def play_one(plan: Plan, index: int) -> Played:
    """One game of the plan."""
    game, options, tables = _prepared(plan.game, plan.options)
    if plan.players == ("random", "random"):
        course = _random_game(game, tables, plan.seed, index)
    else:
        course = _players_game(game, options, tables, plan, index)
    return _written(game, options, plan, index, course)


@lru_cache(maxsize=8)
def _prepared(address: str, pairs: tuple[tuple[str, str], ...]) -> tuple[Game, Options, Tables]:
    game = load_game(address)
    options = resolve(game, dict(pairs))
    return game, options, compile_game(game, options)


def _random_game(game: Game, tables: Tables, seed: int, index: int) -> _Course:
    """Random play in one kernel; the record is made afterwards by playing it again."""
    lot = Random(f"{seed}/{index}")
    setups = random_setup(game, 0, lot), random_setup(game, 1, lot)
    state, _ = deal(tables, setups[0].kinds, setups[1].kinds)
    acts = buffer(np.zeros(MOST_ACTIONS, dtype=np.int32))
    rng = simulate.seeded(lot.getrandbits(60))
    room, events = play.action_room(), play.event_room()
    n = simulate.play_logged(tables.buffer, state.copy().buffer, rng, acts, MOST_ACTIONS, room, events)
    turns, strikes = _Turns(state), []
    for at in range(n):
        act = int(acts[at])
        strikes += turns.note(act)
        play.play(tables, state, act)
    return _Course(setups, turns.turns, strikes, state)


def _players_game(game: Game, options: Options, tables: Tables, plan: Plan, index: int) -> _Course:
    """Two players, each with its own View and its own randomness."""
    seats = [
        make_player(name, game, options, Random(f"{plan.seed}/{index}/{seat}"))
        for seat, name in enumerate(plan.players)
    ]
    setups = seats[0].set_up(0), seats[1].set_up(1)
    state, happened = deal(tables, setups[0].kinds, setups[1].kinds)
    eyes = Eyes(game, options, tables, (setups[0].kinds, setups[1].kinds))
    eyes.meet(state)
    stories = _Stories()
    stories.add(eyes.see(state, happened))
    turns, strikes = _Turns(state), []
    while not state.is_over and len(turns.turns) < MOST_ACTIONS:
        side = SIDES[state.side]
        view = eyes.view(state, side, forgets=False)
        act = seats[state.side].choose(view, stories.of[side]).pack()
        strikes += turns.note(act)
        stories.add(eyes.see(state, play.play(tables, state, act)))
    return _Course(setups, turns.turns, strikes, state)


class _Stories:
    """What each seat has seen so far."""

    def __init__(self) -> None:
        self.of: dict[Side, list[SeenEvent]] = {side: [] for side in SIDES}

    def add(self, seen: Mapping[Viewer, Sequence[SeenEvent]]) -> None:
        """Something more was seen."""
        for side, story in self.of.items():
            story += seen[side]


class _Turns:
    """Collects actions into turns while a State is being played."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.turns: list[list[Action]] = []

    def note(self, packed: int) -> list[bool]:
        """Write down an action that is about to be played; for a new turn, whether it strikes an enemy."""
        act, s = Action.unpack(packed), self.state.buffer
        if s[PENDING]:
            self.turns[-1].append(act)
            return []
        self.turns.append([act])
        return [act.verb != ATTACK and act.target != 0 and is_enemy(s, s[SIDE], act.target)]


def _written(game: Game, options: Options, plan: Plan, index: int, course: _Course) -> Played:
    s = course.state.buffer
    winner = {0: "", 1: "south", 2: "north", DRAW: ""}[int(s[RESULT])]
    reason = REASONS[int(s[REASON])] if s[RESULT] else "unfinished"
    texts = [
        write_turn(game, acts, is_attack=strike)
        for acts, strike in zip(course.turns, course.strikes, strict=True)
    ]
    record = Record(
        game=game.id,
        players=plan.players,
        setups=(write_setup(course.setups[0]), write_setup(course.setups[1])),
        turns=tuple(Turn(text) for text in texts),
        result=Result(winner, reason) if s[RESULT] else None,  # type: ignore[arg-type]
        options=options.changed(game),
        comments=(f"seed {plan.seed}, game {index}",),
    )
    line = msgspec.json.format(to_json(record), indent=-1)
    return Played(index, winner, reason, len(texts), line)
