"""In a training game a player may take back its last turn; the log, the record and all viewers agree."""

from __future__ import annotations

from random import Random

import pytest

from flagfall.edition import load_game, resolve
from flagfall.match import (
    Match,
    RefusedError,
    Seating,
    decode_log,
    encode_log,
    from_record,
    load,
    save,
    to_record,
)
from flagfall.match.match import MAX_TURNS_BACK
from flagfall.notation import from_json, read_record, to_json, write_record
from flagfall.setups import random_setup
from flagfall.sides import SIDES
from flagfall.view.view import VIEWERS
from tests.match.games import duel, mini, play


def training(base: Match | None = None, **chosen: str) -> Match:
    """A training game with the setups of another match, by default of the smallest game."""
    base = base or mini(**chosen)
    match = Match.created(base.game, base.options, Seating("Anna", "Computer"), 0, is_training=True)
    for side in SIDES:
        match.seal(side, base.setup_text(side), 0)
    return match


def same(one: Match, other: Match) -> None:
    """Both matches show every viewer the same position and history."""
    for viewer in VIEWERS:
        assert one.view(viewer) == other.view(viewer)
        assert one.view(viewer, forgets=False) == other.view(viewer, forgets=False)
    for side in SIDES:
        assert one.history(side) == other.history(side)
    assert (one.turns, one.to_move, one.turn) == (other.turns, other.to_move, other.turn)


def test_after_the_opponents_turn_both_turns_are_undone() -> None:
    match, fresh = training(), training()
    play(match, "a1-a2", "c3-c2")
    match.take_back("south", 9)
    same(match, fresh)
    assert match.to_move == "south"
    assert not match.can_take_back(match.to_move)


def test_while_the_opponent_thinks_only_the_own_turn_is_undone() -> None:
    match = play(training(), "a1-a2", "c3-c2", "a2-a1")
    match.take_back("south", 9)
    same(match, play(training(), "a1-a2", "c3-c2"))


def test_half_a_turn_is_undone_before_a_whole_one() -> None:
    match = training(duel())
    play(match, "e3-e4", "e6-e5")
    before = match.view("south")
    play(match, "e4 spot e5")
    assert match.is_turn_open
    match.take_back("south", 9)
    assert match.view("south") == before
    match.take_back("south", 10)
    assert match.turn == 0


def test_both_sides_can_take_back() -> None:
    match = play(training(), "a1-a2", "c3-c2", "a2-a1")
    match.take_back("north", 9)
    same(match, play(training(), "a1-a2"))


def test_several_turns_are_taken_back_one_after_the_other_but_not_without_end() -> None:
    match = training(two_square_limit="off", no_progress_draw="off")
    for _ in range(MAX_TURNS_BACK):
        play(match, "a1-a2", "c3-c2", "a2-a1", "c2-c3")
    for _ in range(MAX_TURNS_BACK // 2):
        match.take_back("south", 9)
    assert match.turn == 3 * MAX_TURNS_BACK
    with pytest.raises(RefusedError, match="you cannot go back any further"):
        match.take_back("south", 9)


def test_there_is_nothing_to_take_back_before_the_first_move_and_after_the_end() -> None:
    match = training()
    with pytest.raises(RefusedError, match="you have not moved yet"):
        match.take_back("south", 9)
    play(match, "a1-a2")
    match.resign("south", 10)
    with pytest.raises(RefusedError, match="The game is over"):
        match.take_back("south", 11)


def test_a_rebuilt_match_is_the_same() -> None:
    match = play(training(), "a1-a2", "c3-c2")
    match.take_back("south", 9)
    play(match, "a1-a2", "c3-c2", "a2-b2")
    match.take_back("south", 10)
    play(match, "a2-a1")
    for again in (Match.rebuilt(decode_log(encode_log(match.log))), load(save(match))):
        assert again.digest() == match.digest()
        same(again, match)
        assert again.seen("south") == match.seen("south")
        again.take_back("south", 20)
        same(again, play(training(), "a1-a2", "c3-c2"))


def test_undoing_what_was_not_stored_brings_the_turns_back() -> None:
    match = play(training(), "a1-a2", "c3-c2")
    before, digest, seen = match.snapshot(), match.digest(), match.seen("north")
    match.take_back("south", 9)
    match.restore(before)
    assert (match.digest(), match.seen("north")) == (digest, seen)
    same(match, play(training(), "a1-a2", "c3-c2"))
    match.take_back("south", 9)
    assert match.turn == 0


def test_viewers_are_told_and_see_the_undone_turns_no_more() -> None:
    match = play(training(), "a1-a2", "c3-c2")
    number = match.number
    match.take_back("south", 9)
    for viewer in VIEWERS:
        assert match.number_for(viewer) == number + 1
        events = [event for _, events in match.seen(viewer) for event in events]
        assert [event.turn for event in events if event.what == "taken back"] == [0]
        assert not any(event.what == "move" for event in events)
    assert match.messages("south")[-1].text == "You take your last turn back."
    assert match.messages("watcher")[-1].text == "Anna takes the last turn back."


def test_a_draw_offer_is_undone_too() -> None:
    match = play(training(), "a1-a2")
    match.offer_draw("south", 5)
    match.take_back("south", 9)
    assert match.offer is None


def test_the_record_says_training_and_has_only_the_turns_that_count() -> None:
    match = play(training(), "a1-a2", "c3-c2")
    match.take_back("south", 9)
    play(match, "b1-b2")
    record = to_record(match)
    text = write_record(record)
    assert "training: yes\n" in text
    assert "a1-a2" not in text
    assert read_record(text) == record == from_json(to_json(record))
    again = from_record(read_record(text))
    assert again.is_training
    same(again, match)


def test_other_records_and_logs_do_not_mention_training() -> None:
    match = mini()
    assert "training" not in write_record(to_record(match))
    assert "training" not in to_json(to_record(match))
    assert b"training" not in encode_log(match.log)


def test_only_yes_can_be_written_after_training() -> None:
    text = write_record(to_record(training()))
    with pytest.raises(ValueError, match="can only be “yes”"):
        read_record(text.replace("training: yes", "training: no"))


@pytest.mark.parametrize("game_id", ["onyx/classic", "spin-master/duel", "lotr/special-powers"])
@pytest.mark.parametrize("memory", ["assisted", "strict"])
def test_random_games_with_turns_taken_back_can_be_rebuilt(game_id: str, memory: str) -> None:
    rng, game = Random(game_id), load_game(game_id)
    match = Match.created(
        game, resolve(game, {"memory": memory}), Seating("Anna", "Computer"), 0, is_training=True
    )
    for side in SIDES:
        match.seal(side, random_setup(game, int(side), rng), 0)
    taken = 0
    for _ in range(150):
        mover = match.to_move
        if mover is None:
            break
        if rng.random() < 0.15 and match.can_take_back(mover):
            match.take_back(mover, 0)
            taken += 1
        match.act(mover, None, rng.choice(match.view(mover).legal), 0)
    assert taken
    same(Match.rebuilt(match.log), match)
    straight = Match.rebuilt(match.log[:3])
    for played in match.turns:
        for action in played.actions:
            assert straight.to_move is not None
            straight.act(straight.to_move, None, action, 0)
    same(straight, match)
