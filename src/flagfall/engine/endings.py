"""How a game ends on the board: flag captured, no legal action, no progress. Resignation is in `match`."""

from __future__ import annotations

from flagfall.engine import state as S
from flagfall.engine.kernel import Ints, inlined
from flagfall.engine.tables import NO_PROGRESS_LIMIT


@inlined
def finish(s: Ints, result: int, reason: int) -> None:
    """End the game, unless it has ended already."""
    if s[S.RESULT] == 0:
        s[S.RESULT] = result
        s[S.REASON] = reason


@inlined
def win(s: Ints, side: int, reason: int) -> None:
    """End the game with a win of that side."""
    finish(s, 1 + side, reason)


@inlined
def mark_progress(s: Ints) -> None:
    """Note a removal, conversion, rescue or purge: the count will be 0 after this turn."""
    s[S.NO_PROGRESS] = -1


@inlined
def count_turn(t: Ints, s: Ints) -> None:
    """Count a turn without progress; at the limit the game is a draw."""
    count = s[S.NO_PROGRESS] + 1
    if count < 32767:
        s[S.NO_PROGRESS] = count
    limit = t[NO_PROGRESS_LIMIT]
    if limit > 0 and count >= limit:
        finish(s, S.DRAW, S.NO_PROGRESS_DRAW)
