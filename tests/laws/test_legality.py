"""Legality from sight: what the mover may do follows from what the mover knows."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from flagfall.edition import game_ids
from flagfall.engine.action import Action
from flagfall.engine.play import legal_actions
from flagfall.view.view import VIEWERS
from tests.laws import MORE
from tests.laws.sitting import Record, every_case, record
from tests.laws.worlds import imagine


@pytest.mark.parametrize("game_id", game_ids())
def test_legal_actions_are_those_of_any_world_the_mover_may_imagine(game_id: str) -> None:
    tried = 0
    for case in every_case():
        if case.game.id == game_id:
            for again in range(MORE):
                tried += _worlds_agree(
                    record(replace(case, seed=case.seed + 1000 * again)),
                    3 if game_id.startswith("mini") else 11,
                )
    assert tried >= 20


def _worlds_agree(kept: Record, every: int) -> int:
    rng = Random(f"worlds of {kept.case}")
    sitting = kept.sit()
    tried = 0
    for at, act in enumerate(kept.actions):
        if at % every == rng.randrange(every) or sitting.state.is_turn_open:
            viewer = VIEWERS[sitting.state.side]
            knowledge = sitting.eyes.knowledge[viewer]
            events = [event for seen in kept.seen[: at + 1] for event in seen[viewer]]
            truth = sitting.legal()
            for _ in range(2):
                world = imagine(sitting, knowledge, events, rng)
                assert legal_actions(sitting.tables, world) == truth, f"{kept.case}, after {at} actions"
            view = sitting.eyes.view(sitting.state, viewer)
            assert [one.pack() for one in view.legal] == truth
            assert all(Action.unpack(one).pack() == one for one in truth)
            tried += 1
        sitting.play(act)
    return tried
