"""The network that corrects the evaluation: kept up to date by events, the same from both sides, no truth."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from flagfall.board import parse_cell
from flagfall.edition import Game, game_ids, load_game, resolve
from flagfall.engine import events as E
from flagfall.engine import state as S
from flagfall.engine.kernel import buffer
from flagfall.engine.mode import mode
from flagfall.engine.play import play
from flagfall.engine.simulate import copy_row
from flagfall.engine.tables import PIECES
from flagfall.players import Budget, make_player
from flagfall.players.evaluation.value_net import ValueNet, turned_sum, zero_net
from flagfall.players.search import buffers as B
from flagfall.players.search.alpha_beta import null_move
from flagfall.players.search.leaf_net import MAX_CORRECTION, ONE, correction, start_accumulators
from flagfall.players.search.make_move import make_move, set_root
from tests.laws.seen_game import Case, SeenGame, choose, start_game
from tests.players import net_trace
from tests.players.nets import random_net

SOUTH, NORTH = 0, 1
Row = NDArray[np.int16]
RARE = {
    E.CONVERT: "fire-and-ice/special-powers",
    E.RESCUED: "onyx/classic",
    E.PHASE: "lotr/destroy-the-ring",
}
"""what happens seldom, and a game in which it does"""


def search_buffers(game: Game, net: ValueNet, viewer: int) -> B.SearchBuffers:
    found = B.SearchBuffers(net.numbers(game))
    found.memory[B.VIEWER] = viewer
    return found


def accumulator(found: B.SearchBuffers, ply: int) -> list[int]:
    start = B.ACCUMULATORS + ply * B.MAX_NET_WIDTH
    width = int(found.values[B.NET_WIDTH])
    return [int(number) for number in found.memory[start : start + width]]


def step(found: B.SearchBuffers, seen_game: SeenGame, act: int) -> None:
    """Play an action of the true position from ply 0 to ply 1."""
    t, row = seen_game.tables.buffer, found.rows[: S.STATE_SIZE]
    copy_row(seen_game.state.buffer, row)
    set_root(t, found.w, found.m, row)
    make_move(t, found.w, found.m, found.rows, 0, act, found.out, found.ev)


def recomputed(found: B.SearchBuffers) -> list[int]:
    """The accumulator of ply 1, computed from its row."""
    start_accumulators(found.w, found.m, found.rows[S.STATE_SIZE : 2 * S.STATE_SIZE])
    return accumulator(found, 0)


@pytest.mark.parametrize("game_id", game_ids())
def test_what_events_change_is_what_a_fresh_sum_gives(game_id: str) -> None:
    game = load_game(game_id)
    seen_game, rng = start_game(Case(game, resolve(game, {}), 11))
    both = [search_buffers(game, random_net(game), viewer) for viewer in (SOUTH, NORTH)]
    for _ in range(90):
        if seen_game.state.is_over:
            break
        act = choose(seen_game.legal(), seen_game.state.side, rng)
        for found in both:
            step(found, seen_game, act)
            assert accumulator(found, 1) == recomputed(found)
        seen_game.play(act)


@pytest.mark.parametrize("what", RARE)
def test_it_holds_for_what_happens_seldom(what: int) -> None:
    """Conversions, rescues, the bearer's arrival or loss: pieces change sides, return and leave."""
    game = load_game(RARE[what])
    options = resolve(game, {"rescue": "on"} if what == E.RESCUED else {})
    found, times = search_buffers(game, random_net(game), SOUTH), 0
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
                step(found, seen_game, act)
                assert accumulator(found, 1) == recomputed(found)
                play(seen_game.tables, before, act)
    assert times == 2


def test_a_null_move_leaves_it_as_it_is() -> None:
    game = load_game("barrage/classic")
    seen_game, _ = start_game(Case(game, resolve(game, {}), 3))
    found = search_buffers(game, random_net(game), SOUTH)
    step(found, seen_game, seen_game.legal()[0])
    null_move(found.w, found.m, found.rows, 1)
    assert accumulator(found, 2) == accumulator(found, 1) != [0] * 4


def turned(row: Row, game: Game) -> Row:
    """The same position with the sides exchanged, as the other player sees it."""
    found = row.copy()
    for piece in range(1, PIECES):
        if row[S.PIECE_CELL + piece]:
            found[S.PIECE_CELL + piece] = turned_sum(game) - row[S.PIECE_CELL + piece]
        info = int(row[S.PIECE_INFO + piece])
        told = info & (S.TOLD_SOUTH | S.TOLD_NORTH)
        swapped = (told & S.TOLD_SOUTH) << 1 | (told & S.TOLD_NORTH) >> 1
        found[S.PIECE_INFO + piece] = (info ^ told | swapped) ^ (1 << S.OWNER_SHIFT)
    found[S.SIDE] = 1 - row[S.SIDE]
    return found


def corrected(game: Game, row: Row, viewer: int) -> int:
    found = search_buffers(game, random_net(game), viewer)
    start_accumulators(found.w, found.m, buffer(row))
    return int(correction(found.w, found.m, buffer(row), 0))


@pytest.mark.parametrize("game_id", ["barrage/classic", "spin-master/duel", "mini/3x4"])
def test_a_turned_position_is_worth_the_same_to_the_other_player(game_id: str) -> None:
    game = load_game(game_id)
    seen_game, rng = start_game(Case(game, resolve(game, {}), 5))
    seen = set()
    for _ in range(30):
        if seen_game.state.is_over:
            break
        row = seen_game.state.row
        seen.add(corrected(game, row, SOUTH))
        assert corrected(game, row, SOUTH) == corrected(game, turned(row, game), NORTH)
        seen_game.play(choose(seen_game.legal(), seen_game.state.side, rng))
    assert len(seen) > 2


