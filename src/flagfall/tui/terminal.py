"""Where the plain game speaks and listens: a real terminal, or a script in a test."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Protocol


class Quit(Exception):  # noqa: N818 - not an error: the person left
    """The person at the keyboard wants to leave, or there is nobody there any more."""


class Terminal(Protocol):
    """Somebody to talk to."""

    def say(self, text: str) -> None:
        """Show a text."""

    def ask(self, prompt: str) -> str:
        """Show a prompt and wait for a line; `Quit` if there is none."""

    def curtain(self, name: str) -> None:
        """Hide everything and wait until that player sits at the keyboard."""


class Keyboard:
    """Standard input and output, plain lines only."""

    def __init__(self) -> None:
        self.is_screen = sys.stdout.isatty()

    def say(self, text: str) -> None:
        """Write a line."""
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def ask(self, prompt: str) -> str:
        """Read a line."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            sys.stdout.write("\n")
            raise Quit
        if not sys.stdin.isatty():
            sys.stdout.write(line if line.endswith("\n") else line + "\n")
        return line.strip()

    def curtain(self, name: str) -> None:
        """Clear the screen and its scroll-back, and wait."""
        if self.is_screen:
            sys.stdout.write("\x1b[2J\x1b[3J\x1b[H")
        self.say("-" * 60)
        self.ask(f"{name}, it is your turn. Take the keyboard and press Enter. ")


class Script:
    """A terminal for tests: answers from a list, and keeps what was said."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)
        self.said: list[str] = []

    def say(self, text: str) -> None:
        """Keep the text."""
        self.said.append(text)

    def ask(self, prompt: str) -> str:
        """The next line."""
        self.said.append(prompt)
        if not self.lines:
            raise Quit
        return self.lines.pop(0)

    def curtain(self, name: str) -> None:
        """Note that the curtain fell."""
        self.said.append(f"=== curtain: {name} ===")

    @property
    def text(self) -> str:
        """Everything that was said."""
        return "\n".join(self.said)
