"""The commands match, league, engine and analyse; each imports what it needs when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flagfall.cli.arguments import AsJson, GameArgument, OptionPairs, Seed
from flagfall.engine import mode

Games = Annotated[int, typer.Option("--games", "-n", min=2, help="Games per pairing.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="How many processes.")]
TimeLimit = Annotated[
    int | None,
    typer.Option("--time", min=1, help="Milliseconds for an action; 1000 unless --nodes is given."),
]
NodeLimit = Annotated[
    int | None, typer.Option("--nodes", min=1, help="Nodes for an action; alone, games are reproducible.")
]
OutFile = Annotated[
    Path | None, typer.Option("--out", help="Write each game as a line of JSON; resumes from this file.")
]
SetupRule = Annotated[
    str, typer.Option("--setups", help="shared: the same setups for both; own: each player's own.")
]
MaxTurns = Annotated[int, typer.Option("--most-turns", min=1, help="A longer game is drawn.")]
Resumes = Annotated[bool, typer.Option("--resume/--anew", help="Resume or start over.")]
AllowCheater = Annotated[
    bool, typer.Option("--allow-cheater", help="Allow cheater:NAME, which sees hidden pieces.")
]


def match(
    south: Annotated[str, typer.Option("--south", help="The first player: a name, or cmd:COMMAND.")],
    north: Annotated[str, typer.Option("--north", help="The second player.")],
    game: Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="Which game.")],
    games: Games = 100,
    time_ms: TimeLimit = None,
    nodes: NodeLimit = None,
    jobs: Jobs = 1,
    seed: Seed = 1,
    option: OptionPairs = None,
    out: OutFile = None,
    sprt: Annotated[
        str,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Sequential test between two Elo bounds; stops when one is accepted.",
        ),
    ] = "",
    setups: SetupRule = "shared",
    most_turns: MaxTurns = 2000,
    resume: Resumes = True,
    allow_cheater: AllowCheater = False,
    as_json: AsJson = False,
) -> None:
    """Let two players play a match: every pair of setups twice, with the sides exchanged."""
    mode.choose("compiled")
    from flagfall.cli import matches

    plan = matches.planned(
        game, [south, north], option or [], seed, time_ms, nodes, setups, most_turns, allow_cheater
    )
    matches.match(plan, games, jobs, out, sprt, anew=not resume, as_json=as_json)


def league(
    players: Annotated[str, typer.Option("--players", "-p", help="Names, separated by commas.")],
    game: Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="Which game.")],
    games: Games = 20,
    time_ms: TimeLimit = None,
    nodes: NodeLimit = None,
    jobs: Jobs = 1,
    seed: Seed = 1,
    option: OptionPairs = None,
    out: OutFile = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a report with plots.")] = None,
    setups: SetupRule = "shared",
    most_turns: MaxTurns = 2000,
    resume: Resumes = True,
    allow_cheater: AllowCheater = False,
    as_json: AsJson = False,
) -> None:
    """Let all players play each other: cross-table, ratings with intervals, a report."""
    mode.choose("compiled")
    from flagfall.cli import matches

    plan = matches.planned(
        game, players.split(","), option or [], seed, time_ms, nodes, setups, most_turns, allow_cheater
    )
    matches.league(plan, games, jobs, out, html, anew=not resume, as_json=as_json)


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


def analyse(
    file: Annotated[
        Path, typer.Argument(metavar="RECORD", help="A record, its JSON twin, or a file of many games.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="The HTML file; next to the record if missing.")
    ] = None,
    player: Annotated[
        str, typer.Option("--player", help="The analysing level: recruit to marshal.")
    ] = "marshal",
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, help="Nodes for a turn; 100000 unless --time is given.")
    ] = None,
    time_ms: Annotated[int | None, typer.Option("--time", min=1, help="Milliseconds for a turn.")] = None,
    every: Annotated[int, typer.Option("--every", min=1, help="Analyse every Nth turn of each side.")] = 1,
    number: Annotated[int, typer.Option("--game", min=1, help="Which game of a file of many, from 1.")] = 1,
    box: Annotated[
        Path | None, typer.Option("--box", help="The box of your own that the game needs.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Analyse a recorded game: win estimates, beliefs against the truth, turning points, as a web page."""
    mode.choose("compiled")
    from flagfall.cli import analyse as command

    command.analyse(file, out, player, command.limits(time_ms, nodes), every, number, box, as_json=as_json)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command(short_help="Let two players play a match in pairs.")(match)
    app.command(short_help="Let several players all play each other.")(league)
    app.command(short_help="Run a player over the engine protocol.")(engine)
    app.command(short_help="Analyse a recorded game, as a page with graphs.")(analyse)
