"""Alpha-beta over one World, on the engine's own rows.

Values are for the side to move; in an open turn the same side moves again, so signs go by side, never by
ply. At depth 0 only captures are looked at, until nothing is left to take (`quiet`). Whoever attacks what it
has not been shown is taken to do so only as surely as it can know (`ordering.share_of`).

The compiler makes another copy of a function for every constant it is called with; so the large ones here are
never called with a constant.
"""

from __future__ import annotations

from typing import Final

from flagfall.board import CELLS
from flagfall.engine import action as A
from flagfall.engine import rules
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.simulate import copy_row
from flagfall.engine.state import PENDING, RESULT, SIDE, STATE_SIZE, TURN_HOW, TURN_PIECE
from flagfall.players.search.buffers import (
    ABORTED,
    CAP,
    DEEPEST,
    HASH,
    HASH_SLOTS,
    HISTORY,
    INFINITE,
    KEYS,
    KILLERS,
    LIMIT,
    NODES,
    PASSED,
    SCORES,
    SIDE_KEY,
    WIN,
)
from flagfall.players.search.make_move import begin, descend, ending, full_key, standing
from flagfall.players.search.move_ordering import (
    CAPTURE,
    CERTAIN,
    captures,
    is_aimed,
    is_walk,
    listed,
    most_of,
    pick,
    place_gain,
    share_of,
)

MAX_EXCHANGE: Final = 8
_EXACT: Final = 0
_AT_LEAST: Final = 1
_AT_MOST: Final = 2


@inlined
def count(m: Ints) -> bool:
    """One more node; whether the search has to stop."""
    m[NODES] += 1
    if m[NODES] >= m[LIMIT]:
        m[ABORTED] = 1
    return m[ABORTED] != 0


@inlined
def bounded(value: int) -> int:
    """A value as far as an uncertain win or loss counts."""
    return min(max(value, -CAP), CAP)


