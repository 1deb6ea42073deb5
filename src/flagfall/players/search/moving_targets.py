"""What it is worth that pieces are near what they want to take, wherever their targets go.

::

    worth of a piece = PULL · its nearest, dearest target + CROWD · all its targets together

Every piece that can move is a hunter; how much it wants each enemy is in `buffers.TARGET`, and how much
counts at a distance in `buffers.NEARNESS`. Targets are looked for where they stand in the row, so chasing a
piece that runs away gains nothing. For every ply the best target and the sum of all targets of each hunter
are kept; an action changes them only for the pieces that it has changed and for the hunters of these.
"""

from __future__ import annotations

from flagfall.board import CELLS
from flagfall.engine import events as E
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.players.search import buffers as B


@inlined
def wanted(w: Ints, hunter: int, cell: int, target: int, target_info: int, there: int) -> int:
    """Return how much a hunter on a cell is drawn to a target on another; ``hunter``: its info."""
    side = hunter >> S.OWNER_SHIFT & 1
    if there == 0 or target_info >> S.OWNER_SHIFT & 1 == side:
        return 0
    value = w[B.TARGET + (hunter & S.KIND_MASK) * T.PIECES + target]
    if target_info & (S.TOLD_SOUTH << side) and w[B.WAS_TOLD + target] == 0:
        i = B.TARGET_KIND + (side * T.MAX_KINDS + (hunter & S.KIND_MASK)) * T.MAX_KINDS
        value = w[i + (target_info & S.KIND_MASK)]
    return value * w[B.NEARNESS + cell * CELLS + there]


@inlined
def worth(w: Ints, m: Ints, i: int) -> int:
    """Return what a hunter's place is worth to its owner; ``i``: ply * PIECES + hunter."""
    return (w[B.PULL] * m[B.BEST_TARGET + i] + w[B.CROWD] * m[B.ALL_TARGETS + i]) // (B.CLOSE * B.CLOSE)


@inlined
def is_hunter(t: Ints, s: Ints, piece: int) -> bool:
    """Return whether a piece is on the board and can move."""
    return (
        s[S.PIECE_CELL + piece] != 0
        and t[T.KIND_FLAGS + (s[S.PIECE_INFO + piece] & S.KIND_MASK)] & T.MOBILE != 0
    )


@kernel
def look_around(t: Ints, w: Ints, m: Ints, s: Ints, ply: int, hunter: int) -> None:
    """Look for all targets of a hunter anew."""
    i = ply * T.PIECES + hunter
    best, together = 0, 0
    if is_hunter(t, s, hunter):
        info, cell = s[S.PIECE_INFO + hunter], s[S.PIECE_CELL + hunter]
        first = S.first_piece(1 - (info >> S.OWNER_SHIFT & 1))
        for target in range(first, first + T.ARMY):
            value = wanted(w, info, cell, target, s[S.PIECE_INFO + target], s[S.PIECE_CELL + target])
            together += value
            best = max(best, value)
    m[B.BEST_TARGET + i] = best
    m[B.ALL_TARGETS + i] = together


@inlined
def _for_viewer(m: Ints, info: int, value: int) -> int:
    return value if info >> S.OWNER_SHIFT & 1 == m[B.VIEWER] else -value


@kernel
def start_targets(t: Ints, w: Ints, m: Ints, s: Ints, ply: int) -> None:
    """Look for the targets of all pieces of a row."""
    total = 0
    for piece in range(1, T.PIECES):
        look_around(t, w, m, s, ply, piece)
        total += _for_viewer(m, s[S.PIECE_INFO + piece], worth(w, m, ply * T.PIECES + piece))
    m[B.PULLS + ply] = total


@inlined
def copy_targets(m: Ints, ply: int) -> None:
    """Copy what the ply before has found."""
    m[B.PULLS + ply] = m[B.PULLS + ply - 1]
    base = ply * T.PIECES
    for i in range(base, base + T.PIECES):
        m[B.BEST_TARGET + i] = m[B.BEST_TARGET + i - T.PIECES]
        m[B.ALL_TARGETS + i] = m[B.ALL_TARGETS + i - T.PIECES]


@kernel
def update_targets(t: Ints, w: Ints, m: Ints, s: Ints, c: Ints, ply: int, ev: Ints, n: int) -> None:
    """Update targets for what an action has changed from row ``s`` to ``c``."""
    south, north = 0, 0
    for i in range(0, n, E.WIDTH):
        piece = ev[i + 1]
        if piece != 0 and _has_changed(s, c, piece) and piece not in (south, north):
            if (south if piece < S.first_piece(1) else north) != 0 or c[S.CONVERSIONS] + c[S.CONVERSIONS + 1]:
                start_targets(t, w, m, c, ply)  # several pieces of a side, or some that have changed sides
                return
            if piece < S.first_piece(1):
                south = piece
            else:
                north = piece
    copy_targets(m, ply)
    if south != 0:
        _retarget(t, w, m, s, c, ply, south)
    if north != 0:
        _retarget(t, w, m, s, c, ply, north)
    if south != 0:
        _replace(t, w, m, s, c, ply, south)
    if north != 0:
        _replace(t, w, m, s, c, ply, north)


@inlined
def _replace(t: Ints, w: Ints, m: Ints, s: Ints, c: Ints, ply: int, hunter: int) -> None:
    """Look for the targets of a piece that has changed itself."""
    i = ply * T.PIECES + hunter
    m[B.PULLS + ply] -= _for_viewer(m, s[S.PIECE_INFO + hunter], worth(w, m, i))
    look_around(t, w, m, c, ply, hunter)
    m[B.PULLS + ply] += _for_viewer(m, c[S.PIECE_INFO + hunter], worth(w, m, i))


@inlined
def _has_changed(s: Ints, c: Ints, piece: int) -> bool:
    return (
        s[S.PIECE_CELL + piece] != c[S.PIECE_CELL + piece]
        or s[S.PIECE_INFO + piece] != c[S.PIECE_INFO + piece]
    )


@kernel
def _retarget(t: Ints, w: Ints, m: Ints, s: Ints, c: Ints, ply: int, target: int) -> None:
    """Update the hunters of a target that has changed; those that changed too are looked at later."""
    before, there = s[S.PIECE_INFO + target], s[S.PIECE_CELL + target]
    after, where = c[S.PIECE_INFO + target], c[S.PIECE_CELL + target]
    first = S.first_piece(1) if target < S.first_piece(1) else S.first_piece(0)
    for hunter in range(first, first + T.ARMY):
        cell = s[S.PIECE_CELL + hunter]
        i = ply * T.PIECES + hunter
        if cell == 0 or (m[B.ALL_TARGETS + i] == 0 and where == 0) or not is_hunter(t, s, hunter):
            continue
        if _has_changed(s, c, hunter):
            continue
        info = s[S.PIECE_INFO + hunter]
        old = wanted(w, info, cell, target, before, there)
        new = wanted(w, info, cell, target, after, where)
        if old == new:
            continue
        worth_before = worth(w, m, i)
        if old >= m[B.BEST_TARGET + i] and new < old:
            look_around(t, w, m, c, ply, hunter)
        else:
            m[B.ALL_TARGETS + i] += new - old
            m[B.BEST_TARGET + i] = max(m[B.BEST_TARGET + i], new)
        m[B.PULLS + ply] += _for_viewer(m, info, worth(w, m, i) - worth_before)
