"""What an enemy's attack costs, and that a walk past hidden pieces has its price."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from flagfall.edition import game_ids, load_game, resolve
from flagfall.engine.action import MOVE
from flagfall.match.play import GameRunner
from flagfall.players import Budget, make_player
from flagfall.players.searcher import SearchingPlayer

GAME = load_game("barrage/classic")
OPTIONS = resolve(GAME, {})
NUMBER = {kind.id: i for i, kind in enumerate(GAME.kinds)}
SOUTH, NORTH = 0, 1


def test_an_attack_costs_what_it_takes_where_the_enemy_gains() -> None:
    player = SearchingPlayer(GAME, OPTIONS, Random(1), Budget(nodes=60))
    running = _game(player)
    view = running.view("south")
    player.choose(view, running.history("south"))
    dangers = player.evaluator.dangers(view, player.buffers.values)
    marshal, spy, scout = (NUMBER[kind] for kind in ("marshal", "spy", "scout"))
    assert dangers[marshal, spy] > dangers[scout, marshal] > 0
    assert dangers[marshal, scout] == 0, "a piece that would only lose does not come"


@pytest.mark.parametrize("game_id", game_ids())
def test_a_piece_that_cannot_move_is_no_danger(game_id: str) -> None:
    game = load_game(game_id)
    player = SearchingPlayer(game, resolve(game, {}), Random(1), Budget(nodes=20))
    view = _game(player).view("south")
    player.choose(view, ())
    dangers = player.evaluator.dangers(view, player.buffers.values)
    assert dangers.any()
    assert not dangers[:, ~player.evaluator.piece_values.mobile].any()


def _game(player: SearchingPlayer) -> GameRunner:
    setups = player.set_up(SOUTH), player.set_up(NORTH)
    return GameRunner(player.game, player.options, setups)


def test_a_move_past_hidden_pieces_has_a_cost() -> None:
    """Blind attacks always have one; a plain move has one if the Worlds differ from the chances."""
    player = SearchingPlayer(GAME, OPTIONS, Random(2), Budget(nodes=60))
    other, running = make_player("greedy", GAME, OPTIONS, Random(3)), _game(player)
    prices: list[float] = []
    while not running.is_over and running.view("south").turn < 60:
        seat = running.mover
        view, history = running.view(seat), running.history(seat)
        running.play((player if seat == "south" else other).choose(view, history))
        if seat == "south" and player.result is not None:
            found = player.result.root_result
            walks = [i for i, act in enumerate(found.acts) if act >> 24 == MOVE]
            prices += np.abs(found.root_weights.penalty[walks]).max(axis=1, initial=0.0).tolist()
    assert min(prices) == 0.0
    assert max(prices) > 1.0
