"""Area: step, then strike neighbours in all eight directions at once: some that are chosen, or all.

::

      x y .        P steps here, then strikes x, y, z together
      . P z

Parameters: ``choose``: how many targets may be chosen (0 = all); ``friends``: own pieces are hit too;
``shown_first``: the striker is shown before it steps; ``removed_after``: it leaves the board in any case; and
what bombs, equals and stronger pieces do (the outcomes of the power's context). Targets are chosen without an
event and shown together.
"""

from __future__ import annotations

from flagfall.engine import action, events
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.combat import remove
from flagfall.engine.events import TO_ALL, emit, show
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.reach import NEIGHBOURS, OFFSETS, announce
from flagfall.engine.state import is_enemy, is_piece, kind_of, owner_of, piece_on
from flagfall.engine.tables import outcome_at, power
from flagfall.engine.verbs import step


@kernel
def is_hit(t: Ints, s: Ints, side: int, row: int, cell: int) -> bool:
    """Return whether a piece on a cell would be struck."""
    return is_enemy(s, side, cell) or (power(t, row, T.HITS_FRIENDS) != 0 and is_piece(s, cell))


@kernel
def follow_up(t: Ints, s: Ints, side: int, row: int, done: int, out: Ints, n: int) -> int:
    """Write ``done``, a step in the list, again with the strike, if it would hit a piece."""
    origin, stands = done >> 8 & 255, done & 255
    for index in range(NEIGHBOURS):
        cell = stands + OFFSETS[index]
        if cell != origin and is_hit(t, s, side, row, cell):
            out[n] = power(t, row, T.POWER_VERB) << 24 | origin << 8 | stands
            return n + 1
    return n


@kernel
def resolve(t: Ints, s: Ints, piece: int, stands: int, row: int, ev: Ints, n: int) -> int:
    """Step, show the striker before or after it; then strike all, or ask for targets."""
    if power(t, row, T.SHOWN_FIRST) != 0:
        n = show(s, piece, TO_ALL, ev, n)
        n = step.resolve(s, piece, stands, ev, n)
        n = emit(ev, n, events.USE, piece, stands, 0, row, TO_ALL)
    else:
        n = step.resolve(s, piece, stands, ev, n)
        n = announce(s, piece, row, 0, ev, n)
    if power(t, row, T.CHOOSE) != 0:
        s[S.PENDING] = S.ASK_TARGETS
        s[S.PENDING_PIECE] = piece
        s[S.PENDING_CELL] = stands
        s[S.PENDING_KIND] = row
        return n
    chosen = 0
    for index in range(NEIGHBOURS):
        if is_hit(t, s, owner_of(s, piece), row, stands + OFFSETS[index]):
            chosen |= 1 << index
    return _strike(t, s, piece, row, chosen, ev, n)


@kernel
def targets(t: Ints, s: Ints, out: Ints, n: int) -> int:
    """Write the neighbours that can still be chosen, and "done" once there is one."""
    stands, chosen = s[S.PENDING_CELL], s[S.PENDING_LIST]
    for index in range(NEIGHBOURS):
        cell = stands + OFFSETS[index]
        if chosen >> index & 1 == 0 and is_hit(t, s, s[S.SIDE], s[S.PENDING_KIND], cell):
            out[n] = action.CHOOSE_CELL << 24 | cell
            n += 1
    if chosen != 0:
        out[n] = action.DONE << 24
        n += 1
    return n


@kernel
def choose(t: Ints, s: Ints, cell: int, ev: Ints, n: int) -> int:
    """Add a target without an event; the last one allowed completes the strike."""
    taken = 0
    for index in range(NEIGHBOURS):
        if s[S.PENDING_CELL] + OFFSETS[index] == cell:
            s[S.PENDING_LIST] |= 1 << index
        taken += s[S.PENDING_LIST] >> index & 1
    if taken < power(t, s[S.PENDING_KIND], T.CHOOSE):
        s[S.PENDING] = S.ASK_TARGETS
        return n
    return finish(t, s, ev, n)


@kernel
def finish(t: Ints, s: Ints, ev: Ints, n: int) -> int:
    """Strike the chosen targets."""
    return _strike(t, s, s[S.PENDING_PIECE], s[S.PENDING_KIND], s[S.PENDING_LIST], ev, n)


@kernel
def _strike(t: Ints, s: Ints, piece: int, row: int, chosen: int, ev: Ints, n: int) -> int:
    """Show all targets, remove those that lose, and the striker if one of them is too strong."""
    stands, kind = s[S.PIECE_CELL + piece], kind_of(s, piece)
    phase, context = s[S.PHASE], power(t, row, T.CONTEXT)
    for index in range(NEIGHBOURS):
        if chosen >> index & 1:
            n = show(s, piece_on(s, stands + OFFSETS[index]), TO_ALL, ev, n)
    is_lost = power(t, row, T.REMOVED_AFTER) != 0
    for index in range(NEIGHBOURS):
        if chosen >> index & 1:
            cell = stands + OFFSETS[index]
            struck = piece_on(s, cell)
            outcome = t[outcome_at(phase, context, kind, kind_of(s, struck))]
            is_lost = is_lost or outcome in (T.BOTH_LOST, T.DEFENDER_WINS)
            if outcome in (T.ATTACKER_WINS, T.BOTH_LOST):
                n = remove(t, s, struck, ev, n)
            else:
                n = emit(ev, n, events.NOTHING, struck, cell, cell, 0, TO_ALL)
    if is_lost:
        n = remove(t, s, piece, ev, n)
    return n
