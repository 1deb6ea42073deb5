"""Limits: nodes are never exceeded, the hard cap holds, and one seed gives one game."""

from __future__ import annotations

import os
from random import Random

import numpy as np
import pytest

from flagfall.edition import load_game, resolve
from flagfall.engine import mode
from flagfall.players import Budget, make_player
from flagfall.players.budget import HARD_CAP_MS, MIN_NODES
from flagfall.players.levels import LEVELS, Level, level_of
from flagfall.players.searcher import SearchingPlayer
from tests import children
from tests.players.belief.told_game import SEATS, Told

GAME = "barrage/classic"
WHOLE_GAME = """
from flagfall.arena.contest import play_round
from flagfall.arena.plan import GameSlot, Plan

plan = Plan(
    game="barrage/classic", options={}, players=("marshal", "captain"), seed=4, time_ms=None, nodes=40,
    setups="own", max_turns=60,
)
played = play_round(plan, GameSlot(0, 1, 0, 0))
assert not played.trouble, played.trouble
assert max(played.south.nodes + played.north.nodes) <= 40
print(played.south.nodes, played.north.nodes, bytes(played.record).decode())
"""


class TickingClock:
    """Every look at it takes a while; at one look it leaps, as when a process was not let run."""

    def __init__(self, step_s: float, leap_at: int = -1) -> None:
        self.now, self.looks = 0.0, 0
        self._step_s, self._leap_at = step_s, leap_at

    def __call__(self) -> float:
        self.looks += 1
        self.now += 10.0 if self.looks == self._leap_at else self._step_s
        return self.now


def told(game_id: str, actions: int) -> Told:
    game = load_game(game_id)
    found = Told(game, resolve(game, {}), f"limits of {game_id}")
    assert found.go_on(actions)
    while found.seen_game.state.is_turn_open or len(found.seen_game.legal()) < 2:
        assert found.go_on(1)
    return found


@pytest.mark.parametrize("game_id", [GAME, "lotr/special-powers", "spin-master/duel"])
@pytest.mark.parametrize("nodes", [1, 7, 90])
def test_no_level_looks_at_more_nodes_than_it_may(game_id: str, nodes: int) -> None:
    moment = told(game_id, 12)
    seat = SEATS[moment.seen_game.state.side]
    for level in (LEVELS[0], LEVELS[3], LEVELS[-1]):
        player = SearchingPlayer(moment.game, moment.options, Random(1), Budget(nodes=nodes), level)
        assert player.choose(moment.view(seat), moment.stories[seat]) in moment.view(seat).legal
        assert 0 < player.nodes <= nodes


def test_a_level_looks_at_no_more_nodes_than_its_own_limit() -> None:
    level = level_of("recruit")
    assert level.nodes is not None
    moment = told(GAME, 12)
    seat = SEATS[moment.seen_game.state.side]
    player = SearchingPlayer(moment.game, moment.options, Random(1), Budget(None, 10**9), level)
    player.choose(moment.view(seat), moment.stories[seat])
    assert 0 < player.nodes <= level.nodes


@pytest.mark.parametrize("time_ms", [5000, 60_000, None])
def test_nothing_is_started_after_the_hard_cap(time_ms: int | None) -> None:
    moment = told(GAME, 6)
    seat = SEATS[moment.seen_game.state.side]
    step_s = 0.08
    clock = TickingClock(step_s)
    player = SearchingPlayer(moment.game, moment.options, Random(1), Budget(time_ms), clock=clock)
    assert player.choose(moment.view(seat), moment.stories[seat]) in moment.view(seat).legal
    assert clock.now > HARD_CAP_MS / 1000 * 0.8, "it used its time"
    looks_of_a_slice = 7
    assert clock.now <= HARD_CAP_MS / 1000 + looks_of_a_slice * step_s


@pytest.mark.parametrize("game_id", [GAME, "lotr/special-powers"])
def test_however_late_it_is_it_looks_before_it_moves(game_id: str) -> None:
    """Sampling may take all the time; a random action would be a random blunder."""
    moment = told(game_id, 12)
    seat = SEATS[moment.seen_game.state.side]
    clock = TickingClock(0.1)
    player = SearchingPlayer(moment.game, moment.options, Random(1), Budget(50), clock=clock)
    player.choose(moment.view(seat), moment.stories[seat])
    assert player.nodes >= MIN_NODES
    assert player.result is not None
    assert len(np.unique(player.result.root_result.values)) > 1, "it tells good from bad"


def test_after_a_pause_it_answers_with_what_it_has() -> None:
    moment = told(GAME, 6)
    seat = SEATS[moment.seen_game.state.side]
    clock = TickingClock(0.001, leap_at=9)
    player = SearchingPlayer(moment.game, moment.options, Random(1), Budget(1000), clock=clock)
    assert player.choose(moment.view(seat), moment.stories[seat]) in moment.view(seat).legal
    assert player.nodes < 2 * MIN_NODES, "what it has, or a first look"


@pytest.mark.parametrize("game_id", ["lotr/special-powers", "fire-and-ice/special-powers"])
@pytest.mark.parametrize("step_s", [0.0, 0.5])
def test_with_interpreted_kernels_the_strongest_level_thinks_little(game_id: str, step_s: float) -> None:
    """Until its kernels are compiled it must answer in time, even on a busy machine."""
    moment = told(game_id, 12)
    seat = SEATS[moment.seen_game.state.side]
    player = make_player("marshal", moment.game, moment.options, Random(1), Budget(1000))
    assert isinstance(player, SearchingPlayer)
    player._clock = TickingClock(step_s)
    assert player.choose(moment.view(seat), moment.stories[seat]) in moment.view(seat).legal
    assert player.result is not None
    assert len(player.result.worlds) <= 4
    assert MIN_NODES <= player.nodes < (4 if step_s else 40) * MIN_NODES


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
def test_compiled_kernels_or_a_node_limit_give_a_level_all_it_has(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game(GAME)
    options = resolve(game, {})

    def made(budget: Budget) -> Level:
        player = make_player(level.id, game, options, Random(1), budget)
        assert isinstance(player, SearchingPlayer)
        return player.level

    assert made(Budget(nodes=500)) == level
    light = made(Budget(1000))
    assert (light.infers, light.worlds, light.max_depth) == (
        False,
        min(level.worlds, 4),
        min(level.max_depth, 2),
    )
    assert (light.memory, light.near_best, light.nodes) == (level.memory, level.near_best, level.nodes)
    monkeypatch.setattr(mode, "is_compiled", lambda: True)
    assert made(Budget(1000)) == level


def test_seed_and_nodes_give_the_same_game_in_every_process() -> None:
    """From setups to the last move, however Python mixes its sets."""
    running = [
        children.start(WHOLE_GAME, env={**os.environ, "PYTHONHASHSEED": number, "FLAGFALL_KERNELS": ""})
        for number in ("1", "2")
    ]
    games = [process.communicate(timeout=120)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert games[0] == games[1]
    assert len(games[0]) > 500
