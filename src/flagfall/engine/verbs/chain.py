"""Chain: after a won attack, attack another neighbour of the new square, and so on.

::

      P x .        P captures x, stands there, and may attack y
        y

A turn that stays open offers every neighbouring enemy and "done", except what the two-square rule forbids.
"""

from __future__ import annotations

from flagfall.board import DIRECTIONS
from flagfall.engine import action
from flagfall.engine import state as S
from flagfall.engine.combat import attack
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.repetition import breaks_two_square_rule, can_attack_from, is_attack_barred
from flagfall.engine.state import is_enemy, kind_of
from flagfall.engine.tables import CHAINS, kind_flags


@kernel
def attacks(t: Ints, s: Ints, out: Ints, n: int) -> int:
    """Write the attacks of the piece whose turn is open, and "done"; the two-square rule may forbid one."""
    cell, piece, start = s[S.PENDING_CELL], s[S.PENDING_PIECE], s[S.PENDING_LIST]
    for way in DIRECTIONS:
        target = cell + way
        if is_enemy(s, s[S.SIDE], target) and not is_attack_barred(t, s, piece, start, target):
            out[n] = action.ATTACK << 24 | cell << 8 | target
            n += 1
    if not breaks_two_square_rule(t, s):
        out[n] = action.DONE << 24
        n += 1
    return n


@kernel
def resolve(t: Ints, s: Ints, piece: int, target: int, ev: Ints, n: int) -> int:
    """Attack with a piece that may attack again; the turn stays open after a win if it can."""
    start = s[S.PENDING_LIST] if s[S.PENDING_PIECE] == piece else s[S.PIECE_CELL + piece]
    n = attack(t, s, piece, target, ev, n)
    if s[S.TURN_PIECE] == piece:
        s[S.TURN_FROM] = start
    has_won = s[S.RESULT] == 0 and s[S.PIECE_CELL + piece] == target
    is_chain = has_won and kind_flags(t, kind_of(s, piece)) & CHAINS != 0
    if is_chain and can_attack_from(t, s, piece, start, target):
        s[S.PENDING] = S.ASK_ATTACK_AGAIN
        s[S.PENDING_PIECE] = piece
        s[S.PENDING_CELL] = target
        s[S.PENDING_LIST] = start
    return n
