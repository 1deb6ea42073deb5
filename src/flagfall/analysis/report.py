"""The analysis of a game as one HTML file without scripts; charts are inline SVG."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from importlib.resources import files

from flagfall.analysis.analyst import BeliefAccuracy, Opinion
from flagfall.analysis.findings import Findings, SideFindings, findings
from flagfall.analysis.review import Analysis, Step
from flagfall.analysis.turning_points import Attempt, TurningPoint, attempts, costly, turning_points
from flagfall.arena.charts import Axis, Chart, Mark, Points, number_axis, page, percent_axis
from flagfall.edition import Game
from flagfall.languages import say
from flagfall.notation import turn_label
from flagfall.notation.names import kind_word
from flagfall.players.chances import Odds, percent
from flagfall.sides import SIDES, Side

Accuracies = dict[Side, list[tuple[int, BeliefAccuracy | None]]]
"""turn and belief, by side"""
_WORTH_TELLING = 0.01


def html_page(analysis: Analysis) -> str:
    """Return the whole page."""
    points, found = turning_points(analysis), findings(analysis, turn_name=turn_label)
    parts = [
        _head(analysis),
        f'<p class="summary">{escape(" ".join(found.summary))}</p>',
        _sides(analysis, found),
        _heading("winning"),
        f'<p class="soft">{say("report.intro.winning")}</p>',
        _legend(analysis),
        f'<div class="card">{_win_chart(analysis, points)}</div>',
        _heading("turning-points"),
        _point_rows(analysis, points),
        _heading("belief"),
        f'<p class="soft">{say("report.intro.belief")}</p>',
        _legend(analysis),
        _belief_charts(analysis),
        _heading("attacks"),
        _attack_rows(analysis),
        _heading("turns"),
        _turn_rows(analysis),
        _small_print(analysis),
    ]
    body = "\n".join(filter(None, parts)).replace(" %", "\N{NO-BREAK SPACE}%")
    style = (files("flagfall.analysis") / "report.css").read_text(encoding="utf-8")
    title = f"{analysis.game.id}: {' – '.join(analysis.record.shown_names)}"
    return page(title, ["<main>", body, "</main>"], style)


def _heading(key: str) -> str:
    heading = say(f"report.heading.{key}")
    return f"<h2>{heading}</h2>"


def _head(analysis: Analysis) -> str:
    game, record = analysis.game, analysis.record
    options = ", ".join(f"{name} = {value}" for name, value in sorted(record.options.items()))
    turns = say("report.head.turns", number=len(record.turns))
    facts = [game.id, record.date, turns, options and say("report.head.options", options=options)]
    names = {
        str(side): f'<span class="who {side}">{escape(name)}</span>'
        for side, name in zip(SIDES, record.shown_names, strict=True)
    }
    players = say("report.head.players", **names, result=_result(analysis))
    stopped = ""
    if not analysis.is_complete:
        told = say("report.head.stopped", done=len(analysis.steps), number=len(record.turns))
        stopped = f'<p class="card notice">{told}</p>'
    return (
        f'<header><p class="soft">{escape(" · ".join(fact for fact in facts if fact))}</p>'
        f"<h1>{escape(game.edition.name)}: {escape(game.name)}</h1>"
        f'<p class="result">{players}</p></header>{stopped}'
    )


def _result(analysis: Analysis) -> str:
    result = analysis.record.result
    if result is None:
        return say("report.result.unfinished")
    if not result.winner:
        return say("report.result.drawn", reason=escape(result.reason))
    winner = Side(result.winner)
    name = escape(analysis.record.shown_names[winner])
    return say("report.result.won", name=name, side=_title(winner), reason=escape(result.reason))


def _title(side: Side) -> str:
    return say(f"report.side.{side}")


def _sides(analysis: Analysis, found: Findings) -> str:
    return f'<section class="sides">{"".join(_side(analysis, side) for side in found.sides)}</section>'


def _side(analysis: Analysis, found: SideFindings) -> str:
    """Return a side's figures."""
    facts = [
        ("turns", str(found.turns)),
        ("given-away", f"{100 * found.given_away:.1f} %"),
        ("mistakes", str(found.mistakes)),
        ("fights", str(found.fights)),
        ("won", f"{found.won:g}"),
        ("expected", f"{found.expected:.1f}"),
        ("trust", "–" if found.trust is None else percent(found.trust)),
    ]
    said = ((say(f"report.figure.{what}"), value) for what, value in facts)
    rows = "".join(f"<dt>{what}</dt><dd>{escape(value)}</dd>" for what, value in said)
    army = say(f"report.army.{found.side}", army=escape(analysis.game.armies[found.side].name))
    return (
        f'<div class="card {found.side}"><h2 class="who">{escape(found.name)}</h2>'
        f'<p class="soft">{army}</p><dl>{rows}</dl></div>'
    )


