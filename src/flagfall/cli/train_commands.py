"""The `flagfall train` commands; each imports what it needs when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flagfall.cli.arguments import AsJson, GameArgument, OptionPairs, Seed
from flagfall.engine import mode

app = typer.Typer(help="Let a network learn to play, and measure it.", no_args_is_help=True)

_Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Change a number of the recipe; may be repeated."),
]


@app.command("policy", short_help="Learn by playing: itself, earlier selves, computer players.")
def policy(
    game: GameArgument,
    run: Annotated[Path, typer.Option("--run", metavar="FOLDER", help="Where the run is kept.")],
    option: OptionPairs = None,
    change: _Changes = None,
    start: Annotated[
        Path | None, typer.Option("--start", metavar="FILE", help="A network to begin with.")
    ] = None,
    minutes: Annotated[float | None, typer.Option("--minutes", min=0, help="Stop after this time.")] = None,
    evaluate_minutes: Annotated[
        float, typer.Option("--evaluate-every", min=0, help="Minutes between evaluations.")
    ] = 10.0,
    evaluate_games: Annotated[
        int, typer.Option("--evaluate-games", min=0, max=10_000, help="Games against each player.")
    ] = 100,
    against: Annotated[
        list[str] | None, typer.Option("--against", help="Whom to evaluate against; may be repeated.")
    ] = None,
    exploit_every: Annotated[
        int, typer.Option("--exploit-every", min=0, help="Updates between exact exploitabilities.")
    ] = 0,
    seed: Seed = 1,
) -> None:
    """Learn by PPO in self-play; the same command goes on with a run that was stopped."""
    mode.choose("compiled")
    from flagfall.cli import train

    changes = [f"seed={seed}", *(change or [])]
    opponents = tuple(against or ("random", "greedy"))
    every = evaluate_minutes, evaluate_games, opponents, exploit_every
    train.policy(game, run, option or [], changes, start, minutes, every)


@app.command("fit", short_help="Learn from the games of computer players, or from a dataset.")
def fit(
    game: GameArgument,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where to write the network.")],
    option: OptionPairs = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="FOLDER", help="Learn from this dataset instead.")
    ] = None,
    player: Annotated[
        list[str] | None, typer.Option("--player", help="Who plays; several play each other in turn.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=10, help="How many games.")] = 200,
    nodes: Annotated[int | None, typer.Option("--nodes", min=1, help="Nodes for each action.")] = None,
    passes: Annotated[int, typer.Option("--passes", min=1, help="Passes over the games.")] = 5,
    channels: Annotated[int, typer.Option("--channels", min=1, max=256, help="Width of the network.")] = 24,
    layers: Annotated[int, typer.Option("--layers", min=0, max=20, help="Depth of the network.")] = 2,
    seed: Seed = 1,
) -> None:
    """Fit a network to what players chose and how their games ended; a tenth of the games is held out."""
    mode.choose("compiled")
    from flagfall.cli import train

    sizes = channels, layers
    train.fit(game, out, option or [], player or [], games, nodes, passes, sizes, seed, data)


@app.command("export", short_help="Copy the network of a run to a file of its own.")
def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where to write it.")],
    temperature: Annotated[
        float,
        typer.Option("--temperature", min=0, max=10, help="How much chance it plays with; 0 is none."),
    ] = 1.0,
) -> None:
    """Copy the network of the last checkpoint to a new file; `net:FILE` plays it."""
    from flagfall.cli import train

    train.export(run, out, temperature)


@app.command("exploit", short_help="Measure exactly how much a network can be exploited.")
def exploit(
    network: Annotated[
        str, typer.Argument(metavar="FILE", help="A network, or a game whose random player is measured.")
    ],
    max_turns: Annotated[
        int, typer.Option("--max-turns", min=1, max=60, help="A longer game counts as drawn.")
    ] = 6,
    as_json: AsJson = False,
) -> None:
    """Measure what a player wins who knows the network but not the pieces; only on the smallest boards."""
    mode.choose("compiled")
    from flagfall.cli import train

    train.exploit(network, max_turns, as_json=as_json)
