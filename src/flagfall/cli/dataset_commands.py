"""The `flagfall dataset` commands; each imports what it needs when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from msgspec import UNSET

from flagfall.cli.arguments import AsJson, Command, Jobs, MaxTurns, On, OptionPairs, Seed
from flagfall.engine import mode

app = typer.Typer(help="Make a dataset of games for learning, or look at one.", no_args_is_help=True)


@app.command("make", cls=Command, short_help="Play games, or read them, and write every position.")
def dataset_make(
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Where to write it; resumes from there.")
    ],
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="Such as onyx/classic or my-box.toml#game; with --from, that of the first record.",
        ),
    ] = "",
    files: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Take games: a record, a saved game, or a file of simulate, match or league; repeatable.",
        ),
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games to play.")] = 100,
    south: Annotated[
        str, typer.Option("--south", help="Who plays South: a level or another player.")
    ] = "random",
    north: Annotated[str, typer.Option("--north", help="Who plays North.")] = "random",
    exchange: Annotated[
        bool, typer.Option("--exchange", help="The players change sides after every game.")
    ] = False,
    setups: Annotated[
        str,
        typer.Option(
            "--setups", help="own: each player's own; random; sound: random but sensible; or a style."
        ),
    ] = "own",
    seed: Seed = 1,
    time_ms: Annotated[
        int | None, typer.Option("--time", min=1, help="Milliseconds for an action; not reproducible.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, help="Nodes for an action; 10000 unless --time is given.")
    ] = None,
    max_turns: MaxTurns = 2000,
    option: OptionPairs = None,
    jobs: Jobs = None,
    on: On = "local",
    games_per_shard: Annotated[
        int, typer.Option("--shard", min=1, max=100_000, help="How many games each file has.")
    ] = 64,
    other: Annotated[
        bool, typer.Option("--other/--no-other", help="Whether to write what the side that waits may know.")
    ] = True,
    truth: Annotated[
        bool, typer.Option("--truth/--no-truth", help="Whether to write the true kinds of hidden pieces.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Write every position of many games as Parquet files: what both sides may know, and what was chosen."""
    mode.choose("compiled")
    from flagfall.cli import dataset
    from flagfall.dataset.description import SelfPlay

    play = SelfPlay(
        south=south,
        north=north,
        seed=seed,
        setups=setups,
        time_ms=time_ms,
        nodes=nodes,
        max_turns=max_turns,
        exchanges=True if exchange else UNSET,
    )
    form = dataset.Form(games_per_shard, other, truth)
    if files:
        dataset.make_from(game, files, option or [], form, out, jobs, on=on, as_json=as_json)
    else:
        dataset.make(game, games, play, option or [], form, out, jobs, on=on, as_json=as_json)


@app.command("info", short_help="Say what is in a dataset.")
def dataset_info(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of a dataset.")],
    check: Annotated[bool, typer.Option("--check", help="Also read every row, to find damage.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say what is in a dataset: games, positions, columns with their sizes, results."""
    from flagfall.cli import dataset_info

    dataset_info.print_info(folder, checks=check, as_json=as_json)
