"""Kernels that write what the side to move may know: planes and scalars (`layout.py` names them).

*Possible kinds by counting*: a hidden enemy piece can be every kind that is not accounted for, except that
a piece that has moved is no kind that never moves; and where all that is left of such kinds must stand among
the pieces that have not moved, those are nothing else. A hidden piece that came back can be any kind that may
be rescued and is lost or not accounted for. Conclusions from fights in silence, from missed guesses and from
what a power left alone are not in these planes; a View has them.
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.tables import kind_flags
from flagfall.rl import layout as L
from flagfall.rl import memory as M

_MOVED_BIT: Final = S.MOVED.bit_length() - 1
_TOLD_BIT: Final = S.TOLD_SOUTH.bit_length() - 1
_RETURNED_BIT: Final = M.RETURNED.bit_length() - 1


@kernel
def write_planes(t: Ints, g: Ints, zones: Ints, s: Ints, m: Ints, side: int, p: Ints, c: Ints) -> int:
    """Write the planes and scalars for one side and return how many hidden enemies have not moved.

    While it places its pieces, it sees only those.
    """
    kinds, squares = g[L.KINDS], g[L.SQUARES]
    plain = 3 * kinds * squares
    clear(p[: 2 * kinds * squares], 2 * kinds * squares)
    clear(p[plain:], L.ZONES * squares)
    copy(zones[squares * side :], p[plain + L.ZONES * squares :], squares)
    write_scalars(t, g, s, m, side, c)
    is_placing = g[L.PLACES] != 0 and m[M.PLACED] < g[L.SOUTH_ARMY] + g[L.NORTH_ARMY]
    if is_placing:
        _write_army(g, s, side, S.first_piece(side), p, c)
        clear(p[2 * kinds * squares :], kinds * squares)
        return 0
    unmoved = 0
    for army in range(2):
        first = S.first_piece(army)
        for piece in range(first, first + g[L.SOUTH_ARMY + army]):
            cell = s[S.PIECE_CELL + piece]
            if cell != 0:
                unmoved += _write_piece(g, s, m, side, piece, cell, p, c)
    _write_possible(t, g, m, side, unmoved, p)
    if m[M.RETURNS + side] > 0:
        _write_returned(t, g, s, m, side, p)
    write_ways(g, s, m, side, p)
    return unmoved


# Loops over parts of a buffer that begin at 0: the compiler then sees that no index is negative and makes
# wide stores of them.


@inlined
def clear(part: Ints, size: int) -> None:
    """Write zeros."""
    for i in range(size):
        part[i] = 0


@inlined
def copy(source: Ints, target: Ints, size: int) -> None:
    """Copy some bytes."""
    for i in range(size):
        target[i] = source[i]


@inlined
def copy_either(one: Ints, other: Ints, target: Ints, size: int) -> None:
    """Write 1 where one or the other has it."""
    for i in range(size):
        target[i] = one[i] | other[i]


@inlined
def _write_army(g: Ints, s: Ints, side: int, first: int, p: Ints, c: Ints) -> None:
    """Write the pieces that one side has placed."""
    for piece in range(first, first + g[L.SOUTH_ARMY + side]):
        cell = s[S.PIECE_CELL + piece]
        if cell != 0:
            kind = g[L.KIND_PLANE + T.MAX_KINDS * side + S.kind_of(s, piece)]
            p[kind * g[L.SQUARES] + g[L.SQUARE_OF + 144 * side + cell]] = 1
            c[L.KIND_SCALARS + kind] += 1


@inlined
def _write_piece(g: Ints, s: Ints, m: Ints, side: int, piece: int, cell: int, p: Ints, c: Ints) -> int:
    """Write one piece on the board; return 1 for a hidden enemy that has not moved or come back."""
    squares, kinds = g[L.SQUARES], g[L.KINDS]
    at = g[L.SQUARE_OF + 144 * side + cell]
    plain = 3 * kinds * squares + at
    info = s[S.PIECE_INFO + piece]
    owner = (info >> S.OWNER_SHIFT) & 1
    kind = g[L.KIND_PLANE + T.MAX_KINDS * owner + (info & S.KIND_MASK)]
    if info & S.CONVERTED:
        p[plain + L.CONVERTED * squares] = 1
    if owner == side:
        p[kind * squares + at] = 1
        c[L.KIND_SCALARS + kind] += 1
        p[plain + L.OWN_MOVED * squares] = (info >> _MOVED_BIT) & 1
        p[plain + L.OWN_TOLD * squares] = (info >> (_TOLD_BIT + 1 - side)) & 1
        return 0
    is_told, has_moved = (info >> (_TOLD_BIT + side)) & 1, (info >> _MOVED_BIT) & 1
    hidden = plain + (L.HIDDEN_UNMOVED + has_moved) * squares
    p[(kinds + kind) * squares + at if is_told else hidden] = 1
    p[plain + L.TOLD_MOVED * squares] = is_told & has_moved
    return (1 - is_told) & (1 - has_moved) & (1 - ((m[M.PIECE + piece] >> _RETURNED_BIT) & 1))


@inlined
def can_be_mobile(t: Ints, m: Ints, side: int, unmoved: int) -> bool:
    """Return whether not all hidden enemies that have not moved are needed for kinds that never move."""
    fixed = 0
    for kind in range(t[T.KIND_COUNT]):
        if kind_flags(t, kind) & T.MOBILE == 0:
            fixed += m[M.NOT_KNOWN + T.MAX_KINDS * side + kind]
    return unmoved + m[M.UNNAMED + side] > fixed


@inlined
def _write_possible(t: Ints, g: Ints, m: Ints, side: int, unmoved: int, p: Ints) -> None:
    """Write what hidden enemies can be: one pattern for those that have moved, one for the others."""
    squares, kinds = g[L.SQUARES], g[L.KINDS]
    first = 2 * kinds * squares
    still = 3 * kinds * squares + L.HIDDEN_UNMOVED * squares
    gone = 3 * kinds * squares + L.HIDDEN_MOVED * squares
    is_any = can_be_mobile(t, m, side, unmoved)
    written = 0
    for kind in range(t[T.KIND_COUNT]):
        place = g[L.KIND_PLANE + T.MAX_KINDS * (1 - side) + kind]
        if place < 0:
            continue
        at = first + place * squares
        written += 1
        if m[M.NOT_KNOWN + T.MAX_KINDS * side + kind] <= 0:
            clear(p[at:], squares)
        elif kind_flags(t, kind) & T.MOBILE == 0:
            copy(p[still:], p[at:], squares)
        elif is_any:
            copy_either(p[still:], p[gone:], p[at:], squares)
        else:
            copy(p[gone:], p[at:], squares)
    clear(p[first + written * squares :], (kinds - written) * squares)


@kernel
def _write_returned(t: Ints, g: Ints, s: Ints, m: Ints, side: int, p: Ints) -> None:
    """Write what hidden enemies that came back can be."""
    squares, kinds = g[L.SQUARES], g[L.KINDS]
    for piece in range(1, T.PIECES):
        if m[M.PIECE + piece] != M.RETURNED or M.viewer_of(piece) != side:
            continue
        cell = s[S.PIECE_CELL + piece]
        for kind in range(t[T.KIND_COUNT]):
            if g[L.KIND_PLANE + T.MAX_KINDS * (1 - side) + kind] < 0:
                continue
            flags = kind_flags(t, kind)
            place = T.MAX_KINDS * side + kind
            can_be = (
                flags & T.RESCUABLE != 0
                and m[M.NOT_KNOWN + place] + m[M.LOSSES + place] > 0
                and (flags & T.MOBILE != 0 or s[S.PIECE_INFO + piece] & S.MOVED == 0)
            )
            at = (2 * kinds + g[L.KIND_PLANE + T.MAX_KINDS * (1 - side) + kind]) * squares
            p[at + g[L.SQUARE_OF + 144 * side + cell]] = 1 if can_be else 0


@inlined
def write_ways(g: Ints, s: Ints, m: Ints, side: int, p: Ints) -> None:
    """Write the last turns of both sides and the square that an open turn asks about."""
    squares = g[L.SQUARES]
    plain = 3 * g[L.KINDS] * squares
    turned = L.SQUARE_OF + 144 * side
    if m[M.LAST_FROM + side] != 0:
        p[plain + L.LAST_OWN_FROM * squares + g[turned + m[M.LAST_FROM + side]]] = 1
        p[plain + L.LAST_OWN_TO * squares + g[turned + m[M.LAST_TO + side]]] = 1
    if m[M.LAST_FROM + 1 - side] != 0:
        p[plain + L.LAST_ENEMY_FROM * squares + g[turned + m[M.LAST_FROM + 1 - side]]] = 1
        p[plain + L.LAST_ENEMY_TO * squares + g[turned + m[M.LAST_TO + 1 - side]]] = 1
    if s[S.PENDING] != 0 and s[S.PENDING_CELL] != 0:
        p[plain + L.ASKED_SQUARE * squares + g[turned + s[S.PENDING_CELL]]] = 1


@inlined
def write_plain_scalars(g: Ints, s: Ints, m: Ints, side: int, c: Ints) -> None:
    """Write the scalars that every game has; those of kinds and options stay as they are."""
    other = 1 - side
    c[L.SIDE] = side
    c[L.NO_PROGRESS] = max(s[S.NO_PROGRESS], 0)
    c[L.REGIME] = s[S.PHASE]
    c[L.OWN_RESCUES] = s[S.RESCUES_MADE + side]
    c[L.ENEMY_RESCUES] = s[S.RESCUES_MADE + other]
    c[L.OWN_CONVERSIONS] = s[S.CONVERSIONS + side]
    c[L.ENEMY_CONVERSIONS] = s[S.CONVERSIONS + other]
    c[L.UNNAMED_LOSSES] = m[M.UNNAMED + side]
    c[L.UNNAMED_RETURNS] = m[M.RETURNS + side]
    c[L.KIND_TO_PLACE] = 0
    clear(c[L.ASKED :], L.KIND_SCALARS - L.ASKED)
    if g[L.PLACES] != 0 and m[M.PLACED] < g[L.SOUTH_ARMY] + g[L.NORTH_ARMY]:
        kind = g[L.PLACE_ORDER + m[M.PLACED]]
        c[L.KIND_TO_PLACE] = 1 + g[L.KIND_PLANE + T.MAX_KINDS * side + kind]
        c[L.ASKED + L.ASK_PLACE] = 1
    else:
        c[L.ASKED + s[S.PENDING]] = 1


@inlined
def write_scalars(t: Ints, g: Ints, s: Ints, m: Ints, side: int, c: Ints) -> None:
    """Write the scalars; those of the options stay as they are, own pieces are counted later."""
    kinds, other = g[L.KINDS], 1 - side
    write_plain_scalars(g, s, m, side, c)
    clear(c[L.KIND_SCALARS :], 3 * kinds)
    for kind in range(t[T.KIND_COUNT]):
        place = g[L.KIND_PLANE + T.MAX_KINDS * other + kind]
        if place >= 0:
            c[L.KIND_SCALARS + kinds + place] = m[M.NOT_KNOWN + T.MAX_KINDS * side + kind]
            c[L.KIND_SCALARS + 2 * kinds + place] = m[M.LOSSES + T.MAX_KINDS * side + kind]
