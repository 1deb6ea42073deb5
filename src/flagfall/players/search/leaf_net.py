"""The learned part of the evaluation: a small network that corrects the score of a row.

::

    every piece: is it ours, its kind, what is told of it, its square  ─►  a row of the table
    the sum of these rows, and what belongs to the side to move        ─►  the accumulator
    its first number, and the others between 0 and 1, weighted         ─►  the correction

The accumulator is updated with every action, from the rows of the pieces that its events name. Squares are
seen from the viewer's side. All is in integers: the first number, and what the others count, in parts of
`LEAD`, the others in parts of `ONE`. A network of zeros corrects nothing.
"""

from __future__ import annotations

from typing import Final

from flagfall.board import CELLS
from flagfall.engine import events as E
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.players.search import buffers as B

STATUSES: Final = 3
"""what the other side knows of a piece: nothing, that it has moved, its kind"""
LEAD: Final = 64
ONE: Final = 1024
_SHIFT: Final = 16  # LEAD * ONE
MAX_CORRECTION: Final = 2000


@inlined
def table_row(w: Ints, m: Ints, info: int, cell: int) -> int:
    """Return where the row of a piece on a cell begins."""
    side = info >> S.OWNER_SHIFT & 1
    status = 1 if info & S.MOVED else 0
    if info & (S.TOLD_SOUTH << (1 - side)):
        status = 2
    sort = ((side ^ m[B.VIEWER]) * w[B.NET_KINDS] + (info & S.KIND_MASK)) * STATUSES + status
    there = w[B.NET_TURN] - cell if m[B.VIEWER] != 0 else cell
    return B.NET_TABLE + (sort * CELLS + there) * w[B.NET_WIDTH]


@inlined
def _add_row(w: Ints, m: Ints, ply: int, row: int) -> None:
    base = B.ACCUMULATORS + ply * B.MAX_NET_WIDTH
    for i in range(w[B.NET_WIDTH]):
        m[base + i] += w[row + i]


@inlined
def _take_row(w: Ints, m: Ints, ply: int, row: int) -> None:
    base = B.ACCUMULATORS + ply * B.MAX_NET_WIDTH
    for i in range(w[B.NET_WIDTH]):
        m[base + i] -= w[row + i]


@kernel
def start_accumulators(w: Ints, m: Ints, s: Ints) -> None:
    """Compute the accumulator of the first row."""
    for i in range(w[B.NET_WIDTH]):
        m[B.ACCUMULATORS + i] = 0
    for piece in range(1, T.PIECES):
        cell = s[S.PIECE_CELL + piece]
        if cell != 0:
            _add_row(w, m, 0, table_row(w, m, s[S.PIECE_INFO + piece], cell))


@inlined
def copy_accumulators(w: Ints, m: Ints, ply: int) -> None:
    """Copy the accumulator of the ply before."""
    base = B.ACCUMULATORS + ply * B.MAX_NET_WIDTH
    for i in range(base, base + w[B.NET_WIDTH]):
        m[i] = m[i - B.MAX_NET_WIDTH]


@kernel
def update_accumulators(w: Ints, m: Ints, s: Ints, c: Ints, ply: int, ev: Ints, n: int) -> None:
    """Update the accumulator for what an action has changed from row ``s`` to ``c``."""
    copy_accumulators(w, m, ply)
    for i in range(0, n, E.WIDTH):
        piece = ev[i + 1]
        if piece == 0 or _was_named_before(ev, i, piece):
            continue
        before, after = s[S.PIECE_CELL + piece], c[S.PIECE_CELL + piece]
        if before == after and s[S.PIECE_INFO + piece] == c[S.PIECE_INFO + piece]:
            continue
        if before != 0:
            _take_row(w, m, ply, table_row(w, m, s[S.PIECE_INFO + piece], before))
        if after != 0:
            _add_row(w, m, ply, table_row(w, m, c[S.PIECE_INFO + piece], after))


@inlined
def _was_named_before(ev: Ints, i: int, piece: int) -> bool:
    """Return whether an earlier event of the same action names that piece."""
    times = 0
    for before in range(0, i, E.WIDTH):
        times += ev[before + 1] == piece
    return times > 0


@kernel
def correction(w: Ints, m: Ints, s: Ints, ply: int) -> int:
    """Return what the network adds to the score of a ply, for the viewer."""
    base = B.ACCUMULATORS + ply * B.MAX_NET_WIDTH
    bias = B.NET_BIAS if s[S.SIDE] == m[B.VIEWER] else B.NET_BIAS + B.MAX_NET_WIDTH
    total = (m[base] + w[bias]) * ONE
    for i in range(1, w[B.NET_WIDTH]):
        total += min(max(m[base + i] + w[bias + i], 0), ONE) * w[B.NET_OUT + i]
    return min(max(total >> _SHIFT, -MAX_CORRECTION), MAX_CORRECTION)
