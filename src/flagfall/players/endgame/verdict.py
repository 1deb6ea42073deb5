"""Verdict: what a table says of the actions a player may choose from, and what is left to a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from flagfall.players.search import buffers as R
from flagfall.players.search.root import Findings
from flagfall.players.search.weighting import Stakes

Search = Callable[[Sequence[int], Stakes], Findings]


@dataclass(frozen=True)
class Verdict:
    """How every legal action ends."""

    values: tuple[int, ...]
    """5 wins in five turns, -6 loses in six, 0 does neither"""

    @property
    def best(self) -> int:
        """How the best action ends: the soonest win, or neither, or the latest loss."""
        wins = [value for value in self.values if value > 0]
        if wins:
            return min(wins)
        return 0 if 0 in self.values else min(self.values)

    @property
    def kept(self) -> list[int]:
        """Places of the actions to choose from."""
        return [at for at, value in enumerate(self.values) if value == self.best]

    def without_wins(self) -> Verdict:
        """The same where no win comes in time."""
        return Verdict(tuple(min(value, 0) for value in self.values))


def weighed(
    verdict: Verdict | None, acts: Sequence[int], stakes: Stakes, scale: float, nodes: int, search: Search
) -> Findings:
    """What is found of all actions: by the verdict where it says who wins, by a search where it does not."""
    if verdict is None or not any(verdict.values):
        return search(acts, stakes)
    kept = verdict.kept
    ends = [np.sign(value) * R.WIN - value for value in verdict.values]
    values = np.tile(np.array(ends, dtype=np.float64)[:, None], (1, stakes.weights.shape[1]))
    found = Findings(list(acts), values, stakes, scale, kept, min(abs(verdict.best), R.DEEPEST), nodes)
    if verdict.best == 0:
        rest = search([acts[at] for at in kept], stakes.only(kept))
        values[kept] = rest.values
        found.active = [kept[at] for at in rest.active]
        found.depth, found.nodes = rest.depth, rest.nodes
    return found
