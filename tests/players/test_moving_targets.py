"""Targets are looked for where they go: kept up to date by what changes, and a chase gains nothing."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from flagfall.board import EAST, parse_cell
from flagfall.edition import Game, game_ids, load_game, resolve
from flagfall.engine import events as E
from flagfall.engine import state as S
from flagfall.engine.play import play
from flagfall.engine.simulate import copy_row
from flagfall.engine.tables import PIECES
from flagfall.match.play import GameRunner
from flagfall.players import Budget
from flagfall.players.evaluation.piece_values import standard_weights
from flagfall.players.search import buffers as B
from flagfall.players.search.alpha_beta import null_move
from flagfall.players.search.make_move import make_move, set_root
from flagfall.players.search.moving_targets import start_targets
from flagfall.players.searcher import SearchingPlayer
from flagfall.setups import random_setup
from tests.laws.seen_game import Case, SeenGame, choose, start_game

SOUTH, NORTH = 0, 1
MOVING = replace(standard_weights(), moving_targets=1.0)
RARE = {
    E.CONVERT: "fire-and-ice/special-powers",
    E.RESCUED: "onyx/classic",
    E.USE: "lotr/special-powers",
}
"""what happens seldom, and a game in which it does"""
Found = tuple[int, list[int], list[int]]


def random_values(game: Game, viewer: int) -> B.SearchBuffers:
    """Buffers in which every kind wants every piece by a random amount, more the nearer it is."""
    rng, found = np.random.default_rng(4), B.SearchBuffers()
    w = found.values
    w[B.TARGET : B.TARGET_KIND] = rng.integers(0, 300, B.TARGET_KIND - B.TARGET)
    w[B.TARGET_KIND : B.WAS_TOLD] = rng.integers(0, 300, B.WAS_TOLD - B.TARGET_KIND)
    w[B.NEARNESS : B.PULL] = rng.integers(1, B.CLOSE, B.PULL - B.NEARNESS)
    w[B.PULL], w[B.CROWD] = 400, 90
    found.memory[B.VIEWER] = viewer
    return found


def step(found: B.SearchBuffers, seen_game: SeenGame, act: int) -> None:
    """Play an action of the true position from ply 0 to ply 1."""
    t, row = seen_game.tables.buffer, found.rows[: S.STATE_SIZE]
    copy_row(seen_game.state.buffer, row)
    set_root(t, found.w, found.m, row)
    make_move(t, found.w, found.m, found.rows, 0, act, found.out, found.ev)


def at_ply(found: B.SearchBuffers, ply: int) -> Found:
    """What is kept of a ply: the worth to the viewer, and best target and sum of every hunter."""
    m, i = found.memory, ply * PIECES
    on_board = [
        piece for piece in range(1, PIECES) if found.rows[ply * S.STATE_SIZE + S.PIECE_CELL + piece] != 0
    ]
    return (
        int(m[B.PULLS + ply]),
        [int(m[B.BEST_TARGET + i + piece]) for piece in on_board],
        [int(m[B.ALL_TARGETS + i + piece]) for piece in on_board],
    )


def looked_for_again(found: B.SearchBuffers, seen_game: SeenGame) -> Found:
    """The same for ply 1, from its row alone."""
    row = found.rows[S.STATE_SIZE : 2 * S.STATE_SIZE]
    start_targets(seen_game.tables.buffer, found.w, found.m, row, 1)
    return at_ply(found, 1)


@pytest.mark.parametrize("game_id", game_ids())
def test_what_an_action_changes_is_what_a_fresh_look_finds(game_id: str) -> None:
    game = load_game(game_id)
    seen_game, rng = start_game(Case(game, resolve(game, {}), 12))
    both = [random_values(game, viewer) for viewer in (SOUTH, NORTH)]
    for _ in range(70):
        if seen_game.state.is_over:
            break
        act = choose(seen_game.legal(), seen_game.state.side, rng)
        for found in both:
            step(found, seen_game, act)
            kept = at_ply(found, 1)
            assert kept == looked_for_again(found, seen_game)
            assert any(kept[1]) or len(kept[1]) < 4
        seen_game.play(act)


@pytest.mark.parametrize("what", RARE)
def test_it_holds_for_what_happens_seldom(what: int) -> None:
    """Conversions, rescues and powers: pieces change sides, return, and several leave at once."""
    game = load_game(RARE[what])
    options = resolve(game, {"rescue": "on"} if what == E.RESCUED else {})
    found, times = random_values(game, SOUTH), 0
    for seed in range(60):
        seen_game, rng = start_game(Case(game, options, seed))
        for _ in range(250):
            if seen_game.state.is_over or times == 2:
                break
            before, act = seen_game.state.copy(), choose(seen_game.legal(), seen_game.state.side, rng)
            happened = play(seen_game.tables, seen_game.state, act)
            if what in {event.what for event in happened}:
                times += 1
                seen_game.state = before
                for _ in range(3):  # also what follows it
                    step(found, seen_game, act)
                    assert at_ply(found, 1) == looked_for_again(found, seen_game)
                    play(seen_game.tables, seen_game.state, act)
                    if seen_game.state.is_over:
                        break
                    act = choose(seen_game.legal(), seen_game.state.side, rng)
    assert times == 2


def test_a_null_move_leaves_targets_as_they_are() -> None:
    game = load_game("barrage/classic")
    seen_game, _ = start_game(Case(game, resolve(game, {}), 3))
    found = random_values(game, SOUTH)
    step(found, seen_game, seen_game.legal()[0])
    null_move(found.w, found.m, found.rows, 1)
    assert found.memory[B.PULLS + 2] == found.memory[B.PULLS + 1] != 0
    for kept in (B.BEST_TARGET, B.ALL_TARGETS):
        one, two = (found.memory[kept + ply * PIECES :][:PIECES] for ply in (1, 2))
        assert (one == two).all()


def searched(weights_on: bool) -> tuple[SearchingPlayer, GameRunner]:
    game = load_game("barrage/classic")
    options, rng = resolve(game, {}), Random(6)
    running = GameRunner(game, options, (random_setup(game, 0, rng), random_setup(game, 1, rng)))
    weights = MOVING if weights_on else standard_weights()
    player = SearchingPlayer(game, options, Random(1), Budget(nodes=150), weights=weights)
    player.choose(running.view("south"), running.history("south"))
    return player, running


def test_a_chase_after_a_piece_that_runs_away_gains_nothing() -> None:
    """Hunter and prey go one step in the same direction: with targets that stay the hunter seemed nearer."""
    player, _ = searched(True)
    w, m = player.buffers.w, player.buffers.m
    row = S.State()
    hunter, prey = S.first_piece(0), S.first_piece(1)
    kinds = [number for number, kind in enumerate(player.game.kinds) if kind.is_mobile]
    for piece, side, cell in ((hunter, 0, "c4"), (prey, 1, "e4")):
        row.buffer[S.PIECE_INFO + piece] = kinds[-1] | side << S.OWNER_SHIFT | S.TOLD_ALL
        S.put(row.buffer, piece, parse_cell(cell))
    player.buffers.values[B.TARGET : B.TARGET_KIND] = 200
    player.buffers.values[B.WAS_TOLD : B.NEARNESS] = 1
    player.buffers.memory[B.VIEWER] = SOUTH
    t = player.sampler.tables.buffer

    def worth() -> tuple[int, int]:
        start_targets(t, w, m, row.buffer, 0)
        return int(m[B.PULLS]), int(m[B.BEST_TARGET + hunter])

    _, before = worth()
    for piece in (hunter, prey):
        cell = int(row.buffer[S.PIECE_CELL + piece])
        S.lift(row.buffer, piece)
        S.put(row.buffer, piece, cell + EAST)
    assert worth()[1] == before > 0
    cell = int(row.buffer[S.PIECE_CELL + hunter])
    S.lift(row.buffer, hunter)
    S.put(row.buffer, hunter, cell + EAST)
    assert worth()[1] > before


def test_without_the_weight_nothing_is_looked_for() -> None:
    usual, moving = searched(False)[0], searched(True)[0]
    assert usual.buffers.values[B.PULL] == 0
    assert usual.buffers.memory[B.PULLS : B.TT].any() == np.False_
    squares = usual.buffers.values[B.SQUARE_VALUE : B.ATTACK_GAIN]
    assert (usual.buffers.values[B.STANDING_VALUE : B.TARGET] == squares).all()
    assert moving.buffers.values[B.PULL] > 0
    assert moving.buffers.memory[B.PULLS : B.TT].any()
    assert (moving.buffers.values[B.STANDING_VALUE : B.TARGET] != squares).any()
