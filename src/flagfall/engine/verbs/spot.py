"""Spot: name the kind of the enemy in front; a right guess captures it from a distance.

::

      x        the square in front, towards the enemy's home rows (option: any side)
      P        in place, or after one step

The announcement is one action and shows the piece; the guess is the next one of the same turn.
"""

from __future__ import annotations

from flagfall.board import DIRECTIONS
from flagfall.engine import action, events
from flagfall.engine import state as S
from flagfall.engine.combat import remove
from flagfall.engine.events import TO_ALL, emit, show
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.state import is_enemy, kind_of, piece_on
from flagfall.engine.tables import GUESSES, KIND_COUNT, SPOT_ANY_SIDE, SPOT_SILENT_MISS
from flagfall.engine.verbs import step


@kernel
def generate(t: Ints, s: Ints, side: int, cell: int, stands: int, out: Ints, n: int) -> int:
    """Write the spottings of a piece that comes from ``cell`` and will stand on ``stands``."""
    for index in range(4):
        if t[SPOT_ANY_SIDE] == 0 and index != 2 * side:
            continue
        if is_enemy(s, side, stands + DIRECTIONS[index]):
            out[n] = action.SPOT << 24 | index << 16 | cell << 8 | stands
            n += 1
    return n


@kernel
def resolve(s: Ints, piece: int, stands: int, index: int, ev: Ints, n: int) -> int:
    """Step if the action says so, announce, and ask for the guess."""
    if s[S.PIECE_CELL + piece] != stands:
        n = step.resolve(s, piece, stands, ev, n)
    target = stands + DIRECTIONS[index]
    n = emit(ev, n, events.SPOT, piece, stands, target, 0, TO_ALL)
    n = show(s, piece, TO_ALL, ev, n)
    s[S.PENDING] = S.ASK_GUESS
    s[S.PENDING_PIECE] = piece
    s[S.PENDING_CELL] = target
    return n


@kernel
def guesses(t: Ints, s: Ints, out: Ints, n: int) -> int:
    """Write one action for every kind that the other army has, possible here or not."""
    other = 1 - s[S.SIDE]
    for kind in range(t[KIND_COUNT]):
        if t[GUESSES + 4 * other + kind // 10] >> (kind % 10) & 1:
            out[n] = action.CHOOSE_KIND << 24 | kind << 16
            n += 1
    return n


@kernel
def resolve_guess(t: Ints, s: Ints, kind: int, ev: Ints, n: int) -> int:
    """Play the guess: a right one captures the piece."""
    piece, cell = s[S.PENDING_PIECE], s[S.PENDING_CELL]
    target = piece_on(s, cell)
    is_right = kind_of(s, target) == kind
    n = emit(ev, n, events.GUESS, piece, s[S.PIECE_CELL + piece], cell, kind, TO_ALL)
    if is_right or t[SPOT_SILENT_MISS] == 0:
        n = show(s, target, TO_ALL, ev, n)
    if is_right:
        n = remove(t, s, target, ev, n)
    else:
        n = emit(ev, n, events.MISS, piece, s[S.PIECE_CELL + piece], cell, kind, TO_ALL)
    return n
