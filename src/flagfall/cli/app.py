"""The `flagfall` command. Each command imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import flagfall
from flagfall.cli import admin, arena, dataset_commands, puzzles, train_commands, tune_commands
from flagfall.cli.arguments import (
    AsJson,
    BoxFile,
    GameArgument,
    GameNumber,
    GamesFile,
    Jobs,
    On,
    OptionPairs,
    Seed,
)
from flagfall.engine import mode
from flagfall.errors import UserError, is_for_people, sentence
from flagfall.languages import LANGUAGES

app = typer.Typer(
    name="flagfall",
    help="Play five boxed editions of Stratego on one engine, and teach machines to play them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
edition_app = typer.Typer(help="Check a box of your own, or create one.", no_args_is_help=True)
app.add_typer(edition_app, name="edition")
app.add_typer(arena.app)
app.add_typer(tune_commands.app, name="tune")
app.add_typer(dataset_commands.app, name="dataset")
app.add_typer(train_commands.app, name="train")
app.add_typer(admin.app, name="admin")
app.add_typer(puzzles.app, name="puzzles")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; a user error prints one sentence and exits with code 2."""
    _replace_unprintable()
    try:
        code = app(arguments, prog_name="flagfall", standalone_mode=False)
    except typer.TyperException as error:
        _tell_usage(error)
        raise SystemExit(2) from None
    except (ValueError, LookupError, OSError) as error:
        if not is_for_people(error):
            raise
        typer.echo(f"flagfall: {sentence(error)}", err=True)
        raise SystemExit(2) from None
    raise SystemExit(code if isinstance(code, int) else 0)


def _tell_usage(error: typer.TyperException) -> None:
    """Print a usage error; without any arguments, print the help."""
    context = getattr(error, "ctx", None)
    if context and error.message == context.get_help():
        typer.echo(error.message, err=True)
        return
    path = context.command_path if context else "flagfall"
    what = sentence(ValueError(error.format_message())).rstrip(".")
    typer.echo(f"flagfall: {what}; {path} --help shows what can be written.", err=True)


def _replace_unprintable() -> None:
    """Print a question mark where the terminal lacks a character."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@app.callback(invoke_without_command=True)
def top(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Play five boxed editions of Stratego on one engine, and teach machines to play them."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(installed("flagfall"))
        raise typer.Exit


@app.command()
def games(as_json: AsJson = False) -> None:
    """List every game that can be played, by box."""
    from flagfall.cli import games

    games.print_games(as_json=as_json)


@app.command()
def rules(
    game: GameArgument,
    option: OptionPairs = None,
    piece: Annotated[str, typer.Option("--piece", help="Only the card of this piece.")] = "",
    as_json: AsJson = False,
) -> None:
    """Explain a game: board, armies, turns, options, hints."""
    from flagfall.cli import games

    games.print_rules(game, option or [], piece=piece, as_json=as_json)


@edition_app.command("check", short_help="Check a box and print what it says.")
def edition_check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A box in TOML.")], as_json: AsJson = False
) -> None:
    """Check a box, and print its rosters and who beats whom."""
    from flagfall.cli import games

    games.print_check(file, as_json=as_json)


@edition_app.command("new", short_help="Create a box of your own.")
def edition_new(file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")]) -> None:
    """Create a box of your own: a small one that already works, to change as you like."""
    from flagfall.cli import games

    games.write_new_box(file)


@app.command(short_help="Let computer players play many games.")
def simulate(
    game: GameArgument,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 100,
    seed: Seed = 1,
    jobs: Jobs = None,
    on: On = "local",
    out: GamesFile = None,
    south: Annotated[str, typer.Option("--south", help="Who plays South: random or greedy.")] = "random",
    north: Annotated[str, typer.Option("--north", help="Who plays North: random or greedy.")] = "random",
    option: OptionPairs = None,
    as_json: AsJson = False,
) -> None:
    """Let computer players play many games; count the results and write the games to a file."""
    mode.choose("compiled")
    from flagfall.cli import runs

    runs.simulate(game, games, seed, jobs, out, (south, north), option or [], on=on, as_json=as_json)


@app.command(short_help="Count action sequences from a seeded setup.")
def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Option("--depth", "-d", min=1, max=9, help="How many actions deep.")] = 3,
    seed: Seed = 1,
    option: OptionPairs = None,
    as_json: AsJson = False,
) -> None:
    """Count the action sequences from a seeded setup, as a check on the rules."""
    mode.choose("compiled")
    from flagfall.cli import runs

    runs.perft(game, depth, seed, option or [], as_json=as_json)


@app.command(short_help="Hash seeded games: has behaviour changed?")
def signature(
    check: Annotated[
        bool, typer.Option("--check", help="Compare with signature.txt; exit code 1 if it differs.")
    ] = False,
    write: Annotated[bool, typer.Option("--write", help="Write signature.txt.")] = False,
    file: Annotated[Path, typer.Option("--file", help="The file to compare with or to write.")] = Path(
        "signature.txt"
    ),
    as_json: AsJson = False,
) -> None:
    """Hash seeded games of every game: it changes exactly when behaviour does."""
    mode.choose("compiled")
    from flagfall.cli import runs

    if not runs.signature(file, check=check, write=write, as_json=as_json):
        raise typer.Exit(1)


@app.command(
    short_help="Measure speed and strength (in a source checkout).",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    add_help_option=False,
)
def bench(context: typer.Context) -> int:
    """Run a benchmark of the source checkout's `bench` folder."""
    checkout = Path(flagfall.__file__).resolve().parents[2]
    if not (checkout / "bench" / "commands.py").is_file():
        raise UserError("Benchmarks come with the source code: run this command in a checkout of Flagfall.")
    sys.path.insert(0, str(checkout))
    from bench.commands import app as benchmarks

    code = benchmarks(context.args, prog_name="flagfall bench", standalone_mode=False)
    return code if isinstance(code, int) else 0


