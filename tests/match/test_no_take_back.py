"""An action that was accepted stands."""

from __future__ import annotations

import pytest

from flagfall.match import Match, RefusedError
from tests.match.games import barrage, duel, play, rescue_ready


@pytest.mark.rule("ON-M-08", "SM-M-04")
def test_a_move_once_made_cannot_be_made_differently() -> None:
    match = barrage()
    number = match.number
    match.act("south", number, "e4-e5", 1)
    for wanted in ("e4-e3", "e5-e4", "f4-f5"):
        with pytest.raises(RefusedError) as caught:
            match.act("south", number, wanted, 2)
        assert caught.value.code == "not-your-turn"
    assert match.view("south").at("e5") is not None


@pytest.mark.rule("ON-M-08", "SM-M-04")
def test_half_a_turn_stands_as_well() -> None:
    match = play(duel(), "e3-e4", "e6-e5", "e4 spot e5")
    with pytest.raises(RefusedError, match="Your turn is not finished"):
        match.act("south", None, "e4xe5", 2)
    match = play(rescue_ready(), "c3-b3 rescue", "spy")
    with pytest.raises(RefusedError, match="Your turn is not finished"):
        match.act("south", None, "spy", 2)


@pytest.mark.rule("ON-M-08", "SM-M-04")
def test_nothing_ever_leaves_the_log() -> None:
    match = play(barrage(), "e4-e5", "e7-e6")
    taken = match.log
    assert isinstance(taken, tuple)
    play(match, "e5xe6")
    assert match.log[: len(taken)] == taken
    with pytest.raises(RefusedError, match="Moves can be taken back only in a training game") as caught:
        match.take_back("south", 2)
    assert caught.value.code == "not-training"
    assert match.turn == 3
    assert not [name for name in dir(Match) if "undo" in name or "pop" in name]
