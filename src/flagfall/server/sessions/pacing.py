"""When a computer player's answer is shown, so that its thinking time reveals nothing.

How long a player thinks depends on what it knows: its own hidden pieces, the number of its choices, a win it
has found. So an answer is not shown when it is found but at one of a few moments that are counted from
a public event, the end of the turn before. The first of these moments depends on the player's name
and on its clock, both public. It comes later than the player normally needs, even if it uses its whole time
budget, and a player that ends early because there is only one move waits for it too. An answer that is late,
because the server is busy or a worker was replaced, is shown at the next moment of a fixed interval.

Steps that only the player sees (choosing a second target before anything is shown) are played at once, share
the budget of their turn, and do not move the moment: the time of a turn does not tell how many there were.

There is no random delay: one that an observer could compute hides nothing, and any other averages out.
"""

from __future__ import annotations

from msgspec import Struct

from flagfall.match.clock import Clocks
from flagfall.players.levels import LEVELS
from flagfall.server.api.catalogue import NETWORK_PACE_MS, pace_ms
from flagfall.server.networks import is_network
from flagfall.sides import Side

BUDGET_MS = 1000
"""thinking time of one turn, or of the part of a turn between two things that others see"""
MIN_BUDGET_MS = 50
"""for each further silent step when the budget is used up"""
EXPECTED_TURNS = 40
"""turns over which the rest of a clock for the whole game is spread"""
QUICK_MS = 100
INTERVAL_MS = 500
QUICK_PLAYERS = frozenset({"random", "greedy", "rusher", "turtle", "bluffer", "chaser"})
"""players that answer within milliseconds"""


class Pace(Struct, frozen=True):
    """The moments at which an answer may be shown, in milliseconds after the turn began."""

    first_ms: int
    interval_ms: int
    budget_ms: int = BUDGET_MS

    def release_ms(self, elapsed_ms: float) -> int:
        """Return the first moment at or after an elapsed time.

        >>> pace = Pace(1500, 500)
        >>> pace.release_ms(3), pace.release_ms(1500), pace.release_ms(1501), pace.release_ms(2100)
        (1500, 1500, 2000, 2500)
        """
        late_ms = max(0.0, elapsed_ms - self.first_ms)
        return self.first_ms + self.interval_ms * -int(-late_ms // self.interval_ms)


def allowance_ms(clocks: Clocks, side: Side, now_ms: int) -> int | None:
    """Return how much of its clock a side should spend on this turn at most; None without a clock."""
    left_ms = clocks.left_ms(side, now_ms)
    if left_ms is None:
        return None
    if clocks.clock.style == "total":
        return left_ms // EXPECTED_TURNS + clocks.clock.increment_s * 1000 // 2
    return left_ms // 4


def pace_of(player: str, allowance_ms: int | None = None) -> Pace:
    """Return the pace of a player whose clock allows ``allowance_ms`` for this turn; None without a clock.

    >>> pace_of("greedy").first_ms, pace_of("captain").first_ms, pace_of("marshal").first_ms
    (100, 800, 1500)
    >>> pace_of("marshal", allowance_ms=500)
    Pace(first_ms=500, interval_ms=100, budget_ms=333)
    """
    pace = _usual_pace(player)
    if allowance_ms is None or allowance_ms >= pace.first_ms:
        return pace
    first_ms = min(pace.first_ms, max(QUICK_MS, allowance_ms))
    return Pace(first_ms, QUICK_MS, max(MIN_BUDGET_MS, first_ms * BUDGET_MS // (BUDGET_MS + INTERVAL_MS)))


def _usual_pace(player: str) -> Pace:
    if player in QUICK_PLAYERS:
        return Pace(QUICK_MS, QUICK_MS)
    if is_network(player):
        return Pace(NETWORK_PACE_MS, INTERVAL_MS)
    if any(level.id == player and level.nodes is not None for level in LEVELS):
        return Pace(pace_ms(player), INTERVAL_MS)
    return Pace(BUDGET_MS + INTERVAL_MS, INTERVAL_MS)
