"""The `flagfall` command: a module for each group of commands."""

from __future__ import annotations

from collections.abc import Sequence

INTERRUPTED = 130
"""the exit code after Ctrl-C, as shells have it"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; Ctrl-C ends it without a traceback, even while it is being imported."""
    try:
        from flagfall.cli.app import main as run

        run(arguments)
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
