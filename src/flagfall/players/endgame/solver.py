"""`Endgame`: keeps the tables of the endgame that a game has come to, and asks them about each position.

::

    View ─► cast ─► table without the memory of the two-square rule ─► table with it ─► verdict
            none: the ordinary search plays           until they are done: the ordinary search plays

The first table is small. Where nobody is barred by the two-square rule it is exact; with the rule in force a
win in it stands against an enemy who may go to and fro for ever. The second one is exact with the rule, and
is made if there is room for it.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np

from flagfall.edition import Game
from flagfall.engine.tables import TWO_SQUARE_LIMIT
from flagfall.players.endgame.cast import Cast, Casting
from flagfall.players.endgame.encoding import MAX_REMEMBERED
from flagfall.players.endgame.tablebase import LARGEST, Table
from flagfall.players.endgame.verdict import Verdict
from flagfall.players.search.deadline import Deadline
from flagfall.players.worlds import Rows, WorldSampler
from flagfall.view.view import SeenEvent, View

SHARE = 0.6
"""of the time for an action, as long as there is something to solve"""
SIZE_LIMIT = 4 * LARGEST
"""an endgame that seems larger than this is not begun; many squares may prove out of reach"""


class Endgame:
    """Solves the endgame of one game as one seat sees it."""

    def __init__(self, game: Game, imagination: WorldSampler) -> None:
        self._imagination = imagination
        self._casting = Casting(game, imagination.tables)
        limit = int(imagination.tables.buffer[TWO_SQUARE_LIMIT])
        self._limit = limit if limit <= MAX_REMEMBERED else 0
        self._cast: Cast | None = None
        self._vain: Set[str] = frozenset()
        """those on the board when two hunters were last found not to be enough"""
        self.tables: list[Table] = []
        """the one without memory, then the one with it"""

    def verdict(self, view: View, history: Sequence[SeenEvent], deadline: Deadline) -> Verdict | None:
        """How each legal action ends, as far as that is known; works on for a share of the budget."""
        cast = self._casting.cast(view)
        if cast is None or cast.size > SIZE_LIMIT or (cast.spare and cast.pieces.keys() == self._vain):
            self._cast, self.tables = None, []
            return None
        row = self._imagination.worlds(view, history, np.array([cast.guess], dtype=np.int16))[0]
        self._take_up(cast, row)
        self._work(cast, row, deadline)
        done = [table for table in self.tables if table.is_done and table.holds(row)]
        if not done:
            return None
        verdict = Verdict(done[-1].values(row, [act.pack() for act in view.legal]))
        if verdict.best > 0 and not done[-1].is_in_time(row, verdict.best):
            verdict = verdict.without_wins()
        if verdict.best <= 0 and done[-1].cast.spare:
            self._vain = cast.pieces.keys()
            return None
        return verdict

    def _take_up(self, cast: Cast, row: Rows) -> None:
        """Go on with the tables there are, or begin anew where they know nothing of the position."""
        known = self._cast
        is_strange = any(table.is_done and not table.holds(row) for table in self.tables)
        if known is None or is_strange or not known.goes_on(cast) or (known.spare and not cast.spare):
            self._cast, self.tables = cast, [self._table(cast, row, 0, cast.size)]

    def _table(self, cast: Cast, row: Rows, remembered: int, size: int) -> Table:
        chronicle = self._imagination.chronicle
        assert chronicle is not None, "a row comes after a story"
        return Table(self._imagination.tables, cast, dict(chronicle.number), row, remembered, size)

    def _work(self, cast: Cast, row: Rows, deadline: Deadline) -> None:
        self.tables[-1].work(deadline, SHARE)
        first = self.tables[0]
        size = first.positions * (4 * self._limit + 1) ** len(cast.movers)
        if cast.spare:
            return
        if first.is_done and len(self.tables) == 1 and self._limit != 0 and size <= SIZE_LIMIT // 2:
            self.tables.append(self._table(cast, row, self._limit, 2 * size))
            self.tables[-1].work(deadline, SHARE / 2)
