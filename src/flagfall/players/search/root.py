"""The root: many Worlds, one decision.

All Worlds are looked at one turn deep, then two, and so on; after each round the less promising actions are
left behind. An action is worth the mean chance to win over all Worlds, each World counted by how likely it
is that an attacked piece is what it is there (so drawn numbers of Worlds do not decide a close attack).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from flagfall.engine import action as A
from flagfall.engine.kernel import buffer
from flagfall.engine.tables import Tables
from flagfall.players.search import buffers as R
from flagfall.players.search.alpha_beta import weigh
from flagfall.players.search.deadline import Deadline
from flagfall.players.search.weighting import Stakes, Table
from flagfall.players.worlds import Rows

MARGIN = 250
GUESSED = 0.3
"""how much of a win counts that needs a lucky guess: there will be better ones"""
_FARTHEST = 1000
"""a value that near to a win is one, so many plies away"""
KEPT = (400, 400, 20, 10, 7, 6, 5)
"""how many actions go into the round of that depth; the last number for all deeper ones"""


@dataclass
class Findings:
    """What a search found out about the actions at the root."""

    acts: list[int]
    values: Table
    """action × World, for the mover"""
    stakes: Stakes
    scale: float
    """the lead at which a game is as good as decided, roughly"""
    active: list[int] = field(default_factory=list)
    """places of the actions that were looked at deepest, the best first"""
    depth: int = 0
    nodes: int = 0

    def chances(self) -> NDArray[np.float64]:
        """The mean chance to win after each action."""
        won = chance_of((self.values - self.stakes.price) / self.scale)
        late = R.WIN - np.abs(self.values)
        won = np.where(late < _FARTHEST, np.where(self.values > 0, 1.0 - late * 1e-6, late * 1e-6), won)
        if self.stakes.luck.any():
            sober = np.where(self.stakes.luck > 0, 0.0, won).max(axis=0)
            won = np.where(self.stakes.luck > 0, sober + (won - sober) * GUESSED, won)
        chances: NDArray[np.float64] = (won * self.stakes.weights).sum(axis=1)
        return chances


def chance_of(lead: Table) -> Table:
    """The chance to win with a lead, in units of a lead that counts.

    It comes near to 1 slowly: however far ahead, to end a game is still worth a risk of some pieces.
    """
    return 1.0 / (1.0 + np.exp(-np.arcsinh(np.clip(lead, -1e6, 1e6))))


def steepness(chance: float) -> float:
    """How much a chance grows with the lead, in its units: a quarter when all is even, less near the ends.

    >>> steepness(0.5), round(steepness(0.9), 4)
    (0.25, 0.0198)
    """
    even = (chance * (1.0 - chance)) ** 2
    return 2.0 * even / (chance**2 + (1.0 - chance) ** 2)


class Root:
    """Searches from one position."""

    def __init__(self, tables: Tables, room: R.SearchBuffers) -> None:
        self.tables, self.room = tables, room

    def search(
        self,
        worlds: Rows,
        acts: Sequence[int],
        stakes: Stakes,
        scale: float,
        viewer: int,
        deadline: Deadline,
        deepest: int,
    ) -> Findings:
        """Weigh the actions until the time is up."""
        self.room.forget()
        self.room.m_array[R.VIEWER] = viewer
        found = Findings(list(acts), np.zeros((len(acts), len(worlds))), stakes, scale)
        found.active = list(range(len(acts)))
        for depth in range(1, deepest + 1):
            keep = KEPT[min(depth, len(KEPT) - 1)]
            active = self._best(found)[:keep] if depth > 1 else found.active
            found.active = active
            done = self._round(worlds, found, active, depth, deadline)
            found.active = self._best(found)
            if not done:
                break
            found.depth = depth
        found.nodes = deadline.nodes
        return found

    def _best(self, found: Findings) -> list[int]:
        chances = found.chances()
        return sorted(found.active, key=lambda at: -chances[at])

    def _round(
        self, worlds: Rows, found: Findings, active: list[int], depth: int, deadline: Deadline
    ) -> bool:
        """One depth in all Worlds; whether it was finished."""
        room, m = self.room, self.room.m_array
        acts = buffer(np.array([found.acts[at] for at in active], dtype=np.int32))
        values = np.zeros(len(active), dtype=np.int64)
        for index in range(len(worlds)):
            if deadline.is_over():
                return False
            m[R.SALT] = (index + 1) * 0x1D872B41C5A3
            m[R.NODES], m[R.ABORTED], m[R.LIMIT] = 0, 0, deadline.allowance()
            done = weigh(
                self.tables.buffer, room.w, room.m, buffer(worlds[index]), room.rows, room.lists, room.order,
                room.out, room.ev, acts, buffer(values), len(active), depth, MARGIN,
            )  # fmt: skip
            deadline.note(int(m[R.NODES]))
            if done == len(active):
                found.values[active, index] = values
            elif depth == 1 and index == 0 and done:
                found.values[active[:done], :] = values[:done, None]
                found.values[active[done:], :] = values[:done].min()
                return False
            else:
                return False
            if depth == 1 and index == 0:
                found.values[active, :] = values[:, None]
        return True


def is_attack(act: int) -> bool:
    """Whether an action strikes one enemy by contact or from afar."""
    return act >> 24 in (A.ATTACK, A.TWO_STEP, A.SHOOT, A.CONVERT, A.DETECT)


def is_by_contact(act: int) -> bool:
    """Whether whoever does it may be lost by it."""
    return act >> 24 in (A.ATTACK, A.TWO_STEP)
