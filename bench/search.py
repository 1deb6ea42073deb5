"""Measure the search: speed, depth, whether it keeps its time, and where the time goes.

Positions come from quick games of a simple player with fixed seeds; the searching player looks at them and
says what it would do, so all budgets meet the same positions. Speed is in nodes a second of processor time,
measured in turn with the engine's random self-play and compared as a ratio of medians.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from random import Random

from bench.engine import Bench as EngineBench
from flagfall.arena.simulate import observe_game
from flagfall.edition import Game, resolve
from flagfall.match.play import Moment
from flagfall.players import Budget
from flagfall.players.levels import LEVELS, Level
from flagfall.players.searcher import SearchingPlayer
from flagfall.sides import Side

ASKED_RATIO = 0.25
LATE_MS = 50.0
CAP_MS = 2000.0
NODES = 60_000
"""nodes for every position whose speed is measured"""
EVERY = 7
"""actions between two positions"""
IN_A_ROW = 8
STRIDE, LATEST = 37, 120
"""in every further game the choices start this many turns later, up to a last turn"""
PLACES = 6
"""positions of a game whose speed is measured in every round"""
STAGES_AT_MS = 50
LOADED_MS = (50, 1000, 5000)
LOADED_MOVES = 24
MAX_TURNS = 500
GUIDE = "greedy"
STAGES = ("view", "story", "belief", "appraisal", "worlds", "search", "rest")
Report = Callable[[int, int, str], None]


@dataclass
class Speed:
    """The speed of one game id, by round."""

    plies: list[float] = field(default_factory=list)
    nodes: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """Return the medians and their ratio."""
        plies, nodes = statistics.median(self.plies), statistics.median(self.nodes)
        return {
            "plies_per_second": round(plies),
            "nodes_per_second": round(nodes),
            "ratio": round(nodes / plies, 3),
        }


@dataclass
class Choice:
    """One choice of the searching player: its time and depth."""

    wall_ms: float
    processor_ms: float
    depth: int
    worlds: int
    nodes: int
    is_first: bool
    """its first in that game, which folds the whole history"""
    stages: dict[str, float]
    """milliseconds by stage"""


def quick_game(game: Game, seed: int, number: int) -> Iterator[Moment]:
    """Yield the moments of one game of a simple player against itself."""
    return observe_game(game, resolve(game, {}), (GUIDE, GUIDE), f"{seed}/{number}", MAX_TURNS)


def positions(game: Game, seed: int, wanted: int) -> list[Moment]:
    """Return moments with a choice, from all phases and for both sides."""
    found: list[Moment] = []
    for number in count():
        for at, moment in enumerate(quick_game(game, seed, number)):
            if at % EVERY == 0 and len(moment.view.legal) > 1:
                found.append(Moment(moment.game, moment.side, moment.view, list(moment.history)))
            if len(found) == wanted:
                return found
    return found


def player(game: Game, budget: Budget, seed: int, level: Level = LEVELS[-1]) -> SearchingPlayer:
    """Return the player that is measured."""
    return SearchingPlayer(game, resolve(game, {}), Random(seed), budget, level)


# ---------------------------------------------------------------- speed


def speeds(
    games: Sequence[Game], rounds: int, places: int, seconds: float, report: Report
) -> dict[str, dict[str, float]]:
    """Return nodes per second and plies per second by game id, measured in turn."""
    engines = {game.id: EngineBench(game) for game in games}
    at_hand = {game.id: positions(game, 1, places) for game in games}
    found = {game.id: Speed() for game in games}
    total = rounds * len(games)
    for number in range(rounds):
        for at, game in enumerate(games):
            report(number * len(games) + at, total, game.id)
            found[game.id].plies.append(engines[game.id].turns_per_second(number + 1, seconds))
            found[game.id].nodes.append(_nodes_per_second(game, at_hand[game.id], number))
    report(total, total, "")
    return {name: speed.figures() for name, speed in found.items()}


def _nodes_per_second(game: Game, at_hand: Sequence[Moment], seed: int) -> float:
    nodes, seconds = 0, 0.0
    for moment in at_hand:
        watched = player(game, Budget(nodes=NODES), seed)
        watch_of = Stopwatch(watched, time.process_time)
        watched.choose(moment.view, moment.history)
        nodes += watched.nodes
        seconds += watch_of.spent["search"] / 1000
    return nodes / max(seconds, 1e-9)


# ---------------------------------------------------------------- one choice after the other


class Stopwatch:
    """Times the stages of a player's choices by wrapping its parts."""

    def __init__(self, watched: SearchingPlayer, clock: Callable[[], float] = time.perf_counter) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self._clock, self._player = clock, watched
        self._belief: object = None
        self._stand_at(watched.sampler, "update", "story")
        self._stand_at(watched.sampler, "worlds", "worlds")
        self._stand_at(watched.evaluator, "evaluate", "appraisal")
        self._stand_at(watched.root, "search", "search")

    def _stand_at(self, owner: object, door: str, stage: str) -> None:
        inside = getattr(owner, door)

        def timed(*arguments: object, **named: object) -> object:
            begun = self._clock()
            try:
                return inside(*arguments, **named)
            finally:
                self.spent[stage] += (self._clock() - begun) * 1000

        setattr(owner, door, timed)

    def taken(self) -> dict[str, float]:
        """Return the milliseconds by stage since the last call.

        A belief is made with the first choice, and watched from the second on.
        """
        spent, self.spent = dict(self.spent), defaultdict(float)
        if self._belief is not self._player.belief:
            self._belief = self._player.belief
            for door in ("update", "marginals", "sample"):
                self._stand_at(self._belief, door, "belief")
        return spent


