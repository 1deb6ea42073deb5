"""Memory: what both players were told of one game, folded from event rows in a kernel.

A State says who was shown a piece, but not what can be counted: which kinds of the enemy are accounted for,
what was lost without being shown, what came back. This row remembers it for both players at once. It reads an
event only for those in its audience, so nothing hidden can reach it; `observer.py` folds the same from
SeenEvents.

::

    per viewer   kinds of the enemy not yet known, known losses, losses without a name, hidden returns
    per piece    what the other army's player knows: the kind + 1, and marks
    per side     where its last turn began and ended
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import events as E
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.state import owner_of

# What every turn reads stands together at the beginning.
UNNAMED: Final = 0  # + viewer
RETURNS: Final = UNNAMED + 2  # + viewer
LAST_FROM: Final = RETURNS + 2  # + side
LAST_TO: Final = LAST_FROM + 2  # + side
IS_OPEN: Final = LAST_TO + 2  # the turn of the side to move has begun
TURNS: Final = IS_OPEN + 1
PLACED: Final = TURNS + 1  # pieces placed so far
PIECE: Final = PLACED + 1
NOT_KNOWN: Final = PIECE + T.PIECES  # + MAX_KINDS * viewer + kind
LOSSES: Final = NOT_KNOWN + 2 * T.MAX_KINDS  # + MAX_KINDS * viewer + kind
MEMORY_SIZE: Final = (LOSSES + 2 * T.MAX_KINDS + 31) // 32 * 32

KIND: Final = 63  # the kind + 1, if it was told
LOST: Final = 64
RETURNED: Final = 128


@kernel
def remember(s: Ints, m: Ints, mover: int, ev: Ints, length: int) -> None:
    """Fold the events of one action of ``mover``."""
    for at in range(0, length, E.WIDTH):
        what, piece = ev[at], ev[at + 1]
        if what == E.TURN:
            m[IS_OPEN] = 0
            m[TURNS] += 1
        elif what == E.MOVE or what == E.ATTACK or what == E.USE or what == E.SPOT:
            if piece != 0 and owner_of(s, piece) == mover:
                _note_way(m, mover, ev[at + 2], ev[at + 3])
        elif what == E.SHOWN:
            viewer = viewer_of(piece)
            if ev[at + 5] >> viewer & 1:
                _learn(m, viewer, piece, ev[at + 4])
        elif what == E.REMOVED:
            _lose(m, viewer_of(piece), piece)
        elif what == E.RESCUED:
            m[PIECE + piece] = RETURNED
            m[RETURNS + viewer_of(piece)] += 1


@inlined
def viewer_of(piece: int) -> int:
    """Return the side that does not know a piece at the start."""
    return 1 if piece <= T.ARMY else 0


@inlined
def _note_way(m: Ints, mover: int, origin: int, target: int) -> None:
    if m[IS_OPEN] == 0:
        m[IS_OPEN] = 1
        m[LAST_FROM + mover] = origin
        m[LAST_TO + mover] = target if target != 0 else origin
    elif target != 0:
        m[LAST_TO + mover] = target


@inlined
def _learn(m: Ints, viewer: int, piece: int, kind: int) -> None:
    """Note that a piece was shown: its kind is accounted for, unless it was lost and came back."""
    known = m[PIECE + piece]
    if known & KIND:
        return
    m[PIECE + piece] = known | (kind + 1)
    losses = LOSSES + T.MAX_KINDS * viewer + kind
    if known & RETURNED:
        m[RETURNS + viewer] -= 1
        if m[losses] > 0:
            m[losses] -= 1
            return
        m[UNNAMED + viewer] -= 1
    elif known & LOST:
        m[UNNAMED + viewer] -= 1
        m[losses] += 1
    m[NOT_KNOWN + T.MAX_KINDS * viewer + kind] -= 1


@inlined
def _lose(m: Ints, viewer: int, piece: int) -> None:
    known = m[PIECE + piece]
    m[PIECE + piece] = known | LOST
    if known & KIND:
        m[LOSSES + T.MAX_KINDS * viewer + (known & KIND) - 1] += 1
    elif known & RETURNED:
        m[RETURNS + viewer] -= 1
    else:
        m[UNNAMED + viewer] += 1


@inlined
def forget(m: Ints, g: Ints, orders: int, south: int, north: int) -> None:
    """Begin a new game: nothing is known; ``orders`` is where the kinds of both armies stand in ``g``."""
    for i in range(MEMORY_SIZE):
        m[i] = 0
    for i in range(south):
        m[NOT_KNOWN + T.MAX_KINDS + g[orders + i]] += 1
    for i in range(north):
        m[NOT_KNOWN + g[orders + south + i]] += 1
