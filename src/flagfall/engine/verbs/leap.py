"""Leap: fly in a straight line over an unbroken row of pieces (and zones) to the first open square.

::

      P x o # .       over two pieces and a zone square, to the first open square

Parameters: ``over_zones``: zones may be flown over too; ``attack_after``: after landing the piece may make
an ordinary attack on a neighbour. At least one piece or zone square must be flown over.
"""

from __future__ import annotations

from flagfall.board import DIRECTIONS
from flagfall.engine import action
from flagfall.engine import state as S
from flagfall.engine.events import BY_LEAP
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.reach import announce
from flagfall.engine.repetition import can_attack_from
from flagfall.engine.state import is_empty, is_piece, piece_on
from flagfall.engine.tables import ATTACK_AFTER, OVER_ZONES, ZONE, cell_flags, power
from flagfall.engine.verbs import step


@kernel
def may_attack(t: Ints, s: Ints, row: int, piece: int, origin: int, cell: int) -> bool:
    """Return whether a piece that flies from ``origin`` could attack after landing on ``cell``."""
    return power(t, row, ATTACK_AFTER) != 0 and can_attack_from(t, s, piece, origin, cell)


@kernel
def generate(t: Ints, s: Ints, row: int, cell: int, barred: int, out: Ints, n: int) -> int:
    """Write the flights of the piece on ``cell``; one that may end in an attack is never barred."""
    for way in DIRECTIONS:
        target = cell + way
        while is_piece(s, target) or (power(t, row, OVER_ZONES) != 0 and cell_flags(t, target) & ZONE):
            target += way
        if target == cell + way or not is_empty(s, target):
            continue
        if (cell << 8 | target) != barred or may_attack(t, s, row, piece_on(s, cell), cell, target):
            out[n] = action.LEAP << 24 | cell << 8 | target
            n += 1
    return n


@kernel
def resolve(t: Ints, s: Ints, piece: int, target: int, row: int, ev: Ints, n: int) -> int:
    """Fly; the turn stays open if there is an enemy to attack."""
    origin = s[S.PIECE_CELL + piece]
    n = announce(s, piece, row, target, ev, n)
    n = step.go(s, piece, target, BY_LEAP, ev, n)
    if may_attack(t, s, row, piece, origin, target):
        s[S.PENDING] = S.ASK_ATTACK_AFTER
        s[S.PENDING_PIECE] = piece
        s[S.PENDING_CELL] = target
        s[S.PENDING_LIST] = origin
    return n
