"""Balance figures of simulated games: who wins, how long it takes, how games end, what each kind is worth.

The worth of a kind is estimated by a linear regression of the result on the pieces that each side has lost:
by how many percentage points one lost piece lowered the chance to win. That is a rule of thumb for these two
players, no truth about the game: a piece that is lost late counts for less than it is worth early.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from flagfall.arena.tally import wilson
from flagfall.edition import Game
from flagfall.languages import say
from flagfall.server.api.messages.workshop import EndingCount, KindFigures, Share, Simulation, TurnBin
from flagfall.server.sessions.workshop import BoxRun
from flagfall.server.workers.lab import MAX_TURNS, TOO_LONG, BoxGame
from flagfall.sides import SIDES, Side

MIN_GAMES_FOR_WORTH = 40
RIDGE = 1.0
"""shrinks estimates of kinds that are rarely lost towards 0"""
MAX_BINS = 12
Z95 = 1.96
_ENDINGS = frozenset({"flag captured", "own flag captured", "no move left", "no progress", "both stuck"})
"""reasons with a message of their own"""
Column = tuple[str, str]
"""the id of a kind, and the side if only one army has it"""
Worth = tuple[float, float, float]
"""an estimate and its 95 % interval, in percentage points"""


def figures(run: BoxRun, version: str) -> Simulation:
    """Return the figures of a run so far; ``version`` is the box as it is now."""
    results = run.results
    winners, turns = Counter(game.winner for game in results), sorted(game.turns for game in results)
    endings = Counter(game.reason for game in results)
    return Simulation(
        game=run.game.id,
        player=run.player,
        version=run.game.edition.id,
        is_current=run.game.edition.id == version,
        state=run.state,
        games=run.games,
        played=len(results),
        south=_share(winners["south"], len(results)),
        north=_share(winners["north"], len(results)),
        draws=_share(winners[""], len(results)),
        median_turns=turns[len(turns) // 2] if turns else 0,
        turns=_bins(turns),
        endings=tuple(EndingCount(_ending(reason), games) for reason, games in endings.most_common()),
        kinds=_kinds(run.game, results),
        sentence=_sentence(run, winners, turns),
    )


def _ending(reason: str) -> str:
    if reason == TOO_LONG:
        return say("lab.ending.too-long", limit=str(MAX_TURNS))
    return say(f"lab.ending.{reason.replace(' ', '-')}") if reason in _ENDINGS else reason.capitalize()


def _share(games: int, played: int) -> Share:
    low, high = wilson(games, played)
    return Share(games, games / played if played else 0.0, low, high)


def _bins(turns: Sequence[int]) -> tuple[TurnBin, ...]:
    """Return how many games took how long, in at most a dozen steps of a round width."""
    if not turns:
        return ()
    least = max(1, (turns[-1] + 1) / MAX_BINS)
    power = 10 ** math.floor(math.log10(least))
    width = next(int(step * power) for step in (1, 2, 5, 10) if step * power >= least)
    counted = Counter(number // width for number in turns)
    return tuple(
        TurnBin(at * width, at * width + width - 1, counted[at])
        for at in range(turns[0] // width, turns[-1] // width + 1)
    )


def _sentence(run: BoxRun, winners: Counter[str], turns: Sequence[int]) -> str:
    played = len(run.results)
    if not played:
        return ""
    south, north = (run.game.armies[side].name for side in SIDES)
    low, high = wilson(winners["south"] + winners[""] / 2, played)
    key, better = "lab.balance.even", ""
    if low > 0.5 or high < 0.5:
        key, better = "lab.balance.better", south if low > 0.5 else north
    return say(
        key,
        number=played,
        south=south,
        north=north,
        won=winners["south"],
        lost=winners["north"],
        drawn=winners[""],
        turns=turns[played // 2],
        better=better,
    )


def _kinds(game: Game, results: Sequence[BoxGame]) -> tuple[KindFigures, ...]:
    worth = _worth(game, results)
    columns = _columns(game)
    played = max(1, len(results))
    found = []
    for side in SIDES:
        for index, kind in enumerate(game.kinds):
            count = game.rosters[side][index]
            if not count:
                continue
            captures = sum(one.captures[side].get(kind.id, 0) for one in results)
            left = sum(min(count, one.left[side].get(kind.id, 0)) for one in results)
            about = worth.get(columns[side][index])
            found.append(
                KindFigures(
                    side=side.value,
                    kind=kind.id,
                    name=game.kind_name(index, side),
                    count=count,
                    captures=round(captures / played / count, 3),
                    survived=round(left / played / count, 3),
                    worth=about[0] if about else None,
                    worth_low=about[1] if about else None,
                    worth_high=about[2] if about else None,
                )
            )
    return tuple(found)


def _columns(game: Game) -> dict[Side, list[Column]]:
    """Return what each kind of a side is counted as: a kind that both armies have is one."""
    return {
        side: [
            (kind.id, "" if all(game.rosters[one][index] for one in SIDES) else side.value)
            for index, kind in enumerate(game.kinds)
        ]
        for side in SIDES
    }


def _worth(game: Game, results: Sequence[BoxGame]) -> dict[Column, Worth]:
    """Return the estimated worth of each kind; nothing before there are enough games."""
    if len(results) < MIN_GAMES_FOR_WORTH:
        return {}
    named = _columns(game)
    counted = [
        (side, kind.id, game.rosters[side][index], named[side][index])
        for side in SIDES
        for index, kind in enumerate(game.kinds)
        if kind.role != "flag" and game.rosters[side][index]
    ]
    columns = list(dict.fromkeys(column for *_, column in counted))
    lost: npt.NDArray[np.float64] = np.zeros((len(results), len(columns)))
    for side, kind_id, count, column in counted:
        gone = np.array([count - one.left[side].get(kind_id, 0) for one in results])
        lost[:, columns.index(column)] += -gone if side == "south" else gone
    points = np.array([{"south": 1.0, "north": 0.0}.get(one.winner, 0.5) for one in results])
    used, target = lost - lost.mean(axis=0), points - points.mean()
    inverse = np.linalg.inv(used.T @ used + RIDGE * np.eye(len(columns)))
    estimates = inverse @ used.T @ target
    freedom = max(1, len(results) - len(columns) - 1)
    variance = float(np.sum((target - used @ estimates) ** 2)) / freedom
    errors = np.sqrt(variance * np.diag(inverse @ used.T @ used @ inverse))
    found: dict[Column, Worth] = {}
    for at, column in enumerate(columns):
        if np.any(used[:, at]):
            middle, half = 100 * float(estimates[at]), 100 * Z95 * float(errors[at])
            found[column] = (round(middle, 1), round(middle - half, 1), round(middle + half, 1))
    return found
