"""One step down the tree: play an action on the next row, and keep score and key by what happened."""

from __future__ import annotations

from typing import Final

from flagfall.board import CELLS
from flagfall.engine import events as E
from flagfall.engine import rules
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.simulate import copy_row
from flagfall.engine.state import (
    DRAW,
    KIND_MASK,
    LAST_COUNT,
    LAST_FROM,
    OWNER_SHIFT,
    PENDING,
    PENDING_CELL,
    PENDING_KIND,
    PENDING_LIST,
    PHASE,
    PIECE_CELL,
    PIECE_INFO,
    RESULT,
    SIDE,
    SOUTH_WINS,
    STATE_SIZE,
    TOLD_SOUTH,
)
from flagfall.engine.tables import MAX_KINDS, PIECES
from flagfall.players.search.buffers import (
    ARRIVED,
    AT_STAKE,
    DRAWN,
    HIDE,
    KEYS,
    LOST_BEARER,
    PASSED,
    PIECE_KEYS,
    PLACE,
    SALT,
    SCORES,
    SIDE_KEY,
    TOLD_KEYS,
    VIEWER,
    WIN,
    WORTH,
)
from flagfall.players.search.flag_threat import LOST, alarm

_MASK: Final = (1 << 62) - 1


@inlined
def value_of(w: Ints, side: int, kind: int, cell: int, is_told: bool) -> int:
    """What a piece on a square is worth to its owner."""
    at = side * MAX_KINDS + kind
    value = w[WORTH + at] + w[PLACE + at * CELLS + cell]
    return value if is_told else value + w[HIDE + at]


@kernel
def begin(t: Ints, w: Ints, m: Ints, s: Ints) -> None:
    """Score and key of the first row, from scratch."""
    score, key = 0, m[SALT]
    for piece in range(1, PIECES):
        cell = s[PIECE_CELL + piece]
        if cell != 0:
            info = s[PIECE_INFO + piece]
            side = info >> OWNER_SHIFT & 1
            is_told = info & (TOLD_SOUTH << (1 - side)) != 0
            value = value_of(w, side, info & KIND_MASK, cell, is_told)
            score += value if side == m[VIEWER] else -value
            key ^= m[PIECE_KEYS + piece * CELLS + cell]
            if is_told:
                key ^= m[TOLD_KEYS + piece]
    m[SCORES] = score
    m[KEYS] = key


@kernel
def descend(t: Ints, w: Ints, m: Ints, rows: Ints, ply: int, act: int, out: Ints, ev: Ints) -> None:
    """Play ``act`` on the row of the next ply."""
    s = rows[ply * STATE_SIZE : (ply + 1) * STATE_SIZE]
    c = rows[(ply + 1) * STATE_SIZE : (ply + 2) * STATE_SIZE]
    copy_row(s, c)
    n = rules.apply(t, c, act & 0x7FFFFFFF, out, ev)
    m[PASSED + ply + 1] = 0
    m[SCORES + ply + 1] = m[SCORES + ply]
    m[KEYS + ply + 1] = m[KEYS + ply]
    for at in range(0, n, E.WIDTH):
        if ev[at] == E.MOVE:
            _moved(w, m, c, ply + 1, ev[at + 1], ev[at + 2], ev[at + 3])
        elif ev[at] == E.REMOVED:
            _left(w, m, c, ply + 1, ev[at + 1], ev[at + 2])
        elif ev[at] == E.SHOWN and not _was_shown(ev, at):
            _shown(w, m, s, c, ply + 1, ev[at + 1])
        elif ev[at] >= E.RESCUED and ev[at] != E.TURN:
            _rare(w, m, c, ply + 1, ev[at], ev[at + 1], ev[at + 3], ev[at + 4])
    if c[SIDE] != s[SIDE]:
        m[KEYS + ply + 1] ^= m[SIDE_KEY]


@inlined
def _add(m: Ints, ply: int, side: int, value: int) -> None:
    m[SCORES + ply] += value if side == m[VIEWER] else -value


