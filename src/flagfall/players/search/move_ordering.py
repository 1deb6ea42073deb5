"""Action generation and ordering: transposition-table move, captures by gain, killers, then the rest.

An attack on a piece that its attacker has not been shown is *chosen* by what the attacker can know (its
expected gain over the kinds the piece may be) and *resolved* by the World. Probabilities of such choices are
in sixteenths: 16 is certain, 0 never.
"""

from __future__ import annotations

from typing import Final

from flagfall.board import CELLS, DIRECTIONS
from flagfall.engine import action as A
from flagfall.engine import rules
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, inlined, kernel, lowest_bit
from flagfall.engine.powers import power_row
from flagfall.engine.repetition import is_next_to_enemy
from flagfall.engine.verbs.advance import how_far, takes_part
from flagfall.players.search import buffers as B

TT_MOVE_SCORE: Final = 1 << 29
CAPTURE: Final = 1 << 24
KILLER: Final = 1 << 23
CERTAIN: Final = 16
FLAG_GAIN: Final = 1000


@inlined
def attack_gain(t: Ints, w: Ints, s: Ints, origin: int, target: int) -> int:
    """Return the gain of an attack as far as the attacker can know."""
    info, target_piece = s[S.PIECE_INFO + S.piece_on(s, origin)], S.piece_on(s, target)
    other = s[S.PIECE_INFO + target_piece]
    side, kind = info >> S.OWNER_SHIFT & 1, info & S.KIND_MASK
    if other & (S.TOLD_SOUTH << side) == 0:
        moved = 1 if other & S.MOVED else 0
        return w[B.ATTACK_GAIN + (moved * T.MAX_KINDS + kind) * T.PIECES + target_piece]
    outcome = t[T.outcome_at(s[S.PHASE], T.MELEE, kind, other & S.KIND_MASK)]
    gain = 0
    if outcome in (T.ATTACKER_WINS, T.BOTH_LOST):
        gain += w[B.PIECE_VALUE + (1 - side) * T.MAX_KINDS + (other & S.KIND_MASK)]
    if outcome in (T.DEFENDER_WINS, T.BOTH_LOST):
        gain -= w[B.PIECE_VALUE + side * T.MAX_KINDS + kind]
    return gain


@inlined
def is_melee(s: Ints, act: int) -> bool:
    """Return whether an action attacks by contact: by a step, a run or a two-step."""
    verb = act >> 24
    return verb == A.ATTACK or (verb == A.TWO_STEP and S.is_enemy(s, s[S.SIDE], act & 255))


@inlined
def is_area_attack(act: int) -> bool:
    """Return whether an action strikes all neighbours."""
    verb = act >> 24
    return verb == A.SWEEP or verb == A.SWING


@inlined
def is_ranged(act: int) -> bool:
    """Return whether an action captures or converts from a distance."""
    verb = act >> 24
    return verb == A.SHOOT or verb == A.CONVERT


@inlined
def is_quiet_move(s: Ints, act: int) -> bool:
    """Return whether a piece only moves, by a step, leap or teleport."""
    verb = act >> 24
    if verb == A.TWO_STEP:
        return not S.is_enemy(s, s[S.SIDE], act & 255)
    if verb == A.LEAP:
        return not is_next_to_enemy(s, s[S.SIDE], act & 255)
    return verb == A.MOVE or verb == A.TELEPORT


@kernel
def is_hit(t: Ints, s: Ints, act: int) -> bool:
    """Return whether a shot or conversion succeeds in this World."""
    piece, target_piece = S.piece_on(s, act >> 8 & 255), S.piece_on(s, act & 255)
    context = T.power(t, power_row(t, s, piece, act >> 24), T.CONTEXT)
    return (
        t[T.outcome_at(s[S.PHASE], context, S.kind_of(s, piece), S.kind_of(s, target_piece))]
        == T.ATTACKER_WINS
    )


@inlined
def ranged_gain(t: Ints, w: Ints, s: Ints, act: int) -> int:
    """Return the gain of a successful shot or conversion as far as its user can know."""
    target_piece = S.piece_on(s, act & 255)
    info, other = s[S.PIECE_INFO + S.piece_on(s, act >> 8 & 255)], s[S.PIECE_INFO + target_piece]
    side, kind = info >> S.OWNER_SHIFT & 1, other & S.KIND_MASK
    if other & (S.TOLD_SOUTH << side) == 0:
        moved = 1 if other & S.MOVED else 0
        return w[B.RANGED_GAIN + (moved * T.MAX_KINDS + (info & S.KIND_MASK)) * T.PIECES + target_piece]
    gain = w[B.PIECE_VALUE + (1 - side) * T.MAX_KINDS + kind]
    return gain + w[B.PIECE_VALUE + side * T.MAX_KINDS + kind] if act >> 24 == A.CONVERT else gain


