"""Which actions to try, in which order: the hash move, captures by what they gain, killers, then the rest.

An attack on a piece that its attacker has not been shown is *chosen* by what the attacker can know (the
expected gain over everything the piece may be) and *resolved* by the truth of the World. `share` says how
surely it would be chosen, in sixteenths: 16 as a matter of course (never in the dark), 0 never.
"""

from __future__ import annotations

from typing import Final

from flagfall.board import CELLS, DIRECTIONS
from flagfall.engine import action as A
from flagfall.engine import rules
from flagfall.engine.kernel import Ints, inlined, kernel, lowest_bit
from flagfall.engine.powers import power_row
from flagfall.engine.repetition import is_next_to_enemy
from flagfall.engine.state import (
    ASK_GUESS,
    ASK_NEXT,
    KIND_MASK,
    MOVED,
    OWNER_SHIFT,
    PENDING,
    PENDING_CELL,
    PENDING_KIND,
    PHASE,
    PIECE_CELL,
    PIECE_INFO,
    SIDE,
    TOLD_SOUTH,
    is_empty,
    is_enemy,
    is_piece,
    kind_of,
    piece_on,
)
from flagfall.engine.tables import (
    ADVANCE_ROW,
    ATTACKER_WINS,
    BOTH_LOST,
    CONTEXT,
    DEFENDER_WINS,
    IS_FLAG,
    KIND_FLAGS,
    MAX_KINDS,
    MELEE,
    PIECES,
    outcome_at,
    power,
)
from flagfall.engine.verbs.advance import how_far, takes_part
from flagfall.players.search.buffers import (
    AIMED,
    BOLDNESS,
    DREAD,
    FLOOR,
    GAIN,
    GUESS,
    HIDE,
    HISTORY,
    HOPE,
    INFINITE,
    KILLERS,
    PLACE,
    SUREST,
    VIEWER,
    WORTH,
)

FIRST: Final = 1 << 29
CAPTURE: Final = 1 << 24
KILLER: Final = 1 << 23
CERTAIN: Final = 16
FLAG_GAIN: Final = 1000


@inlined
def gain_of(t: Ints, w: Ints, s: Ints, origin: int, target: int) -> int:
    """What the attack gains as far as the attacker can know."""
    info, struck = s[PIECE_INFO + piece_on(s, origin)], piece_on(s, target)
    other = s[PIECE_INFO + struck]
    side, kind = info >> OWNER_SHIFT & 1, info & KIND_MASK
    if other & (TOLD_SOUTH << side) == 0:
        moved = 1 if other & MOVED else 0
        return w[GAIN + (moved * MAX_KINDS + kind) * PIECES + struck]
    outcome = t[outcome_at(s[PHASE], MELEE, kind, other & KIND_MASK)]
    gain = 0
    if outcome in (ATTACKER_WINS, BOTH_LOST):
        gain += w[WORTH + (1 - side) * MAX_KINDS + (other & KIND_MASK)]
    if outcome in (DEFENDER_WINS, BOTH_LOST):
        gain -= w[WORTH + side * MAX_KINDS + kind]
    return gain


@inlined
def is_fight(s: Ints, act: int) -> bool:
    """Whether an action is an attack by contact: on foot, at the end of a run, or of a two-step."""
    verb = act >> 24
    return verb == A.ATTACK or (verb == A.TWO_STEP and is_enemy(s, s[SIDE], act & 255))


@inlined
def is_blow(act: int) -> bool:
    """Whether an action may take pieces all around."""
    verb = act >> 24
    return verb == A.SWEEP or verb == A.SWING


@inlined
def is_aimed(act: int) -> bool:
    """Whether an action takes a piece from afar, or wins it over."""
    verb = act >> 24
    return verb == A.SHOOT or verb == A.CONVERT


@inlined
def is_walk(s: Ints, act: int) -> bool:
    """Whether a piece only goes somewhere: on foot, by a leap or through the air."""
    verb = act >> 24
    if verb == A.TWO_STEP:
        return not is_enemy(s, s[SIDE], act & 255)
    if verb == A.LEAP:
        return not is_next_to_enemy(s, s[SIDE], act & 255)
    return verb == A.MOVE or verb == A.TELEPORT


