"""Dealing a hidden army anew."""

from __future__ import annotations

from random import Random

import pytest

from flagfall.analysis import redeal
from flagfall.edition import load_game
from flagfall.sides import Side
from tests.laws.test_redeal import random_game

GAME = "mini/3x4"


def test_a_sentence_says_what_to_do_when_no_army_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redeal, "_looks_the_same", lambda *_: False)
    with pytest.raises(redeal.NoFittingArmyError, match="fits what South had seen; play on with the true"):
        redeal.redealt(random_game(GAME, 1), load_game(GAME), Side.SOUTH, Random(1))


def test_armies_differ_from_one_deal_to_the_next() -> None:
    record = redeal.moment_of(random_game("spin-master/duel", 1), 4)
    game = load_game(record.game)
    dealt = {redeal.redealt(record, game, Side.SOUTH, Random(seed)).setups for seed in range(6)}
    assert len(dealt) > 3


@pytest.mark.parametrize("turn", [-1, 10_000])
def test_a_moment_that_does_not_exist_is_refused(turn: int) -> None:
    with pytest.raises(ValueError, match="choose a number from 0"):
        redeal.moment_of(random_game(GAME, 1), turn)
