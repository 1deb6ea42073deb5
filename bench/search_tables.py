"""The figures of `flagfall bench search` as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench import search as search
from flagfall.cli.output import print_json, print_table, progress, say, warm_up_kernels
from flagfall.edition import game_ids, load_game


def bench_search(
    chosen: Sequence[str],
    budgets_ms: Sequence[int],
    moves: int,
    rounds: int,
    seconds: float,
    *,
    as_json: bool,
) -> None:
    """Measure and print tables."""
    games = [load_game(name) for name in chosen or game_ids()]
    warm_up_kernels()
    with progress("bench search") as advance:
        found: dict[str, Any] = search.measure(games, budgets_ms, moves, rounds, seconds, advance)
    if as_json:
        print_json(found)
        return
    _print_speed(found["speed"])
    _print_depth(found["depth"])
    _print_time(found["time_kept"])
    _print_stages(found["stages_ms"])


def _print_speed(speed: dict[str, dict[str, float]]) -> None:
    rows = [
        (
            name,
            f"{row['nodes_per_second'] / 1e6:.2f}",
            f"{row['plies_per_second'] / 1e6:.2f}",
            f"{row['ratio']:.2f}",
        )
        for name, row in speed.items()
    ]
    columns = ("game", "M nodes/s", "M plies/s", "ratio")
    print_table("Search against the engine's random play, one core (medians)", columns, rows, right=(1, 2, 3))
    below = [name for name, row in speed.items() if row["ratio"] < search.ASKED_RATIO]
    say(f"Asked: a ratio of {search.ASKED_RATIO}; below it: {', '.join(below) or 'none'}.")


def _print_depth(depth: dict[str, dict[str, dict[str, float]]]) -> None:
    budgets = list(next(iter(depth.values())))
    rows = [
        (name, *(f"{row[at]['depth']} / {row[at]['worlds']:.0f}" for at in budgets))
        for name, row in depth.items()
    ]
    columns = ("game", *(f"{budget} ms" for budget in budgets))
    print_table("Turns looked ahead / Worlds, means", columns, rows, right=range(1, len(columns)))


def _print_time(kept: list[dict[str, float]]) -> None:
    rows = [tuple(row.values()) for row in kept]
    columns = ("budget ms", "choices", "median", "95 %", "worst", "worst CPU", "> 50 late", "> 2 s")
    print_table("Milliseconds after the budget (below 0: before it)", columns, rows, right=range(8))


def _print_stages(stages: dict[str, dict[str, float]]) -> None:
    if not stages:
        return
    rows = [(name, *row.values()) for name, row in stages.items()]
    print_table(
        f"Where {search.STAGES_AT_MS} ms go (means, ms)",
        ("game", *search.STAGES),
        rows,
        right=range(1, 1 + len(search.STAGES)),
    )
