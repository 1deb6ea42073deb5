"""Play an action on the row of the next ply, update score and key from its events, and evaluate the row.

The static evaluation includes the threat to the viewer's flag. Tables give the steps of each enemy kind from
each cell to the flag, through pieces it can take. A guard stops an intruder if it wins or trades against it
and reaches a cell next to its path in time; a guard behind it is too late. A network may correct the result
(`leaf_net`).
"""

from __future__ import annotations

from typing import Final

from flagfall.board import CELLS
from flagfall.engine import events as E
from flagfall.engine import rules
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.simulate import copy_row
from flagfall.players.search import buffers as B
from flagfall.players.search.leaf_net import correction, start_accumulators, update_accumulators

_MASK: Final = (1 << 62) - 1


@inlined
def piece_value(w: Ints, side: int, kind: int, cell: int, is_told: bool) -> int:
    """Return what a piece on a cell is worth to its owner."""
    i = side * T.MAX_KINDS + kind
    value = w[B.PIECE_VALUE + i] + w[B.SQUARE_VALUE + i * CELLS + cell]
    return value if is_told else value + w[B.SECRET_VALUE + i]


@kernel
def set_root(t: Ints, w: Ints, m: Ints, s: Ints) -> None:
    """Compute score and key of the first row."""
    score, key = 0, m[B.SALT]
    for piece in range(1, T.PIECES):
        cell = s[S.PIECE_CELL + piece]
        if cell != 0:
            info = s[S.PIECE_INFO + piece]
            side = info >> S.OWNER_SHIFT & 1
            is_told = info & (S.TOLD_SOUTH << (1 - side)) != 0
            value = piece_value(w, side, info & S.KIND_MASK, cell, is_told)
            score += value if side == m[B.VIEWER] else -value
            key ^= m[B.PIECE_KEYS + piece * CELLS + cell]
            if is_told:
                key ^= m[B.TOLD_KEYS + piece]
    m[B.SCORES] = score
    m[B.KEYS] = key
    if w[B.NET_WIDTH] != 0:
        start_accumulators(w, m, s)


@kernel
def make_move(t: Ints, w: Ints, m: Ints, rows: Ints, ply: int, act: int, out: Ints, ev: Ints) -> None:
    """Play ``act`` on the row of the next ply."""
    s = rows[ply * S.STATE_SIZE : (ply + 1) * S.STATE_SIZE]
    c = rows[(ply + 1) * S.STATE_SIZE : (ply + 2) * S.STATE_SIZE]
    copy_row(s, c)
    n = rules.apply(t, c, act & 0x7FFFFFFF, out, ev)
    m[B.NULL_MOVED + ply + 1] = 0
    m[B.SCORES + ply + 1] = m[B.SCORES + ply]
    m[B.KEYS + ply + 1] = m[B.KEYS + ply]
    for i in range(0, n, E.WIDTH):
        if ev[i] == E.MOVE:
            _on_move(w, m, c, ply + 1, ev[i + 1], ev[i + 2], ev[i + 3])
        elif ev[i] == E.REMOVED:
            _on_removed(w, m, c, ply + 1, ev[i + 1], ev[i + 2])
        elif ev[i] == E.SHOWN and not _was_shown_before(ev, i):
            _on_shown(w, m, s, c, ply + 1, ev[i + 1])
        elif ev[i] >= E.RESCUED and ev[i] != E.TURN:
            _on_rare_event(w, m, c, ply + 1, ev[i], ev[i + 1], ev[i + 3], ev[i + 4])
    if c[S.SIDE] != s[S.SIDE]:
        m[B.KEYS + ply + 1] ^= m[B.SIDE_KEY]
    if w[B.NET_WIDTH] != 0:
        update_accumulators(w, m, s, c, ply + 1, ev, n)


@inlined
def _add(m: Ints, ply: int, side: int, value: int) -> None:
    m[B.SCORES + ply] += value if side == m[B.VIEWER] else -value


@inlined
def _on_move(w: Ints, m: Ints, c: Ints, ply: int, piece: int, origin: int, target: int) -> None:
    info = c[S.PIECE_INFO + piece]
    side = info >> S.OWNER_SHIFT & 1
    i = B.SQUARE_VALUE + (side * T.MAX_KINDS + (info & S.KIND_MASK)) * CELLS
    _add(m, ply, side, w[i + target] - w[i + origin])
    m[B.KEYS + ply] ^= m[B.PIECE_KEYS + piece * CELLS + origin] ^ m[B.PIECE_KEYS + piece * CELLS + target]


@inlined
def _on_removed(w: Ints, m: Ints, c: Ints, ply: int, piece: int, cell: int) -> None:
    info = c[S.PIECE_INFO + piece]
    side = info >> S.OWNER_SHIFT & 1
    is_told = info & (S.TOLD_SOUTH << (1 - side)) != 0
    _add(m, ply, side, -piece_value(w, side, info & S.KIND_MASK, cell, is_told))
    m[B.KEYS + ply] ^= m[B.PIECE_KEYS + piece * CELLS + cell]


@inlined
def _was_shown_before(ev: Ints, i: int) -> bool:
    """Return whether the same action has already shown that piece."""
    times = 0
    for before in range(0, i, E.WIDTH):
        times += ev[before] == E.SHOWN and ev[before + 1] == ev[i + 1]
    return times > 0


