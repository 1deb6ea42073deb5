"""Step: one square north, east, south or west, onto an empty square or against an enemy.

::

        .
      . P x      three empty squares to step to, one enemy to attack
        .

Every movable piece has it; it takes no parameters.
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import action, events
from flagfall.engine import state as S
from flagfall.engine.combat import place
from flagfall.engine.events import BY_RUN, BY_STEP, TO_ALL, emit, show
from flagfall.engine.kernel import Ints, inlined

MOVE_BITS: Final = action.MOVE << 24
ATTACK_BITS: Final = action.ATTACK << 24


@inlined
def generate(s: Ints, side: int, cell: int, out: Ints, n: int) -> int:
    """Write the steps and attacks of the piece on ``cell``."""
    i = S.BOARD + cell
    north, east, south, west = s[i + 12], s[i + 1], s[i - 12], s[i - 1]
    if north & east & south & west & (1 << (S.STANDS + side)):
        return n  # no free neighbour
    n = toward(side, north, cell, cell + 12, out, n)
    n = toward(side, east, cell, cell + 1, out, n)
    n = toward(side, south, cell, cell - 12, out, n)
    return toward(side, west, cell, cell - 1, out, n)


@inlined
def toward(side: int, there: int, cell: int, target: int, out: Ints, n: int) -> int:
    """Write the move or attack from ``cell`` to ``target``, whose board word is ``there``."""
    out[n] = (ATTACK_BITS - (there == S.EMPTY) * (ATTACK_BITS - MOVE_BITS)) + (cell << 8) + target
    return n + 1 - ((there >> (S.STANDS + side)) & 1)


@inlined
def resolve(s: Ints, piece: int, target: int, ev: Ints, n: int) -> int:
    """Move a piece to an empty square; moving further than one square shows it first."""
    origin = s[S.PIECE_CELL + piece]
    way = target - origin
    how = BY_STEP
    if way != 1 and way != -1 and way != 12 and way != -12:
        how = BY_RUN
        n = show(s, piece, TO_ALL, ev, n)
    return go(s, piece, target, how, ev, n)


@inlined
def go(s: Ints, piece: int, target: int, how: int, ev: Ints, n: int) -> int:
    """Displace a piece and note it for the repetition rules."""
    origin = s[S.PIECE_CELL + piece]
    place(s, piece, target)
    s[S.TURN_PIECE] = piece
    s[S.TURN_FROM] = origin
    s[S.TURN_TO] = target
    s[S.TURN_HOW] = S.DISPLACED
    return emit(ev, n, events.MOVE, piece, origin, target, how, TO_ALL)
