"""Measure the engine: random self-play, Views and copies, compared with the C references in one run.

Everything is measured in rounds, one after the other, and compared as ratios of medians: machines are
shared and noisy, so a figure alone says little.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np

from bench import references
from flagfall.edition import Game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine import play, simulate
from flagfall.engine.kernel import buffer
from flagfall.engine.state import BOARD, EMPTY, State
from flagfall.setups import random_setup
from flagfall.view.project import Observers

MAX_TURNS = 3000
Report = Callable[[int, int, str], None]


@dataclass
class Rates:
    """What was measured for one game; medians over the rounds."""

    plies_per_second: list[float] = field(default_factory=list)
    view_us: list[float] = field(default_factory=list)
    clone_ns: list[float] = field(default_factory=list)

    def medians(self) -> dict[str, float]:
        """Return the figures for printing."""
        return {
            "plies_per_second": round(statistics.median(self.plies_per_second)),
            "view_us": round(statistics.median(self.view_us), 1),
            "clone_ns": round(statistics.median(self.clone_ns), 1),
        }


class Bench:
    """Everything needed to measure one game at its defaults."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.options = resolve(self.game, {})
        self.tables = compile_game(self.game, self.options)
        self.bare = self._bare()
        self.state = State()
        self.homes = [buffer(np.array(self.game.board.home(side), dtype=np.int16)) for side in (0, 1)]
        self.out, self.events = play.action_buffer(), play.event_buffer()
        self.games = 16

    def _bare(self) -> State:
        """Return both armies' kinds, before they are placed."""
        rng = Random(1)
        setups = [random_setup(self.game, side, rng).kinds for side in (0, 1)]
        state, _ = play.deal(self.tables, setups[0], setups[1])
        for cell in range(144):
            if any(cell in setup for setup in setups):
                state.buffer[BOARD + cell] = EMPTY
        return state

    def turns_per_second(self, seed: int, seconds: float) -> float:
        """Return turns per second of CPU time of random self-play, with full action lists and events."""
        rng = simulate.seeded(seed)
        while True:
            begun = time.process_time()
            turns = simulate.play_many(
                self.tables.buffer,
                self.bare.buffer,
                self.state.buffer,
                rng,
                self.homes[0],
                self.homes[1],
                len(self.game.board.home(0)),
                self.game.army_size(0),
                self.game.army_size(1),
                self.games,
                MAX_TURNS,
                self.out,
                self.events,
            )
            spent = time.process_time() - begun
            if spent > seconds / 3:
                return turns / spent
            self.games *= 2

    def clone_ns(self, times: int = 200_000) -> float:
        """Return the time of one copy of a State in a kernel, in nanoseconds."""
        source, target = self.bare.copy(), State()
        simulate.copy_many(source.buffer, target.buffer, 10)
        begun = time.process_time()
        simulate.copy_many(source.buffer, target.buffer, times)
        return (time.process_time() - begun) / times * 1e9

    def view_us(self, seed: int, turns: int = 60) -> float:
        """Return the median time of a View of the side to move, legal actions included, in microseconds."""
        rng = Random(seed)
        setups = [random_setup(self.game, side, rng).kinds for side in (0, 1)]
        state, happened = play.deal(self.tables, setups[0], setups[1])
        observers = Observers(self.game, self.options, self.tables, (setups[0], setups[1]))
        observers.assign_names(state)
        observers.see(state, happened)
        spent: list[float] = []
        while not state.is_over and len(spent) < turns:
            begun = time.perf_counter()
            observers.view(state, "north" if state.side else "south")
            spent.append(time.perf_counter() - begun)
            observers.see(
                state, play.play(self.tables, state, rng.choice(play.legal_actions(self.tables, state)))
            )
        return statistics.median(spent) * 1e6


def measure(chosen: Sequence[Game], rounds: int, seconds: float, report: Report) -> dict[str, object]:
    """Measure games and references in turn, ``rounds`` times; return the figures by game id."""
    benches = {game.id: Bench(game) for game in chosen}
    rates = {game: Rates() for game in benches}
    with ExitStack() as stack:
        missing = references.why_missing()
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        kernels = {} if missing else {name: references.Reference(name, folder) for name in references.NAMES}
        plain: dict[str, list[float]] = {name: [] for name in kernels}
        total, done = rounds * len(benches), 0
        for seed in range(1, rounds + 1):
            for game, bench in benches.items():
                report(done, total, game)
                for name, kernel in kernels.items():
                    plain[name].append(
                        kernel.plies_per_second(500 if name == "mailbox" else 1500, seed + done)
                    )
                rates[game].plies_per_second.append(bench.turns_per_second(seed, seconds))
                rates[game].view_us.append(bench.view_us(seed))
                rates[game].clone_ns.append(bench.clone_ns())
                done += 1
        report(done, total, "done")
    figures: dict[str, object] = {game: rate.medians() for game, rate in rates.items()}
    figures["references"] = {name: round(statistics.median(values)) for name, values in plain.items()}
    if missing:
        figures["references_missing"] = missing
    return figures
