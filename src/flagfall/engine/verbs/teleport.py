"""Teleport: appear on any open square within reach, whatever lies between.

::

      . . . . .
      . # # x .       every "." around P
      . o P . .

Parameters: ``reach`` (square or lines).
"""

from __future__ import annotations

from flagfall.engine import action
from flagfall.engine.events import BY_TELEPORT
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.reach import OFFSETS, announce, is_cell
from flagfall.engine.state import is_empty
from flagfall.engine.tables import REACH, power
from flagfall.engine.verbs import step


@kernel
def generate(t: Ints, s: Ints, row: int, cell: int, barred: int, out: Ints, n: int) -> int:
    """Write one action for every open square within reach."""
    for index in range(power(t, row, REACH)):
        target = cell + OFFSETS[index]
        if is_cell(target) and is_empty(s, target) and (cell << 8 | target) != barred:
            out[n] = action.TELEPORT << 24 | cell << 8 | target
            n += 1
    return n


@kernel
def resolve(s: Ints, piece: int, target: int, row: int, ev: Ints, n: int) -> int:
    """Move a piece to any square within reach."""
    n = announce(s, piece, row, target, ev, n)
    return step.go(s, piece, target, BY_TELEPORT, ev, n)
