"""Fit what the behaviour of a piece says of its kind, on games between computer players.

Every habit is counted twice: how often pieces of a class showed it, and how often the belief before that turn
expected it. The logarithm of the ratio goes into the table, and the next round starts from it, so that
correlated habits are not counted twice. All armies use the built-in styles, and the belief expects those, so
what is fitted is behaviour, not setups.

The log has a line for every game; a stopped run resumes after the last one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from random import Random

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flagfall.arena.executor import Executor
from flagfall.arena.run_file import RunFile, RunFileError
from flagfall.arena.simulate import observe_game
from flagfall.edition import Game, Options, load_game, resolve
from flagfall.players.belief import Belief
from flagfall.players.belief.behaviour import (
    BY_CLASS,
    BY_RELATION,
    CLASSES,
    MAX_PER_EVENT,
    MOVES,
    RELATIONS,
    Habit,
)
from flagfall.players.belief.setup_types import style_types
from flagfall.setups import any_style
from flagfall.sides import SIDES

Report = Callable[[int, int, str], None]
Table = dict[str, dict[str, float]]
STEP = 0.6
"""the share of a log ratio that one round adopts"""
FIRMNESS = 8.0
"""uninformative sightings added to each class, as a prior"""
SMALL = 150_000
"""entries smaller than this are written as zero"""
GAMES = ("onyx/classic", "fire-and-ice/classic", "spin-master/standard", "barrage/classic")
MAX_TURNS = 400


class BehaviourPlan(Struct, frozen=True, kw_only=True):
    """Everything that determines a run, except its length."""

    games: tuple[str, ...]
    players: tuple[str, ...]
    each: int
    """games of each id in a round"""
    seed: int

    def place(self, at: int) -> tuple[int, str, int]:
        """Return the round, the game id and the index of the game with this number."""
        kind, index = divmod(at, self.each)
        return kind // len(self.games), self.games[kind % len(self.games)], index


class WatchedGame(Struct, frozen=True, kw_only=True):
    """One line of the log: a game, and what was seen and expected in it by habit and class."""

    plan: BehaviourPlan
    round: int
    game: str
    index: int
    seen: Table
    expected: Table


class Sightings:
    """How often each habit was seen and expected, by class of kind."""

    def __init__(self) -> None:
        self.seen: dict[tuple[str, str], float] = defaultdict(float)
        self.expected: dict[tuple[str, str], float] = defaultdict(float)

    def add(self, line: WatchedGame) -> None:
        """Add the counts of a game of the log."""
        for counts, told in ((self.seen, line.seen), (self.expected, line.expected)):
            for habit, categories in told.items():
                for sort, count in categories.items():
                    counts[habit, sort] += count

    def improved(self, table: Table) -> Table:
        """Return the table after these sightings."""
        result: Table = {}
        for habit in BY_CLASS + BY_RELATION:
            categories = CLASSES if habit in BY_CLASS else RELATIONS
            row = {}
            for sort in categories:
                ratio = (self.seen[habit, sort] + FIRMNESS) / (self.expected[habit, sort] + FIRMNESS)
                value = table.get(habit, {}).get(sort, 0.0) + STEP * float(np.log(ratio))
                row[sort] = round(float(np.clip(value, -MAX_PER_EVENT, MAX_PER_EVENT)), 3)
            result[habit] = row
        return result


class Observer:
    """A seat with a belief that counts what the belief should have expected."""

    def __init__(self, game: Game, options: Options, seat: int, table: Table, sightings: Sightings) -> None:
        self.belief = Belief(
            game,
            options,
            SIDES[seat],
            limit=SMALL,
            types=style_types(game, 1 - seat),
            habits=table,
            recorder=self._record,
        )
        self.sightings = sightings
        self.truth: dict[str, int] = {}
        self._mobile = np.array([kind.is_mobile for kind in game.kinds])
        self._before: dict[str, NDArray[np.float64]] = {}

    def remember(self) -> None:
        """Keep the current belief for the following turns."""
        self._before = dict(zip(self.belief.names, self.belief.marginals(), strict=True))

    def _record(self, name: str, habit: Habit, categories: tuple[str, ...]) -> None:
        chances = self._before.get(name)
        if chances is None or name not in self.truth:
            return
        if habit in MOVES:
            chances = chances * self._mobile
        total = float(chances.sum())
        if total <= 0:
            return
        self.sightings.seen[habit, categories[self.truth[name]]] += 1.0
        for sort, chance in zip(categories, chances / total, strict=True):
            self.sightings.expected[habit, sort] += float(chance)


def fit(
    plan: BehaviourPlan, rounds: int, log: RunFile[WatchedGame], executor: Executor, report: Report
) -> None:
    """Play the games that are not in the log yet."""
    for at, line in enumerate(log.lines):
        if (line.round, line.game, line.index) != plan.place(at):
            raise RunFileError(f"{log.file}, line {at + 1}: the game before it is missing; use --restart.")
    each = plan.each * len(plan.games)
    total = rounds * each
    while (first := len(log)) < total:
        at = first // each
        work = _Watch(plan, tables(plan, log.lines, at)[-1])
        report(first, total, f"round {at + 1}, {plan.place(first)[1]}")
        for text in executor.results(work, range(first, (at + 1) * each), in_order=True):
            line = msgspec.json.decode(text, type=WatchedGame)
            log.add(line)
            report(len(log), total, f"round {at + 1}, {line.game}")
    report(total, total, "done")


class _Watch:
    """Play games of one round, all of them from the same table."""

    def __init__(self, plan: BehaviourPlan, table: Table) -> None:
        self.plan, self.table = msgspec.json.encode(plan), table

    def __call__(self, number: int) -> bytes:
        plan, sightings = msgspec.json.decode(self.plan, type=BehaviourPlan), Sightings()
        at, game_id, index = plan.place(number)
        many = len(plan.players)
        players = plan.players[index % many], plan.players[index // many % many]
        _watch_one(load_game(game_id), players, f"{plan.seed}/{at}/{index}", self.table, sightings)
        line = WatchedGame(
            plan=plan,
            round=at,
            game=game_id,
            index=index,
            seen=_by_habit(sightings.seen),
            expected=_by_habit(sightings.expected),
        )
        return msgspec.json.encode(line)


def tables(plan: BehaviourPlan, lines: Sequence[WatchedGame], rounds: int) -> list[Table]:
    """Return the table before the first round, and after each of the first ``rounds``."""
    each = plan.each * len(plan.games)
    found: list[Table] = [{}]
    for at in range(rounds):
        sightings = Sightings()
        for line in lines[at * each : (at + 1) * each]:
            sightings.add(line)
        found.append(sightings.improved(found[-1]))
    return found


def often(lines: Sequence[WatchedGame], number: int) -> dict[str, int]:
    """Return how often each habit was seen in a round."""
    sightings = Sightings()
    for line in lines:
        if line.round == number:
            sightings.add(line)
    return {
        habit: round(sum(count for (named, _), count in sightings.seen.items() if named == habit))
        for habit in BY_CLASS + BY_RELATION
    }


def _by_habit(counts: dict[tuple[str, str], float]) -> Table:
    found: Table = {}
    for (habit, sort), count in counts.items():
        found.setdefault(habit, {})[sort] = count
    return found


def _watch_one(game: Game, players: tuple[str, str], seed: str, table: Table, sightings: Sightings) -> None:
    options, rng = resolve(game, {}), Random(f"{seed}/setups")
    setups = any_style(game, 0, rng), any_style(game, 1, rng)
    observers = [Observer(game, options, seat, table, sightings) for seat in (0, 1)]
    for moment in observe_game(game, options, players, seed, MAX_TURNS, setups):
        observer = observers[moment.side]
        observer.truth = moment.game.true_kinds
        observer.belief.update(moment.view, moment.history)
        observer.remember()
