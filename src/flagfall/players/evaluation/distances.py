"""Distances on a board around closed squares, and by how much guards come too late."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from flagfall.board import CELLS, DIRECTIONS, Board

FAR = 99
"""the distance where there is no path"""
_MAX_CACHED_PATHS = 2000
_MAX_CACHED_TABLES = 20
Steps = NDArray[np.int64]
Cells = tuple[int, ...]


@lru_cache(maxsize=16)
def distances(board: Board) -> Steps:
    """Return the steps between any two cells around the zones."""
    steps = np.full((CELLS, CELLS), FAR, dtype=np.int64)
    adjacent = neighbours(board)
    for start in adjacent:
        steps[start] = _spread(start, adjacent, frozenset())
    return steps


@lru_cache(maxsize=16)
def neighbours(board: Board) -> dict[int, tuple[int, ...]]:
    """Return the open cells next to each open cell."""
    cells = set(board.open_cells())
    return {cell: tuple(cell + way for way in DIRECTIONS if cell + way in cells) for cell in sorted(cells)}


def _spread(start: int, neighbours: dict[int, tuple[int, ...]], closed: frozenset[int]) -> Steps:
    """Return the steps from a cell to all others around the closed ones."""
    steps = np.full(CELLS, FAR, dtype=np.int64)
    steps[start] = 0
    edge, far = [start], 0
    while edge:
        far += 1
        onward = []
        for cell in edge:
            for other in neighbours[cell]:
                if steps[other] == FAR and other not in closed:
                    steps[other] = far
                    onward.append(other)
        edge = onward
    return steps


class Paths:
    """Cached paths on one board."""

    def __init__(self, board: Board) -> None:
        self.neighbours = neighbours(board)
        self._around: dict[tuple[int, Cells], Steps] = {}
        self._lateness: dict[tuple[Cells, Cells, Cells], tuple[Steps, Steps]] = {}

    def around(self, goal: int, closed: Cells) -> Steps:
        """Return the steps from every cell to a goal around closed squares."""
        found = self._around.get((goal, closed))
        if found is None:
            found = _spread(goal, self.neighbours, frozenset(closed) - {goal})
            if len(self._around) > _MAX_CACHED_PATHS:
                self._around.clear()
            self._around[goal, closed] = found
        return found

    def lateness(self, goals: Cells, closed: Cells, walls: Cells) -> tuple[Steps, Steps]:
        """Return the distances of intruders, and by how many turns guards come too late.

        First the steps from every cell to the nearest goal around ``closed`` squares; then, by the cells of
        intruder and guard, the turns by which the guard fails to stand next to the intruder's path in time,
        for the worst shortest path and with the intruder moving first. Guards go around ``walls`` and flags.
        """
        found = self._lateness.get((goals, closed, walls))
        if found is not None:
            return found
        steps = np.min([self.around(goal, closed) for goal in goals], axis=0)
        late = np.full((CELLS, CELLS), FAR, dtype=np.int64)
        for cell in sorted(self.neighbours, key=lambda cell: int(steps[cell])):
            if 0 < steps[cell] < FAR:
                late[cell] = self.around(cell, (*walls, *goals))
                onward = [other for other in self.neighbours[cell] if steps[other] == steps[cell] - 1]
                if steps[cell] > 1:
                    late[cell] = np.minimum(late[cell], late[onward].max(axis=0) - 1)
        if len(self._lateness) > _MAX_CACHED_TABLES:
            self._lateness.clear()
        self._lateness[goals, closed, walls] = steps, late
        return steps, late
