"""`flagfall train value`: a round of learning what the evaluation lacks."""

from __future__ import annotations

from pathlib import Path

from flagfall.arena.executor import check_place
from flagfall.cli.output import print_table, progress, say, warm_up_for, warn
from flagfall.edition import load_game, parse_pairs, resolve
from flagfall.errors import UserError
from flagfall.extras import require
from flagfall.players import SEARCHING, check_player
from flagfall.training.value_run import BEST, REPORT, ROUNDS, ValueRecipe, ValueRun


def value(recipe: ValueRecipe, pairs: list[str], folder: Path, jobs: int | None, on: str) -> None:
    """Play, fit and gate a round, or finish the one that was stopped."""
    from msgspec.structs import replace

    require("train", "Learning")
    check_place(on)
    game = load_game(recipe.game)
    recipe = replace(recipe, options=resolve(game, parse_pairs(pairs)).changed(game))
    if recipe.player not in SEARCHING:
        known = ", ".join(sorted(SEARCHING))
        raise UserError(f"“{recipe.player}” has no evaluation that can be corrected; these have: {known}.")
    for name in recipe.opponents:
        check_player(name)
    warm_up_for(on)
    with progress("round") as advance:
        run = ValueRun(
            folder,
            recipe,
            jobs,
            on,
            progress=lambda what, done, total, remark: advance(done, total, f"{what}: {remark}"),
            note=warn,
        )
        try:
            done = run.go_on()
        except KeyboardInterrupt:
            warn("Stopped; the same command goes on.")
            raise
    fit = done.fit
    rows = [
        ("what the player saw later, and results", f"{fit['hand_made']:.4f}", f"{fit['loss']:.4f}"),
        ("results alone", f"{fit['results_hand_made']:.4f}", f"{fit['results_loss']:.4f}"),
    ]
    print_table(
        f"Nats on held-out games; {fit['positions']} positions of {fit['games']} games were fitted",
        ("of", "hand-made", "corrected"),
        rows,
        right=(1, 2),
    )
    bins = [
        (f"{100 * one['said']:.1f} %", f"{100 * one['happened']:.1f} %", one["positions"])
        for one in fit["bins"]
    ]
    print_table("Chances said against results", ("said", "won", "positions"), bins, right=(0, 1, 2))
    say(f"Gate: {done.gate.words()}")
    if done.is_kept:
        say(f"Round {done.number}: kept. Play it as {run.player(folder / BEST)}.")
    else:
        say(f"Round {done.number}: thrown away; the player stays {run.player(run.best)}.")
    say(f"The log is {folder / ROUNDS}, the report {folder / REPORT}; the same command plays the next round.")
