"""Twins: exchange hidden kinds, play the same actions, and nobody who saw the same is sent anything else."""

from __future__ import annotations

from random import Random

from tests.laws import MORE, by_game
from tests.laws.seen_game import cases_of, record
from tests.laws.twins import Outcome, exchanges, walk


@by_game
def test_what_a_viewer_is_sent_does_not_depend_on_what_it_has_not_seen(game_id: str) -> None:
    outcomes: list[Outcome] = []
    for case in cases_of(game_id, MORE * (8 if game_id.startswith("mini") else 1)):
        kept = record(case)
        rng = Random(f"twins of {case}")
        for side in (0, 1):
            for number, other in enumerate(exchanges(kept, side, rng)):
                outcomes += walk(kept, side, other, number)
    differences = [outcome.difference for outcome in outcomes if outcome.difference]
    assert not differences, f"{len(differences)} times; first {differences[0]}"
    _is_worth_something(outcomes, is_small=game_id.startswith("mini"))


def _is_worth_something(outcomes: list[Outcome], *, is_small: bool) -> None:
    """Long ways together, exchanged pieces that moved, and open turns: otherwise nothing was tried."""
    steps = sorted(outcome.steps for outcome in outcomes)
    least = (1, 8) if is_small else (12, 50)
    assert steps[len(steps) // 2] >= least[0], steps
    assert steps[-len(steps) // 5] >= least[1] // 2, steps
    assert steps[-1] >= least[1]
    assert sum(outcome.moves_of_exchanged for outcome in outcomes) >= (20 if is_small else 200)
    assert is_small or sum(outcome.open_turns for outcome in outcomes) > 0
