"""Budgets: by time with a clock of our own, and by nodes."""

from __future__ import annotations

from random import Random

from flagfall.edition import load_game, resolve
from flagfall.players import Budget
from flagfall.players.belief.setup_types import setup_types
from flagfall.players.budget import HARD_CAP_MS, MIN_NODES, SPARE_MS, Deadline
from flagfall.players.searcher import SearchingPlayer


class Clock:
    """A clock that shows what it is set to, in seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_it_is_over_when_the_time_is_up() -> None:
    clock = Clock()
    deadline = Deadline(Budget(50), clock)
    deadline.note(MIN_NODES)
    assert not deadline.is_over()
    clock.now = (50 - SPARE_MS) / 1000
    assert deadline.is_over()


def test_some_nodes_are_searched_however_late_it_is() -> None:
    clock = Clock()
    deadline = Deadline(Budget(50), clock)
    clock.now = 1.0
    assert not deadline.is_over()
    assert deadline.allowance() >= MIN_NODES
    deadline.note(MIN_NODES - 1)
    assert not deadline.is_over()
    deadline.note(1)
    assert deadline.is_over()
    assert deadline.allowance() == 1


def test_the_hard_cap_limits_every_budget() -> None:
    deadline = Deadline(Budget(60_000), Clock())
    assert deadline.left_ms() == HARD_CAP_MS - SPARE_MS


def test_a_slice_is_as_long_as_the_speed_seen_allows() -> None:
    clock = Clock()
    deadline = Deadline(Budget(104), clock)
    for _ in range(40):
        deadline.allowance()
        clock.now += 0.001
        deadline.note(1000)
    assert abs(deadline.allowance() - 60_000) < 3_000


def test_the_clock_is_read_often_however_much_time_is_left() -> None:
    """A busy machine may become ten times slower during a slice."""
    deadline = Deadline(Budget(1900), Clock())
    assert deadline.allowance() <= 501, "a quarter of a second at the first speed"


def test_a_node_limit_ignores_the_clock() -> None:
    clock = Clock()
    deadline = Deadline(Budget(nodes=500), clock)
    clock.now = 1000.0
    assert deadline.allowance() == 500
    deadline.note(300)
    assert deadline.allowance() == 200
    deadline.note(200)
    assert deadline.is_over()


def test_without_any_limit_the_hard_cap_holds() -> None:
    clock = Clock()
    deadline = Deadline(Budget(None, None), clock)
    deadline.note(MIN_NODES)
    clock.now = 2.1
    assert deadline.is_over()


def test_setup_types_are_made_before_the_clock_runs() -> None:
    """It takes longer than a short action may, once a process; who counts nodes finds it when it is asked."""
    game = load_game("barrage/classic")
    setup_types.cache_clear()
    SearchingPlayer(game, resolve(game, {}), Random(1), Budget(nodes=10))
    assert setup_types.cache_info().currsize == 0
    SearchingPlayer(game, resolve(game, {}), Random(1), Budget(50))
    assert setup_types.cache_info().currsize == 2
