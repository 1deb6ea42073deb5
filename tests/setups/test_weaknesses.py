"""Weaknesses are facts of the arrangement: a setup for each one, and sound setups without any."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from flagfall.edition import Game
from flagfall.setups import Setup, random_setup, read_setup, styled_setup, tags, turned, weaknesses
from flagfall.sides import Side
from tests.boxes import BARRAGE, GAMES, ONYX, game_name

SOUND = "FB88889777/B976666555/1s233448BB/99B9599B94"
"""Flag behind two Bombs, a Miner forward, the Spy near the Marshal, strong pieces on both wings"""


def found(code: str, side: int = 0, game: Game = ONYX) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {weak.id: (weak.text, weak.squares) for weak in weaknesses(read_setup(game, side, code))}


@pytest.mark.parametrize("side", [0, 1])
def test_a_sound_setup_has_no_weakness(side: int) -> None:
    assert found(SOUND, side) == {}


def test_a_flag_without_a_bomb_next_to_it_is_open() -> None:
    code = "98F8888777/B976666555/1233444sBB/99B9599B9B"
    assert found(code)["open-flag"] == ("The Flag on c1 has no Bomb next to it.", ("c1",))


def test_bombs_that_shut_in_a_piece_are_named() -> None:
    text, squares = found("9B88888777/BF76666555/1233444sBB/99B9599B99")["shut-in"]
    assert text.endswith("until the wall breaks: Scout on a1.")
    assert squares == ("a1",)


def test_bombs_in_more_than_half_of_the_lanes_block_the_way_out() -> None:
    blocked = "FB88889777/9976666555/1s2334499B/BB99BB5984"
    assert found(blocked)["blocked-lanes"] == (
        "Pieces that never move block 4 of the 6 ways out: a4, b4, e4 and f4.",
        ("a4", "b4", "e4", "f4"),
    )


def test_miners_that_all_start_in_the_back_row_are_too_far_back() -> None:
    text, squares = found("FB88888777/B976666555/1233444sBB/99B9599B99")["removers-behind"]
    assert text == "No Miner is forward: all of them start in the back row, far from the enemy's Bombs."
    assert squares == ("c1", "d1", "e1", "f1", "g1")


def test_a_spy_on_the_other_side_of_the_home_is_far_from_the_marshal() -> None:
    text, squares = found(SOUND.replace("1s233448BB", "1233448BBs"))["far-spy"]
    assert text == "The Spy on j3 is 9 steps from the Marshal on a3, too far to help it."
    assert squares == ("a3", "j3")


@pytest.mark.parametrize(("side", "open_wing"), [(0, "right"), (1, "left")])
def test_strong_pieces_on_one_wing_leave_the_other_open(side: int, open_wing: str) -> None:
    text, squares = found("FB88889777/B976666555/12334s9BB9/44B9599B98", side)["one-wing"]
    assert text == (
        "All your strongest pieces stand on one wing (Marshal, General, Colonels and Majors); "
        f"your {open_wing} is thinly held."
    )
    assert len(squares) == 7


def test_scouts_behind_other_pieces_cannot_move_yet() -> None:
    text, squares = found("FB99999999/B576666557/1s233448BB/77B5888B84")["blocked-runners"]
    assert text == "No Scout can move yet: each one is hemmed in at the start."
    assert len(squares) == 8


@pytest.mark.parametrize("game", GAMES, ids=game_name)
def test_every_game_has_setups_without_a_weakness(game: Game) -> None:
    for side in (0, 1):
        setups = (styled_setup(game, side, "open", Random(seed)) for seed in range(200))
        assert any(not weaknesses(setup) for setup in setups)


@pytest.mark.parametrize("game", GAMES, ids=game_name)
def test_weaknesses_and_tags_are_told_of_any_setup(game: Game) -> None:
    for side in (0, 1):
        for seed in range(20):
            setup = random_setup(game, side, Random(seed))
            home = set(game.board.names(game.board.home(side)))
            assert all(weak.text.endswith(".") and set(weak.squares) <= home for weak in weaknesses(setup))
            assert tags(setup)


def test_the_words_of_the_box_are_used_for_tags() -> None:
    assert tags(read_setup(ONYX, 0, SOUND)) == (
        "Flag in the corner",
        "behind Bombs",
        "Bomb in front",
        "strong in front",
    )


@pytest.mark.parametrize("game", GAMES, ids=game_name)
def test_a_setup_is_turned_to_the_other_side_and_back(game: Game) -> None:
    setup = random_setup(game, 0, Random(1))
    other = turned(setup)
    if other is None:
        assert game.rosters[0] != game.rosters[1]
        return
    assert (other.side, turned(other)) == ("north", setup)


def test_turning_keeps_the_owners_left_and_right() -> None:
    setup = read_setup(ONYX, 0, SOUND)
    other = turned(setup)
    assert other is not None
    (flag,) = other.cells_of(ONYX.kind_index("flag"))
    assert ONYX.board.names([flag]) == ["j10"]


def test_armies_that_differ_cannot_be_turned() -> None:
    game = replace(BARRAGE, rosters=(BARRAGE.rosters[0], (0, *BARRAGE.rosters[1][1:])))
    assert turned(Setup(game, Side.SOUTH, random_setup(BARRAGE, 0, Random(2)).kinds)) is None
