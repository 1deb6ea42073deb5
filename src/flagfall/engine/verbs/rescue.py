"""Rescue: a piece that reaches the enemy's back row brings one lost piece home.

::

      row 10   . P .      P moves here and declares the rescue with the move …
      row 1-4  . R .      … then chooses a kind among its losses, then an empty square of its own rows

Declared by the action that moves (or, as an option, attacks); kind and square are the next two actions of the
turn. The kind is chosen without an event: nothing is shown until the piece is on the board.
"""

from __future__ import annotations

from flagfall.engine import action, events
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.combat import attack
from flagfall.engine.endings import mark_progress
from flagfall.engine.events import TO_ALL, emit, show
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.state import add_mover, is_empty, owner_of, piece_on, put
from flagfall.engine.tables import cell_flags, kind_flags
from flagfall.engine.verbs import step


@kernel
def is_lost(t: Ints, s: Ints, side: int, piece: int) -> bool:
    """Return whether a piece of that side is off the board and may be rescued."""
    info = s[S.PIECE_INFO + piece]
    is_own = info & S.TOLD_ALL != 0 and owner_of(s, piece) == side
    return is_own and s[S.PIECE_CELL + piece] == 0 and kind_flags(t, info & S.KIND_MASK) & T.RESCUABLE != 0


@kernel
def is_open(t: Ints, s: Ints, side: int, cell: int) -> bool:
    """Return whether a rescued piece may be put on a cell."""
    return is_empty(s, cell) and cell_flags(t, cell) & (T.RESCUE_CELL << side) != 0


@kernel
def is_possible(t: Ints, s: Ints, side: int) -> bool:
    """Return whether that side has a rescue left, a piece to rescue and a free square for it."""
    if s[S.RESCUES_MADE + side] >= t[T.RESCUE_CAP]:
        return False
    losses, free = 0, 0
    for piece in range(1, T.PIECES):
        losses += is_lost(t, s, side, piece)
    for cell in range(144):
        free += is_open(t, s, side, cell)
    return losses > 0 and free > 0


@kernel
def follow_up(t: Ints, s: Ints, side: int, done: int, out: Ints, n: int) -> int:
    """Write ``done``, a move or attack in the list, again with a rescue, if the piece may rescue."""
    origin, target = done >> 8 & 255, done & 255
    verb = done >> 24
    if cell_flags(t, target) & (T.BACK_ROW << (1 - side)) == 0:
        return n
    if verb != action.MOVE and not (verb == action.ATTACK and t[T.RESCUE_ON_STRIKE] != 0):
        return n
    info = s[S.PIECE_INFO + piece_on(s, origin)]
    if info & S.HAS_RESCUED or kind_flags(t, info & S.KIND_MASK) & T.RESCUES == 0:
        return n
    out[n] = action.RESCUE << 24 | origin << 8 | target
    return n + 1


@kernel
def resolve(t: Ints, s: Ints, piece: int, target: int, ev: Ints, n: int) -> int:
    """Move or attack; if the piece then stands on the back row, ask which kind it rescues."""
    n = emit(ev, n, events.RESCUE, piece, s[S.PIECE_CELL + piece], target, 0, TO_ALL)
    if is_empty(s, target):
        n = step.resolve(s, piece, target, ev, n)
    else:
        n = attack(t, s, piece, target, ev, n)
    if s[S.PIECE_CELL + piece] == target and s[S.RESULT] == 0:
        s[S.PENDING] = S.ASK_RESCUE_KIND
        s[S.PENDING_PIECE] = piece
        s[S.PENDING_CELL] = target
    return n


@kernel
def kinds(t: Ints, s: Ints, out: Ints, n: int) -> int:
    """Write one action for every kind among the losses."""
    side, first = s[S.SIDE], n
    for piece in range(1, T.PIECES):
        if is_lost(t, s, side, piece):
            choice = action.CHOOSE_KIND << 24 | (s[S.PIECE_INFO + piece] & S.KIND_MASK) << 16
            is_new = True
            for i in range(first, n):
                is_new = is_new and out[i] != choice
            if is_new:
                out[n] = choice
                n += 1
    return n


@kernel
def choose_kind(s: Ints, kind: int) -> None:
    """Remember the kind, without an event."""
    s[S.PENDING] = S.ASK_RESCUE_CELL
    s[S.PENDING_KIND] = kind


@kernel
def cells(t: Ints, s: Ints, out: Ints, n: int) -> int:
    """Write one action for every square where the rescued piece may be put."""
    for cell in range(144):
        if is_open(t, s, s[S.SIDE], cell):
            out[n] = action.CHOOSE_CELL << 24 | cell
            n += 1
    return n


@kernel
def choose_cell(t: Ints, s: Ints, cell: int, ev: Ints, n: int) -> int:
    """Put the rescued piece on the board; of several of its kind, one that has not rescued yet."""
    side = s[S.SIDE]
    piece = 0
    for candidate in range(1, T.PIECES):
        info = s[S.PIECE_INFO + candidate]
        is_fit = is_lost(t, s, side, candidate) and info & S.KIND_MASK == s[S.PENDING_KIND]
        if is_fit and (piece == 0 or s[S.PIECE_INFO + piece] & S.HAS_RESCUED & ~info):
            piece = candidate
    s[S.PIECE_INFO + s[S.PENDING_PIECE]] |= S.HAS_RESCUED
    s[S.PIECE_INFO + piece] &= ~(S.MOVED | S.TOLD_ALL)
    put(s, piece, cell)
    add_mover(s, side, piece)
    s[S.RESCUES_MADE + side] += 1
    if s[S.LAST_PIECE + side] == piece:
        s[S.LAST_PIECE + side] = 0
        s[S.LAST_COUNT + side] = 0
    mark_progress(s)
    n = emit(ev, n, events.RESCUED, piece, 0, cell, 0, TO_ALL)
    return show(s, piece, (1 << side) if t[T.SILENT_DEFENSE] != 0 else TO_ALL, ev, n)
