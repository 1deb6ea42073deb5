"""Worth by what is left: ladders collapse, the highest becomes invincible, diggers need bombs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flagfall.edition import load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.players.evaluation.piece_values import Ladder, standard_weights

GAME = load_game("onyx/classic")
NUMBER = {kind.id: index for index, kind in enumerate(GAME.kinds)}
LADDER = Ladder(compile_game(GAME, resolve(GAME, {})), len(GAME.kinds), standard_weights())
FULL = np.array(GAME.rosters[0], dtype=np.int64)


def _worth(kind: str, enemy: NDArray[np.int64], own: NDArray[np.int64] = FULL) -> float:
    return float(LADDER.worth(own, enemy, 0)[NUMBER[kind]])


def _without(*kinds: str) -> NDArray[np.int64]:
    left = FULL.copy()
    for kind in kinds:
        left[NUMBER[kind]] = 0
    return left


def test_who_beats_more_is_worth_more() -> None:
    ladder = ["marshal", "general", "colonel", "major", "captain", "lieutenant", "sergeant"]
    worth = [_worth(kind, FULL) for kind in ladder]
    assert worth == sorted(worth, reverse=True)
    assert worth[0] > 1.3 * worth[1]


def test_the_highest_left_is_worth_more_when_nobody_can_take_it() -> None:
    assert _worth("marshal", _without("spy", "lieutenant")) > _worth(
        "marshal", _without("lieutenant", "major")
    )


def test_a_spy_dies_with_its_victim() -> None:
    assert _worth("spy", FULL) > 2 * _worth("spy", _without("marshal"))


def test_diggers_are_worth_more_while_there_are_bombs_and_when_few_are_left() -> None:
    assert _worth("miner", FULL) > _worth("miner", _without("bomb"))
    last = FULL.copy()
    last[NUMBER["miner"]] = 1
    assert _worth("miner", FULL, last) > _worth("miner", FULL)


def test_the_ladder_collapses() -> None:
    """With nothing above a scout left on the other side, marshal and captain do the same work."""
    poor = _without(
        "marshal", "general", "colonel", "major", "captain", "lieutenant", "sergeant", "miner", "spy"
    )
    assert _worth("marshal", poor) == _worth("captain", poor)


def test_the_last_who_can_move_is_worth_more() -> None:
    """The side that takes the last piece that can move has won the game."""
    last = FULL * 0
    last[NUMBER["flag"]], last[NUMBER["captain"]] = 1, 1
    two = last.copy()
    two[NUMBER["captain"]] = 2
    assert _worth("captain", FULL, last) > _worth("captain", FULL, two) + 100
    assert _worth("captain", FULL, two) > _worth("captain", FULL)
