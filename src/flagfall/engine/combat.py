"""An attack: which pieces are shown, which wins, which are removed, which advance.

Who wins is looked up in the Tables; `edition/combat.py` decides it.

::

    before          attacker wins    defender wins        defender wins, defenders advance
    . A D .         . . A .          . . D .              . D . .
"""

from __future__ import annotations

from flagfall.engine import events
from flagfall.engine.endings import mark_progress, win
from flagfall.engine.events import BY_CAPTURE, BY_DEFENCE, TO_ALL, emit, show
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.state import (
    ATTACKED,
    BEARER_LOST,
    FLAG_CAPTURED,
    LAST_COUNT,
    LAST_PIECE,
    MOVED,
    OWN_FLAG_CAPTURED,
    PHASE,
    PIECE_CELL,
    PIECE_INFO,
    RESERVED,
    SIDE,
    TOLD_SOUTH,
    TURN_FROM,
    TURN_HOW,
    TURN_PIECE,
    TURN_TO,
    drop_mover,
    kind_of,
    lift,
    owner_of,
    piece_on,
    put,
)
from flagfall.engine.tables import (
    ATTACKER_WINS,
    BEARER,
    BOTH_LOST,
    DEFENDER_ADVANCES,
    DEFENDER_WINS,
    IS_FLAG,
    MELEE,
    MOBILE,
    NAMES_STRUCK,
    SILENT_DEFENSE,
    TELLS_CAPTOR,
    kind_flags,
    outcome_at,
)


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
    cell = s[PIECE_CELL + piece]
    owner = owner_of(s, piece)
    drop_mover(s, owner, piece)
    mark_progress(s)
    n = emit(ev, n, events.REMOVED, piece, cell, 0, 0, TO_ALL)
    if t[TELLS_CAPTOR] != 0 and s[PIECE_INFO + piece] & (TOLD_SOUTH << (1 - owner)) == 0:
        n = show(s, piece, TO_ALL, ev, n)
    lift(s, piece)
    flags = kind_flags(t, kind_of(s, piece))
    if flags & IS_FLAG:
        win(s, 1 - owner, FLAG_CAPTURED if owner != s[SIDE] else OWN_FLAG_CAPTURED)
    if flags & BEARER and s[PHASE] == 0:
        n = change_phase(s, piece, BEARER_LOST, ev, n)
    return n


@kernel
def change_phase(s: Ints, bearer: int, phase: int, ev: Ints, n: int) -> int:
    """Begin another phase, in which other outcomes hold; all viewers are told."""
    s[PHASE] = phase
    return emit(ev, n, events.PHASE, bearer, 0, 0, phase, TO_ALL)


@inlined
def place(s: Ints, piece: int, target: int) -> None:
    """Move a piece that stands on the board to another cell."""
    lift(s, piece)
    put(s, piece, target)
    s[PIECE_INFO + piece] |= MOVED


@kernel
def attack(t: Ints, s: Ints, piece: int, target: int, ev: Ints, n: int) -> int:
    """Attack the piece on ``target``, next to the attacker or at the end of its run."""
    origin = s[PIECE_CELL + piece]
    struck = piece_on(s, target)
    attacker, defender = kind_of(s, piece), kind_of(s, struck)
    n = emit(ev, n, events.ATTACK, piece, origin, target, 0, TO_ALL)
    n = show(s, piece, TO_ALL, ev, n)
    if t[SILENT_DEFENSE] == 0 or kind_flags(t, attacker) & NAMES_STRUCK:
        n = show(s, struck, TO_ALL, ev, n)
    outcome = t[outcome_at(s[PHASE], MELEE, attacker, defender)]
    s[TURN_HOW] = ATTACKED
    s[TURN_PIECE] = 0
    if outcome == ATTACKER_WINS:
        n = remove(t, s, struck, ev, n)
        if target != s[RESERVED]:  # a winner against a bearer does not enter the reserved square
            place(s, piece, target)
            s[TURN_PIECE] = piece
            s[TURN_FROM] = origin
            s[TURN_TO] = target
            n = emit(ev, n, events.MOVE, piece, origin, target, BY_CAPTURE, TO_ALL)
    elif outcome == BOTH_LOST:
        n = remove(t, s, piece, ev, n)
        n = remove(t, s, struck, ev, n)
    elif outcome == DEFENDER_WINS:
        n = remove(t, s, piece, ev, n)
        if t[DEFENDER_ADVANCES] != 0 and kind_flags(t, defender) & MOBILE:
            n = _advance(s, struck, target, target - step_toward(origin, target), ev, n)
    else:
        n = emit(ev, n, events.NOTHING, struck, target, target, 0, TO_ALL)
    return n


@kernel
def _advance(s: Ints, piece: int, origin: int, target: int, ev: Ints, n: int) -> int:
    """Move a winning defender to the adjacent square from which it was attacked."""
    owner = owner_of(s, piece)
    place(s, piece, target)
    if s[LAST_PIECE + owner] == piece:
        s[LAST_PIECE + owner] = 0
        s[LAST_COUNT + owner] = 0
    return emit(ev, n, events.MOVE, piece, origin, target, BY_DEFENCE, TO_ALL)
