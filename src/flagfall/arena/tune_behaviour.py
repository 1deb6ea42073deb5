"""Fit what the behaviour of a piece says of its kind, on games between computer players.

Every habit is counted twice: how often pieces of a sort really showed it, and how often they should have if
the belief before that turn were right. The logarithm of the ratio goes into the table, and the next round
begins from that table, so that habits which often come together are not counted twice. The players set up in
the styles of the house, so the belief expects those: what is fitted is behaviour, not where pieces stand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from flagfall.arena.watched import SEATS, watch
from flagfall.edition import Game, Options, load_game, resolve
from flagfall.players.belief import Belief
from flagfall.players.belief.habits import BY_CLASS, BY_RELATION, CLASSES, MOVES, ONCE, RELATIONS, Habit
from flagfall.players.belief.setup_types import style_types

Report = Callable[[int, int, str], None]
Table = dict[str, dict[str, float]]
STEP = 0.6
"""how much of a log ratio one round takes over"""
FIRMNESS = 8.0
"""so many sightings without a lesson are added to each sort"""
SMALL = 150_000
"""tables of this size are sharp enough to count with"""
GAMES = ("onyx/classic", "fire-and-ice/classic", "spin-master/standard", "barrage/classic")
MOST_TURNS = 400


class Sightings:
    """How often each habit was seen and expected, by sort of kind."""

    def __init__(self) -> None:
        self.seen: dict[tuple[Habit, str], float] = defaultdict(float)
        self.expected: dict[tuple[Habit, str], float] = defaultdict(float)

    def improved(self, table: Table) -> Table:
        """The table after these sightings."""
        result: Table = {}
        for habit in BY_CLASS + BY_RELATION:
            sorts = CLASSES if habit in BY_CLASS else RELATIONS
            row = {}
            for sort in sorts:
                ratio = (self.seen[habit, sort] + FIRMNESS) / (self.expected[habit, sort] + FIRMNESS)
                value = table.get(habit, {}).get(sort, 0.0) + STEP * float(np.log(ratio))
                row[sort] = round(float(np.clip(value, -ONCE, ONCE)), 3)
            result[habit] = row
        return result


class Observer:
    """One seat that believes, and counts what its belief should have expected."""

    def __init__(self, game: Game, options: Options, seat: int, table: Table, sightings: Sightings) -> None:
        self.belief = Belief(
            game,
            options,
            SEATS[seat],
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
        """Keep what is believed now for the turns to come."""
        self._before = dict(zip(self.belief.names, self.belief.marginals(), strict=True))

    def _record(self, name: str, habit: Habit, sorts: tuple[str, ...]) -> None:
        chances = self._before.get(name)
        if chances is None or name not in self.truth:
            return
        if habit in MOVES:
            chances = chances * self._mobile
        total = float(chances.sum())
        if total <= 0:
            return
        self.sightings.seen[habit, sorts[self.truth[name]]] += 1.0
        for sort, chance in zip(sorts, chances / total, strict=True):
            self.sightings.expected[habit, sort] += float(chance)


def fit(
    game_ids: Sequence[str], players: Sequence[str], games: int, rounds: int, seed: int, report: Report
) -> tuple[Table, dict[str, int]]:
    """The table after so many rounds, and how often each habit was seen in the last one."""
    table: Table = {}
    done, total = 0, rounds * games * len(game_ids)
    for number in range(rounds):
        sightings = Sightings()
        for game_id in game_ids:
            game = load_game(game_id)
            for index in range(games):
                report(done, total, f"round {number + 1}, {game_id}")
                south, north = players[index % len(players)], players[index // len(players) % len(players)]
                _watch_one(game, (south, north), f"{seed}/{number}/{index}", table, sightings)
                done += 1
        table = sightings.improved(table)
    report(total, total, "done")
    seen: dict[str, int] = {
        habit: round(sum(count for (named, _), count in sightings.seen.items() if named == habit))
        for habit in BY_CLASS + BY_RELATION
    }
    return table, seen


def _watch_one(game: Game, players: tuple[str, str], seed: str, table: Table, sightings: Sightings) -> None:
    options = resolve(game, {})
    observers = [Observer(game, options, seat, table, sightings) for seat in (0, 1)]
    for moment in watch(game, options, players, seed, MOST_TURNS):
        observer = observers[moment.seat]
        observer.truth = moment.truth
        observer.belief.update(moment.view, moment.story)
        observer.remember()
