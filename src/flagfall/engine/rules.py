"""The rules as three kernels: `legal`, `apply`, `start`. They dispatch to the verbs.

Kernels take Tables (``t``), a State row (``s``), a buffer for actions (``out``) and one for event rows
(``ev``). From Python use `flagfall.engine.play`.
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import action, events
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.combat import attack
from flagfall.engine.endings import count_turn, finish, win
from flagfall.engine.events import TO_ALL, emit
from flagfall.engine.kernel import Ints, inlined, kernel, lowest_bit
from flagfall.engine.powers import area_strikes, begin_power, side_power_actions
from flagfall.engine.repetition import NOTHING_BARRED, barred_move, is_chase_barred, is_next_to, remember_turn
from flagfall.engine.state import is_piece, kind_of, movers, piece_on
from flagfall.engine.tables import kind_flags
from flagfall.engine.verbs import advance, area, bearer, chain, rescue, run, spot, step, two_step

MAX_ACTIONS: Final = 4096
"""size of the buffer for a list of legal actions"""


@kernel
def legal(t: Ints, s: Ints, out: Ints) -> int:
    """Write the legal actions of the side to move and return their number."""
    if s[S.RESULT] != 0:
        return 0
    ask = s[S.PENDING]
    if ask == 0:
        return first_actions(t, s, out, MAX_ACTIONS)
    if ask == S.ASK_GUESS:
        return spot.guesses(t, s, out, 0)
    if ask == S.ASK_RESCUE_KIND:
        return rescue.kinds(t, s, out, 0)
    if ask == S.ASK_RESCUE_CELL:
        return rescue.cells(t, s, out, 0)
    if ask == S.ASK_TARGETS:
        return area.targets(t, s, out, 0)
    if ask == S.ASK_NEXT:
        return advance.next_pieces(t, s, out, 0)
    return chain.attacks(t, s, out, 0)


@inlined
def first_actions(t: Ints, s: Ints, out: Ints, enough: int) -> int:
    """Write the actions that may begin a turn; stop once there are ``enough``."""
    side = s[S.SIDE]
    barred = barred_move(t, s)
    if barred != NOTHING_BARRED or s[S.CHASER] == side + 1:
        enough = MAX_ACTIONS
    n = 0
    for half in range(2):
        bits = movers(s, side, half)
        while bits != 0:
            n = piece_actions(t, s, side, half * 48 + lowest_bit(bits), out, n)
            bits &= bits - 1
            if n >= enough:
                return n
    if barred != NOTHING_BARRED:
        n = drop_barred_move(t, out, n, barred)
    if t[T.HAS_FOLLOW_UPS] != 0:
        n = follow_ups(t, s, side, barred, out, n)
    if s[S.CHASER] == side + 1:
        n = drop_chase_moves(s, out, n)
    return n


@inlined
def piece_actions(t: Ints, s: Ints, side: int, piece: int, out: Ints, n: int) -> int:
    """Write the steps, runs and attacks of one piece."""
    cell = s[S.PIECE_CELL + piece] & 255
    flags = kind_flags(t, s[S.PIECE_INFO + piece] & S.KIND_MASK)
    if flags & T.RUNS:
        return run.generate(s, side, cell, flags & T.RUN_ATTACKS != 0, out, n)
    return step.generate(s, side, cell, out, n)


@kernel
def drop_barred_move(t: Ints, out: Ints, n: int, barred: int) -> int:
    """Drop the move that the two-square rule forbids (and the attack, where attacks count)."""
    for i in range(n):
        if out[i] & 0xFFFF == barred and (out[i] >> 24 == action.MOVE or t[T.TWO_SQUARE_ATTACKS] != 0):
            out[i] = out[n - 1]
            return n - 1
    return n


@kernel
def follow_ups(t: Ints, s: Ints, side: int, barred: int, out: Ints, n: int) -> int:
    """Write the actions that continue a step in the list or replace it."""
    plain = n
    barred_attack = barred if t[T.TWO_SQUARE_ATTACKS] != 0 else NOTHING_BARRED
    may_rescue = t[T.RESCUE_RULE] != 0 and rescue.is_possible(t, s, side)
    for i in range(plain):
        done = out[i]
        if may_rescue:
            n = rescue.follow_up(t, s, side, done, out, n)
        origin = done >> 8 & 255
        flags = kind_flags(t, s[S.PIECE_INFO + piece_on(s, origin)] & S.KIND_MASK)
        if flags & T.SPOTS and done >> 24 == action.MOVE:
            n = spot.generate(t, s, side, origin, done & 255, out, n)
        if t[T.AREA_ROWS] != 0 and done >> 24 == action.MOVE and is_next_to(origin, done & 255):
            rows = t[T.KIND_POWERS + kind_of(s, piece_on(s, origin))] & t[T.AREA_ROWS]
            n = area_strikes(t, s, side, rows, done, out, n)
    for half in range(2):
        bits = movers(s, side, half)
        while bits != 0:
            piece = half * 48 + lowest_bit(bits)
            bits &= bits - 1
            flags = kind_flags(t, s[S.PIECE_INFO + piece] & S.KIND_MASK)
            if flags & (T.SPOTS | T.STEP_ATTACKS | T.TWO_STEPS | T.BEARER):
                cell = s[S.PIECE_CELL + piece]
                if flags & T.SPOTS:
                    n = spot.generate(t, s, side, cell, cell, out, n)
                if flags & (T.STEP_ATTACKS | T.TWO_STEPS):
                    n = two_step.generate(s, side, cell, flags, barred, barred_attack, out, n)
                if flags & T.BEARER:
                    n = bearer.generate(t, s, cell, out, n)
    if t[T.HAS_POWERS] != 0:
        n = side_power_actions(t, s, side, barred, out, n)
    if t[T.BEARER_IS_SAFE] != 0 and is_piece(s, s[S.RESERVED]):
        n = drop_attacks_on(s[S.RESERVED], out, n)
    return n


@kernel
def drop_attacks_on(cell: int, out: Ints, n: int) -> int:
    """Drop the attacks on a square."""
    kept = 0
    for i in range(n):
        verb = out[i] >> 24
        if not ((verb == action.ATTACK or verb == action.TWO_STEP) and out[i] & 255 == cell):
            out[kept] = out[i]
            kept += 1
    return kept


@kernel
def drop_chase_moves(s: Ints, out: Ints, n: int) -> int:
    """Drop the moves that the chase rule forbids (a rescue makes a new position)."""
    kept = 0
    for i in range(n):
        act = out[i]
        if not (act >> 24 == action.MOVE and is_chase_barred(s, act)):
            out[kept] = act
            kept += 1
    return kept


@inlined
def can_act(t: Ints, s: Ints, out: Ints) -> bool:
    """Return whether the side to move has a legal action at the start of its turn."""
    side = s[S.SIDE]
    piece = s[S.LAST_PIECE + side]
    if piece != 0 and s[S.CHASER] != side + 1:  # the piece that moved last usually can
        least = 1 if barred_move(t, s) == NOTHING_BARRED else 2
        if s[S.PIECE_CELL + piece] != 0 and piece_actions(t, s, side, piece, out, 0) >= least:
            return True
    return first_actions(t, s, out, 1) > 0


@inlined
def begin_turn(t: Ints, s: Ints, out: Ints) -> None:
    """End the game if the side to move has no legal action."""
    if can_act(t, s, out):
        return
    side = s[S.SIDE]
    if t[T.BOTH_STUCK_DRAWS] != 0:
        s[S.SIDE] = 1 - side
        is_other_stuck = not can_act(t, s, out)
        s[S.SIDE] = side
        if is_other_stuck:
            finish(s, S.DRAW, S.BOTH_STUCK)
            return
    win(s, 1 - side, S.NO_MOVE)


@inlined
def end_turn(t: Ints, s: Ints, out: Ints, ev: Ints, n: int) -> int:
    """End a turn and begin the next."""
    remember_turn(t, s)
    if s[S.RESULT] == 0:
        count_turn(t, s)
    if s[S.RESULT] == 0:
        s[S.SIDE] = 1 - s[S.SIDE]
        begin_turn(t, s, out)
        n = emit(ev, n, events.TURN, 0, 0, 0, s[S.SIDE], TO_ALL)
    return n


@kernel
def clear_pending(s: Ints) -> None:
    """Clear the fields of an open turn."""
    s[S.PENDING] = 0
    s[S.PENDING_PIECE] = 0
    s[S.PENDING_CELL] = 0
    s[S.PENDING_KIND] = 0
    s[S.PENDING_LIST] = 0
    s[S.PENDING_ROW] = 0


@kernel
def start(t: Ints, s: Ints, out: Ints, ev: Ints) -> int:
    """Begin the game: South is to move, and loses if it has no legal action."""
    begin_turn(t, s, out)
    return emit_result(s, ev, 0)


@inlined
def emit_result(s: Ints, ev: Ints, n: int) -> int:
    """Write the result event if the game is over."""
    if s[S.RESULT] != 0:
        n = emit(ev, n, events.RESULT, 0, 0, 0, s[S.RESULT] * 16 + s[S.REASON], TO_ALL)
    return n


@kernel
def continue_turn(t: Ints, s: Ints, ask: int, verb: int, target: int, choice: int, ev: Ints, n: int) -> int:
    """Play the next action of an open turn."""
    if ask == S.ASK_GUESS:
        return spot.resolve_guess(t, s, choice, ev, n)
    if ask == S.ASK_RESCUE_KIND:
        rescue.choose_kind(s, choice)
    elif ask == S.ASK_RESCUE_CELL:
        n = rescue.choose_cell(t, s, target, ev, n)
    elif ask == S.ASK_TARGETS:
        n = area.finish(t, s, ev, n) if verb == action.DONE else area.choose(t, s, target, ev, n)
    elif ask == S.ASK_NEXT:
        n = advance.finish(s, n) if verb == action.DONE else advance.choose(t, s, target, ev, n)
    return n


@kernel
def apply(t: Ints, s: Ints, act: int, out: Ints, ev: Ints) -> int:
    """Play a legal action and return the length of its events in ``ev``; ``out`` is scratch space."""
    verb, origin, target, choice = act >> 24, act >> 8 & 255, act & 255, act >> 16 & 255
    piece = piece_on(s, origin)
    ask = s[S.PENDING]
    s[S.PENDING] = 0
    n = 0
    if verb == action.MOVE:
        if target == s[S.RESERVED]:
            n = bearer.arrive(t, s, piece, ev, n)
        else:
            n = step.resolve(s, piece, target, ev, n)
    elif verb == action.ATTACK:
        if ask != 0 or kind_flags(t, kind_of(s, piece)) & T.CHAINS:
            n = chain.resolve(t, s, piece, target, ev, n)
        else:
            n = attack(t, s, piece, target, ev, n)
    elif ask != 0:
        n = continue_turn(t, s, ask, verb, target, choice, ev, n)
    else:
        n = begin_power(t, s, verb, piece, target, choice, ev, n)
    if s[S.PENDING] == 0 or s[S.RESULT] != 0:
        if ask != 0 or s[S.PENDING] != 0:
            clear_pending(s)
        n = end_turn(t, s, out, ev, n)
        n = emit_result(s, ev, n)
    return n
