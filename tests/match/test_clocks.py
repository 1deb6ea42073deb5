"""Clocks are values: time is an argument, and it is over when nothing is left."""

from __future__ import annotations

import pytest

from flagfall.edition import parse_clock
from flagfall.match import Clocks, FlagFell, Match, RefusedError
from flagfall.view.view import Result
from tests.match.games import DUEL, DUEL_NORTH, DUEL_SOUTH, barrage, mini, opened, play, started


def left(match: Match, at_ms: int) -> tuple[int | None, int | None]:
    return match.clocks.left_ms("south", at_ms), match.clocks.left_ms("north", at_ms)


@pytest.mark.rule("CM-13")
def test_there_is_no_clock_unless_one_is_chosen() -> None:
    match = barrage()
    assert match.options["clock"] == "none"
    assert left(match, 10**12) == (None, None)
    assert match.clocks.falls_at_ms is None
    assert match.check_time(10**15) is None


def test_the_clock_starts_when_both_setups_are_sealed() -> None:
    match = opened(DUEL, {"clock": "10s+0s"}, at_ms=0)
    assert left(match, 5_000) == (10_000, 10_000)
    match = started(DUEL, DUEL_SOUTH, DUEL_NORTH, {"clock": "10s+0s"}, at_ms=7_000)
    assert left(match, 7_000) == (10_000, 10_000)
    assert left(match, 9_000) == (8_000, 10_000)
    assert match.clocks.running == "south"


def test_total_time_runs_down_and_a_turn_earns_its_increment() -> None:
    match = barrage(clock="10s+2s")
    play(match, "e4-e5", at_ms=4_000)
    assert left(match, 4_000) == (8_000, 10_000)
    play(match, "e7-e6", at_ms=13_999)
    assert left(match, 13_999) == (8_000, 2_001)
    assert match.clocks.falls_at_ms == 21_999


@pytest.mark.parametrize("clock", ["10s/move", "1d"])
def test_time_for_each_move_starts_afresh(clock: str) -> None:
    limit = parse_clock(clock).limit_s * 1000
    match = barrage(clock=clock)
    play(match, "e4-e5", at_ms=limit - 1)
    assert left(match, limit - 1) == (limit, limit)
    assert left(match, limit + 499) == (limit, limit - 500)
    play(match, "e7-e6", at_ms=2 * limit - 2)
    assert left(match, 2 * limit - 2) == (limit, limit)


@pytest.mark.rule("CM-13")
@pytest.mark.parametrize("clock", ["10s+0s", "10s+5s", "10s/move"])
def test_a_millisecond_before_the_limit_is_in_time_and_the_limit_is_too_late(clock: str) -> None:
    match = barrage(clock=clock)
    assert match.check_time(9_999) is None
    play(match, "e4-e5", at_ms=9_999)
    late = barrage(clock=clock)
    with pytest.raises(RefusedError) as caught:
        late.act("south", None, "e4-e5", 10_000)
    assert caught.value.code == "time"
    assert caught.value.sentence == "Your time ran out before this came; the game is lost on time."
    assert late.result == Result("north", "time")
    assert isinstance(late.last, FlagFell)


@pytest.mark.rule("CM-13")
def test_the_flag_falls_when_it_is_checked() -> None:
    match = barrage(clock="10s+0s")
    play(match, "e4-e5", at_ms=1_000)
    assert match.check_time(10_999) is None
    entry = match.check_time(11_000)
    assert entry is not None
    assert (entry.seat, entry.at_ms, match.result) == ("north", 11_000, Result("south", "time"))
    assert left(match, 99_000) == (9_000, 0)
    assert match.check_time(99_000) is None
    assert match.messages("north")[-1].text == "You have run out of time. You lose."


def test_the_other_side_learns_that_the_game_is_over() -> None:
    match = barrage(clock="10s+0s")
    with pytest.raises(RefusedError) as caught:
        match.resign("north", 10_000)
    assert (caught.value.code, caught.value.sentence) == ("finished", "The game is over: North wins (time).")
    assert match.result == Result("north", "time")


def test_a_late_draw_offer_or_resignation_comes_too_late() -> None:
    for call in ("resign", "offer_draw"):
        match = barrage(clock="10s+0s")
        with pytest.raises(RefusedError, match="Your time ran out"):
            getattr(match, call)("south", 10_000)
        assert match.result == Result("north", "time")


def test_an_open_turn_runs_on_the_movers_clock_until_it_ends() -> None:
    match = started(DUEL, DUEL_SOUTH, DUEL_NORTH, {"clock": "10s+1s"})
    play(match, "e3-e4", "e6-e5", at_ms=0)
    play(match, "e4 spot e5", at_ms=4_000)
    assert left(match, 6_000) == (5_000, 11_000)
    play(match, "marshal", at_ms=6_000)
    assert left(match, 6_000) == (6_000, 11_000)
    assert match.clocks.running == "north"


def test_time_can_run_out_in_the_middle_of_a_turn() -> None:
    match = started(DUEL, DUEL_SOUTH, DUEL_NORTH, {"clock": "10s/move"})
    play(match, "e3-e4", "e6-e5", "e4 spot e5")
    with pytest.raises(RefusedError, match="Your time ran out"):
        match.act("south", None, "marshal", 10_000)
    assert match.result == Result("north", "time")
    assert match.view("south").prompt is None


def test_clocks_stand_still_when_the_game_is_over() -> None:
    match = mini(clock="10s+0s")
    play(match, "a1-a2", "c3-c2", at_ms=1_000)
    play(match, "a2xa3", at_ms=3_000)
    assert match.is_over
    assert left(match, 99_000) == (7_000, 10_000)
    assert match.clocks.running is None


def test_a_watch_that_goes_backwards_is_not_believed() -> None:
    match = barrage(clock="10s+0s")
    play(match, "e4-e5", at_ms=5_000)
    play(match, "e7-e6", at_ms=2_000)
    assert [entry.at_ms for entry in match.log][-2:] == [5_000, 5_000]
    assert left(match, 5_000) == (5_000, 10_000)


def test_waiting_clocks_change_nothing() -> None:
    clocks = Clocks.waiting(parse_clock("10s+0s"))
    assert clocks.turn_ended(5) is clocks
    assert clocks.stopped(5) is clocks
    assert not clocks.has_run_out(10**9)
