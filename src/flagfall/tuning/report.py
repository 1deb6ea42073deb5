"""The plots of fitting runs as HTML files: weights over iterations, calibration, rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from flagfall.arena.charts import Curve, figure, lines, page, signed_bars, table
from flagfall.tuning.calibration import Bin
from flagfall.tuning.designs import Effect
from flagfall.tuning.spsa import Iteration

_WINDOW = 10


def spsa_page(steps: Sequence[Iteration]) -> str:
    """Plot every weight, and the score of plus against minus, over the iterations."""
    if not steps:
        return page("Weights by playing", ["<h1>Weights by playing</h1><p>No iteration yet.</p>"])
    plan = steps[-1].plan
    scores = [step.score for step in steps]
    means: list[tuple[float, float]] = []
    for at in range(len(scores)):
        window = scores[max(0, at + 1 - _WINDOW) : at + 1]
        means.append((at + 1.0, sum(window) / len(window)))
    raw = [(at + 1.0, score) for at, score in enumerate(scores)]
    parts = [
        "<h1>Weights by playing</h1>",
        f"<p>{escape(_conditions(steps))}</p>",
        table(("weight", "start", "now"), _rows(steps[-1])),
        "<h2>Score</h2>",
        figure(
            lines([("each iteration", raw), (f"mean of {_WINDOW}", means)], "score of plus", 0.5),
            "share of the points of plus against minus; it goes up and down, and should not stay on a side",
        ),
        "<h2>Weights</h2>",
    ]
    for name in plan.names:
        curve = [(0.0, plan.start[name])]
        curve += [(step.number + 1.0, step.weights[name]) for step in steps]
        parts.append(figure(lines([(name, curve)], name, plan.start[name]), f"{name} over the iterations"))
    return page("Weights by playing", parts)


def _conditions(steps: Sequence[Iteration]) -> str:
    plan = steps[-1].plan
    return (
        f"{len(steps)} iterations of {2 * plan.pairs} games: {', '.join(plan.games)}; {plan.player}, "
        f"{plan.nodes} nodes an action; rate {plan.rate:g}, size {plan.size:g}, seed {plan.seed}."
    )


def _rows(step: Iteration) -> list[tuple[str, str, str]]:
    return [(name, f"{step.plan.start[name]:.5g}", f"{step.weights[name]:.5g}") for name in step.plan.names]


def fit_page(
    title: str,
    tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[object]]]],
    calibrations: Mapping[str, Sequence[Bin]],
    rounds: Sequence[float],
) -> str:
    """Return the tables of a fit, its calibration, and its progress."""
    parts = [f"<h1>{escape(title)}</h1>"]
    for heading, columns, rows in tables:
        parts += [f"<h2>{escape(heading)}</h2>", table(columns, rows)]
    curves: list[tuple[str, Curve]] = [("as it should be", [(0.0, 0.0), (1.0, 1.0)])]
    curves += [(name, [(one.said, one.happened) for one in bins]) for name, bins in calibrations.items()]
    parts += [
        "<h2>Chances against results</h2>",
        figure(lines(curves, "calibration"), "across: the chance that was said; up: what happened"),
        "<h2>Rounds</h2>",
        figure(
            lines([("sum", [(float(at), value) for at, value in enumerate(rounds)])], "what is made small"),
            "losses of the fitted games, and the price of straying, after each round",
        ),
    ]
    return page(title, parts)


def rounds_page(title: str, curves: Mapping[str, Sequence[tuple[str, Curve]]]) -> str:
    """Plot numbers over the rounds of a run, one plot per heading."""
    parts = [f"<h1>{escape(title)}</h1>"]
    for heading, series in curves.items():
        parts += [f"<h2>{escape(heading)}</h2>", figure(lines(series, heading), "over the rounds")]
    return page(title, parts)


def design_page(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], effects: Sequence[Effect]
) -> str:
    """Plot what each weight does, with its 95 % interval, above the table."""
    order = sorted(effects, key=lambda effect: -effect.points)
    intervals = [
        (one.name, 100 * one.points, 100 * (one.points - 2 * one.error), 100 * (one.points + 2 * one.error))
        for one in order
    ]
    caption = "points in a hundred games that moving the weight up by one size brings, with 95 % intervals"
    parts = [
        f"<h1>{escape(title)}</h1>",
        figure(signed_bars(intervals, "effects"), caption),
        table(columns, rows),
    ]
    return page(title, parts)
