"""Convert: a weaker enemy within reach changes sides for good, on its square.

Owner, movable pieces, two-square memory and knowledge follow; a converted piece cannot be converted again.

Parameters: ``reach``, ``spares``, ``cap`` (successful uses per player), ``probe``: a spared target is shown
(otherwise it only answers that nothing happens).
"""

from __future__ import annotations

from flagfall.engine import events
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.endings import mark_progress
from flagfall.engine.events import TO_ALL, emit, show
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.reach import announce
from flagfall.engine.state import add_mover, drop_mover, kind_of, owner_of, piece_on, put
from flagfall.engine.tables import kind_flags, outcome_at, power


@kernel
def is_possible(t: Ints, s: Ints, side: int, row: int) -> bool:
    """Return whether that side has conversions left."""
    cap = power(t, row, T.CAP)
    return cap == 0 or s[S.CONVERSIONS + side] < cap


@kernel
def resolve(t: Ints, s: Ints, piece: int, target: int, row: int, ev: Ints, n: int) -> int:
    """Show user and target; a weaker target changes sides."""
    struck = piece_on(s, target)
    n = announce(s, piece, row, target, ev, n)
    kind = kind_of(s, struck)
    is_spared = kind_flags(t, kind) & T.MOBILE == 0
    if not (is_spared and power(t, row, T.HIDES_SPARED)):
        n = show(s, struck, TO_ALL, ev, n)
    if t[outcome_at(s[S.PHASE], power(t, row, T.CONTEXT), kind_of(s, piece), kind)] != T.ATTACKER_WINS:
        return emit(ev, n, events.NOTHING, struck, target, target, 0, TO_ALL)
    return _change_sides(s, struck, ev, n)


@kernel
def _change_sides(s: Ints, piece: int, ev: Ints, n: int) -> int:
    old = owner_of(s, piece)
    drop_mover(s, old, piece)
    if s[S.LAST_PIECE + old] == piece:
        s[S.LAST_PIECE + old] = 0
        s[S.LAST_COUNT + old] = 0
    s[S.PIECE_INFO + piece] = (s[S.PIECE_INFO + piece] ^ (1 << S.OWNER_SHIFT)) | S.CONVERTED
    cell = s[S.PIECE_CELL + piece]
    put(s, piece, cell)
    add_mover(s, 1 - old, piece)
    s[S.CONVERSIONS + 1 - old] += 1
    mark_progress(s)
    return emit(ev, n, events.CONVERT, piece, cell, cell, 1 - old, TO_ALL)
