"""Reach: the squares around a piece, nearest lines first.

The first eight are its neighbours, the first sixteen lie on the eight lines, all twenty-four within two
squares in any combination::

    k . l . k        l  two squares along a line        k  a knight's square
    . n n n .        n  neighbour
    l n P n l
    . n n n .        (the rest of the outer ring: lines on the corners and middles, k between)
    k . l . k
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import action, events
from flagfall.engine import state as S
from flagfall.engine.events import TO_ALL, emit, show
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.state import is_enemy, is_piece, piece_on
from flagfall.engine.tables import NEEDS_CLEAR_SHOT, ON_KNOWN, POWER_VERB, REACH, power

NEIGHBOURS: Final = 8
_RING: Final = (12, 13, 1, -11, -12, -13, -1, 11)
OFFSETS: Final = (*_RING, *(2 * way for way in _RING), 25, 14, -10, -23, -25, -14, 10, 23)
# the two squares between a piece and its knight's squares: the orthogonal and the diagonal one
_STRAIGHT: Final = (12, 1, 1, -12, -12, -1, -1, 12)
_SLANTED: Final = (13, 13, -11, -11, -13, -13, 11, 11)


@inlined
def is_cell(cell: int) -> bool:
    """Return whether a number is a cell of the grid."""
    return 0 <= cell < 144


@kernel
def has_clear_shot(s: Ints, cell: int, index: int) -> bool:
    """Return whether no piece blocks the line; at a knight's square, whether one of both ways is free."""
    if index < NEIGHBOURS:
        return True
    if index < 16:
        return not is_piece(s, cell + OFFSETS[index - 8])
    between = index - 16
    return not (is_piece(s, cell + _STRAIGHT[between]) and is_piece(s, cell + _SLANTED[between]))


@kernel
def targets(t: Ints, s: Ints, side: int, row: int, cell: int, out: Ints, n: int) -> int:
    """Write one action for every enemy that the power of that row can aim at from ``cell``."""
    verb = power(t, row, POWER_VERB)
    for index in range(power(t, row, REACH)):
        target = cell + OFFSETS[index]
        if not is_cell(target) or not is_enemy(s, side, target):
            continue
        info = s[S.PIECE_INFO + piece_on(s, target)]
        if verb == action.CONVERT and info & S.CONVERTED:
            continue
        if power(t, row, ON_KNOWN) == 0 and info & (S.TOLD_SOUTH << side):
            continue
        if power(t, row, NEEDS_CLEAR_SHOT) == 0 or has_clear_shot(s, cell, index):
            out[n] = verb << 24 | cell << 8 | target
            n += 1
    return n


@kernel
def announce(s: Ints, piece: int, row: int, target: int, ev: Ints, n: int) -> int:
    """Announce that a piece uses its power, and show the piece."""
    n = emit(ev, n, events.USE, piece, s[S.PIECE_CELL + piece], target, row, TO_ALL)
    return show(s, piece, TO_ALL, ev, n)
