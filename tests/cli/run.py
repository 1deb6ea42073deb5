"""Running the `flagfall` command in the tests: in this process, or as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from flagfall.cli import app

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Ran:
    """How a command went."""

    code: int
    out: str
    err: str

    @property
    def facts(self) -> Any:
        """What it printed, as JSON."""
        assert self.code == 0, self.err
        return json.loads(self.out)


def flagfall(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ran:
    """Run a command in this process; for commands that do not compile the engine."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        app.main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    code = end.value.code
    assert isinstance(code, int)
    return Ran(code, said.out, said.err)


def process(*arguments: object, typed: str = "", home: Path | None = None) -> Ran:
    """Run a command as a process of its own."""
    environment = {**os.environ, "FLAGFALL_KERNELS": ""}
    if home is not None:
        environment["XDG_DATA_HOME"] = str(home)
    code = "from flagfall.cli import main; main()"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    ran = subprocess.run(
        command, input=typed, capture_output=True, encoding="utf-8", env=environment, cwd=ROOT, check=False
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def one_sentence(ran: Ran) -> str:
    """The only line of a refusal; nothing else was printed, and no traceback."""
    assert ran.code == 2, ran
    lines = ran.err.splitlines()
    assert len(lines) == 1, ran.err
    assert lines[0].startswith("flagfall: ")
    assert lines[0].endswith((".", "?"))
    return lines[0].removeprefix("flagfall: ")
