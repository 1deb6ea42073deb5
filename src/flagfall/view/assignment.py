"""Compute exactly which kinds a hidden piece can still be, given how many of each kind are left.

Pieces with the same set of kinds form a *group*. A kind is possible for a group if it occurs there in some
complete assignment of the remaining kinds to the groups. One such assignment is found as a flow; the others
differ from it by cycles, so a search around the flow answers for every pair at once::

    unmoved 3 ──┬── bomb 1          "moved" cannot be a bomb or flag, so two of the three unmoved
    moved   2 ──┼── flag 1          pieces must be bomb and flag, and the third is a scout
                └── scout 3

>>> possible([(0b11, 1), (0b10, 1)], [1, 1])   # the second must be kind 1, so the first is kind 0
(1, 2)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from operator import or_

Group = tuple[int, int]
"""a bit set of kinds, and how many pieces have exactly that set"""


def possible(groups: Sequence[Group], counts: Sequence[int]) -> Sequence[int] | None:
    """Return the possible kinds of every group; None if no complete assignment exists."""
    return _possible(tuple(groups), tuple(counts))


@lru_cache(maxsize=4096)
def _possible(groups: tuple[Group, ...], counts: tuple[int, ...]) -> Sequence[int] | None:
    """Do what `possible` says; viewers who know the same ask the same again and again."""
    flow = _assign(groups, counts)
    if flow is None:
        return None
    reach = _reachable(groups, flow, len(counts))
    result = []
    for index, (allowed, size) in enumerate(groups):
        kinds = 0
        for kind in _bits(allowed) if size else ():
            if flow[index][kind] or reach[kind] >> index & 1:
                kinds |= 1 << kind
        result.append(kinds)
    return tuple(result)


@lru_cache(maxsize=4096)
def _bits(mask: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def _assign(groups: Sequence[Group], counts: Sequence[int]) -> list[list[int]] | None:
    """Return one complete assignment: for every group, how many pieces of each kind."""
    if sum(size for _, size in groups) != sum(counts):
        return None
    left = list(counts)
    flow = [[0] * len(counts) for _ in groups]
    wanting = [0] * len(groups)
    for index in sorted(range(len(groups)), key=lambda at: groups[at][0].bit_count()):
        allowed, need = groups[index]
        for kind in _bits(allowed):
            taken = min(need, left[kind])
            flow[index][kind] += taken
            left[kind] -= taken
            need -= taken
        wanting[index] = need
    for index, need in enumerate(wanting):
        for _ in range(need):
            if not _improve(groups, flow, left, index):
                return None
    return flow


def _improve(groups: Sequence[Group], flow: list[list[int]], left: list[int], start: int) -> bool:
    """Assign one more kind to a group by exchanging kinds along a chain of groups."""
    came: dict[int, tuple[int, int]] = {}
    queue, seen = [start], {start}
    for group in queue:
        for kind in _bits(groups[group][0]):
            if left[kind]:
                left[kind] -= 1
                flow[group][kind] += 1
                while group != start:
                    taker, given = came[group]
                    flow[group][given] -= 1
                    flow[taker][given] += 1
                    group = taker
                return True
            for other in range(len(groups)):
                if other not in seen and flow[other][kind]:
                    seen.add(other)
                    came[other] = (group, kind)
                    queue.append(other)
    return False


def _reachable(groups: Sequence[Group], flow: list[list[int]], kinds: int) -> list[int]:
    """Return, for every kind, the groups that can get it by exchanges, as a bit set."""
    holders = [0] * kinds
    for index, row in enumerate(flow):
        for kind, amount in enumerate(row):
            if amount:
                holders[kind] |= 1 << index
    givers = [reduce(or_, (holders[kind] for kind in _bits(allowed)), 0) for allowed, _ in groups]
    reach = []
    for kind in range(kinds):
        seen = frontier = holders[kind]
        while frontier:
            grown = reduce(or_, (givers[index] for index in _bits(frontier)))
            frontier = grown & ~seen
            seen |= grown
        reach.append(seen)
    return reach