@kernel
def hits(t: Ints, s: Ints, act: int) -> bool:
    """Whether what is aimed at falls, or changes sides, in this World."""
    piece, struck = piece_on(s, act >> 8 & 255), piece_on(s, act & 255)
    context = power(t, power_row(t, s, piece, act >> 24), CONTEXT)
    return t[outcome_at(s[PHASE], context, kind_of(s, piece), kind_of(s, struck))] == ATTACKER_WINS


@inlined
def aimed_gain(t: Ints, w: Ints, s: Ints, act: int) -> int:
    """What a shot or a conversion gains as far as its user can know; only for one that hits."""
    struck = piece_on(s, act & 255)
    info, other = s[PIECE_INFO + piece_on(s, act >> 8 & 255)], s[PIECE_INFO + struck]
    side, kind = info >> OWNER_SHIFT & 1, other & KIND_MASK
    if other & (TOLD_SOUTH << side) == 0:
        moved = 1 if other & MOVED else 0
        return w[AIMED + (moved * MAX_KINDS + (info & KIND_MASK)) * PIECES + struck]
    gain = w[WORTH + (1 - side) * MAX_KINDS + kind]
    return gain + w[WORTH + side * MAX_KINDS + kind] if act >> 24 == A.CONVERT else gain


@inlined
def is_known(s: Ints, cell: int) -> bool:
    """Whether the side to move has been shown the piece on a cell."""
    return s[PIECE_INFO + piece_on(s, cell)] & (TOLD_SOUTH << s[SIDE]) != 0


@inlined
def is_flag(t: Ints, s: Ints, cell: int) -> bool:
    """Whether a flag stands on a cell of this World."""
    return t[KIND_FLAGS + (s[PIECE_INFO + piece_on(s, cell)] & KIND_MASK)] & IS_FLAG != 0


@kernel
def advance_gain(t: Ints, w: Ints, s: Ints, act: int) -> int:
    """What an advance of all who take part gains as far as their owner can know."""
    side, row, way = s[SIDE], lowest_bit(t[ADVANCE_ROW]), DIRECTIONS[act >> 16 & 255]
    gain = 0
    for piece in range(1, PIECES):
        if not takes_part(t, s, side, row, piece):
            continue
        cell, info = s[PIECE_CELL + piece], s[PIECE_INFO + piece]
        at = side * MAX_KINDS + (info & KIND_MASK)
        if info & (TOLD_SOUTH << (1 - side)) == 0:
            gain -= w[HIDE + at]
        if is_enemy(s, side, cell + way):
            gain += FLAG_GAIN if is_flag(t, s, cell + way) else gain_of(t, w, s, cell, cell + way)
        elif is_empty(s, cell + way):
            gain += w[PLACE + at * CELLS + cell + way] - w[PLACE + at * CELLS + cell]
        elif not is_piece(s, cell + way) or not takes_part(t, s, side, row, piece_on(s, cell + way)):
            gain -= w[WORTH + at]
    return gain


@inlined
def expected(t: Ints, w: Ints, s: Ints, act: int) -> int:
    """What an attack or a shot gains as far as its user can know."""
    return aimed_gain(t, w, s, act) if is_aimed(act) else gain_of(t, w, s, act >> 8 & 255, act & 255)


