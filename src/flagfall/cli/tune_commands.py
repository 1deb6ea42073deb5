"""`flagfall tune prior` and `tune behaviour`; each imports what it needs when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flagfall.cli import weights_commands
from flagfall.cli.arguments import AsJson, LogFile, LogResumes, PlotFile, Seed
from flagfall.engine import mode

ChosenGames = Annotated[
    list[str] | None,
    typer.Option("--game", "-g", metavar="GAME", help="Only this game; may be repeated."),
]
PlayerName = Annotated[str, typer.Option("--player", help="Who plays both sides.")]


def tune_prior(
    data: Annotated[Path, typer.Option("--data", metavar="FILE", help="Setups, one a line, .txt or .gz.")],
    out: Annotated[Path | None, typer.Option("--out", help="Where to write the fitted types.")] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Do not fit: check the types that come with the house.")
    ] = False,
    types: Annotated[int, typer.Option("--types", min=1, max=1000, help="How many types.")] = 128,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds of fitting.")] = 40,
    most: Annotated[int, typer.Option("--most", min=1, help="Held-out setups that are guessed.")] = 400,
    seed: Seed = 1,
    log: LogFile = None,
    plot: PlotFile = None,
    resume: LogResumes = True,
    as_json: AsJson = False,
) -> None:
    """Fit types of setups on nine tenths of a collection, and check them on the other tenth."""
    mode.choose("compiled")
    from flagfall.cli import tune

    tune.tune_prior(
        data, out, types, rounds, seed, most, log, plot, check=check, anew=not resume, as_json=as_json
    )


def tune_behaviour(
    game: ChosenGames = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games of each a round.")] = 20,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds, each from the last table.")] = 3,
    player: Annotated[
        list[str] | None, typer.Option("--player", help="Who plays; several play each other in turn.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Where to write the table.")] = None,
    seed: Seed = 1,
    log: LogFile = None,
    plot: PlotFile = None,
    resume: LogResumes = True,
    as_json: AsJson = False,
) -> None:
    """Let computer players play, and compare what their pieces did with what they were."""
    mode.choose("compiled")
    from flagfall.cli import tune

    tune.tune_behaviour(
        game or [],
        games,
        rounds,
        player or ["greedy"],
        out,
        seed,
        log,
        plot,
        anew=not resume,
        as_json=as_json,
    )


def add_to(app: typer.Typer) -> None:
    """Make the commands known."""
    tune = typer.Typer(help="Fit what computer players believe and value.", no_args_is_help=True)
    tune.command("prior", short_help="Fit types of setups to setups that people made.")(tune_prior)
    tune.command("behaviour", short_help="Fit what the behaviour of a piece says of its kind.")(
        tune_behaviour
    )
    weights_commands.add_to(tune)
    app.add_typer(tune, name="tune")
