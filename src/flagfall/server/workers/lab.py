"""Jobs of the setup lab: one quick game with a setup, and how computer players place their pieces.

They run in the background worker, at the lowest priority.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from random import Random
from typing import Literal

from msgspec import Struct

from flagfall.board import cell_name
from flagfall.edition import Game, load_game, resolve
from flagfall.match import from_record
from flagfall.match.play import GameRunner, play_game
from flagfall.match.summary import captures
from flagfall.players import Budget, make_player
from flagfall.players.setup_generator import generated_setup
from flagfall.server.workers.compilation import LOWEST_PRIORITY
from flagfall.server.workers.jobs import Job
from flagfall.setups import Setup, read_setup
from flagfall.sides import SIDES, BySide

PLAYER = "greedy"
MAX_TURNS = 1000
TOO_LONG = "too long"
"""a longer game counts as drawn"""
GENERATED_SETUPS = 100
Counts = dict[str, dict[str, int]]
"""kind id → square → how often a piece of that kind stands there"""


class QuickGame(Struct, frozen=True):
    """How a quick game ended for the owner of the setup: 1 won, 0 drawn, -1 lost."""

    result: Literal[-1, 0, 1]


def quick_game(job: Job) -> QuickGame:
    """Play one game between two quick players; the opponent's setup comes from the generator."""
    lower_priority()
    game = load_game(job.game, allow_files=False)
    options, own = resolve(game, {}), SIDES[job.side]
    usual = generated_setup(game, int(own.other), Random(f"{job.seed}/setup"))
    tried = read_setup(game, job.side, job.setup)
    players = BySide.of(
        lambda side: make_player(PLAYER, game, options, Random(f"{job.seed}/{side}"), Budget())
    )
    setups = BySide.of(lambda side: tried if side == own else usual)
    result = play_game(GameRunner(game, options, setups), players, max_turns=MAX_TURNS)
    if result is None or not result.winner:
        return QuickGame(0)
    return QuickGame(1 if result.winner == own else -1)


class BoxGame(Struct, frozen=True):
    """How a simulated game of a box went."""

    winner: str
    """south, north, or empty for a draw"""
    reason: str
    turns: int
    captures: dict[str, dict[str, int]]
    """side → kind id → enemy pieces that it captured"""
    left: dict[str, dict[str, int]]
    """side → kind id → pieces at the end"""


def box_game(job: Job) -> BoxGame:
    """Play one game of a box between two quick players with usual setups."""
    lower_priority()
    game = load_game(job.game, allow_files=False)
    options = resolve(game, {})
    players = BySide.of(
        lambda side: make_player(job.player, game, options, Random(f"{job.seed}/{side}"), Budget())
    )
    setups = BySide.of(lambda side: generated_setup(game, int(side), Random(f"{job.seed}/setup/{side}")))
    runner = GameRunner(game, options, setups)
    result = play_game(runner, players, max_turns=MAX_TURNS)
    counted: dict[str, Counter[str]] = {side: Counter() for side in SIDES}
    for capture, owner in captures(from_record(runner.record(("South", "North")))):
        if capture.side != owner:
            counted[capture.side][capture.by] += 1
    left: dict[str, Counter[str]] = {side: Counter() for side in SIDES}
    for piece in runner.referee.view("truth", is_open=True).pieces:
        left[piece.side][piece.kind] += 1
    return BoxGame(
        winner=(result.winner or "") if result else "",
        reason=result.reason if result else TOO_LONG,
        turns=runner.turns,
        captures={side: dict(found) for side, found in counted.items()},
        left={side: dict(found) for side, found in left.items()},
    )


def placements(job: Job) -> Counts:
    """Return where the generator places each kind, counted over setups of a fixed seed."""
    lower_priority()
    game, rng = load_game(job.game, allow_files=False), Random(job.seed)
    return count_placements(game, (generated_setup(game, job.side, rng) for _ in range(GENERATED_SETUPS)))


def count_placements(game: Game, setups: Iterable[Setup]) -> Counts:
    """Return how often each kind stands on each square."""
    counted = Counter((kind, cell) for setup in setups for cell, kind in setup.kinds.items())
    counts: Counts = {}
    for (kind, cell), count in sorted(counted.items()):
        counts.setdefault(game.kinds[kind].id, {})[cell_name(cell)] = count
    return counts


def lower_priority() -> None:
    """Let this process run only when the others are idle."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, LOWEST_PRIORITY)
