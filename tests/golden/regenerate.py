"""Write the golden playthroughs anew: ``python -m tests.golden.regenerate``, then read the difference."""

from __future__ import annotations

from pathlib import Path

from tests.golden.script import SCRIPTS, Script, written

FOLDER = Path(__file__).resolve().parent


def file_of(script: Script) -> Path:
    """Where a playthrough is kept."""
    return FOLDER / f"{script.name}.txt"


if __name__ == "__main__":
    for script in SCRIPTS:
        file_of(script).write_text(written(script), encoding="utf-8")
