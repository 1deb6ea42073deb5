"""The rival design: one tree over chances instead of many over imagined Worlds.

Fights with an enemy that the viewer has not been shown are chance nodes: one branch for each way they can
end, weighed by what the piece may be. An enemy that would lose does not attack. How hidden pieces *move* is
still taken from one guess at the whole army. It has no hash table, because values depend on chances.
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import rules
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.simulate import copy_row
from flagfall.engine.state import (
    KIND_MASK,
    PENDING,
    PHASE,
    PIECE_INFO,
    RESULT,
    SIDE,
    STATE_SIZE,
    TOLD_SOUTH,
    piece_on,
)
from flagfall.engine.tables import (
    ATTACKER_WINS,
    BOTH_LOST,
    IS_FLAG,
    KIND_FLAGS,
    MAX_KINDS,
    MELEE,
    outcome_at,
)
from flagfall.players.search.alpha_beta import MAX_EXCHANGE, bounded, count, mixed
from flagfall.players.search.buffers import ABORTED, DEEPEST, INFINITE, KILLERS, VIEWER
from flagfall.players.search.make_move import begin, descend, ending, standing
from flagfall.players.search.move_ordering import captures, is_fight, listed, pick, share_of

ONE: Final = 1024
"""certainty, in the table of chances"""
_ENDS: Final = 4
"""ways a fight can end: the attacker wins, both fall, the defender wins; a flag is taken"""


@inlined
def stranger(m: Ints, s: Ints, act: int) -> int:
    """The piece in a fight that the viewer has not been shown, or 0."""
    if not is_fight(s, act):
        return 0
    at = act & 255 if s[SIDE] == m[VIEWER] else act >> 8 & 255
    piece = piece_on(s, at)
    return 0 if s[PIECE_INFO + piece] & (TOLD_SOUTH << m[VIEWER]) else piece


@inlined
def end_of(t: Ints, s: Ints, act: int, piece: int, kind: int) -> int:
    """How a fight ends if the stranger is of that kind."""
    one = s[PIECE_INFO + piece_on(s, act >> 8 & 255)] & KIND_MASK
    other = s[PIECE_INFO + piece_on(s, act & 255)] & KIND_MASK
    if piece == piece_on(s, act & 255):
        if t[KIND_FLAGS + kind] & IS_FLAG:
            return 3
        other = kind
    else:
        one = kind
    outcome = t[outcome_at(s[PHASE], MELEE, one, other)]
    if outcome == ATTACKER_WINS:
        return 0
    return 1 if outcome == BOTH_LOST else 2


@kernel
def likeliest(t: Ints, p: Ints, s: Ints, act: int, piece: int, end: int) -> int:
    """Chance of that end, and the kind that stands for it, as ``chance * MAX_KINDS + kind``."""
    chance, best, found = 0, 0, 0
    for kind in range(MAX_KINDS):
        part = p[piece * MAX_KINDS + kind]
        if part > 0 and end_of(t, s, act, piece, kind) == end:
            chance += part
            if part > best:
                best, found = part, kind
    return chance * MAX_KINDS + found


@kernel
def foresee(
    t: Ints,
    w: Ints,
    m: Ints,
    p: Ints,
    rows: Ints,
    lists: Ints,
    order: Ints,
    out: Ints,
    ev: Ints,
    ply: int,
    depth: int,
    alpha: int,
    beta: int,
) -> int:
    """The value for the side to move at ``ply``; the best action at the root is left among the killers."""
    s = rows[ply * STATE_SIZE : (ply + 1) * STATE_SIZE]
    if s[RESULT] != 0:
        return ending(w, m, s, ply)
    stand = standing(t, w, m, s, ply)
    is_calm = depth <= 0 and s[PENDING] == 0
    if count(m) or ply >= DEEPEST or (is_calm and (stand >= beta or depth <= -MAX_EXCHANGE)):
        return stand
    if is_calm:
        n, best = captures(t, w, s, ply, depth < -1, lists, order), stand
    else:
        n, best = listed(t, w, m, s, ply, m[KILLERS + 2 * ply], lists, order), -INFINITE
    base = ply * rules.MAX_ACTIONS
    for at in range(base, base + n):
        act = pick(lists, order, at, base + n)
        piece = stranger(m, s, act)
        share = 16 if piece else share_of(t, w, m, s, act)
        if share == 0:
            continue
        total, weight = 0, 0
        for end in range(_ENDS if piece else 1):
            found = likeliest(t, p, s, act, piece, end) if piece else ONE * MAX_KINDS
            chance = found // MAX_KINDS
            if chance == 0:
                continue
            weight += chance
            if piece and end == 2 and s[SIDE] != m[VIEWER]:
                total += chance * stand
                continue
            info = s[PIECE_INFO + piece]
            if piece:
                s[PIECE_INFO + piece] = info & ~KIND_MASK | found % MAX_KINDS
            descend(t, w, m, rows, ply, act, out, ev)
            low = -INFINITE if piece or share < 16 else max(alpha, best)
            high = INFINITE if piece or share < 16 else beta
            if rows[(ply + 1) * STATE_SIZE + SIDE] == s[SIDE]:
                value = foresee(t, w, m, p, rows, lists, order, out, ev, ply + 1, depth, low, high)
            else:
                value = -foresee(t, w, m, p, rows, lists, order, out, ev, ply + 1, depth - 1, -high, -low)
            s[PIECE_INFO + piece] = info
            total += chance * (bounded(value) if piece else value)
        if m[ABORTED] != 0:
            return stand
        value = mixed(total // max(weight, 1), stand, share, INFINITE)
        if value > best:
            best = value
            m[KILLERS + 2 * ply] = act
        if best >= beta:
            break
    return best if best > -INFINITE else stand


@kernel
def look(
    t: Ints, w: Ints, m: Ints, p: Ints, world: Ints, rows: Ints, lists: Ints, order: Ints, out: Ints,
    ev: Ints, depth: int, widest: int,
) -> int:  # fmt: skip
    """Search from a World with these chances; the best action, or 0 if there was no time."""
    s = rows[0:STATE_SIZE]
    copy_row(world, s)
    begin(t, w, m, s)
    foresee(t, w, m, p, rows, lists, order, out, ev, depth - depth, depth, -widest, widest)
    return m[KILLERS] if m[ABORTED] == 0 else 0
