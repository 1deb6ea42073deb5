"""Twins: hidden kinds are exchanged, the same is played, and the environment shows a player the same."""

from __future__ import annotations

from itertools import islice
from random import Random

import numpy as np

from tests.laws import MORE, by_game
from tests.laws.seen_game import Record, cases_of, record
from tests.laws.twins import exchanges, same_action
from tests.rl.tables import Table

ACTIONS = 60 if MORE == 1 else 160


@by_game
def test_an_observation_does_not_depend_on_what_the_mover_has_not_seen(game_id: str) -> None:
    spread = cases_of(game_id)
    is_small = game_id.startswith("mini")
    compared = 0
    for case in spread if MORE > 1 or is_small else [spread[0], spread[-1]]:
        kept = record(case)
        rng = Random(f"rl twins {case}")
        for side in (0, 1):
            for other in islice(exchanges(kept, side, rng), None if MORE > 1 else 2):
                compared += _walk(kept, side, other)
    assert compared >= 10


def _walk(kept: Record, side: int, other: dict[int, int]) -> int:
    """Play both games while the other side cannot tell them apart; how often it was shown the same."""
    setups = kept.setups
    pair = (other, setups[1]) if side == 0 else (setups[0], other)
    game, options = kept.case.game, kept.case.options
    here, there = Table(game, options, setups), Table(game, options, pair)
    viewer, compared = 1 - side, 0
    for act in kept.actions[:ACTIONS]:
        if here.is_over or here.history[viewer] != there.history[viewer]:
            break
        if here.side == viewer:
            one, same = here.from_kernels(), there.from_kernels()
            assert np.array_equal(one.planes, same.planes), f"{kept.case}: {other}"
            assert np.array_equal(one.scalars, same.scalars), f"{kept.case}: {other}"
            assert np.array_equal(one.mask, same.mask), f"{kept.case}: {other}"
            compared += 1
        twin = same_action(there.seen_game, act, side, setups[side], other)
        if twin is None:
            break
        here.play(act)
        there.play(twin)
    return compared
