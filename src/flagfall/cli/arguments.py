"""Arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperCommand

from flagfall.errors import UserError

FORMER_NAMES = frozenset({"--anew", "--most", "--most-turns"})
"""options of earlier versions: they work, but the help does not show them"""

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="A game id such as onyx/classic, or my-box.toml#game.")
]
OptionPairs = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule option; may be repeated."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print facts as JSON.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same games.")]
Processes = Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="How many processes.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        max=256,
        help="How many processes; by default 1, or one for each CPU of a cluster.",
    ),
]
On = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="PLACE",
        help="Which machines: local, ray or ray://HOST:PORT; a cluster plays the same games.",
    ),
]
PlayedGame = Annotated[
    str | None, typer.Argument(metavar="GAME", help="A game id such as onyx/classic, or my-box.toml#game.")
]
NamedGame = Annotated[
    str | None, typer.Option("--game", "-g", metavar="GAME", help="The game, as an option.")
]
ChosenGames = Annotated[
    list[str] | None,
    typer.Option("--game", "-g", metavar="GAME", help="Only this game; may be repeated."),
]
GamesFile = Annotated[
    Path | None, typer.Option("--out", help="Write each game as a line of JSON; resumes from this file.")
]
LogFile = Annotated[
    Path | None, typer.Option("--log", help="The log of the run; the same command resumes from it.")
]
PlotFile = Annotated[Path | None, typer.Option("--plot", help="Draw the log as a page in HTML.")]
BoxFile = Annotated[Path | None, typer.Option("--box", help="The box of your own that the game needs.")]
GameNumber = Annotated[int, typer.Option("--game", min=1, help="Which game of a file of many, from 1.")]
Resumes = Annotated[bool, typer.Option("--resume/--restart", " /--anew", help="Resume or start over.")]
MaxTurns = Annotated[int, typer.Option("--max-turns", "--most-turns", min=1, help="A longer game is drawn.")]


def one_game(game: str | None, named: str | None) -> str:
    """Return the game that was given as an argument or as an option."""
    if game and named and game != named:
        raise UserError(f"{game} and {named} are two games; give one.")
    if not (game or named):
        raise UserError("Which game? Put it first, like onyx/classic; flagfall games lists them.")
    return str(game or named)


class Command(TyperCommand):
    """A command that hides the former names of its options."""

    def format_options(self, ctx: typer.Context, formatter: object) -> None:  # type: ignore[override]
        """Write the options into the help."""
        for option in self.params:
            for names in (option.opts, option.secondary_opts):
                names[:] = [name for name in names if name not in FORMER_NAMES]
        super().format_options(ctx, formatter)  # type: ignore[arg-type]
