"""The lists of the report: turning points, attacks on hidden pieces, all turns."""

from __future__ import annotations

from html import escape

from flagfall.analysis.analyst import Opinion
from flagfall.analysis.review import Analysis, Step
from flagfall.analysis.turning_points import Attempt, TurningPoint, attempts, costly
from flagfall.edition import Game
from flagfall.notation.names import kind_word
from flagfall.players.chances import Odds, percent

_WORTH_TELLING = 0.01
_ENDINGS = {"won": "won", "both fell": "both fell", "lost": "lost", "nothing": "without effect"}
_CAUSES = {"choice": "by its own choice", "events": "by what happened"}


def point_rows(analysis: Analysis, points: list[TurningPoint]) -> str:
    """List the largest falls in the order of the game."""
    if not points:
        return "<p>No side’s estimate fell far at once.</p>"
    rows = [_point(analysis, point, number) for number, point in enumerate(points, start=1)]
    return f'<ol class="rows">{"".join(rows)}</ol>'


def _point(analysis: Analysis, point: TurningPoint, number: int) -> str:
    step, opinion = point.step, point.opinion
    name = escape(analysis.record.players[step.side])
    body = _by_choice(step, opinion) if point.cause == "choice" else _by_events(point)
    swing = _swing(point.before, point.after)
    return (
        f'<li class="card point {step.side}" id="p{number}">'
        f'<span class="badge" aria-hidden="true">{number}</span>'
        f'<div><div class="head"><h3><a href="#t{step.number}">{step.label}</a> '
        f'<span class="who">{name}</span> {_CAUSES[point.cause]}</h3>{swing}</div>'
        f"{_span(point.before, point.after)}{body}</div></li>"
    )


def _by_choice(step: Step, opinion: Opinion) -> str:
    later = "".join(
        f'<li><span class="act">{escape(turn.text)}</span> {escape(turn.words)}</li>'
        for turn in opinion.line[1:]
    )
    then = '<p class="soft">and then, as it imagined:</p>'
    line = f'{then}<ol class="line-of-play">{later}</ol>' if later else ""
    first = opinion.line[0].words if opinion.line else opinion.best_words
    return (
        f'<p>Played: <span class="act">{escape(step.text)}</span> {escape(step.words)}</p>'
        f'<p>Preferred: <span class="act">{escape(opinion.best)}</span> {escape(first)}</p>{line}'
    )


def _by_events(point: TurningPoint) -> str:
    told = point.happened[:4]
    items = "".join(
        f'<li><a href="#t{step.number}">{step.label}</a> <span class="act">{escape(step.text)}</span> '
        f"{escape(step.words)}</li>"
        for step in told
    )
    more = (
        f"<li>and {len(point.happened) - len(told)} more turns</li>"
        if len(point.happened) > len(told)
        else ""
    )
    return f'<ol class="line-of-play">{items}{more}</ol>'


def _swing(before: float, after: float) -> str:
    return f'<span class="swing">{percent(before)} → {percent(after)} {_points(after - before)}</span>'


def _points(change: float) -> str:
    """Return a change in per cent with its sign."""
    whole = round(100 * change)
    if not whole:
        return ""
    return f'<span class="{"up" if whole > 0 else "down"}">{"+" if whole > 0 else "−"}{abs(whole)}</span>'


def _span(before: float, after: float) -> str:
    low, high = sorted((before, after))
    part = f"left:{100 * low:.1f}%;width:{100 * (high - low):.1f}%"
    return (
        f'<div class="span" aria-hidden="true"><i style="{part}"></i>'
        f'<b style="left:{100 * after:.1f}%"></b></div>'
    )


def attack_rows(analysis: Analysis) -> str:
    """List the attacks that cost most."""
    found = attempts(analysis)
    if not found:
        return "<p>No hidden piece was attacked in the turns analysed.</p>"
    worst = costly(found)
    if not worst:
        return f"<p>{len(found)} attacks, and none of them cost its side anything.</p>"
    lead = f"{len(found)} attacks. Of those that were not won, these cost most, the worst first."
    rows = "".join(_attempt(analysis.game, attempt) for attempt in worst)
    return f'<p class="soft">{lead}</p><ol class="rows">{rows}</ol>'


def _attempt(game: Game, attempt: Attempt) -> str:
    step, trial = attempt.step, attempt.trial
    attacker, struck = (
        kind_word(game, trial.attacker, step.side),
        kind_word(game, trial.kind, step.side.other),
    )
    after = attempt.before if attempt.after is None else attempt.after
    return (
        f'<li class="card {step.side}"><div class="head"><h3><a href="#t{step.number}">{step.label}</a> '
        f'<span class="who">{escape(attacker)}</span> attacks {trial.cell}: {escape(struck)}, '
        f"{_ENDINGS[trial.ending]}</h3>{_swing(attempt.before, after)}</div>{_odds(trial.odds)}"
        f'<p class="soft">Expected: {trial.odds.words()}. It was {escape(struck)}, to which '
        f"it gave {percent(trial.chance)}.</p></li>"
    )


def _odds(odds: Odds) -> str:
    parts = (("wins", odds.wins), ("both", odds.both_fall), ("loses", odds.loses))
    bars = "".join(f'<i class="{name}" style="width:{100 * chance:.1f}%"></i>' for name, chance in parts)
    return f'<div class="odds" aria-hidden="true">{bars}</div>'


def turn_rows(analysis: Analysis) -> str:
    """List every turn with the mover's estimate and the action that it preferred."""
    return f'<ol class="turns">{"".join(_turn(step) for step in analysis.steps)}</ol>'


def _turn(step: Step) -> str:
    better = bar = ""
    if step.opinion is not None:
        opinion = step.opinion
        bar = (
            f'<div class="bar">{percent(opinion.estimate)}'
            f'<span aria-hidden="true"><i style="width:{100 * opinion.estimate:.1f}%"></i></span></div>'
        )
        if opinion.given_away >= _WORTH_TELLING:
            cost = f"−{100 * opinion.given_away:.0f}"
            better = (
                f'<div class="better">{cost}; preferred <span class="act">{escape(opinion.best)}</span></div>'
            )
    return (
        f'<li class="{step.side}" id="t{step.number}"><span class="label">{step.label}</span>'
        f'<div><span class="act">{escape(step.text)}</span> {escape(step.words)}{better}</div>{bar}</li>'
    )
