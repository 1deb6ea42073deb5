"""Two-step: a step onto an empty square and then another, in any directions; the second may be an attack.

::

      P . x      step, then attack: one action, so that the first step reveals nothing
        y .      y may be attacked from the same middle square, "." moved to

The middle square must be empty: an enemy there is a plain attack. Parameters: ``may_return``: the piece may
end where it began. A piece that may only *step and attack* gets the attacks alone.
"""

from __future__ import annotations

from flagfall.board import DIRECTIONS
from flagfall.engine import action
from flagfall.engine import state as S
from flagfall.engine.combat import attack
from flagfall.engine.events import BY_STEP, TO_ALL, show
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.state import is_empty, is_enemy, kind_of
from flagfall.engine.tables import RETURNS, TWO_STEPS, kind_flags
from flagfall.engine.verbs import step


@kernel
def generate(
    s: Ints, side: int, cell: int, flags: int, barred: int, barred_attack: int, out: Ints, n: int
) -> int:
    """Write every two-step of the piece on ``cell``; ``flags`` are its kind's."""
    for first in range(4):
        middle = cell + DIRECTIONS[first]
        if not is_empty(s, middle):
            continue
        for second in range(4):
            target = middle + DIRECTIONS[second]
            way = cell << 8 | target
            is_attack = is_enemy(s, side, target) and way != barred_attack
            is_move = flags & TWO_STEPS != 0 and is_empty(s, target) and way != barred
            if is_attack or is_move or (flags & RETURNS and target == cell):
                out[n] = action.TWO_STEP << 24 | first << 16 | way
                n += 1
    return n


@kernel
def resolve(t: Ints, s: Ints, piece: int, target: int, first: int, ev: Ints, n: int) -> int:
    """Step, then step again or attack; the repetition rules see its first and last square."""
    origin = s[S.PIECE_CELL + piece]
    if kind_flags(t, kind_of(s, piece)) & TWO_STEPS:
        n = show(s, piece, TO_ALL, ev, n)
    n = step.go(s, piece, origin + DIRECTIONS[first], BY_STEP, ev, n)
    if is_empty(s, target):
        n = step.go(s, piece, target, BY_STEP, ev, n)
        s[S.TURN_FROM] = origin
        if target == origin:  # a two-step out and back resets the two-square count
            s[S.TURN_PIECE] = 0
            s[S.TURN_HOW] = S.STAYED
        return n
    n = attack(t, s, piece, target, ev, n)
    s[S.TURN_FROM] = origin
    s[S.TURN_HOW] = S.ATTACKED
    return n
