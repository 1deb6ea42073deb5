"""The real keyboard and screen: pipes, closed windows, strange bytes."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from flagfall.errors import printable, sentence
from flagfall.terminal.console import Keyboard, Quit


def keyboard(monkeypatch: pytest.MonkeyPatch, data: bytes) -> Keyboard:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
    return Keyboard()


def test_a_pipe_sees_its_own_lines_and_ends_in_leaving(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = keyboard(monkeypatch, b"d4-d5\n\n")
    terminal.curtain("Anna", "Ben")
    terminal.say("Hello")
    assert terminal.ask("> ") == ""
    with pytest.raises(Quit):
        terminal.ask("> ")
    said = capsys.readouterr().out
    assert "Anna, it is your turn. Take the keyboard and press Enter. d4-d5\n" in said
    assert "\x1b" not in said


def test_a_screen_is_cleared_after_the_leaver_has_looked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = keyboard(monkeypatch, b"\n\n")
    terminal.is_screen = True
    terminal.curtain("Anna", "Ben")
    before, after = capsys.readouterr().out.split("\x1b[2J\x1b[3J\x1b[H")
    assert "Ben, press Enter to hide the board." in before
    assert "Anna, it is your turn." in after


def test_strange_bytes_and_escapes_never_reach_the_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = keyboard(monkeypatch, b"\xff\xfe\x1b[31mred\n")
    terminal.say(terminal.ask("> "))
    terminal.say("\x1b]0;title\x07")
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\x07" not in said
    assert "red" in said


def test_a_closed_window_counts_as_leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError(32, "gone")

    terminal = keyboard(monkeypatch, b"")
    monkeypatch.setattr(sys, "stdout", Gone())
    with pytest.raises(Quit):
        terminal.say("Hello")


def test_sentences_end_and_are_safe_to_print() -> None:
    assert sentence(FileNotFoundError(2, "No such file", "a.txt")) == (
        "a.txt: there is no such file or folder; check the name."
    )
    assert sentence(ValueError("so")) == "so."
    assert sentence(LookupError("so?")) == "so?"
    assert printable("\u202eabc\x1b\udc80 \N{GRINNING FACE}\n") == "\ufffdabc\ufffd\ufffd \N{GRINNING FACE}\n"


@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_game_that_is_broken_off_from_outside_is_saved(tmp_path: Path, end: str) -> None:
    arguments = ["play", "mini/3x3", "--against", "random", "--side", "south", "--setup", "XsF"]
    with subprocess.Popen(
        [sys.executable, "-c", "from flagfall.cli import main; main()", *arguments],
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        said = b""
        while not said.endswith(b"You (South)> ") and (letter := process.stdout.read(1)):
            said += letter
        process.send_signal(getattr(signal, end))
        rest, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (0, b"")
    assert b"Saved. Continue later with: flagfall play --resume " in rest
    assert len(list((tmp_path / "flagfall" / "saved").iterdir())) == 1
