"""Who sits down in the arena: a player by name, a program by its command, or the cheater behind its flag.

::

    greedy                       a player of this house
    greedy@time=50               with a budget of its own: time in ms, or nodes
    cmd:python examples/bot.py   a program that speaks the engine protocol (docs/engine-protocol.md)
    cheater:greedy               a player that is shown the other side's pieces; needs --allow-cheater

>>> read_contestant("greedy@nodes=400")
Contestant(name='greedy', command='', is_cheater=False, time_ms=None, nodes=400)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Protocol

from msgspec import Struct

from flagfall.arena.cheater import Cheater
from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.players import Budget, make_player
from flagfall.setups import Setup
from flagfall.view.view import SeenEvent, View

COMMAND = "cmd:"
CHEATER = "cheater"
_OWN_BUDGET = re.compile(r"(?P<who>.*[^@])@(?P<what>time|nodes)=(?P<number>[0-9]{1,9})")


class ContestantError(ValueError):
    """Nobody can be seated by that text; the message says what can be written."""


class Contestant(Struct, frozen=True):
    """Who is meant by one text of the command line."""

    name: str
    """of a player; empty for a program"""
    command: str = ""
    is_cheater: bool = False
    time_ms: int | None = None
    nodes: int | None = None

    def budget(self, common: Budget) -> Budget:
        """Its own budget, or the one that all have."""
        if self.time_ms is None and self.nodes is None:
            return common
        return Budget(self.time_ms, self.nodes)


class Seat(Protocol):
    """A player at the arena's table; may raise `Forfeit`."""

    def set_up(self, side: int) -> Setup:
        """The army as it stands at the start."""

    def choose(self, view: View, story: Sequence[SeenEvent]) -> Action:
        """One of the view's legal actions."""


def read_contestant(text: str, *, allows_cheater: bool = False) -> Contestant:
    """Who is meant; `ContestantError` if nobody is."""
    own = _OWN_BUDGET.fullmatch(text)
    who = own["who"] if own else text
    limit = int(own["number"]) if own else None
    time_ms = limit if own and own["what"] == "time" else None
    nodes = limit if own and own["what"] == "nodes" else None
    if limit == 0:
        raise ContestantError(f"“{text}” leaves no time to think; give at least 1.")
    if who.startswith(COMMAND):
        command = who.removeprefix(COMMAND).strip()
        if not command:
            raise ContestantError("“cmd:” lacks its command; write for example cmd:python examples/bot.py.")
        return Contestant("", command, time_ms=time_ms, nodes=nodes)
    if who == CHEATER or who.startswith(f"{CHEATER}:"):
        if not allows_cheater:
            raise ContestantError("The cheater sees what is hidden; say --allow-cheater to let it play.")
        return Contestant(who.partition(":")[2] or "greedy", "", True, time_ms, nodes)
    return Contestant(who, "", False, time_ms, nodes)


def seated(contestant: Contestant, game: Game, options: Options, rng: Random, common: Budget) -> Seat:
    """A player of this house, ready for one game."""
    player = make_player(contestant.name, game, options, rng, contestant.budget(common))
    return Cheater(game, player) if contestant.is_cheater else player
