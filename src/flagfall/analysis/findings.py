"""What an analysis has found, for one viewer: the report and the web client show the same `Findings`.

``truth`` is shown everything. South and North are shown only what followed from what they saw: their own
estimates and verdicts, and never a kind, an estimate or a word that they did not have during the game.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from msgspec import Struct

from flagfall.analysis.analyst import Belief, Ending, Grade, Opinion
from flagfall.analysis.review import Analysis, Step
from flagfall.analysis.turning_points import Cause, TurningPoint, attempts, turning_points
from flagfall.languages import say
from flagfall.players.chances import percent
from flagfall.players.line import LineTurn
from flagfall.sides import SIDES, Side

Reader = Literal["south", "north", "truth"]
"""whose knowledge the findings keep to"""
READERS: tuple[Reader, ...] = ("south", "north", "truth")
_BAD: frozenset[Grade] = frozenset({"mistake", "blunder"})
_SCORES = {"won": 1.0, "both fell": 0.5}
LUCKY = 0.75
"""fights more or fewer than expected that are worth a word"""


class Verdict(Struct, frozen=True):
    """The action that was played against the best one."""

    estimate: float
    """chance to win with the best action"""
    played: float
    """chance to win with the action that was played"""
    grade: Grade
    best: str
    """the best action in notation"""
    words: str
    origin: str
    target: str
    line: tuple[LineTurn, ...]
    """the best action and what was expected to follow; empty unless a clearly worse one was played"""


class TurnFinding(Struct, frozen=True):
    """One turn."""

    turn: int
    """from 0"""
    side: Side
    label: str
    words: str
    known: Verdict | None
    """given what the mover knew; None if it is not shown or was not analysed"""
    truth: Verdict | None
    """given the truth; None unless everything is shown"""


class TurningFinding(Struct, frozen=True):
    """A turning point: a large fall of one side's estimate."""

    turn: int
    side: Side
    label: str
    cause: Cause
    before: float
    after: float
    last: int
    """the last turn that belongs to it"""
    words: str


class FightFinding(Struct, frozen=True):
    """An attack on a hidden piece: what was to be expected and what came of it."""

    turn: int
    side: Side
    label: str
    attacker: str
    square: str
    defender: str
    """the true kind; empty unless everything is shown"""
    wins: float
    both_fall: float
    loses: float
    ending: Ending

    @property
    def expected(self) -> float:
        """The expected score: a fight in which both fall counts half."""
        return self.wins + self.both_fall / 2

    @property
    def score(self) -> float:
        """The score."""
        return _SCORES.get(self.ending, 0.0)


class SideFindings(Struct, frozen=True):
    """Luck and skill of one side."""

    side: Side
    name: str
    turns: int
    """analysed turns"""
    given_away: float
    """mean chance to win that was lost by a choice, from what the side knew"""
    mistakes: int
    """choices that lost a tenth or more"""
    fights: int
    """attacks on hidden pieces"""
    won: float
    """how many were won; one in which both fell counts half"""
    expected: float
    """how many were to be expected"""
    trust: float | None
    """mean chance given to the true kinds; None if nothing was hidden, or is not shown"""


class Findings(Struct, frozen=True):
    """Everything that a viewer may see of a review."""

    viewer: Reader
    level: str
    nodes: int | None
    turns: tuple[TurnFinding, ...]
    turning_points: tuple[TurningFinding, ...]
    fights: tuple[FightFinding, ...]
    sides: tuple[SideFindings, ...]
    summary: tuple[str, ...]


def turn_number(turn: int) -> str:
    """Return the number that people read in a list of moves, which counts the turns of both sides."""
    return str(turn + 1)


def findings(
    analysis: Analysis, viewer: Reader = "truth", turn_name: Callable[[int], str] = turn_number
) -> Findings:
    """Return what has been found so far, as far as a viewer may see it.

    ``turn_name`` names a turn in the summary.
    """
    shown = (
        analysis if viewer == "truth" else replace(analysis, steps=seen_steps(analysis.steps, Side(viewer)))
    )
    points = turning_points(shown)
    fights = _fights(shown)
    readers = SIDES if viewer == "truth" else (Side(viewer),)
    sides = tuple(_side(shown, side, fights) for side in readers)
    return Findings(
        viewer=viewer,
        level=analysis.level,
        nodes=analysis.budget.nodes,
        turns=tuple(
            TurnFinding(
                step.number, step.side, step.label, step.words, _verdict(step.opinion), _verdict(step.truth)
            )
            for step in shown.steps
        ),
        turning_points=tuple(_turning(point) for point in points),
        fights=fights,
        sides=sides,
        summary=tuple(_summary(shown, points, sides, turn_name)),
    )


def seen_steps(steps: Sequence[Step], side: Side) -> list[Step]:
    """Return the steps as one side could have known them."""
    return [
        Step(
            step.number,
            step.side,
            step.text if step.side is side else "",
            step.told[side],
            _blindfolded(step.opinion) if step.side is side and step.opinion else None,
        )
        for step in steps
    ]


def _blindfolded(opinion: Opinion) -> Opinion:
    """Return the opinion without what was compared with the truth."""
    trial = opinion.trial and replace(opinion.trial, kind="", chance=0.0)
    return replace(opinion, sight=None, trial=trial)


