"""Measure what is believed of opponents with different habits, piece by piece.

A level plays every opponent; before each of its choices at fixed turns its belief about the opponent's hidden
pieces is compared with the truth, by class of piece: those that have moved, those that have not, and those
near the Flag. Three beliefs are compared: with habits of all styles, without habits, and by counting alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from flagfall.arena.executor import LOCAL, executor_for
from flagfall.arena.simulate import observe_game
from flagfall.board import distance, parse_cell
from flagfall.edition import Game, load_game, resolve
from flagfall.match.play import Moment
from flagfall.players.belief import Belief
from flagfall.players.belief.assignments import Assignments
from flagfall.players.warm import warm_up
from flagfall.sides import SIDES

Report = Callable[[int, int, str], None]
STOPS = (50, 100, 200)
"""turns after which beliefs are compared with the truth"""
MAX_TURNS = 210
NEAR_FLAG = 2
"""hidden pieces at most this many steps from their Flag"""
CLASSES = ("all", "moved", "unmoved", "near the Flag")
BELIEFS = ("habits", "no habits", "counting")
Nats = dict[str, float]
"""belief → nats a hidden piece"""


@dataclass
class Losses:
    """The nats a hidden piece against one opponent, by class of piece and by turn."""

    sums: dict[tuple[str, int], NDArray[np.float64]] = field(
        default_factory=lambda: defaultdict(lambda: np.zeros(len(BELIEFS)))
    )
    pieces: dict[tuple[str, int], int] = field(default_factory=lambda: defaultdict(int))

    def add(self, which: str, stop: int, losses: NDArray[np.float64]) -> None:
        """Add the nats of one piece, by belief."""
        self.sums[which, stop] += losses
        self.pieces[which, stop] += 1

    def join(self, other: Losses) -> None:
        """Add those of other games."""
        for key, count in other.pieces.items():
            self.sums[key] += other.sums[key]
            self.pieces[key] += count

    def mean(self, which: str, stop: int | None = None) -> Nats | None:
        """Return the mean of a class, at one turn or over all."""
        keys = [(which, each) for each in STOPS if stop in (None, each)]
        count = sum(self.pieces[key] for key in keys)
        if not count:
            return None
        total = sum((self.sums[key] for key in keys), np.zeros(len(BELIEFS)))
        return {name: float(value) / count for name, value in zip(BELIEFS, total, strict=True)}


def measure(
    game_id: str, opponents: Sequence[str], level: str, games: int, jobs: int, seed: int, report: Report
) -> dict[str, Losses]:
    """Return what was believed of each opponent."""
    found = {opponent: Losses() for opponent in opponents}
    tasks = [(opponent, index) for index in range(games) for opponent in opponents]
    with executor_for(LOCAL, jobs, warm_up) as executor:
        results: Iterator[Losses] = executor.results(
            partial(_play, game_id, level, seed), tasks, in_order=True
        )
        for done, ((opponent, _), losses) in enumerate(zip(tasks, results, strict=True), start=1):
            found[opponent].join(losses)
            report(done, len(tasks), opponent)
    return found


def _play(game_id: str, level: str, seed: int, task: tuple[str, int]) -> Losses:
    opponent, index = task
    game, losses = load_game(game_id), Losses()
    side = index % 2
    players = (level, opponent) if side == 0 else (opponent, level)
    _watch(game, players, side, f"{seed}/{index}", losses)
    # plain dictionaries, so that another process can send them
    losses.sums, losses.pieces = dict(losses.sums), dict(losses.pieces)
    return losses


def _watch(game: Game, players: tuple[str, str], side: int, seed: str, losses: Losses) -> None:
    options = resolve(game, {})
    belief = Belief(game, options, SIDES[side])
    plain = Belief(game, options, SIDES[side], habits={})
    stops = list(STOPS)
    for moment in observe_game(game, options, players, seed, MAX_TURNS):
        if moment.side != SIDES[side] or not stops or moment.turn < stops[0]:
            continue
        stop = stops.pop(0)
        for each in (belief, plain):
            each.update(moment.view, moment.history)
        if belief.names:
            _compare(belief, plain, moment, stop, losses)


def _compare(belief: Belief, plain: Belief, moment: Moment, stop: int, losses: Losses) -> None:
    """Add the nats of every hidden piece on the board, by class."""
    kinds, true_kinds = len(belief.game.kinds), moment.game.true_kinds
    masks = [[row.kinds >> kind & 1 for kind in range(kinds)] for row in belief.hidden.rows]
    even = Assignments(np.array([masks], dtype=np.float64), belief.hidden.counts, np.ones(1)).chances()
    pieces = {piece.name: piece for piece in moment.view.pieces}
    flags = [
        parse_cell(pieces[name].cell)
        for name in belief.names
        if name in true_kinds and belief.game.kinds[true_kinds[name]].role == "flag"
    ]
    for row, name in enumerate(belief.names[: belief.hidden.on_board]):
        if name not in true_kinds:
            continue
        kind = true_kinds[name]
        chances = [table[row, kind] for table in (belief.marginals(), plain.marginals(), even)]
        nats = -np.log(np.maximum(np.array(chances), 1e-12))
        losses.add("all", stop, nats)
        losses.add("moved" if pieces[name].moved else "unmoved", stop, nats)
        cell = parse_cell(pieces[name].cell)
        if any(distance(cell, flag) <= NEAR_FLAG for flag in flags):
            losses.add("near the Flag", stop, nats)
