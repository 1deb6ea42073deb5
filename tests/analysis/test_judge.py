"""The verdict given the truth where a win can be proved."""

from __future__ import annotations

import pytest

from flagfall.analysis.analyst import Opinion
from flagfall.analysis.judge import SLOWER, Judge
from flagfall.edition import resolve
from flagfall.match.play import GameRunner
from flagfall.notation import read_turn
from flagfall.players import Budget
from flagfall.setups import setup_from_squares
from flagfall.sides import Side
from tests.players.ending import ending_game

CALM = {"a1": "flag", "b2": "marshal"}, {"a3": "flag", "c4": "general"}
"""South's Marshal takes the Flag in two turns, and nothing of North's is near its own Flag"""
RACE = {"c1": "flag", "b2": "marshal"}, {"a3": "flag", "c3": "general"}
"""the same, but North's General needs two turns as well"""


def judged(armies: tuple[dict[str, str], dict[str, str]], turn: str, nodes: int = 100_000) -> Opinion:
    """Return the verdict on South's turn; the search has thought little of it and of everything else."""
    game = ending_game(3, 4, *armies)
    setups = [setup_from_squares(game, side, army) for side, army in enumerate(armies)]
    running = GameRunner(game, resolve(game, {}), setups)
    judge = Judge(game, running.options, Side.SOUTH, "marshal", Budget(nodes=nodes))
    searched = Opinion(0.4, 0.3, "b2-c2", "Move to c2.", (), 2, 100, None, None)
    view = running.referee.view("truth")
    return judge.proved(searched, view, running.referee, read_turn(game, turn))


@pytest.mark.parametrize("turn", ["b2-a2", "b2-b3"])
def test_a_turn_that_forces_the_win_is_the_best(turn: str) -> None:
    verdict = judged(CALM, turn)
    assert (verdict.best, verdict.estimate, verdict.played, verdict.grade) == (turn, 1, 1, "best")


def test_a_turn_that_wins_a_little_later_is_good() -> None:
    verdict = judged(CALM, "b2-c2")
    assert verdict.best in ("b2-a2", "b2-b3")
    assert (verdict.played, verdict.grade) == (SLOWER, "good")
    assert not verdict.wins_at_once


def test_a_flag_that_is_left_standing_could_be_had_at_once() -> None:
    below = {"a1": "flag", "b2": "marshal"}, {"b3": "flag", "c4": "general"}
    assert judged(below, "b2xb3").played == 1
    verdict = judged(below, "b2-a2")
    assert (verdict.best, verdict.wins_at_once, verdict.played) == ("b2xb3", True, SLOWER)


def test_a_win_thrown_away_is_shown_to_its_end() -> None:
    verdict = judged(RACE, "b2-b1")
    assert (verdict.estimate, verdict.played, verdict.grade) == (1, 0.3, "blunder")
    assert [turn.side for turn in verdict.line] == ["south", "north", "south"]
    assert verdict.line[0].text == verdict.best
    assert verdict.line[-1].text.endswith("xa3")
    assert "Flag" in verdict.line[-1].words


def test_without_a_proof_the_search_is_believed() -> None:
    verdict = judged(CALM, "b2-b3", nodes=100)
    assert (verdict.best, verdict.estimate, verdict.played) == ("b2-c2", 0.4, 0.3)
