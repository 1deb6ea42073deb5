"""The positions of the browser tests: one for every power, and each can be reached and played on."""

from __future__ import annotations

import pytest

from tests.e2e.feats import feats
from tests.e2e.position import OTHER, position, positions


def test_every_power_of_every_game_has_a_position() -> None:
    assert positions() == sorted(feat.name for feat in feats())


@pytest.mark.parametrize("name", positions())
def test_a_position_can_be_played(name: str) -> None:
    stands = position(name)
    before, after = stands.match(("Anna", "Ben")), stands.match(("Anna", "Ben"), len(stands.turn))
    assert before.to_move == stands.seat
    assert not before.is_turn_open
    assert after.to_move == OTHER[stands.seat]
    assert not after.is_turn_open
