"""The commands match, league, engine and analyse; each imports what it needs when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flagfall.cli.arguments import (
    AsJson,
    BoxFile,
    Command,
    GameArgument,
    GameNumber,
    GamesFile,
    Jobs,
    MaxTurns,
    NamedGame,
    On,
    OptionPairs,
    PlayedGame,
    Resumes,
    Seed,
    one_game,
)
from flagfall.engine import mode

app = typer.Typer()

Games = Annotated[int, typer.Option("--games", "-n", min=2, help="Games per pairing.")]
TimeLimit = Annotated[
    int | None,
    typer.Option("--time", min=1, help="Milliseconds for an action; 1000 unless --nodes is given."),
]
NodeLimit = Annotated[
    int | None, typer.Option("--nodes", min=1, help="Nodes for an action; alone, games are reproducible.")
]
SetupRule = Annotated[
    str, typer.Option("--setups", help="shared: the same setups for both; own: each player's own.")
]
AllowCheater = Annotated[
    bool, typer.Option("--allow-cheater", help="Allow cheater:NAME, which sees hidden pieces.")
]


@app.command(cls=Command, short_help="Let two players play a match in pairs.")
def match(
    south: Annotated[str, typer.Option("--south", help="The first player: a name, or cmd:COMMAND.")],
    north: Annotated[str, typer.Option("--north", help="The second player.")],
    game: PlayedGame = None,
    named: NamedGame = None,
    games: Games = 100,
    time_ms: TimeLimit = None,
    nodes: NodeLimit = None,
    jobs: Jobs = None,
    on: On = "local",
    seed: Seed = 1,
    option: OptionPairs = None,
    out: GamesFile = None,
    sprt: Annotated[
        str,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Sequential test between two Elo bounds; stops when one is accepted.",
        ),
    ] = "",
    setups: SetupRule = "shared",
    max_turns: MaxTurns = 2000,
    resume: Resumes = True,
    allow_cheater: AllowCheater = False,
    as_json: AsJson = False,
) -> None:
    """Let two players play a match: every pair of setups twice, with the sides exchanged."""
    mode.choose("compiled")
    from flagfall.cli import matches

    players, chosen = [south, north], one_game(game, named)
    plan = matches.planned(
        chosen, players, option or [], seed, time_ms, nodes, setups, max_turns, allow_cheater
    )
    matches.match(plan, games, jobs, out, sprt, on=on, restarts=not resume, as_json=as_json)


@app.command(cls=Command, short_help="Let several players all play each other.")
def league(
    players: Annotated[str, typer.Option("--players", "-p", help="Names, separated by commas.")],
    game: PlayedGame = None,
    named: NamedGame = None,
    games: Games = 20,
    time_ms: TimeLimit = None,
    nodes: NodeLimit = None,
    jobs: Jobs = None,
    on: On = "local",
    seed: Seed = 1,
    option: OptionPairs = None,
    out: GamesFile = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a report with plots.")] = None,
    setups: SetupRule = "shared",
    max_turns: MaxTurns = 2000,
    resume: Resumes = True,
    allow_cheater: AllowCheater = False,
    as_json: AsJson = False,
) -> None:
    """Let all players play each other: cross-table, ratings with intervals, a report."""
    mode.choose("compiled")
    from flagfall.cli import matches

    names, chosen = players.split(","), one_game(game, named)
    plan = matches.planned(
        chosen, names, option or [], seed, time_ms, nodes, setups, max_turns, allow_cheater
    )
    matches.league(plan, games, jobs, out, html, on=on, restarts=not resume, as_json=as_json)


@app.command(short_help="Run a player over the engine protocol.")
def engine(
    game: GameArgument,
    player: Annotated[str, typer.Option("--player", help="Who plays.")] = "greedy",
    option: OptionPairs = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also print the best line and the chances of hidden pieces.")
    ] = False,
) -> None:
    """Run a player over the engine protocol: lines on standard input and output, for other programs."""
    mode.choose("compiled")
    from flagfall.cli import engine

    engine.run(game, player, option or [], explains=explain)


@app.command(short_help="Analyse a recorded game, as a page with graphs.")
def analyse(
    file: Annotated[
        Path, typer.Argument(metavar="RECORD", help="A record, its JSON twin, or a file of many games.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="The HTML file, by default next to the record.")
    ] = None,
    player: Annotated[
        str, typer.Option("--player", help="The analysing level: recruit to marshal.")
    ] = "marshal",
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, help="Nodes for a turn; 100000 unless --time is given.")
    ] = None,
    time_ms: Annotated[int | None, typer.Option("--time", min=1, help="Milliseconds for a turn.")] = None,
    every: Annotated[int, typer.Option("--every", min=1, help="Analyse every Nth turn of each side.")] = 1,
    number: GameNumber = 1,
    box: BoxFile = None,
    as_json: AsJson = False,
) -> None:
    """Analyse a recorded game: win estimates, beliefs against the truth, turning points, as a web page."""
    mode.choose("compiled")
    from flagfall.cli import analyse as command

    command.analyse(file, out, player, command.limits(time_ms, nodes), every, number, box, as_json=as_json)
