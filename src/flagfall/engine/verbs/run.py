"""Run: any number of empty squares in one straight line; with ``attack``, also against what ends it.

::

      P . . . x      three squares to run to; the enemy at the end only if the run may attack,
                     or if it stands next to the runner (that is a step)

Parameters: ``attack`` (default true): a run may end in an attack.
"""

from __future__ import annotations

from flagfall.engine.kernel import Ints, inlined
from flagfall.engine.state import BOARD, is_empty
from flagfall.engine.verbs import step


@inlined
def generate(s: Ints, side: int, cell: int, may_attack: bool, out: Ints, n: int) -> int:
    """Write the moves and attacks of the runner on ``cell``."""
    n = _line(s, side, cell, 12, may_attack, out, n)
    n = _line(s, side, cell, 1, may_attack, out, n)
    n = _line(s, side, cell, -12, may_attack, out, n)
    return _line(s, side, cell, -1, may_attack, out, n)


@inlined
def _line(s: Ints, side: int, cell: int, way: int, may_attack: bool, out: Ints, n: int) -> int:
    target = cell + way
    while is_empty(s, target):
        out[n] = step.MOVE_BITS + (cell << 8) + target
        n += 1
        target = (target + way) & 255
    if may_attack or target == cell + way:
        n = step.toward(side, s[BOARD + target], cell, target, out, n)
    return n
