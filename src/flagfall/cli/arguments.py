"""Arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="A game id such as onyx/classic, or my-box.toml#game.")
]
OptionPairs = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule option; may be repeated."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print facts as JSON.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same games.")]
LogFile = Annotated[
    Path | None,
    typer.Option("--log", help="The log of the run; the same command resumes from it."),
]
PlotFile = Annotated[Path | None, typer.Option("--plot", help="Draw the log as a page in HTML.")]
LogResumes = Annotated[bool, typer.Option("--resume/--anew", help="Resume or start over.")]
