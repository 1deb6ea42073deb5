"""Who comes too late to stop an intruder on its way to the flag."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import numpy as np
import pytest

from flagfall.board import CELLS, DIRECTIONS, parse_cell
from flagfall.edition import load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine.state import OWNER_SHIFT, PIECE_CELL, PIECE_INFO, SIDE, State
from flagfall.engine.tables import ARMY, ATTACKER_WINS
from flagfall.match.play import GameRunner
from flagfall.players.budget import Budget
from flagfall.players.evaluation.evaluator import FAR, Paths
from flagfall.players.roles import roles_of
from flagfall.players.search.buffers import (
    CERTAIN_LOSS,
    FLAG_DISTANCE,
    LATE_RANGE,
    LATE_SHARE,
    LATENESS,
    LEAD_AT_RISK,
    PATH_CLASS,
    SCORES,
    THREAT,
    THREAT_COST,
    THREAT_RANGE,
    VIEWER,
    SearchBuffers,
)
from flagfall.players.search.make_move import flag_threat, static_eval
from flagfall.players.searcher import SearchingPlayer

GAME = load_game("lotr/classic")
FLAG = parse_cell("b1")
WALLS = tuple(parse_cell(name) for name in ("a1", "c1", "b2"))
SOUTH, NORTH = 0, 1


def _late(intruder: str, guard: str, closed: tuple[int, ...] = ()) -> int:
    _, late = Paths(GAME.board).lateness((FLAG,), closed, WALLS)
    return int(late[parse_cell(intruder), parse_cell(guard)])


def test_a_piece_that_runs_after_an_intruder_comes_too_late() -> None:
    assert _late("b5", "b7") > 0
    assert _late("b5", "b3") <= 0, "a guard in its way does not"


def test_a_guard_next_to_the_path_is_in_time() -> None:
    """The intruder digs at b2, three steps from b5; the guard must stand next to its path by then."""
    assert _late("b5", "e2") <= 0
    assert _late("b5", "j1") > 0


def test_a_guard_may_catch_a_digger_inside_the_wall() -> None:
    """From d1 a digger takes c1 and then the flag; a guard on c2 takes it there."""
    assert _late("d1", "c2") <= 0
    assert _late("d1", "c3") == 1, "in time only if the guard moves first"


def test_an_intruder_takes_the_path_that_is_not_guarded() -> None:
    """From a2 a digger has two ways to b1: by a1 and by b2. A guard on c2 covers only one of them."""
    assert _late("a2", "c2") > 1
    assert _late("a2", "a3") == 1, "next to the square where both paths begin"


def test_a_guard_behind_its_own_wall_has_to_go_around() -> None:
    ways = Paths(GAME.board)
    flag, walls = parse_cell("a1"), tuple(parse_cell(name) for name in ("a2", "b2", "c2", "d2", "b1"))
    _, late = ways.lateness((flag,), (), walls)
    behind, free = parse_cell("c1"), parse_cell("c3")
    assert late[parse_cell("a4"), free] < late[parse_cell("a4"), behind]


def test_kinds_that_cannot_take_the_wall_have_no_path() -> None:
    steps, _ = Paths(GAME.board).lateness((FLAG,), WALLS, WALLS)
    assert steps[parse_cell("b5")] == FAR
    steps, _ = Paths(GAME.board).lateness((FLAG,), (), WALLS)
    assert steps[parse_cell("b5")] == 4


def _movers(side: int) -> list[int]:
    return [i for i, kind in enumerate(GAME.kinds) if kind.is_mobile and GAME.rosters[side][i]]


def _digger(side: int) -> int:
    """A kind of a side that digs."""
    fights = compile_game(GAME, resolve(GAME, {})).fights(len(GAME.kinds))
    bomb = next(i for i, kind in enumerate(GAME.kinds) if kind.role == "bomb")
    return next(i for i in _movers(side) if fights[i][bomb] == ATTACKER_WINS)


def _strongest(side: int) -> int:
    fights = compile_game(GAME, resolve(GAME, {})).fights(len(GAME.kinds))
    return max(_movers(side), key=lambda i: sum(outcome == ATTACKER_WINS for outcome in fights[i]))


def _room() -> SearchBuffers:
    buffers = SearchBuffers()
    steps, late = Paths(GAME.board).lateness((FLAG,), (), WALLS)
    buffers.values[FLAG_DISTANCE : FLAG_DISTANCE + CELLS * len(GAME.kinds)] = np.tile(steps, len(GAME.kinds))
    buffers.values[PATH_CLASS : PATH_CLASS + len(GAME.kinds)] = 0
    buffers.values[LATENESS : LATENESS + CELLS * CELLS] = late.reshape(-1)
    buffers.values[THREAT : THREAT + THREAT_RANGE] = 800
    buffers.values[THREAT_COST] = 1000
    buffers.values[LEAD_AT_RISK] = CERTAIN_LOSS
    buffers.values[LATE_SHARE : LATE_SHARE + LATE_RANGE] = CERTAIN_LOSS
    buffers.values[LATE_SHARE : LATE_SHARE + 2] = CERTAIN_LOSS // 8, CERTAIN_LOSS // 2
    buffers.memory[VIEWER] = SOUTH
    return buffers


def _state(pieces: Mapping[str, tuple[int, int]], mover: int) -> State:
    state = State()
    for number, (square, (side, kind)) in enumerate(pieces.items()):
        piece = 1 + number + ARMY * side
        state.buffer[PIECE_CELL + piece] = parse_cell(square)
        state.buffer[PIECE_INFO + piece] = kind | side << OWNER_SHIFT
    state.buffer[SIDE] = mover
    return state


def _alarm(pieces: Mapping[str, tuple[int, int]], mover: int = NORTH) -> int:
    """Return the threat to South's flag in a position: square → side, kind."""
    buffers, state = _room(), _state(pieces, mover)
    return int(flag_threat(compile_game(GAME, resolve(GAME, {})).buffer, buffers.w, buffers.m, state.buffer))


