"""A level at the terminal thinks in a process of its own, and the game outlives it."""

from __future__ import annotations

import io
import os
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

import pytest

from flagfall.board import parse_cell
from flagfall.edition import load_game, resolve
from flagfall.engine import mode
from flagfall.engine.action import MOVE, Action
from flagfall.languages import say
from flagfall.match import Match, Seating
from flagfall.players import make_player, process
from flagfall.setups import read_setup
from flagfall.terminal import start
from flagfall.terminal.start import StartOptions
from flagfall.terminal.thinking import BackgroundPlayer
from tests.terminal.script import Script
from tests.terminal.telling import telling

REPLACED, WARMING_UP = say("terminal.computer.replaced"), say("terminal.computer.warming-up")

MINI = load_game("mini/3x3")
OPTIONS = resolve(MINI, {})


def gone(line: Connection, *about: object) -> None:
    """A process that ends at the first question."""
    line.send(process.READY)
    line.recv()


def compiling(line: Connection, *about: object) -> None:
    """A process that is never ready."""
    line.recv()


def ready(level: BackgroundPlayer) -> BackgroundPlayer:
    """Return the level when its process can answer."""
    while level._player is not None and not level._player.is_ready:
        time.sleep(0.01)
    return level


def begun() -> Match:
    match = Match.created(MINI, OPTIONS, Seating("Anna", "Computer (Recruit)"), 0)
    match.seal("south", read_setup(MINI, 0, "XsF"), 0)
    match.seal("north", read_setup(MINI, 1, "FsX"), 0)
    match.act("south", None, Action(MOVE, parse_cell("a1"), parse_cell("a2")), 0)
    return match


@pytest.mark.xdist_group("compiled")
def test_a_level_thinks_in_another_process_and_when_that_ends_another_takes_over() -> None:
    script = Script([])
    level = ready(BackgroundPlayer("recruit", MINI, OPTIONS, 7, script))
    assert level.set_up(1).kinds == make_player("recruit", MINI, OPTIONS, Random(7)).set_up(1).kinds
    match = begun()
    view, history = match.view("north", forgets=False), match.history("north")
    assert level.choose(view, history) in view.legal
    assert REPLACED not in script.text
    assert mode.mode() == "interpreted", "the game itself is not compiled"
    assert level._player is not None
    os.kill(level._player.process.pid or 0, signal.SIGINT)
    assert level.choose(view, history) in view.legal
    assert REPLACED not in script.text, "Ctrl-C is for the game, not for the player"
    level._player.process.kill()
    level._player.process.join()
    for _ in range(2):
        assert level.choose(view, history) in view.legal
    assert script.said.count(REPLACED) == 1


@pytest.mark.xdist_group("compiled")
def test_the_other_process_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "answer_questions", telling)
    script = Script([])
    level = ready(BackgroundPlayer("recruit", MINI, OPTIONS, 7, script))
    assert level.set_up(1) == read_setup(MINI, 1, "XsF")
    assert REPLACED not in script.text


def test_a_process_that_gives_no_answer_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "answer_questions", gone)
    script = Script([])
    level = ready(BackgroundPlayer("recruit", MINI, OPTIONS, 7, script))
    assert level.set_up(1).kinds == make_player("recruit", MINI, OPTIONS, Random(7)).set_up(1).kinds
    assert script.said[-1] == REPLACED


@pytest.mark.parametrize("name", ["recruit", "marshal"])
def test_nobody_waits_for_a_process_that_still_compiles(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(process, "answer_questions", compiling)
    script = Script([])
    level = BackgroundPlayer(name, MINI, OPTIONS, 7, script)
    assert level.set_up(1).kinds
    match = begun()
    view, history = match.view("north", forgets=False), match.history("north")
    for _ in range(2):
        assert level.choose(view, history) in view.legal
    assert script.said == [WARMING_UP]
    assert level._in_this() is level._in_this(), "it remembers what it has seen"


@pytest.mark.parametrize(("player", "is_alone"), [("recruit", True), ("greedy", False)])
def test_the_command_gives_a_level_a_process_and_others_none(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    home: Path,
    player: str,
    is_alone: bool,
) -> None:
    monkeypatch.setattr(process, "answer_questions", gone)
    monkeypatch.setattr(process.PlayerProcess, "is_ready", True)
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    start.play(StartOptions("mini/3x3", player, "south", ["XsF"]), None, None, 1)
    said = capsys.readouterr().out
    assert (REPLACED in said) == is_alone
    (file,) = (home / "saved").iterdir()
    monkeypatch.setattr("sys.stdin", io.StringIO("a1-a2\nquit\n"))
    start.play(StartOptions(), file, None, 1)
    assert (REPLACED in capsys.readouterr().out) == is_alone
