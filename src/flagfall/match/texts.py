"""Texts about results, shared by the sentences of a match."""

from __future__ import annotations

from flagfall.sides import SIDES
from flagfall.view.view import Result, Viewer

RESIGNED, AGREED, TIME, ABORTED = "resigned", "agreed", "time", "aborted"
"""how a game ends at the table; the other reasons come from the board"""


def verdict(result: Result) -> str:
    """Return who has won, for the middle of a sentence: ``South wins (time)``, ``a draw (agreed)``."""
    if result.reason == ABORTED:
        return "cancelled without a result"
    if result.side is None:
        return f"a draw ({result.reason})"
    return f"{result.side.title} wins ({result.reason})"


def ending(result: Result, viewer: Viewer) -> str:
    """Return how a game ended in sentences for a viewer: ``You have no moves left. You lose.``"""
    if result.reason == ABORTED:
        return "There is no result."
    if result.side is None:
        return f"{_DRAWS.get(result.reason, '')}The game is a draw."
    own, other = _LOSSES.get(result.reason, ("", ""))
    if viewer not in SIDES:
        return f"{other.format(loser=result.side.other.title)}{result.side.title} wins."
    if result.winner == viewer:
        return f"{other.format(loser='Your opponent')}You win."
    return f"{own}You lose."


_LOSSES = {
    "flag captured": ("Your Flag has been captured. ", "{loser}'s Flag has been captured. "),
    "own flag captured": ("You have captured your own Flag. ", "{loser} has captured their own Flag. "),
    "no move left": ("You have no moves left. ", "{loser} has no moves left. "),
}
"""what the loser and the others read; other endings are in the news already"""

_DRAWS = {
    "no progress": "Nothing has been captured for too long. ",
    "both stuck": "Neither army can move. ",
}