def _standing(lead: int, pieces: Mapping[str, tuple[int, int]], mover: int = SOUTH) -> int:
    """Return the evaluation of a position for the side to move, given South's lead."""
    buffers, state = _room(), _state(pieces, mover)
    buffers.memory[SCORES] = lead
    return int(
        static_eval(compile_game(GAME, resolve(GAME, {})).buffer, buffers.w, buffers.m, state.buffer, 0)
    )


def test_an_intruder_that_cannot_be_stopped_costs_most() -> None:
    digger, guard = (NORTH, _digger(NORTH)), (SOUTH, _strongest(SOUTH))
    assert _alarm({}) == 0
    square_cost = _alarm({"b4": digger})
    assert square_cost == 800
    assert 0 < _alarm({"b4": digger, "c3": guard}) < square_cost
    assert _alarm({"b4": digger, "j9": guard}) == square_cost


@pytest.mark.parametrize("mover", [SOUTH, NORTH])
def test_a_guard_that_would_lose_is_none(mover: int) -> None:
    digger, top = (SOUTH, _digger(SOUTH)), (NORTH, _strongest(NORTH))
    assert _alarm({"b4": top, "c3": digger}, mover) == _alarm({"b4": top}, mover)


def test_it_matters_whose_turn_it_is() -> None:
    """The intruder on b3 digs next; a guard on d3 gets next to its path only if it moves first."""
    digger, guard = (NORTH, _digger(NORTH)), (SOUTH, _strongest(SOUTH))
    pieces = {"b3": digger, "d3": guard}
    assert _alarm(pieces, SOUTH) < _alarm(pieces, NORTH)


def test_an_unstopped_intruder_costs_a_share_of_any_lead() -> None:
    """However far ahead, a flag that falls is a game lost."""
    digger = {"b4": (NORTH, _digger(NORTH))}
    assert _standing(2000, {}) == 2000
    assert _standing(0, digger) == -(800 * 1000 // CERTAIN_LOSS)
    assert _standing(2000, digger) < 2000 - 800 * 2000 // CERTAIN_LOSS
    assert _standing(2000, digger, NORTH) == -_standing(2000, digger, SOUTH)


def test_many_intruders_cost_no_more_than_the_game() -> None:
    digger = (NORTH, _digger(NORTH))
    assert _alarm({"b4": digger, "c4": digger, "d4": digger}) == CERTAIN_LOSS


def test_a_player_knows_how_far_every_enemy_is_from_its_flag() -> None:
    game, options = load_game("barrage/classic"), resolve(load_game("barrage/classic"), {})
    player = SearchingPlayer(game, options, Random(3), Budget(nodes=200))
    setup = player.set_up(SOUTH)
    running = GameRunner(game, options, (setup, player.set_up(NORTH)))
    player.choose(running.view("south"), running.history("south"))
    w, roles = player.buffers.values, roles_of(game, SOUTH)
    flag = next(cell for cell, kind in setup.kinds.items() if kind in roles.flags)
    reach = w[FLAG_DISTANCE:PATH_CLASS].reshape(-1, CELLS)
    digger = next(iter(roles_of(game, NORTH).diggers))
    neighbours = [cell for cell in (flag + way for way in DIRECTIONS) if cell in game.board.open_cells()]
    assert [reach[digger, cell] for cell in neighbours] == [1] * len(neighbours)
    assert w[THREAT] > w[THREAT + 1] > w[THREAT + THREAT_RANGE - 1] > 0
    assert w[THREAT_COST] > 0