def thoughts(game: Game, time_ms: int, wanted: int, seed: int) -> Iterator[Choice]:
    """Yield the player's choices in quick games: some in a row, early and late in the game."""
    given = 0
    for number in count():
        begins, side = number * STRIDE % LATEST, Side.at(number % 2)
        thinker = player(game, Budget(time_ms), seed)
        watch_of, in_a_row = Stopwatch(thinker), 0
        for moment in quick_game(game, seed, number):
            if moment.side != side or moment.turn < begins or len(moment.view.legal) == 1:
                continue
            yield _thought(thinker, watch_of, moment, is_first=in_a_row == 0)
            given, in_a_row = given + 1, in_a_row + 1
            if given == wanted:
                return
            if in_a_row == IN_A_ROW:
                break


def _thought(thinker: SearchingPlayer, watch_of: Stopwatch, moment: Moment, *, is_first: bool) -> Choice:
    begun, begun_work = time.perf_counter(), time.process_time()
    thinker.choose(moment.view, moment.history)
    wall_ms = (time.perf_counter() - begun) * 1000
    work_ms = (time.process_time() - begun_work) * 1000
    stages = watch_of.taken()
    stages["rest"] = max(0.0, wall_ms - sum(stages.values()))
    found = thinker.result.root_result if thinker.result else None
    depth, worlds = (found.depth, found.values.shape[1]) if found else (0, 0)
    return Choice(wall_ms, work_ms, depth, worlds, thinker.nodes, is_first, stages)


def late_figures(time_ms: int, given: Sequence[Choice]) -> dict[str, float]:
    """Return how far a budget was exceeded, in milliseconds; negative if it was kept."""
    late = sorted(min(each.wall_ms, 1e9) - time_ms for each in given)
    work = sorted(each.processor_ms - time_ms for each in given)
    return {
        "budget_ms": time_ms,
        "choices": len(given),
        "median_ms": round(statistics.median(late), 1),
        "p95_ms": round(late[min(len(late) - 1, int(0.95 * len(late)))], 1),
        "worst_ms": round(late[-1], 1),
        "worst_processor_ms": round(work[-1], 1),
        "more_than_50_late": sum(each > LATE_MS for each in late),
        "over_the_cap": sum(each.wall_ms > CAP_MS for each in given),
    }


def depth_figures(given: Sequence[Choice]) -> dict[str, float]:
    """Return depth and number of Worlds."""
    searched = [each for each in given if each.worlds]
    if not searched:
        return {"depth": 0, "worlds": 0, "nodes": 0}
    return {
        "depth": round(statistics.fmean(each.depth for each in searched), 1),
        "worlds": round(statistics.fmean(each.worlds for each in searched), 1),
        "nodes": round(statistics.fmean(each.nodes for each in searched)),
    }


def stage_figures(given: Sequence[Choice], view_ms: float) -> dict[str, float]:
    """Return mean milliseconds by stage without first choices; the View is made by the referee."""
    later = [each for each in given if not each.is_first] or list(given)
    found = {"view": round(view_ms, 2)}
    for stage in STAGES[1:]:
        found[stage] = round(statistics.fmean(each.stages.get(stage, 0.0) for each in later), 2)
    return found


# ---------------------------------------------------------------- under load


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Run this many busy processes meanwhile."""
    spawn = multiprocessing.get_context("spawn")
    started = [spawn.Process(target=_spin, daemon=True) for _ in range(processes)]
    for process in started:
        process.start()
    try:
        yield
    finally:
        for process in started:
            process.terminate()
            process.join()


def _spin() -> None:
    parent = multiprocessing.parent_process()
    while parent is not None and parent.is_alive():
        for _ in range(100_000):
            pass


def under_load(game: Game, moves: int, report: Report) -> list[dict[str, float]]:
    """Measure time-keeping while twice as many processes are busy as there are cores."""
    found = []
    with busy(2 * (os.cpu_count() or 1)):
        for at, time_ms in enumerate(LOADED_MS):
            report(at, len(LOADED_MS), f"under load, {time_ms} ms")
            found.append(late_figures(time_ms, list(thoughts(game, time_ms, moves, 2))))
    return found


# ---------------------------------------------------------------- all of it


def measure(
    games: Sequence[Game],
    budgets_ms: Sequence[int],
    moves: int,
    rounds: int,
    seconds: float,
    report: Report,
) -> dict[str, object]:
    """Measure speed, time-keeping, depth, Worlds, and the stages of a choice."""
    each_game = -(-moves // len(games))
    found: dict[str, object] = {"speed": speeds(games, rounds, PLACES, seconds, report)}
    views = {game.id: EngineBench(game).view_us(1) / 1000 for game in games}
    late, depth = [], {game.id: dict[str, dict[str, float]]() for game in games}
    stages: dict[str, dict[str, float]] = {}
    total, done = len(budgets_ms) * len(games), 0
    for time_ms in budgets_ms:
        given: list[Choice] = []
        for game in games:
            report(done, total, f"{game.id} at {time_ms} ms")
            here = list(thoughts(game, time_ms, each_game, 1))
            depth[game.id][str(time_ms)] = depth_figures(here)
            if time_ms == STAGES_AT_MS or len(budgets_ms) == 1:
                stages[game.id] = stage_figures(here, views[game.id])
            given += here
            done += 1
        late.append(late_figures(time_ms, given))
    report(total, total, "")
    return found | {"time_kept": late, "depth": depth, "stages_ms": stages}
