"""The search: its running score, what it sees, that it plays by the rules and again the same."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import msgspec
import numpy as np
import pytest

from flagfall.edition import game_ids, load_game, resolve
from flagfall.engine.play import legal_actions
from flagfall.engine.simulate import copy_row
from flagfall.engine.state import STATE_SIZE, State
from flagfall.players import Budget
from flagfall.players.levels import LEVELS, level_of
from flagfall.players.search import buffers as B
from flagfall.players.search.make_move import make_move, set_root
from flagfall.players.searcher import SearchingPlayer
from flagfall.view.view import SeenEvent
from tests.laws.seen_game import Case, SeenGame, choose, start_game

SEATS = ("south", "north")


def _stories(seen_game: SeenGame) -> dict[str, list[SeenEvent]]:
    return {seat: list(seen_game.greeting[seat]) for seat in SEATS}  # type: ignore[index]


def _player(seen_game: SeenGame, seed: int, nodes: int = 60, level: str = "marshal") -> SearchingPlayer:
    return SearchingPlayer(
        seen_game.game, seen_game.options, Random(seed), Budget(nodes=nodes), level_of(level)
    )


def _play(seen_game: SeenGame, seed: int, actions: int, nodes: int = 60) -> list[int]:
    """Two searching players for so many actions."""
    players = [_player(seen_game, seed, nodes), _player(seen_game, seed + 1, nodes)]
    stories = _stories(seen_game)
    done: list[int] = []
    while not seen_game.state.is_over and len(done) < actions:
        seat = SEATS[seen_game.state.side]
        view = seen_game.observers.view(seen_game.state, seat, forgets=False)  # type: ignore[arg-type]
        act = players[seen_game.state.side].choose(view, stories[seat])
        assert act in view.legal
        done.append(act.pack())
        seen = seen_game.play(act.pack())
        for one in SEATS:
            stories[one] += seen[one]  # type: ignore[index]
    return done


@pytest.mark.parametrize("game_id", game_ids())
def test_plays_by_the_rules(game_id: str) -> None:
    game = load_game(game_id)
    seen_game, _ = start_game(Case(game, resolve(game, {}), 5))
    assert _play(seen_game, 3, 14)


@pytest.mark.parametrize("game_id", game_ids())
def test_plays_on_in_the_middle_of_a_game(game_id: str) -> None:
    game = load_game(game_id)
    seen_game, rng = start_game(Case(game, resolve(game, {}), 6))
    stories = _stories(seen_game)
    for _ in range(90):
        if seen_game.state.is_over:
            return
        if seen_game.state.is_turn_open or rng.random() < 0.08:
            seat = SEATS[seen_game.state.side]
            view = seen_game.observers.view(seen_game.state, seat, forgets=False)  # type: ignore[arg-type]
            assert (
                _player(seen_game, 1, level=rng.choice(LEVELS).id).choose(view, stories[seat]) in view.legal
            )
        seen = seen_game.play(choose(seen_game.legal(), seen_game.state.side, rng))
        for one in SEATS:
            stories[one] += seen[one]  # type: ignore[index]


def test_a_player_that_forgets_and_infers_plays_on() -> None:
    """Pieces that it was shown are hidden to it again, and it does not look for them in its inference."""
    game = load_game("barrage/classic")
    level = replace(level_of("colonel"), memory=1)
    seen_game, rng = start_game(Case(game, resolve(game, {}), 6))
    player = SearchingPlayer(game, seen_game.options, Random(1), Budget(nodes=20), level)
    stories, forgot = _stories(seen_game), 0
    for _ in range(80):
        if seen_game.state.is_over:
            break
        if seen_game.state.side == 0:
            view = seen_game.observers.view(seen_game.state, "south", forgets=False)
            assert player.choose(view, stories["south"]) in view.legal
            if player.result is not None:
                forgot += len(player.result.hidden) > len(player.sampler.hidden(view))
        seen = seen_game.play(choose(seen_game.legal(), seen_game.state.side, rng))
        for one in SEATS:
            stories[one] += seen[one]  # type: ignore[index]
    assert forgot > 3


def test_the_same_seed_and_nodes_give_the_same_game() -> None:
    game = load_game("barrage/classic")
    games = []
    for _ in range(2):
        seen_game, _rng = start_game(Case(game, resolve(game, {}), 2))
        games.append(_play(seen_game, 7, 16))
    assert games[0] == games[1]


@pytest.mark.parametrize("game_id", game_ids())
def test_the_running_score_is_the_score_from_scratch(game_id: str) -> None:
    """Whatever happens on the way down, the score equals what a fresh count of the row gives."""
    game = load_game(game_id)
    seen_game, rng = start_game(Case(game, resolve(game, {}), 8))
    player = _player(seen_game, 1, 3, "captain")
    stories = _stories(seen_game)
    for _ in range(60):
        if seen_game.state.is_over:
            break
        seat = SEATS[seen_game.state.side]
        view = seen_game.observers.view(seen_game.state, seat, forgets=False)  # type: ignore[arg-type]
        act = choose(seen_game.legal(), seen_game.state.side, rng)
        if not seen_game.state.is_turn_open and rng.random() < 0.5:
            player.sampler.game_history = None
            player.belief, player.memory = None, None
            player.choose(view, stories[seat])
            _compare_scores(player, seen_game.state, act, seen_game)
        seen = seen_game.play(act)
        for one in SEATS:
            stories[one] += seen[one]  # type: ignore[index]


def _compare_scores(player: SearchingPlayer, state: State, act: int, seen_game: SeenGame) -> None:
    buffers, t = player.buffers, seen_game.tables.buffer
    buffers.values[B.LOST_BEARER : B.CERTAIN_GAIN] = 0
    copy_row(state.buffer, buffers.rows[:STATE_SIZE])
    set_root(t, buffers.w, buffers.m, buffers.rows[:STATE_SIZE])
    make_move(t, buffers.w, buffers.m, buffers.rows, 0, act, buffers.out, buffers.ev)
    running = int(buffers.m[B.SCORES + 1])
    set_root(t, buffers.w, buffers.m, buffers.rows[STATE_SIZE : 2 * STATE_SIZE])
    assert int(buffers.m[B.SCORES]) == running


def test_two_worlds_that_look_alike_get_the_same_action() -> None:
    """Exchanging two hidden pieces of the opponent changes nothing in what is thought or done."""
    game = load_game("barrage/classic")
    options = resolve(game, {})
    rng = Random(4)
    south = dict(zip(rng.sample(game.board.home(0), 8), _army(game.rosters[0]), strict=True))
    north = dict(zip(rng.sample(game.board.home(1), 8), _army(game.rosters[1]), strict=True))
    cells = sorted(north)
    twin = dict(north)
    twin[cells[0]], twin[cells[1]] = north[cells[1]], north[cells[0]]
    answers, inboxes = [], []
    for army in (north, twin):
        seen_game = SeenGame(game, options, south, army)
        view = seen_game.observers.view(seen_game.state, "south", forgets=False)
        inboxes.append(msgspec.json.encode(view))
        answers.append(_player(seen_game, 9, 200).choose(view, list(seen_game.greeting["south"])))
    assert inboxes[0] == inboxes[1]
    assert answers[0] == answers[1]


def _army(roster: tuple[int, ...]) -> list[int]:
    return [kind for kind, count in enumerate(roster) for _ in range(count)]


def test_legal_actions_of_every_sampled_world_are_those_of_the_view() -> None:
    game = load_game("duel-masters/elemental-powers")
    seen_game, _ = start_game(Case(game, resolve(game, {}), 3))
    player = _player(seen_game, 1)
    view = seen_game.observers.view(seen_game.state, "south", forgets=False)
    history = list(seen_game.greeting["south"])
    player.choose(view, history)
    assert player.belief is not None
    place = {name: i for i, name in enumerate(player.belief.names)}
    columns = [place[piece.name] for piece in player.sampler.hidden(view)]
    kinds = player.belief.sample(6, 1)[:, columns]
    for row in player.sampler.worlds(view, history, kinds.astype(np.int16)):
        assert legal_actions(seen_game.tables, State(row)) == [act.pack() for act in view.legal]