@inlined
def is_known(s: Ints, cell: int) -> bool:
    """Return whether the side to move has been shown the piece on a cell."""
    return s[S.PIECE_INFO + S.piece_on(s, cell)] & (S.TOLD_SOUTH << s[S.SIDE]) != 0


@inlined
def is_flag(t: Ints, s: Ints, cell: int) -> bool:
    """Return whether a flag stands on a cell in this World."""
    return t[T.KIND_FLAGS + (s[S.PIECE_INFO + S.piece_on(s, cell)] & S.KIND_MASK)] & T.IS_FLAG != 0


@kernel
def advance_gain(t: Ints, w: Ints, s: Ints, act: int) -> int:
    """Return the gain of a group advance as far as its owner can know."""
    side, row, way = s[S.SIDE], lowest_bit(t[T.ADVANCE_ROW]), DIRECTIONS[act >> 16 & 255]
    gain = 0
    for piece in range(1, T.PIECES):
        if not takes_part(t, s, side, row, piece):
            continue
        cell, info = s[S.PIECE_CELL + piece], s[S.PIECE_INFO + piece]
        i = side * T.MAX_KINDS + (info & S.KIND_MASK)
        if info & (S.TOLD_SOUTH << (1 - side)) == 0:
            gain -= w[B.SECRET_VALUE + i]
        if S.is_enemy(s, side, cell + way):
            gain += FLAG_GAIN if is_flag(t, s, cell + way) else attack_gain(t, w, s, cell, cell + way)
        elif S.is_empty(s, cell + way):
            gain += w[B.SQUARE_VALUE + i * CELLS + cell + way] - w[B.SQUARE_VALUE + i * CELLS + cell]
        elif not S.is_piece(s, cell + way) or not takes_part(t, s, side, row, S.piece_on(s, cell + way)):
            gain -= w[B.PIECE_VALUE + i]
    return gain


@inlined
def expected_gain(t: Ints, w: Ints, s: Ints, act: int) -> int:
    """Return the gain of an attack or shot as far as its user can know."""
    return ranged_gain(t, w, s, act) if is_ranged(act) else attack_gain(t, w, s, act >> 8 & 255, act & 255)


