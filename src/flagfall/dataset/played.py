"""The games of a dataset before they are turned into rows: played here, or read from records."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from flagfall.arena.contestants import seated
from flagfall.arena.plan import TURN_LIMIT
from flagfall.arena.simulate import MAX_ACTIONS, prepared
from flagfall.dataset.description import Plan, SelfPlay
from flagfall.dataset.planning import budget_of, contestant_of
from flagfall.edition import Game
from flagfall.engine import play as engine
from flagfall.engine import simulate
from flagfall.engine.action import Action
from flagfall.engine.kernel import buffer
from flagfall.engine.state import State
from flagfall.match.play import GameRunner, Moment
from flagfall.players import Player
from flagfall.players.searcher import SearchingPlayer
from flagfall.rl.actions import ActionSpace
from flagfall.setups import Setup, any_style, random_setup, styled_setup, write_setup
from flagfall.sides import BySide, Side
from flagfall.view.project import board_result

UNFINISHED = "unfinished"
_DIGITS = 5
"""of the estimates of players"""


class PlayedGame(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One game: enough to make its rows."""

    number: int
    setups: tuple[str, str]
    players: tuple[str, str]
    actions: list[int]
    """as the action space numbers them"""
    winner: Literal["south", "north", ""] = ""
    reason: str = UNFINISHED
    is_finished: bool = False
    values: list[float | None] = []
    """the mover's estimate at each action; empty if there is none in the whole game"""
    action_values: list[list[float] | None] = []
    """its estimate of each legal action, in the order of their numbers"""


def play_one(plan: Plan, number: int) -> PlayedGame:
    """Play one game of a plan; game ``number`` is always the same game if players have no time limit."""
    play = plan.self_play
    assert play is not None, "a plan without players"
    if (play.south, play.north) == ("random", "random"):
        return _random_game(plan, play, number)
    if play.exchanges is True and number % 2:
        play = replace(play, south=play.north, north=play.south)
    return _players_game(plan, play, number)


def _random_game(plan: Plan, play: SelfPlay, number: int) -> PlayedGame:
    """Play at random in one kernel."""
    game, _, tables = prepared(plan.address, tuple(plan.options.items()))
    setups = _setups(game, play, number, "random" if play.setups == "own" else play.setups)
    seed = Random(f"{play.seed}/{number}/actions").getrandbits(60)
    scratch = engine.action_buffer(), engine.event_buffer()
    space, limit = space_of(plan), min(2 * play.max_turns, MAX_ACTIONS)
    while True:
        state, _ = engine.deal(tables, setups.south.kinds, setups.north.kinds)
        acts = buffer(np.zeros(limit, dtype=np.int32))
        dice = simulate.seeded(seed)
        n = simulate.play_logged(tables.buffer, state.copy().buffer, dice, acts, limit, *scratch)
        taken, turns = list[int](), 0
        for at in range(n):
            if turns == play.max_turns:
                break
            taken.append(space.encode(Action.unpack(int(acts[at])), state.side))
            engine.play(tables, state, int(acts[at]))
            turns += not state.is_turn_open
        if state.is_over or turns == play.max_turns or limit == MAX_ACTIONS:
            return _ended(number, setups, (play.south, play.north), taken, state)
        limit = min(4 * limit, MAX_ACTIONS)  # turns of several actions


def _players_game(plan: Plan, play: SelfPlay, number: int) -> PlayedGame:
    """Let two players play, each with its own View and its own randomness."""
    game, options, _ = prepared(plan.address, tuple(plan.options.items()))
    names = (play.south, play.north)
    players: BySide[Player] = BySide.of(
        lambda side: seated(
            contestant_of(names[int(side)]),
            game,
            options,
            Random(f"{play.seed}/{number}/{int(side)}"),
            budget_of(play),
            play.weights,
        )
    )
    if play.setups == "own":
        setups = BySide(players.south.set_up(0), players.north.set_up(1))
    else:
        setups = _setups(game, play, number, play.setups)
    running = GameRunner(game, options, setups)
    notes = _Notes(space_of(plan), players)
    for moment in running.moments(players, observers=[notes.take]):
        if moment.turn >= play.max_turns:
            break
    return _ended(
        number,
        setups,
        names,
        notes.actions,
        running.state,
        values=notes.values if any(value is not None for value in notes.values) else [],
        action_values=notes.action_values if any(notes.action_values) else [],
    )


class _Notes:
    """What is noted of every action before it is played."""

    def __init__(self, space: ActionSpace, players: BySide[Player]) -> None:
        self.space, self.players = space, players
        self.actions: list[int] = []
        self.values: list[float | None] = []
        self.action_values: list[list[float] | None] = []

    def take(self, moment: Moment, action: Action) -> None:
        """Note an action and what its player thought of the others."""
        side = moment.side
        self.actions.append(self.space.encode(action, side))
        thought = estimates(self.players[side])
        if thought is None:
            self.values.append(None)
            self.action_values.append(None)
            return
        value, each = thought
        numbered = {self.space.encode(act, side): chance for act, chance in each.items()}
        self.values.append(round(value, _DIGITS))
        self.action_values.append([round(numbered[number], _DIGITS) for number in sorted(numbered)] or None)


def estimates(player: Player) -> tuple[float, dict[Action, float]] | None:
    """Return a player's estimate of the position and of every legal action; None if it has none.

    A player that is no level tells what it thinks of the position, if it does, as ``win_chance``.
    """
    if not isinstance(player, SearchingPlayer):
        chance = getattr(player, "win_chance", None)
        return None if chance is None else (min(max(float(chance), 0.0), 1.0), {})
    if player.result is None:
        return None
    found = player.result.root_result
    chances = found.chances()
    each = {Action.unpack(act): float(chance) for act, chance in zip(found.acts, chances, strict=True)}
    return float(chances[found.active[0]]), each


def _setups(game: Game, play: SelfPlay, number: int, rule: str) -> BySide[Setup]:
    rng = Random(f"{play.seed}/{number}/setups")

    def of(side: Side) -> Setup:
        if rule == "random":
            return random_setup(game, side, rng)
        return any_style(game, side, rng) if rule == "sound" else styled_setup(game, side, rule, rng)

    return BySide.of(of)


def _ended(
    number: int,
    setups: BySide[Setup],
    players: tuple[str, str],
    actions: list[int],
    state: State,
    values: Sequence[float | None] = (),
    action_values: Sequence[list[float] | None] = (),
) -> PlayedGame:
    result = board_result(state)
    texts = setups.map(write_setup)
    return PlayedGame(
        number=number,
        setups=(texts.south, texts.north),
        players=players,
        actions=actions,
        winner=result.winner if result else "",
        reason=result.reason if result else TURN_LIMIT,
        is_finished=result is not None,
        values=list(values),
        action_values=list(action_values),
    )


@lru_cache(maxsize=8)
def _space(address: str, pairs: tuple[tuple[str, str], ...]) -> ActionSpace:
    game, options, _ = prepared(address, pairs)
    return ActionSpace(game, options)


def space_of(plan: Plan) -> ActionSpace:
    """Return the numbers of the actions of a plan's game."""
    return _space(plan.address, tuple(plan.options.items()))
