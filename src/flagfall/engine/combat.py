"""An attack: which pieces are shown, which wins, which are removed, which advance.

Who wins is looked up in the Tables; `edition/combat.py` decides it.

::

    before          attacker wins    defender wins        defender wins, defenders advance
    . A D .         . . A .          . . D .              . D . .
"""

from __future__ import annotations

from flagfall.engine import events
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.endings import mark_progress, win
from flagfall.engine.events import BY_CAPTURE, BY_DEFENCE, TO_ALL, emit, show
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.state import drop_mover, kind_of, lift, owner_of, piece_on, put
from flagfall.engine.tables import kind_flags, outcome_at


@inlined
def step_toward(origin: int, target: int) -> int:
    """Return the direction of one step from a cell towards another on the same row or column."""
    way = target - origin
    if way % 12 == 0:
        return 12 if way > 0 else -12
    return 1 if way > 0 else -1


@inlined
def remove(t: Ints, s: Ints, piece: int, ev: Ints, n: int) -> int:
    """Remove a piece from the board; losing a flag loses the game."""
    cell = s[S.PIECE_CELL + piece]
    owner = owner_of(s, piece)
    drop_mover(s, owner, piece)
    mark_progress(s)
    n = emit(ev, n, events.REMOVED, piece, cell, 0, 0, TO_ALL)
    if t[T.TELLS_CAPTOR] != 0 and s[S.PIECE_INFO + piece] & (S.TOLD_SOUTH << (1 - owner)) == 0:
        n = show(s, piece, TO_ALL, ev, n)
    lift(s, piece)
    flags = kind_flags(t, kind_of(s, piece))
    if flags & T.IS_FLAG:
        win(s, 1 - owner, S.FLAG_CAPTURED if owner != s[S.SIDE] else S.OWN_FLAG_CAPTURED)
    if flags & T.BEARER and s[S.PHASE] == 0:
        n = change_phase(s, piece, S.BEARER_LOST, ev, n)
    return n


@kernel
def change_phase(s: Ints, bearer: int, phase: int, ev: Ints, n: int) -> int:
    """Begin another phase, in which other outcomes hold; all viewers are told."""
    s[S.PHASE] = phase
    return emit(ev, n, events.PHASE, bearer, 0, 0, phase, TO_ALL)


@inlined
def place(s: Ints, piece: int, target: int) -> None:
    """Move a piece that stands on the board to another cell."""
    lift(s, piece)
    put(s, piece, target)
    s[S.PIECE_INFO + piece] |= S.MOVED


@kernel
def attack(t: Ints, s: Ints, piece: int, target: int, ev: Ints, n: int) -> int:
    """Attack the piece on ``target``, next to the attacker or at the end of its run."""
    origin = s[S.PIECE_CELL + piece]
    struck = piece_on(s, target)
    attacker, defender = kind_of(s, piece), kind_of(s, struck)
    n = emit(ev, n, events.ATTACK, piece, origin, target, 0, TO_ALL)
    n = show(s, piece, TO_ALL, ev, n)
    if t[T.SILENT_DEFENSE] == 0 or kind_flags(t, attacker) & T.NAMES_STRUCK:
        n = show(s, struck, TO_ALL, ev, n)
    outcome = t[outcome_at(s[S.PHASE], T.MELEE, attacker, defender)]
    s[S.TURN_HOW] = S.ATTACKED
    s[S.TURN_PIECE] = 0
    if outcome == T.ATTACKER_WINS:
        n = remove(t, s, struck, ev, n)
        if target != s[S.RESERVED]:  # a winner against a bearer does not enter the reserved square
            place(s, piece, target)
            s[S.TURN_PIECE] = piece
            s[S.TURN_FROM] = origin
            s[S.TURN_TO] = target
            n = emit(ev, n, events.MOVE, piece, origin, target, BY_CAPTURE, TO_ALL)
    elif outcome == T.BOTH_LOST:
        n = remove(t, s, piece, ev, n)
        n = remove(t, s, struck, ev, n)
    elif outcome == T.DEFENDER_WINS:
        n = remove(t, s, piece, ev, n)
        if t[T.DEFENDER_ADVANCES] != 0 and kind_flags(t, defender) & T.MOBILE:
            n = _advance(s, struck, target, target - step_toward(origin, target), ev, n)
    else:
        n = emit(ev, n, events.NOTHING, struck, target, target, 0, TO_ALL)
    return n


@kernel
def _advance(s: Ints, piece: int, origin: int, target: int, ev: Ints, n: int) -> int:
    """Move a winning defender to the adjacent square from which it was attacked."""
    owner = owner_of(s, piece)
    place(s, piece, target)
    if s[S.LAST_PIECE + owner] == piece:
        s[S.LAST_PIECE + owner] = 0
        s[S.LAST_COUNT + owner] = 0
    return emit(ev, n, events.MOVE, piece, origin, target, BY_DEFENCE, TO_ALL)
