"""A level's process that tells how it thinks; like a terminal's, it begins without an engine."""

from __future__ import annotations

from multiprocessing.connection import Connection
from typing import Any

from flagfall.terminal.thinking import _think


class Telling:
    """Passes questions on, and answers each with one setup if kernels are compiled, with another if not."""

    def __init__(self, line: Connection) -> None:
        self.line = line

    def recv(self) -> Any:
        return self.line.recv()

    def send(self, answer: object) -> None:
        from flagfall.engine.mode import is_compiled

        self.line.send("XsF" if is_compiled() else "FsX")


def telling(line: Connection, *about: Any) -> None:
    """In place of the level's process."""
    _think(Telling(line), *about)  # type: ignore[arg-type]
