"""The weights of Worlds, the value of unlikely attacks, and paths to a flag."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from flagfall.board import cell_name, parse_cell
from flagfall.edition import Game, load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine.simulate import copy_row
from flagfall.engine.state import STATE_SIZE
from flagfall.match import Match, Seating
from flagfall.players import Budget, searcher
from flagfall.players.evaluation.evaluator import Evaluator
from flagfall.players.evaluation.piece_values import standard_weights
from flagfall.players.search.alpha_beta import discounted, quiescence, undiscounted
from flagfall.players.search.buffers import (
    ATTACK_GAIN,
    CERTAIN_GAIN,
    GUESS,
    INFINITE,
    LIMIT,
    MAX_PROBABILITY,
    MIN_PROBABILITY,
    SCORES,
    WIN,
    SearchBuffers,
)
from flagfall.players.search.make_move import set_root
from flagfall.players.search.move_ordering import CERTAIN
from flagfall.players.search.root import RootResult
from flagfall.players.search.root_weights import (
    RootWeights,
    balanced_samples,
    stratified_weights,
    unique_samples,
)
from flagfall.players.searcher import SearchingPlayer
from tests.laws.seen_game import SeenGame

HALF = CERTAIN // 2


def test_rare_kinds_are_as_frequent_as_their_chance() -> None:
    """A piece that is a digger once in six times is one in two of twelve Worlds, whatever was drawn."""
    chances = np.array([[5 / 6, 1 / 6], [1 / 2, 1 / 2]])
    for seed in range(20):
        rng = np.random.default_rng(seed)
        drawn = np.stack([rng.random(96) < line[1] for line in chances], axis=1).astype(np.int16)
        chosen = balanced_samples(drawn, chances, 12)
        assert chosen.sum(axis=0).tolist() == [2, 6]


def test_no_sample_is_used_more_often_than_it_was_drawn() -> None:
    drawn = np.array([[0], [1], [1]], dtype=np.int16)
    assert sorted(balanced_samples(drawn, np.array([[0.9, 0.1]]), 3)[:, 0].tolist()) == [0, 1, 1]
    assert balanced_samples(drawn[:, :0], np.zeros((0, 2)), 2).shape == (2, 0), "nothing is hidden"


def test_a_player_searches_worlds_that_are_balanced(monkeypatch: pytest.MonkeyPatch) -> None:
    """How often kinds come up in its Worlds is nearer to their chances than random samples would be."""
    monkeypatch.setattr(searcher, "MIN_NODES_PER_WORLD", 10)
    game = load_game("barrage/classic")
    options = resolve(game, {})
    match = Match.created(game, options, Seating("Anna", "Bert"), 0)
    player = SearchingPlayer(game, options, Random(1), Budget(nodes=120))
    match.seal("south", player.set_up(0), 0)
    match.seal("north", player.set_up(1), 0)
    player.choose(match.view("south", forgets=False), match.history("south"))
    result = player.result
    assert result is not None
    assert len(result.kinds) == 12
    often = np.eye(len(game.kinds))[result.kinds].mean(axis=0)
    error = ((often - result.chances) ** 2).sum()
    unbalanced = (result.chances * (1 - result.chances)).sum() / 12
    assert error < 0.6 * unbalanced


def test_worlds_that_are_the_same_are_one() -> None:
    kinds, share = unique_samples(np.array([[2, 1], [1, 2], [2, 1], [2, 1]], dtype=np.int16))
    assert kinds.tolist() == [[2, 1], [1, 2]]
    assert share.tolist() == [0.75, 0.25]


def test_an_attacked_piece_counts_by_its_exact_chances() -> None:
    """Kind 0 was drawn three times in four although it is as likely as kind 1."""
    weights = stratified_weights(
        np.array([0.5, 0.5]), np.array([0, 0, 1], dtype=np.int16), np.array([0.5, 0.25, 0.25])
    )
    assert weights.sum() == pytest.approx(1.0)
    assert weights[2] == pytest.approx(0.5)


def test_root_weights_of_some_actions() -> None:
    root_weights = RootWeights.even(3, np.array([0.6, 0.4]))
    root_weights.penalty[2] = 7.0
    assert root_weights.only([0, 2]).penalty.tolist() == [[0.0, 0.0], [7.0, 7.0]]


def test_an_unlikely_attack_gains_in_part_and_loses_in_full() -> None:
    """A blind attack is no way out while the flag hangs."""
    assert discounted(100, 20, HALF, INFINITE) == 60
    assert discounted(-900, 20, HALF, INFINITE) == -900
    assert discounted(100, 20, CERTAIN, INFINITE) == 100


def test_the_gain_of_a_blind_attack_is_capped() -> None:
    assert discounted(900, 20, HALF, 30) == 50
    assert discounted(900, 20, CERTAIN, 30) == 900, "what is known is not hoped for"


@pytest.mark.parametrize("share", [2, 5, HALF, 12, CERTAIN])
@pytest.mark.parametrize("value", [-900, -3, 0, 20, 25, 400])
def test_a_bound_before_mixing_loses_nothing(value: int, share: int) -> None:
    """What beats a bound after mixing beats the bound that the search below is given."""
    stand = 20
    for bound in range(-50, 300, 7):
        if discounted(value, stand, share, INFINITE) > bound:
            assert value > undiscounted(bound, stand, share, -1)


def test_the_way_to_a_walled_flag_is_open_to_those_who_take_the_wall() -> None:
    game = load_game("lotr/classic")
    evaluator = Evaluator(game, compile_game(game, resolve(game, {})), standard_weights())
    goal = parse_cell("a1")
    walls = (parse_cell("a2"), parse_cell("b1"))
    assert evaluator._closeness(goal, ())[parse_cell("a3")] == pytest.approx(
        evaluator.weights.guard_fade**2, rel=1e-9
    )
    assert evaluator._closeness(goal, walls)[parse_cell("a3")] == 0.0
    one_gone = walls[:1]
    assert evaluator._closeness(goal, one_gone)[parse_cell("a3")] == pytest.approx(
        evaluator.weights.guard_fade**4, rel=1e-9
    )


def test_ending_the_game_is_worth_a_piece_at_any_lead() -> None:
    """A lead of thousands leaves a chance to lose, so a guess at the flag that may cost a piece is made."""
    root_weights = RootWeights.even(2, np.array([0.8, 0.2]))
    root_weights.is_guess[1, 1] = 1.0
    won, ahead = 29990.0, 4000.0
    found = RootResult([1, 2], np.array([[ahead, ahead], [ahead - 60.0, won]]), root_weights, scale=200.0)
    still, guess = found.chances()
    assert guess > still


def test_a_game_that_ends_is_won_or_lost_for_certain_and_sooner_is_better() -> None:
    values = np.array([[WIN - 3.0], [WIN - 9.0], [4000.0], [9.0 - WIN], [3.0 - WIN]])
    chances = RootResult([1, 2, 3, 4, 5], values, RootWeights.even(5, np.ones(1)), scale=200.0).chances()
    assert sorted(chances, reverse=True) == chances.tolist()
    assert chances[1] > 0.999 > chances[2] > 0.001 > chances[3] > chances[4]


def test_near_a_win_the_better_action_is_still_the_better() -> None:
    """With twice the army all chances are near 1; ten points of material decide nevertheless."""
    game = load_game("barrage/classic")
    player = SearchingPlayer(game, resolve(game, {}), Random(1), Budget(nodes=10))
    root_weights = RootWeights.even(2, np.ones(1))
    found = RootResult([1, 2], np.array([[2000.0], [1990.0]]), root_weights, scale=650.0, active=[0, 1])
    assert {player._pick_near_best(found) for _ in range(40)} == {0}
    level = RootResult([1, 2], np.array([[0.1], [0.0]]), root_weights, scale=650.0, active=[0, 1])
    assert {player._pick_near_best(level) for _ in range(40)} == {0, 1}, "what is alike is mixed"


def test_quiescence_sees_a_hanging_flag_that_the_enemy_does_not_know() -> None:
    game, options = load_game("barrage/classic"), resolve(load_game("barrage/classic"), {})
    south, north = _armies(game)
    seen_game = SeenGame(game, options, south, north)
    for text in ("j1-j2", "a7-a6", "j2-j3", "a6-a5", "j3-j4"):
        seen_game.play(next(act for act in seen_game.legal() if describe(act) == text))
    buffers, t = SearchBuffers(), seen_game.tables.buffer
    buffers.values[ATTACK_GAIN:GUESS] = -1000
    buffers.values[MIN_PROBABILITY + 1], buffers.values[MAX_PROBABILITY], buffers.values[CERTAIN_GAIN] = (
        4,
        12,
        10,
    )
    buffers.memory[LIMIT] = 1000
    copy_row(seen_game.state.buffer, buffers.rows[:STATE_SIZE])
    set_root(t, buffers.w, buffers.m, buffers.rows[:STATE_SIZE])
    args = (t, buffers.w, buffers.m, buffers.rows, buffers.lists, buffers.order, buffers.out, buffers.ev)
    assert quiescence(*args, 0, 0, -INFINITE, INFINITE) > int(buffers.m[SCORES])


def _armies(game: Game) -> tuple[dict[int, int], dict[int, int]]:
    """South's flag on a4, a piece of North that walks on a7, the others on the far side."""
    armies = []
    for side, (flag, walker) in enumerate((("a4", "j1"), ("f10", "a7"))):
        kinds = [kind for kind, count in enumerate(game.rosters[side]) for _ in range(count)]
        flags = [kind for kind in kinds if game.kinds[kind].role == "flag"]
        steps = [kind for kind in kinds if game.kinds[kind].is_mobile]
        squares = [flag, walker, *(f"{column}{(2, 9)[side]}" for column in "cdefgh")]
        rest = sorted(kinds)
        for kind in (flags[0], steps[0]):
            rest.remove(kind)
        army = zip(squares, (flags[0], steps[0], *rest), strict=True)
        armies.append({parse_cell(square): kind for square, kind in army})
    return armies[0], armies[1]


def describe(act: int) -> str:
    """A packed move as its two squares."""
    return f"{cell_name(act >> 8 & 255)}-{cell_name(act & 255)}"
