"""The end of a game in words and numbers, for every way a game can end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from flagfall.edition import load_game, resolve
from flagfall.match import Match, RefusedError
from flagfall.match.summary import Capture, describe_result, summarize
from flagfall.setups import setup_from_squares
from flagfall.sides import SIDES, Side
from tests.e2e.position import position, positions
from tests.match.games import (
    ANNA_AND_BEN,
    BARRAGE_NORTH,
    BARRAGE_SOUTH,
    barrage,
    duel,
    mini,
    play,
    random_match,
    rescue_ready,
)


def _resigned() -> Match:
    match = barrage()
    match.resign("south", 1)
    return match


def _agreed() -> Match:
    match = barrage()
    match.offer_draw("south", 1)
    match.answer_draw("north", True, 2)
    return match


def _out_of_time() -> Match:
    match = barrage(clock="10s/move")
    match.check_time(10_001)
    return match


def _own_flag_captured() -> Match:
    return random_match(load_game("duel-masters/elemental-powers"), 1, 800)


ENDS: dict[str, tuple[Callable[[], Match], tuple[str, str, str]]] = {
    "flag captured": (
        lambda: play(mini(), "a1-a2", "c3-c2", "a2xa3"),
        (
            "You win: your Marshal captured Blue's Flag on a3.",
            "You lose: Red's Marshal captured your Flag on a3.",
            "Anna wins: Red's Marshal captured Blue's Flag on a3.",
        ),
    ),
    "own flag captured": (
        _own_flag_captured,
        (
            "You lose: you captured your own Flag.",
            "You win: Fire and Darkness captured its own Flag.",
            "Ben wins: Fire and Darkness captured its own Flag.",
        ),
    ),
    "no move left": (
        lambda: play(mini("XFs"), "c1-c2", "c3xc2", "a1-a2", "c2-b2", "a2xb2", "b3-b2"),
        (
            "You lose: you have no moves left.",
            "You win: Red has no moves left.",
            "Ben wins: Red has no moves left.",
        ),
    ),
    "resigned": (
        _resigned,
        ("You lose: you resigned.", "You win: Anna resigned.", "Ben wins: Anna resigned."),
    ),
    "time": (
        _out_of_time,
        (
            "You lose: you ran out of time.",
            "You win: Anna ran out of time.",
            "Ben wins: Anna ran out of time.",
        ),
    ),
    "agreed": (_agreed, ("A draw: both players agreed.",) * 3),
    "both stuck": (
        lambda: play(mini("XsF", "XsF", both_stuck="draw"), "a1-a2", "a3xa2", "b1-b2", "b3xb2"),
        ("A draw: neither army can move.",) * 3,
    ),
    "no progress": (
        lambda: play(barrage(no_progress_draw="2"), "e4-e5", "e7-e6"),
        ("A draw: nothing was captured for too long.",) * 3,
    ),
}


@pytest.mark.parametrize("reason", ENDS)
def test_one_sentence_says_who_won_and_why(reason: str) -> None:
    begin, sentences = ENDS[reason]
    match = begin()
    assert match.result
    assert match.result.reason == reason
    flag = summarize(match).flag
    assert (
        tuple(describe_result(match, viewer, flag) for viewer in ("south", "north", "watcher")) == sentences
    )


def test_an_army_in_the_plural_has_its_own_genitive() -> None:
    harbour = Path(__file__).parents[2] / "examples/harbour.toml"
    match = random_match(load_game(f"{harbour}#classic"), 3, 1500)
    told = describe_result(match, "watcher", summarize(match).flag)
    assert told == "Anna wins: Gulls' Lookout captured Seals' Lantern on h7."


def test_nothing_is_said_before_the_end() -> None:
    assert describe_result(barrage(), "south") == ""
    with pytest.raises(RefusedError):
        summarize(barrage())


def test_a_cancelled_game_has_no_summary() -> None:
    match = barrage()
    match.abort("south", 1)
    assert describe_result(match, "south") == "The game was cancelled, so nobody has won."
    with pytest.raises(RefusedError):
        summarize(match)


def test_the_flag_is_found_by_a_piece_in_a_turn() -> None:
    found = summarize(ENDS["flag captured"][0]())
    assert found.turns == 3
    assert found.flag == Capture(Side.SOUTH, "marshal", "flag", "a3", 3)
    assert (found.south.captures, found.north.captures) == (1, 0)
    assert found.south.best is None, "a Flag has no rank"


def test_every_piece_is_shown_at_the_end() -> None:
    found = summarize(ENDS["flag captured"][0]())
    assert found.pieces == {"a3": "marshal", "b1": "spy", "b3": "spy", "c1": "flag", "c2": "marshal"}
    assert [(piece.side, piece.kind) for piece in found.tray] == [("north", "flag")]


def test_the_own_flag_is_no_capture_of_either_side() -> None:
    match = _own_flag_captured()
    found = summarize(match)
    assert found.flag
    assert (found.flag.side, found.flag.kind) == (Side.SOUTH, "flag")
    lost = sum(piece.side == "south" for piece in found.tray)
    assert found.north.captures < lost


def test_an_attacker_that_loses_is_captured_by_the_defender() -> None:
    match = play(barrage(), "e4-e5", "e7-e6", "h1-h2", "e6xe5")
    match.resign("south", 1)
    found = summarize(match)
    assert found.south.captures == 1
    assert found.south.best == Capture(Side.SOUTH, "marshal", "miner", "e5", 4)


def test_a_fight_in_which_both_fall_is_nobody_s_best_capture() -> None:
    match = play(mini("XsF", "XsF"), "a1-a2", "a3xa2")
    match.resign("south", 1)
    found = summarize(match)
    assert (found.south.captures, found.north.captures) == (1, 1)
    assert found.south.best is found.north.best is None


def test_a_spotted_piece_is_captured_by_the_spotter() -> None:
    match = play(duel(), "e3-e4", "e6-e5", "e4 spot e5", "marshal")
    match.resign("north", 1)
    assert summarize(match).south.best == Capture(Side.SOUTH, "spotter", "marshal", "e5", 3)


def test_a_rescued_piece_can_be_captured_again() -> None:
    match = play(rescue_ready(captured_pieces="secret"), "c3-b3 rescue", "spy")
    while match.is_turn_open:
        match.act("south", None, match.view("south").legal[0], 0)
    match.resign("south", 1)
    found = summarize(match)
    spies = [square for square, kind in found.pieces.items() if kind == "spy"]
    assert spies, "the Spy is back on the board"


POWERS = [name for name in positions() if "long-run" not in name]


@pytest.mark.parametrize("name", POWERS)
def test_a_game_with_powers_is_summed_up(name: str) -> None:
    """After every power: captures and losses agree, and every capture names kinds of the game."""
    stands = position(name)
    match = stands.match(("Anna", "Ben"), len(stands.turn))
    rng = Random(name)
    for _ in range(40):
        if match.to_move is None:
            break
        match.act(match.to_move, None, rng.choice(match.view(match.to_move).legal), 0)
    if match.to_move is not None:
        match.resign(match.to_move, 0)
    found = summarize(match)
    rosters = {
        side: {match.game.kinds[at].id for at, count in enumerate(match.game.rosters[side]) if count}
        for side in SIDES
    }
    for side, summary in zip(SIDES, (found.south, found.north), strict=True):
        rescued = sum(match.view("truth").rescues)
        won_over = sum(match.view("truth").conversions)
        lost = sum(piece.side == side.other for piece in found.tray)
        assert summary.captures <= lost + rescued + won_over
        if summary.best and not won_over:
            assert summary.best.by in rosters[side]
            assert summary.best.kind in rosters[side.other]
    assert found.pieces == {piece.cell: piece.kind for piece in match.view("truth").pieces}


@pytest.mark.parametrize(
    ("name", "captures"),
    [
        ("lotr.destroy-the-ring.dwarven-axe", {("north", "gimli", "warg-rider", "a6")}),
        ("lotr.special-powers.rampage", {("south", "berzerker", "soldier", "a6")}),
        ("lotr.destroy-the-ring.swift-steed", {("north", "theoden", "berzerker", "e5")}),
        (
            "lotr.destroy-the-ring.repeat-attack",
            {("south", "uruk-hai", "elf", "b7"), ("north", "stronghold", "uruk-hai", "a7")},
        ),
    ],
)
def test_a_capture_by_a_power_says_by_what_and_where(name: str, captures: set[tuple[str, ...]]) -> None:
    stands = position(name)
    before = stands.match(("Anna", "Ben"))
    before.resign("north", 0)
    match = stands.match(("Anna", "Ben"), len(stands.turn))
    match.resign("north", 0)
    earlier, found = summarize(before), summarize(match)
    assert found.south.captures - earlier.south.captures == sum(one[0] == "south" for one in captures)
    assert found.north.captures - earlier.north.captures == sum(one[0] == "north" for one in captures)
    best = {
        (one.side.value, one.by, one.kind, one.square) for one in (found.south.best, found.north.best) if one
    }
    assert captures <= best


@pytest.mark.parametrize(
    "name",
    ["duel-masters.elemental-powers.energy-blast", "spin-master.standard.two-step.spot-move-then-attack-on"],
)
def test_a_shot_and_a_second_step_capture_for_south(name: str) -> None:
    stands = position(name)
    counts = []
    for actions in (0, len(stands.turn)):
        match = stands.match(("Anna", "Ben"), actions)
        match.resign("north", 0)
        counts.append(summarize(match).south.captures)
    assert counts[1] == counts[0] + 1


def test_pieces_that_attack_their_own_army_capture_for_neither_side() -> None:
    """In a Ferocious Advance a piece may run into one of its own."""
    stands = position("duel-masters.elemental-powers.ferocious-advance")
    match = stands.match(("Anna", "Ben"), len(stands.turn))
    match.resign("north", 0)
    found = summarize(match)
    assert (found.south.captures, found.north.captures) == (0, 0)
    assert len(found.tray) == 3


def test_a_capture_that_was_taken_back_does_not_count() -> None:
    game = load_game("barrage/classic")
    match = Match.created(game, resolve(game, {}), ANNA_AND_BEN, 0, is_training=True)
    for side, squares in zip(SIDES, (BARRAGE_SOUTH, BARRAGE_NORTH), strict=True):
        match.seal(side, setup_from_squares(game, side, squares), 0)
    play(match, "e4-e5", "e7-e6", "e5xe6", "f7-f6")
    match.take_back("south", 0)
    play(match, "h1-h2")
    match.resign("north", 1)
    found = summarize(match)
    assert (found.turns, found.south.captures, found.tray) == (3, 0, ())
    assert (found.pieces["e5"], found.pieces["e6"]) == ("marshal", "miner")
