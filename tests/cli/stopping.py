"""Commands as processes of their own, and what they print after Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

from tests import children
from tests.cli.run import ROOT

HEARS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
"""a process of a run in the background would not hear Ctrl-C otherwise"""
INTERPRETED = "from flagfall.engine import mode; mode.choose = lambda wanted: None; "
MAX_WAIT_S = 240.0
"""a command that has written too little by then fails its test"""


def started(*arguments: object, before: str = INTERPRETED) -> subprocess.Popen[str]:
    """A command as a process of its own, in a group of its own."""
    program = HEARS + before + "from flagfall.cli import main; main()"
    environment = {**os.environ, "FLAGFALL_KERNELS": ""}
    return children.start(program, *map(str, arguments), cwd=ROOT, env=environment)


def stopped(process: subprocess.Popen[str], file: Path, size: int, *, is_silent: bool = True) -> str:
    """Press Ctrl-C once a file has grown to a size; return what the command says, and check the file.

    ``is_silent``: there is no result to print, and one sentence begins with how much was done.
    """
    until = time.monotonic() + MAX_WAIT_S
    while process.poll() is None and not (file.exists() and file.stat().st_size > size):
        assert time.monotonic() < until, f"{file} does not grow to {size} bytes"
        time.sleep(0.05)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
    said, complaints = process.communicate(timeout=60)
    assert process.returncode == 130, complaints
    assert "the same command resumes" in complaints
    if is_silent:
        assert said == ""
        assert complaints.startswith("Stopped after ")
    return complaints