def _legend(analysis: Analysis) -> str:
    names = zip(SIDES, analysis.record.shown_names, strict=True)
    said = "".join(f'<span class="{side}">{escape(name)} ({_title(side)})</span>' for side, name in names)
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
            say(
                "report.chart.mark",
                number=number,
                label=point.step.label,
                before=percent(point.before),
                after=percent(point.after),
            ),
        )
        for number, point in enumerate(points, start=1)
    ]
    turns = len(analysis.steps)

    def tell(side: Side, turn: int, value: float) -> str:
        return f"{turn_label(turn)} {analysis.steps[turn].text}: {_title(side)} {percent(value)}"

    return Chart(say("report.chart.win"), turns, percent_axis(), lines, marks, tell).html()


def _belief_charts(analysis: Analysis) -> str:
    """Draw the chance of the true kinds, the log-loss, and the rank of the flag's square."""
    sights: Accuracies = {
        side: [(step.number, opinion.sight) for step, opinion in analysis.opinions(side)] for side in SIDES
    }
    seen = [sight for line in sights.values() for _, sight in line if sight]
    if not seen:
        return "<p>" + say("report.chart.nothing-hidden") + "</p>"
    max_trust, max_nats = max(sight.trust for sight in seen), max(sight.nats for sight in seen)
    last = max((sight.flag_place for sight in seen if sight.flag_place), default=2)
    turns = len(analysis.steps)
    charts = [
        _belief_chart(
            say("report.chart.trust"), turns, percent_axis(max_trust),
            _lines(sights, lambda sight: sight.trust), percent,
        ),
        _belief_chart(
            say("report.chart.nats"), turns, number_axis(0, max_nats),
            _lines(sights, lambda sight: sight.nats), "{:.2f}".format,
        ),
        _belief_chart(
            say("report.chart.flag"), turns, number_axis(1, last),
            _lines(sights, lambda sight: sight.flag_place),
            lambda rank: say("report.chart.rank", number=rank),
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
    def tell(side: Side, turn: int, value: float) -> str:
        return f"{turn_label(turn)} {_title(side)}: {words(value)}"

    chart = Chart(title, turns, axis, lines, say=tell, is_small=True)
    return f'<div class="card"><h3>{escape(title)}</h3>{chart.html()}</div>'


def _point_rows(analysis: Analysis, points: list[TurningPoint]) -> str:
    """List the largest falls in the order of the game."""
    if not points:
        return f"<p>{say('report.point.none')}</p>"
    rows = [_point(analysis, point, number) for number, point in enumerate(points, start=1)]
    return f'<ol class="rows">{"".join(rows)}</ol>'


def _point(analysis: Analysis, point: TurningPoint, number: int) -> str:
    step, opinion = point.step, point.opinion
    name = f'<span class="who">{escape(analysis.record.shown_names[step.side])}</span>'
    told = say(f"report.point.{point.cause.replace(' ', '-')}", name=name)
    body = _by_choice(step, opinion) if point.cause != "events" else _by_events(point)
    swing = _swing(point.before, point.after)
    return (
        f'<li class="card point {step.side}" id="p{number}">'
        f'<span class="badge" aria-hidden="true">{number}</span>'
        f'<div><div class="head"><h3><a href="#t{step.number}">{step.label}</a> '
        f"{told}</h3>{swing}</div>"
        f"{_span(point.before, point.after)}{body}</div></li>"
    )


def _by_choice(step: Step, opinion: Opinion) -> str:
    later = "".join(
        f'<li><span class="act">{escape(turn.text)}</span> {escape(turn.words)}</li>'
        for turn in opinion.line[1:]
    )
    then = f'<p class="soft">{say("report.point.then")}</p>'
    line = f'{then}<ol class="line-of-play">{later}</ol>' if later else ""
    first = opinion.line[0].words if opinion.line else opinion.best_words
    played = say("report.point.played", action=_act(step.text), words=escape(step.words))
    preferred = say("report.point.preferred", action=_act(opinion.best), words=escape(first))
    return f"<p>{played}</p><p>{preferred}</p>{line}{_given_the_truth(step)}"


def _act(text: str) -> str:
    return f'<span class="act">{escape(text)}</span>'


def _given_the_truth(step: Step) -> str:
    """Say what an analyst that knows every piece thinks of the choice."""
    judged = step.truth
    if judged is None:
        return ""
    played = percent(judged.played)
    if judged.best != step.text and judged.grade != "best":
        best, estimate = _act(judged.best), percent(judged.estimate)
        said = say(f"report.truth.{judged.grade}-but", played=played, best=best, estimate=estimate)
    else:
        said = say(f"report.truth.{judged.grade}", played=played)
    return f'<p class="soft">{said}</p>'


def _by_events(point: TurningPoint) -> str:
    told = point.happened[:4]
    items = "".join(
        f'<li><a href="#t{step.number}">{step.label}</a> <span class="act">{escape(step.text)}</span> '
        f"{escape(step.words)}</li>"
        for step in told
    )
    left = len(point.happened) - len(told)
    more = f"<li>{say('report.point.more', number=left)}</li>" if left else ""
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
        return f"<p>{say('report.attack.none')}</p>"
    worst = costly(found)
    if not worst:
        return f"<p>{say('report.attack.harmless', number=len(found))}</p>"
    lead = say("report.attack.costly", number=len(found))
    rows = "".join(_attempt(analysis.game, attempt) for attempt in worst)
    return f'<p class="soft">{lead}</p><ol class="rows">{rows}</ol>'


def _attempt(game: Game, attempt: Attempt) -> str:
    step, trial = attempt.step, attempt.trial
    attacker, struck = (
        kind_word(game, trial.attacker, step.side),
        kind_word(game, trial.kind, step.side.other),
    )
    after = attempt.before if attempt.after is None else attempt.after
    told = say(
        f"report.attack.{trial.ending.replace(' ', '-')}",
        attacker=f'<span class="who">{escape(attacker)}</span>',
        square=trial.cell,
        struck=escape(struck),
    )
    expected = say(
        "report.attack.expected",
        odds=trial.odds.words(),
        struck=escape(struck),
        chance=percent(trial.chance),
    )
    return (
        f'<li class="card {step.side}"><div class="head"><h3><a href="#t{step.number}">{step.label}</a> '
        f"{told}</h3>{_swing(attempt.before, after)}</div>{_odds(trial.odds)}"
        f'<p class="soft">{expected}</p></li>'
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
            told = say("report.turn.better", cost=cost, action=_act(opinion.best))
            better = f'<div class="better">{told}</div>'
    return (
        f'<li class="{step.side}" id="t{step.number}"><span class="label">{step.label}</span>'
        f'<div><span class="act">{escape(step.text)}</span> {escape(step.words)}{better}</div>{bar}</li>'
    )


def _small_print(analysis: Analysis) -> str:
    budget = analysis.budget
    key = "both" if budget.time_ms is not None else "nodes"
    limit = say(
        f"report.limit.{'time' if budget.nodes is None else key}",
        nodes=str(budget.nodes),
        ms=str(budget.time_ms),
    )
    told = say(
        "report.small-print.every" if analysis.every == 1 else "report.small-print.some",
        level=escape(analysis.level),
        limit=limit,
        number=analysis.every,
        rest=say("report.small-print.rest"),
    )
    return f'<footer class="small-print">{_heading("how-to-read")}<p>{told}</p></footer>'
