"""Facts about a game that is over, for statistics: turns, captures, how the Flag was captured, time used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct, field

from flagfall.match.log import Acted, Entry, FlagFell, SetupSealed
from flagfall.match.match import Match
from flagfall.match.summary import captures
from flagfall.sides import SIDES, Side

MAX_THINKING_MS = 10 * 60_000
"""a longer pause counts as this much time: the player was probably away"""


class SideFacts(Struct, frozen=True):
    """What one side did."""

    captures: dict[str, int] = field(default_factory=dict)
    """kind id → how many enemy pieces it captured"""
    time_ms: int = 0


class GameFacts(Struct, frozen=True):
    """A game that is over, in numbers; it names no player."""

    turns: int
    south: SideFacts
    north: SideFacts
    flag_by: str = ""
    """id of the kind that captured the Flag; empty if the game ended in another way"""

    def side(self, side: Side) -> SideFacts:
        """Return the facts of one side."""
        return self.south if side == "south" else self.north


def game_facts(match: Match) -> GameFacts:
    """Return the facts of a match; `RefusedError` unless the match `is_open`."""
    match.require_open()
    roles = {kind.id: kind.role for kind in match.game.kinds}
    captured: dict[Side, Counter[str]] = {side: Counter() for side in SIDES}
    flag_by = ""
    for capture, owner in captures(match):
        if capture.side != owner:
            captured[capture.side][capture.by] += 1
        if roles[capture.kind] == "flag":
            flag_by = capture.by
    times = thinking_ms(match.log)
    south, north = (SideFacts(dict(captured[side]), times[side]) for side in SIDES)
    return GameFacts(len(match.turns), south, north, flag_by)


def thinking_ms(log: Iterable[Entry]) -> dict[Side, int]:
    """Return the time each side spent on its turns; long pauses count as `MAX_THINKING_MS`.

    >>> from flagfall.match.log import SetupSealed
    >>> sealed = SetupSealed(number=1, at_ms=1_000, seat=Side.NORTH, setup="")
    >>> first = Acted(number=2, at_ms=4_000, seat=Side.SOUTH, text="")
    >>> second = Acted(number=3, at_ms=9_000_000, seat=Side.NORTH, text="")
    >>> thinking_ms([sealed, first, second])
    {<Side.SOUTH: 'south'>: 3000, <Side.NORTH: 'north'>: 600000}
    """
    found = dict.fromkeys(SIDES, 0)
    since_ms = 0
    for entry in log:
        if isinstance(entry, Acted | FlagFell) and entry.seat is not None:
            found[entry.seat] += min(max(entry.at_ms - since_ms, 0), MAX_THINKING_MS)
        if isinstance(entry, Acted | SetupSealed):
            since_ms = entry.at_ms
    return found
