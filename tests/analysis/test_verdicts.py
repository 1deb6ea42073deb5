"""The verdicts of a review where the truth is known: a small version of `python -m bench review`."""

from __future__ import annotations

from bench.review_verdicts import ThrownWin, endings, forced_wins, throw_away, wins_at_once


def test_the_best_action_of_solved_positions_is_named() -> None:
    for position in (*endings(1), *forced_wins(2), *wins_at_once(2)):
        assert position.best(2_000) in position.right, position.name


def test_a_win_thrown_away_is_a_turning_point() -> None:
    thrown = next(found for seed in range(1, 200) if (found := throw_away("mini/3x4", seed)))
    assert isinstance(thrown, ThrownWin)
    assert thrown.turn in thrown.named(600)
