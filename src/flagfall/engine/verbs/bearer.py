"""Bearer: only one kind may step onto the reserved square, once; and what follows when it does.

::

      # # .        R is part of a zone; a bearer on b may step onto it
      b R #

Parameters of the box: the square, who is purged when the bearer arrives, who can capture it (that is in
the outcomes), and whether it can be attacked there. Its loss before arriving changes the regime
(`combat.remove`).
"""

from __future__ import annotations

from flagfall.board import CELLS
from flagfall.engine import state as S
from flagfall.engine.combat import change_phase, remove
from flagfall.engine.endings import mark_progress
from flagfall.engine.events import BY_STEP, TO_ALL, show
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.repetition import is_next_to
from flagfall.engine.state import is_enemy, is_piece, kind_of, owner_of, piece_on
from flagfall.engine.tables import PURGED, RESERVED_SQUARE, kind_flags
from flagfall.engine.verbs import step


@kernel
def generate(t: Ints, s: Ints, cell: int, out: Ints, n: int) -> int:
    """Write the step of a bearer on ``cell`` onto the reserved square, until it has been there."""
    square = t[RESERVED_SQUARE]
    if s[S.PHASE] == 0 and is_next_to(cell, square) and not is_piece(s, square):
        out[n] = step.MOVE_BITS | cell << 8 | square
        n += 1
    return n


@kernel
def arrive(t: Ints, s: Ints, piece: int, ev: Ints, n: int) -> int:
    """Show the bearer, enter the square and remove the enemy kinds that are purged.

    Square by square: pieces are numbered by kind, so their order would reveal hidden kinds.
    """
    side = owner_of(s, piece)
    n = show(s, piece, TO_ALL, ev, n)
    n = step.go(s, piece, t[RESERVED_SQUARE], BY_STEP, ev, n)
    n = change_phase(s, piece, S.BEARER_ARRIVED, ev, n)
    mark_progress(s)  # even if no piece is purged
    for cell in range(CELLS):
        if is_enemy(s, side, cell) and kind_flags(t, kind_of(s, piece_on(s, cell))) & PURGED:
            n = remove(t, s, piece_on(s, cell), ev, n)
    return n
