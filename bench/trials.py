"""The trials of the computer players, most important first: the players, the budget and the target.

In every trial each player makes its own setups, and the options are those of the printed rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from bench.frozen import FROZEN
from bench.gates import Gate, at_least, between
from flagfall.arena.plan import Plan
from flagfall.arena.sprt import Sprt
from flagfall.edition import Game, editions, game_ids, load_game
from flagfall.errors import FlagfallError
from flagfall.players.levels import LEVELS

STRONGEST = LEVELS[-1].id
BLITZ_MS = 50
SECOND_MS = 1000
ZOO = ("random", "greedy", "ismcts", "rusher", "turtle", "bluffer", "chaser")
WORST_IN_ZOO = at_least(0.75)
MAX_DRAWS = 0.05
BEST_OF_ZOO = "the best of the zoo"
"""stands for the best player of the zoo so far"""
_CLASSIC: tuple[tuple[str, int, Gate], ...] = (
    ("random", 300, at_least(1.0)),
    ("greedy", 200, at_least(0.95)),
    ("ismcts", 100, at_least(0.80)),
    *((name, 60, WORST_IN_ZOO) for name in ZOO[3:]),
)
_OTHERS: tuple[tuple[str, int, Gate], ...] = (("greedy", 60, at_least(0.80)), ("random", 100, at_least(0.98)))
_TEST_GAMES = 400
_LEVEL_GAMES = 200
_LEVEL_STEP = between(0.60, 0.85)
_LOWEST_LEVEL = at_least(0.95)


class TrialError(FlagfallError):
    """There is no such trial; the message says how to list them."""


class Trial(Struct, frozen=True, kw_only=True):
    """A match with a gate."""

    name: str
    """``classic.greedy``; also the name of its file"""
    group: str
    game: str
    first: str
    second: str
    games: int
    gate: Gate
    time_ms: int = BLITZ_MS

    def plan(self, seed: int) -> Plan:
        """Return the plan of its games."""
        programs = [FROZEN[who].contestant(self.game) if who in FROZEN else who for who in self._names]
        return Plan(
            game=self.game,
            options={},
            players=tuple(programs),
            seed=seed,
            time_ms=self.time_ms,
            setups="own",
        )

    @property
    def _names(self) -> tuple[str, str]:
        return self.first, self.second

    @property
    def players(self) -> str:
        """Return the players in words."""
        return f"{self.first} against {self.second}"


def trials(classic: str, level_time_ms: int = BLITZ_MS) -> list[Trial]:
    """Return all trials; ``classic`` is the game with most of them."""
    found = [*_in_classic(classic)]
    others = [game for game in game_ids() if game != classic]
    for opponent, games, gate in _OTHERS:
        found += [
            _against(f"others.{_word(game)}", "other games", game, opponent, games, gate) for game in others
        ]
    for game in (classic, *(game.id for game in powers_games() if game.id != classic)):
        found += _levels(game, level_time_ms)
    return found


def powers_games() -> list[Game]:
    """Return one game with powers of each box that has any."""
    by_box = [[game for game in edition.games.values() if game.has_powers] for edition in editions()]
    return [games[0] for games in by_box if games]


class Named(Protocol):
    """Something with a name."""

    @property
    def name(self) -> str:
        """``classic.greedy``"""


Entry = TypeVar("Entry", bound=Named)


def chosen(found: Sequence[Entry], patterns: Sequence[str]) -> list[Entry]:
    """Return those that match a pattern: parts of the name (``levels``), or with * in it."""
    if not patterns:
        return list(found)
    for pattern in patterns:
        if not any(_fits(entry.name, pattern) for entry in found):
            raise TrialError(f"No trial fits “{pattern}”; --list shows their names.")
    return [entry for entry in found if any(_fits(entry.name, pattern) for pattern in patterns)]


def _fits(name: str, pattern: str) -> bool:
    return f".{pattern}." in f".{name}." or fnmatchcase(name, pattern)


def scaled(trial: Trial, scale: float) -> Trial:
    """Return the trial with another number of games, in whole pairs."""
    return replace(trial, games=max(2, 2 * round(trial.games * scale / 2)))


def _word(game: str) -> str:
    return load_game(game).id.replace("/", "-")


def _against(name: str, group: str, game: str, opponent: str, games: int, gate: Gate) -> Trial:
    return Trial(
        name=f"{name}.{opponent}",
        group=group,
        game=game,
        first=STRONGEST,
        second=opponent,
        games=games,
        gate=gate,
    )


def _in_classic(game: str) -> Iterator[Trial]:
    for opponent, games, gate in _CLASSIC:
        yield _against("classic", "classic", game, opponent, games, gate)
    yield Trial(
        name="classic.double-time",
        group="double time",
        game=game,
        first=f"{STRONGEST}@time={2 * BLITZ_MS}",
        second=f"{STRONGEST}@time={BLITZ_MS}",
        games=_TEST_GAMES,
        gate=Gate(sprt=Sprt(0, 30)),
    )
    yield Trial(
        name="classic.one-second",
        group="one second",
        game=game,
        first=STRONGEST,
        second=BEST_OF_ZOO,
        games=40,
        gate=Gate(),
        time_ms=SECOND_MS,
    )


def _levels(game: str, time_ms: int) -> Iterator[Trial]:
    """Return the lowest level against random play, then every level against the one below it."""
    lowest = LEVELS[0].id
    pairs = [(lowest, "random", _LOWEST_LEVEL)]
    pairs += [(level.id, below.id, _LEVEL_STEP) for below, level in pairwise(LEVELS)]
    for first, second, gate in pairs:
        yield Trial(
            name=f"levels.{_word(game)}.{first}",
            group=f"levels, {game}",
            game=game,
            first=first,
            second=second,
            games=_LEVEL_GAMES,
            gate=gate,
            time_ms=time_ms,
        )
