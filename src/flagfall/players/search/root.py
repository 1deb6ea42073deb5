"""The root of the search: one decision from many Worlds.

All Worlds are searched one turn deep, then two, and so on; after each depth the worse actions are dropped.
The value of an action is its mean win chance over all Worlds, weighted by the exact chances of an attacked
piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from flagfall.engine import action as A
from flagfall.engine.kernel import buffer
from flagfall.engine.tables import Tables
from flagfall.players.budget import Deadline
from flagfall.players.chances import Chances
from flagfall.players.search import buffers as B
from flagfall.players.search.alpha_beta import search_root
from flagfall.players.search.root_weights import RootWeights, Table
from flagfall.players.worlds import Rows
from flagfall.view.view import SeenPiece, View

MARGIN = 250
GUESS_WEIGHT = 0.3
"""the share that counts of a win by a lucky guess"""
_MAX_WIN_PLIES = 1000
"""a value this near to a win is one, that many plies away"""
BEAM_WIDTHS = (400, 400, 20, 10, 7, 6, 5)
"""actions searched at each depth; the last number for all deeper ones"""


@dataclass
class RootResult:
    """The values of the actions at the root."""

    acts: list[int]
    values: Table
    """action × World, for the mover"""
    root_weights: RootWeights
    scale: float
    """the lead at which the win chance is about 0.7"""
    active: list[int] = field(default_factory=list)
    """indices of the actions searched deepest, best first"""
    depth: int = 0
    nodes: int = 0

    def chances(self) -> NDArray[np.float64]:
        """Return the mean win chance of each action.

        A World's chance approaches 1 slowly, so that ending the game is worth some pieces at any lead.
        """
        lead = np.clip((self.values - self.root_weights.penalty) / self.scale, -1e6, 1e6)
        won = 1.0 / (1.0 + np.exp(-np.arcsinh(lead)))
        late = B.WIN - np.abs(self.values)
        won = np.where(late < _MAX_WIN_PLIES, np.where(self.values > 0, 1.0 - late * 1e-6, late * 1e-6), won)
        if self.root_weights.is_guess.any():
            is_guess = self.root_weights.is_guess > 0
            best = np.where(is_guess, 0.0, won).max(axis=0)
            won = np.where(is_guess, best + (won - best) * GUESS_WEIGHT, won)
        chances: NDArray[np.float64] = (won * self.root_weights.weights).sum(axis=1)
        return chances


def win_chance_slope(chance: float) -> float:
    """Return the slope of the win chance by the lead: a quarter when even, less near the ends.

    >>> win_chance_slope(0.5), round(win_chance_slope(0.9), 4)
    (0.25, 0.0198)
    """
    even = (chance * (1.0 - chance)) ** 2
    return 2.0 * even / (chance**2 + (1.0 - chance) ** 2)


class Root:
    """Searches the actions of one position in many Worlds."""

    def __init__(self, tables: Tables, buffers: B.SearchBuffers) -> None:
        self.tables, self.buffers = tables, buffers

    def search(
        self,
        worlds: Rows,
        acts: Sequence[int],
        root_weights: RootWeights,
        scale: float,
        viewer: int,
        deadline: Deadline,
        max_depth: int,
    ) -> RootResult:
        """Search the actions until the budget is spent."""
        self.buffers.clear()
        self.buffers.memory[B.VIEWER] = viewer
        found = RootResult(list(acts), np.zeros((len(acts), len(worlds))), root_weights, scale)
        found.active = list(range(len(acts)))
        for depth in range(1, max_depth + 1):
            keep = BEAM_WIDTHS[min(depth, len(BEAM_WIDTHS) - 1)]
            active = self._best(found)[:keep] if depth > 1 else found.active
            found.active = active
            done = self._round(worlds, found, active, depth, deadline)
            found.active = self._best(found)
            if not done:
                break
            found.depth = depth
        found.nodes = deadline.nodes
        return found

    def _best(self, found: RootResult) -> list[int]:
        chances = found.chances()
        return sorted(found.active, key=lambda i: -chances[i])

    def _round(
        self, worlds: Rows, found: RootResult, active: list[int], depth: int, deadline: Deadline
    ) -> bool:
        """Search one depth in all Worlds; return whether it was finished."""
        buffers, m = self.buffers, self.buffers.memory
        acts = buffer(np.array([found.acts[i] for i in active], dtype=np.int32))
        values = np.zeros(len(active), dtype=np.int64)
        for index in range(len(worlds)):
            if deadline.is_over():
                return False
            m[B.SALT] = (index + 1) * 0x1D872B41C5A3
            m[B.NODES], m[B.ABORTED], m[B.LIMIT] = 0, 0, deadline.allowance()
            done = search_root(
                self.tables.buffer, buffers.w, buffers.m, buffer(worlds[index]), buffers.rows, buffers.lists,
                buffers.order, buffers.out, buffers.ev, acts, buffer(values), len(active), depth, MARGIN,
            )  # fmt: skip
            deadline.note(int(m[B.NODES]))
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
    """Return whether an action targets one enemy, by contact or from a distance."""
    return act >> 24 in (A.ATTACK, A.TWO_STEP, A.SHOOT, A.CONVERT, A.DETECT)


def is_by_contact(act: int) -> bool:
    """Return whether the acting piece may be lost."""
    return act >> 24 in (A.ATTACK, A.TWO_STEP)


@dataclass(frozen=True)
class SearchResult:
    """A search and its inputs: what the player knew or guessed, never the truth."""

    view: View
    """as far as the player remembers it"""
    hidden: Sequence[SeenPiece]
    chances: Chances
    """a row per hidden piece, a column per kind"""
    kinds: NDArray[np.int16]
    """a row per World, a column per hidden piece"""
    worlds: Rows
    root_result: RootResult