def test_the_correction_is_a_cut_and_weighted_sum() -> None:
    """One piece, one number cut at one, one between, one below zero."""
    game = load_game("barrage/classic")
    net = zero_net(game, 3)
    cell = game.board.open_cells().index(parse_cell("b2"))
    net.arrays["table"][0, 0, 0, cell] = (640, 3 * ONE, ONE // 2, -5)
    net.arrays["bias"][:] = ((64, 0, 0, 0), (-64, 0, 0, 0))
    net.arrays["out"][:] = (0, 64, 128, 999)
    row = S.State()
    row.buffer[S.PIECE_INFO + 1] = 0
    row.buffer[S.PIECE_CELL + 1] = parse_cell("b2")
    found = search_buffers(game, net, SOUTH)
    start_accumulators(found.w, found.m, row.buffer)
    to_move = {}
    for side in (SOUTH, NORTH):
        row.buffer[S.SIDE] = side
        to_move[side] = correction(found.w, found.m, row.buffer, 0)
    assert to_move == {SOUTH: 10 + 1 + 1 + 1, NORTH: 10 - 1 + 1 + 1}
    net.arrays["out"][1:] = 32767
    net.arrays["table"][0, 0, 0, cell] = 32767
    assert corrected_by(game, net, row) == MAX_CORRECTION


def corrected_by(game: Game, net: ValueNet, row: S.State) -> int:
    found = search_buffers(game, net, SOUTH)
    start_accumulators(found.w, found.m, row.buffer)
    return int(correction(found.w, found.m, row.buffer, 0))


@pytest.mark.parametrize(
    ("flags", "status"),
    [
        (S.TOLD_SOUTH, 0),
        (S.TOLD_SOUTH | S.MOVED, 1),
        (S.TOLD_SOUTH | S.TOLD_WATCHERS, 0),
        (S.TOLD_ALL, 2),
        (S.TOLD_ALL | S.MOVED, 2),
    ],
)
@pytest.mark.parametrize("viewer", [SOUTH, NORTH])
def test_what_counts_is_what_the_other_side_was_told(flags: int, status: int, viewer: int) -> None:
    """A piece of South's, which South knows; North has seen nothing, its move, or its kind."""
    game = load_game("barrage/classic")
    net, row = zero_net(game, 0), S.State()
    for number in range(3):
        net.arrays["table"][viewer, 1, number, :, 0] = 64 * (number + 1)
    row.buffer[S.PIECE_INFO + 1], row.buffer[S.PIECE_CELL + 1] = 1 | flags, parse_cell("b2")
    found = search_buffers(game, net, viewer)
    start_accumulators(found.w, found.m, row.buffer)
    assert correction(found.w, found.m, row.buffer, 0) == status + 1


@pytest.mark.parametrize("game_id", ["barrage/classic", "duel-masters/elemental-powers"])
def test_a_network_of_zeros_changes_no_choice_and_another_one_does(game_id: str) -> None:
    game = load_game(game_id)
    options = resolve(game, {})
    played = []
    for net in (None, zero_net(game, 4), random_net(game)):
        seen_game, _ = start_game(Case(game, options, 2))
        players = [
            make_player("marshal", game, options, Random(f"4/{side}"), Budget(nodes=150), net=net)
            for side in (SOUTH, NORTH)
        ]
        stories = {seat: list(seen_game.greeting[seat]) for seat in ("south", "north")}
        acts = []
        for _ in range(8):
            seat = ("south", "north")[seen_game.state.side]
            view = seen_game.observers.view(seen_game.state, seat, forgets=False)  # type: ignore[arg-type]
            act = players[seen_game.state.side].choose(view, stories[seat])
            acts.append((act, getattr(players[seen_game.state.side], "nodes", 0)))
            seen = seen_game.play(act.pack())
            for one in stories:
                stories[one] += seen[one]  # type: ignore[index]
        played.append(acts)
    assert played[0] == played[1] != played[2]


def test_a_network_sees_no_more_than_its_player() -> None:
    """Exchanging two hidden pieces of the opponent changes nothing in what is thought or done."""
    game = load_game("barrage/classic")
    options, rng = resolve(game, {}), Random(4)
    army = [kind for kind, count in enumerate(game.rosters[0]) for _ in range(count)]
    south = dict(zip(rng.sample(game.board.home(0), 8), army, strict=True))
    north = dict(zip(rng.sample(game.board.home(1), 8), army, strict=True))
    one, other = sorted(north)[:2]
    twin = north | {one: north[other], other: north[one]}
    answers = []
    for enemy in (north, twin):
        seen_game = SeenGame(game, options, south, enemy)
        player = make_player("marshal", game, options, Random(9), Budget(nodes=200), net=random_net(game))
        view = seen_game.observers.view(seen_game.state, "south", forgets=False)
        answers.append((player.choose(view, list(seen_game.greeting["south"])), getattr(player, "nodes", 0)))
    assert answers[0] == answers[1]


def test_machine_code_finds_the_same_numbers() -> None:
    env = os.environ | {"FLAGFALL_KERNELS": "compiled", "FLAGFALL_BOUNDSCHECK": "1"}
    answer = subprocess.run(
        [sys.executable, "-m", "tests.players.net_trace"],
        cwd=Path(__file__).parents[2],
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert answer.returncode == 0, answer.stderr[-3000:]
    told = json.loads(answer.stdout)
    assert (told["mode"], mode()) == ("compiled", "interpreted")
    assert told["found"] == net_trace.everything()