@inlined
def mixed(value: int, stand: int, share: int, most: int) -> int:
    """What an action is worth that is chosen only so surely: a part of what it gains, all that it loses.

    It gains ``most`` at most: what is found there in this World may not be hoped for in all of them.
    """
    if share == CERTAIN or value <= stand:
        return value
    return stand + min(max((bounded(value) - stand) * share // CERTAIN, 0), most)


@inlined
def unmixed(bound: int, stand: int, share: int, more: int) -> int:
    """The bound on a value before it is mixed; ``more`` rounds outwards."""
    if share == CERTAIN or bound <= stand:
        return bound
    inner = stand + (bound - stand) * CERTAIN // share + more
    return min(max(inner, -INFINITE), INFINITE)


@kernel
def quiet(
    t: Ints,
    w: Ints,
    m: Ints,
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
    """The value once every worthwhile capture has been made."""
    if count(m):
        return 0
    s = rows[ply * STATE_SIZE : (ply + 1) * STATE_SIZE]
    if s[RESULT] != 0:
        return ending(w, m, s, ply)
    stand = standing(t, w, m, s, ply)
    best = stand
    if s[PENDING] != 0:
        n = listed(t, w, m, s, ply, m[KILLERS + 2 * ply], lists, order)
        best = best if ply >= DEEPEST else -INFINITE
    elif best >= beta or depth <= -MAX_EXCHANGE or ply >= DEEPEST:
        return best
    else:
        n = captures(t, w, s, ply, depth < -1, lists, order)
    if ply >= DEEPEST:
        return best
    base = ply * rules.MAX_ACTIONS
    for at in range(base, base + n):
        act = pick(lists, order, at, base + n)
        share = share_of(t, w, m, s, act)
        most = most_of(t, w, m, s, act)
        if share == 0 or (share != CERTAIN and stand + most <= max(alpha, best)):
            continue
        low, high = unmixed(max(alpha, best), stand, share, -1), unmixed(beta, stand, share, 1)
        descend(t, w, m, rows, ply, act, out, ev)
        if rows[(ply + 1) * STATE_SIZE + SIDE] == s[SIDE]:
            value = quiet(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 1, low, high)
        else:
            value = -quiet(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 1, -high, -low)
        best = max(best, mixed(value, stand, share, most))
        if best >= beta or m[ABORTED] != 0:
            break
    return best if best > -INFINITE else stand


@inlined
def probe(m: Ints, key: int, depth: int, alpha: int, beta: int) -> int:
    """A value from the hash table that settles the matter, or INFINITE."""
    slot = HASH + 2 * (key & (HASH_SLOTS - 1))
    if m[slot] != key:
        return INFINITE
    entry = m[slot + 1]
    value, sort = (entry >> 8 & 0xFFFF) - 32768, entry & 3
    if entry >> 2 & 63 < depth:
        return INFINITE
    if sort == _EXACT or (sort == _AT_LEAST and value >= beta) or (sort == _AT_MOST and value <= alpha):
        return value
    return INFINITE


@inlined
def hash_move(m: Ints, key: int) -> int:
    """The action that was best here before, or 0."""
    slot = HASH + 2 * (key & (HASH_SLOTS - 1))
    return m[slot + 1] >> 24 if m[slot] == key else 0


@inlined
def keep(m: Ints, key: int, depth: int, value: int, act: int, alpha: int, beta: int) -> None:
    """Remember what was found."""
    sort = _AT_LEAST if value >= beta else (_AT_MOST if value <= alpha else _EXACT)
    slot = HASH + 2 * (key & (HASH_SLOTS - 1))
    m[slot] = key
    m[slot + 1] = act << 24 | (value + 32768) << 8 | min(max(depth, 0), 63) << 2 | sort


@inlined
def reward(m: Ints, s: Ints, ply: int, depth: int, act: int) -> None:
    """A quiet action that refuted: try it early elsewhere."""
    if not is_walk(s, act):
        return
    if m[KILLERS + 2 * ply] != act:
        m[KILLERS + 2 * ply + 1] = m[KILLERS + 2 * ply]
        m[KILLERS + 2 * ply] = act
    place = HISTORY + (act >> 8 & 255) * CELLS + (act & 255)
    m[place] = min(m[place] + depth * depth, 4000)


@kernel
def pass_turn(m: Ints, rows: Ints, ply: int) -> None:
    """The next row is this one with the other side to move."""
    s = rows[ply * STATE_SIZE : (ply + 1) * STATE_SIZE]
    c = rows[(ply + 1) * STATE_SIZE : (ply + 2) * STATE_SIZE]
    copy_row(s, c)
    c[SIDE] = 1 - s[SIDE]
    c[TURN_PIECE] = 0
    c[TURN_HOW] = 0
    m[SCORES + ply + 1] = m[SCORES + ply]
    m[KEYS + ply + 1] = m[KEYS + ply] ^ m[SIDE_KEY]
    m[PASSED + ply + 1] = 1


@inlined
def is_hopeless(
    w: Ints, s: Ints, act: int, rank: int, depth: int, tried: int, stand: int, alpha: int
) -> bool:
    """Whether a quiet action near the leaves need not be tried: it cannot help, or comes late in the list."""
    if rank >= CAPTURE or s[PENDING] != 0 or depth > 2:
        return False
    verb, gain = act >> 24, 0
    if is_walk(s, act):
        gain = place_gain(w, s, act)
    elif verb == A.ADVANCE:
        gain = rank // 16
    elif verb != A.DETECT and not is_aimed(act):
        return False
    return stand + gain <= alpha if depth == 1 else tried > 12


@kernel
def node(
    t: Ints,
    w: Ints,
    m: Ints,
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
    """The value of the row at ``ply``, looked at ``depth`` turns deep."""
    s = rows[ply * STATE_SIZE : (ply + 1) * STATE_SIZE]
    is_open = s[PENDING] != 0
    if s[RESULT] != 0 or ply >= DEEPEST or (depth <= 0 and not is_open):
        return quiet(t, w, m, rows, lists, order, out, ev, ply, depth, alpha, beta)
    if count(m):
        return 0
    key, stand = full_key(t, m, s, ply), standing(t, w, m, s, ply)
    best = probe(m, key, depth, alpha, beta)
    if best != INFINITE:
        return best
    if m[PASSED + ply] == 0 and not is_open and stand >= beta and beta < WIN - 100:
        pass_turn(m, rows, ply)
        best = -node(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 3, -beta, 1 - beta)
        if best >= beta or m[ABORTED] != 0:
            return best
    n = listed(t, w, m, s, ply, hash_move(m, key), lists, order)
    base, best, best_act, tried, first_alpha = ply * rules.MAX_ACTIONS, -INFINITE, 0, 0, alpha
    for at in range(base, base + n):
        act = pick(lists, order, at, base + n)
        share = share_of(t, w, m, s, act)
        if share == 0 or (tried > 0 and is_hopeless(w, s, act, order[at], depth, tried, stand, alpha)):
            continue
        most = most_of(t, w, m, s, act)
        if tried > 0 and share != CERTAIN and stand + most <= alpha:
            continue
        tried += 1
        low, high = unmixed(alpha, stand, share, -1), unmixed(beta, stand, share, 1)
        descend(t, w, m, rows, ply, act, out, ev)
        less = 1
        if tried > 3 and depth > 2 and order[at] < CAPTURE:
            less = 3 if depth > 4 and tried > 12 else 2
        if rows[(ply + 1) * STATE_SIZE + SIDE] == s[SIDE]:
            far, top = depth + 1 - less, low + 1 if tried > 1 else high
            value = node(t, w, m, rows, lists, order, out, ev, ply + 1, far, low, top)
            if tried > 1 and m[ABORTED] == 0 and value > low and (less > 1 or value < high):
                value = node(t, w, m, rows, lists, order, out, ev, ply + 1, depth, low, high)
        elif tried == 1:
            value = -node(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 1, -high, -low)
        else:
            value = -node(t, w, m, rows, lists, order, out, ev, ply + 1, depth - less, -low - 1, -low)
            if m[ABORTED] == 0 and value > low and (less > 1 or value < high):
                value = -node(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 1, -high, -low)
        if m[ABORTED] != 0:
            return 0
        value = mixed(value, stand, share, most)
        if value > best:
            best, best_act = value, act
            alpha = max(alpha, value)
            if alpha >= beta:
                reward(m, s, ply, depth, act)
                break
    best = best if best > -INFINITE else stand
    keep(m, key, depth, best, best_act, first_alpha, beta)
    return best


@kernel
def weigh(
    t: Ints,
    w: Ints,
    m: Ints,
    world: Ints,
    rows: Ints,
    lists: Ints,
    order: Ints,
    out: Ints,
    ev: Ints,
    acts: Ints,
    values: Ints,
    n: int,
    depth: int,
    margin: int,
) -> int:
    """Value for the mover of each of ``n`` actions in one World; how many were weighed in time.

    Values that fall short of the best by more than ``margin`` are bounds, not exact.
    """
    s = rows[0:STATE_SIZE]
    copy_row(world, s)
    begin(t, w, m, s)
    one, lowest = min(n, 1), -INFINITE
    best = lowest
    for at in range(n):
        descend(t, w, m, rows, one - 1, acts[at], out, ev)
        low = max(best - margin, lowest)
        if rows[STATE_SIZE + SIDE] == s[SIDE]:
            value = node(t, w, m, rows, lists, order, out, ev, one, depth, low, -lowest)
        else:
            value = -node(t, w, m, rows, lists, order, out, ev, one, depth - 1, lowest, -low)
        if m[ABORTED] != 0:
            return at
        values[at] = value
        best = max(best, value)
    return n
