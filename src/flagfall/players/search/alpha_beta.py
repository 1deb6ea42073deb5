"""Alpha-beta search of one World, on the engine's own State rows.

Values are for the side to move. In an open turn the same side moves again, so the sign follows the side, not
the ply. At depth 0 `quiescence` searches captures only. A side that attacks a piece it has not been shown is
assumed to do so with the probability its own knowledge gives (`move_ordering.choice_probability`).

Numba compiles another copy of a function for every constant argument, so the large functions here are never
called with a constant.
"""

from __future__ import annotations

from typing import Final

from flagfall.board import CELLS
from flagfall.engine import action as A
from flagfall.engine import rules
from flagfall.engine import state as S
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.simulate import copy_row
from flagfall.players.search import buffers as B
from flagfall.players.search import move_ordering as O
from flagfall.players.search.leaf_net import copy_accumulators
from flagfall.players.search.make_move import make_move, position_key, set_root, static_eval, terminal_value

MAX_EXCHANGE: Final = 8
_EXACT: Final = 0
_LOWER: Final = 1
_UPPER: Final = 2


@inlined
def count_node(m: Ints) -> bool:
    """Count a node and return whether the search has to stop."""
    m[B.NODES] += 1
    if m[B.NODES] >= m[B.LIMIT]:
        m[B.ABORTED] = 1
    return m[B.ABORTED] != 0


@inlined
def capped(value: int) -> int:
    """Return a value limited to what an uncertain win or loss counts."""
    return min(max(value, -B.MAX_UNCERTAIN), B.MAX_UNCERTAIN)


