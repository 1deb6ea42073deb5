"""Piece values by what is left: the highest becomes invincible, diggers need bombs, spies a victim."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flagfall.edition import load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.players.evaluation.piece_values import PieceValues, standard_weights

GAME = load_game("onyx/classic")
NUMBER = {kind.id: index for index, kind in enumerate(GAME.kinds)}
PIECE_VALUES = PieceValues(compile_game(GAME, resolve(GAME, {})), len(GAME.kinds), standard_weights())
FULL = np.array(GAME.rosters[0], dtype=np.int64)


def _value(kind: str, enemy: NDArray[np.int64], own: NDArray[np.int64] = FULL) -> float:
    return float(PIECE_VALUES.values(own, enemy, 0)[NUMBER[kind]])


def _without(*kinds: str) -> NDArray[np.int64]:
    left = FULL.copy()
    for kind in kinds:
        left[NUMBER[kind]] = 0
    return left


def test_who_beats_more_is_worth_more() -> None:
    kinds = ["marshal", "general", "colonel", "major", "captain", "lieutenant", "sergeant"]
    values = [_value(kind, FULL) for kind in kinds]
    assert values == sorted(values, reverse=True)
    assert values[0] > 1.3 * values[1]


def test_the_highest_piece_is_worth_more_when_no_enemy_can_take_it() -> None:
    assert _value("marshal", _without("spy", "lieutenant")) > _value(
        "marshal", _without("lieutenant", "major")
    )


def test_a_spy_dies_with_its_victim() -> None:
    assert _value("spy", FULL) > 2 * _value("spy", _without("marshal"))


def test_diggers_are_worth_more_while_there_are_bombs_and_when_few_are_left() -> None:
    assert _value("miner", FULL) > _value("miner", _without("bomb"))
    last = FULL.copy()
    last[NUMBER["miner"]] = 1
    assert _value("miner", FULL, last) > _value("miner", FULL)


def test_values_meet_when_the_ranks_between_them_are_gone() -> None:
    """With nothing above a scout left on the other side, marshal and captain do the same work."""
    poor = _without(
        "marshal", "general", "colonel", "major", "captain", "lieutenant", "sergeant", "miner", "spy"
    )
    assert _value("marshal", poor) == _value("captain", poor)


def test_the_last_who_can_move_is_worth_more() -> None:
    """The side that takes the last piece that can move has won the game."""
    last = FULL * 0
    last[NUMBER["flag"]], last[NUMBER["captain"]] = 1, 1
    two = last.copy()
    two[NUMBER["captain"]] = 2
    assert _value("captain", FULL, last) > _value("captain", FULL, two) + 100
    assert _value("captain", FULL, two) > _value("captain", FULL)
