"""Two-step: a step onto an empty square and then another; this part: the second one is an attack.

::

      P . x      step, then attack: one action, so that nothing betrays the piece half-way
        y        y may be attacked from the same middle square too

The middle square must be empty: an enemy there is a plain attack.
"""

from __future__ import annotations

from flagfall.board import DIRECTIONS
from flagfall.engine import action
from flagfall.engine.combat import attack
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.state import ATTACKED, PIECE_CELL, TURN_FROM, TURN_HOW, is_empty, is_enemy
from flagfall.engine.verbs import step


@kernel
def generate(s: Ints, side: int, cell: int, barred_attack: int, out: Ints, n: int) -> int:
    """Write every step-and-attack of the piece on ``cell``."""
    for first in range(4):
        middle = cell + DIRECTIONS[first]
        if not is_empty(s, middle):
            continue
        for second in range(4):
            target = middle + DIRECTIONS[second]
            if is_enemy(s, side, target) and (cell << 8 | target) != barred_attack:
                out[n] = action.TWO_STEP << 24 | first << 16 | cell << 8 | target
                n += 1
    return n


@kernel
def resolve(t: Ints, s: Ints, piece: int, target: int, first: int, ev: Ints, n: int) -> int:
    """Step, then attack; the turn counts as an attack from the first square."""
    origin = s[PIECE_CELL + piece]
    n = step.resolve(s, piece, origin + DIRECTIONS[first], ev, n)
    n = attack(t, s, piece, target, ev, n)
    s[TURN_FROM] = origin
    s[TURN_HOW] = ATTACKED
    return n
