"""The worlds a belief draws from: deals of the hidden rows, and a link for every piece rescued in silence."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flagfall.players.belief.assignments import Assignments
from flagfall.players.belief.hidden import HiddenArmy
from flagfall.players.belief.rescue_links import likeliest_links

Reals = NDArray[np.float64]


class LinkedAssignments:
    """Deals of one army's rows; rescued pieces stand behind the rows in all answers."""

    def __init__(
        self, hidden: HiddenArmy, share: Reals, weight: Reals, back: list[Reals], limit: int
    ) -> None:
        """``weight[type, row, kind]``; ``back``: per rescued piece what its deeds say of each kind."""
        self.hidden, self._back = hidden, back
        self._kinds = weight.shape[2]
        self.assignments = Assignments(weight, hidden.counts, share, limit)
        self._links = likeliest_links(hidden, self.assignments.chances(), back) if back else []
        self._per_link = 0
        """types in the worlds of one link, if links bind rows"""
        if any(link.binds for link in self._links):
            self._bind(share, weight, limit)

    def _bind(self, share: Reals, weight: Reals, limit: int) -> None:
        """One world of types for each link; within a type, links count as the sums over their deals do."""
        worlds = np.concatenate([link.weighed(weight, self._back) for link in self._links])
        even = np.full(len(worlds), 1.0 / len(worlds))
        self.assignments = Assignments(worlds, self.hidden.counts, even, limit)
        self._per_link = len(share)
        sums = self.assignments.log_sums.reshape(len(self._links), len(share))
        sums = sums + np.log([[link.known_score(self._back)] for link in self._links])
        highest = sums.max(axis=0)
        link_weights = np.exp(sums - np.where(np.isfinite(highest), highest, 0.0))
        total = link_weights.sum(axis=0)
        self.assignments.set_shares((link_weights / np.where(total > 0, total, 1.0) * share).reshape(-1))

    def _link_shares(self) -> Reals:
        if self._per_link:
            result: Reals = self.assignments.share.reshape(-1, self._per_link).sum(axis=1)
        else:
            result = np.array([link.score for link in self._links])
        result /= result.sum()
        return result

    def chances(self) -> Reals:
        """Chances ``[row or rescued piece, kind]``."""
        rows = self.assignments.chances()
        if not self._links:
            return rows
        rescued = np.zeros((len(self._back), self._kinds))
        shares = self._link_shares()
        for number, link in enumerate(self._links):
            for i, (row, kind) in enumerate(zip(link.rows, link.kinds, strict=True)):
                if kind >= 0:
                    rescued[i, kind] += shares[number]
                else:
                    rescued[i] += self._row_in_link(number, row)
        return np.concatenate([rows, rescued])

    def _row_in_link(self, number: int, row: int) -> Reals:
        """Chances of a row in the worlds of one link, times the share of that link."""
        worlds = slice(number * self._per_link, (number + 1) * self._per_link)
        told = np.zeros(self._kinds)
        told[self.assignments.kinds] = self.assignments.share[worlds] @ self.assignments.by_type[worlds, row]
        return told

    def sample(self, assignments: int, rng: np.random.Generator) -> NDArray[np.int16]:
        """Worlds by lot, ``[world, row or rescued piece]`` → kind."""
        drawn, chosen = self.assignments.sample(assignments, rng)
        if not self._links:
            return drawn
        if self._per_link:
            linked = chosen // self._per_link
        else:
            linked = rng.choice(len(self._links), size=assignments, p=self._link_shares())
        rows = np.array([link.rows for link in self._links])[linked]
        kinds = np.array([link.kinds for link in self._links])[linked]
        if drawn.shape[1]:
            kinds = np.where(rows >= 0, np.take_along_axis(drawn, np.maximum(rows, 0), axis=1), kinds)
        return np.concatenate([drawn, kinds.astype(np.int16)], axis=1)
