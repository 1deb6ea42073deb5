"""Powers in the search: blind shots, the order of an advance, and what is pruned."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from flagfall.board import cell_name, parse_cell
from flagfall.edition import load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine import action as A
from flagfall.engine.play import deal, play
from flagfall.engine.rules import MAX_ACTIONS
from flagfall.engine.state import PIECE_INFO, TOLD_ALL, State, piece_on
from flagfall.players.search.alpha_beta import is_futile
from flagfall.players.search.buffers import (
    CERTAIN_GAIN,
    GAIN_CAP,
    GUESS,
    INFINITE,
    MAX_PROBABILITY,
    PIECE_VALUE,
    RANGED_GAIN,
    SECRET_VALUE,
    SearchBuffers,
)
from flagfall.players.search.move_ordering import (
    CAPTURE,
    CERTAIN,
    advance_gain,
    choice_probability,
    generate,
    generate_captures,
    max_gain,
    score_action,
)
from flagfall.players.search.root import is_attack, is_by_contact

GAME = load_game("duel-masters/elemental-powers")
TABLES = compile_game(GAME, resolve(GAME, {}))
NUMBER = {kind.id: i for i, kind in enumerate(GAME.kinds)}
T = TABLES.buffer
NORTHWARDS, EASTWARDS = 0, 1


def _table(south: Mapping[str, str], north: Mapping[str, str]) -> State:
    armies = [{parse_cell(cell): NUMBER[kind] for cell, kind in army.items()} for army in (south, north)]
    state, _ = deal(TABLES, *armies)
    return state


def _room() -> SearchBuffers:
    """Every piece is worth 10."""
    buffers = SearchBuffers()
    buffers.values[PIECE_VALUE:SECRET_VALUE] = 10
    buffers.values[CERTAIN_GAIN], buffers.values[MAX_PROBABILITY], buffers.values[GAIN_CAP] = 10, 12, 40
    return buffers


def _shot(origin: str, target: str) -> int:
    return A.SHOOT << 24 | parse_cell(origin) << 8 | parse_cell(target)


def _advance(way: int) -> int:
    return A.ADVANCE << 24 | way << 16


def _show(state: State, cell: str) -> None:
    state.buffer[PIECE_INFO + piece_on(state.buffer, parse_cell(cell))] |= TOLD_ALL


@pytest.mark.parametrize(("target", "is_worth_it"), [("striker", True), ("leader", False), ("trap", False)])
def test_only_a_shot_that_hits_in_this_world_is_an_exchange(target: str, is_worth_it: bool) -> None:
    """A 6000 takes a 3000; of a 9000 and a trap it learns what they are, and that is no capture."""
    state = _table({"e4": "blaster", "a1": "flag"}, {"e6": target, "a10": "flag"})
    _show(state, "e6")
    buffers = _room()
    n = generate_captures(T, buffers.w, state.buffer, 0, False, buffers.lists, buffers.order)
    assert (_shot("e4", "e6") in [int(buffers.lists[i]) for i in range(n)]) == is_worth_it
    rank = score_action(T, buffers.w, buffers.m, state.buffer, 0, _shot("e4", "e6"), 0)
    assert (rank >= CAPTURE) == is_worth_it
    is_left_out = is_futile(buffers.w, state.buffer, _shot("e4", "e6"), rank, 1, 1, 0, 0)
    assert is_left_out != is_worth_it


def test_a_blind_shot_gains_what_the_shooter_can_expect() -> None:
    """In this World it takes a piece; the shooter has been shown nothing, and expects 4 of it."""
    state = _table({"e4": "blaster", "a1": "flag"}, {"e6": "striker", "a10": "flag"})
    buffers = _room()
    buffers.values[RANGED_GAIN:GUESS] = 4
    args = (T, buffers.w, buffers.m, state.buffer, _shot("e4", "e6"))
    assert choice_probability(*args) == 8 + 4 * 8 // 10
    assert max_gain(*args) == 4 * 40 // 16
    _show(state, "e6")
    assert choice_probability(*args) == CERTAIN
    assert max_gain(*args) == INFINITE


def test_shooting_and_detecting_lose_no_piece() -> None:
    """So nothing is put on its price; a fight has one."""
    for verb in (A.SHOOT, A.CONVERT, A.DETECT):
        assert is_attack(verb << 24)
        assert not is_by_contact(verb << 24)
    assert is_by_contact(A.ATTACK << 24)


def test_an_advance_is_searched_foremost_first_only() -> None:
    """Three 4000s can go in six orders; behind one another only one of them is no accident."""
    state = _table({"e2": "swarm", "e3": "swarm", "e4": "swarm", "a1": "flag"}, {"a10": "flag", "b10": "spy"})
    play(TABLES, state, _advance(NORTHWARDS))
    buffers = _room()
    for cell in ("e4", "e3", "e2"):
        n = generate(T, buffers.w, buffers.m, state.buffer, 0, 0, buffers.lists, buffers.order)
        assert [cell_name(int(buffers.lists[i]) & 255) for i in range(n)] == [cell]
        play(TABLES, state, int(buffers.lists[0]))
    assert n == 1


@pytest.mark.parametrize(
    ("south", "way", "gain"),
    [
        ({"e4": "swarm", "e5": "swarm"}, NORTHWARDS, 10),  # e6 is taken, e4 follows
        ({"e4": "swarm", "j4": "swarm"}, EASTWARDS, -10),  # over the edge
        ({"e4": "swarm", "b5": "swarm"}, EASTWARDS, -10),  # into the lake
        ({"e4": "swarm", "e5": "brute"}, NORTHWARDS, -10),  # against a friend that stays
    ],
)
def test_what_an_advance_gains(south: dict[str, str], way: int, gain: int) -> None:
    state = _table({**south, "a1": "flag"}, {"e6": "striker", "a10": "flag"})
    _show(state, "e6")
    buffers = _room()
    assert advance_gain(T, buffers.w, state.buffer, _advance(way)) == gain
    n = generate_captures(T, buffers.w, state.buffer, 0, False, buffers.lists, buffers.order)
    assert (_advance(way) in [int(buffers.lists[i]) for i in range(n)]) == (gain > 0)


@pytest.mark.parametrize("power", ["knight", "seer"])
def test_quiet_powers_are_pruned_near_the_leaves(power: str) -> None:
    """A 7000 may be anywhere around, an 8000 looks at anybody; neither helps who is behind."""
    state = _table({"e4": power, "a1": "flag"}, {"e6": "trap", "a10": "flag", "b10": "spy"})
    buffers = _room()
    n = generate(T, buffers.w, buffers.m, state.buffer, 0, 0, buffers.lists, buffers.order)
    assert 0 < n < MAX_ACTIONS
    left = [
        int(buffers.lists[i]) >> 24
        for i in range(n)
        if not is_futile(buffers.w, state.buffer, int(buffers.lists[i]), int(buffers.order[i]), 1, 1, -50, 0)
    ]
    assert left == []
    assert {A.TELEPORT, A.DETECT} & {int(buffers.lists[i]) >> 24 for i in range(n)}
