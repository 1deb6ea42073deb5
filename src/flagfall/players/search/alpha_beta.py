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
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.simulate import copy_row
from flagfall.engine.state import PENDING, RESULT, SIDE, STATE_SIZE, TURN_HOW, TURN_PIECE
from flagfall.players.search.buffers import (
    ABORTED,
    HISTORY,
    INFINITE,
    KEYS,
    KILLERS,
    LIMIT,
    MAX_PLY,
    MAX_UNCERTAIN,
    NODES,
    NULL_MOVED,
    SCORES,
    SIDE_KEY,
    TT,
    TT_SLOTS,
    WIN,
)
from flagfall.players.search.make_move import make_move, position_key, set_root, static_eval, terminal_value
from flagfall.players.search.move_ordering import (
    CAPTURE,
    CERTAIN,
    choice_probability,
    generate,
    generate_captures,
    is_quiet_move,
    is_ranged,
    max_gain,
    pick_best,
    square_gain,
)

MAX_EXCHANGE: Final = 8
_EXACT: Final = 0
_LOWER: Final = 1
_UPPER: Final = 2


@inlined
def count_node(m: Ints) -> bool:
    """Count a node and return whether the search has to stop."""
    m[NODES] += 1
    if m[NODES] >= m[LIMIT]:
        m[ABORTED] = 1
    return m[ABORTED] != 0


@inlined
def capped(value: int) -> int:
    """Return a value limited to what an uncertain win or loss counts."""
    return min(max(value, -MAX_UNCERTAIN), MAX_UNCERTAIN)


