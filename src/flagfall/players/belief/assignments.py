"""All assignments of the remaining kinds to the hidden pieces, weighted: exact marginals and samples.

Each setup *type* has its own weights ``weight[piece, kind]``; the probability of an assignment in a type is
proportional to the product of its pieces' weights. Chances and samples are exact if the table of states is
small enough; otherwise similar kinds are grouped first (`kind_groups.py`). No sample is ever impossible.

>>> assignments = Assignments(np.array([[[3.0, 1.0], [1.0, 1.0]]]), np.array([1, 1]), np.array([1.0]))
>>> assignments.chances()
array([[0.75, 0.25],
       [0.25, 0.75]])
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flagfall.engine.kernel import buffer, reals
from flagfall.engine.mode import is_compiled
from flagfall.errors import FlagfallError
from flagfall.players.belief import counting
from flagfall.players.belief.kind_groups import KindGroups, group_kinds
from flagfall.view.assignment import possible

Reals = NDArray[np.float64]
TABLE_LIMIT = 400_000 if is_compiled() else 6_000
"""states × types of a table; about 10 ms compiled, and larger tables are hardly more exact"""
_SCALING_ROUNDS = 12


class ContradictionError(FlagfallError):
    """No assignment is possible: the facts contradict each other."""

    code = "contradiction"


class Assignments:
    """All assignments of ``counts`` kinds to as many pieces, for one or more setup types."""

    def __init__(self, weight: Reals, counts: NDArray[np.int64], share: Reals, limit: int = 0) -> None:
        """``weight[type, piece, kind]`` ≥ 0; ``share[type]`` is its probability; ``limit`` of the table."""
        self.kinds = np.flatnonzero(counts > 0)
        self.all_kinds = len(counts)
        self.counts = counts[self.kinds]
        self.pieces = int(self.counts.sum())
        if weight.shape[1] != self.pieces:
            raise ContradictionError("the number of pieces must be the number of kinds left")
        limit = limit or TABLE_LIMIT
        weight = weight[:, :, self.kinds]
        if np.prod(self.counts + 1.0) * len(weight) > limit:
            weight = weight * _tightened(weight > 0, self.counts)
        self.weight, scale = _scaled(weight, self.counts)
        self.groups: KindGroups = group_kinds(self.weight, self.counts, share, limit)
        self._prepare()
        table = np.empty(self.states * self._types)
        self._ways = reals(table)
        counting.forward(self._frame, self._flat, self._ways)
        self._sums = table[-self._types :][: len(self.weight)].copy()
        self._log_scale = scale
        self.set_shares(share)

    def _prepare(self) -> None:
        """Make flat buffers for the kernels, with types in the last index."""
        weight = self.groups.weight
        padding = np.repeat(weight[:1], -len(weight) % 4, axis=0)
        flat = np.ascontiguousarray(np.concatenate([weight, padding]).transpose(1, 2, 0))
        self._flat = reals(flat)
        top_counts, self._types = self.groups.counts[self.groups.top_columns], flat.shape[2]
        self._top_kinds = len(top_counts)
        self.states = int(np.prod(top_counts + 1)) if len(top_counts) else 1
        frame = np.zeros(counting.FRAME_SIZE, dtype=np.int64)
        frame[counting.KINDS], frame[counting.WIDTH] = len(top_counts), flat.shape[1]
        frame[counting.TYPES], frame[counting.STATES] = self._types, self.states
        frame[counting.PIECES] = self.pieces
        for first, values in (
            (counting.COUNTS, top_counts),
            (counting.STRIDES, np.cumprod(np.append(1, top_counts + 1))[:-1]),
            (counting.COLUMNS, self.groups.top_columns),
        ):
            frame[first : first + len(top_counts)] = values
        self._frame = buffer(frame)
        self._tree = buffer(np.array([*self.groups.tree, (0, 0, 0, 0)], dtype=np.int64).reshape(-1))

    def set_shares(self, share: Reals) -> None:
        """Set the probabilities of the types; those without a possible assignment get 0."""
        possible = np.isfinite(self._sums) & (self._sums > 0)
        self.share = np.where(possible, share, 0.0)
        if self.share.sum() <= 0:
            if not possible.any():
                raise ContradictionError("no assignment is possible")
            self.share = possible.astype(np.float64)
        self.share = self.share / self.share.sum()

    @property
    def log_sums(self) -> Reals:
        """For every type the logarithm of the sum over all assignments; an estimate with groups."""
        with np.errstate(divide="ignore"):
            result: Reals = np.log(self._sums) + self._log_scale + self.groups.log_correction
        return result

    @cached_property
    def by_type(self) -> Reals:
        """Chances within every type, ``[type, piece, kind]``."""
        rest = reals(np.empty(self.states * self._types))
        sums = np.zeros(self.pieces * self._top_kinds * self._types)
        counting.backward(self._frame, self._flat, self._ways, rest, reals(sums))
        chances = sums.reshape(self.pieces, self._top_kinds, self._types).transpose(2, 0, 1)[
            : len(self.weight)
        ]
        divisor = np.where(self._sums > 0, self._sums, 1.0)[:, None, None]
        return self.groups.ungroup(chances / divisor)

    def chances(self) -> Reals:
        """Return the chances ``[piece, kind]`` over all types."""
        result = np.zeros((self.pieces, self.all_kinds))
        result[:, self.kinds] = np.tensordot(self.share, self.by_type, 1)
        return result

    def sample(
        self, assignments: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
        """Return samples ``[assignment, piece]`` → kind, and the type of each."""
        chosen = rng.choice(len(self.share), size=assignments, p=self.share).astype(np.int64)
        depth = len(self.groups.tree)
        uniforms = rng.random(assignments * self.pieces * (depth + 1) + 1)
        drawn = np.zeros(assignments * self.pieces + 1, dtype=np.int64)
        scratch = np.zeros((self.pieces + 2) * (self.pieces + 2))
        counting.sample_many(
            self._frame,
            self._tree,
            depth,
            self._flat,
            self._ways,
            buffer(chosen),
            reals(uniforms),
            assignments,
            buffer(drawn),
            reals(scratch),
        )
        result = drawn[: assignments * self.pieces].reshape(assignments, self.pieces)
        for number in np.flatnonzero(result[:, :1] < 0):
            result[number] = _forced_assignment(self.weight[chosen[number]], self.counts, rng)
        return self.kinds[result].astype(np.int16), chosen


def _tightened(support: NDArray[np.bool_], counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return ``[type, piece, kind]``: which kinds a piece can have in some complete assignment."""
    bits = 1 << np.arange(len(counts), dtype=np.int64)
    result = np.zeros_like(support)
    answers: dict[bytes, NDArray[np.bool_]] = {}
    for number, rows in enumerate(support):
        key = rows.tobytes()
        if key not in answers:
            masks = (rows * bits).sum(axis=1)
            sets, place, sizes = np.unique(masks, return_inverse=True, return_counts=True)
            groups = [(int(mask), int(size)) for mask, size in zip(sets, sizes, strict=True)]
            found = possible(groups, [int(count) for count in counts]) or [0] * len(groups)
            answers[key] = (np.array(found, dtype=np.int64)[place][:, None] & bits) != 0
        result[number] = answers[key]
    return result


