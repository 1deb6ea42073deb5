"""Who sits where: at random or as chosen, and both players see which."""

from __future__ import annotations

from random import Random

import pytest

from flagfall.edition import load_game, resolve
from flagfall.match import Match, Seating, load, save, seat_at_random, seat_players, to_record
from flagfall.match.summary import describe_result
from tests.match.games import MINI, opened

RANDOM_SEATS = ["duel-masters/classic", "lotr/classic", "fire-and-ice/classic"]
CHOSEN = ["onyx/classic", "spin-master/standard", "spin-master/duel"]


@pytest.mark.rule("CM-17", "DM-B-02", "LR-B-01", "FI-B-01")
@pytest.mark.parametrize("game_id", RANDOM_SEATS)
def test_sides_are_drawn_at_random_where_the_box_says_so(game_id: str) -> None:
    game = load_game(game_id)
    drawn = [seat_players(game, "Anna", "Ben", Random(seed)) for seed in range(40)]
    assert all(seating.is_random for seating in drawn)
    assert {seating.south for seating in drawn} == {"Anna", "Ben"}
    assert all({seating.south, seating.north} == {"Anna", "Ben"} for seating in drawn)


@pytest.mark.rule("CM-17", "ON-B-01", "SM-B-01")
@pytest.mark.parametrize("game_id", CHOSEN)
def test_elsewhere_the_players_agree_on_their_sides(game_id: str) -> None:
    game = load_game(game_id)
    assert seat_players(game, "Anna", "Ben", Random(0)) == Seating("Anna", "Ben", is_random=False)
    assert [army.name for army in game.armies] == ["Red", "Blue"]


@pytest.mark.rule("CM-17")
def test_a_piece_that_lays_the_table_may_choose_or_draw_in_any_game() -> None:
    lotr = load_game("lotr/classic")
    assert Match.created(lotr, resolve(lotr, {}), Seating("Ben", "Anna"), 0).seating.name("south") == "Ben"
    assert seat_at_random("Anna", "Ben", Random(3)).is_random


@pytest.mark.rule("CM-17")
def test_the_same_chance_gives_the_same_lot() -> None:
    assert seat_at_random("Anna", "Ben", Random(5)) == seat_at_random("Anna", "Ben", Random(5))


@pytest.mark.rule("CM-17")
def test_the_lot_is_shown_to_everybody_and_kept() -> None:
    match = Match.created(MINI, resolve(MINI, {}), seat_at_random("Anna", "Ben", Random(1)), 0)
    for viewer in ("south", "north", "watcher"):
        [(number, events)] = match.seen(viewer)
        assert number == 0
        assert [event.what for event in events] == ["seated", "seated", "lot"]
        assert [event.detail for event in events[:2]] == [match.seating.south, match.seating.north]
        text = match.messages(viewer)[0].text
        assert text.startswith("Seats drawn at random: ")
    assert load(save(match)).seating == match.seating


def test_chosen_sides_are_told_without_a_lot() -> None:
    match = opened(MINI)
    assert match.messages("watcher")[0].text == "Anna plays Red and goes first. Ben plays Blue."


def test_a_computer_player_is_called_by_its_level_and_recorded_with_its_whole_name() -> None:
    match = Match.created(MINI, resolve(MINI, {}), Seating("Anna", "Computer (Recruit)"), 0)
    match.seal("south", "XsF", 0)
    match.seal("north", "FsX", 0)
    match.resign("south", 0)
    told = [message.text for message in match.messages("watcher")] + [describe_result(match, "watcher")]
    assert told[0].endswith(f"Recruit plays {MINI.armies[1].name}.")
    assert told[-1] == "Recruit wins: Anna resigned."
    assert not any("Computer" in text for text in told)
    assert to_record(match).players == ("Anna", "Computer (Recruit)")
    assert to_record(match).shown_names == ("Anna", "Recruit")


@pytest.mark.rule("DM-B-01")
def test_one_player_commands_black_and_the_other_beige() -> None:
    game = load_game("duel-masters/classic")
    match = Match.created(game, resolve(game, {}), seat_at_random("Anna", "Ben", Random(2)), 0)
    south, north = (army.name for army in game.armies)
    text = match.messages("watcher")[0].text
    assert f"{match.seating.south} plays {south} and goes first" in text
    assert f"{match.seating.north} plays {north}." in text


@pytest.mark.parametrize("name", ["", " Anna", "An\nna", "x" * 81])
def test_a_name_is_one_line_of_at_most_eighty_characters(name: str) -> None:
    with pytest.raises(ValueError, match="The name of north"):
        Seating("Anna", name)
