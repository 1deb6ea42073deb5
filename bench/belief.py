"""Measure beliefs: log-loss of the true kinds through games, the rank of the true flag, time, and samples.

Counting (every possible assignment is equally likely) is the baseline.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from flagfall.arena.simulate import observe_game
from flagfall.edition import Game, resolve
from flagfall.match.play import Moment
from flagfall.players.belief import Belief
from flagfall.players.belief.assignments import Assignments
from flagfall.sides import SIDES

Report = Callable[[int, int, str], None]
STOPS = (0, 50, 100, 200, 300)
"""turns after which beliefs are compared with the truth"""
MAX_TURNS = 320


@dataclass
class Figures:
    """The figures of one game id."""

    loss: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    setup_loss: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """without behaviour"""
    counting: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    flag_place: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    first_ms: list[float] = field(default_factory=list)
    update_ms: list[float] = field(default_factory=list)
    draw_us: list[float] = field(default_factory=list)
    drawn: int = 0
    impossible: int = 0

    def summary(self) -> dict[str, object]:
        """Return the figures as printed."""
        return {
            "loss": _means(self.loss),
            "without_behaviour": _means(self.setup_loss),
            "counting": _means(self.counting),
            "flag_place": _means(self.flag_place),
            "first_ms": _median(self.first_ms),
            "update_ms": _median(self.update_ms),
            "draw_us": _median(self.draw_us),
            "drawn": self.drawn,
            "impossible": self.impossible,
        }


def _median(values: list[float]) -> float:
    """Return the mean, or 0 of nothing: the shortest games have no later turns."""
    return round(statistics.median(values), 1) if values else 0.0


def _means(values: dict[int, list[float]]) -> dict[int, float]:
    return {stop: round(statistics.fmean(found), 3) for stop, found in sorted(values.items())}


def measure(
    chosen: Sequence[Game], player: str, games: int, samples: int, seed: int, report: Report
) -> dict[str, dict[str, object]]:
    """Return the figures by game id."""
    found: dict[str, dict[str, object]] = {}
    for number, game in enumerate(chosen):
        figures = Figures()
        for index in range(games):
            report(number * games + index, len(chosen) * games, game.id)
            _one_game(game, player, f"{seed}/{index}", samples, figures)
        found[game.id] = figures.summary()
    report(len(chosen) * games, len(chosen) * games, "done")
    return found


def _one_game(game: Game, player: str, seed: str, samples: int, figures: Figures) -> None:
    options = resolve(game, {})
    pairs = [(Belief(game, options, seat), Belief(game, options, seat, habits={})) for seat in SIDES]
    stops = [set(STOPS), set(STOPS)]
    for moment in observe_game(game, options, (player, player), seed, MAX_TURNS):
        belief, plain = pairs[moment.side]
        begun = time.perf_counter()
        belief.update(moment.view, moment.history)
        belief.marginals()
        spent = (time.perf_counter() - begun) * 1e3
        (figures.first_ms if moment.turn < 2 else figures.update_ms).append(spent)
        _draw(belief, moment, samples, figures)
        due = {stop for stop in stops[moment.side] if stop <= moment.turn}
        stops[moment.side] -= due
        if due and belief.names:
            plain.update(moment.view, moment.history)
            _compare(belief, plain, moment, max(due), figures)


def _draw(belief: Belief, moment: Moment, samples: int, figures: Figures) -> None:
    """Draw samples, and check each against the View."""
    begun = time.perf_counter()
    drawn = belief.sample(samples, moment.turn)
    figures.draw_us.append((time.perf_counter() - begun) * 1e6 / samples)
    figures.drawn += samples
    pieces = {piece.name: piece for piece in moment.view.pieces}
    kinds = [kind.id for kind in belief.game.kinds]
    for at, name in enumerate(belief.names):
        may_be = [kind in pieces[name].possible for kind in kinds]
        figures.impossible += int((~np.array(may_be)[drawn[:, at]]).sum())


def _compare(belief: Belief, plain: Belief, moment: Moment, stop: int, figures: Figures) -> None:
    """Return nats per hidden piece on the board: by the belief, by setups alone, and by counting."""
    kinds = len(belief.game.kinds)
    masks = [[row.kinds >> kind & 1 for kind in range(kinds)] for row in belief.hidden.rows]
    rows = [at for at, name in enumerate(belief.names) if name in moment.game.true_kinds]
    true = [moment.game.true_kinds[belief.names[at]] for at in rows]
    if not rows or rows[-1] >= len(masks):
        return
    even = Assignments(np.array([masks], dtype=np.float64), belief.hidden.counts, np.ones(1))
    for chances, kept in (
        (belief.marginals(), figures.loss),
        (plain.marginals(), figures.setup_loss),
        (even.chances(), figures.counting),
    ):
        kept[stop].append(float(-np.log(np.maximum(chances[rows, true], 1e-12)).mean()))
    flags = belief.flag_chances()
    for name, chance in flags.items():
        if belief.game.kinds[moment.game.true_kinds.get(name, 0)].role == "flag":
            figures.flag_place[stop].append(1.0 + sum(other > chance for other in flags.values()))
