"""Detect: one enemy within reach must show itself. `reach.targets` lists the possible targets.

Parameters: ``reach``; ``known``: pieces already known may be named too.
"""

from __future__ import annotations

from flagfall.engine.events import TO_ALL, show
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.reach import announce
from flagfall.engine.state import piece_on


@kernel
def resolve(s: Ints, piece: int, target: int, row: int, ev: Ints, n: int) -> int:
    """Show user and target."""
    n = announce(s, piece, row, target, ev, n)
    return show(s, piece_on(s, target), TO_ALL, ev, n)