@inlined
def _on_shown(w: Ints, m: Ints, s: Ints, c: Ints, ply: int, piece: int) -> None:
    """Update the score for a piece that is no longer hidden."""
    before, after = s[S.PIECE_INFO + piece], c[S.PIECE_INFO + piece]
    side = before >> S.OWNER_SHIFT & 1
    mark = S.TOLD_SOUTH << (1 - side)
    if before & mark == 0 and after & mark:
        _add(m, ply, side, -w[B.SECRET_VALUE + side * T.MAX_KINDS + (before & S.KIND_MASK)])
        m[B.KEYS + ply] ^= m[B.TOLD_KEYS + piece]


@kernel
def _on_rare_event(
    w: Ints, m: Ints, c: Ints, ply: int, what: int, piece: int, target: int, value: int
) -> None:
    """Update the score after a rescue, a conversion or a change of phase."""
    info = c[S.PIECE_INFO + piece]
    side, kind = info >> S.OWNER_SHIFT & 1, info & S.KIND_MASK
    if what == E.RESCUED:
        _add(m, ply, side, piece_value(w, side, kind, target, False))
        m[B.KEYS + ply] ^= m[B.PIECE_KEYS + piece * CELLS + target]
    elif what == E.CONVERT:
        _add(m, ply, 1 - side, -piece_value(w, 1 - side, kind, target, True))
        _add(m, ply, side, piece_value(w, side, kind, target, True))
        m[B.KEYS + ply] ^= m[B.TOLD_KEYS + piece] + value & _MASK
    elif what == E.PHASE:
        _add(m, ply, side, w[B.ARRIVED + side] if value > 1 else -w[B.LOST_BEARER + side])


@kernel
def flag_threat(t: Ints, w: Ints, m: Ints, s: Ints) -> int:
    """Return how far intruders near its flag have won against the viewer, in parts of `B.CERTAIN_LOSS`."""
    viewer = m[B.VIEWER]
    turn = 1 if s[S.SIDE] == viewer else 0
    cost = 0
    for piece in range(1, T.PIECES):
        cell = s[S.PIECE_CELL + piece]
        if cell == 0:
            continue
        info = s[S.PIECE_INFO + piece]
        if info >> S.OWNER_SHIFT & 1 == viewer:
            continue
        i = (info & S.KIND_MASK) * CELLS + cell
        steps = w[B.FLAG_DISTANCE + i]
        if steps < B.THREAT_RANGE:
            late = _lateness(t, w, s, viewer, info & S.KIND_MASK, cell) - turn
            share = w[B.LATE_SHARE + min(max(late, 0), B.LATE_RANGE - 1)]
            cost += w[B.THREAT + steps] * share // B.CERTAIN_LOSS
    return min(cost, B.CERTAIN_LOSS)


@kernel
def _lateness(t: Ints, w: Ints, s: Ints, viewer: int, kind: int, intruder: int) -> int:
    """Return by how many turns the best guard is too late, if the intruder moves first."""
    lowest = 99
    base = B.LATENESS + (w[B.PATH_CLASS + kind] * CELLS + intruder) * CELLS
    for piece in range(1, T.PIECES):
        cell = s[S.PIECE_CELL + piece]
        if cell == 0 or w[base + cell] >= lowest:
            continue
        info = s[S.PIECE_INFO + piece]
        if info >> S.OWNER_SHIFT & 1 != viewer or t[T.KIND_FLAGS + (info & S.KIND_MASK)] & T.MOBILE == 0:
            continue
        outcome = t[T.outcome_at(s[S.PHASE], T.MELEE, info & S.KIND_MASK, kind)]
        if outcome in (T.ATTACKER_WINS, T.BOTH_LOST):
            lowest = w[base + cell]
            if lowest <= 0:
                return lowest
    return lowest


@inlined
def static_eval(t: Ints, w: Ints, m: Ints, s: Ints, ply: int) -> int:
    """Return the score for the side to move; an unstopped intruder costs a share of the lead too."""
    score = m[B.SCORES + ply]
    cost = w[B.THREAT_COST] + max(score, 0) * w[B.LEAD_AT_RISK] // B.CERTAIN_LOSS
    score -= flag_threat(t, w, m, s) * cost // B.CERTAIN_LOSS
    if w[B.NET_WIDTH] != 0:
        score += correction(w, m, s, ply)
    return score if s[S.SIDE] == m[B.VIEWER] else -score


@kernel
def evaluate_row(t: Ints, w: Ints, m: Ints, s: Ints) -> int:
    """Return the static evaluation of a row for the viewer."""
    set_root(t, w, m, s)
    value = static_eval(t, w, m, s, 0)
    return value if s[S.SIDE] == m[B.VIEWER] else -value


@inlined
def terminal_value(w: Ints, m: Ints, s: Ints, ply: int) -> int:
    """Return the value of a finished game for the side to move; an earlier win is worth more."""
    if s[S.RESULT] == S.DRAW:
        return w[B.DRAW_VALUE] if s[S.SIDE] == m[B.VIEWER] else -w[B.DRAW_VALUE]
    return B.WIN - ply if s[S.RESULT] - S.SOUTH_WINS == s[S.SIDE] else ply - B.WIN


@inlined
def position_key(t: Ints, m: Ints, s: Ints, ply: int) -> int:
    """Return the key including the open turn, the phase and the two-square memory."""
    key = m[B.KEYS + ply]
    if s[S.PENDING] != 0:
        asked = ((s[S.PENDING] * 131 + s[S.PENDING_CELL]) * 257 + s[S.PENDING_KIND]) * 1031 + (
            s[S.PENDING_LIST] & 0xFFFF
        )
        key ^= asked * 0x9E3779B97F4A7 & _MASK
    if s[S.LAST_COUNT + s[S.SIDE]] > 1:
        key ^= (s[S.LAST_FROM + s[S.SIDE]] + 3) * 0x1B873593CC9E2D & _MASK
    return key ^ (s[S.PHASE] << 50)
