"""The figures of `flagfall bench rl` as a table."""

from __future__ import annotations

from bench import rl
from flagfall.cli.output import print_json, print_table, progress, say


def print_speeds(
    games: list[str], sizes: list[int], threads: list[int], rounds: int, seconds: float, *, as_json: bool
) -> None:
    """Measure and print medians, and ratios to the C reference."""
    chosen = rl.cases(games or rl.GAMES, sizes or rl.SIZES, threads or (1, 2))
    with progress("bench rl") as advance:
        figures = rl.measure(chosen, rounds, seconds, advance)
    if as_json:
        print_json(figures)
        return
    rows, mailbox = figures["rows"], figures["mailbox"]
    assert isinstance(rows, list)
    assert isinstance(mailbox, int)
    lines = [
        (
            row["game"],
            row["writes"],
            row["games"],
            row["threads"],
            f"{row['steps_per_second'] / 1e6:.2f}",
            f"{row['to_mailbox']:.2f} ×" if mailbox else "–",
            f"{row['to_one_thread']:.2f} ×" if row["to_one_thread"] else "",
        )
        for row in rows
    ]
    columns = ("game", "written", "games", "threads", "M steps/s", "to mailbox.c", "to one thread")
    print_table("Random steps of a vector environment (medians)", columns, lines, right=(2, 3, 4, 5, 6))
    if mailbox:
        say(f"mailbox.c: {mailbox / 1e6:.2f} M plies/s")
    else:
        say(f"No comparison: {figures['references_missing']}.")
    asked = ", ".join(f"{what} {ratio:g} ×" for what, ratio in rl.ASKED.items())
    say(f"Asked at 256 games or more: {asked}.")
