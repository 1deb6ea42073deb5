"""Commands about strength: bench players, bench search; each imports what it needs when run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flagfall.engine import mode
from flagfall.tui.arena_commands import Jobs
from flagfall.tui.arguments import AsJson, Seed
from flagfall.tui.belief_commands import ChosenGames

Classic = Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="The game that most is asked of.")]
OutFolder = Annotated[Path, typer.Option("--out", help="The folder of the trials; goes on from it.")]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="PATTERN", help="Only such trials: levels, classic.*; repeatable."),
]
Lists = Annotated[
    bool, typer.Option("--list", help="Play nothing: show trials, results, and how long the rest takes.")
]
Scale = Annotated[float, typer.Option("--games-scale", min=0.001, max=100, help="0.1: a tenth of the games.")]
BudgetMinutes = Annotated[
    float,
    typer.Option("--budget-minutes", min=0.01, help="Lower the numbers of games so that all fits."),
]
IsFull = Annotated[bool, typer.Option("--full", help="Play every game that is asked for: many hours.")]
LevelTime = Annotated[
    int, typer.Option("--level-time", min=1, help="Milliseconds for an action of the levels.")
]
Data = Annotated[
    Path | None, typer.Option("--data", metavar="FILE", help="Setups of people, to check beliefs on.")
]
Resumes = Annotated[
    bool, typer.Option("--resume/--anew", help="Go on, or play the chosen trials from the start.")
]
Mixes = Annotated[
    bool, typer.Option("--mixed", help="Go on with games of another version; the report says so.")
]


def bench_players(
    game: Classic = "lotr/classic",
    out: OutFolder = Path("strength"),
    only: Only = None,
    lists: Lists = False,
    scale: Scale = 1.0,
    jobs: Jobs = 2,
    budget_minutes: BudgetMinutes = 120,
    is_full: IsFull = False,
    level_time_ms: LevelTime = 50,
    data: Data = None,
    seed: Seed = 1,
    resume: Resumes = True,
    mixes: Mixes = False,
    as_json: AsJson = False,
) -> None:
    """Measure how strong the computer players are: trials with gates, a file each, and a report."""
    mode.choose("compiled")
    from flagfall.tui import strength

    budget_s = None if is_full else 60 * budget_minutes * jobs
    anew = not resume and not lists
    bench = strength.prepared(game, out, only or [], seed, level_time_ms, scale, budget_s, data, anew=anew)
    if lists:
        strength.list_trials(bench, jobs, as_json=as_json)
    else:
        strength.run(bench, jobs, mixes=mixes, as_json=as_json)


def bench_search(
    game: ChosenGames = None,
    budgets: Annotated[
        list[int] | None,
        typer.Option("--time", min=1, metavar="MS", help="A budget to keep; repeatable: 20 50 200 1000."),
    ] = None,
    moves: Annotated[int, typer.Option("--moves", min=1, help="Choices at each budget, all games.")] = 208,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds of the speed; medians.")] = 5,
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, help="Of random play a round.")] = 0.5,
    as_json: AsJson = False,
) -> None:
    """Measure the search beside the engine: nodes a second, depth, time kept, and where the time goes."""
    mode.choose("compiled")
    from flagfall.tui import search_figures

    search_figures.bench_search(
        game or [], budgets or [20, 50, 200, 1000], moves, rounds, seconds, as_json=as_json
    )


def add_to(bench: typer.Typer) -> None:
    """Make the commands known."""
    bench.command("players", short_help="Measure how strong the computer players are.")(bench_players)
    bench.command("search", short_help="Measure how fast the search is, and whether it keeps its time.")(
        bench_search
    )
