"""Resignation, agreed draws and calling off: the table ends a game as well as the board does."""

from __future__ import annotations

import pytest

from flagfall.match import DrawAnswered, DrawOffered, Match, RefusedError, Resigned
from flagfall.view.view import VIEWERS, Result, Viewer
from tests.match.games import MINI, barrage, duel, mini, opened, play, rescue_ready


def refusal(match: Match, name: str, *arguments: object) -> tuple[str, str]:
    before = match.digest()
    with pytest.raises(RefusedError) as caught:
        getattr(match, name)(*arguments)
    assert match.digest() == before
    return caught.value.code, caught.value.sentence


def said(match: Match, viewer: Viewer) -> str:
    return match.messages(viewer)[-1].text


@pytest.mark.rule("CM-13")
@pytest.mark.parametrize("seat", ["south", "north"])
def test_either_side_may_resign_a_piece_that_is_to_move(seat: str) -> None:
    match = barrage()
    assert isinstance(match.resign(seat, 5), Resigned)
    winner = "north" if seat == "south" else "south"
    assert match.result == Result(winner, "resigned")  # type: ignore[arg-type]
    assert (match.phase, match.to_move) == ("over", None)


@pytest.mark.rule("CM-13")
def test_a_resignation_is_told_from_every_chair() -> None:
    match = barrage()
    match.resign("south", 5)
    assert said(match, "south") == "You resign. You lose."
    assert said(match, "north") == "Anna resigns. You win."
    assert said(match, "watcher") == "Anna resigns. Ben wins."


@pytest.mark.rule("CM-13")
def test_after_it_everybody_sees_the_result_and_nobody_may_act() -> None:
    match = barrage()
    match.resign("south", 5)
    for viewer in (*VIEWERS, "truth"):
        view = match.view(viewer)
        assert (view.result, view.legal, view.prompt, view.barred) == (match.result, (), None, ())


@pytest.mark.rule("CM-13")
def test_a_draw_is_offered_and_accepted() -> None:
    match = barrage()
    assert isinstance(match.offer_draw("north", 5), DrawOffered)
    assert match.offer == "north"
    assert said(match, "south") == "Ben offers a draw."
    assert isinstance(match.answer_draw("south", True, 6), DrawAnswered)
    assert match.result == Result("", "agreed")
    assert match.offer is None
    assert said(match, "north") == "Anna accepts the draw. The game is a draw."


@pytest.mark.rule("CM-13")
def test_a_declined_draw_changes_nothing() -> None:
    match = barrage()
    match.offer_draw("south", 5)
    match.answer_draw("north", False, 6)
    assert (match.result, match.offer, match.to_move) == (None, None, "south")
    assert said(match, "south") == "Ben declines the draw."


@pytest.mark.rule("CM-13")
def test_an_offer_lapses_when_the_other_side_acts_but_not_when_the_offerer_does() -> None:
    match = barrage()
    match.offer_draw("south", 5)
    play(match, "e4-e5")
    assert match.offer == "south"
    play(match, "e7-e6")
    assert match.offer is None
    assert said(match, "south").endswith("Your draw offer has lapsed.")
    assert said(match, "watcher").endswith("Anna's draw offer has lapsed.")


@pytest.mark.rule("CM-13")
def test_draw_offers_are_refused_where_they_make_no_sense() -> None:
    match = barrage()
    assert refusal(match, "answer_draw", "south", True, 1) == (
        "no-offer",
        "No draw offer is on the table; there is nothing to answer.",
    )
    match.offer_draw("south", 1)
    assert refusal(match, "offer_draw", "south", 2) == (
        "offer-pending",
        "Your draw offer is still on the table; wait for the answer.",
    )
    assert refusal(match, "offer_draw", "north", 2) == (
        "offer-pending",
        "Your opponent has already offered a draw; accept or decline it.",
    )
    assert refusal(match, "answer_draw", "south", True, 2) == (
        "no-offer",
        "The draw offer is your own; only your opponent can answer it.",
    )


