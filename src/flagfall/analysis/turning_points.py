"""Where a game turned: the largest falls of a side's win estimate, and attacks that cost more than expected.

Between two turns of one side its estimate changes twice::

    12s  before ──► after the action it chose ──► 13s before
            its own choice         the outcome, and the enemy's turn
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flagfall.analysis.analyst import BlindAttack, Opinion
from flagfall.analysis.review import Analysis, Step
from flagfall.sides import SIDES, Side

Cause = Literal["choice", "events", "missed win"]
"""a missed win is judged by the truth: the side may not have been able to see it"""
MAX_POINTS = 8
MIN_FALL = 0.04
NEAR = 6
"""turns within which only the largest fall of a side and cause is shown; more in a long game"""
MAX_ALIKE = 3
"""maximum number of falls of one side and cause"""
_OFF_THE_BOARD = frozenset({"resigned", "agreed", "time"})
"""results that are no turning point: nothing happened on the board"""
MAX_ATTACKS = 12
MIN_COST = 0.005
WON = 0.97
"""estimate, given the truth, from which on a position is won"""
MIN_MISSED = 0.2
"""what a choice must lose, given the truth, to throw a win away

One that leaves a Flag may lose less, and one after which a sure win is gone at the next turn.
"""


@dataclass(frozen=True)
class TurningPoint:
    """A fall of one side's estimate."""

    step: Step
    """the turn of that side at which it began"""
    opinion: Opinion
    cause: Cause
    before: float
    after: float
    happened: tuple[Step, ...]
    """for ``events``: the turns during which it happened, its own first"""
    is_lost: bool = False
    """for a missed win: the win was gone at the side's next turn, or later, if a Flag was left for it"""

    @property
    def fall(self) -> float:
        """The size of the fall."""
        return self.before - self.after


@dataclass(frozen=True)
class Attempt:
    """An attack on a hidden piece, with the estimates before and after."""

    step: Step
    trial: BlindAttack
    before: float
    after: float | None
    """at the side's next turn; None if there is none and the game is unfinished"""

    @property
    def cost(self) -> float:
        """The fall of the estimate."""
        return 0.0 if self.after is None else self.before - self.after


def turning_points(analysis: Analysis, limit: int = MAX_POINTS) -> list[TurningPoint]:
    """Return the turning points in the order of the game: missed wins, then the largest falls of both sides.

    One cause is not repeated, but each win that was really lost is told: if it came back, that was another.
    """
    points = [point for side in SIDES for point in _falls(analysis, side) if point.fall >= MIN_FALL]
    near = max(NEAR, len(analysis.steps) // 20)
    kept: list[TurningPoint] = []
    for point in sorted(points, key=lambda one: (one.cause != "missed win", not one.is_lost, -one.fall)):
        alike = [other for other in kept if (other.step.side, other.cause) == (point.step.side, point.cause)]
        is_echo = not point.is_lost and any(
            abs(other.step.number - point.step.number) <= near for other in alike
        )
        is_echo = is_echo or any(other.step is point.step and other.cause == "missed win" for other in kept)
        is_one_too_many = len(alike) >= MAX_ALIKE and not point.is_lost
        if not is_echo and not is_one_too_many and len(kept) < limit:
            kept.append(point)
    return sorted(kept, key=lambda point: (point.step.number, point.cause == "events"))


def _falls(analysis: Analysis, side: Side) -> list[TurningPoint]:
    points = _missed_wins(analysis, side)
    opinions = analysis.opinions(side)
    for at, (step, opinion) in enumerate(opinions):
        if opinion.line:
            points.append(TurningPoint(step, opinion, "choice", opinion.estimate, opinion.played, ()))
        after = _next_estimate(analysis, side, at)
        if after is not None:
            end = opinions[at + 1][0].number if at + 1 < len(opinions) else len(analysis.steps)
            happened = tuple(analysis.steps[step.number : end])
            points.append(TurningPoint(step, opinion, "events", opinion.played, after, happened))
    return points


def _missed_wins(analysis: Analysis, side: Side) -> list[TurningPoint]:
    """Return the turns that threw a win away, and those that left a Flag for a win that never came.

    While a side could force a win the whole time, only the first Flag that it left is told, and those that
    the judge thinks cost it much.
    """
    points, won_until = list[TurningPoint](), -1
    truths = [(step, step.truth) for step, _ in analysis.opinions(side) if step.truth is not None]
    for at, (step, truth) in enumerate(truths):
        if truth.estimate < WON or truth.given_away <= 0:
            continue
        ended = next((end for end in range(at, len(truths)) if truths[end][1].estimate < WON), len(truths))
        outcome = truths[ended][1].estimate if ended < len(truths) else _final_score(analysis, side)
        never_came = truth.wins_at_once and outcome is not None and outcome < WON
        is_gone = truth.estimate == 1 and truth.played < WON and ended == at + 1 < len(truths)
        if truth.given_away >= MIN_MISSED or is_gone:
            is_lost = never_came or ended == at + 1
            points.append(TurningPoint(step, truth, "missed win", truth.estimate, truth.played, (), is_lost))
        elif never_came and outcome is not None and at > won_until:
            points.append(TurningPoint(step, truth, "missed win", truth.estimate, outcome, (), True))
        if truth.wins_at_once:
            won_until = ended
    return points


def _next_estimate(analysis: Analysis, side: Side, at: int) -> float | None:
    """Return the side's estimate at its next turn, or the result if there is none."""
    opinions = analysis.opinions(side)
    if at + 1 < len(opinions):
        return opinions[at + 1][1].estimate
    return _final_score(analysis, side)


def _final_score(analysis: Analysis, side: Side) -> float | None:
    """Return 1, ½ or 0 for the result of a side; None if there is none, or none on the board."""
    if analysis.result is None or analysis.result.reason in _OFF_THE_BOARD:
        return None
    winner = analysis.result.winner
    return 0.5 if not winner else float(winner == side)


def attempts(analysis: Analysis) -> list[Attempt]:
    """Return every analysed attack on a hidden piece, in the order of the game."""
    found = []
    for side in SIDES:
        for at, (step, opinion) in enumerate(analysis.opinions(side)):
            if opinion.trial is not None:
                after = _next_estimate(analysis, side, at)
                found.append(Attempt(step, opinion.trial, opinion.played, after))
    return sorted(found, key=lambda attempt: attempt.step.number)


def costly(found: list[Attempt], limit: int = MAX_ATTACKS) -> list[Attempt]:
    """Return the attacks that were not won and cost most, the worst first."""
    worse = [attempt for attempt in found if attempt.trial.ending != "won" and attempt.cost >= MIN_COST]
    return sorted(worse, key=lambda attempt: -attempt.cost)[:limit]
