"""A guest's finished games in numbers and sentences, from rows and stored facts alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta

from msgspec import Struct

from flagfall.edition import Game, UnknownGameError, editions
from flagfall.edition.versions import is_version
from flagfall.languages import Phrase, say
from flagfall.match.facts import GameFacts
from flagfall.match.texts import ABORTED, AGREED, RESIGNED, TIME
from flagfall.notation.names import kind_word, player_name
from flagfall.players.levels import LEVELS, seat_name
from flagfall.server.api.messages.my_games import (
    Count,
    NotableWin,
    PeriodCount,
    PeriodName,
    ResultCount,
    ResultName,
    Statistics,
)
from flagfall.server.sessions.games import find_game
from flagfall.server.store.rows import MatchRow
from flagfall.sides import Side

PEOPLE = "people"
SAME_SCREEN = "same-screen"
MAX_KINDS = 8
"""kinds in the list of captures"""
MAX_READ_VERSIONS = 40
"""boxes of guests that are read for the statistics of one guest; pieces of others have their ids as names"""
FindNamed = Callable[[str], Game | None]
"""finds a game for its names; None if it is not known, or not read"""
DAMAGED = "damaged"

Counted = tuple[MatchRow, GameFacts, Side]
"""a finished game, its facts, and the side of the guest"""


def result_of(row: MatchRow, guest: str) -> ResultName:
    """Return how a match ended for a guest."""
    if row.status == DAMAGED:
        return "damaged"
    if row.status != "over":
        return "running"
    if row.reason == ABORTED:
        return "cancelled"
    if not row.winner:
        return "drawn"
    yours = row.seats_of(guest)
    if len(yours) != 1:
        return "decided"
    return "won" if row.winner == yours[0] else "lost"


def result_sentence(row: MatchRow, guest: str, facts: GameFacts | None) -> str:
    """Return how a match ended in a sentence for a guest; empty while it goes on."""
    result = result_of(row, guest)
    if result == "running":
        return ""
    if result in ("damaged", "cancelled"):
        return say(f"results.{result}")
    if result == "drawn":
        return say(f"results.draw.{_DRAWS.get(row.reason, 'other')}", reason=row.reason)
    winner = Side(row.winner or "south")
    return say(
        f"results.{result}.{_WINS.get(row.reason, 'other')}",
        winner=player_name(row.name(winner)),
        loser=player_name(row.name(winner.other)),
        captor=_captor(row, winner, result, facts),
        reason=row.reason,
    )


def _captor(row: MatchRow, winner: Side, result: ResultName, facts: GameFacts | None) -> Phrase:
    """Return whose piece captured the Flag."""
    owner = {"owner": player_name(row.name(winner))}
    if facts is None or not facts.flag_by:
        return (
            Phrase("results.captor.your-army")
            if result == "won"
            else Phrase("results.captor.army", "", owner)
        )
    kind = _kind(row, facts.flag_by, winner)
    return (
        Phrase("results.captor.yours", kind)
        if result == "won"
        else Phrase("results.captor.owned", kind, owner)
    )


_DRAWS = {AGREED: "agreed", "no progress": "no-progress", "both stuck": "both-stuck"}
_WINS = {
    "flag captured": "flag-captured",
    "own flag captured": "own-flag-captured",
    "no move left": "no-move-left",
    RESIGNED: "resigned",
    TIME: "time",
}
"""reasons with a message of their own"""


class StatisticsFilter(Struct, frozen=True):
    """Which finished games to count; empty fields allow all."""

    game: str = ""
    """id of a game or of a box"""
    opponent: str = ""
    """``people`` or the id of a computer player"""
    result: str = ""
    """won, lost or drawn"""
    since_ms: int = 0
    until_ms: int | None = None
    """games that began in this time, the end not included"""

    def passes(self, row: MatchRow, guest: str) -> bool:
        """Return whether a finished game is counted."""
        return (
            self.game in ("", row.game, row.game.partition("/")[0])
            and self.opponent in ("", level_of(row))
            and self.result in ("", result_of(row, guest))
            and self.since_ms <= row.created_ms
            and (self.until_ms is None or row.created_ms < self.until_ms)
        )


def statistics(
    found: Iterable[tuple[MatchRow, GameFacts]],
    guest: str,
    uncounted: int,
    wanted: StatisticsFilter = StatisticsFilter(),
    zone_minutes: int = 0,
) -> Statistics:
    """Return the statistics of a guest's finished games; those on one screen are left out.

    Days begin at midnight in a time zone so many minutes east of Greenwich.
    """
    games: list[Counted] = [
        (row, facts, seats[0])
        for row, facts in found
        if len(seats := row.seats_of(guest)) == 1 and wanted.passes(row, guest)
    ]
    results = Counter(result_of(row, guest) for row, _, _ in games)
    won = [game for game in games if game[0].winner == game[2]]
    lost = [game for game in games if game[0].winner == game[2].other]
    find = _find_few(row.game for row, _, _ in games)
    captures: Counter[str] = Counter()
    for row, facts, side in games:
        for kind, count in facts.side(side).captures.items():
            captures[_kind(row, kind, side, find)] += count
    by_turns = sorted(won, key=lambda game: game[1].turns)
    period, by_date = results_by_date(games, guest, zone_minutes)
    return Statistics(
        games=len(games),
        won=results["won"],
        lost=results["lost"],
        drawn=results["drawn"],
        by_level=_by(games, guest, level_of, level_name, _LEVEL_ORDER),
        by_game=_by(games, guest, lambda row: row.game, lambda game: _named(game, find), _game_order()),
        wins=_counts(_way(game, find, is_won=True) for game in won),
        losses=_counts(_way(game, find, is_won=False) for game in lost),
        captures=tuple(Count(name, count) for name, count in captures.most_common(MAX_KINDS)),
        shortest_win=_notable(by_turns[0]) if won else None,
        longest_win=_notable(by_turns[-1]) if len(won) > 1 else None,
        turns=sum(facts.turns for _, facts, _ in games),
        time_ms=sum(facts.side(side).time_ms for _, facts, side in games),
        uncounted=uncounted,
        period=period,
        by_date=by_date,
    )


def results_by_date(
    games: Sequence[Counted], guest: str, zone_minutes: int
) -> tuple[PeriodName, tuple[PeriodCount, ...]]:
    """Return the results of each day, week, month or year from the first game to the last."""
    dated = [(_day(row.created_ms, zone_minutes), result_of(row, guest)) for row, _, _ in games]
    if not dated:
        return "day", ()
    first, last = min(day for day, _ in dated), max(day for day, _ in dated)
    span = (last - first).days
    period: PeriodName = next((name for name, longest in _PERIODS if span <= longest), "year")
    counts: dict[date, Counter[str]] = {}
    start = _start(first, period)
    while start <= last:
        counts[start] = Counter()
        start = _next_start(start, period)
    for day, result in dated:
        counts[_start(day, period)][result] += 1
    return period, tuple(
        PeriodCount(start.isoformat(), one["won"], one["lost"], one["drawn"]) for start, one in counts.items()
    )


_PERIODS: tuple[tuple[PeriodName, int], ...] = (("day", 20), ("week", 26 * 7), ("month", 2 * 365))
"""periods, and the longest time in days for which each is short enough"""
_LAST_MS = 4_102_444_800_000
"""the year 2100; damaged times are not later"""


def _day(at_ms: int, zone_minutes: int) -> date:
    at = datetime.fromtimestamp(min(max(at_ms, 0), _LAST_MS) / 1000, UTC)
    return (at + timedelta(minutes=zone_minutes)).date()


def _start(day: date, period: PeriodName) -> date:
    """Return the first day of the period that a day is in."""
    if period == "week":
        return day - timedelta(days=day.weekday())
    if period == "month":
        return day.replace(day=1)
    return day.replace(month=1, day=1) if period == "year" else day


def _next_start(start: date, period: PeriodName) -> date:
    return _start(start + timedelta(days={"day": 1, "week": 7, "month": 31, "year": 366}[period]), period)


def level_of(row: MatchRow) -> str:
    """Return the id of the computer player in a match; ``people`` or ``same-screen`` without one."""
    if row.opponent == "hot-seat":
        return SAME_SCREEN
    return row.south_level or row.north_level or PEOPLE


def level_name(level: str) -> str:
    """Return the name of a level for people."""
    if level in (PEOPLE, SAME_SCREEN):
        return say(f"results.opponent.{level}")
    return player_name(seat_name(level))


_LEVEL_ORDER = (*(level.id for level in LEVELS), PEOPLE, SAME_SCREEN)


def game_name(game: str) -> str:
    """Return “Onyx: Classic” for the id of a game."""
    return _named(game, _game)


def _named(game: str, find: FindNamed) -> str:
    found = find(game)
    return say("rules.title", box=found.edition.name, game=found.name) if found else game


def in_order(ids: Iterable[str], order: Sequence[str]) -> list[str]:
    """Sort ids by an order; unknown ones come last, by name."""
    places = {one: at for at, one in enumerate(order)}
    return sorted(ids, key=lambda one: (places.get(one, len(places)), one))


def opponents_in_order(levels: Iterable[str]) -> list[str]:
    """Sort opponents: levels from the weakest, then other players and people."""
    return in_order(levels, _LEVEL_ORDER)


def games_in_order(games: Iterable[str]) -> list[str]:
    """Sort games as the catalogue does."""
    return in_order(games, _game_order())


def _game_order() -> tuple[str, ...]:
    return tuple(game.id for edition in editions() for game in edition.games.values())


def _game(game: str) -> Game | None:
    try:
        return find_game(game)
    except UnknownGameError:
        return None


def _find_few(games: Iterable[str]) -> FindNamed:
    """Return a function that finds these games; of very many boxes of guests only the first are read."""
    ids = dict.fromkeys(games)
    versions = [game for game in ids if is_version(game.partition("/")[0])]
    left_out = set(versions[MAX_READ_VERSIONS:])
    return {game: None if game in left_out else _game(game) for game in ids}.get


def _kind(row: MatchRow, kind: str, side: Side, find: FindNamed = _game) -> str:
    game = find(row.game)
    return kind_word(game, kind, side) if game else kind


def _by(
    games: Sequence[Counted],
    guest: str,
    key: Callable[[MatchRow], str],
    name: Callable[[str], str],
    order: Sequence[str],
) -> tuple[ResultCount, ...]:
    found: dict[str, Counter[str]] = {}
    for row, _, _ in games:
        found.setdefault(key(row), Counter())[result_of(row, guest)] += 1
    return tuple(
        ResultCount(one, name(one), found[one]["won"], found[one]["lost"], found[one]["drawn"])
        for one in in_order(found, order)
    )


def _way(game: Counted, find: FindNamed, *, is_won: bool) -> str:
    """Return how a game was won or lost, in a few words."""
    row, facts, side = game
    way = _WINS.get(row.reason)
    if way is None:
        return row.reason.capitalize()
    prefix = "results.ways.won" if is_won else "results.ways.lost"
    if way != "flag-captured" or not facts.flag_by:
        return say(f"{prefix}.{way}")
    kind = _kind(row, facts.flag_by, side if is_won else side.other, find)
    captor = Phrase("results.captor.yours" if is_won else "results.captor.theirs", kind)
    return say(f"{prefix}.flag-captured-by", captor=captor)


def _counts(names: Iterable[str]) -> tuple[Count, ...]:
    return tuple(Count(name, count) for name, count in Counter(names).most_common())


def _notable(game: Counted) -> NotableWin:
    row, facts, side = game
    return NotableWin(row.id, row.game, player_name(row.name(side.other)), facts.turns)
