"""Rescue: a piece that reaches the enemy's back row brings one lost piece home.

::

      row 10   . P .      P moves here and declares the rescue with the move …
      row 1-4  . R .      … then chooses a kind among its losses, then an empty square of its own rows

Declared by the action that moves (or, as an option, attacks); kind and square are the next two actions of the
turn. The kind is chosen without an event: nothing is told until the piece stands on the board.
"""

from __future__ import annotations

from flagfall.engine import action, events
from flagfall.engine.combat import attack
from flagfall.engine.endings import mark_progress
from flagfall.engine.events import TO_ALL, emit, show
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.state import (
    ASK_RESCUE_CELL,
    ASK_RESCUE_KIND,
    HAS_RESCUED,
    KIND_MASK,
    LAST_COUNT,
    LAST_PIECE,
    MOVED,
    PENDING,
    PENDING_CELL,
    PENDING_KIND,
    PENDING_PIECE,
    PIECE_CELL,
    PIECE_INFO,
    RESCUES_MADE,
    RESULT,
    SIDE,
    TOLD_ALL,
    add_mover,
    is_empty,
    owner_of,
    piece_on,
    put,
)
from flagfall.engine.tables import (
    BACK_ROW,
    PIECES,
    RESCUABLE,
    RESCUE_CAP,
    RESCUE_CELL,
    RESCUE_ON_STRIKE,
    RESCUES,
    SILENT_DEFENSE,
    cell_flags,
    kind_flags,
)
from flagfall.engine.verbs import step


@kernel
def is_lost(t: Ints, s: Ints, side: int, piece: int) -> bool:
    """Return whether a piece of that side is off the board and may be rescued."""
    info = s[PIECE_INFO + piece]
    is_own = info & TOLD_ALL != 0 and owner_of(s, piece) == side
    return is_own and s[PIECE_CELL + piece] == 0 and kind_flags(t, info & KIND_MASK) & RESCUABLE != 0


@kernel
def is_open(t: Ints, s: Ints, side: int, cell: int) -> bool:
    """Return whether a rescued piece may be put on a cell."""
    return is_empty(s, cell) and cell_flags(t, cell) & (RESCUE_CELL << side) != 0


@kernel
def is_possible(t: Ints, s: Ints, side: int) -> bool:
    """Return whether that side has a rescue left, a piece to rescue and a free square for it."""
    if s[RESCUES_MADE + side] >= t[RESCUE_CAP]:
        return False
    losses, free = 0, 0
    for piece in range(1, PIECES):
        losses += is_lost(t, s, side, piece)
    for cell in range(144):
        free += is_open(t, s, side, cell)
    return losses > 0 and free > 0


@kernel
def follow_up(t: Ints, s: Ints, side: int, done: int, out: Ints, n: int) -> int:
    """Write ``done``, a move or attack in the list, again with a rescue, if the piece may rescue."""
    origin, target = done >> 8 & 255, done & 255
    verb = done >> 24
    if cell_flags(t, target) & (BACK_ROW << (1 - side)) == 0:
        return n
    if verb != action.MOVE and not (verb == action.ATTACK and t[RESCUE_ON_STRIKE] != 0):
        return n
    info = s[PIECE_INFO + piece_on(s, origin)]
    if info & HAS_RESCUED or kind_flags(t, info & KIND_MASK) & RESCUES == 0:
        return n
    out[n] = action.RESCUE << 24 | origin << 8 | target
    return n + 1


@kernel
def resolve(t: Ints, s: Ints, piece: int, target: int, ev: Ints, n: int) -> int:
    """Move or attack; if the piece then stands on the back row, ask which kind it rescues."""
    n = emit(ev, n, events.RESCUE, piece, s[PIECE_CELL + piece], target, 0, TO_ALL)
    if is_empty(s, target):
        n = step.resolve(s, piece, target, ev, n)
    else:
        n = attack(t, s, piece, target, ev, n)
    if s[PIECE_CELL + piece] == target and s[RESULT] == 0:
        s[PENDING] = ASK_RESCUE_KIND
        s[PENDING_PIECE] = piece
        s[PENDING_CELL] = target
    return n


@kernel
def kinds(t: Ints, s: Ints, out: Ints, n: int) -> int:
    """Write one action for every kind among the losses."""
    side, first = s[SIDE], n
    for piece in range(1, PIECES):
        if is_lost(t, s, side, piece):
            choice = action.CHOOSE_KIND << 24 | (s[PIECE_INFO + piece] & KIND_MASK) << 16
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
    s[PENDING] = ASK_RESCUE_CELL
    s[PENDING_KIND] = kind


@kernel
def cells(t: Ints, s: Ints, out: Ints, n: int) -> int:
    """Write one action for every square where the rescued piece may be put."""
    for cell in range(144):
        if is_open(t, s, s[SIDE], cell):
            out[n] = action.CHOOSE_CELL << 24 | cell
            n += 1
    return n


@kernel
def choose_cell(t: Ints, s: Ints, cell: int, ev: Ints, n: int) -> int:
    """Put the rescued piece on the board; of several of its kind, one that has not rescued yet."""
    side = s[SIDE]
    piece = 0
    for candidate in range(1, PIECES):
        info = s[PIECE_INFO + candidate]
        is_fit = is_lost(t, s, side, candidate) and info & KIND_MASK == s[PENDING_KIND]
        if is_fit and (piece == 0 or s[PIECE_INFO + piece] & HAS_RESCUED & ~info):
            piece = candidate
    s[PIECE_INFO + s[PENDING_PIECE]] |= HAS_RESCUED
    s[PIECE_INFO + piece] &= ~(MOVED | TOLD_ALL)
    put(s, piece, cell)
    add_mover(s, side, piece)
    s[RESCUES_MADE + side] += 1
    if s[LAST_PIECE + side] == piece:
        s[LAST_PIECE + side] = 0
        s[LAST_COUNT + side] = 0
    mark_progress(s)
    n = emit(ev, n, events.RESCUED, piece, 0, cell, 0, TO_ALL)
    return show(s, piece, (1 << side) if t[SILENT_DEFENSE] != 0 else TO_ALL, ev, n)
