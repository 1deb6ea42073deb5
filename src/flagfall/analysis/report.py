"""The analysis of a game as one HTML file without scripts; charts are inline SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from importlib.resources import files

from flagfall.analysis.analyst import BeliefAccuracy, Grade, Opinion
from flagfall.analysis.findings import Findings, SideFindings, findings
from flagfall.analysis.review import Analysis, Step
from flagfall.analysis.turning_points import Attempt, TurningPoint, attempts, costly, turning_points
from flagfall.arena.charts import Axis, Chart, Mark, Points, number_axis, page, percent_axis
from flagfall.edition import Game
from flagfall.notation import turn_label
from flagfall.notation.names import kind_word
from flagfall.players.chances import Odds, percent
from flagfall.sides import SIDES, Side

Accuracies = dict[Side, list[tuple[int, BeliefAccuracy | None]]]
"""turn and belief, by side"""
_WORTH_TELLING = 0.01
_ENDINGS = {"won": "won", "both fell": "both fell", "lost": "lost", "nothing": "without effect"}
GRADES: Mapping[Grade, str] = {
    "best": "the best action",
    "good": "a good action",
    "inaccuracy": "an inaccuracy",
    "mistake": "a mistake",
    "blunder": "a blunder",
}
_CAUSES = {"choice": "by its own choice", "events": "by what happened", "missed win": "missed a win"}


def html_page(analysis: Analysis) -> str:
    """Return the whole page."""
    points, found = turning_points(analysis), findings(analysis)
    parts = [
        _head(analysis),
        f'<p class="summary">{escape(" ".join(found.summary))}</p>',
        _sides(analysis, found),
        "<h2>Who thought they were winning</h2>",
        '<p class="soft">Each side’s own estimate before its turns, from what it could know. '
        "Numbers are turning points.</p>",
        _legend(analysis),
        f'<div class="card">{_win_chart(analysis, points)}</div>',
        "<h2>Turning points</h2>",
        _point_rows(analysis, points),
        "<h2>Belief against truth</h2>",
        '<p class="soft">What each side believed of the other’s hidden pieces, compared with the truth.</p>',
        _legend(analysis),
        _belief_charts(analysis),
        "<h2>Attacks on hidden pieces</h2>",
        _attack_rows(analysis),
        "<h2>Turn by turn</h2>",
        _turn_rows(analysis),
        _small_print(analysis),
    ]
    body = "\n".join(filter(None, parts)).replace(" %", "\N{NO-BREAK SPACE}%")
    style = (files("flagfall.analysis") / "report.css").read_text(encoding="utf-8")
    title = f"{analysis.game.id}: {' – '.join(analysis.record.shown_names)}"
    return page(title, ["<main>", body, "</main>"], style)


def _head(analysis: Analysis) -> str:
    game, record = analysis.game, analysis.record
    options = ", ".join(f"{name} = {value}" for name, value in sorted(record.options.items()))
    facts = [game.id, record.date, f"{len(record.turns)} turns", options and f"options: {options}"]
    names = " against ".join(
        f'<span class="who {side}">{escape(name)}</span>'
        for side, name in zip(SIDES, record.shown_names, strict=True)
    )
    stopped = ""
    if not analysis.is_complete:
        done = f"{len(analysis.steps)} of {len(record.turns)} turns"
        stopped = f'<p class="card notice">The analysis was stopped after {done}; the page shows those.</p>'
    return (
        f'<header><p class="soft">{escape(" · ".join(fact for fact in facts if fact))}</p>'
        f"<h1>{escape(game.edition.name)}: {escape(game.name)}</h1>"
        f'<p class="result">{names}. {_result(analysis)}</p></header>{stopped}'
    )


def _result(analysis: Analysis) -> str:
    result = analysis.record.result
    if result is None:
        return "Unfinished."
    if not result.winner:
        return escape(f"Drawn: {result.reason}.")
    winner = analysis.record.shown_names[Side(result.winner)]
    return escape(f"{winner} ({result.winner.title()}) wins: {result.reason}.")


def _sides(analysis: Analysis, found: Findings) -> str:
    return f'<section class="sides">{"".join(_side(analysis, side) for side in found.sides)}</section>'


def _side(analysis: Analysis, found: SideFindings) -> str:
    """Return a side's figures."""
    facts = [
        ("turns analysed", str(found.turns)),
        ("lost by its choices, per turn", f"{100 * found.given_away:.1f} %"),
        ("mistakes", str(found.mistakes)),
        ("attacks on hidden pieces", str(found.fights)),
        ("won", f"{found.won:g}"),
        ("expected", f"{found.expected:.1f}"),
        ("chance given to the true kinds", "–" if found.trust is None else percent(found.trust)),
    ]
    rows = "".join(f"<dt>{escape(what)}</dt><dd>{escape(value)}</dd>" for what, value in facts)
    army = analysis.game.armies[found.side].name
    return (
        f'<div class="card {found.side}"><h2 class="who">{escape(found.name)}</h2>'
        f'<p class="soft">{found.side.title}, {escape(army)}</p><dl>{rows}</dl></div>'
    )