@inlined
def discounted(value: int, static: int, probability: int, cap: int) -> int:
    """Return the value of an action that is chosen with some probability only.

    That share of its gain counts, at most ``cap``, but all of its loss. The cap keeps what is true in one
    World from being expected in all of them.
    """
    if probability == O.CERTAIN or value <= static:
        return value
    return static + min(max((capped(value) - static) * probability // O.CERTAIN, 0), cap)


@inlined
def undiscounted(bound: int, static: int, probability: int, more: int) -> int:
    """Return the bound before `discounted`; ``more`` rounds it outwards."""
    if probability == O.CERTAIN or bound <= static:
        return bound
    inner = static + (bound - static) * O.CERTAIN // probability + more
    return min(max(inner, -B.INFINITE), B.INFINITE)


@kernel
def quiescence(
    t: Ints, w: Ints, m: Ints, rows: Ints, lists: Ints, order: Ints, out: Ints, ev: Ints, ply: int,
    depth: int, alpha: int, beta: int,
) -> int:  # fmt: skip
    """Return the value after all worthwhile captures."""
    if count_node(m):
        return 0
    s = rows[ply * S.STATE_SIZE : (ply + 1) * S.STATE_SIZE]
    if s[S.RESULT] != 0:
        return terminal_value(w, m, s, ply)
    static = static_eval(t, w, m, s, ply)
    best = static
    if s[S.PENDING] != 0:
        n = O.generate(t, w, m, s, ply, m[B.KILLERS + 2 * ply], lists, order)
        best = best if ply >= B.MAX_PLY else -B.INFINITE
    elif best >= beta or depth <= -MAX_EXCHANGE or ply >= B.MAX_PLY:
        return best
    else:
        n = O.generate_captures(t, w, s, ply, depth < -1, lists, order)
    if ply >= B.MAX_PLY:
        return best
    base = ply * rules.MAX_ACTIONS
    for i in range(base, base + n):
        act = O.pick_best(lists, order, i, base + n)
        probability = O.choice_probability(t, w, m, s, act)
        cap = O.max_gain(t, w, m, s, act)
        if probability == 0 or (probability != O.CERTAIN and static + cap <= max(alpha, best)):
            continue
        low = undiscounted(max(alpha, best), static, probability, -1)
        high = undiscounted(beta, static, probability, 1)
        make_move(t, w, m, rows, ply, act, out, ev)
        if rows[(ply + 1) * S.STATE_SIZE + S.SIDE] == s[S.SIDE]:
            value = quiescence(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 1, low, high)
        else:
            value = -quiescence(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 1, -high, -low)
        best = max(best, discounted(value, static, probability, cap))
        if best >= beta or m[B.ABORTED] != 0:
            break
    return best if best > -B.INFINITE else static


@inlined
def tt_probe(m: Ints, key: int, depth: int, alpha: int, beta: int) -> int:
    """Return a stored value that causes a cutoff, or INFINITE."""
    slot = B.TT + 2 * (key & (B.TT_SLOTS - 1))
    if m[slot] != key:
        return B.INFINITE
    entry = m[slot + 1]
    value, bound = (entry >> 8 & 0xFFFF) - 32768, entry & 3
    if entry >> 2 & 63 < depth:
        return B.INFINITE
    if bound == _EXACT or (bound == _LOWER and value >= beta) or (bound == _UPPER and value <= alpha):
        return value
    return B.INFINITE


@inlined
def tt_move(m: Ints, key: int) -> int:
    """Return the stored best action, or 0."""
    slot = B.TT + 2 * (key & (B.TT_SLOTS - 1))
    return m[slot + 1] >> 24 if m[slot] == key else 0


@inlined
def tt_store(m: Ints, key: int, depth: int, value: int, act: int, alpha: int, beta: int) -> None:
    """Store a search result."""
    bound = _LOWER if value >= beta else (_UPPER if value <= alpha else _EXACT)
    slot = B.TT + 2 * (key & (B.TT_SLOTS - 1))
    m[slot] = key
    m[slot + 1] = act << 24 | (value + 32768) << 8 | min(max(depth, 0), 63) << 2 | bound


@inlined
def update_history(m: Ints, s: Ints, ply: int, depth: int, act: int) -> None:
    """Update killers and history after a quiet action has caused a cutoff."""
    if not O.is_quiet_move(s, act):
        return
    if m[B.KILLERS + 2 * ply] != act:
        m[B.KILLERS + 2 * ply + 1] = m[B.KILLERS + 2 * ply]
        m[B.KILLERS + 2 * ply] = act
    place = B.HISTORY + (act >> 8 & 255) * CELLS + (act & 255)
    m[place] = min(m[place] + depth * depth, 4000)


@kernel
def null_move(w: Ints, m: Ints, rows: Ints, ply: int) -> None:
    """Write the same row with the other side to move at the next ply."""
    s = rows[ply * S.STATE_SIZE : (ply + 1) * S.STATE_SIZE]
    c = rows[(ply + 1) * S.STATE_SIZE : (ply + 2) * S.STATE_SIZE]
    copy_row(s, c)
    c[S.SIDE] = 1 - s[S.SIDE]
    c[S.TURN_PIECE] = 0
    c[S.TURN_HOW] = 0
    m[B.SCORES + ply + 1] = m[B.SCORES + ply]
    m[B.KEYS + ply + 1] = m[B.KEYS + ply] ^ m[B.SIDE_KEY]
    m[B.NULL_MOVED + ply + 1] = 1
    if w[B.NET_WIDTH] != 0:
        copy_accumulators(w, m, ply + 1)


@inlined
def is_futile(w: Ints, s: Ints, act: int, rank: int, depth: int, tried: int, static: int, alpha: int) -> bool:
    """Return whether a quiet action near the leaves can be pruned: futile, or late in the list."""
    if rank >= O.CAPTURE or s[S.PENDING] != 0 or depth > 2:
        return False
    verb, gain = act >> 24, 0
    if O.is_quiet_move(s, act):
        gain = O.square_gain(w, s, act)
    elif verb == A.ADVANCE:
        gain = rank // 16
    elif verb != A.DETECT and not O.is_ranged(act):
        return False
    return static + gain <= alpha if depth == 1 else tried > 12


@kernel
def alpha_beta(
    t: Ints, w: Ints, m: Ints, rows: Ints, lists: Ints, order: Ints, out: Ints, ev: Ints, ply: int,
    depth: int, alpha: int, beta: int,
) -> int:  # fmt: skip
    """Return the value of the row at ``ply``, searched ``depth`` turns deep."""
    s = rows[ply * S.STATE_SIZE : (ply + 1) * S.STATE_SIZE]
    is_open = s[S.PENDING] != 0
    if s[S.RESULT] != 0 or ply >= B.MAX_PLY or (depth <= 0 and not is_open):
        return quiescence(t, w, m, rows, lists, order, out, ev, ply, depth, alpha, beta)
    if count_node(m):
        return 0
    key, static = position_key(t, m, s, ply), static_eval(t, w, m, s, ply)
    best = tt_probe(m, key, depth, alpha, beta)
    if best != B.INFINITE:
        return best
    if m[B.NULL_MOVED + ply] == 0 and not is_open and static >= beta and beta < B.WIN - 100:
        null_move(w, m, rows, ply)
        best = -alpha_beta(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 3, -beta, 1 - beta)
        if best >= beta or m[B.ABORTED] != 0:
            return best
    n = O.generate(t, w, m, s, ply, tt_move(m, key), lists, order)
    base, best, best_act, tried, first_alpha = ply * rules.MAX_ACTIONS, -B.INFINITE, 0, 0, alpha
    for i in range(base, base + n):
        act = O.pick_best(lists, order, i, base + n)
        probability = O.choice_probability(t, w, m, s, act)
        if probability == 0 or (tried > 0 and is_futile(w, s, act, order[i], depth, tried, static, alpha)):
            continue
        cap = O.max_gain(t, w, m, s, act)
        if tried > 0 and probability != O.CERTAIN and static + cap <= alpha:
            continue
        tried += 1
        low, high = undiscounted(alpha, static, probability, -1), undiscounted(beta, static, probability, 1)
        make_move(t, w, m, rows, ply, act, out, ev)
        reduction = 1
        if tried > 3 and depth > 2 and order[i] < O.CAPTURE:
            reduction = 3 if depth > 4 and tried > 12 else 2
        if rows[(ply + 1) * S.STATE_SIZE + S.SIDE] == s[S.SIDE]:
            reduced, upper = depth + 1 - reduction, low + 1 if tried > 1 else high
            value = alpha_beta(t, w, m, rows, lists, order, out, ev, ply + 1, reduced, low, upper)
            if tried > 1 and m[B.ABORTED] == 0 and value > low and (reduction > 1 or value < high):
                value = alpha_beta(t, w, m, rows, lists, order, out, ev, ply + 1, depth, low, high)
        elif tried == 1:
            value = -alpha_beta(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 1, -high, -low)
        else:
            value = -alpha_beta(
                t, w, m, rows, lists, order, out, ev, ply + 1, depth - reduction, -low - 1, -low
            )
            if m[B.ABORTED] == 0 and value > low and (reduction > 1 or value < high):
                value = -alpha_beta(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 1, -high, -low)
        if m[B.ABORTED] != 0:
            return 0
        value = discounted(value, static, probability, cap)
        if value > best:
            best, best_act = value, act
            alpha = max(alpha, value)
            if alpha >= beta:
                update_history(m, s, ply, depth, act)
                break
    best = best if best > -B.INFINITE else static
    tt_store(m, key, depth, best, best_act, first_alpha, beta)
    return best


@kernel
def search_root(
    t: Ints, w: Ints, m: Ints, world: Ints, rows: Ints, lists: Ints, order: Ints, out: Ints, ev: Ints,
    acts: Ints, values: Ints, n: int, depth: int, margin: int,
) -> int:  # fmt: skip
    """Write the value of each of ``n`` actions for the mover; return how many were searched in time.

    Values more than ``margin`` below the best are bounds, not exact.
    """
    s = rows[0 : S.STATE_SIZE]
    copy_row(world, s)
    set_root(t, w, m, s)
    first_ply, lowest = min(n, 1), -B.INFINITE
    best = lowest
    for i in range(n):
        make_move(t, w, m, rows, first_ply - 1, acts[i], out, ev)
        low = max(best - margin, lowest)
        if rows[S.STATE_SIZE + S.SIDE] == s[S.SIDE]:
            value = alpha_beta(t, w, m, rows, lists, order, out, ev, first_ply, depth, low, -lowest)
        else:
            value = -alpha_beta(t, w, m, rows, lists, order, out, ev, first_ply, depth - 1, lowest, -low)
        if m[B.ABORTED] != 0:
            return i
        values[i] = value
        best = max(best, value)
    return n
