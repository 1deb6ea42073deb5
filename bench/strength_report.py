"""The report of the trials, as Markdown for a page of figures and as one HTML file with plots.

Nothing is left out: a gate that was missed stands in the table like one that was reached, and once more in
the list of misses; a trial with too few games says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from msgspec import Struct

from bench.durations import in_words
from bench.gates import Judged, Verdict, at_least, worst
from bench.losses import losses
from bench.panel import COLUMNS, OUTSIDE, draws, panel_rows
from bench.players import MIXED, Bench, Standing
from bench.trials import MAX_DRAWS, WORST_IN_ZOO, ZOO
from flagfall.arena.charts import page, shares
from flagfall.arena.contestants import read_contestant
from flagfall.arena.tally import Tally, elo, signed, wilson

LATE_MS = 50
"""milliseconds by which an action may exceed its budget"""
_MOST_LOSSES = 60
_VERDICTS: tuple[Verdict, ...] = ("reached", "not reached", "not enough games")
_HEADINGS = ("who", "game", "ms", "games", "won", "drawn", "lost", "share won", "95 %", "asked", "")


class Section(Struct, frozen=True):
    """A heading, sentences, a table."""

    title: str
    sentences: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    plot: str = ""
    """inline SVG, for the page only"""


def markdown(bench: Bench) -> str:
    """Return the report as Markdown."""
    parts = ["# Strength of the computer players\n"]
    for section in sections(bench):
        parts.append(f"## {section.title}\n")
        parts += [f"{sentence}\n" for sentence in section.sentences]
        if section.rows:
            lines = [section.columns, ("---",) * len(section.columns), *section.rows]
            parts.append("".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines))
    return "\n".join(parts)


def _cell(text: str) -> str:
    return f"**{text}**" if text.startswith("not reached") else text.replace("|", "\\|")


def html(bench: Bench) -> str:
    """Return the report as a web page."""
    parts = ["<h1>Strength of the computer players</h1>"]
    for section in sections(bench):
        parts.append(f"<h2>{escape(section.title)}</h2>")
        parts += [f"<p>{escape(sentence.replace('`', ''))}</p>" for sentence in section.sentences]
        parts.append(section.plot)
        if section.rows:
            head = "".join(f"<th>{escape(column)}</th>" for column in section.columns)
            lines = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in section.rows]
            parts.append(f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>")
    return page("Strength of the computer players", [part for part in parts if part])


def sections(bench: Bench) -> Iterator[Section]:
    """Return all parts of the report."""
    standings = bench.reported()
    yield Section("How it was measured", tuple(_conditions(bench)))
    yield _gates(bench)
    if panel := panel_rows(standings):
        yield Section("The panel of strangers", (), COLUMNS, tuple(panel))
    for group in dict.fromkeys(each.trial.group for each in standings):
        members = [each for each in standings if each.trial.group == group]
        yield Section(
            group[0].upper() + group[1:],
            tuple(each.words() for each in together(members)),
            _HEADINGS,
            tuple(row(each) for each in members),
            _plot(members),
        )
    if judged := bench.judged():
        rows = tuple((each.name, each.result, each.asked, str(each.verdict)) for each in judged)
        yield Section("Search, time and belief", (), ("what", "measured", "asked", ""), rows)
    yield _times(standings)
    yield _losses(standings)
    yield _forfeits(standings)


def row(standing: Standing) -> tuple[str, ...]:
    """Return a trial as a row of a table."""
    trial, score = standing.trial, standing.score
    low, high = wilson(score.won, score.games)
    is_played = score.games > 0
    asked = f"{score.games} of {standing.asked}" if score.games < standing.asked else str(score.games)
    return (
        trial.players,
        trial.game,
        str(trial.time_ms),
        asked,
        str(score.won),
        str(score.drawn),
        str(score.lost),
        f"{100 * score.won / score.games:.1f} %" if is_played else "–",
        f"{100 * low:.1f}–{100 * high:.1f} %" if is_played else "–",
        trial.gate.words(),
        _verdict_words(standing),
    )


def _verdict_words(standing: Standing) -> str:
    verdict = standing.verdict
    words = str(verdict)
    if standing.trial.gate.sprt is not None and standing.games:
        words += f" (Elo {signed(elo(standing.score.score))})"
    return words


def _conditions(bench: Bench) -> Iterator[str]:
    standings = bench.reported()
    games = sum(len(each.games) for each in standings)
    spent, left = (sum(getattr(each, what) for each in standings) for what in ("spent_s", "left_s"))
    yield (
        f"`flagfall bench players`, seed {bench.folder.seed}, program {bench.folder.digest}: {games} games "
        f"in pairs with the sides exchanged, {in_words(spent)} of one core. Each player makes its own "
        "setups; options as printed. A draw is no win, in every share and every gate. Intervals are "
        "Wilson's, 95 %."
    )
    if left > 0:
        yield f"Not all is played: about {in_words(left)} of one core are missing."
    if bench.scale != 1.0:
        yield f"The numbers of games were scaled by {bench.scale:g} at the command line."
    lowered = [each for each in standings if each.trial.games < each.asked]
    if bench.budget_s is not None:
        yield (
            f"A budget of {in_words(bench.budget_s)} of one core was given; by fair shares it has lowered "
            f"the number of games in {len(lowered)} of {len(standings)} trials."
        )
    others = [each for each in standings if each.program not in ("", bench.folder.digest)]
    for each in others:
        who = "several versions of the program" if each.program == MIXED else f"program {each.program}"
        yield f"{each.trial.name} was played by {who}, not by this one alone."
    for name, found in bench.measured.items():
        if found is not None and found.program != bench.folder.digest:
            yield f"{name} was measured by program {found.program}, not by this one."


def together(standings: Sequence[Standing]) -> Iterator[Judged]:
    """Return the targets on several trials: draws against the panel; the worst in the zoo and draws there."""
    if panel := draws(standings):
        yield panel
    zoo = [each for each in standings if each.trial.group == "classic"]
    played = [each for each in zoo if each.games]
    if not played:
        return
    low = min(played, key=lambda each: each.score.won / each.score.games)
    result = f"{100 * low.score.won / low.score.games:.1f} % won, against {low.trial.second}"
    absent: list[Verdict] = ["not enough games"] * (len(set(ZOO) - {each.trial.second for each in zoo}) > 0)
    verdict = worst([WORST_IN_ZOO.verdict(each.score, each.asked) for each in zoo] + absent)
    yield Judged("Worst in the zoo", WORST_IN_ZOO.words(), result, verdict)
    games, drawn = (sum(getattr(each.score, what) for each in zoo) for what in ("games", "drawn"))
    low_share, high_share = (100 * bound for bound in wilson(drawn, games))
    result = f"{drawn} of {games}, {100 * drawn / games:.1f} % [{low_share:.1f}–{high_share:.1f} %]"
    decided = Tally(games - drawn, drawn, 0)
    verdict = at_least(1 - MAX_DRAWS).verdict(decided, sum(each.asked for each in zoo))
    yield Judged("Draws", f"≤ {100 * MAX_DRAWS:.0f} %", result, worst([verdict, *absent]))


def gates(bench: Bench) -> list[Judged]:
    """Return every gate with its verdict."""
    found = [
        Judged(each.trial.name, each.trial.gate.words(), each.score.words(), each.verdict)
        for each in bench.reported()
        if each.verdict != "reported"
    ]
    return [*found, *together(bench.reported()), *bench.judged()]


def _gates(bench: Bench) -> Section:
    """Return how many gates were reached, and those that were not."""
    found = gates(bench)
    verdicts = [gate.verdict for gate in found]
    words = ", ".join(f"{verdict} {verdicts.count(verdict)}" for verdict in _VERDICTS)
    rows = tuple((gate.name, gate.asked, gate.result) for gate in found if gate.verdict == "not reached")
    return Section("Gates", (f"Of {len(found)} gates: {words}.",), ("missed", "asked", "result"), rows)


def _plot(members: Sequence[Standing]) -> str:
    rows = []
    for each in members:
        score = each.score
        if score.games:
            low, high = wilson(score.won, score.games)
            name = each.trial.name.partition(".")[2].replace(".", ": ")
            rows.append((name, score.won / score.games, low, high, each.trial.gate.low, each.trial.gate.high))
    return f"<figure>{shares(rows)}</figure>" if rows else ""


def _times(standings: Sequence[Standing]) -> Section:
    """Return how the time for an action was kept, by player and budget."""
    found: dict[tuple[str, int], list[int]] = {}
    for each in standings:
        plan = each.trial.plan(0)
        for number, contestant in enumerate(plan.contestants()):
            limit = contestant.budget(plan.budget).time_ms or each.trial.time_ms
            name = read_contestant(plan.players[number]).name or (each.trial.first, each.trial.second)[number]
            times = found.setdefault((name, limit), [])
            for played in each.games:
                times += played.spent(number).us
    rows = []
    for (name, limit), times in sorted(found.items()):
        if times:
            late = sum(us > 1000 * (limit + LATE_MS) for us in times)
            cells = (f"{sum(times) / len(times) / 1000:.1f}", f"{max(times) / 1000:.0f}", str(late))
            rows.append((name, str(limit), str(len(times)), *cells))
    columns = ("player", "budget ms", "actions", "mean ms", "slowest ms", f"more than {LATE_MS} ms late")
    return Section("Time kept in these games", (), columns, tuple(rows))


def _losses(standings: Sequence[Standing]) -> Section:
    """Return the games that were not won: all at one second, and as many classic ones as fit."""
    rows = []
    for group in ("one second", "classic", OUTSIDE):
        for each in (each for each in standings if each.trial.group.partition(",")[0] == group):
            for loss in losses(each.games):
                left = f"{loss.left[0]}:{loss.left[1]}"
                falls = "; ".join(loss.falls) or "–"
                cells = (str(loss.line), loss.seat, loss.result, str(loss.turns), left, falls)
                rows.append((each.trial.name, *cells))
    if not rows:
        return Section("What was not won", ("No game of the classic trials, nor of the panel.",))
    say = "Pieces left are its own and the other's; `flagfall replay TRIAL.jsonl --game LINE` shows one."
    more = (f"{len(rows) - _MOST_LOSSES} more are left out here.",) if len(rows) > _MOST_LOSSES else ()
    columns = ("trial", "line", "seat", "result", "turns", "left", "how its two strongest kinds fell")
    return Section("What was not won", (say, *more), columns, tuple(rows[:_MOST_LOSSES]))


def _forfeits(standings: Sequence[Standing]) -> Section:
    """Return the games lost by forfeit."""
    rows = []
    for each in standings:
        for number, played in enumerate(each.games, start=1):
            if played.trouble:
                slot = played.round
                loser = played.plan.players[slot.north if played.winner == "south" else slot.south]
                rows.append((each.trial.name, str(number), loser, played.reason, played.trouble))
    if not rows:
        return Section("Forfeits", ("None: no player crashed, stalled or played an illegal action.",))
    columns = ("trial", "line", "loser", "fault", "what happened")
    return Section("Forfeits", (f"{len(rows)} games.",), columns, tuple(rows[:_MOST_LOSSES]))
