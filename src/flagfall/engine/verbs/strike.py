"""Strike: capture one enemy at a distance without moving. `reach.targets` lists the possible targets.

::

      . x .
      . o .       over pieces, or only with a clear shot
      . P .

Parameters: ``reach``, ``blocked``, ``spares``, ``takes_flag``. The outcomes of the power's context say if the
target is captured; otherwise nothing happens.
"""

from __future__ import annotations

from flagfall.engine import events
from flagfall.engine.combat import remove
from flagfall.engine.events import TO_ALL, emit, show
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.reach import announce
from flagfall.engine.state import PHASE, kind_of, piece_on
from flagfall.engine.tables import ATTACKER_WINS, CONTEXT, outcome_at, power


@kernel
def resolve(t: Ints, s: Ints, piece: int, target: int, row: int, ev: Ints, n: int) -> int:
    """Show striker and target; a weaker target is captured."""
    struck = piece_on(s, target)
    n = announce(s, piece, row, target, ev, n)
    n = show(s, struck, TO_ALL, ev, n)
    context = power(t, row, CONTEXT)
    if t[outcome_at(s[PHASE], context, kind_of(s, piece), kind_of(s, struck))] == ATTACKER_WINS:
        return remove(t, s, struck, ev, n)
    return emit(ev, n, events.NOTHING, struck, target, target, 0, TO_ALL)
