"""Input and output of the terminal game."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import Protocol

from flagfall.errors import printable
from flagfall.languages import say


class Quit(Exception):  # noqa: N818 - not an error: the person left
    """The person wants to leave, or the terminal is closed."""


class Terminal(Protocol):
    """Shows text and asks for lines."""

    def say(self, text: str) -> None:
        """Show a text."""

    def ask(self, prompt: str) -> str:
        """Show a prompt and wait for a line; `Quit` if there is none."""

    def curtain(self, name: str, leaver: str = "") -> None:
        """Hide the screen between two people, and wait for the next one."""


class Keyboard:
    """Standard input and output, plain lines only."""

    def __init__(self) -> None:
        self.is_screen = sys.stdout.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")

    def say(self, text: str) -> None:
        """Write a line."""
        self._write(printable(text) + "\n")

    def ask(self, prompt: str) -> str:
        """Read a line."""
        self._write(prompt)
        try:
            line = sys.stdin.readline()
        except OSError:
            raise Quit from None
        if not line:
            self._write("\n")
            raise Quit
        line = printable(line.strip())
        if not sys.stdin.isatty():
            self._write(line + "\n")
        return line

    def curtain(self, name: str, leaver: str = "") -> None:
        """Clear the screen and its scroll-back, and wait; in a pipe only wait."""
        if self.is_screen:
            if leaver:
                self.ask(say("terminal.curtain.hide", name=leaver) + " ")
            self._write("\x1b[2J\x1b[3J\x1b[H")
            _forget_typed_ahead()
        self.say("-" * 60)
        self.ask(say("terminal.curtain.take", name=name) + " ")

    def _write(self, text: str) -> None:
        """Write the text; a closed terminal counts as leaving."""
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except OSError:
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise Quit from None


def _forget_typed_ahead() -> None:
    """Discard typed-ahead input, so that it does not show the next screen too early."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
