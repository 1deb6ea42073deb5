"""The laws: what holds in every game, whatever is played. Random games, fixed seeds.

``FLAGFALL_SOAK=1`` plays ten times as many.
"""

from __future__ import annotations

import os

import pytest

from flagfall.edition import game_ids

MORE = 10 if os.environ.get("FLAGFALL_SOAK") else 1
"""how many times as many games as usual"""

by_game = pytest.mark.parametrize(
    "game_id",
    [pytest.param(game_id, marks=pytest.mark.xdist_group(f"laws {game_id}")) for game_id in game_ids()],
)
"""once for every game; the tests of one game run in one process and share its random games"""
