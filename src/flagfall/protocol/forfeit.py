"""How a game is lost without being lost on the board: a player that crashes, stalls or cannot be followed."""

from __future__ import annotations

from typing import Literal

Fault = Literal["crashed", "stalled", "illegal action", "garbled"]
FAULTS: tuple[Fault, ...] = ("crashed", "stalled", "illegal action", "garbled")


class Forfeit(Exception):  # noqa: N818 (a way to end a game, not a mistake of this program)
    """A seat cannot go on: it loses this game, and the sentence says why."""

    def __init__(self, fault: Fault, sentence: str) -> None:
        super().__init__(sentence)
        self.fault = fault
        self.sentence = sentence
