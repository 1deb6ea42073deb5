"""Fit piece values to the results of games, and the scale from a lead to a win probability.

The mover's win probability is logistic in its material lead divided by a scale: an offset plus a share of the
value of the most valuable kind. Material is the evaluation of the true counts of kinds, so all its terms are
fitted as they are: derivatives are computed numerically, a logistic regression in small moves is solved, and
so on. Which weights matter is found by moving them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from flagfall.arena.tally import Z95
from flagfall.players.evaluation.piece_values import Weights
from flagfall.players.evaluation.weights_file import weight_names
from flagfall.players.searcher import SCALE
from flagfall.tuning import logistic
from flagfall.tuning.examples import Examples
from flagfall.tuning.weight_space import Space, can_move, unit

Reals = NDArray[np.float64]
Report = Callable[[int, int, str], None]
GAMES = (
    "onyx/classic",
    "barrage/classic",
    "lotr/classic",
    "spin-master/standard",
    "duel-masters/elemental-powers",
    "lotr/special-powers",
    "fire-and-ice/special-powers",
)
OPPONENTS = ("greedy", "rusher", "turtle", "bluffer", "chaser")
ROUNDS = 8
_SLOPE = 0.02
_FURTHEST = 0.6
"""the largest move in one round"""
_ENOUGH = 1e-3
_TRIED = 300
"""positions on which numerical derivatives are computed"""
SPREAD = {"weight": 0.5, "scale": 1.0, "turn": 30.0, "edge": 2.0}
"""standard deviations of the prior around the values in use"""


@dataclass(frozen=True, eq=False)
class Point:
    """Moves of everything that is fitted: weights, scale, the value of the turn, opponents."""

    weights: Reals
    scale: Reals
    turn: float
    edge: Reals

    def flat(self) -> Reals:
        """Return all of them as one row."""
        return np.concatenate([self.weights, self.scale, [self.turn], self.edge])


@dataclass(frozen=True)
class Freedom:
    """Which parameters may move."""

    names: tuple[str, ...] = ()
    has_scale: bool = False


@dataclass(eq=False)
class Fit:
    """One model, fitted to the games that are not held out."""

    found: Examples
    space: Space
    freedom: Freedom
    point: Point = field(init=False)
    history: list[float] = field(default_factory=list)
    """the objective after each round"""

    def __post_init__(self) -> None:
        self.point = Point(
            np.zeros(len(self.space.names)), np.zeros(2), 0.0, np.zeros(len(self.found.opponents))
        )
        sizes = (len(self.space.names), 2, 1, len(self.found.opponents))
        self.spread = np.repeat([SPREAD[sort] for sort in ("weight", "scale", "turn", "edge")], sizes)
        free = [bool(self.freedom.names), self.freedom.has_scale, self.freedom.has_scale, True]
        self.free = np.repeat(free, sizes)
        self.is_used = ~self.found.is_held_out
        self._cached_leads: tuple[Weights, tuple[Reals, Reals]] | None = None

    @property
    def weights(self) -> Weights:
        """The weights at the current point."""
        return self.space.at([float(move) for move in self.point.weights])

    @property
    def scale(self) -> tuple[float, float]:
        """The offset and slope of the scale."""
        first, second = np.array(SCALE) * np.exp(self.point.scale)
        return float(first), float(second)

    def odds(self, point: Point | None = None) -> Reals:
        """Return the mover's log odds in every position."""
        point = point or self.point
        lead, top_values = self._leads(self.space.at([float(move) for move in point.weights]))
        first, second = np.array(SCALE) * np.exp(point.scale)
        result: Reals = (lead + point.turn) / (first + second * top_values) + self.found.edge @ point.edge
        return result

    def _leads(self, weights: Weights) -> tuple[Reals, Reals]:
        """Return the leads of all positions; the last result is cached, since it takes most of the time."""
        if self._cached_leads is None or self._cached_leads[0] != weights:
            self._cached_leads = weights, self.found.leads(weights)
        return self._cached_leads[1]

    def run(self, report: Report, label: str) -> Fit:
        """Iterate until the objective no longer improves."""
        z = self.odds()
        self.history = [self._total(z, self.point)]
        for number in range(ROUNDS):
            report(number, ROUNDS, f"{label}: {self.history[-1]:.3f}")
            step = self._step(z, self.columns(z))
            for part in (1.0, 0.5, 0.25, 0.1):
                point = self._moved(step * part)
                there = self.odds(point)
                if (value := self._total(there, point)) < self.history[-1]:
                    break
            else:
                break
            gained = self.history[-1] - value
            self.point, z = point, there
            self.history.append(value)
            if gained < _ENOUGH:
                break
        return self

    def _total(self, z: Reals, point: Point) -> float:
        used = self.is_used
        results, counts = self.found.results[used], self.found.counts[used]
        return logistic.total(z[used], results, counts, point.flat(), self.spread)

    def _moved(self, step: Reals) -> Point:
        n, flat = len(self.space.names), self.point.flat() + step
        return Point(flat[:n], flat[n : n + 2], float(flat[n + 2]), flat[n + 3 :])

    def _step(self, z: Reals, columns: Reals) -> Reals:
        used, free = self.is_used, self.free
        made = logistic.moves(
            z[used],
            columns[np.ix_(used, free)],
            self.found.results[used],
            self.found.counts[used],
            self.point.flat()[free],
            self.spread[free],
        )
        step = np.zeros(len(free))
        step[free] = made
        few = len(self.space.names) + 2
        step[:few] = np.clip(step[:few], -_FURTHEST, _FURTHEST)
        return step

    def columns(self, z: Reals) -> Reals:
        """Return the numerical derivatives of the log odds."""
        flat = self.point.flat()
        few = len(self.space.names) + 3
        found = np.zeros((len(z), len(flat)))
        found[:, few:] = self.found.edge
        for at in np.flatnonzero(self.free[:few])[::-1]:  # those first that leave the weights as they are
            step = np.zeros(len(flat))
            step[at] = _SLOPE * (self.spread[at] if at == few - 1 else 1.0)
            found[:, at] = (self.odds(self._moved(step)) - z) / step[at]
        return found

    def intervals(self) -> Reals:
        """Return the 95 % interval of every weight's move: ``[weight, bound]``."""
        z, used, free = self.odds(), self.is_used, self.free
        columns = self.columns(z)[np.ix_(used, free)]
        widths = logistic.widths(z[used], columns, self.found.counts[used], self.spread[free])
        middle, half = self.point.weights, Z95 * widths[: len(self.space.names)]
        return np.stack([middle - half, middle + half], axis=1)

    def by_game(self) -> Reals:
        """Return the mean loss per game."""
        lost = self.found.counts * logistic.losses(self.odds(), self.found.results)
        found: Reals = np.bincount(self.found.played, weights=lost).astype(np.float64)
        return found

    def loss(self, is_chosen: NDArray[np.bool_]) -> float:
        """Return the mean loss over these positions, with equal weight for every game."""
        counts = self.found.counts[is_chosen]
        lost = logistic.losses(self.odds()[is_chosen], self.found.results[is_chosen])
        return float(counts @ lost / counts.sum()) if len(counts) else float("nan")