@inlined
def discounted(value: int, static: int, probability: int, cap: int) -> int:
    """Return the value of an action that is chosen with some probability only.

    That share of its gain counts, at most ``cap``, but all of its loss. The cap keeps what is true in one
    World from being expected in all of them.
    """
    if probability == CERTAIN or value <= static:
        return value
    return static + min(max((capped(value) - static) * probability // CERTAIN, 0), cap)


@inlined
def undiscounted(bound: int, static: int, probability: int, more: int) -> int:
    """Return the bound before `discounted`; ``more`` rounds it outwards."""
    if probability == CERTAIN or bound <= static:
        return bound
    inner = static + (bound - static) * CERTAIN // probability + more
    return min(max(inner, -INFINITE), INFINITE)


@kernel
def quiescence(
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
    """Return the value after all worthwhile captures."""
    if count_node(m):
        return 0
    s = rows[ply * STATE_SIZE : (ply + 1) * STATE_SIZE]
    if s[RESULT] != 0:
        return terminal_value(w, m, s, ply)
    static = static_eval(t, w, m, s, ply)
    best = static
    if s[PENDING] != 0:
        n = generate(t, w, m, s, ply, m[KILLERS + 2 * ply], lists, order)
        best = best if ply >= MAX_PLY else -INFINITE
    elif best >= beta or depth <= -MAX_EXCHANGE or ply >= MAX_PLY:
        return best
    else:
        n = generate_captures(t, w, s, ply, depth < -1, lists, order)
    if ply >= MAX_PLY:
        return best
    base = ply * rules.MAX_ACTIONS
    for i in range(base, base + n):
        act = pick_best(lists, order, i, base + n)
        probability = choice_probability(t, w, m, s, act)
        cap = max_gain(t, w, m, s, act)
        if probability == 0 or (probability != CERTAIN and static + cap <= max(alpha, best)):
            continue
        low = undiscounted(max(alpha, best), static, probability, -1)
        high = undiscounted(beta, static, probability, 1)
        make_move(t, w, m, rows, ply, act, out, ev)
        if rows[(ply + 1) * STATE_SIZE + SIDE] == s[SIDE]:
            value = quiescence(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 1, low, high)
        else:
            value = -quiescence(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 1, -high, -low)
        best = max(best, discounted(value, static, probability, cap))
        if best >= beta or m[ABORTED] != 0:
            break
    return best if best > -INFINITE else static


@inlined
def tt_probe(m: Ints, key: int, depth: int, alpha: int, beta: int) -> int:
    """Return a stored value that causes a cutoff, or INFINITE."""
    slot = TT + 2 * (key & (TT_SLOTS - 1))
    if m[slot] != key:
        return INFINITE
    entry = m[slot + 1]
    value, bound = (entry >> 8 & 0xFFFF) - 32768, entry & 3
    if entry >> 2 & 63 < depth:
        return INFINITE
    if bound == _EXACT or (bound == _LOWER and value >= beta) or (bound == _UPPER and value <= alpha):
        return value
    return INFINITE


@inlined
def tt_move(m: Ints, key: int) -> int:
    """Return the stored best action, or 0."""
    slot = TT + 2 * (key & (TT_SLOTS - 1))
    return m[slot + 1] >> 24 if m[slot] == key else 0


@inlined
def tt_store(m: Ints, key: int, depth: int, value: int, act: int, alpha: int, beta: int) -> None:
    """Store a search result."""
    bound = _LOWER if value >= beta else (_UPPER if value <= alpha else _EXACT)
    slot = TT + 2 * (key & (TT_SLOTS - 1))
    m[slot] = key
    m[slot + 1] = act << 24 | (value + 32768) << 8 | min(max(depth, 0), 63) << 2 | bound


@inlined
def update_history(m: Ints, s: Ints, ply: int, depth: int, act: int) -> None:
    """Update killers and history after a quiet action has caused a cutoff."""
    if not is_quiet_move(s, act):
        return
    if m[KILLERS + 2 * ply] != act:
        m[KILLERS + 2 * ply + 1] = m[KILLERS + 2 * ply]
        m[KILLERS + 2 * ply] = act
    place = HISTORY + (act >> 8 & 255) * CELLS + (act & 255)
    m[place] = min(m[place] + depth * depth, 4000)


@kernel
def null_move(m: Ints, rows: Ints, ply: int) -> None:
    """Write the same row with the other side to move at the next ply."""
    s = rows[ply * STATE_SIZE : (ply + 1) * STATE_SIZE]
    c = rows[(ply + 1) * STATE_SIZE : (ply + 2) * STATE_SIZE]
    copy_row(s, c)
    c[SIDE] = 1 - s[SIDE]
    c[TURN_PIECE] = 0
    c[TURN_HOW] = 0
    m[SCORES + ply + 1] = m[SCORES + ply]
    m[KEYS + ply + 1] = m[KEYS + ply] ^ m[SIDE_KEY]
    m[NULL_MOVED + ply + 1] = 1


@inlined
def is_futile(w: Ints, s: Ints, act: int, rank: int, depth: int, tried: int, static: int, alpha: int) -> bool:
    """Return whether a quiet action near the leaves can be pruned: futile, or late in the list."""
    if rank >= CAPTURE or s[PENDING] != 0 or depth > 2:
        return False
    verb, gain = act >> 24, 0
    if is_quiet_move(s, act):
        gain = square_gain(w, s, act)
    elif verb == A.ADVANCE:
        gain = rank // 16
    elif verb != A.DETECT and not is_ranged(act):
        return False
    return static + gain <= alpha if depth == 1 else tried > 12


@kernel
def alpha_beta(
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
    """Return the value of the row at ``ply``, searched ``depth`` turns deep."""
    s = rows[ply * STATE_SIZE : (ply + 1) * STATE_SIZE]
    is_open = s[PENDING] != 0
    if s[RESULT] != 0 or ply >= MAX_PLY or (depth <= 0 and not is_open):
        return quiescence(t, w, m, rows, lists, order, out, ev, ply, depth, alpha, beta)
    if count_node(m):
        return 0
    key, static = position_key(t, m, s, ply), static_eval(t, w, m, s, ply)
    best = tt_probe(m, key, depth, alpha, beta)
    if best != INFINITE:
        return best
    if m[NULL_MOVED + ply] == 0 and not is_open and static >= beta and beta < WIN - 100:
        null_move(m, rows, ply)
        best = -alpha_beta(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 3, -beta, 1 - beta)
        if best >= beta or m[ABORTED] != 0:
            return best
    n = generate(t, w, m, s, ply, tt_move(m, key), lists, order)
    base, best, best_act, tried, first_alpha = ply * rules.MAX_ACTIONS, -INFINITE, 0, 0, alpha
    for i in range(base, base + n):
        act = pick_best(lists, order, i, base + n)
        probability = choice_probability(t, w, m, s, act)
        if probability == 0 or (tried > 0 and is_futile(w, s, act, order[i], depth, tried, static, alpha)):
            continue
        cap = max_gain(t, w, m, s, act)
        if tried > 0 and probability != CERTAIN and static + cap <= alpha:
            continue
        tried += 1
        low, high = undiscounted(alpha, static, probability, -1), undiscounted(beta, static, probability, 1)
        make_move(t, w, m, rows, ply, act, out, ev)
        reduction = 1
        if tried > 3 and depth > 2 and order[i] < CAPTURE:
            reduction = 3 if depth > 4 and tried > 12 else 2
        if rows[(ply + 1) * STATE_SIZE + SIDE] == s[SIDE]:
            reduced, upper = depth + 1 - reduction, low + 1 if tried > 1 else high
            value = alpha_beta(t, w, m, rows, lists, order, out, ev, ply + 1, reduced, low, upper)
            if tried > 1 and m[ABORTED] == 0 and value > low and (reduction > 1 or value < high):
                value = alpha_beta(t, w, m, rows, lists, order, out, ev, ply + 1, depth, low, high)
        elif tried == 1:
            value = -alpha_beta(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 1, -high, -low)
        else:
            value = -alpha_beta(
                t, w, m, rows, lists, order, out, ev, ply + 1, depth - reduction, -low - 1, -low
            )
            if m[ABORTED] == 0 and value > low and (reduction > 1 or value < high):
                value = -alpha_beta(t, w, m, rows, lists, order, out, ev, ply + 1, depth - 1, -high, -low)
        if m[ABORTED] != 0:
            return 0
        value = discounted(value, static, probability, cap)
        if value > best:
            best, best_act = value, act
            alpha = max(alpha, value)
            if alpha >= beta:
                update_history(m, s, ply, depth, act)
                break
    best = best if best > -INFINITE else static
    tt_store(m, key, depth, best, best_act, first_alpha, beta)
    return best


@kernel
def search_root(
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
    """Write the value of each of ``n`` actions for the mover; return how many were searched in time.

    Values more than ``margin`` below the best are bounds, not exact.
    """
    s = rows[0:STATE_SIZE]
    copy_row(world, s)
    set_root(t, w, m, s)
    first_ply, lowest = min(n, 1), -INFINITE
    best = lowest
    for i in range(n):
        make_move(t, w, m, rows, first_ply - 1, acts[i], out, ev)
        low = max(best - margin, lowest)
        if rows[STATE_SIZE + SIDE] == s[SIDE]:
            value = alpha_beta(t, w, m, rows, lists, order, out, ev, first_ply, depth, low, -lowest)
        else:
            value = -alpha_beta(t, w, m, rows, lists, order, out, ev, first_ply, depth - 1, lowest, -low)
        if m[ABORTED] != 0:
            return i
        values[i] = value
        best = max(best, value)
    return n
