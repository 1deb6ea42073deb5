"""How commands print: tables and progress for people, JSON for programs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Sequence, Sized
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from rich.box import HEAVY_HEAD, SIMPLE_HEAD
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from flagfall.errors import printable

console = Console(highlight=False, emoji=False)
errors = Console(stderr=True, highlight=False, emoji=False)


def print_json(facts: object) -> None:
    """Print facts as JSON on standard output."""
    console.file.write(json.dumps(facts, ensure_ascii=False, indent=2) + "\n")


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    right: Sequence[int] = (),
    *,
    is_wide: bool = False,
) -> None:
    """Print a table; ``right`` are the columns with numbers. Only names are wrapped."""
    say(title)
    table = Table(
        header_style="bold",
        box=SIMPLE_HEAD if is_wide else HEAVY_HEAD,
        padding=(0, 0 if is_wide else 1),
    )
    for index, column in enumerate(columns):
        table.add_column(
            column,
            justify="right" if index in right else "left",
            overflow="fold",
            no_wrap=(index == 0) != is_wide,
        )
    for row in rows:
        table.add_row(*(Text(printable(str(cell))) for cell in row))
    console.print(table)


def say(text: str) -> None:
    """Print a sentence as it is, without wrapping or markup."""
    console.print(printable(text), soft_wrap=True, markup=False)


def warn(text: str) -> None:
    """Print a sentence on standard error."""
    errors.print(printable(text), soft_wrap=True, markup=False)


class ProgressCallback(Protocol):
    """Reports the progress of long work."""

    def __call__(self, done: int, total: int, what: str) -> None:
        """Report that ``done`` of ``total`` is done, and what comes next."""


@contextmanager
def progress(label: str) -> Iterator[ProgressCallback]:
    """Show a progress bar on standard error."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[what]}"),
    )
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task(label, total=None, what="")

        def advance(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total, what=what)

        yield advance


def warm_up_kernels(*, searches: bool = True) -> None:
    """Compile the engine, and the searching players if they are needed, with a progress bar."""
    from flagfall.engine import warm as engine
    from flagfall.players import warm as players

    with progress("Preparing the engine (once per machine)") as advance:
        (players if searches else engine).warm_up(advance)


def warm_up_for(on: str, *, searches: bool = True) -> None:
    """Compile the kernels if games are played by processes of this machine; a cluster compiles its own."""
    if on == "local":
        warm_up_kernels(searches=searches)


@contextmanager
def resumable(
    done: Sized, total: int, what: str, file: Path | None, note: Callable[[], str] = str
) -> Iterator[None]:
    """Tell the person who interrupts a run how to resume it."""
    try:
        yield
    except KeyboardInterrupt:
        kept = f"they are in {file}, and the same command resumes" if file else "none is kept"
        warn(f"Stopped after {len(done)} of {total} {what}; {kept}. {note()}".rstrip())
        raise


def print_place(out: Path | None, address: str) -> None:
    """Say where games were written and how to look at one; a box of one's own is named by its file."""
    if out:
        file = address if address.endswith(".toml") else address.rpartition("#")[0]
        box = f" --box {shlex.quote(file)}" if file else ""
        say(f"Written to {out}. Look at one: flagfall replay {shlex.quote(str(out))} --game 1{box}")
