"""Chances and samples over all assignments of the remaining kinds are exact."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from flagfall.players.belief.assignments import Assignments, ContradictionError

Reals = NDArray[np.float64]
Counts = NDArray[np.int64]


def every_assignment(counts: list[int]) -> Iterator[list[int]]:
    """All ways to give kinds to pieces in order."""
    if not any(counts):
        yield []
    for kind, left in enumerate(counts):
        if left:
            rest = [*counts[:kind], left - 1, *counts[kind + 1 :]]
            for assignment in every_assignment(rest):
                yield [kind, *assignment]


def by_hand(weight: Reals, counts: Counts) -> tuple[Reals, Reals]:
    """Per type the sum over all assignments, and each piece's share of it by kind."""
    pieces = np.arange(weight.shape[1])
    sums, parts = np.zeros(len(weight)), np.zeros(weight.shape)
    for assignment in every_assignment([int(count) for count in counts]):
        product = weight[:, pieces, assignment].prod(axis=1)
        sums += product
        parts[:, pieces, assignment] += product[:, None]
    return sums, parts


def random_case(rng: np.random.Generator) -> tuple[Reals, Counts, Reals]:
    pieces, kinds, types = rng.integers(1, 8), rng.integers(1, 5), rng.integers(1, 4)
    counts = np.bincount(rng.integers(0, kinds, pieces), minlength=kinds)
    weight = rng.random((types, pieces, kinds)) ** 3 * (rng.random((pieces, kinds)) < 0.75)
    share = rng.random(types)
    return weight, counts, share / share.sum()


def test_chances_and_sums_of_a_thousand_small_armies_are_those_counted_by_hand() -> None:
    rng = np.random.default_rng(20)
    checked = 0
    while checked < 1000:
        weight, counts, share = random_case(rng)
        sums, parts = by_hand(weight, counts)
        if not (sums > 0).all():
            continue
        assignments = Assignments(weight, counts, share)
        expected = np.tensordot(share, parts / sums[:, None, None], 1)
        assert not assignments.groups.tree
        assert np.abs(assignments.chances() - expected).max() < 1e-9
        assert np.abs(assignments.log_sums - np.log(sums)).max() < 1e-9
        checked += 1


def test_samples_are_as_frequent_as_their_chances() -> None:
    rng = np.random.default_rng(3)
    counts = np.array([2, 1, 2])
    weight = rng.random((2, 5, 3)) + 0.05
    share = np.array([0.3, 0.7])
    sums, _ = by_hand(weight, counts)
    likely = {
        tuple(assignment): float(share @ (weight[:, np.arange(5), assignment].prod(axis=1) / sums))
        for assignment in every_assignment([2, 1, 2])
    }
    count = 20_000
    drawn, _ = Assignments(weight, counts, share).sample(count, np.random.default_rng(5))
    found = dict.fromkeys(likely, 0)
    for assignment in drawn:
        found[tuple(int(kind) for kind in assignment)] += 1
    gap = sum(
        (found[assignment] - count * chance) ** 2 / (count * chance) for assignment, chance in likely.items()
    )
    freedom = len(likely) - 1
    assert freedom == 29
    assert gap < 58.3, "chi-square, one in a thousand"


def test_the_same_seed_draws_the_same_armies() -> None:
    assignments = Assignments(
        np.random.default_rng(1).random((1, 6, 3)) + 0.1, np.array([3, 2, 1]), np.ones(1)
    )
    first, _ = assignments.sample(50, np.random.default_rng(9))
    second, _ = assignments.sample(50, np.random.default_rng(9))
    assert (first == second).all()


def test_facts_that_contradict_each_other_are_refused() -> None:
    nobody_can_be_kind_1 = np.array([[[1.0, 0.0], [1.0, 0.0]]])
    with pytest.raises(ContradictionError):
        Assignments(nobody_can_be_kind_1, np.array([1, 1]), np.ones(1))
    with pytest.raises(ContradictionError):
        Assignments(np.ones((1, 3, 2)), np.array([1, 1]), np.ones(1))


def test_an_army_with_nothing_hidden_has_one_assignment() -> None:
    assignments = Assignments(np.ones((1, 0, 2)), np.array([0, 0]), np.ones(1))
    assert assignments.chances().shape == (0, 2)
    assert assignments.sample(3, np.random.default_rng(1))[0].shape == (3, 0)


class TestBundles:
    """Too many states: kinds are dealt in bundles, and told apart afterwards."""

    counts = np.array([1, 2, 3, 2, 1])
    moved = 4

    def weight(self) -> Reals:
        """Four pieces have moved: they are neither kind 0 nor kind 1."""
        weight = np.random.default_rng(8).random((3, 9, 5)) + 0.2
        weight[:, : self.moved, :2] = 0.0
        return weight

    def assignments(self, limit: int) -> Assignments:
        return Assignments(self.weight(), self.counts, np.array([0.5, 0.25, 0.25]), limit)

    @pytest.mark.parametrize("limit", [3, 30, 90, 200])
    def test_no_sample_is_impossible(self, limit: int) -> None:
        assignments = self.assignments(limit)
        assert assignments.groups.tree
        drawn, _ = assignments.sample(500, np.random.default_rng(2))
        assert (drawn[:, : self.moved] >= 2).all()
        for army in drawn:
            assert (np.bincount(army, minlength=5) == self.counts).all()

    def test_chances_stay_near_the_exact_ones_and_count_every_kind_in_full(self) -> None:
        exact, grouped = self.assignments(10**6).chances(), self.assignments(90).chances()
        assert np.allclose(grouped.sum(axis=0), self.counts, atol=1e-6)
        assert np.allclose(grouped.sum(axis=1), 1.0, atol=1e-6)
        assert (grouped[: self.moved, :2] == 0).all()
        assert np.abs(exact - grouped).max() < 0.03

    def test_the_sum_over_all_assignments_is_nearly_right(self) -> None:
        exact, grouped = self.assignments(10**6).log_sums, self.assignments(90).log_sums
        assert np.abs(exact - grouped).max() < 0.1
