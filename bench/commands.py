"""`python -m bench` and, in a checkout, `flagfall bench`: measure how fast and how strong things are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flagfall.cli.arguments import AsJson, ChosenGames, Command, Processes, Seed
from flagfall.engine import mode

app = typer.Typer(
    name="bench",
    help="Measure how fast and how strong things are on this machine.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

PlayerName = Annotated[str, typer.Option("--player", help="Who plays both sides.")]
Classic = Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="The game with most trials.")]
OutFolder = Annotated[Path, typer.Option("--out", help="The folder of the trials; resumes from it.")]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="PATTERN", help="Only these trials: levels, classic.*; repeatable."),
]
Lists = Annotated[
    bool, typer.Option("--list", help="Play nothing: show trials, results, and how long the rest takes.")
]
Scale = Annotated[float, typer.Option("--games-scale", min=0.001, max=100, help="0.1: a tenth of the games.")]
BudgetMinutes = Annotated[
    float,
    typer.Option("--budget-minutes", min=0.01, help="Fewer games, so that all trials fit."),
]
IsFull = Annotated[bool, typer.Option("--full", help="Play every game of the targets: many hours.")]
LevelTime = Annotated[
    int, typer.Option("--level-time", min=1, help="Milliseconds for an action of the levels.")
]
Data = Annotated[
    Path | None, typer.Option("--data", metavar="FILE", help="People's setups, to check beliefs on.")
]
Resumes = Annotated[
    bool, typer.Option("--resume/--restart", " /--anew", help="Resume, or start the chosen trials over.")
]
Panel = Annotated[
    str, typer.Option("--panel", metavar="outside", help="Instead: the strongest level against strangers.")
]
PanelTime = Annotated[int, typer.Option("--time", min=1, metavar="MS", help="--panel: for an action.")]
PanelGames = Annotated[int, typer.Option("--games", "-n", min=2, help="--panel: games with each member.")]
Mixes = Annotated[bool, typer.Option("--mixed", help="Resume games of another version; the report says so.")]


@app.command("players", cls=Command, short_help="Measure how strong the computer players are.")
def bench_players(
    game: Classic = "lotr/classic",
    out: OutFolder = Path("strength"),
    only: Only = None,
    lists: Lists = False,
    scale: Scale = 1.0,
    jobs: Processes = 2,
    budget_minutes: BudgetMinutes = 120,
    is_full: IsFull = False,
    level_time_ms: LevelTime = 50,
    panel: Panel = "",
    panel_time_ms: PanelTime = 100,
    panel_games: PanelGames = 200,
    data: Data = None,
    seed: Seed = 1,
    resume: Resumes = True,
    mixes: Mixes = False,
    as_json: AsJson = False,
) -> None:
    """Measure how strong the computer players are: trials with targets, and a report."""
    mode.choose("compiled")
    from bench import panel as strangers
    from bench import strength
    from bench.players import Folder

    restarts = not resume and not lists
    if panel:
        bench = strangers.prepared_panel(
            panel, game, Folder(out, seed), only or [], panel_time_ms, panel_games, restarts=restarts
        )
    else:
        budget_s = None if is_full else 60 * budget_minutes * jobs
        bench = strength.prepared(
            game, out, only or [], seed, level_time_ms, scale, budget_s, data, restarts=restarts
        )
    if lists:
        strength.list_trials(bench, jobs, as_json=as_json)
        return
    strangers.prepare_programs(bench)
    strength.run(bench, jobs, mixes=mixes, as_json=as_json)
    if panel and not as_json:
        strangers.print_panel(bench)


@app.command("population", short_help="Show players of the population: mix:1, mix:2 …")
def bench_population(
    number: Annotated[list[int] | None, typer.Argument(min=0, max=1_000_000, metavar="NUMBER …")] = None,
    count: Annotated[int, typer.Option("--count", min=1, max=1000, help="So many from --seed on.")] = 8,
    seed: Seed = 1,
) -> None:
    """Show what is drawn for players of the population; a number is the seed of its player."""
    from bench.panel import print_population

    print_population(number or range(seed, seed + count))


@app.command("search", short_help="Measure how fast the search is, and whether it keeps its time.")
def bench_search(
    game: ChosenGames = None,
    budgets: Annotated[
        list[int] | None,
        typer.Option("--time", min=1, metavar="MS", help="A budget to keep; repeatable: 20 50 200 1000."),
    ] = None,
    moves: Annotated[int, typer.Option("--moves", min=1, help="Choices at each budget, all games.")] = 208,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds of the speed; medians.")] = 5,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, help="Seconds of random play per round.")
    ] = 0.5,
    as_json: AsJson = False,
) -> None:
    """Measure the search: nodes per second, depth, time-keeping, and where the time goes."""
    mode.choose("compiled")
    from bench import search_tables

    search_tables.bench_search(
        game or [], budgets or [20, 50, 200, 1000], moves, rounds, seconds, as_json=as_json
    )


@app.command("engine", short_help="Measure random self-play, Views and copies.")
def bench_engine(
    game: Annotated[
        list[str] | None,
        typer.Option("--game", "-g", metavar="GAME", help="Only this game; may be repeated."),
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds; medians are printed.")] = 5,
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, help="Seconds per game and round.")] = 0.5,
    as_json: AsJson = False,
) -> None:
    """Measure random self-play, Views and copies, compared with two reference kernels in C."""
    mode.choose("compiled")
    from bench.engine_tables import print_rates

    print_rates(game or [], rounds, seconds, as_json=as_json)


@app.command("rl", short_help="Measure how many steps a vector environment makes.")
def bench_rl(
    game: ChosenGames = None,
    size: Annotated[
        list[int] | None,
        typer.Option("--size", min=1, help="How many games at once; repeatable: 1 16 256 4096."),
    ] = None,
    threads: Annotated[
        list[int] | None, typer.Option("--threads", min=1, help="Threads; repeatable: 1 2.")
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds; medians are printed.")] = 3,
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, help="Seconds per case and round.")] = 0.2,
    as_json: AsJson = False,
) -> None:
    """Measure random steps of a vector environment, compared with a reference kernel in C."""
    mode.choose("compiled")
    from bench.rl_tables import print_speeds

    print_speeds(game or [], size or [], threads or [], rounds, seconds, as_json=as_json)


@app.command("server", short_help="Measure how long a click takes, and how many live matches fit.")
def bench_server(
    game: Annotated[
        list[str] | None,
        typer.Option("--game", "-g", metavar="GAME", help="Only this game; may be repeated without --live."),
    ] = None,
    actions: Annotated[int, typer.Option("--actions", min=1, help="Actions of each game.")] = 100,
    live: Annotated[
        int,
        typer.Option(
            "--live",
            min=0,
            max=10_000,
            help="Measure this many live matches at once.",
        ),
    ] = 0,
    every: Annotated[
        float, typer.Option("--every", min=0.05, help="Live: seconds between two actions of a match.")
    ] = 5.0,
    seconds: Annotated[float, typer.Option("--seconds", min=1.0, help="Live: how long to measure.")] = 30.0,
    knee: Annotated[
        bool, typer.Option("--knee", help="Live: add matches until the 99th percentile passes the limit.")
    ] = False,
    limit_ms: Annotated[
        float, typer.Option("--limit-ms", min=1.0, help="Live: the limit of --knee in milliseconds.")
    ] = 150.0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.svg", help="Live: draw the figures of --knee.")
    ] = None,
    pin: Annotated[
        bool, typer.Option("--pin/--no-pin", help="Live: server and players each on a core of its own.")
    ] = True,
    compress: Annotated[
        bool, typer.Option("--compress/--no-compress", help="Live: players take compressed messages.")
    ] = True,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Measure the time from a click to the new State, and of a new match, over real sockets.

    With --live or --knee: how many matches one server process carries at the same time.
    """
    from flagfall.cli.output import print_json, print_table, progress
    from flagfall.edition import game_ids, load_game

    games = [load_game(name, allow_files=False).id for name in game or game_ids()]
    if live or knee:
        chosen = games[0] if game else "onyx/classic"
        _bench_live(chosen, live, every, seconds, knee, limit_ms, out, pin, compress, seed, as_json)
        return
    from bench.server_clicks import measure

    with progress("bench server") as advance:
        figures = measure(games, actions, seed, advance)
    if as_json:
        print_json(figures)
        return
    names = ("own_ms", "own_p95_ms", "other_ms", "other_p95_ms", "bytes")
    rows = [(what, *(row.get(name, "–") for name in names)) for what, row in figures.items()]
    columns = ("game", "mover ms", "p95", "opponent ms", "p95", "bytes")
    print_table("From sending an action to the new State (medians)", columns, rows, right=(1, 2, 3, 4, 5))


