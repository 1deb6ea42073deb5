"""Measure the vector environment: steps per second with lists, masks and planes, one core and two.

Random actions are chosen by the environment itself. The C reference is measured in the same rounds; machines
are shared and noisy, so only the ratios of medians say much.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from bench import references
from flagfall.rl import VectorEnv

GAMES = ("lotr/classic", "lotr/special-powers", "barrage/classic")
SIZES = (1, 16, 256, 4096)
WRITES = {"lists": (False, False), "masks": (True, False), "planes": (True, True)}
"""what is written besides the lists: masks, planes and scalars"""
ASKED = {"lists": 0.5, "masks": 0.35, "planes": 0.25, "powers": 0.1, "threads": 1.7}
"""ratios to mailbox.c at 256 games and more in a classic game, with powers and everything, and two threads to
one"""
MAX_TURNS = 3000
_REFERENCE_GAMES = 300
Report = Callable[[int, int, str], None]
Case = tuple[str, str, int, int]
"""game, what is written, how many games, how many threads"""


class Speed:
    """One environment to measure; every measurement goes on with its games."""

    def __init__(self, case: Case, seed: int) -> None:
        game, writes, n, threads = case
        masks, planes = WRITES[writes]
        self.env = VectorEnv(game, n, seed, threads=threads, masks=masks, planes=planes, max_turns=MAX_TURNS)
        self.env.reset()
        self._times = max(1, 512 // n)
        for _ in range(40):  # away from the first position, where few pieces can move
            self.env.step(self.env.sample())

    def steps_per_second(self, seconds: float) -> float:
        """Return steps per second: of CPU time on one core, of the clock with several threads."""
        env = self.env
        clock = time.perf_counter if len(env._scratch) > 1 else time.process_time
        while True:
            begun = clock()
            for _ in range(self._times):
                env.step(env.sample())
            spent = clock() - begun
            if spent > seconds / 2:
                return self._times * env.n / spent
            self._times *= 2


def cases(games: Sequence[str], sizes: Sequence[int], threads: Sequence[int]) -> list[Case]:
    """Return everything to measure; more threads only where there are enough games for them."""
    return [
        (game, writes, n, count)
        for game in games
        for writes in WRITES
        for n in sizes
        for count in threads
        if count == 1 or n >= 256
    ]


def measure(chosen: Sequence[Case], rounds: int, seconds: float, report: Report) -> dict[str, object]:
    """Measure all cases and the reference in turn, ``rounds`` times; return rows of figures."""
    rates: dict[Case, list[float]] = {case: [] for case in chosen}
    plain: list[float] = []
    with ExitStack() as stack:
        missing = references.why_missing()
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        mailbox = None if missing else references.Reference("mailbox", folder)
        total, done = rounds * len(rates), 0
        for case in rates:
            speed = Speed(case, seed=1)
            for seed in range(1, rounds + 1):
                report(done, total, f"{case[0]} {case[1]} × {case[2]}")
                if mailbox:
                    plain.append(mailbox.plies_per_second(_REFERENCE_GAMES, seed + done))
                rates[case].append(speed.steps_per_second(seconds))
                done += 1
            speed.env.close()
        report(done, total, "done")
    reference = statistics.median(plain) if plain else 0.0
    rows = []
    for (game, writes, n, threads), values in rates.items():
        rate = statistics.median(values)
        rows.append(
            {
                "game": game,
                "writes": writes,
                "games": n,
                "threads": threads,
                "steps_per_second": round(rate),
                "to_mailbox": round(rate / reference, 3) if reference else None,
                "to_one_thread": _to_one_thread(rates, (game, writes, n, threads)),
            }
        )
    figures: dict[str, object] = {"rows": rows, "mailbox": round(reference), "asked": ASKED}
    if missing:
        figures["references_missing"] = missing
    return figures


def _to_one_thread(rates: dict[Case, list[float]], case: Case) -> float | None:
    """Return how many times as fast a case is as with one thread, if both were measured."""
    one = rates.get((*case[:3], 1))
    if case[3] == 1 or not one:
        return None
    return round(statistics.median(rates[case]) / statistics.median(one), 2)
