"""Texts about results, shared by the sentences of a match."""

from __future__ import annotations

from flagfall.languages import say
from flagfall.languages.messages import has_message
from flagfall.match.log import Seating
from flagfall.sides import SIDES
from flagfall.view.view import Result, Viewer

RESIGNED, AGREED, TIME, ABORTED = "resigned", "agreed", "time", "aborted"
"""how a game ends at the table; the other reasons come from the board"""


def verdict(result: Result) -> str:
    """Return who has won, for the middle of a sentence: ``South wins (time)``, ``a draw (agreed)``."""
    if result.reason == ABORTED:
        return say("match.verdict.cancelled")
    why = reason_words(result.reason)
    if result.side is None:
        return say("match.verdict.draw", why=why)
    return say("match.verdict.wins", side=result.side.title, why=why)


def reason_words(reason: str) -> str:
    """Return the reason of a result in the language in use: ``flag captured``."""
    key = f"match.reason.{_key(reason)}"
    return say(key) if has_message(key) else reason


def _key(reason: str) -> str:
    return reason.replace(" ", "-")


def ending(result: Result, seating: Seating, viewer: Viewer) -> str:
    """Return how a game ended in sentences for a viewer: ``You have no moves left. You lose.``"""
    if result.reason == ABORTED:
        return say("match.ending.none")
    if result.side is None:
        reader, end = "both", say("match.ending.draw")
    elif viewer not in SIDES:
        reader, end = "onlooker", say("match.ending.wins", player=seating.shown_name(result.side))
    elif result.winner == viewer:
        reader, end = "winner", say("match.ending.won")
    else:
        reader, end = "loser", say("match.ending.lost")
    if result.reason not in _TOLD:
        return end
    loser = seating.shown_name(result.side.other) if result.side else ""
    return f"{say(f'match.ending.{_key(result.reason)}.{reader}', loser=loser)} {end}"


_TOLD = frozenset({"flag captured", "own flag captured", "no move left", "no progress", "both stuck"})
"""endings with a sentence of their own; the others are in the news already"""
