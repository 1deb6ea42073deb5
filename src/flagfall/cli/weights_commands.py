"""The command that fits weights: on played games, by playing, and a match between two files of weights."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flagfall.cli.arguments import AsJson, LogFile, LogResumes, OptionPairs, PlotFile, Seed
from flagfall.engine import mode

Stage = Annotated[
    str,
    typer.Option("--stage", help="fit: worth of pieces, on results of games; spsa: any weights, by playing."),
]
Check = Annotated[
    tuple[Path, Path] | None,
    typer.Option("--check", metavar="A B", help="Instead: a match between two files of weights, in pairs."),
]
ChosenGames = Annotated[
    list[str] | None, typer.Option("--game", "-g", metavar="GAME", help="A game; may be repeated.")
]
Games = Annotated[
    int, typer.Option("--games", "-n", min=2, help="fit: games of each; --check: games, in pairs.")
]
PlayerName = Annotated[str, typer.Option("--player", help="The searching player that plays.")]
Opponents = Annotated[
    list[str] | None,
    typer.Option("--opponent", help="fit: who is played every other game; may be repeated; none: nobody."),
]
Nodes = Annotated[int, typer.Option("--nodes", min=1, help="Nodes for an action.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="How many processes.")]
Every = Annotated[int, typer.Option("--every", min=1, help="fit: turns between two positions of a game.")]
Names = Annotated[
    str, typer.Option("--weights", metavar="NAMES", help="Only these weights, separated by commas.")
]
Start = Annotated[
    Path | None, typer.Option("--from", metavar="FILE", help="Weights to begin from; else those in use.")
]
Pairs = Annotated[int, typer.Option("--pairs", min=1, help="spsa: pairs of games in an iteration.")]
Iterations = Annotated[int, typer.Option("--iterations", min=1, help="spsa: how many, in all.")]
Rate = Annotated[float, typer.Option("--rate", min=0.0, help="spsa: sizes that a clean win moves a weight.")]
Size = Annotated[
    float, typer.Option("--size", min=0.0, max=1.0, help="spsa: how far a trial is moved; 0.1 is a tenth.")
]
Out = Annotated[
    Path | None, typer.Option("--out", help="Where to write the weights; with --check, the games.")
]
SprtGuesses = Annotated[
    str,
    typer.Option("--sprt", metavar="ELO0,ELO1", help="--check: stop as soon as one of two guesses holds."),
]
SetupRule = Annotated[str, typer.Option("--setups", help="spsa, --check: shared (the same for both) or own.")]
MostTurns = Annotated[int, typer.Option("--most-turns", min=1, help="A longer game is drawn.")]


def tune_weights(
    stage: Stage = "fit",
    check: Check = None,
    game: ChosenGames = None,
    games: Games = 40,
    player: PlayerName = "marshal",
    opponent: Opponents = None,
    nodes: Nodes = 1500,
    jobs: Jobs = 1,
    every: Every = 15,
    weights: Names = "",
    start: Start = None,
    pairs: Pairs = 8,
    iterations: Iterations = 200,
    rate: Rate = 0.3,
    size: Size = 0.15,
    option: OptionPairs = None,
    seed: Seed = 1,
    out: Out = None,
    log: LogFile = None,
    plot: PlotFile = None,
    resume: LogResumes = True,
    sprt: SprtGuesses = "0,20",
    setups: SetupRule = "shared",
    most_turns: MostTurns = 1000,
    as_json: AsJson = False,
) -> None:
    """Fit the weights of the evaluation on games that the command plays itself; the weights in use stay."""
    mode.choose("compiled")
    from flagfall.cli import weights as tuning

    tuning.check_stage(stage)
    wishes = tuning.Wishes(
        game or [], player, nodes, jobs, seed, option or [], tuning.names_in(weights), start,
        out, log, plot, setups, most_turns, not resume, as_json,
    )  # fmt: skip
    if check is not None:
        return tuning.check(wishes, check, games, sprt)
    if stage == "fit":
        return tuning.fit(wishes, games, opponent, every)
    return tuning.spsa(wishes, pairs, iterations, rate, size)


def add_to(tune: typer.Typer) -> None:
    """Make the command known."""
    tune.command("weights", short_help="Fit the weights of the evaluation on games.")(tune_weights)
