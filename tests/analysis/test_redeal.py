"""Dealing a hidden army anew."""

from __future__ import annotations

from random import Random

import pytest

from flagfall.analysis import redeal
from flagfall.board import parse_cell
from flagfall.edition import load_game
from flagfall.setups import read_setup
from flagfall.sides import Side
from tests.laws.test_redeal import random_game, replayed

GAME = "mini/3x4"


def test_a_sentence_says_what_to_do_when_no_army_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redeal, "looks_the_same", lambda *_: False)
    with pytest.raises(redeal.NoFittingArmyError, match="fits what South had seen; play on with the true"):
        redeal.redealt(random_game(GAME, 1), load_game(GAME), Side.SOUTH, Random(1))


def test_armies_differ_from_one_deal_to_the_next() -> None:
    record = redeal.moment_of(random_game("spin-master/duel", 1), 4)
    game = load_game(record.game)
    dealt = {redeal.redealt(record, game, Side.SOUTH, Random(seed)).setups for seed in range(6)}
    assert len(dealt) > 3


def test_a_drawn_army_that_does_not_fit_is_taken_as_far_as_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    record = redeal.moment_of(random_game("spin-master/duel", 1), 30)
    game = load_game(record.game)
    before = replayed(record)
    army = dict(read_setup(game, 1, redeal.redealt(record, game, Side.SOUTH, Random(1)).setups[1]).kinds)
    moved = next(piece for piece in before.view("south").pieces if piece.side is Side.NORTH and piece.moved)
    seen = parse_cell(moved.name)
    other = next(cell for cell, kind in army.items() if game.kinds[kind].role == "flag")
    army[seen], army[other] = army[other], army[seen]
    monkeypatch.setattr(redeal, "_drawn_armies", lambda *_: iter([army]))
    dealt = redeal.redealt(record, game, Side.SOUTH, Random(1))
    after = replayed(dealt)
    assert dealt.setups[1] != record.setups[1]
    assert game.kinds[read_setup(game, 1, dealt.setups[1]).kinds[seen]].role == "soldier"
    assert after.history("south") == before.history("south")
    assert after.view("south") == before.view("south")


@pytest.mark.parametrize("turn", [-1, 10_000])
def test_a_moment_that_does_not_exist_is_refused(turn: int) -> None:
    with pytest.raises(ValueError, match="choose a number from 0"):
        redeal.moment_of(random_game(GAME, 1), turn)
