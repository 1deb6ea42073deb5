"""Many games between computer players: seeded, in several processes, resumable.

Game number ``i`` of a seed is always the same game, so a stopped run resumes where its file ends.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from random import Random

import msgspec
import numpy as np

from flagfall.arena.executor import LOCAL, executor_for, say_nothing
from flagfall.edition import Game, Options, load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine import play, simulate
from flagfall.engine.action import Action
from flagfall.engine.kernel import buffer
from flagfall.engine.tables import Tables
from flagfall.engine.warm import warm_up as warm_engine
from flagfall.match.play import GameRunner, Moment, game_record, play_game
from flagfall.match.referee import PlayedTurn, add_action
from flagfall.notation import Record, to_json
from flagfall.players import Budget, Player, make_player, needs_compiled
from flagfall.players.warm import warm_up as warm_players
from flagfall.setups import Setup, random_setup, write_setup
from flagfall.sides import BySide
from flagfall.view.project import board_result

MAX_ACTIONS = 60_000
"""a longer game is left unfinished"""
OBSERVED_BUDGET = Budget(time_ms=None, nodes=3000)
"""budget of players in observed games: small, and reproducible"""


@dataclass(frozen=True)
class Simulation:
    """The plan of a simulation; plain values only, so that it can be sent to other processes."""

    game: str
    """an id, or the address of a box file"""
    options: tuple[tuple[str, str], ...]
    """the options that differ from the defaults"""
    seed: int
    players: tuple[str, str] = ("random", "random")


@dataclass(frozen=True)
class SimulatedGame:
    """One game of a run."""

    index: int
    winner: str
    """south, north, or empty for a draw"""
    reason: str
    turns: int
    line: str
    """the game's record as one line of JSON"""


def run(
    plan: Simulation,
    first: int,
    games: int,
    jobs: int | None,
    on: str = LOCAL,
    note: Callable[[str], None] = say_nothing,
) -> Generator[SimulatedGame, None, None]:
    """Play games number ``first`` … of the plan, in order; closing the iterator stops the others."""
    indices = range(first, games)
    jobs = None if jobs is None else min(jobs, max(1, len(indices)))
    begin = warm_players if any(map(needs_compiled, plan.players)) else warm_engine
    needs = {"games": [plan.game], "players": plan.players}
    with executor_for(on, jobs, begin, **needs, note=note) as executor:
        yield from executor.results(partial(play_one, plan), indices, in_order=True, chunk=4)


def play_one(plan: Simulation, index: int) -> SimulatedGame:
    """Play one game of the plan."""
    game, options, tables = prepared(plan.game, plan.options)
    comments = (f"seed {plan.seed}, game {index}",)
    if plan.players == ("random", "random"):
        record = _random_game(game, options, tables, plan, index, comments)
    else:
        record = _players_game(game, options, plan, index, comments)
    result = record.result
    line = msgspec.json.format(to_json(record), indent=-1)
    winner, reason = (result.winner, result.reason) if result else ("", "unfinished")
    return SimulatedGame(index, winner, reason, len(record.turns), line)


@lru_cache(maxsize=8)
def prepared(address: str, pairs: tuple[tuple[str, str], ...]) -> tuple[Game, Options, Tables]:
    """Return a game by its address, with its options and Tables; the last ones are cached."""
    game = load_game(address)
    options = resolve(game, dict(pairs))
    return game, options, compile_game(game, options)


def _random_game(
    game: Game, options: Options, tables: Tables, plan: Simulation, index: int, comments: tuple[str, ...]
) -> Record:
    """Play at random in one kernel, then replay the actions for the record."""
    rng = Random(f"{plan.seed}/{index}")
    setups = BySide(random_setup(game, 0, rng), random_setup(game, 1, rng))
    state, _ = play.deal(tables, setups.south.kinds, setups.north.kinds)
    actions = buffer(np.zeros(MAX_ACTIONS, dtype=np.int32))
    numbers = simulate.seeded(rng.getrandbits(60))
    legal, events = play.action_buffer(), play.event_buffer()
    n = simulate.play_logged(tables.buffer, state.copy().buffer, numbers, actions, MAX_ACTIONS, legal, events)
    turns: list[PlayedTurn] = []
    for i in range(n):
        packed = int(actions[i])
        add_action(turns, state, Action.unpack(packed))
        play.play(tables, state, packed)
    result = board_result(state)
    is_open = result is None and state.is_turn_open
    texts = setups.map(write_setup)
    return game_record(game, options, texts, turns, result, plan.players, is_open=is_open, comments=comments)


def _players_game(
    game: Game, options: Options, plan: Simulation, index: int, comments: tuple[str, ...]
) -> Record:
    """Play a game between two players, each with its own View and its own randomness."""
    players = make_players(plan.players, game, options, f"{plan.seed}/{index}")
    running = GameRunner(game, options, own_setups(players))
    play_game(running, players, max_turns=MAX_ACTIONS)
    return running.record(plan.players, comments)


def make_players(
    names: Sequence[str], game: Game, options: Options, seed: str, budget: Budget = Budget()
) -> BySide[Player]:
    """Return both players, each with its own randomness."""
    return BySide.of(
        lambda side: make_player(names[int(side)], game, options, Random(f"{seed}/{int(side)}"), budget)
    )


def own_setups(players: BySide[Player]) -> BySide[Setup]:
    """Return the setups that the players make."""
    return BySide(players.south.set_up(0), players.north.set_up(1))


def observe_game(
    game: Game,
    options: Options,
    names: Sequence[str],
    seed: str,
    max_turns: int = 600,
    setups: Sequence[Setup] | None = None,
) -> Iterator[Moment]:
    """Play one game and yield before every choice: for measuring and fitting what players believe.

    Without ``setups`` the players make their own.
    """
    players = make_players(names, game, options, seed, OBSERVED_BUDGET)
    running = GameRunner(game, options, setups or own_setups(players))
    for moment in running.moments(players):
        if moment.view.turn >= max_turns:
            return
        yield moment
