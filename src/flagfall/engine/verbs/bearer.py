"""Bearer: one kind alone may step onto the reserved square, once; and what follows when it does.

::

      # # .        R is part of a zone; a bearer on b may step onto it
      b R #

Parameters of the box: the square, who is purged when the bearer arrives, who can capture it (that is in
the outcomes), and whether it can be attacked there. Its loss before arriving changes the regime
(`combat.remove`).
"""

from __future__ import annotations

from flagfall.engine.combat import change_regime, remove
from flagfall.engine.endings import mark_progress
from flagfall.engine.events import BY_STEP, TO_ALL, show
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.repetition import is_next_to
from flagfall.engine.state import (
    BEARER_ARRIVED,
    PIECE_CELL,
    REGIME,
    is_piece,
    kind_of,
    owner_of,
)
from flagfall.engine.tables import PIECES, PURGED, RESERVED_SQUARE, kind_flags
from flagfall.engine.verbs import step


@kernel
def generate(t: Ints, s: Ints, cell: int, out: Ints, n: int) -> int:
    """Write the step of a bearer on ``cell`` onto the reserved square, while nobody has been there."""
    square = t[RESERVED_SQUARE]
    if s[REGIME] == 0 and is_next_to(cell, square) and not is_piece(s, square):
        out[n] = step.MOVE_BITS | cell << 8 | square
        n += 1
    return n


@kernel
def arrive(t: Ints, s: Ints, piece: int, ev: Ints, n: int) -> int:
    """The bearer is shown, enters, and everything marked for it leaves the other army."""
    enemy = 1 - owner_of(s, piece)
    n = show(s, piece, TO_ALL, ev, n)
    n = step.go(s, piece, t[RESERVED_SQUARE], BY_STEP, ev, n)
    n = change_regime(s, piece, BEARER_ARRIVED, ev, n)
    mark_progress(s)  # even if nobody is left to leave
    for other in range(1, PIECES):
        is_there = s[PIECE_CELL + other] != 0 and owner_of(s, other) == enemy
        if is_there and kind_flags(t, kind_of(s, other)) & PURGED:
            n = remove(t, s, other, ev, n)
    return n
