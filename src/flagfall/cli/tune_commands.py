"""The `flagfall tune` commands; each imports what it needs when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flagfall.cli.arguments import (
    AsJson,
    ChosenGames,
    Command,
    Jobs,
    LogFile,
    MaxTurns,
    On,
    OptionPairs,
    PlotFile,
    Resumes,
    Seed,
)
from flagfall.engine import mode

app = typer.Typer(help="Fit what computer players believe and value.", no_args_is_help=True)


@app.command("prior", cls=Command, short_help="Fit types of setups to setups that people made.")
def tune_prior(
    data: Annotated[Path, typer.Option("--data", metavar="FILE", help="Setups, one per line, .txt or .gz.")],
    out: Annotated[Path | None, typer.Option("--out", help="Where to write the fitted types.")] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Do not fit: check the types that come with Flagfall.")
    ] = False,
    types: Annotated[int, typer.Option("--types", min=1, max=1000, help="How many types.")] = 128,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds of fitting.")] = 40,
    max_setups: Annotated[
        int, typer.Option("--max-setups", "--most", min=1, help="Held-out setups to check on.")
    ] = 400,
    seed: Seed = 1,
    log: LogFile = None,
    plot: PlotFile = None,
    resume: Resumes = True,
    as_json: AsJson = False,
) -> None:
    """Fit types of setups on nine tenths of a collection, and check them on the other tenth."""
    mode.choose("compiled")
    from flagfall.cli import tune

    limits = types, rounds, seed, max_setups
    tune.tune_prior(data, out, *limits, log, plot, check=check, restarts=not resume, as_json=as_json)


@app.command("behaviour", cls=Command, short_help="Fit what the behaviour of a piece tells about its kind.")
def tune_behaviour(
    game: ChosenGames = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Matches of each game in a round.")] = 20,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds, each from the last table.")] = 3,
    player: Annotated[
        list[str] | None, typer.Option("--player", help="Who plays; several play each other in turn.")
    ] = None,
    jobs: Jobs = None,
    on: On = "local",
    out: Annotated[Path | None, typer.Option("--out", help="Where to write the table.")] = None,
    seed: Seed = 1,
    log: LogFile = None,
    plot: PlotFile = None,
    resume: Resumes = True,
    as_json: AsJson = False,
) -> None:
    """Fit what the behaviour of a piece says about its kind, on games between computer players."""
    mode.choose("compiled")
    from flagfall.cli import tune

    chosen, players = game or [], player or ["greedy"]
    limits = games, rounds, players, seed, jobs, on
    tune.tune_behaviour(
        chosen, *limits, out=out, log_file=log, plot=plot, restarts=not resume, as_json=as_json
    )


SearchingPlayer = Annotated[str, typer.Option("--player", help="The searching player that plays.")]
Stage = Annotated[
    str,
    typer.Option(
        "--stage",
        help="fit: piece values, on the results of games; design: which weights matter, by random ones in "
        "every game; spsa: any weights, by playing.",
    ),
]
Check = Annotated[
    tuple[Path, Path] | None,
    typer.Option("--check", metavar="A B", help="Instead: a match between two files of weights, in pairs."),
]
Games = Annotated[
    int | None,
    typer.Option(
        "--games",
        "-n",
        min=2,
        help="fit: matches of each game; design: all games; --check: games, in pairs. "
        "900 for design and 40 otherwise if not given.",
    ),
]
Opponents = Annotated[
    list[str] | None,
    typer.Option(
        "--opponent",
        help="fit: the opponent in every other game; design: in every third one; may be repeated; none for "
        "no opponent.",
    ),
]
Nodes = Annotated[int, typer.Option("--nodes", min=1, help="Nodes for an action.")]
Every = Annotated[int, typer.Option("--every", min=1, help="fit: turns between two positions of a game.")]
Names = Annotated[
    str, typer.Option("--weights", metavar="NAMES", help="Only these weights, separated by commas.")
]
Start = Annotated[
    Path | None,
    typer.Option("--from", metavar="FILE", help="Weights to start from, instead of those in use."),
]
Pairs = Annotated[int, typer.Option("--pairs", min=1, help="spsa: pairs of games in an iteration.")]
Iterations = Annotated[int, typer.Option("--iterations", min=1, help="spsa: how many iterations.")]
Rate = Annotated[
    float, typer.Option("--rate", min=0.0, help="spsa: how far a clear win moves a weight, in sizes.")
]
Size = Annotated[
    float | None,
    typer.Option(
        "--size",
        min=0.0,
        max=1.0,
        help="spsa, design: how far each trial moves a weight; 0.1 is a tenth. "
        "0.15 for spsa and 0.3 for design if not given.",
    ),
]
Step = Annotated[
    float,
    typer.Option(
        "--step",
        min=0.0,
        max=3.0,
        help="design: how far the weight with the largest expected effect moves in --out, in sizes.",
    ),
]
Out = Annotated[
    Path | None, typer.Option("--out", help="Where to write the weights; with --check, the games.")
]
SprtGuesses = Annotated[
    str,
    typer.Option("--sprt", metavar="ELO0,ELO1", help="--check: sequential test between two Elo bounds."),
]
SetupRule = Annotated[
    str, typer.Option("--setups", help="design, spsa, --check: shared (the same for both) or own.")
]


@app.command("weights", cls=Command, short_help="Fit the weights of the evaluation on games.")
def tune_weights(
    stage: Stage = "fit",
    check: Check = None,
    game: ChosenGames = None,
    games: Games = None,
    player: SearchingPlayer = "marshal",
    opponent: Opponents = None,
    nodes: Nodes = 1500,
    jobs: Jobs = None,
    on: On = "local",
    every: Every = 15,
    weights: Names = "",
    start: Start = None,
    pairs: Pairs = 8,
    iterations: Iterations = 200,
    rate: Rate = 0.3,
    size: Size = None,
    step: Step = 1.0,
    option: OptionPairs = None,
    seed: Seed = 1,
    out: Out = None,
    log: LogFile = None,
    plot: PlotFile = None,
    resume: Resumes = True,
    sprt: SprtGuesses = "0,20",
    setups: SetupRule = "shared",
    max_turns: MaxTurns = 1000,
    as_json: AsJson = False,
) -> None:
    """Fit the weights of the evaluation on games that the command plays itself; the weights in use stay."""
    mode.choose("compiled")
    from flagfall.cli import weights as tuning

    tuning.check_stage(stage)
    settings = tuning.TuneSettings(
        game or [], player, nodes, jobs, on, seed, option or [], tuning.names_in(weights), start,
        out, log, plot, setups, max_turns, not resume, as_json,
    )  # fmt: skip
    if check is not None:
        return tuning.check(settings, check, games or 40, sprt)
    if stage == "fit":
        return tuning.fit(settings, games or 40, opponent, every)
    if stage == "design":
        from flagfall.cli import weight_designs

        return weight_designs.design(settings, games or 900, opponent, 0.3 if size is None else size, step)
    return tuning.spsa(settings, pairs, iterations, rate, 0.15 if size is None else size)
