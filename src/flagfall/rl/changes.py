"""Kernels that write planes only where something has changed since the same side last looked.

A `VectorEnv` has two sets of planes and writes them by turns, so that a game that alternates shows South in
one and North in the other. For each a *record* keeps what it shows: how every square looks, which kinds
hidden pieces can be, the marks of the last turns, what is counted, and which squares events have touched
since. A turn that reveals nothing changes a few bytes. When the other side is to be shown, a game has
begun, or a hidden piece has come back, all is written again (`observing.py`).
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import events as E
from flagfall.engine import machine
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, inlined, kernel, lowest_bit
from flagfall.engine.tables import kind_flags
from flagfall.rl import layout as L
from flagfall.rl import memory as M
from flagfall.rl import observing as O

SHOWN_TO: Final = 0  # the side + 1; 0 if the planes must be written again
IS_STALE: Final = 1  # what is known or lost has changed since it was counted
UNMOVED: Final = 2  # hidden enemies that have not moved
MARKS: Final = 3  # the squares of the marks, + 1
TOUCHED: Final = MARKS + 5  # how many cells events have touched, then the cells
MAX_TOUCHED: Final = 23
COUNTS: Final = TOUCHED + 1 + MAX_TOUCHED  # the scalars of the kinds: own, not yet known, lost
STILL: Final = COUNTS + 3 * T.MAX_KINDS  # bit set: what hidden enemies that have not moved can be
GONE: Final = STILL + 3  # bit set: what the others can be
LOOK: Final = GONE + 3  # by square: how it looks
RECORD_SIZE: Final = (LOOK + 144 + 31) // 32 * 32

# --- how a square looks: its main plane + 1 (0 for an empty one), and what else is to be seen there
MAIN: Final = 255
_OWN_MOVED: Final = 256
_OWN_TOLD: Final = 512
_TOLD_MOVED: Final = 1024
_CONVERTED: Final = 2048


@kernel
def touch(shown: Ints, one: int, other: int, ev: Ints, length: int) -> None:
    """Note in both records of a game which cells the events of an action have changed."""
    is_stale = False
    for at in range(0, length, E.WIDTH):
        what = ev[at]
        if what == E.TURN:
            continue
        is_stale |= what == E.SHOWN or what == E.REMOVED or what == E.RESCUED
        if what == E.MOVE or what == E.SHOWN or what == E.REMOVED:
            _note(shown, one, ev[at + 2])
            _note(shown, other, ev[at + 2])
        if what == E.MOVE or what == E.RESCUED or what == E.CONVERT:
            _note(shown, one, ev[at + 3])
            _note(shown, other, ev[at + 3])
    if is_stale:
        shown[one + IS_STALE] = 1
        shown[other + IS_STALE] = 1


@inlined
def _note(shown: Ints, record: int, cell: int) -> None:
    n = shown[record + TOUCHED]
    if n == MAX_TOUCHED:
        shown[record + SHOWN_TO] = 0
        n = 0
    shown[record + TOUCHED + 1 + n] = cell
    shown[record + TOUCHED] = n + 1


@inlined
def fetch(g: Ints, s: Ints, m: Ints, side: int, r: Ints, planes: Ints, first: int) -> None:
    """Ask for the parts of the planes that `show` will write; they begin at ``first``."""
    if r[SHOWN_TO] != side + 1:
        return
    squares, kinds = g[L.SQUARES], g[L.KINDS]
    still = 1 + 3 * kinds + L.HIDDEN_UNMOVED
    for i in range(r[TOUCHED]):
        cell = r[TOUCHED + 1 + i]
        here = first + g[L.SQUARE_OF + 144 * side + cell]
        old, new = r[LOOK + here - first] & MAIN, _look(g, s, side, cell) & MAIN
        if old != 0:
            machine.fetch(planes, here + (old - 1) * squares)
        if new != 0:
            machine.fetch(planes, here + (new - 1) * squares)
        if old >= still or new >= still:
            bits = _bits(r, GONE)
            while bits != 0:
                machine.fetch(planes, here + (2 * kinds + lowest_bit(bits)) * squares)
                bits &= bits - 1
    marks = first + (3 * kinds + L.ASKED_SQUARE) * squares
    for i in range(5):
        new, old = _mark(g, s, m, side, i), r[MARKS + i]
        if old != 0:
            machine.fetch(planes, marks + i * squares + old - 1)
        if new != 0:
            machine.fetch(planes, marks + i * squares + new - 1)


@kernel
def show(t: Ints, g: Ints, zones: Ints, s: Ints, m: Ints, side: int, r: Ints, p: Ints, c: Ints) -> None:
    """Bring the planes and scalars of one side up to date."""
    is_placing = g[L.PLACES] != 0 and m[M.PLACED] < g[L.SOUTH_ARMY] + g[L.NORTH_ARMY]
    if r[SHOWN_TO] != side + 1 or is_placing or m[M.RETURNS + side] > 0:
        r[UNMOVED] = O.write_planes(t, g, zones, s, m, side, p, c)
        r[SHOWN_TO] = 0 if is_placing or m[M.RETURNS + side] > 0 else side + 1
        if r[SHOWN_TO] != 0:
            _record_all(t, g, s, m, side, r, c)
    else:
        unmoved, stale = r[UNMOVED], r[IS_STALE]
        for i in range(r[TOUCHED]):
            _update_square(g, s, side, r[TOUCHED + 1 + i], r, p)
        if stale != 0:
            _count_again(t, g, m, side, r)
        if stale != 0 or r[UNMOVED] != unmoved:
            _update_possible(t, g, m, side, r, p)
        O.write_plain_scalars(g, s, m, side, c)
        O.copy(r[COUNTS:], c[L.KIND_SCALARS :], 3 * g[L.KINDS])
        _update_marks(g, s, m, side, r, p)
    r[TOUCHED] = 0
    r[IS_STALE] = 0


@inlined
def _look(g: Ints, s: Ints, side: int, cell: int) -> int:
    """Return how a square looks to a side."""
    if not S.is_piece(s, cell):
        return 0
    info = s[S.PIECE_INFO + S.piece_on(s, cell)]
    owner = (info >> S.OWNER_SHIFT) & 1
    kind = g[L.KIND_PLANE + T.MAX_KINDS * owner + (info & S.KIND_MASK)]
    look = _CONVERTED if info & S.CONVERTED else 0
    if owner == side:
        if info & S.MOVED:
            look |= _OWN_MOVED
        if info & (S.TOLD_SOUTH << (1 - side)):
            look |= _OWN_TOLD
        return look | 1 + kind
    if info & (S.TOLD_SOUTH << side):
        if info & S.MOVED:
            look |= _TOLD_MOVED
        return look | 1 + g[L.KINDS] + kind
    return look | 1 + 3 * g[L.KINDS] + (L.HIDDEN_MOVED if info & S.MOVED else L.HIDDEN_UNMOVED)


@inlined
def _update_square(g: Ints, s: Ints, side: int, cell: int, r: Ints, p: Ints) -> None:
    squares, kinds = g[L.SQUARES], g[L.KINDS]
    at = g[L.SQUARE_OF + 144 * side + cell]
    was, is_now = r[LOOK + at], _look(g, s, side, cell)
    if was == is_now:
        return
    r[LOOK + at] = is_now
    old, new = was & MAIN, is_now & MAIN
    if old != new:
        still, gone = 1 + 3 * kinds + L.HIDDEN_UNMOVED, 1 + 3 * kinds + L.HIDDEN_MOVED
        if old != 0:
            p[(old - 1) * squares + at] = 0
            if old <= kinds:
                r[COUNTS + old - 1] -= 1
        if new != 0:
            p[(new - 1) * squares + at] = 1
            if new <= kinds:
                r[COUNTS + new - 1] += 1
        r[UNMOVED] += (new == still) - (old == still)
        could_be = _bits(r, STILL) if old == still else _bits(r, GONE) if old == gone else 0
        can_be = _bits(r, STILL) if new == still else _bits(r, GONE) if new == gone else 0
        possible = 2 * kinds * squares + at
        bits = could_be ^ can_be
        while bits != 0:
            place = lowest_bit(bits)
            p[possible + place * squares] = (can_be >> place) & 1
            bits &= bits - 1
    changed = was ^ is_now
    plain = 3 * kinds * squares + at
    if changed & _OWN_MOVED:
        p[plain + L.OWN_MOVED * squares] = 1 if is_now & _OWN_MOVED else 0
    if changed & _OWN_TOLD:
        p[plain + L.OWN_TOLD * squares] = 1 if is_now & _OWN_TOLD else 0
    if changed & _TOLD_MOVED:
        p[plain + L.TOLD_MOVED * squares] = 1 if is_now & _TOLD_MOVED else 0
    if changed & _CONVERTED:
        p[plain + L.CONVERTED * squares] = 1 if is_now & _CONVERTED else 0


@inlined
def _bits(r: Ints, at: int) -> int:
    """Return a bit set of kinds."""
    return (r[at] & 0xFFFF) | (r[at + 1] & 0xFFFF) << 16 | (r[at + 2] & 0xFFFF) << 32


@inlined
def _keep_bits(r: Ints, at: int, bits: int) -> None:
    for word in range(3):
        r[at + word] = ((bits >> (16 * word) & 0xFFFF) ^ 0x8000) - 0x8000


@inlined
def _count_again(t: Ints, g: Ints, m: Ints, side: int, r: Ints) -> None:
    """Copy how many of each kind are not yet known, and lost."""
    kinds = g[L.KINDS]
    for kind in range(t[T.KIND_COUNT]):
        place = g[L.KIND_PLANE + T.MAX_KINDS * (1 - side) + kind]
        if place >= 0:
            r[COUNTS + kinds + place] = m[M.NOT_KNOWN + T.MAX_KINDS * side + kind]
            r[COUNTS + 2 * kinds + place] = m[M.LOSSES + T.MAX_KINDS * side + kind]


@inlined
def _count_possible(t: Ints, g: Ints, m: Ints, side: int, r: Ints) -> None:
    """Keep which kinds hidden enemies can be: those that have not moved, and the others."""
    is_any = O.can_be_mobile(t, m, side, r[UNMOVED])
    still, gone, one = 0, 0, 1
    for kind in range(t[T.KIND_COUNT]):
        place = g[L.KIND_PLANE + T.MAX_KINDS * (1 - side) + kind]
        if place >= 0 and m[M.NOT_KNOWN + T.MAX_KINDS * side + kind] > 0:
            if kind_flags(t, kind) & T.MOBILE == 0:
                still |= one << place
            else:
                gone |= one << place
                if is_any:
                    still |= one << place
    _keep_bits(r, STILL, still)
    _keep_bits(r, GONE, gone)


@kernel
def _update_possible(t: Ints, g: Ints, m: Ints, side: int, r: Ints, p: Ints) -> None:
    """Write the plane of every possible kind that hidden enemies gained or lost."""
    squares, kinds = g[L.SQUARES], g[L.KINDS]
    unmoved = (3 * kinds + L.HIDDEN_UNMOVED) * squares
    moved = (3 * kinds + L.HIDDEN_MOVED) * squares
    was_still, was_gone = _bits(r, STILL), _bits(r, GONE)
    _count_possible(t, g, m, side, r)
    still, gone = _bits(r, STILL), _bits(r, GONE)
    bits = (still ^ was_still) | (gone ^ was_gone)
    while bits != 0:
        place = lowest_bit(bits)
        bits &= bits - 1
        part = p[(2 * kinds + place) * squares :]
        is_still, is_gone = (still >> place) & 1, (gone >> place) & 1
        if is_still + is_gone == 0:
            O.clear(part, squares)
        elif is_gone == 0:
            O.copy(p[unmoved:], part, squares)
        elif is_still == 0:
            O.copy(p[moved:], part, squares)
        else:
            O.copy_either(p[unmoved:], p[moved:], part, squares)


@kernel
def _record_all(t: Ints, g: Ints, s: Ints, m: Ints, side: int, r: Ints, c: Ints) -> None:
    """Keep what planes show that were just written."""
    O.copy(c[L.KIND_SCALARS :], r[COUNTS:], 3 * g[L.KINDS])
    _count_possible(t, g, m, side, r)
    for at in range(g[L.SQUARES]):
        r[LOOK + at] = _look(g, s, side, g[L.CELL_OF + 144 * side + at])
    for i in range(5):
        r[MARKS + i] = _mark(g, s, m, side, i)


@inlined
def _mark(g: Ints, s: Ints, m: Ints, side: int, i: int) -> int:
    """Return a square + 1, or 0: what is asked about, then where both sides' last turns began and ended."""
    cell = 0
    if i == 0:
        cell = s[S.PENDING_CELL] if s[S.PENDING] != 0 else 0
    else:
        mover = side if i < 3 else 1 - side
        if m[M.LAST_FROM + mover] != 0:
            cell = m[(M.LAST_FROM if i & 1 else M.LAST_TO) + mover]
    return 1 + g[L.SQUARE_OF + 144 * side + cell] if cell != 0 else 0


@inlined
def _update_marks(g: Ints, s: Ints, m: Ints, side: int, r: Ints, p: Ints) -> None:
    squares = g[L.SQUARES]
    first = (3 * g[L.KINDS] + L.ASKED_SQUARE) * squares
    for i in range(5):
        new, old = _mark(g, s, m, side, i), r[MARKS + i]
        if new != old:
            r[MARKS + i] = new
            if old != 0:
                p[first + i * squares + old - 1] = 0
            if new != 0:
                p[first + i * squares + new - 1] = 1
