"""Expectimax: one tree with chance nodes, the alternative to alpha-beta in sampled Worlds.

A fight with an enemy piece that the viewer has not been shown is a chance node with a branch for each result.
An enemy that would lose does not attack. How hidden pieces *move* comes from one sampled army. There is no
transposition table, because values depend on the chances.
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
from flagfall.players.search.alpha_beta import MAX_EXCHANGE, capped, count_node, discounted
from flagfall.players.search.buffers import ABORTED, INFINITE, KILLERS, MAX_PLY, VIEWER
from flagfall.players.search.make_move import make_move, set_root, static_eval, terminal_value
from flagfall.players.search.move_ordering import (
    choice_probability,
    generate,
    generate_captures,
    is_melee,
    pick_best,
)

ONE: Final = 1024
"""certainty in the table of chances"""
_ENDS: Final = 4
"""results of a fight: attacker wins, both are lost, defender wins, flag captured"""


@inlined
def hidden_fighter(m: Ints, s: Ints, act: int) -> int:
    """Return the piece in a fight that the viewer has not been shown, or 0."""
    if not is_melee(s, act):
        return 0
    i = act & 255 if s[SIDE] == m[VIEWER] else act >> 8 & 255
    piece = piece_on(s, i)
    return 0 if s[PIECE_INFO + piece] & (TOLD_SOUTH << m[VIEWER]) else piece


@inlined
def fight_result(t: Ints, s: Ints, act: int, piece: int, kind: int) -> int:
    """Return the result of a fight if the hidden piece is of that kind."""
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
def branch(t: Ints, p: Ints, s: Ints, act: int, piece: int, end: int) -> int:
    """Return a chance and the likeliest kind of that result, as ``chance * MAX_KINDS + kind``."""
    chance, best, found = 0, 0, 0
    for kind in range(MAX_KINDS):
        part = p[piece * MAX_KINDS + kind]
        if part > 0 and fight_result(t, s, act, piece, kind) == end:
            chance += part
            if part > best:
                best, found = part, kind
    return chance * MAX_KINDS + found


@kernel
def expectimax(
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
    """Return the value for the side to move at ``ply``; the best action is stored as first killer."""
    s = rows[ply * STATE_SIZE : (ply + 1) * STATE_SIZE]
    if s[RESULT] != 0:
        return terminal_value(w, m, s, ply)
    static = static_eval(t, w, m, s, ply)
    is_calm = depth <= 0 and s[PENDING] == 0
    if count_node(m) or ply >= MAX_PLY or (is_calm and (static >= beta or depth <= -MAX_EXCHANGE)):
        return static
    if is_calm:
        n, best = generate_captures(t, w, s, ply, depth < -1, lists, order), static
    else:
        n, best = generate(t, w, m, s, ply, m[KILLERS + 2 * ply], lists, order), -INFINITE
    base = ply * rules.MAX_ACTIONS
    for i in range(base, base + n):
        act = pick_best(lists, order, i, base + n)
        piece = hidden_fighter(m, s, act)
        probability = 16 if piece else choice_probability(t, w, m, s, act)
        if probability == 0:
            continue
        total, weight = 0, 0
        for end in range(_ENDS if piece else 1):
            found = branch(t, p, s, act, piece, end) if piece else ONE * MAX_KINDS
            chance = found // MAX_KINDS
            if chance == 0:
                continue
            weight += chance
            if piece and end == 2 and s[SIDE] != m[VIEWER]:
                total += chance * static
                continue
            info = s[PIECE_INFO + piece]
            if piece:
                s[PIECE_INFO + piece] = info & ~KIND_MASK | found % MAX_KINDS
            make_move(t, w, m, rows, ply, act, out, ev)
            low = -INFINITE if piece or probability < 16 else max(alpha, best)
            high = INFINITE if piece or probability < 16 else beta
            if rows[(ply + 1) * STATE_SIZE + SIDE] == s[SIDE]:
                value = expectimax(t, w, m, p, rows, lists, order, out, ev, ply + 1, depth, low, high)
            else:
                value = -expectimax(t, w, m, p, rows, lists, order, out, ev, ply + 1, depth - 1, -high, -low)
            s[PIECE_INFO + piece] = info
            total += chance * (capped(value) if piece else value)
        if m[ABORTED] != 0:
            return static
        value = discounted(total // max(weight, 1), static, probability, INFINITE)
        if value > best:
            best = value
            m[KILLERS + 2 * ply] = act
        if best >= beta:
            break
    return best if best > -INFINITE else static


@kernel
def search_expectimax(
    t: Ints, w: Ints, m: Ints, p: Ints, world: Ints, rows: Ints, lists: Ints, order: Ints, out: Ints,
    ev: Ints, depth: int, widest: int,
) -> int:  # fmt: skip
    """Search a World with these chances; return the best action, or 0 if time ran out."""
    s = rows[0:STATE_SIZE]
    copy_row(world, s)
    set_root(t, w, m, s)
    expectimax(t, w, m, p, rows, lists, order, out, ev, depth - depth, depth, -widest, widest)
    return m[KILLERS] if m[ABORTED] == 0 else 0
