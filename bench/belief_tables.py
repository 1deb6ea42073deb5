"""The figures of `flagfall bench belief` as a table."""

from __future__ import annotations

from bench import belief as bench
from flagfall.cli.output import print_json, print_table, progress, warm_up_kernels
from flagfall.edition import game_ids, load_game
from flagfall.players import check_player


def print_beliefs(
    chosen: list[str], games: int, player: str, samples: int, seed: int, *, as_json: bool
) -> None:
    """Measure beliefs through games."""
    played = [load_game(name) for name in chosen or game_ids()]
    check_player(player)
    warm_up_kernels()
    with progress("bench belief") as advance:
        figures = bench.measure(played, player, games, samples, seed, advance)
    if as_json:
        print_json(figures)
        return
    rows = []
    for name, found in figures.items():
        loss, counting = found["loss"], found["counting"]
        assert isinstance(loss, dict)
        assert isinstance(counting, dict)
        through = "  ".join(f"{stop}: {loss[stop]:.2f}/{counting[stop]:.2f}" for stop in loss)
        impossible = f"{found['impossible']} of {found['drawn']}"
        rows.append((name, through, found["first_ms"], found["update_ms"], found["draw_us"], impossible))
    columns = (
        "game",
        "nats: belief/counting by turn",
        "first ms",
        "update ms",
        "a sample µs",
        "impossible samples",
    )
    print_table("Beliefs through games", columns, rows, right=(2, 3, 4, 5))
