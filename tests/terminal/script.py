"""A terminal that is read by a test."""

from __future__ import annotations

from collections.abc import Iterable

from flagfall.terminal.console import Quit


class Script:
    """A terminal that answers from a list and keeps what was said."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)
        self.said: list[str] = []

    def say(self, text: str) -> None:
        """Keep the text."""
        self.said.append(text)

    def ask(self, prompt: str) -> str:
        """Return the next line."""
        self.said.append(prompt)
        if not self.lines:
            raise Quit
        return self.lines.pop(0)

    def curtain(self, name: str, leaver: str = "") -> None:
        """Keep a note that the screen was hidden."""
        self.said.append(f"=== curtain: {name} ===")

    @property
    def text(self) -> str:
        """Everything that was shown."""
        return "\n".join(self.said)
