"""The tablebase of one endgame: built in slices during moves, then looked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from flagfall.engine import state as S
from flagfall.engine.kernel import buffer
from flagfall.engine.play import action_buffer, event_buffer, legal_actions, play
from flagfall.engine.tables import NO_PROGRESS_LIMIT, Tables
from flagfall.players.budget import Deadline
from flagfall.players.endgame import encoding as C
from flagfall.players.endgame.pieces import EndgamePieces
from flagfall.players.endgame.retrograde import UNDECIDED, begin, expand, lookup, propagate, slot_of
from flagfall.players.worlds import Rows

MAX_POSITIONS: Final = 1 << 20
EDGES_PER_POSITION: Final = 12
POSITIONS_PER_NODE: Final = 4
"""positions that cost about as much as a search node"""
_SLICE: Final = 64
"""positions between two checks of the clock"""


class Tablebase:
    """Every position that can be reached from a first one, and which side wins it."""

    def __init__(
        self,
        tables: Tables,
        pieces: EndgamePieces,
        number: Mapping[str, int],
        row: Rows,
        memory_limit: int = 0,
        size: int = MAX_POSITIONS,
    ) -> None:
        """``number``: public name → piece of the ``row``; ``memory_limit``: of the two-square rule, or 0."""
        self.pieces, self.memory_limit = pieces, memory_limit
        self._tables, self._number = tables, number
        size = max(min(size, MAX_POSITIONS), 64)
        slots = 1 << (2 * size - 1).bit_length()
        edges = EDGES_PER_POSITION * size
        self._g_array = g = np.zeros(C.META_SIZE, dtype=np.int64)
        g[C.CAPACITY], g[C.MAX_EDGES], g[C.SLOT_MASK] = size, edges, slots - 1
        g[C.MEMORY_LIMIT], g[C.PHASE_NUMBER] = memory_limit, pieces.phase
        self._name_pieces()
        self._g = buffer(self._g_array)
        self._codes = buffer(np.zeros(size, dtype=np.int64))
        self._links = buffer(np.zeros(slots + 2 * size + 2 * edges, dtype=np.int32))
        self._results = buffer(np.zeros(2 * size, dtype=np.int16))
        self._s, self._c = S.State(), S.State()
        self._acts, self._out, self._ev = action_buffer(), action_buffer(), event_buffer()
        begin(self._g, self._codes, self._links, S.State(row).buffer)
        self._blank = self._without_movers(row)

    def _name_pieces(self) -> None:
        g, pieces = self._g_array, self.pieces
        g[C.MOVER_COUNT], g[C.WALL_COUNT] = len(pieces.movers), len(pieces.walls)
        for i, name in enumerate(pieces.movers):
            g[C.MOVER + i] = self._number[name]
        for i, name in enumerate(pieces.walls):
            g[C.WALL + i] = self._number[name]
        for name, guessers in pieces.blind.items():
            bits = sum(2 << i for i, mover in enumerate(pieces.movers) if mover in guessers)
            g[C.BLIND + self._number[name]] = bits

    def _without_movers(self, row: Rows) -> S.State:
        """Return what all positions share: walls, and no memory of turns."""
        blank = S.State(row.copy())
        s = blank.buffer
        for name in self.pieces.movers:
            S.lift(s, self._number[name])
        for name in self.pieces.spare:
            S.drop_mover(s, S.owner_of(s, self._number[name]), self._number[name])
        blank.row[S.LAST_PIECE : S.LAST_COUNT + 2] = 0
        blank.row[S.TURN_PIECE : S.TURN_HOW + 1] = 0
        blank.row[[S.CHASER, S.EVADER, S.CHASE_COUNT, S.NO_PROGRESS]] = 0
        blank.row[S.CHASE_KEYS :] = 0
        return blank

    @property
    def positions(self) -> int:
        """The number of positions found."""
        return int(self._g[C.COUNT])

    @property
    def is_done(self) -> bool:
        """Whether the table is complete."""
        g = self._g
        return bool(not g[C.FAILED] and g[C.EXPANDED] == g[C.COUNT] and g[C.PROPAGATED] == g[C.SOLVED])

    def work(self, deadline: Deadline, share: float) -> None:
        """Work for a share of the time and nodes that are left."""
        left = int(deadline.allowance() * share)
        stop_ms = deadline.left_ms() * (1.0 - share)
        while left > 0 and not self.is_done and not self._g[C.FAILED] and deadline.left_ms() > stop_ms:
            deadline.allowance()
            done = self._slice(min(left * POSITIONS_PER_NODE, _SLICE))
            nodes = max(-(-done // POSITIONS_PER_NODE), 1)
            deadline.note(nodes)
            left -= nodes

    def _slice(self, limit: int) -> int:
        if self._g[C.EXPANDED] == self._g[C.COUNT]:
            return propagate(self._g, self._links, self._results, limit)
        return expand(
            self._tables.buffer, self._g, self._codes, self._links, self._results, self._blank.buffer,
            self._s.buffer, self._c.buffer, self._acts, self._out, self._ev, limit,
        )  # fmt: skip

    def contains(self, row: Rows) -> bool:
        """Return whether the table contains a position."""
        code = C.encode(self._g, S.State(row).buffer)
        return bool(self._links[slot_of(self._g, self._codes, self._links, code)])

    def values(self, row: Rows, acts: Sequence[int]) -> tuple[int, ...]:
        """Return how each action ends for the mover, as in `Solution`."""
        C.decode(self._g, self._blank.buffer, C.encode(self._g, S.State(row).buffer), self._s.buffer)
        return tuple(self._lookup(act) for act in acts)

    def _lookup(self, act: int) -> int:
        """Return how an action on the decoded row ends; actions of spare pieces are undecided."""
        spare = {self._number[name] for name in self.pieces.spare}
        if S.piece_on(self._s.buffer, act >> 8 & 255) in spare:
            return UNDECIDED
        return lookup(
            self._tables.buffer, self._g, self._codes, self._links, self._results, self._s.buffer,
            self._c.buffer, act, self._out, self._ev,
        )  # fmt: skip

    def is_in_time(self, row: Rows, turns: int) -> bool:
        """Return whether a win in so many turns comes before a draw by no progress, by playing it out."""
        limit, state = int(self._tables.buffer[NO_PROGRESS_LIMIT]), S.State(row.copy())
        if limit == 0 or state.buffer[S.NO_PROGRESS] + turns < limit:
            return True
        winner = state.side
        for _ in range(turns):
            acts = legal_actions(self._tables, state)
            values = self.values(state.row, acts)
            wins = [value for value in values if value > 0]
            best = min(wins) if wins else min(values)
            play(self._tables, state, acts[values.index(best)])
            if state.is_over:
                break
        return bool(state.buffer[S.RESULT] == S.SOUTH_WINS + winner)