@inlined
def choice_probability(t: Ints, w: Ints, m: Ints, s: Ints, act: int) -> int:
    """Return how likely a player with this knowledge chooses the action, in sixteenths."""
    if not (is_melee(s, act) or is_ranged(act)) or is_known(s, act & 255):
        return CERTAIN
    gain = expected_gain(t, w, s, act)
    probability = max(8 + gain * 8 // w[B.CERTAIN_GAIN], w[B.MIN_PROBABILITY + s[S.SIDE]])
    if s[S.SIDE] != m[B.VIEWER] and is_flag(t, s, act & 255):
        return max(probability, w[B.FLAG_PROBABILITY])
    if probability < 2:
        return 0
    return min(probability, w[B.MAX_PROBABILITY])


@inlined
def max_gain(t: Ints, w: Ints, m: Ints, s: Ints, act: int) -> int:
    """Return the most that the viewer's blind attack may gain."""
    if s[S.SIDE] != m[B.VIEWER] or not (is_melee(s, act) or is_ranged(act)) or is_known(s, act & 255):
        return B.INFINITE
    return max(expected_gain(t, w, s, act), 0) * w[B.GAIN_CAP] // 16


@inlined
def square_gain(w: Ints, s: Ints, act: int) -> int:
    """Return how much better the piece stands after a move."""
    info = s[S.PIECE_INFO + S.piece_on(s, act >> 8 & 255)]
    i = B.SQUARE_VALUE + ((info >> S.OWNER_SHIFT & 1) * T.MAX_KINDS + (info & S.KIND_MASK)) * CELLS
    return w[i + (act & 255)] - w[i + (act >> 8 & 255)]


@kernel
def score_action(t: Ints, w: Ints, m: Ints, s: Ints, ply: int, act: int, tt_move: int) -> int:
    """Return the ordering score of an action."""
    if act == tt_move:
        return TT_MOVE_SCORE
    if is_melee(s, act):
        if is_flag(t, s, act & 255):
            return CAPTURE + 16 * FLAG_GAIN
        return CAPTURE + 16 * attack_gain(t, w, s, act >> 8 & 255, act & 255)
    if is_ranged(act):
        return CAPTURE + 16 * ranged_gain(t, w, s, act) if is_hit(t, s, act) else 0
    if is_area_attack(act):
        return CAPTURE
    if act == m[B.KILLERS + 2 * ply] or act == m[B.KILLERS + 2 * ply + 1]:
        return KILLER
    if act >> 24 == A.ADVANCE:
        gain = advance_gain(t, w, s, act)
        return 16 * gain + (CAPTURE if gain > 0 else 0)
    if is_quiet_move(s, act):
        return 16 * square_gain(w, s, act) + m[B.HISTORY + (act >> 8 & 255) * CELLS + (act & 255)]
    return 0


@inlined
def keep_foremost(s: Ints, lists: Ints, base: int, n: int) -> int:
    """Keep only the foremost piece of a group advance: in another order pieces block each other."""
    way, best = DIRECTIONS[s[S.PENDING_KIND]], base
    for i in range(base + 1, base + n):
        is_ahead = how_far(lists[i] & 255, way) > how_far(lists[best] & 255, way)
        if is_ahead and lists[i] >> 24 == A.CHOOSE_CELL:
            best = i
    lists[base] = lists[best]
    if n > 1 and lists[base + n - 1] >> 24 == A.DONE:
        lists[base + 1] = lists[base + n - 1]
        return 2
    return 1


@kernel
def generate(t: Ints, w: Ints, m: Ints, s: Ints, ply: int, tt_move: int, lists: Ints, order: Ints) -> int:
    """Write the actions of a ply and their ordering scores; return how many there are."""
    base = ply * rules.MAX_ACTIONS
    block = lists[base : base + rules.MAX_ACTIONS]
    if s[S.PENDING] == S.ASK_GUESS:
        target_piece = S.piece_on(s, s[S.PENDING_CELL])
        info = s[S.PIECE_INFO + target_piece]
        kind = info & S.KIND_MASK if info & (S.TOLD_SOUTH << s[S.SIDE]) else w[B.GUESS + target_piece]
        lists[base] = A.CHOOSE_KIND << 24 | kind << 16
        order[base] = 0
        return 1
    n = rules.legal(t, s, block)
    if s[S.PENDING] == S.ASK_NEXT:
        n = keep_foremost(s, lists, base, n)
    for i in range(base, base + n):
        order[i] = score_action(t, w, m, s, ply, lists[i], tt_move)
    return n


@kernel
def generate_captures(t: Ints, w: Ints, s: Ints, ply: int, is_deep: bool, lists: Ints, order: Ints) -> int:
    """Write the captures of a ply that are worth trying, with scores; return how many there are."""
    base = ply * rules.MAX_ACTIONS
    block = lists[base : base + rules.MAX_ACTIONS]
    kept = base
    for i in range(base, base + rules.legal(t, s, block)):
        act = lists[i]
        if is_melee(s, act):
            gain = attack_gain(t, w, s, act >> 8 & 255, act & 255)
            if is_flag(t, s, act & 255):
                gain = FLAG_GAIN
            elif gain < 0 or (is_deep and not is_known(s, act & 255)):
                continue
            order[kept] = CAPTURE + gain
        elif is_ranged(act):
            if (is_deep and not is_known(s, act & 255)) or not is_hit(t, s, act):
                continue
            order[kept] = CAPTURE + ranged_gain(t, w, s, act)
        elif is_area_attack(act) and not is_deep:
            order[kept] = CAPTURE
        elif act >> 24 == A.ADVANCE and not is_deep:
            order[kept] = CAPTURE + advance_gain(t, w, s, act)
            if order[kept] <= CAPTURE:
                continue
        else:
            continue
        lists[kept] = act
        kept += 1
    return kept - base


@inlined
def pick_best(lists: Ints, order: Ints, i: int, end: int) -> int:
    """Swap the best-scored action from ``i`` on to place ``i`` and return it."""
    best = i
    for other in range(i + 1, end):
        if order[other] > order[best]:
            best = other
    act = lists[best]
    lists[best] = lists[i]
    lists[i] = act
    rank = order[best]
    order[best] = order[i]
    order[i] = rank
    return act
