"""Texts about results, shared by the sentences of a match."""

from __future__ import annotations

from flagfall.sides import SIDES
from flagfall.view.view import Result, Viewer

RESIGNED, AGREED, TIME, ABORTED = "resigned", "agreed", "time", "aborted"
"""how a game ends at the table; the other reasons come from the board"""


def verdict(result: Result, viewer: Viewer | None = None) -> str:
    """Return who has won, for the middle of a sentence: ``you win (flag captured)``, ``a draw (agreed)``."""
    if result.reason == ABORTED:
        return "called off without a result"
    if result.side is None:
        return f"a draw ({result.reason})"
    if viewer in SIDES:
        return f"{'you win' if result.winner == viewer else 'you lose'} ({result.reason})"
    return f"{result.side.title} wins ({result.reason})"
