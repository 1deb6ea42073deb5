"""The `flagfall train` commands; each imports what it needs when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flagfall.cli.arguments import AsJson, GameArgument, Jobs, On, OptionPairs, Seed
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
    jobs: Jobs = None,
    on: On = "local",
    seed: Seed = 1,
) -> None:
    """Learn by PPO in self-play; the same command goes on with a run that was stopped."""
    mode.choose("compiled")
    from flagfall.cli import train

    changes = [f"seed={seed}", *(change or [])]
    opponents = tuple(against or ("random", "greedy"))
    every = evaluate_minutes, evaluate_games, opponents, exploit_every
    train.policy(game, run, option or [], changes, start, minutes, every, jobs, on)


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
    jobs: Jobs = None,
    on: On = "local",
    seed: Seed = 1,
) -> None:
    """Fit a network to what players chose and how their games ended; a tenth of the games is held out."""
    mode.choose("compiled")
    from flagfall.cli import train

    sizes = channels, layers
    train.fit(game, out, option or [], player or [], games, nodes, passes, sizes, seed, data, jobs, on)


@app.command("value", short_help="Learn what the evaluation of the levels lacks, in rounds with a gate.")
def value(
    game: GameArgument,
    run: Annotated[Path, typer.Option("--run", metavar="FOLDER", help="Where the run is kept.")],
    option: OptionPairs = None,
    player: Annotated[str, typer.Option("--player", help="The level that plays and learns.")] = "marshal",
    opponent: Annotated[
        list[str] | None,
        typer.Option("--opponent", help="The opponent in every other game; may be repeated; none for none."),
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Games of a round.")] = 400,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="Nodes for an action in these games.")] = 1500,
    hidden: Annotated[int, typer.Option("--hidden", help="Numbers of the first layer; 0: a sum.")] = 16,
    decay: Annotated[
        float, typer.Option("--decay", help="How much what came later counts against what came next.")
    ] = 0.9,
    positions: Annotated[
        int, typer.Option("--positions", min=1, help="Positions of a game that are fitted, at most.")
    ] = 60,
    passes: Annotated[int, typer.Option("--passes", min=1, help="Passes over the positions.")] = 8,
    gate_games: Annotated[
        int, typer.Option("--gate-games", min=2, help="Games against the player as it was, in pairs.")
    ] = 200,
    gate_nodes: Annotated[
        int | None, typer.Option("--gate-nodes", min=1, help="Nodes for an action in the gate.")
    ] = None,
    gate_time: Annotated[
        int | None, typer.Option("--gate-time", min=1, help="Milliseconds instead of nodes.")
    ] = None,
    sprt: Annotated[
        str, typer.Option("--sprt", metavar="ELO0,ELO1", help="The gate's sequential test.")
    ] = "0,20",
    jobs: Jobs = None,
    on: On = "local",
    seed: Seed = 1,
) -> None:
    """Play games, fit a network that corrects the evaluation, and keep it if it wins the gate."""
    mode.choose("compiled")
    from flagfall.cli import train_value
    from flagfall.players.zoo.panel import TO_FIT
    from flagfall.training.value_run import ValueRecipe

    others = TO_FIT if opponent is None else tuple(name for name in opponent if name != "none")
    recipe = ValueRecipe(
        game=game, options={}, player=player, opponents=others, games=games, nodes=nodes, hidden=hidden,
        decay=decay, positions=positions, passes=passes, gate_games=gate_games,
        gate_nodes=4000 if gate_nodes is None and gate_time is None else gate_nodes,
        gate_time_ms=gate_time, sprt=sprt, seed=seed,
    )  # fmt: skip
    train_value.value(recipe, option or [], run, jobs, on)


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
