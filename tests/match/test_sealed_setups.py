"""Setups are sealed: in either order, replaceable until both are in, and nobody learns anything before."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest

from flagfall.edition import load_game
from flagfall.match import Match, RefusedError, SetupSealed
from flagfall.setups import random_setup, read_setup, setup_from_squares, warnings, write_setup
from flagfall.sides import Side
from flagfall.view.view import Result
from tests.match.games import (
    BARRAGE,
    DUEL,
    DUEL_NORTH,
    DUEL_SOUTH,
    MINI,
    SALT,
    barrage,
    duel,
    mini,
    opened,
    sight,
)

STANDARD = load_game("spin-master/standard")


@pytest.mark.rule("CM-04")
@pytest.mark.parametrize("order", [("south", "north"), ("north", "south")])
def test_setups_come_in_either_order_and_then_the_game_begins(order: tuple[str, str]) -> None:
    match = opened(MINI)
    texts = {"south": "XsF", "north": "FsX"}
    match.seal(order[0], texts[order[0]], 1)
    assert (match.phase, match.sealed, match.to_move) == ("setup", (order[0],), None)
    match.seal(order[1], texts[order[1]], 2)
    assert (match.phase, match.sealed, match.to_move) == ("playing", ("south", "north"), "south")


def probes(match: Match) -> list[str]:
    """What everybody is told who tries something too early."""
    told = []
    for seat in ("south", "north", "watcher"):
        for call in (
            lambda seat=seat: match.act(seat, None, "a1-a2", 1),
            lambda seat=seat: match.resign(seat, 1),
            lambda seat=seat: match.offer_draw(seat, 1),
            lambda: match.view("truth"),
            lambda: match.openings(),
        ):
            with pytest.raises(RefusedError) as caught:
                call()
            told.append(f"{caught.value.code} {caught.value!r}")
    return [*told, repr(match), str(match)]


@pytest.mark.rule("CM-04")
def test_before_both_are_in_nobody_learns_anything_of_the_others_setup() -> None:
    shown = []
    for seed in range(6):
        match = opened(DUEL)
        match.seal("north", random_setup(DUEL, 1, Random(seed)), 5)
        others = [
            value for viewer in ("south", "watcher") for value in (match.view(viewer), match.seen(viewer))
        ]
        shown.append((others, match.messages("south"), probes(match), match.commitments))
    assert all(each == shown[0] for each in shown)
    assert match.view("south").pieces == ()
    assert match.view("watcher").pieces == ()


@pytest.mark.rule("CM-04")
def test_the_owner_sees_the_own_setup_while_waiting() -> None:
    match = opened(MINI)
    match.seal("north", "FsX", 5)
    pieces = match.view("north").pieces
    assert [(piece.cell, piece.kind) for piece in pieces] == [
        ("a3", "flag"),
        ("b3", "spy"),
        ("c3", "marshal"),
    ]


@pytest.mark.rule("CM-04")
def test_after_both_are_in_only_the_squares_are_seen() -> None:
    south = duel().view("south")
    enemies = {piece.cell: piece.kind for piece in south.pieces if piece.side == "north"}
    assert enemies == dict.fromkeys(DUEL_NORTH, "")
    watcher = duel().view("watcher")
    assert {piece.cell for piece in watcher.pieces} == set(DUEL_NORTH) | set(DUEL_SOUTH)
    assert not any(piece.kind for piece in watcher.pieces)


def test_an_own_setup_may_be_replaced_until_both_are_in() -> None:
    match = opened(MINI)
    match.seal("south", "XsF", 1)
    match.seal("south", "FsX", 2)
    match.seal("north", "FsX", 3)
    assert match.view("south").at("a1").kind == "flag"  # type: ignore[union-attr]
    assert [entry.number for entry in match.log] == [0, 1, 2, 3]
    with pytest.raises(RefusedError, match="The game has started; setups can no longer be changed") as caught:
        match.seal("south", "XsF", 4)
    assert caught.value.code == "started"


@pytest.mark.parametrize(
    ("seat", "setup", "code", "sentence"),
    [
        ("watcher", "XsF", "unknown-seat", "There is no seat “watcher”; the seats are south and north."),
        (
            "south",
            "XXF",
            "setup",
            "The setup has 2 Marshals where the army has 1 and 0 Spies where the army has 1.",
        ),
        ("south", "Xs", "setup", "The setup has 2 squares where South's home has 3"),
    ],
)
def test_a_wrong_setup_is_refused_with_its_sentence(seat: str, setup: str, code: str, sentence: str) -> None:
    match = opened(MINI)
    before = match.digest()
    with pytest.raises(RefusedError) as caught:
        match.seal(seat, setup, 1)
    assert (caught.value.code, caught.value.sentence.startswith(sentence)) == (code, True)
    assert match.digest() == before


def test_a_setup_of_another_seat_or_game_is_refused() -> None:
    match = opened(DUEL)
    for setup in (random_setup(DUEL, 1, Random(1)), random_setup(BARRAGE, 0, Random(1))):
        with pytest.raises(RefusedError, match="give south's in spin-master/duel"):
            match.seal("south", setup, 1)


def test_a_setup_of_a_finished_game_is_refused() -> None:
    match = opened(MINI)
    match.abort("south", 1)
    with pytest.raises(RefusedError, match="The game is over: cancelled without a result"):
        match.seal("south", "XsF", 2)


def test_the_commitment_is_published_and_can_be_checked_at_the_end() -> None:
    match = barrage()
    assert set(match.commitments) == {"south", "north"}
    sealed = [event for _, events in match.seen("north") for event in events if event.what == "sealed"]
    assert sealed[0].detail == match.commitments[Side.SOUTH]
    with pytest.raises(RefusedError, match="Everything is shown once the game is over, not before"):
        match.openings()
    match.resign("south", 1)
    for side, opening in match.openings().items():
        assert sha256((opening.salt + opening.setup).encode()).hexdigest() == match.commitments[side]


def test_without_a_salt_nothing_is_published() -> None:
    match = mini()
    assert match.commitments == {}
    assert match.seen("watcher")[1][1][0].detail == ""


def test_a_salt_too_short_to_hide_a_setup_is_no_salt() -> None:
    with pytest.raises(ValueError, match="A salt has at least 16 random characters"):
        opened(MINI).seal("south", "XsF", 1, salt="abc")


def test_different_salts_hide_that_setups_are_alike() -> None:
    match = opened(MINI)
    first = match.seal("south", "XsF", 1, SALT).commitment
    assert first != match.seal("south", "XsF", 2, SALT[::-1]).commitment


def test_what_is_hidden_does_not_show_in_a_repr() -> None:
    match = barrage()
    setup = write_setup(setup_from_squares(DUEL, 0, DUEL_SOUTH))
    entry = SetupSealed(number=1, at_ms=0, seat=Side.SOUTH, setup=setup, salt=SALT)
    assert repr(entry) == str(entry) == "<SetupSealed 1 by south>"
    assert setup not in str(entry.__rich_repr__())
    assert repr(match.log).count("X") == 0
    assert repr(match) == "<Match barrage/classic, Anna – Ben, playing, 3 entries>"


def test_a_game_that_is_called_off_opens_nothing() -> None:
    one_is_in, both_are_in, after_a_move = opened(MINI), mini(), mini()
    one_is_in.seal("north", "FsX", 1)
    after_a_move.act("south", None, "a1-a2", 1)
    for match in (one_is_in, both_are_in, after_a_move):
        match.abort("north", 2)
        assert match.is_over
        assert not match.is_open
        assert all(not piece.kind for piece in match.view("south").pieces if piece.side == "north")
        for peek in (match.openings, lambda match=match: match.view("truth")):
            with pytest.raises(RefusedError, match="The game was cancelled; what it hid stays hidden"):
                peek()


@pytest.mark.rule("SM-X-16")
def test_a_setup_that_cannot_move_is_legal_warned_of_and_lost_on_the_first_turn() -> None:
    """Bombs on every front square that does not face a crater: nobody gets out."""
    match = opened(STANDARD)
    setup = read_setup(STANDARD, 0, "FX98766554/4333332222/BB21BB1sBB")
    assert warnings(setup)[0].endswith("you would lose on your first turn.")
    match.seal("south", setup, 1)
    match.seal("north", random_setup(STANDARD, 1, Random(1)), 2)
    assert match.result == Result("north", "no move left")
    assert match.view("south").legal == ()
    assert match.messages("south")[-1].text.endswith("You have no moves left. You lose.")
    with pytest.raises(RefusedError, match=r"The game is over: North wins \(no move left\)"):
        match.act("south", None, "a3-a4", 3)


@pytest.mark.rule("SM-X-16")
def test_in_the_duel_a_boxed_in_flag_is_legal_too() -> None:
    boxed = {"a1": "flag", "a2": "bomb", "b1": "bomb"}
    rest = dict(
        zip("defghij", ("marshal", "general", "miner", "miner", "scout", "spotter", "spy"), strict=True)
    )
    squares = boxed | {f"{column}3": kind for column, kind in rest.items()}
    match = opened(DUEL)
    match.seal("south", setup_from_squares(DUEL, 0, squares), 1)
    match.seal("north", random_setup(DUEL, 1, Random(1)), 2)
    assert match.phase == "playing"


def test_both_sides_see_the_same_after_sealing_in_another_order() -> None:
    one, other = opened(MINI), opened(MINI)
    one.seal("south", "XsF", 1)
    one.seal("north", "FsX", 1)
    other.seal("north", "FsX", 1)
    other.seal("south", "XsF", 1)
    assert one.view("south") == other.view("south")
    assert len(sight(one)) == len(sight(other))


def test_a_player_hears_of_the_opponents_army_and_a_watcher_of_both_sides() -> None:
    match = barrage()
    player = [message.text for message in match.messages("south")]
    assert {"Your army is ready.", "Your opponent's army is ready."} <= set(player)
    assert "Ben's army is ready." in [message.text for message in match.messages("watcher")]
