"""Small words about sides and reasons, shared by the referee's sentences."""

from __future__ import annotations

from collections.abc import Mapping

from flagfall.view.view import Result, Side, Viewer

RESIGNED, AGREED, TIME, ABORTED = "resigned", "agreed", "time", "aborted"
TABLE_REASONS = (RESIGNED, AGREED, TIME, ABORTED)
"""how a game ends at the table; the other reasons come from the board"""

SEATS: tuple[Side, Side] = ("south", "north")
_OTHER: Mapping[Side, Side] = {"south": "north", "north": "south"}


def other_side(side: Side) -> Side:
    """The opponent of a side."""
    return _OTHER[side]


def title(side: Side) -> str:
    """A side at the beginning of a sentence or as a name."""
    return side.capitalize()


def verdict(result: Result, viewer: Viewer | None = None) -> str:
    """Who has won, in the middle of a sentence: ``you win (flag captured)``, ``a draw (agreed)``."""
    if result.reason == ABORTED:
        return "called off without a result"
    if not result.winner:
        return f"a draw ({result.reason})"
    if viewer in _OTHER:
        return f"{'you win' if result.winner == viewer else 'you lose'} ({result.reason})"
    return f"{title(result.winner)} wins ({result.reason})"
