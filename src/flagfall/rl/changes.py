"""Kernels that write planes only where something has changed since the same side last looked.

A `VectorEnv` has two sets of planes and writes them by turns, so that a game that alternates shows South in
one and North in the other. For each a *record* keeps what it shows: how every square looks, which kinds
hidden pieces can be, the marks of the last turns, and which squares events have touched since. When the other
side is to be shown, a game has begun, or a hidden piece has come back, all is written again (`observing.py`).
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import events as E
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.tables import kind_flags
from flagfall.rl import layout as L
from flagfall.rl import memory as M
from flagfall.rl import observing as O

SHOWN_TO: Final = 0  # the side + 1; 0 if the planes must be written again
TOUCHED: Final = 1  # how many cells events have touched, then the cells
MAX_TOUCHED: Final = 40
UNMOVED: Final = TOUCHED + 1 + MAX_TOUCHED  # hidden enemies that have not moved
MARKS: Final = UNMOVED + 1  # the squares of the marks, + 1
PATTERN: Final = MARKS + 5  # by kind: which hidden enemies can be of it
OWN: Final = PATTERN + T.MAX_KINDS  # own pieces by kind
LOOK: Final = OWN + T.MAX_KINDS  # by square: its main plane + 1
RECORD_SIZE: Final = LOOK + 144

_NONE: Final = 0
_STILL: Final = 1
_EITHER: Final = 2
_GONE: Final = 3


@kernel
def touch(r: Ints, ev: Ints, length: int) -> None:
    """Note the cells that the events of an action have changed."""
    n = r[TOUCHED]
    for at in range(0, length, E.WIDTH):
        what = ev[at]
        if n + 2 > MAX_TOUCHED:
            r[SHOWN_TO] = 0
            n = 0
        if what == E.MOVE or what == E.SHOWN or what == E.REMOVED:
            r[TOUCHED + 1 + n] = ev[at + 2]
            n += 1
        if what == E.MOVE or what == E.RESCUED or what == E.CONVERT:
            r[TOUCHED + 1 + n] = ev[at + 3]
            n += 1
    r[TOUCHED] = n


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
        squares, plain = g[L.SQUARES], 3 * g[L.KINDS]
        for i in range(r[TOUCHED]):
            _update_square(g, s, side, r[TOUCHED + 1 + i], r, p)
        O.write_scalars(t, g, s, m, side, c)
        for place in range(g[L.KINDS]):
            c[L.KIND_SCALARS + place] = r[OWN + place]
        _update_patterns(t, g, m, side, r, p)
        for i in range(5):
            if r[MARKS + i] != 0:
                p[(plain + L.ASKED_SQUARE + i) * squares + r[MARKS + i] - 1] = 0
        O.write_ways(g, s, m, side, p)
        _keep_marks(g, s, m, side, r)
    r[TOUCHED] = 0


@inlined
def _look(g: Ints, s: Ints, side: int, cell: int) -> int:
    """Return the main plane of a square, + 1; 0 for an empty one."""
    if not S.is_piece(s, cell):
        return 0
    info = s[S.PIECE_INFO + S.piece_on(s, cell)]
    owner = (info >> S.OWNER_SHIFT) & 1
    kind = g[L.KIND_PLANE + T.MAX_KINDS * owner + (info & S.KIND_MASK)]
    if owner == side:
        return 1 + kind
    if info & (S.TOLD_SOUTH << side):
        return 1 + g[L.KINDS] + kind
    return 1 + 3 * g[L.KINDS] + (L.HIDDEN_MOVED if info & S.MOVED else L.HIDDEN_UNMOVED)


@inlined
def _update_square(g: Ints, s: Ints, side: int, cell: int, r: Ints, p: Ints) -> None:
    squares, kinds = g[L.SQUARES], g[L.KINDS]
    at = g[L.SQUARE_OF + 144 * side + cell]
    old, new = r[LOOK + at], _look(g, s, side, cell)
    still, gone = 1 + 3 * kinds + L.HIDDEN_UNMOVED, 1 + 3 * kinds + L.HIDDEN_MOVED
    if old != new:
        r[LOOK + at] = new
        if old != 0:
            p[(old - 1) * squares + at] = 0
            if old <= kinds:
                r[OWN + old - 1] -= 1
        if new != 0:
            p[(new - 1) * squares + at] = 1
            if new <= kinds:
                r[OWN + new - 1] += 1
        r[UNMOVED] += (new == still) - (old == still)
        if old >= still or new >= still:
            for place in range(kinds):
                pattern = r[PATTERN + place]
                can_be = (new == still and _STILL <= pattern <= _EITHER) or (
                    new == gone and pattern >= _EITHER
                )
                p[(2 * kinds + place) * squares + at] = 1 if can_be else 0
    info = s[S.PIECE_INFO + S.piece_on(s, cell)] if new != 0 else 0
    is_own, is_told = new != 0 and new <= kinds, new > kinds and new < still
    has_moved = info & S.MOVED != 0
    plain = 3 * kinds * squares + at
    p[plain + L.OWN_MOVED * squares] = 1 if is_own and has_moved else 0
    p[plain + L.OWN_TOLD * squares] = 1 if is_own and info & (S.TOLD_SOUTH << (1 - side)) else 0
    p[plain + L.TOLD_MOVED * squares] = 1 if is_told and has_moved else 0
    p[plain + L.CONVERTED * squares] = 1 if info & S.CONVERTED else 0


@inlined
def _pattern(t: Ints, m: Ints, side: int, kind: int, is_any: bool) -> int:
    if m[M.NOT_KNOWN + T.MAX_KINDS * side + kind] <= 0:
        return _NONE
    if kind_flags(t, kind) & T.MOBILE == 0:
        return _STILL
    return _EITHER if is_any else _GONE


@inlined
def _update_patterns(t: Ints, g: Ints, m: Ints, side: int, r: Ints, p: Ints) -> None:
    """Write the plane of every possible kind that hidden enemies gained or lost."""
    squares, kinds = g[L.SQUARES], g[L.KINDS]
    still = (3 * kinds + L.HIDDEN_UNMOVED) * squares
    gone = (3 * kinds + L.HIDDEN_MOVED) * squares
    is_any = O.can_be_mobile(t, m, side, r[UNMOVED])
    for kind in range(t[T.KIND_COUNT]):
        place = g[L.KIND_PLANE + T.MAX_KINDS * (1 - side) + kind]
        if place < 0:
            continue
        pattern = _pattern(t, m, side, kind, is_any)
        if pattern != r[PATTERN + place]:
            r[PATTERN + place] = pattern
            part = p[(2 * kinds + place) * squares :]
            if pattern == _NONE:
                O.clear(part, squares)
            elif pattern == _STILL:
                O.copy(p[still:], part, squares)
            elif pattern == _EITHER:
                O.copy_either(p[still:], p[gone:], part, squares)
            else:
                O.copy(p[gone:], part, squares)


@kernel
def _record_all(t: Ints, g: Ints, s: Ints, m: Ints, side: int, r: Ints, c: Ints) -> None:
    """Keep what planes show that were just written."""
    for place in range(T.MAX_KINDS):
        r[PATTERN + place] = _NONE
        r[OWN + place] = c[L.KIND_SCALARS + place] if place < g[L.KINDS] else 0
    is_any = O.can_be_mobile(t, m, side, r[UNMOVED])
    for kind in range(t[T.KIND_COUNT]):
        place = g[L.KIND_PLANE + T.MAX_KINDS * (1 - side) + kind]
        if place >= 0:
            r[PATTERN + place] = _pattern(t, m, side, kind, is_any)
    for at in range(g[L.SQUARES]):
        r[LOOK + at] = _look(g, s, side, g[L.CELL_OF + 144 * side + at])
    _keep_marks(g, s, m, side, r)


@inlined
def _keep_marks(g: Ints, s: Ints, m: Ints, side: int, r: Ints) -> None:
    turned, other = L.SQUARE_OF + 144 * side, 1 - side
    for i in range(5):
        r[MARKS + i] = 0
    if s[S.PENDING] != 0 and s[S.PENDING_CELL] != 0:
        r[MARKS] = 1 + g[turned + s[S.PENDING_CELL]]
    if m[M.LAST_FROM + side] != 0:
        r[MARKS + 1] = 1 + g[turned + m[M.LAST_FROM + side]]
        r[MARKS + 2] = 1 + g[turned + m[M.LAST_TO + side]]
    if m[M.LAST_FROM + other] != 0:
        r[MARKS + 3] = 1 + g[turned + m[M.LAST_FROM + other]]
        r[MARKS + 4] = 1 + g[turned + m[M.LAST_TO + other]]