@inlined
def _moved(w: Ints, m: Ints, c: Ints, ply: int, piece: int, origin: int, target: int) -> None:
    info = c[PIECE_INFO + piece]
    side = info >> OWNER_SHIFT & 1
    at = PLACE + (side * MAX_KINDS + (info & KIND_MASK)) * CELLS
    _add(m, ply, side, w[at + target] - w[at + origin])
    m[KEYS + ply] ^= m[PIECE_KEYS + piece * CELLS + origin] ^ m[PIECE_KEYS + piece * CELLS + target]


@inlined
def _left(w: Ints, m: Ints, c: Ints, ply: int, piece: int, cell: int) -> None:
    info = c[PIECE_INFO + piece]
    side = info >> OWNER_SHIFT & 1
    is_told = info & (TOLD_SOUTH << (1 - side)) != 0
    _add(m, ply, side, -value_of(w, side, info & KIND_MASK, cell, is_told))
    m[KEYS + ply] ^= m[PIECE_KEYS + piece * CELLS + cell]


@inlined
def _was_shown(ev: Ints, at: int) -> bool:
    """Whether the same action has shown that piece before."""
    times = 0
    for before in range(0, at, E.WIDTH):
        times += ev[before] == E.SHOWN and ev[before + 1] == ev[at + 1]
    return times > 0


@inlined
def _shown(w: Ints, m: Ints, s: Ints, c: Ints, ply: int, piece: int) -> None:
    """The secret of a piece is gone."""
    before, after = s[PIECE_INFO + piece], c[PIECE_INFO + piece]
    side = before >> OWNER_SHIFT & 1
    mark = TOLD_SOUTH << (1 - side)
    if before & mark == 0 and after & mark:
        _add(m, ply, side, -w[HIDE + side * MAX_KINDS + (before & KIND_MASK)])
        m[KEYS + ply] ^= m[TOLD_KEYS + piece]


@kernel
def _rare(w: Ints, m: Ints, c: Ints, ply: int, what: int, piece: int, target: int, value: int) -> None:
    """Somebody comes back, changes sides, or other numbers are in force."""
    info = c[PIECE_INFO + piece]
    side, kind = info >> OWNER_SHIFT & 1, info & KIND_MASK
    if what == E.RESCUED:
        _add(m, ply, side, value_of(w, side, kind, target, False))
        m[KEYS + ply] ^= m[PIECE_KEYS + piece * CELLS + target]
    elif what == E.CONVERT:
        _add(m, ply, 1 - side, -value_of(w, 1 - side, kind, target, True))
        _add(m, ply, side, value_of(w, side, kind, target, True))
        m[KEYS + ply] ^= m[TOLD_KEYS + piece] + value & _MASK
    elif what == E.PHASE:
        _add(m, ply, side, w[ARRIVED + side] if value > 1 else -w[LOST_BEARER + side])


@inlined
def standing(t: Ints, w: Ints, m: Ints, s: Ints, ply: int) -> int:
    """The score for the side to move; an intruder whom nobody stops also takes what the viewer is ahead."""
    score = m[SCORES + ply]
    score -= alarm(t, w, m, s) * (w[AT_STAKE] + max(score, 0)) // LOST
    return score if s[SIDE] == m[VIEWER] else -score


@inlined
def ending(w: Ints, m: Ints, s: Ints, ply: int) -> int:
    """Value of a finished game for the side that the row says is to move; sooner is stronger."""
    if s[RESULT] == DRAW:
        return w[DRAWN] if s[SIDE] == m[VIEWER] else -w[DRAWN]
    return WIN - ply if s[RESULT] - SOUTH_WINS == s[SIDE] else ply - WIN


@inlined
def full_key(t: Ints, m: Ints, s: Ints, ply: int) -> int:
    """The key with what else matters: the open turn, the regime, the memory of the two-square rule."""
    key = m[KEYS + ply]
    if s[PENDING] != 0:
        asked = ((s[PENDING] * 131 + s[PENDING_CELL]) * 257 + s[PENDING_KIND]) * 1031 + (
            s[PENDING_LIST] & 0xFFFF
        )
        key ^= asked * 0x9E3779B97F4A7 & _MASK
    if s[LAST_COUNT + s[SIDE]] > 1:
        key ^= (s[LAST_FROM + s[SIDE]] + 3) * 0x1B873593CC9E2D & _MASK
    return key ^ (s[PHASE] << 50)
