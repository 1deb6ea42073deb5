"""Chain: after a won attack, attack another neighbour of the new square, and so on.

::

      P x .        P captures x, stands there, and may attack y
        y

A turn that stays open offers every neighbouring enemy and "done".
"""

from __future__ import annotations

from flagfall.board import DIRECTIONS
from flagfall.engine import action
from flagfall.engine import state as S
from flagfall.engine.combat import attack
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.repetition import breaks_two_square_rule, is_next_to_enemy
from flagfall.engine.state import is_enemy, kind_of
from flagfall.engine.tables import CHAINS, kind_flags


@kernel
def attacks(t: Ints, s: Ints, out: Ints, n: int) -> int:
    """Write the attacks of the piece whose turn is open, and "done", unless it would be a barred move."""
    cell = s[S.PENDING_CELL]
    for way in DIRECTIONS:
        if is_enemy(s, s[S.SIDE], cell + way):
            out[n] = action.ATTACK << 24 | cell << 8 | (cell + way)
            n += 1
    if not breaks_two_square_rule(t, s):
        out[n] = action.DONE << 24
        n += 1
    return n


@kernel
def resolve(t: Ints, s: Ints, piece: int, target: int, ev: Ints, n: int) -> int:
    """Attack with a piece that may attack again; the turn stays open after a win next to an enemy."""
    start = s[S.PENDING_LIST] if s[S.PENDING_PIECE] == piece else s[S.PIECE_CELL + piece]
    n = attack(t, s, piece, target, ev, n)
    if s[S.TURN_PIECE] == piece:
        s[S.TURN_FROM] = start
    has_won = s[S.RESULT] == 0 and s[S.PIECE_CELL + piece] == target
    if has_won and kind_flags(t, kind_of(s, piece)) & CHAINS and is_next_to_enemy(s, s[S.SIDE], target):
        s[S.PENDING] = S.ASK_ATTACK_AGAIN
        s[S.PENDING_PIECE] = piece
        s[S.PENDING_CELL] = target
        s[S.PENDING_LIST] = start
    return n