def beliefs_at(steps: Sequence[Step], turn: int, viewer: Reader) -> dict[Side, dict[str, Belief]]:
    """Return what each side last believed of hidden pieces when so many turns had been played."""
    found: dict[Side, dict[str, Belief]] = {}
    for side in SIDES if viewer == "truth" else (Side(viewer),):
        last = next(
            (step.opinion for step in reversed(steps[: turn + 1]) if step.side is side and step.opinion), None
        )
        found[side] = dict(last.beliefs) if last else {}
    return found


def _verdict(opinion: Opinion | None) -> Verdict | None:
    if opinion is None:
        return None
    return Verdict(
        round(opinion.estimate, 4),
        round(opinion.played, 4),
        opinion.grade,
        opinion.best,
        opinion.line[0].words if opinion.line else opinion.best_words,
        opinion.origin,
        opinion.target,
        opinion.line,
    )


def _turning(point: TurningPoint) -> TurningFinding:
    step = point.step
    last = point.happened[-1].number if point.happened else step.number
    words = " ".join(one.words for one in point.happened[:2]) if point.happened else step.words
    return TurningFinding(
        step.number,
        step.side,
        step.label,
        point.cause,
        round(point.before, 4),
        round(point.after, 4),
        last,
        words,
    )


def _fights(analysis: Analysis) -> tuple[FightFinding, ...]:
    return tuple(
        FightFinding(
            one.step.number,
            one.step.side,
            one.step.label,
            one.trial.attacker,
            one.trial.cell,
            one.trial.kind,
            round(one.trial.odds.wins, 4),
            round(one.trial.odds.both_fall, 4),
            round(one.trial.odds.loses, 4),
            one.trial.ending,
        )
        for one in attempts(analysis)
    )


def _side(analysis: Analysis, side: Side, fights: Sequence[FightFinding]) -> SideFindings:
    opinions = [opinion for _, opinion in analysis.opinions(side)]
    own = [fight for fight in fights if fight.side is side]
    trusts = [opinion.sight.trust for opinion in opinions if opinion.sight]
    return SideFindings(
        side=side,
        name=analysis.record.shown_names[side],
        turns=len(opinions),
        given_away=statistics.fmean(one.given_away for one in opinions) if opinions else 0.0,
        mistakes=sum(one.grade in _BAD for one in opinions),
        fights=len(own),
        won=sum(fight.score for fight in own),
        expected=sum(fight.expected for fight in own),
        trust=statistics.fmean(trusts) if trusts else None,
    )


# ---------------------------------------------------------------------- the summary


def _summary(
    analysis: Analysis,
    points: Sequence[TurningPoint],
    sides: Sequence[SideFindings],
    turn_name: Callable[[int], str],
) -> list[str]:
    """Tell the game in a few sentences."""
    sentences = [_ending(analysis), _lead(analysis, turn_name), _largest(analysis, points, turn_name)]
    sentences += [_skill(side) for side in sides] + [_luck(side) for side in sides]
    return [sentence for sentence in sentences if sentence]


def _ending(analysis: Analysis) -> str:
    result, turns = analysis.result, len(analysis.record.turns)
    if result is None:
        return ""
    if not result.winner:
        return say("review.drawn", turns=turns, reason=result.reason)
    winner = Side(result.winner)
    if result.reason == "resigned":
        return say("review.summary.resigned", name=_name(analysis, winner.other), turns=turns)
    return say("review.won", name=_name(analysis, winner), turns=turns, reason=result.reason)


def _lead(analysis: Analysis, turn_name: Callable[[int], str]) -> str:
    """Tell from when on the winner was ahead, given the truth."""
    if analysis.result is None or not analysis.result.winner:
        return ""
    winner = Side(analysis.result.winner)
    ahead = [
        (step, step.truth.estimate > 0.5) if step.side is winner else (step, step.truth.estimate < 0.5)
        for step in analysis.steps
        if step.truth
    ]
    behind = [step for step, is_ahead in ahead if not is_ahead]
    if not ahead:
        return ""
    if not behind:
        return say("review.lead.always", name=_name(analysis, winner))
    last = behind[-1].number
    if last >= len(analysis.record.turns) - 2:
        return say("review.lead.at-the-end", name=_name(analysis, winner))
    return say("review.lead.from-turn", name=_name(analysis, winner), turn=turn_name(last + 1))


def _largest(analysis: Analysis, points: Sequence[TurningPoint], turn_name: Callable[[int], str]) -> str:
    if not points:
        return say("review.turning-point.none")
    point = max(points, key=lambda one: (one.cause == "missed win", one.fall))
    return say(
        f"review.turning-point.{point.cause.replace(' ', '-')}",
        name=_name(analysis, point.step.side),
        turn=turn_name(point.step.number),
        before=percent(point.before),
        after=percent(point.after),
    )


def _skill(side: SideFindings) -> str:
    if not side.turns:
        return ""
    key = "review.skill" if side.mistakes else "review.no-mistakes"
    return say(key, name=side.name, mistakes=side.mistakes, turns=side.turns)


def _luck(side: SideFindings) -> str:
    if not side.fights:
        return ""
    gain = side.won - side.expected
    if abs(gain) < LUCKY:
        return ""
    key = "review.lucky" if gain > 0 else "review.unlucky"
    return say(key, name=side.name, number=side.fights, won=side.won, expected=round(side.expected))


def _name(analysis: Analysis, side: Side) -> str:
    return analysis.record.shown_names[side]
