"""The figures of `flagfall bench engine` as a table."""

from __future__ import annotations

from bench import engine
from flagfall.cli.output import print_json, print_table, progress, say, warm_up_kernels
from flagfall.edition import game_ids, load_game


def print_rates(chosen: list[str], rounds: int, seconds: float, *, as_json: bool) -> None:
    """Measure and print medians, and ratios to the C reference."""
    games = [load_game(name) for name in chosen or game_ids()]
    names = list(dict.fromkeys(game.id for game in games))
    warm_up_kernels()
    with progress("bench engine") as advance:
        figures = engine.measure(games, rounds, seconds, advance)
    if as_json:
        print_json(figures)
        return
    references = figures["references"]
    assert isinstance(references, dict)
    rows = []
    for name in names:
        rate = figures[name]
        assert isinstance(rate, dict)
        ratio = f"{rate['plies_per_second'] / references['mailbox']:.2f} ×" if references else "–"
        rows.append((name, f"{rate['plies_per_second'] / 1e6:.2f}", ratio, rate["view_us"], rate["clone_ns"]))
    columns = ("game", "M plies/s", "to mailbox.c", "View µs", "copy ns")
    print_table(
        "Random self-play on one core, full lists, events on (medians)", columns, rows, right=(1, 2, 3, 4)
    )
    for name, value in references.items():
        say(f"{name}.c: {value / 1e6:.2f} M plies/s")
    if "references_missing" in figures:
        say(f"No comparison: {figures['references_missing']}.")
