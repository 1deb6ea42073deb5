"""Expectimax: the chances of a fight's results, and of a hidden flag's capture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from flagfall.board import parse_cell
from flagfall.edition import load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine import action as A
from flagfall.engine.kernel import buffer
from flagfall.engine.play import deal
from flagfall.engine.state import SIDE, State, piece_on
from flagfall.engine.tables import MAX_KINDS, PIECES
from flagfall.players.search.buffers import (
    ATTACK_GAIN,
    CERTAIN_GAIN,
    FLAG_PROBABILITY,
    GAIN_CAP,
    GUESS,
    INFINITE,
    MAX_PROBABILITY,
    VIEWER,
    SearchBuffers,
)
from flagfall.players.search.expectimax import ONE, branch, hidden_fighter
from flagfall.players.search.move_ordering import choice_probability, max_gain

GAME = load_game("mini/3x3")
TABLES = compile_game(GAME, resolve(GAME, {}))
NUMBER = {kind.id: i for i, kind in enumerate(GAME.kinds)}
ATTACKER_WINS, BOTH_FALL, DEFENDER_WINS, FLAG_TAKEN = range(4)
SOUTH, NORTH = 0, 1


def _table(south: Sequence[str], north: Sequence[str]) -> State:
    """South's pieces on a1, b1, c1, North's on a3, b3, c3."""
    setups = [
        {parse_cell(f"{column}{row}"): NUMBER[kind] for column, kind in zip("abc", army, strict=True)}
        for row, army in ((1, south), (3, north))
    ]
    state, _ = deal(TABLES, *setups)
    return state


def _attack(origin: str, target: str) -> int:
    return A.ATTACK << 24 | parse_cell(origin) << 8 | parse_cell(target)


def test_each_result_of_a_fight_has_the_chance_of_its_kinds() -> None:
    state = _table(("marshal", "spy", "flag"), ("flag", "spy", "marshal"))
    act, buffers = _attack("a1", "a3"), SearchBuffers()
    buffers.memory[VIEWER] = SOUTH
    piece = hidden_fighter(buffers.m, state.buffer, act)
    assert piece == piece_on(state.buffer, parse_cell("a3"))
    chances = np.zeros((PIECES, MAX_KINDS), dtype=np.int32)
    parts = {"flag": ONE // 2, "spy": ONE // 4, "marshal": ONE // 4}
    for kind, part in parts.items():
        chances[piece, NUMBER[kind]] = part
    found = {
        end: branch(TABLES.buffer, buffer(chances.reshape(-1)), state.buffer, act, piece, end)
        for end in range(4)
    }
    assert {end: each // MAX_KINDS for end, each in found.items()} == {
        ATTACKER_WINS: parts["spy"],
        BOTH_FALL: parts["marshal"],
        DEFENDER_WINS: 0,
        FLAG_TAKEN: parts["flag"],
    }
    assert found[ATTACKER_WINS] % MAX_KINDS == NUMBER["spy"]


@pytest.mark.parametrize(
    ("viewer", "flag_probability", "share"), [(SOUTH, 10, 10), (SOUTH, 0, 0), (NORTH, 10, 0)]
)
def test_the_enemy_may_take_a_hidden_flag_next_to_it(viewer: int, flag_probability: int, share: int) -> None:
    """North cannot know that a1 is the flag; South fears its loss, and North does not expect it."""
    state = _table(("flag", "spy", "marshal"), ("marshal", "spy", "flag"))
    buffers = SearchBuffers()
    buffers.values[ATTACK_GAIN:GUESS] = -1000
    buffers.values[CERTAIN_GAIN], buffers.values[MAX_PROBABILITY], buffers.values[FLAG_PROBABILITY] = (
        10,
        12,
        flag_probability,
    )
    buffers.memory[VIEWER] = viewer
    state.buffer[SIDE] = NORTH
    assert choice_probability(TABLES.buffer, buffers.w, buffers.m, state.buffer, _attack("a3", "a1")) == share


@pytest.mark.parametrize(("viewer", "most"), [(SOUTH, 60), (NORTH, INFINITE)])
def test_the_gain_of_a_blind_attack_is_capped_for_the_viewer(viewer: int, most: int) -> None:
    """Two and a half times the expected gain; the enemy's gain is not capped."""
    state, buffers = _table(("marshal", "spy", "flag"), ("flag", "spy", "marshal")), SearchBuffers()
    buffers.values[ATTACK_GAIN:GUESS], buffers.values[GAIN_CAP] = 24, 40
    buffers.memory[VIEWER] = viewer
    assert max_gain(TABLES.buffer, buffers.w, buffers.m, state.buffer, _attack("a1", "a3")) == most
