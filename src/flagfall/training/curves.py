"""The curves of a run as a page: results against named players and itself, and what the learner notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flagfall.arena import charts
from flagfall.training.recipe import Recipe

if TYPE_CHECKING:
    from flagfall.training.run import Line

_NAMES = {
    "entropy": "Entropy of the policy, in nats",
    "value": "Error of the values, squared",
    "distance": "Distance from the reference, in nats",
}
_POINTS = 200


def curves_page(recipe: Recipe, lines: Sequence[Line]) -> str:
    """Return a whole page without scripts."""
    parts = [f"<h1>{recipe.game}: learning</h1>"]
    learned = [line for line in lines if line.losses]
    evaluated = [line for line in lines if line.outcomes]
    if learned:
        last = learned[-1]
        parts.append(
            f"<p>{last.update} updates, {last.positions} positions, {last.seconds / 60:.1f} minutes, "
            f"{last.processor_seconds / 60:.1f} of the processor.</p>"
        )
    if evaluated:
        names = [outcome.against for outcome in evaluated[-1].outcomes]
        series = [
            (
                name,
                [
                    (line.seconds / 60, 100 * outcome.won / outcome.games)
                    for line in evaluated
                    for outcome in line.outcomes
                    if outcome.against == name
                ],
            )
            for name in names
        ]
        plot = charts.lines(series, "games won, in percent")
        parts.append(charts.figure(plot, "Games won in percent, by minutes of learning"))
        rows = [
            (f"{line.seconds / 60:.1f}", line.update, *(outcome.words() for outcome in line.outcomes))
            for line in evaluated
        ]
        parts.append(charts.table(["minutes", "update", *names], rows))
    measured = [(line, line.exploitability) for line in lines if line.exploitability is not None]
    if measured:
        sides = ("on average", "mean"), ("as South", "as_south"), ("as North", "as_north")
        series = [
            (name, [(line.seconds / 60, getattr(found, field)) for line, found in measured])
            for name, field in sides
        ]
        turns = measured[-1][1].max_turns
        title = (
            f"What a best response wins in points, in games of at most {turns} turns, by minutes of learning"
        )
        parts.append(charts.figure(charts.lines(series, "points"), title))
        rows = [
            (
                f"{line.seconds / 60:.1f}",
                line.update,
                *(f"{getattr(found, field):+.4f}" for _, field in sides),
            )
            for line, found in measured
        ]
        parts.append(charts.table(["minutes", "update", *(name for name, _ in sides)], rows))
    for key, name in _NAMES.items():
        curve = _thinned([(line.seconds / 60, line.losses[key]) for line in learned])
        parts.append(charts.figure(charts.lines([(key, curve)], name), f"{name}, by minutes of learning"))
    lengths = _thinned(
        [
            (line.seconds / 60, line.results["itself"]["turns"] / line.results["itself"]["games"])
            for line in learned
            if line.results.get("itself", {}).get("games")
        ]
    )
    plot = charts.lines([("turns", lengths)], "turns of a game")
    parts.append(charts.figure(plot, "Turns of a game against itself, by minutes of learning"))
    return charts.page(f"{recipe.game}: learning", parts)


def _thinned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return at most some hundred points: the means of neighbours."""
    step = max(1, -(-len(points) // _POINTS))
    parts = [points[at : at + step] for at in range(0, len(points), step)]
    return [(part[-1][0], sum(y for _, y in part) / len(part)) for part in parts]