@app.command(short_help="Play in the terminal.")
def play(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game id; you are asked if it is missing.")
    ] = "",
    plain: Annotated[
        bool, typer.Option("--plain", hidden=True, help="For older scripts: the text is always plain.")
    ] = True,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            "-a",
            help="human (two at this keyboard), a level from recruit to marshal, greedy or another "
            "computer player; asked if missing.",
        ),
    ] = "",
    side: Annotated[
        str, typer.Option("--side", help="Your side against the computer: south, north or random.")
    ] = "",
    setup: Annotated[
        list[str] | None,
        typer.Option("--setup", metavar="SETUP", help="Your setup as compact text, or a style."),
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option("--name", metavar="NAME", help="Your name; for two, give it twice.")
    ] = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="Continue a saved game.")] = None,
    start: Annotated[
        Path | None, typer.Option("--from", metavar="RECORD", help="Play on from a turn of a recorded game.")
    ] = None,
    turn: Annotated[
        int | None, typer.Option("--turn", help="With --from: after this many turns; all if missing.")
    ] = None,
    deal: Annotated[
        str,
        typer.Option(
            "--deal",
            help="With --from: belief deals anew what was hidden from your side, true keeps both armies.",
        ),
    ] = "belief",
    box: BoxFile = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Make random choices and computer players repeatable.")
    ] = None,
    language: Annotated[
        str,
        typer.Option("--language", help=f"The language: {', '.join(LANGUAGES)}; by default that of LANG."),
    ] = "",
    option: OptionPairs = None,
) -> None:
    """Play in the terminal: against the computer, or two people at one keyboard."""
    from flagfall.cli.replay import read_any
    from flagfall.terminal.start import RecordedMoment, StartOptions
    from flagfall.terminal.start import play as run

    if start is None and turn is not None:
        raise UserError("--turn belongs to --from; name the record to play on from.")
    if language and language not in LANGUAGES:
        raise UserError(f"“{language[:20]}” is not a language here; choose {', '.join(LANGUAGES)}.")
    moment = None if start is None else RecordedMoment(read_any(start, 1, "truth", box), turn, deal)
    given = StartOptions(game, against, side, setup or [], option or [], name or [])
    run(given, resume, box, seed, moment, language)


@app.command(short_help="Show a recorded game turn by turn.")
def replay(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A record, its JSON twin, a saved game, simulated games.")
    ],
    viewer: Annotated[
        str, typer.Option("--as", help="The viewer: south, north, watcher or truth.")
    ] = "truth",
    number: GameNumber = 1,
    turn: Annotated[
        int | None, typer.Option("--turn", help="Only the position after this many turns.")
    ] = None,
    box: BoxFile = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after every turn.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a recorded game turn by turn, as one of the viewers saw it."""
    from flagfall.cli import replay

    replay.replay(file, viewer, number, turn, box, step=step, as_json=as_json)


@app.command()
def serve(
    host: Annotated[
        str | None, typer.Option("--host", help="Address to listen on, by default 127.0.0.1.")
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", help="Port, 0 for any; by default 8000 or the next free one.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", help="Folder of the database, by default your data folder.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", help="Processes in which computer players think, by default 2.")
    ] = None,
    box: Annotated[
        list[Path] | None,
        typer.Option("--box", help="A box of your own to play here, with its lessons; may be repeated."),
    ] = None,
    network: Annotated[
        list[Path] | None,
        typer.Option("--network", help="A network to offer as an opponent of its game; may be repeated."),
    ] = None,
    config: Annotated[Path | None, typer.Option("--config", help="A file of settings in TOML.")] = None,
    open_: Annotated[
        bool, typer.Option("--open", help="Open the game in your browser, if there is a desktop.")
    ] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the API as OpenAPI and exit.")] = False,
) -> None:
    """Serve the game over HTTP and sockets."""
    import os

    from flagfall.server.settings import load_settings

    flags = {
        "host": host,
        "port": port,
        "data": str(data) if data else None,
        "boxes": box or None,
        "networks": network or None,
        "workers": workers,
    }
    settings = load_settings(flags, os.environ, str(config) if config else "")

    from flagfall.server import serve as server

    if schema:
        typer.echo(server.schema())
    else:
        server.serve(settings, opens_browser=open_)


@app.command(short_help="Compile the computer players now.")
def warm(
    game: Annotated[
        str | None, typer.Argument(help="A game id; the compiled code serves every game.")
    ] = None,
) -> None:
    """Compile the computer players now, so that the first game starts at full strength."""
    from flagfall.engine import mode

    mode.choose("compiled")
    from flagfall.cli import runs

    runs.warm_players(game)
