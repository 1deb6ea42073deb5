"""An observation as text, for people who look over an agent's shoulder.

Own pieces are written as in setups, known enemies after a ``-``, hidden ones as ``?``, empty squares as ``.``
and zones as ``~``; the side that looks sits at the bottom.
"""

from __future__ import annotations

import numpy as np

from flagfall.rl import layout as L
from flagfall.rl.layout import Layout
from flagfall.rl.observer import Observation


def draw_observation(layout: Layout, seen: Observation, side: int) -> str:
    """Return what a side sees, as lines of text."""
    board, kinds = layout.game.board, layout.kinds
    plain = seen.planes[3 * kinds :]
    squares = np.full((board.rows, board.columns), "  .", dtype="<U3")
    squares[plain[L.ZONES] == 1] = "  ~"
    squares[(plain[L.HIDDEN_UNMOVED] | plain[L.HIDDEN_MOVED]) == 1] = "  ?"
    for first, army, mark in ((0, side, " "), (kinds, 1 - side, "-")):
        for place, kind in enumerate(layout.army_kinds[army]):
            squares[seen.planes[first + place] == 1] = f"{mark}{layout.game.kinds[kind].code}".rjust(3)
    return "\n".join("".join(row) for row in squares[::-1])
