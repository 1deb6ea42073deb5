"""Styles are sound setups in any box, and keep what they promise where the box has the pieces for it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from flagfall.board import DIRECTIONS, Board, row_of
from flagfall.edition import Game, load_game
from flagfall.setups import (
    STYLES,
    Setup,
    SetupError,
    can_step,
    shut_in,
    style_names,
    style_text,
    styled_setup,
    warnings,
    write_setup,
)
from tests.boxes import AWKWARD, BARRAGE, GAMES, MINI, ONYX, game_name


def flag_cell(setup: Setup) -> int:
    return next(cell for cell, kind in setup.kinds.items() if setup.game.kinds[kind].role == "flag")


@pytest.mark.parametrize("game", GAMES, ids=game_name)
@pytest.mark.parametrize("style", [style.name for style in STYLES])
def test_every_style_gives_a_sound_setup_in_every_game(game: Game, style: str) -> None:
    for seed in range(5):
        for side in (0, 1):
            setup = styled_setup(game, side, style, Random(seed))
            assert can_step(setup)
            assert len(shut_in(setup)) <= (style == "decoy")
            assert len(warnings(setup)) == len(shut_in(setup))


def test_a_style_differs_from_game_to_game_but_not_for_the_same_dice() -> None:
    texts = {write_setup(styled_setup(ONYX, 0, "blitz", Random(seed))) for seed in range(10)}
    assert len(texts) == 10
    assert write_setup(styled_setup(ONYX, 0, "blitz", Random(1))) in texts


@pytest.mark.parametrize("side", [0, 1])
def test_a_fortress_walls_its_flag_in_a_back_corner_with_bombs(side: int) -> None:
    for seed in range(10):
        setup = styled_setup(ONYX, side, "fortress", Random(seed))
        flag, bomb = flag_cell(setup), ONYX.kind_index("bomb")
        back = [cell for cell in ONYX.board.home(side) if row_of(cell) == ONYX.board.back_row(side)]
        assert flag in (back[0], back[-1])
        assert all(setup.kinds.get(flag + step, bomb) == bomb for step in DIRECTIONS)


def test_a_decoy_walls_an_ordinary_piece_on_the_wing_away_from_the_flag() -> None:
    for seed in range(10):
        setup = styled_setup(ONYX, 0, "decoy", Random(seed))
        flag, bomb = flag_cell(setup), ONYX.kind_index("bomb")
        corner = 22 if flag < 18 else 13
        assert ONYX.kinds[setup.kinds[corner]].role == "soldier"
        assert all(setup.kinds.get(corner + step, bomb) == bomb for step in DIRECTIONS)
        assert abs(corner - flag) > 4


def test_a_blitz_puts_its_strongest_pieces_further_forward_than_its_diggers() -> None:
    strong, diggers = [], []
    for seed in range(30):
        setup = styled_setup(ONYX, 0, "blitz", Random(seed))
        strong += [row_of(cell) for cell in setup.cells_of(ONYX.kind_index("marshal"))]
        diggers += [row_of(cell) for cell in setup.cells_of(ONYX.kind_index("miner"))]
    assert sum(strong) / len(strong) > sum(diggers) / len(diggers) + 1


def test_styles_that_need_bombs_are_not_offered_without_them() -> None:
    assert style_names(ONYX) == ("fortress", "open", "decoy", "blitz")
    assert style_names(BARRAGE) == ("fortress", "open", "blitz")
    assert style_names(MINI) == style_names(AWKWARD) == ("open", "blitz")


def test_an_unknown_style_is_refused_with_the_list_of_styles() -> None:
    with pytest.raises(
        SetupError, match=r"^There is no setup style “wild”; the styles are fortress, open, decoy, blitz"
    ):
        styled_setup(ONYX, 0, "wild", Random(1))


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("onyx/classic", "Bombs"),
        ("duel-masters/classic", "Terror Pits or Natural Snares"),
        ("lotr/classic", "Strongholds"),
    ],
)
def test_a_style_is_described_in_the_words_of_the_box(game: str, words: str) -> None:
    assert f"{words} look after the Flag" in style_text(load_game(game), "blitz")


def test_a_style_still_gives_a_setup_where_nobody_can_move() -> None:
    walled = replace(MINI, board=Board(3, 3, 1, frozenset({25, 26, 27})))
    setup = styled_setup(walled, 0, "blitz", Random(1))
    assert not can_step(setup)
    assert len(setup.kinds) == 3
