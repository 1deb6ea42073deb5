"""The referee refuses in a fixed order, each time with a code and one sentence, and nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from flagfall.board import parse_cell
from flagfall.engine.action import MOVE, Action
from flagfall.match import Match, RefusedError
from tests.match.games import MINI_4, barrage, duel, mini, opened, play, rescue_ready


def refused(match: Match, call: Callable[[], object]) -> tuple[str, str]:
    """Code and sentence of a refusal that leaves everything as it was."""
    before = match.digest(), match.log
    with pytest.raises(RefusedError) as caught:
        call()
    assert (match.digest(), match.log) == before
    assert str(caught.value) == caught.value.sentence
    return caught.value.code, caught.value.sentence


def finished() -> Match:
    match = barrage()
    match.resign("north", 5)
    return match


def mini_opened() -> Match:
    return opened(mini().game)


@pytest.mark.parametrize("seat", ["south", "north", "watcher"])
def test_a_finished_game_is_refused_before_anything_else(seat: str) -> None:
    match = finished()
    assert refused(match, lambda: match.act(seat, 99, "nonsense", 9)) == (
        "finished",
        "The game is over: South wins (resigned).",
    )


def test_a_game_without_both_setups_is_refused_next() -> None:
    match = mini_opened()
    assert refused(match, lambda: match.act("watcher", 99, "nonsense", 9)) == (
        "not-started",
        "The game has not started: both setups are still to come.",
    )
    match.seal("north", "FsX", 0)
    assert refused(match, lambda: match.act("north", 99, "nonsense", 9)) == (
        "not-started",
        "The game has not started: South's setup is still to come.",
    )


def test_an_unknown_seat_is_refused_next() -> None:
    match = barrage()
    assert refused(match, lambda: match.act("watcher", 99, "nonsense", 9)) == (
        "unknown-seat",
        "There is no seat “watcher”; the seats are south and north.",
    )


def test_the_wrong_turn_is_refused_next() -> None:
    match = barrage()
    assert refused(match, lambda: match.act("north", 99, "nonsense", 9)) == (
        "not-your-turn",
        "It is South's turn; wait until South has moved.",
    )


def test_a_stale_number_is_refused_next() -> None:
    match = barrage()
    assert refused(match, lambda: match.act("south", 2, "nonsense", 9)) == (
        "stale-number",
        "The next entry has number 3, not 2; look at the position again.",
    )


def test_a_text_that_cannot_be_read_is_refused_next() -> None:
    match = barrage()
    code, sentence = refused(match, lambda: match.act("south", 3, "d4-d55", 9))
    assert code == "unreadable"
    assert "“d55” is not a square of this board; expected a square from a1 to j10" in sentence
    assert refused(match, lambda: match.act("south", 3, "d4-d5 " * 100, 9))[0] == "unreadable"


def test_an_illegal_action_is_refused_last() -> None:
    match = barrage()
    assert refused(match, lambda: match.act("south", 3, "d4-e5", 9)) == (
        "illegal",
        "Pieces move in straight lines. Your Scout can go to d1, d2, d3, a4 or 2 other squares.",
    )


def test_without_a_number_the_action_counts_at_once() -> None:
    match = barrage()
    assert match.act("south", None, "e4-e5", 9).number == 3


def test_an_action_value_is_as_good_as_its_text() -> None:
    match = barrage()
    entry = match.act("south", 3, Action(MOVE, parse_cell("e4"), parse_cell("e5")), 9)
    assert entry.text == "e4-e5"


@pytest.mark.parametrize(
    "junk", [Action(99), Action(-1, -1, -1, -1), Action(MOVE, 300, 5), Action(MOVE, 0, 10**9), Action(0)]
)
def test_an_impossible_action_value_is_refused_like_any_other(junk: Action) -> None:
    match = barrage()
    assert refused(match, lambda: match.act("south", None, junk, 9))[0] == "illegal"


@pytest.mark.parametrize(
    "text", ["e3 spot e4 marshal", "e3-e4 spot e5 marshal", "e3-e4 d3-d4", "e3-e4 e4-e5"]
)
def test_of_several_actions_all_count_or_none(text: str) -> None:
    match = duel()
    assert refused(match, lambda: match.act("south", None, text, 9))[0] == "illegal"


def test_what_follows_a_finished_turn_is_refused() -> None:
    match = duel()
    assert refused(match, lambda: match.act("south", None, "f3-f4 done", 9)) == (
        "illegal",
        "The turn ends with f3-f4; leave out the rest.",
    )


def test_a_turn_of_several_actions_can_be_played_at_once() -> None:
    match = play(duel(), "e3-e4", "j6-j5")
    entry = match.act("south", None, "e4-e5 spot e6 marshal", 9)
    assert entry.text == "e4-e5 spot e6 marshal"
    assert match.view("south").at("e6") is None
    assert match.to_move == "north"


def test_nothing_can_be_promised_after_an_action_that_shows_something() -> None:
    """Else a player could strike, look, and have the rest refused."""
    match = rescue_ready(by_strike=True, rescue_on_strike="on")
    promise = "c2xc3 rescue spy b1"
    assert refused(match, lambda: match.act("south", None, promise, 9)) == (
        "one-at-a-time",
        "What follows c2xc3 rescue depends on what it shows; play it alone first.",
    )
    play(match, "c2xc3 rescue", "spy", "b1")
    assert match.to_move == "north"


def test_a_promise_is_refused_alike_whatever_the_enemy_is() -> None:
    sentences = set()
    for north in ("F2sX", "FX2s", "sF2X"):
        match = opened(MINI_4, {"rescue": "on", "rescue_on_strike": "on"})
        match.seal("south", "FsX2", 0)
        match.seal("north", north, 0)
        play(match, "c1-c2", "d3-d2")
        for text in ("c2xc3 rescue spy b1", "c2xc3 c3-c2", "c2xc3 nonsense"):
            call = partial(match.act, "south", None, text, 9)
            sentences.add((text, refused(match, call)))
    assert len(sentences) == 3


@pytest.mark.parametrize(
    ("match", "code"),
    [(mini_opened(), "not-started"), (barrage(), "unknown-seat"), (finished(), "finished")],
)
def test_the_other_deeds_refuse_in_the_same_order(match: Match, code: str) -> None:
    assert refused(match, lambda: match.offer_draw("nobody", 1))[0] == code
    assert refused(match, lambda: match.answer_draw("nobody", True, 1))[0] == code
    assert refused(match, lambda: match.resign("nobody", 1))[0] == code


def test_viewers_are_the_two_seats_and_the_watcher() -> None:
    match = barrage()
    for call in (match.view, match.seen, match.messages):
        code, sentence = refused(match, partial(call, "nobody"))  # type: ignore[arg-type]
        assert code == "unknown-seat"
        assert sentence == "There is no viewer “nobody”; viewers are south, north, watcher."
