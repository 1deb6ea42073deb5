"""The report of a league as one HTML file without scripts; plots are inline SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from flagfall.arena.charts import bars, figure, histogram, page, shade, table
from flagfall.arena.plan import GameResult, Plan
from flagfall.arena.ratings import ratings
from flagfall.arena.tally import costs, signed, tally, wilson


def html_report(plan: Plan, games: Sequence[GameResult]) -> str:
    """Return the whole page."""
    parts = [
        f"<h1>{escape(plan.game)}: a league of {len(plan.players)}</h1>",
        f"<p>{_conditions(plan, games)}</p>",
        "<h2>Ratings</h2>",
        _rating_plot(plan, games),
        "<h2>All results</h2>",
        _cross_table(plan, games),
        "<h2>How games ended</h2>",
        _endings(plan, games),
        "<h2>How long games lasted</h2>",
        histogram([played.turns for played in games], "turns"),
        "<h2>Time and nodes per action</h2>",
        _cost_table(plan, games),
        _troubles(plan, games),
    ]
    return page(f"League: {plan.game}", parts)


def _conditions(plan: Plan, games: Sequence[GameResult]) -> str:
    limits = [f"{plan.time_ms} ms"] if plan.time_ms is not None else []
    limits += [f"{plan.nodes} nodes"] if plan.nodes is not None else []
    options = ", ".join(f"{name} = {value}" for name, value in sorted(plan.options.items())) or "as printed"
    return escape(
        f"{len(games)} games in pairs with the sides exchanged; "
        f"{' or '.join(limits) or 'no limit'} an action; "
        f"setups {plan.setups}; options: {options}; seed {plan.seed}."
    )


def _rating_plot(plan: Plan, games: Sequence[GameResult]) -> str:
    found = ratings(games, len(plan.players), plan.seed)
    rows = [(plan.players[each.player], each.elo, each.low, each.high) for each in found]
    return figure(bars(rows), "Bradley–Terry in Elo, mean 0; lines are 95 % intervals by resampling pairs")


def _cross_table(plan: Plan, games: Sequence[GameResult]) -> str:
    order = [each.player for each in ratings(games, len(plan.players), plan.seed)]
    head = "".join(f"<th>{escape(plan.players[player])}</th>" for player in order)
    lines = [f"<tr><th></th>{head}<th>points</th><th>worst</th></tr>"]
    for player in order:
        scores = {other: tally(games, player, other) for other in order if other != player}
        cells = "".join(
            "<td>–</td>" if other == player else _cell(scores[other].score, scores[other].words())
            for other in order
        )
        points = sum(score.won + score.drawn / 2 for score in scores.values())
        worst = min((score.score for score in scores.values() if score.games), default=0.5)
        name = escape(plan.players[player])
        lines.append(f"<tr><th>{name}</th>{cells}<td>{points:g}</td><td>{100 * worst:.0f} %</td></tr>")
    return f"<table>{''.join(lines)}</table><p>Share of the points of the row against the column.</p>"


def _cell(score: float, words: str) -> str:
    return (
        f'<td class="cell" style="background:{shade(score)}" title="{escape(words)}">{100 * score:.1f} %</td>'
    )


def _endings(plan: Plan, games: Sequence[GameResult]) -> str:
    rows = []
    for player, name in enumerate(plan.players):
        others = [tally(games, player, other) for other in range(len(plan.players)) if other != player]
        won, drawn, lost = (sum(getattr(each, what) for each in others) for what in ("won", "drawn", "lost"))
        low, high = wilson(drawn, won + drawn + lost)
        rows.append((name, won + drawn + lost, won, drawn, lost, f"{100 * low:.0f}–{100 * high:.0f} %"))
    reasons = Counter(played.reason for played in games)
    why = ", ".join(f"{escape(reason)} {count}" for reason, count in reasons.most_common())
    return table(("player", "games", "won", "drawn", "lost", "draws, 95 %"), rows) + f"<p>{why}.</p>"


def _cost_table(plan: Plan, games: Sequence[GameResult]) -> str:
    return table(COST_COLUMNS, cost_rows(plan, games))


COST_COLUMNS = (
    "player", "actions", "mean ms", "slowest ms", "budget ms", "over budget", "mean nodes", "most nodes",
    "slowest action",
)  # fmt: skip


def cost_rows(plan: Plan, games: Sequence[GameResult]) -> list[tuple[object, ...]]:
    """Return what each player has spent, under `COST_COLUMNS`."""
    return [
        (
            cost.player,
            cost.actions,
            f"{cost.mean_ms:.2f}",
            f"{cost.slowest_ms:.2f}",
            "–" if cost.budget_ms is None else cost.budget_ms,
            cost.over,
            *((f"{cost.nodes:.0f}", cost.max_nodes) if cost.max_nodes else ("–", "–")),
            cost.slowest_at,
        )
        for cost in costs(plan, games)
    ]


def _troubles(plan: Plan, games: Sequence[GameResult]) -> str:
    """List the forfeits."""
    troubled = [played for played in games if played.trouble]
    if not troubled:
        return ""
    items = []
    for played in troubled[:50]:
        slot = played.round
        loser = plan.players[slot.north if played.winner == "south" else slot.south]
        text = f"{loser} loses pair {slot.pair}, game {slot.leg + 1} ({played.reason}): {played.trouble}"
        items.append(f"<li>{escape(text)}</li>")
    return f"<h2>Forfeits</h2><p>{len(troubled)} games.</p><ul>{''.join(items)}</ul>"


def rating_words(plan: Plan, games: Sequence[GameResult]) -> list[tuple[str, str, str]]:
    """Return name, Elo and interval of each player, the strongest first."""
    table = ratings(games, len(plan.players), plan.seed)
    return [
        (plan.players[each.player], signed(each.elo), f"[{signed(each.low)}, {signed(each.high)}]")
        for each in table
    ]
