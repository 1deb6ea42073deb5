"""A player's process that tells whether its kernels are compiled."""

from __future__ import annotations

from multiprocessing.connection import Connection
from typing import Any

from flagfall.engine.mode import is_compiled
from flagfall.players.process import READY, answer_questions


class Telling:
    """Passes questions on, and answers each with one setup if kernels are compiled, with another if not."""

    def __init__(self, questions: Connection) -> None:
        self.questions = questions

    def recv(self) -> Any:
        return self.questions.recv()

    def send(self, answer: object) -> None:
        self.questions.send(answer if answer == READY else "XsF" if is_compiled() else "FsX")


def telling(questions: Connection, *about: Any) -> None:
    """Replace `answer_questions`."""
    answer_questions(Telling(questions), *about)  # type: ignore[arg-type]