@inlined
def share_of(t: Ints, w: Ints, m: Ints, s: Ints, act: int) -> int:
    """How surely somebody who knows no more than it was told would choose this, in sixteenths."""
    if not (is_fight(s, act) or is_aimed(act)) or is_known(s, act & 255):
        return CERTAIN
    gain = expected(t, w, s, act)
    share = max(8 + gain * 8 // w[BOLDNESS], w[FLOOR + s[SIDE]])
    if s[SIDE] != m[VIEWER] and is_flag(t, s, act & 255):
        return max(share, w[DREAD])
    if share < 2:
        return 0
    return min(share, w[SUREST])


@inlined
def most_of(t: Ints, w: Ints, m: Ints, s: Ints, act: int) -> int:
    """What an attack of the viewer may gain at most where it knows no more than its chances."""
    if s[SIDE] != m[VIEWER] or not (is_fight(s, act) or is_aimed(act)) or is_known(s, act & 255):
        return INFINITE
    return max(expected(t, w, s, act), 0) * w[HOPE] // 16


@inlined
def place_gain(w: Ints, s: Ints, act: int) -> int:
    """How much better the piece stands after a move."""
    info = s[PIECE_INFO + piece_on(s, act >> 8 & 255)]
    at = PLACE + ((info >> OWNER_SHIFT & 1) * MAX_KINDS + (info & KIND_MASK)) * CELLS
    return w[at + (act & 255)] - w[at + (act >> 8 & 255)]


@kernel
def promise(t: Ints, w: Ints, m: Ints, s: Ints, ply: int, act: int, first: int) -> int:
    """How promising an action looks before it is tried."""
    if act == first:
        return FIRST
    if is_fight(s, act):
        if is_flag(t, s, act & 255):
            return CAPTURE + 16 * FLAG_GAIN
        return CAPTURE + 16 * gain_of(t, w, s, act >> 8 & 255, act & 255)
    if is_aimed(act):
        return CAPTURE + 16 * aimed_gain(t, w, s, act) if hits(t, s, act) else 0
    if is_blow(act):
        return CAPTURE
    if act == m[KILLERS + 2 * ply] or act == m[KILLERS + 2 * ply + 1]:
        return KILLER
    if act >> 24 == A.ADVANCE:
        gain = advance_gain(t, w, s, act)
        return 16 * gain + (CAPTURE if gain > 0 else 0)
    if is_walk(s, act):
        return 16 * place_gain(w, s, act) + m[HISTORY + (act >> 8 & 255) * CELLS + (act & 255)]
    return 0


@inlined
def foremost(s: Ints, lists: Ints, base: int, n: int) -> int:
    """Of those that may advance next, only the foremost: in another order they get in each other's way."""
    way, best = DIRECTIONS[s[PENDING_KIND]], base
    for at in range(base + 1, base + n):
        is_farther = how_far(lists[at] & 255, way) > how_far(lists[best] & 255, way)
        if is_farther and lists[at] >> 24 == A.CHOOSE_CELL:
            best = at
    lists[base] = lists[best]
    if n > 1 and lists[base + n - 1] >> 24 == A.DONE:
        lists[base + 1] = lists[base + n - 1]
        return 2
    return 1


@kernel
def listed(t: Ints, w: Ints, m: Ints, s: Ints, ply: int, first: int, lists: Ints, order: Ints) -> int:
    """Write the actions of a ply and how promising each is; how many there are."""
    base = ply * rules.MAX_ACTIONS
    room = lists[base : base + rules.MAX_ACTIONS]
    if s[PENDING] == ASK_GUESS:
        struck = piece_on(s, s[PENDING_CELL])
        info = s[PIECE_INFO + struck]
        kind = info & KIND_MASK if info & (TOLD_SOUTH << s[SIDE]) else w[GUESS + struck]
        lists[base] = A.CHOOSE_KIND << 24 | kind << 16
        order[base] = 0
        return 1
    n = rules.legal(t, s, room)
    if s[PENDING] == ASK_NEXT:
        n = foremost(s, lists, base, n)
    for at in range(base, base + n):
        order[at] = promise(t, w, m, s, ply, lists[at], first)
    return n


@kernel
def captures(t: Ints, w: Ints, s: Ints, ply: int, is_deep: bool, lists: Ints, order: Ints) -> int:
    """The same for what may take something at once, without those that nobody would choose."""
    base = ply * rules.MAX_ACTIONS
    room = lists[base : base + rules.MAX_ACTIONS]
    kept = base
    for at in range(base, base + rules.legal(t, s, room)):
        act = lists[at]
        if is_fight(s, act):
            gain = gain_of(t, w, s, act >> 8 & 255, act & 255)
            if is_flag(t, s, act & 255):
                gain = FLAG_GAIN
            elif gain < 0 or (is_deep and not is_known(s, act & 255)):
                continue
            order[kept] = CAPTURE + gain
        elif is_aimed(act):
            if (is_deep and not is_known(s, act & 255)) or not hits(t, s, act):
                continue
            order[kept] = CAPTURE + aimed_gain(t, w, s, act)
        elif is_blow(act) and not is_deep:
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
def pick(lists: Ints, order: Ints, at: int, end: int) -> int:
    """Bring the most promising of the actions from ``at`` on to that place."""
    best = at
    for other in range(at + 1, end):
        if order[other] > order[best]:
            best = other
    act = lists[best]
    lists[best] = lists[at]
    lists[at] = act
    rank = order[best]
    order[best] = order[at]
    order[at] = rank
    return act