def test_nobody_is_pestered_with_offers() -> None:
    match = barrage()
    match.offer_draw("south", 1)
    match.answer_draw("north", False, 2)
    assert refusal(match, "offer_draw", "south", 3) == (
        "offered-already",
        "You have just offered a draw; you may offer again after your next turn.",
    )
    match.offer_draw("north", 3)
    match.answer_draw("south", False, 4)
    play(match, "e4-e5")
    assert match.offer_draw("south", 5).seat == "south"


def test_a_turn_that_is_still_open_does_not_allow_another_offer() -> None:
    match = play(duel(), "e3-e4", "e6-e5")
    match.offer_draw("south", 1)
    match.answer_draw("north", False, 1)
    play(match, "e4 spot e5")
    assert refusal(match, "offer_draw", "south", 2)[0] == "offered-already"
    play(match, "marshal")
    match.offer_draw("south", 3)


@pytest.mark.parametrize("seat", ["south", "north", None])
def test_before_its_first_turn_a_seat_may_call_the_game_off_and_the_referee_always(seat: str | None) -> None:
    for match in (opened(MINI), mini()):
        match.abort(seat, 5)
        assert match.result == Result("", "aborted")
        assert match.phase == "over"
    who = {"south": "You cancel", "north": "Ben cancels", None: "The referee cancels"}[seat]
    assert said(match, "south") == f"{who} the game."


def test_a_piece_that_has_moved_cannot_call_it_off_any_more() -> None:
    match = play(barrage(), "e4-e5")
    assert refusal(match, "abort", "south", 5) == (
        "too-late-to-abort",
        "You have already moved; resign or offer a draw instead.",
    )
    assert refusal(match, "abort", "nobody", 5)[0] == "unknown-seat"
    match.abort("north", 6)
    assert match.is_over


def test_a_game_that_ends_on_the_board_says_so_in_the_same_value() -> None:
    match = play(mini("XsF", "FsX"), "a1-a2", "c3-c2", "a2xa3")
    assert match.result == Result("south", "flag captured")
    assert match.view("north").result == match.result
    assert said(match, "north").endswith("Your Flag has been captured. You lose.")


def test_no_progress_and_no_move_left_are_results_as_well() -> None:
    match = play(barrage(no_progress_draw="2"), "e4-e5", "e7-e6")
    assert match.result == Result("", "no progress")
    assert said(match, "watcher").endswith("Nothing has been captured for too long. The game is a draw.")


def test_a_match_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise its log would become too long to be read again."""
    monkeypatch.setattr("flagfall.match.match.MAX_ENTRIES", 3)
    monkeypatch.setattr("flagfall.match.match.MAX_SETUPS", 2)
    match = opened(MINI)
    match.seal("south", "XsF", 1)
    match.seal("south", "sXF", 1)
    assert refusal(match, "seal", "south", "XsF", 1)[0] == "too-long"
    match.seal("north", "FsX", 1)
    assert Match.rebuilt(match.log).log == match.log
    match = mini()
    assert refusal(match, "act", "south", None, "a1-a2", 1)[0] == "too-long"
    assert refusal(match, "offer_draw", "south", 1)[0] == "too-long"
    match.resign("south", 2)
    assert match.is_over


def test_a_silent_step_does_not_show_by_an_offer_that_lapses() -> None:
    """South chooses in silence whom to rescue; North's pending offer must not tell that it has chosen."""
    match = rescue_ready()
    match.act("south", None, "c3-b3 rescue", 1)
    match.offer_draw("north", 2)
    before, number = match.seen("north"), match.number_for("north")
    choice = next(action for action in match.view("south").legal)
    match.act("south", None, choice, 3)
    assert match.is_turn_open
    assert match.offer == "north"
    assert match.seen("north") == before
    assert match.number_for("north") == number
    while match.to_move == "south":
        match.act("south", None, match.view("south").legal[0], 4)
    assert match.offer is None
