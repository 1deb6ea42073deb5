"""Generated setups: whole armies on home squares, sound, and no two alike."""

from __future__ import annotations

from random import Random

import pytest

from flagfall.board import DIRECTIONS, column_of, row_of
from flagfall.edition import game_ids, load_game
from flagfall.players.roles import roles_of
from flagfall.players.setup_generator import generated_setup
from flagfall.setups import warnings, write_setup
from flagfall.setups.advice import can_step


@pytest.mark.parametrize("game_id", game_ids())
def test_a_setup_is_a_whole_army_that_can_move(game_id: str) -> None:
    game = load_game(game_id)
    for side in (0, 1):
        setup = generated_setup(game, side, Random(side))
        kinds = list(setup.kinds.values())
        assert [kinds.count(kind) for kind in range(len(game.kinds))] == list(game.rosters[side])
        assert set(setup.kinds) <= set(game.board.home(side))
        assert can_step(setup)


@pytest.mark.parametrize("game_id", ["lotr/classic", "fire-and-ice/special-powers", "barrage/classic"])
def test_no_two_are_alike(game_id: str) -> None:
    """Sixty without a repeat; by the birthday bound that is rare unless there are thousands of them."""
    game, rng = load_game(game_id), Random(1)
    assert len({write_setup(generated_setup(game, 0, rng)) for _ in range(60)}) == 60


def test_the_flag_is_mostly_in_the_rear_and_not_always_in_one_place() -> None:
    game, rng = load_game("onyx/classic"), Random(2)
    flag = next(iter(roles_of(game, 0).flags))
    cells = []
    for _ in range(40):
        setup = generated_setup(game, 0, rng)
        assert not warnings(setup)
        cells += [cell for cell, kind in setup.kinds.items() if kind == flag]
    assert sum(row_of(cell) == 1 for cell in cells) > 30
    assert len(set(cells)) > 8


@pytest.mark.parametrize(
    ("game_id", "least"),
    [("lotr/classic", 57), ("fire-and-ice/special-powers", 57), ("spin-master/duel", 24)],
)
def test_the_wall_around_the_flag_is_closed_where_there_are_bombs(game_id: str, least: int) -> None:
    """A flag with one open side is found by a piece that walks past."""
    game, rng = load_game(game_id), Random(3)
    roles, home = roles_of(game, 0), set(game.board.home(0))
    closed = 0
    for _ in range(60):
        kinds = generated_setup(game, 0, rng).kinds
        flag = next(cell for cell, kind in kinds.items() if kind in roles.flags)
        closed += all(kinds.get(flag + way) in roles.bombs for way in DIRECTIONS if flag + way in home)
    assert closed >= least


def test_one_bomb_does_not_send_the_flag_into_a_corner() -> None:
    game, rng = load_game("barrage/classic"), Random(3)
    flags = roles_of(game, 0).flags
    corners = 0
    for _ in range(60):
        kinds = generated_setup(game, 0, rng).kinds
        corners += sum(column_of(cell) in (1, 10) for cell, kind in kinds.items() if kind in flags)
    assert corners < 30


def test_roles_are_read_off_the_combat_table() -> None:
    game = load_game("onyx/classic")
    roles = roles_of(game, 0)
    names = {index: kind.id for index, kind in enumerate(game.kinds)}
    assert {names[kind] for kind in roles.diggers} == {"miner"}
    assert {names[kind] for kind in roles.assassins} == {"spy"}
    assert {names[kind] for kind in roles.leaders} == {"marshal", "general"}
