"""A match becomes a record that people read, and a record becomes a match that can be played on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flagfall.edition import game_ids, load_game
from flagfall.match import Annotations, MatchError, RefusedError, from_record, to_record
from flagfall.notation import Record, Turn, read_record, write_record
from flagfall.view.view import VIEWERS, Result
from tests.match.games import MINI, barrage, duel, mini, opened, play, random_match, rescue_ready


@pytest.mark.parametrize("game_id", game_ids())
def test_a_match_and_the_match_of_its_record_are_the_same_game(game_id: str) -> None:
    match = random_match(load_game(game_id), 8, 50)
    record = to_record(match)
    again = from_record(read_record(write_record(record)))
    assert to_record(again) == record
    for viewer in VIEWERS:
        assert again.view(viewer) == match.view(viewer)


def test_a_record_holds_setups_options_turns_and_result() -> None:
    match = play(mini(clock="5m+0s"), "a1-a2", "c3-c2", "a2xa3")
    assert to_record(match) == Record(
        "mini/3x3",
        ("Anna", "Ben"),
        ("XsF", "FsX"),
        (Turn("a1-a2"), Turn("c3-c2"), Turn("a2xa3")),
        Result("south", "flag captured"),
        {"clock": "5m+0s"},
    )


def test_actions_of_one_turn_stand_on_one_line_however_they_came() -> None:
    match = play(rescue_ready(), "c3-b3 rescue", "spy", "b1")
    assert to_record(match).turns[-1] == Turn("c3-b3 rescue spy b1")
    strike = play(rescue_ready(by_strike=True, rescue_on_strike="on"), "c2xc3 rescue", "spy", "b1")
    assert to_record(strike).turns[-1] == Turn("c2xc3 rescue spy b1")
    assert to_record(from_record(to_record(strike))) == to_record(strike)


def test_an_open_turn_is_recorded_and_taken_up_again() -> None:
    match = play(duel(), "e3-e4", "e6-e5", "e4 spot e5")
    record = to_record(match)
    assert record.turns[-1] == Turn("e4 spot e5", is_open=True)
    again = play(from_record(record), "marshal")
    assert to_record(again).turns[-1] == Turn("e4 spot e5 marshal")


def test_comments_are_kept() -> None:
    match = play(barrage(), "e4-e5", "e7-e6")
    match.annotations = Annotations("2026-11-15", ("in the garden",), {1: "too bold", 9: "never played"})
    record = to_record(match)
    assert [turn.comment for turn in record.turns] == ["", "too bold"]
    again = from_record(record)
    assert to_record(again) == record
    assert again.annotations.turns == {1: "too bold"}


@pytest.mark.parametrize("how", ["resigned", "agreed", "time"])
def test_a_game_that_ended_at_the_table_comes_back(how: str) -> None:
    match = play(barrage(clock="10s+0s"), "e4-e5")
    if how == "resigned":
        match.resign("south", 0)
    elif how == "agreed":
        match.offer_draw("south", 0)
        match.answer_draw("north", True, 0)
    else:
        match.check_time(10_000)
    again = from_record(to_record(match), at_ms=77)
    assert again.result == match.result
    assert to_record(again) == to_record(match)


def test_a_game_that_was_called_off_is_unfinished() -> None:
    match = barrage()
    match.abort(None, 0)
    assert to_record(match).result is None


def test_the_clocks_of_a_record_start_when_it_is_taken_up() -> None:
    match = from_record(to_record(play(barrage(clock="10s+0s"), "e4-e5")), at_ms=1_000_000)
    assert match.clocks.left_ms("north", 1_004_000) == 6_000


def test_there_is_no_record_before_both_setups_are_in() -> None:
    with pytest.raises(RefusedError, match="A record needs both setups; seal them first"):
        to_record(opened(MINI))


GOOD = to_record(play(mini(), "a1-a2", "c3-c2"))


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        (replace(GOOD, game="mini/9x9"), "The head of the record is wrong: There is no game “mini/9x9”"),
        (replace(GOOD, options={"rescue_zone": "half"}), "The head of the record is wrong"),
        (
            replace(GOOD, setups=("XXF", "FsX")),
            "The head of the record is wrong: The setup has 2 Marshals",
        ),
        (replace(GOOD, players=("", "Ben")), "The head of the record is wrong: The name of south"),
        (replace(GOOD, turns=(Turn("a1-a3"),)), "Turn 1s cannot be played: Your Marshal moves one square"),
        (replace(GOOD, turns=(Turn("a1-a9"),)), "Turn 1s cannot be read: “a9” is not a square of this board"),
        (replace(GOOD, turns=(Turn("a1-a2", is_open=True),)), "Turn 1s is finished, but marked as open"),
        (
            replace(GOOD, result=Result("south", "flag captured")),
            "The record says “south wins, flag captured”, but on the board it is “unfinished”",
        ),
        (replace(GOOD, result=Result("south", "time")), "but on the board it is “unfinished”"),
    ],
)
def test_a_record_that_is_no_game_is_refused_with_its_place(record: Record, sentence: str) -> None:
    with pytest.raises(MatchError) as caught:
        from_record(record)
    assert sentence in str(caught.value)


def test_a_record_without_the_result_of_its_board_is_refused() -> None:
    ended = to_record(play(mini(), "a1-a2", "c3-c2", "a2xa3"))
    with pytest.raises(MatchError, match="but on the board it is “south wins, flag captured”"):
        from_record(replace(ended, result=None))


def test_an_unfinished_turn_that_is_not_marked_is_refused() -> None:
    record = to_record(play(duel(), "e3-e4", "e6-e5", "e4 spot e5"))
    unmarked = (*record.turns[:-1], Turn("e4 spot e5"))
    with pytest.raises(MatchError, match="Turn 2s is not finished, but the record goes on"):
        from_record(replace(record, turns=unmarked))
