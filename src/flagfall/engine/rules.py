"""The only door to the rules: `legal`, `apply`, `start`. Dispatch, nothing else.

Kernels take Tables (``t``), a State row (``s``), room for a list of actions (``out``) and for event rows
(``ev``). From Python, for one game at a time, `flagfall.engine.play` is the comfortable way in.
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import action, events
from flagfall.engine.combat import attack
from flagfall.engine.endings import count_turn, finish, win
from flagfall.engine.events import TO_ALL, emit
from flagfall.engine.kernel import Ints, inlined, kernel, lowest_bit
from flagfall.engine.repetition import (
    NOTHING_BARRED,
    barred_move,
    is_chase_barred,
    remember_turn,
)
from flagfall.engine.state import (
    ASK_GUESS,
    ASK_RESCUE_CELL,
    ASK_RESCUE_KIND,
    BOTH_STUCK,
    CHASER,
    DRAW,
    KIND_MASK,
    LAST_PIECE,
    NO_MOVE,
    PENDING,
    PENDING_CELL,
    PENDING_KIND,
    PENDING_PIECE,
    PIECE_CELL,
    PIECE_INFO,
    REASON,
    RESULT,
    SIDE,
    movers,
    piece_on,
)
from flagfall.engine.tables import (
    BOTH_STUCK_DRAWS,
    HAS_FOLLOW_UPS,
    RESCUE_RULE,
    RUN_ATTACKS,
    RUNS,
    SPOTS,
    STEP_ATTACKS,
    TWO_SQUARE_ATTACKS,
    kind_flags,
)
from flagfall.engine.verbs import rescue, run, spot, step, two_step

MOST_ACTIONS: Final = 4096
"""room that a list of legal actions needs at most"""


@kernel
def legal(t: Ints, s: Ints, out: Ints) -> int:
    """Write every action the side to move may choose now; how many there are."""
    if s[RESULT] != 0:
        return 0
    ask = s[PENDING]
    if ask == 0:
        return fresh_turn(t, s, out, MOST_ACTIONS)
    if ask == ASK_GUESS:
        return spot.guesses(t, s, out, 0)
    if ask == ASK_RESCUE_KIND:
        return rescue.kinds(t, s, out, 0)
    if ask == ASK_RESCUE_CELL:
        return rescue.cells(t, s, out, 0)
    return 0


@inlined
def fresh_turn(t: Ints, s: Ints, out: Ints, enough: int) -> int:
    """The actions that begin a turn; stops looking once there are ``enough``."""
    side = s[SIDE]
    barred = barred_move(t, s)
    if barred != NOTHING_BARRED or s[CHASER] == side + 1:
        enough = MOST_ACTIONS
    n = 0
    for half in range(2):
        bits = movers(s, side, half)
        while bits != 0:
            n = of_piece(t, s, side, half * 48 + lowest_bit(bits), out, n)
            bits &= bits - 1
            if n >= enough:
                return n
    if barred != NOTHING_BARRED:
        n = without_shuttling(t, out, n, barred)
    if t[HAS_FOLLOW_UPS] != 0:
        n = follow_ups(t, s, side, barred, out, n)
    if s[CHASER] == side + 1:
        n = without_chasing(s, out, n)
    return n


@inlined
def of_piece(t: Ints, s: Ints, side: int, piece: int, out: Ints, n: int) -> int:
    """Steps, runs and attacks of one piece."""
    cell = s[PIECE_CELL + piece] & 255
    flags = kind_flags(t, s[PIECE_INFO + piece] & KIND_MASK)
    if flags & RUNS:
        return run.generate(s, side, cell, flags & RUN_ATTACKS != 0, out, n)
    return step.generate(s, side, cell, out, n)


@kernel
def without_shuttling(t: Ints, out: Ints, n: int, barred: int) -> int:
    """Take the move out that the two-square rule forbids (and the attack, where attacks count)."""
    for at in range(n):
        if out[at] & 0xFFFF == barred and (out[at] >> 24 == action.MOVE or t[TWO_SQUARE_ATTACKS] != 0):
            out[at] = out[n - 1]
            return n - 1
    return n


@kernel
def follow_ups(t: Ints, s: Ints, side: int, barred: int, out: Ints, n: int) -> int:
    """Actions that begin with a step in the list, or that a piece makes in place of one."""
    plain = n
    barred_attack = barred if t[TWO_SQUARE_ATTACKS] != 0 else NOTHING_BARRED
    may_rescue = t[RESCUE_RULE] != 0 and rescue.is_possible(t, s, side)
    for at in range(plain):
        done = out[at]
        if may_rescue:
            n = rescue.follow(t, s, side, done, out, n)
        origin = done >> 8 & 255
        flags = kind_flags(t, s[PIECE_INFO + piece_on(s, origin)] & KIND_MASK)
        if flags & SPOTS and done >> 24 == action.MOVE:
            n = spot.generate(t, s, side, origin, done & 255, out, n)
    for half in range(2):
        bits = movers(s, side, half)
        while bits != 0:
            piece = half * 48 + lowest_bit(bits)
            bits &= bits - 1
            flags = kind_flags(t, s[PIECE_INFO + piece] & KIND_MASK)
            if flags & (SPOTS | STEP_ATTACKS):
                cell = s[PIECE_CELL + piece]
                if flags & SPOTS:
                    n = spot.generate(t, s, side, cell, cell, out, n)
                if flags & STEP_ATTACKS:
                    n = two_step.generate(s, side, cell, barred_attack, out, n)
    return n


@kernel
def without_chasing(s: Ints, out: Ints, n: int) -> int:
    """Take the moves out that the chase rule forbids (a rescue brings a new position about)."""
    kept = 0
    for at in range(n):
        act = out[at]
        if not (act >> 24 == action.MOVE and is_chase_barred(s, act)):
            out[kept] = act
            kept += 1
    return kept


@inlined
def can_act(t: Ints, s: Ints, out: Ints) -> bool:
    """Whether the side to move has anything to do at the start of its turn."""
    side = s[SIDE]
    piece = s[LAST_PIECE + side]
    if piece != 0 and s[CHASER] != side + 1:  # the piece that moved last mostly can: look there first
        least = 1 if barred_move(t, s) == NOTHING_BARRED else 2
        if s[PIECE_CELL + piece] != 0 and of_piece(t, s, side, piece, out, 0) >= least:
            return True
    return fresh_turn(t, s, out, 1) > 0


@inlined
def begin_turn(t: Ints, s: Ints, out: Ints) -> None:
    """The no-move test, made at the start of a turn."""
    if can_act(t, s, out):
        return
    side = s[SIDE]
    if t[BOTH_STUCK_DRAWS] != 0:
        s[SIDE] = 1 - side
        is_other_stuck = not can_act(t, s, out)
        s[SIDE] = side
        if is_other_stuck:
            finish(s, DRAW, BOTH_STUCK)
            return
    win(s, 1 - side, NO_MOVE)


@inlined
def end_turn(t: Ints, s: Ints, out: Ints, ev: Ints, n: int) -> int:
    """What happens between two turns."""
    remember_turn(t, s)
    if s[RESULT] == 0:
        count_turn(t, s)
    if s[RESULT] == 0:
        s[SIDE] = 1 - s[SIDE]
        begin_turn(t, s, out)
        n = emit(ev, n, events.TURN, 0, 0, 0, s[SIDE], TO_ALL)
    return n


@kernel
def close_turn(s: Ints) -> None:
    """Forget what an open turn was about."""
    s[PENDING] = 0
    s[PENDING_PIECE] = 0
    s[PENDING_CELL] = 0
    s[PENDING_KIND] = 0


@kernel
def start(t: Ints, s: Ints, out: Ints, ev: Ints) -> int:
    """Begin the game: South is to move, and loses if it cannot."""
    begin_turn(t, s, out)
    return emit_result(s, ev, 0)


@inlined
def emit_result(s: Ints, ev: Ints, n: int) -> int:
    """Say it if the game is over."""
    if s[RESULT] != 0:
        n = emit(ev, n, events.RESULT, 0, 0, 0, s[RESULT] * 16 + s[REASON], TO_ALL)
    return n


@kernel
def apply(t: Ints, s: Ints, act: int, out: Ints, ev: Ints) -> int:
    """Carry out a legal action; the events' length in ``ev``. ``out`` is room to work in."""
    verb, origin, target, choice = act >> 24, act >> 8 & 255, act & 255, act >> 16 & 255
    piece = piece_on(s, origin)
    ask = s[PENDING]
    s[PENDING] = 0
    n = 0
    if verb == action.MOVE:
        n = step.resolve(s, piece, target, ev, n)
    elif verb == action.ATTACK:
        n = attack(t, s, piece, target, ev, n)
    elif verb == action.SPOT:
        n = spot.resolve(s, piece, target, choice, ev, n)
    elif verb == action.TWO_STEP:
        n = two_step.resolve(t, s, piece, target, choice, ev, n)
    elif verb == action.RESCUE:
        n = rescue.resolve(t, s, piece, target, ev, n)
    elif verb == action.CHOOSE_CELL:
        n = rescue.choose_cell(t, s, target, ev, n)
    elif ask == ASK_GUESS:
        n = spot.resolve_guess(t, s, choice, ev, n)
    else:
        rescue.choose_kind(s, choice)
    if s[PENDING] == 0 or s[RESULT] != 0:
        if ask != 0 or s[PENDING] != 0:
            close_turn(s)
        n = end_turn(t, s, out, ev, n)
        n = emit_result(s, ev, n)
    return n
