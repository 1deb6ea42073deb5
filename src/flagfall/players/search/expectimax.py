"""Expectimax: one tree with chance nodes, the alternative to alpha-beta in sampled Worlds.

A fight with an enemy piece that the viewer has not been shown is a chance node with a branch for each result.
An enemy that would lose does not attack. How hidden pieces *move* comes from one sampled army. There is no
transposition table, because values depend on the chances.
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import rules
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.simulate import copy_row
from flagfall.players.search import buffers as B
from flagfall.players.search import move_ordering as O
from flagfall.players.search.alpha_beta import MAX_EXCHANGE, capped, count_node, discounted
from flagfall.players.search.make_move import make_move, set_root, static_eval, terminal_value

ONE: Final = 1024
"""certainty in the table of chances"""
_ENDS: Final = 4
"""results of a fight: attacker wins, both are lost, defender wins, flag captured"""


@inlined
def hidden_fighter(m: Ints, s: Ints, act: int) -> int:
    """Return the piece in a fight that the viewer has not been shown, or 0."""
    if not O.is_melee(s, act):
        return 0
    i = act & 255 if s[S.SIDE] == m[B.VIEWER] else act >> 8 & 255
    piece = S.piece_on(s, i)
    return 0 if s[S.PIECE_INFO + piece] & (S.TOLD_SOUTH << m[B.VIEWER]) else piece


@inlined
def fight_result(t: Ints, s: Ints, act: int, piece: int, kind: int) -> int:
    """Return the result of a fight if the hidden piece is of that kind."""
    one = s[S.PIECE_INFO + S.piece_on(s, act >> 8 & 255)] & S.KIND_MASK
    other = s[S.PIECE_INFO + S.piece_on(s, act & 255)] & S.KIND_MASK
    if piece == S.piece_on(s, act & 255):
        if t[T.KIND_FLAGS + kind] & T.IS_FLAG:
            return 3
        other = kind
    else:
        one = kind
    outcome = t[T.outcome_at(s[S.PHASE], T.MELEE, one, other)]
    if outcome == T.ATTACKER_WINS:
        return 0
    return 1 if outcome == T.BOTH_LOST else 2


@kernel
def branch(t: Ints, p: Ints, s: Ints, act: int, piece: int, end: int) -> int:
    """Return a chance and the likeliest kind of that result, as ``chance * MAX_KINDS + kind``."""
    chance, best, found = 0, 0, 0
    for kind in range(T.MAX_KINDS):
        part = p[piece * T.MAX_KINDS + kind]
        if part > 0 and fight_result(t, s, act, piece, kind) == end:
            chance += part
            if part > best:
                best, found = part, kind
    return chance * T.MAX_KINDS + found


@kernel
def expectimax(
    t: Ints, w: Ints, m: Ints, p: Ints, rows: Ints, lists: Ints, order: Ints, out: Ints, ev: Ints, ply: int,
    depth: int, alpha: int, beta: int,
) -> int:  # fmt: skip
    """Return the value for the side to move at ``ply``; the best action is stored as first killer."""
    s = rows[ply * S.STATE_SIZE : (ply + 1) * S.STATE_SIZE]
    if s[S.RESULT] != 0:
        return terminal_value(w, m, s, ply)
    static = static_eval(t, w, m, s, ply)
    is_calm = depth <= 0 and s[S.PENDING] == 0
    if count_node(m) or ply >= B.MAX_PLY or (is_calm and (static >= beta or depth <= -MAX_EXCHANGE)):
        return static
    if is_calm:
        n, best = O.generate_captures(t, w, s, ply, depth < -1, lists, order), static
    else:
        n, best = O.generate(t, w, m, s, ply, m[B.KILLERS + 2 * ply], lists, order), -B.INFINITE
    base = ply * rules.MAX_ACTIONS
    for i in range(base, base + n):
        act = O.pick_best(lists, order, i, base + n)
        piece = hidden_fighter(m, s, act)
        probability = 16 if piece else O.choice_probability(t, w, m, s, act)
        if probability == 0:
            continue
        total, weight = 0, 0
        for end in range(_ENDS if piece else 1):
            found = branch(t, p, s, act, piece, end) if piece else ONE * T.MAX_KINDS
            chance = found // T.MAX_KINDS
            if chance == 0:
                continue
            weight += chance
            if piece and end == 2 and s[S.SIDE] != m[B.VIEWER]:
                total += chance * static
                continue
            info = s[S.PIECE_INFO + piece]
            if piece:
                s[S.PIECE_INFO + piece] = info & ~S.KIND_MASK | found % T.MAX_KINDS
            make_move(t, w, m, rows, ply, act, out, ev)
            low = -B.INFINITE if piece or probability < 16 else max(alpha, best)
            high = B.INFINITE if piece or probability < 16 else beta
            if rows[(ply + 1) * S.STATE_SIZE + S.SIDE] == s[S.SIDE]:
                value = expectimax(t, w, m, p, rows, lists, order, out, ev, ply + 1, depth, low, high)
            else:
                value = -expectimax(t, w, m, p, rows, lists, order, out, ev, ply + 1, depth - 1, -high, -low)
            s[S.PIECE_INFO + piece] = info
            total += chance * (capped(value) if piece else value)
        if m[B.ABORTED] != 0:
            return static
        value = discounted(total // max(weight, 1), static, probability, B.INFINITE)
        if value > best:
            best = value
            m[B.KILLERS + 2 * ply] = act
        if best >= beta:
            break
    return best if best > -B.INFINITE else static


@kernel
def search_expectimax(
    t: Ints, w: Ints, m: Ints, p: Ints, world: Ints, rows: Ints, lists: Ints, order: Ints, out: Ints,
    ev: Ints, depth: int, widest: int,
) -> int:  # fmt: skip
    """Search a World with these chances; return the best action, or 0 if time ran out."""
    s = rows[0 : S.STATE_SIZE]
    copy_row(world, s)
    set_root(t, w, m, s)
    expectimax(t, w, m, p, rows, lists, order, out, ev, depth - depth, depth, -widest, widest)
    return m[B.KILLERS] if m[B.ABORTED] == 0 else 0
