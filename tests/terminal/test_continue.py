"""Playing on from a moment of a recorded game in the terminal."""

from __future__ import annotations

from random import Random

import pytest

from flagfall.errors import UserError
from flagfall.match import load, save, to_record
from flagfall.terminal.start import RecordedMoment, StartOptions, continue_game
from tests.laws.test_redeal import random_game
from tests.terminal.script import Script
from tests.terminal.table import play

RECORD = random_game("spin-master/duel", 1)


def test_a_recorded_game_goes_on_against_a_computer_player() -> None:
    given = StartOptions(against="random", side="north")
    table = continue_game(given, RecordedMoment(RECORD, 12), Script(["quit"]), Random(1))
    text = play(table)
    assert "Continued from turn 12 of an earlier game; the hidden pieces of South were dealt again." in text
    assert table.match.setup_text("north") == RECORD.setups[1]
    assert table.match.setup_text("south") != RECORD.setups[0]
    assert list(table.computers) == ["south"]
    again = load(save(table.match))
    assert to_record(again).comments == to_record(table.match).comments != ()


def test_the_true_armies_can_be_kept() -> None:
    given = StartOptions(against="random")
    table = continue_game(given, RecordedMoment(RECORD, 12, "true"), Script(["quit"]), Random(1))
    assert (table.match.setup_text("south"), table.match.setup_text("north")) == RECORD.setups


@pytest.mark.parametrize(
    ("given", "moment", "words"),
    [
        (StartOptions(against="random"), RecordedMoment(RECORD, 999), "has 50 turns"),
        (StartOptions(against="random"), RecordedMoment(RECORD, -1), "has 50 turns"),
        (StartOptions(against="random", side="west"), RecordedMoment(RECORD), "not a side"),
        (StartOptions(against="random", game="mini/3x3"), RecordedMoment(RECORD), "give no game"),
        (StartOptions(against="random"), RecordedMoment(RECORD, 1, "cards"), "belief or true"),
        (StartOptions(against="human"), RecordedMoment(RECORD, 1), "--deal true"),
    ],
)
def test_what_cannot_be_continued_is_said(given: StartOptions, moment: RecordedMoment, words: str) -> None:
    with pytest.raises(UserError, match=words):
        continue_game(given, moment, Script([]), Random(1))