def _legend(analysis: Analysis) -> str:
    names = zip(SIDES, analysis.record.shown_names, strict=True)
    said = "".join(f'<span class="{side}">{escape(name)} ({side.title})</span>' for side, name in names)
    return f'<div class="legend">{said}</div>'


def _win_chart(analysis: Analysis, points: list[TurningPoint]) -> str:
    lines: dict[Side, Points] = {
        side: [(step.number, opinion.estimate) for step, opinion in analysis.opinions(side)] for side in SIDES
    }
    marks = [
        Mark(
            point.step.number,
            point.before,
            point.step.side,
            str(number),
            f"p{number}",
            f"Turning point {number}, {point.step.label}: {percent(point.before)} to {percent(point.after)}",
        )
        for number, point in enumerate(points, start=1)
    ]
    turns = len(analysis.steps)

    def say(side: Side, turn: int, value: float) -> str:
        return f"{turn_label(turn)} {analysis.steps[turn].text}: {side.title} {percent(value)}"

    label = "Win estimate of both sides before each of their turns; the list of turns below has all values"
    return Chart(label, turns, percent_axis(), lines, marks, say).html()


def _belief_charts(analysis: Analysis) -> str:
    """Draw the chance of the true kinds, the log-loss, and the rank of the flag's square."""
    sights: Accuracies = {
        side: [(step.number, opinion.sight) for step, opinion in analysis.opinions(side)] for side in SIDES
    }
    seen = [sight for line in sights.values() for _, sight in line if sight]
    if not seen:
        return "<p>Nothing was hidden.</p>"
    max_trust, max_nats = max(sight.trust for sight in seen), max(sight.nats for sight in seen)
    last = max((sight.flag_place for sight in seen if sight.flag_place), default=2)
    turns = len(analysis.steps)
    charts = [
        _belief_chart(
            "Chance given to the true kinds of hidden pieces", turns, percent_axis(max_trust),
            _lines(sights, lambda sight: sight.trust), percent,
        ),
        _belief_chart(
            "Log-loss in nats, lower is better", turns, number_axis(0, max_nats),
            _lines(sights, lambda sight: sight.nats), "{:.2f}".format,
        ),
        _belief_chart(
            "Rank of the flag’s square among all squares, 1 is best", turns, number_axis(1, last),
            _lines(sights, lambda sight: sight.flag_place), "rank {:g}".format,
        ),
    ]  # fmt: skip
    return f'<div class="charts">{"".join(charts)}</div>'


def _lines(sights: Accuracies, value: Callable[[BeliefAccuracy], float | None]) -> dict[Side, Points]:
    return {
        side: [(turn, value(sight) if sight else None) for turn, sight in line]
        for side, line in sights.items()
    }


def _belief_chart(
    title: str, turns: int, axis: Axis, lines: dict[Side, Points], words: Callable[[float], str]
) -> str:
    def say(side: Side, turn: int, value: float) -> str:
        return f"{turn_label(turn)} {side.title}: {words(value)}"

    chart = Chart(title, turns, axis, lines, say=say, is_small=True)
    return f'<div class="card"><h3>{escape(title)}</h3>{chart.html()}</div>'


def _point_rows(analysis: Analysis, points: list[TurningPoint]) -> str:
    """List the largest falls in the order of the game."""
    if not points:
        return "<p>No side’s estimate fell far at once.</p>"
    rows = [_point(analysis, point, number) for number, point in enumerate(points, start=1)]
    return f'<ol class="rows">{"".join(rows)}</ol>'


def _point(analysis: Analysis, point: TurningPoint, number: int) -> str:
    step, opinion = point.step, point.opinion
    name = escape(analysis.record.shown_names[step.side])
    body = _by_choice(step, opinion) if point.cause != "events" else _by_events(point)
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
        f"{_given_the_truth(step)}"
    )


def _given_the_truth(step: Step) -> str:
    """Say what an analyst that knows every piece thinks of the choice."""
    judged = step.truth
    if judged is None:
        return ""
    said = f"{GRADES[judged.grade]} ({percent(judged.played)})"
    if judged.best != step.text and judged.grade != "best":
        said += f'; <span class="act">{escape(judged.best)}</span> was better ({percent(judged.estimate)})'
    return f'<p class="soft">Given the truth: {said}.</p>'


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


def _attack_rows(analysis: Analysis) -> str:
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


def _turn_rows(analysis: Analysis) -> str:
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


def _small_print(analysis: Analysis) -> str:
    budget = analysis.budget
    limits = [f"{budget.nodes} nodes"] if budget.nodes is not None else []
    limits += [f"{budget.time_ms} ms"] if budget.time_ms is not None else []
    every = "every turn" if analysis.every == 1 else f"every {analysis.every}th turn of each side"
    return (
        '<footer class="small-print"><h2>How to read this</h2>'
        f"<p>Analysed by {escape(analysis.level)}, {' or '.join(limits)} a turn, {every}. Each side’s "
        "analyst saw only what that side saw; this page compares it with the truth. Estimates are a "
        "player’s opinion: read them as better or worse, not as games out of a hundred. A fall "
        "“by its own choice” is the best action’s estimate less that of the action played; a fall “by what "
        "happened” is the change until the side was to move again.</p>"
        "</footer>"
    )