def material(found: Examples, weights: Weights) -> tuple[str, ...]:
    """Return the weights that affect the lead of some position, without the unit."""
    step = max(1, len(found.results) // _TRIED)
    lead, _ = found.leads(weights, step)
    names = []
    for name in weight_names():
        if name == unit() or not can_move(weights, name):
            continue
        other, _ = found.leads(replace(weights, **{name: getattr(weights, name) * 0.95}), step)
        if np.abs(other - lead).max(initial=0.0) > 1e-9:
            names.append(name)
    return tuple(names)


@dataclass(frozen=True, eq=False)
class Findings:
    """The three models: in use, with a fitted scale, and with fitted weights and scale."""

    found: Examples
    in_use: Fit
    scaled: Fit
    fitted: Fit
    intervals: Reals

    def gain(self, model: Fit, than: Fit) -> tuple[float, float]:
        """Return how much better a model is on held-out games, in nats per game, and the 95 % margin."""
        by_game = (than.by_game() - model.by_game())[self.found.held_out_games()]
        if len(by_game) < 2:
            return float(by_game.sum()), math.inf
        return float(by_game.mean()), float(Z95 * by_game.std(ddof=1) / math.sqrt(len(by_game)))


def fit(found: Examples, start: Weights, names: Sequence[str], report: Report) -> Findings:
    """Fit all three models; ``names`` are the weights that may move."""
    space = Space(start, names)
    in_use = Fit(found, space, Freedom()).run(report, "as it is")
    scaled = Fit(found, space, Freedom((), True)).run(report, "scale")
    fitted = Fit(found, space, Freedom(tuple(names), True))
    fitted.point = scaled.point
    fitted.run(report, "weights")
    return Findings(found, in_use, scaled, fitted, fitted.intervals())