def _scaled(weight: Reals, counts: NDArray[np.int64]) -> tuple[Reals, Reals]:
    """Return weights scaled so that rows nearly add up to 1 and columns to the counts, and the log scale.

    Scaling a row or column changes no probability, because every assignment uses each row once and each
    column ``counts`` times; it keeps the sums within the range of floats.
    """
    scaled = np.array(weight, dtype=np.float64)
    log_scale = np.zeros(len(scaled))
    for _ in range(_SCALING_ROUNDS):
        for axis in (1, 2):
            total = scaled.sum(axis=axis, keepdims=True)
            factor = np.where(total > 0, total, 1.0) / (counts if axis == 1 else 1.0)
            scaled /= factor
            times = counts if axis == 1 else np.ones(1)
            log_scale += (np.log(factor) * times).sum(axis=(1, 2))
    return scaled, log_scale


def _forced_assignment(
    weight: Reals, counts: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return one assignment, ``[piece]`` → kind, that gives no piece a kind of weight 0."""
    left = [int(count) for count in counts]
    masks = [sum(1 << int(kind) for kind in np.flatnonzero(row > 0)) for row in weight]
    assigned = np.zeros(len(weight), dtype=np.int64)
    for piece, row in enumerate(weight):
        groups = [(mask, 1) for mask in masks[piece:]]
        answer = possible(groups, left)
        if answer is None:
            raise ValueError("no assignment is possible")
        chance = np.array([row[kind] * left[kind] * (answer[0] >> kind & 1) for kind in range(len(left))])
        assigned[piece] = rng.choice(len(left), p=chance / chance.sum())
        left[assigned[piece]] -= 1
    return assigned
