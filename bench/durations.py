"""How long trials take: estimated before the first game, then from the games played; and fair shares.

Times are seconds of one process; with two processes a trial is over in about half of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from bench.frozen import FROZEN
from bench.trials import BEST_OF_ZOO, SECOND_MS, Trial
from flagfall.arena.contestants import read_contestant
from flagfall.arena.plan import GameResult
from flagfall.edition import load_game
from flagfall.players.levels import LEVELS

TABLE_MS = 0.6
"""milliseconds of every action outside the player: View, history, playing it"""
_QUICK_MS = 1.0
"""milliseconds of a player that does not search"""
_TURNS_A_PIECE = 8.0
"""turns of a game per piece of one army, before any game was played"""
_TURNS_WITHOUT_PLAN = 1.5
"""the same against a random player"""
_NODES_A_MS = 250.0
_THINKERS = ("ismcts", BEST_OF_ZOO, *FROZEN)
_ENOUGH = 2
"""games after which the estimate is no longer used"""


def spent_s(played: GameResult) -> float:
    """Return the seconds a game took."""
    times = played.south.us + played.north.us
    return sum(times) / 1e6 + len(times) * TABLE_MS / 1000


def game_s(trial: Trial, games: Sequence[GameResult]) -> float:
    """Return the expected seconds of a game of the trial."""
    if not games:
        return _guessed_s(trial)
    seen = fmean(spent_s(played) for played in games)
    if len(games) >= _ENOUGH:
        return seen
    return (seen * len(games) + _guessed_s(trial)) / (len(games) + 1)


def _guessed_s(trial: Trial) -> float:
    pace = _TURNS_WITHOUT_PLAN if trial.second == "random" else _TURNS_A_PIECE
    turns = pace * load_game(trial.game).army_size(0)
    thinking = _thinking_ms(trial.first, trial.time_ms) + _thinking_ms(trial.second, trial.time_ms)
    return turns / 2 * (thinking + 2 * TABLE_MS) / 1000


def _thinking_ms(who: str, time_ms: int) -> float:
    contestant = read_contestant(who)
    limit = float(contestant.time_ms or time_ms or SECOND_MS)
    if contestant.name in _THINKERS:
        return limit
    for level in LEVELS:
        if level.id == contestant.name:
            return limit if level.nodes is None else min(limit, _QUICK_MS + level.nodes / _NODES_A_MS)
    return _QUICK_MS


def share(costs: Sequence[float], left_s: float) -> float:
    """Return the share of all remaining games that fits into the time, the same for every trial.

    >>> share([100.0, 300.0], 200.0), share([1.0], 10.0), share([], 5.0)
    (0.5, 1.0, 1.0)
    """
    total = sum(costs)
    return 1.0 if total <= 0 else min(1.0, max(0.0, left_s) / total)


def in_words(seconds: float) -> str:
    """Return a duration in words.

    >>> in_words(40), in_words(600), in_words(7300)
    ('40 s', '10 min', '2 h 02 min')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
