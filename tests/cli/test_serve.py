"""Ctrl-C ends `flagfall serve` at any moment, also while it compiles: no traceback, no process left."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests import children
from tests.cli.run import ROOT
from tests.cli.stopping import HEARS
from tests.server.processes import all_gone, command, descendants, eventually
from tests.server.served import Guest, Served

SERVE = "from flagfall.cli import main; main()"
END_S = 60
"""a server that has not ended by then fails its test"""
INTERRUPTS = (
    "import os, signal, sys; name = sys.argv.pop(); sys.addaudithook(lambda event, args: "
    "event == 'import' and args[0] == name and os.kill(os.getpid(), signal.SIGINT)); "
)
"""presses Ctrl-C when the module named by the last argument is imported"""


def start(folder: Path, program: str, *arguments: str) -> subprocess.Popen[str]:
    """A server that finds no compiled kernels and compiles them at once."""
    environment = {name: value for name, value in os.environ.items() if name != "FLAGFALL_KERNELS"} | {
        "XDG_CACHE_HOME": str(folder / "cache"),
        "FLAGFALL_PREPARES": "1",
    }
    data = ("serve", "--port", "0", "--data", str(folder / "data"))
    return children.start(HEARS + program, *data, *arguments, cwd=ROOT, env=environment)


def compiles(server: subprocess.Popen[str]) -> bool:
    return any(b"workers.compilation" in command(child) for child in descendants(server.pid))


def assert_ends(server: subprocess.Popen[str], codes: tuple[int, ...]) -> None:
    started = descendants(server.pid)
    if server.poll() is None:
        os.killpg(server.pid, signal.SIGINT)
    _, said = server.communicate(timeout=END_S)
    assert server.returncode in codes, said
    assert "Traceback" not in said
    assert "Error" not in said
    assert all_gone(started)


@pytest.mark.parametrize("module", ["typer", "uvicorn", "flagfall.server.app", "flagfall.players.levels"])
def test_while_it_is_imported(tmp_path: Path, module: str) -> None:
    server = start(tmp_path, INTERRUPTS + SERVE, module)
    server.wait(END_S)
    assert_ends(server, (130,))


def test_while_it_compiles(tmp_path: Path) -> None:
    server = start(tmp_path, SERVE)
    assert eventually(lambda: compiles(server), END_S)
    assert_ends(server, (0,))


def test_while_it_compiles_and_a_level_plays_with_a_guest(tmp_path: Path) -> None:
    server = start(tmp_path, SERVE)
    assert server.stdout is not None
    served = Served(tmp_path)
    served.port = int(server.stdout.readline().split("http://", 1)[1].split()[0].rpartition(":")[2])
    with Guest(served, "Anna") as anna:
        made = anna.post("/api/matches", 200, game="barrage/classic", level="marshal", side="north")
        with anna.socket(made["match"]) as socket:
            socket.until("state")
            anna.post(f"/api/matches/{made['match']}/setup", code=anna.code("barrage/classic", "north"))
            assert eventually(lambda: compiles(server), END_S)
            assert_ends(server, (0,))
