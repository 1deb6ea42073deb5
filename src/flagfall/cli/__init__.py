"""The `flagfall` command: a module for each group of commands."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    from flagfall.cli.app import main as run

    run(arguments)