def _bench_live(
    game: str,
    live: int,
    every_s: float,
    seconds: float,
    has_knee: bool,
    limit_ms: float,
    out: Path | None,
    is_pinned: bool,
    compresses: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Measure live matches or find the knee; print, and draw if asked."""
    from bench.server_live import KNEE_STEPS, Plan, knee_plot, measure_knee, measure_live
    from bench.server_tables import print_knee, print_live
    from flagfall.cli.output import print_json, progress, say, warn
    from flagfall.errors import UserError

    if out and not has_knee:
        raise UserError("--out draws the figures of --knee; add --knee.")
    if out and not out.resolve().parent.is_dir():
        raise UserError(f"{out}: there is no such folder; create it or choose another --out.")
    plan = Plan(
        game=game,
        live=live,
        every_s=every_s,
        seconds=seconds,
        seed=seed,
        is_pinned=is_pinned,
        compresses=compresses,
        warm_up_s=max(1.0, min(every_s, 5.0)),
    )
    with progress("bench server") as advance:
        if has_knee:
            steps = tuple(count for count in KNEE_STEPS if count >= live) or (live,)
            figures = measure_knee(plan, limit_ms, advance, steps)
        else:
            figures = measure_live(plan, advance)
    if as_json:
        print_json(figures)
    elif has_knee:
        print_knee(figures)
    else:
        print_live(figures)
    if out:
        out.write_text(knee_plot(figures), encoding="utf-8")
        (warn if as_json else say)(f"Drawn in {out}.")


@app.command("belief", short_help="Measure what players believe of hidden pieces.")
def bench_belief(
    game: ChosenGames = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games of each.")] = 4,
    player: PlayerName = "greedy",
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            "--opponent",
            help="What --player believes of this opponent, by class of piece; repeat it, or say panel.",
        ),
    ] = None,
    samples: Annotated[int, typer.Option("--samples", min=1, help="Samples per turn.")] = 32,
    jobs: Processes = 1,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Measure beliefs about hidden pieces against the truth, and their time."""
    mode.choose("compiled")
    from bench.belief_tables import print_beliefs, print_opponents

    if opponent:
        print_opponents(game or ["lotr/classic"], opponent, games, player, jobs, seed, as_json=as_json)
    else:
        print_beliefs(game or [], games, player, samples, seed, as_json=as_json)


@app.command("review", short_help="Measure whether the verdicts of a review are right.")
def bench_review(
    share: Annotated[
        float, typer.Option("--share", min=0.02, max=1, help="0.1: a tenth of the positions and games.")
    ] = 1.0,
    only: Annotated[
        str,
        typer.Option(
            "--only",
            help="Only positions, games, or one part of them: endings, forced, at-once, barrage/classic …",
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE.jsonl", help="Keep the answers about games; resumes from them."),
    ] = None,
) -> None:
    """Measure a review where the truth is known: best actions of solved positions, wins thrown away."""
    mode.choose("compiled")
    from bench.review_verdicts import measure

    measure(share, only, out)


@app.command("suite", short_help="Measure how many positions with known good answers a player solves.")
def bench_suite(
    player: Annotated[
        str, typer.Option("--player", help="Who is asked, as flagfall match names players.")
    ] = "marshal",
    theme: Annotated[
        list[str] | None,
        typer.Option("--theme", help="Only finish, defend, digger, raid or retake; repeatable."),
    ] = None,
    time_ms: Annotated[int, typer.Option("--time", min=1, metavar="MS", help="For each position.")] = 100,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, help="Instead of time; the answers can be repeated.")
    ] = None,
    misses: Annotated[bool, typer.Option("--misses", help="Show what was played instead.")] = False,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Ask a player in 300 positions of lotr/classic whose good actions are known."""
    mode.choose("compiled")
    from bench import suite
    from flagfall.cli.output import print_json, print_table, progress, say
    from flagfall.errors import UserError

    if unknown := set(theme or ()) - set(suite.THEMES):
        raise UserError(f"There is no theme {min(unknown)}; there are {', '.join(suite.THEMES)}.")
    chosen = suite.suite(theme or suite.THEMES)
    with progress("bench suite") as advance:
        solved = suite.solve(player, chosen, nodes, None if nodes else time_ms, seed, advance)
    if as_json:
        print_json(solved)
        return
    limit = f"{nodes} nodes" if nodes else f"{time_ms} ms"
    columns = ("theme", "positions", "solved", "%", "95 %")
    print_table(f"{player}, {limit} a position", columns, suite.rows(solved), right=(1, 2, 3, 4))
    for one, answer in zip(chosen, solved, strict=True):
        if misses and not answer.is_good:
            say(f"{one.id}: played {answer.played}; good is {', '.join(one.good)}")
