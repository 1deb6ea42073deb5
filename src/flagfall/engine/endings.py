"""How a game ends on the board: a Flag taken, nothing to do, no progress. (Resignation is the match's.)"""

from __future__ import annotations

from flagfall.engine.kernel import Ints, inlined
from flagfall.engine.state import (
    DRAW,
    NO_PROGRESS,
    NO_PROGRESS_DRAW,
    REASON,
    RESULT,
)
from flagfall.engine.tables import NO_PROGRESS_LIMIT


@inlined
def finish(s: Ints, result: int, reason: int) -> None:
    """The game is over; the first ending counts."""
    if s[RESULT] == 0:
        s[RESULT] = result
        s[REASON] = reason


@inlined
def win(s: Ints, side: int, reason: int) -> None:
    """That side wins."""
    finish(s, 1 + side, reason)


@inlined
def mark_progress(s: Ints) -> None:
    """A removal, conversion, rescue or purge: this turn will leave the count at 0."""
    s[NO_PROGRESS] = -1


@inlined
def count_turn(t: Ints, s: Ints) -> None:
    """One more turn without progress; at the limit the game is drawn at once."""
    count = s[NO_PROGRESS] + 1
    if count < 32767:
        s[NO_PROGRESS] = count
    limit = t[NO_PROGRESS_LIMIT]
    if limit > 0 and count >= limit:
        finish(s, DRAW, NO_PROGRESS_DRAW)
