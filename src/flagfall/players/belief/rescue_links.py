"""Links between secretly rescued pieces and the losses they may be.

If the loss was shown, the rescued piece is of its kind; if not, both are one row of the hidden army, and what
the rescued piece has done counts for that row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flagfall.players.belief.assignments import Assignments
from flagfall.players.belief.hidden import HiddenArmy

Reals = NDArray[np.float64]
MAX_LINKS = 12


@dataclass(frozen=True)
class Link:
    """For each rescued piece the row it is, or its kind if that loss was shown."""

    rows: tuple[int, ...]
    """-1 where a kind is known"""
    kinds: tuple[int, ...]
    """-1 where the row is given"""
    score: float
    """approximate likelihood, not normalised"""
    ways: int = 1
    """number of equivalent ways to link"""

    def known_score(self, factors: Sequence[Reals]) -> float:
        """Return the likelihood of the rescued pieces that are shown losses."""
        score = float(self.ways)
        for kind, factor in zip(self.kinds, factors, strict=True):
            score *= float(factor[kind]) if kind >= 0 else 1.0
        return score

    def weighed(self, weight: Reals, factors: Sequence[Reals]) -> Reals:
        """Return the weights ``[type, row, kind]`` with the likelihoods of the rescued pieces."""
        result = weight.copy()
        for row, factor in zip(self.rows, factors, strict=True):
            if row >= 0:
                result[:, row] *= factor
        return result


def likeliest_links(hidden: HiddenArmy, chances: Reals, factors: Sequence[Reals]) -> list[Link]:
    """Return the likeliest links; ``chances[row, kind]`` ignore links, ``factors`` are per rescued piece."""
    place = {row.name: i for i, row in enumerate(hidden.rows)}
    merged: dict[tuple[tuple[int, ...], tuple[int, ...]], list[float]] = {}
    for link in _all_links(hidden, place, chances, factors):
        merged.setdefault((link.rows, link.kinds), []).append(link.score)
    links = [Link(*ends, sum(scores), len(scores)) for ends, scores in merged.items() if sum(scores) > 0]
    links.sort(key=lambda link: -link.score)
    return links[:MAX_LINKS]


def _all_links(
    hidden: HiddenArmy, place: dict[str, int], chances: Reals, factors: Sequence[Reals]
) -> Iterator[Link]:
    """Yield every way to choose a different loss for each rescued piece."""

    def grow(i: int, used: frozenset[str], roots: dict[str, str], now: Reals, score: float) -> Iterator[Link]:
        if i == len(hidden.rescued):
            ends = [roots[piece.name] for piece in hidden.rescued]
            rows = tuple(-1 if end in hidden.told else place[end] for end in ends)
            yield Link(rows, tuple(hidden.told.get(end, -1) for end in ends), score)
            return
        piece, factor = hidden.rescued[i], factors[i]
        for candidate in piece.candidates:
            if candidate in used:
                continue
            root = roots.get(candidate, candidate)
            chance, after = _join(root, place, hidden.told, now, factor)
            if chance > 0:
                grown = {**roots, piece.name: root}
                yield from grow(i + 1, used | {candidate}, grown, after, score * chance)

    yield from grow(0, frozenset(), {}, chances, 1.0)


def _join(
    root: str, place: dict[str, int], told: dict[str, int], chances: Reals, factor: Reals
) -> tuple[float, Reals]:
    """Return the likelihood that a rescued piece is a loss, and the chances of all rows then."""
    if root in told:
        return float(factor[told[root]]), chances
    row = place[root]
    joint = chances[row] * factor
    total = float(joint.sum())
    if total <= 0:
        return 0.0, chances
    after = chances.copy()
    after[row] = joint / total
    return total, after


class LinkedAssignments:
    """Assignments of one army's rows; in all results rescued pieces follow the rows."""

    def __init__(
        self, hidden: HiddenArmy, share: Reals, weight: Reals, back: list[Reals], limit: int
    ) -> None:
        """``weight[type, row, kind]``; ``back``: the likelihood of each kind, per rescued piece."""
        self.hidden, self._back = hidden, back
        self._kinds = weight.shape[2]
        self.assignments = Assignments(weight, hidden.counts, share, limit)
        self._links = likeliest_links(hidden, self.assignments.chances(), back) if back else []
        self._per_link = 0
        """types per link, if links concern rows"""
        if any(max(link.rows) >= 0 for link in self._links):
            self._bind(share, weight, limit)

    def _bind(self, share: Reals, weight: Reals, limit: int) -> None:
        """Repeat all types for each link; within a type, links count by their sums over assignments."""
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
        """Return the chances ``[row or rescued piece, kind]``."""
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
        """Return the chances of a row under one link, times the share of that link."""
        types = slice(number * self._per_link, (number + 1) * self._per_link)
        told = np.zeros(self._kinds)
        told[self.assignments.kinds] = self.assignments.share[types] @ self.assignments.by_type[types, row]
        return told

    def sample(self, assignments: int, rng: np.random.Generator) -> NDArray[np.int16]:
        """Return samples ``[assignment, row or rescued piece]`` → kind."""
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
