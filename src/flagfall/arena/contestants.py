"""Contestants of the arena: a player by name, a program by its command, or the cheater.

::

    greedy                       a player by name
    package.module:Class         a player class of your own
    greedy@time=50               with a budget of its own: time in ms, or nodes
    marshal@weights=FILE         a searching player with the weights of a file
    marshal@weights=FILE@nodes=9 both
    marshal@net=FILE             a searching player with a network that corrects its evaluation
    cmd:python examples/bot.py   a program that speaks the engine protocol (docs/engine-protocol.md)
    cheater:greedy               a player that sees the other side's pieces; needs --allow-cheater

>>> read_contestant("greedy@nodes=400")
Contestant(name='greedy', nodes=400)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from msgspec import Struct

from flagfall.arena.cheater import Cheater
from flagfall.edition import Game, Options
from flagfall.errors import FlagfallError
from flagfall.match.play import GameRunner
from flagfall.players import SEARCHING, Budget, Player, make_player
from flagfall.players.evaluation.value_net import value_net_of
from flagfall.players.evaluation.weights_file import checked
from flagfall.protocol.engine import info_lines
from flagfall.setups import random_setup

COMMAND = "cmd:"
CHEATER = "cheater"
_OWN = re.compile(
    r"(?P<who>.*[^@])@(?:(?P<what>time|nodes)=(?P<number>[0-9]{1,9})|weights=(?P<file>[^@]+)|net=(?P<net>[^@]+))"
)


class ContestantError(FlagfallError):
    """A text does not name a contestant; the message says what can be written."""

    code = "unknown-contestant"


class Contestant(Struct, frozen=True, repr_omit_defaults=True):
    """A player as the command line names it."""

    name: str
    """of a player; empty for a program"""
    command: str = ""
    is_cheater: bool = False
    time_ms: int | None = None
    nodes: int | None = None
    weights: str = ""
    """the file, or the name, of weights of its own"""
    net: str = ""
    """the file of a network that corrects its evaluation"""

    def budget(self, common: Budget) -> Budget:
        """Return its own budget, or the common one."""
        if self.time_ms is None and self.nodes is None:
            return common
        return Budget(self.time_ms, self.nodes)


def read_contestant(text: str, *, allows_cheater: bool = False) -> Contestant:
    """Return the contestant that a text names; `ContestantError` if there is none."""
    who, time_ms, nodes, weights, net = text, None, None, "", ""
    while own := _OWN.fullmatch(who):
        who = own["who"]
        if own["file"]:
            weights = own["file"]
        elif own["net"]:
            net = own["net"]
        elif int(own["number"]) == 0:
            raise ContestantError(f"“{text}” leaves no time to think; give at least 1.")
        elif own["what"] == "time":
            time_ms = int(own["number"])
        else:
            nodes = int(own["number"])
    if who.startswith(COMMAND):
        command = who.removeprefix(COMMAND).strip()
        if not command:
            raise ContestantError("“cmd:” needs a command, such as cmd:python examples/bot.py.")
        if weights or net:
            raise ContestantError(
                f"“{text}”: a program has no weights; leave out @{'weights' if weights else 'net'}=."
            )
        return Contestant("", command, time_ms=time_ms, nodes=nodes)
    is_cheater = who == CHEATER or who.startswith(f"{CHEATER}:")
    if is_cheater and not allows_cheater:
        raise ContestantError("The cheater sees hidden pieces; allow it with --allow-cheater.")
    name = (who.partition(":")[2] or "greedy") if is_cheater else who
    if (weights or net) and name not in SEARCHING:
        raise ContestantError(f"“{name}” has no weights; these have: {', '.join(sorted(SEARCHING))}.")
    return Contestant(name, "", is_cheater, time_ms, nodes, weights, net)


def seated(
    contestant: Contestant,
    game: Game,
    options: Options,
    rng: Random,
    common: Budget,
    weights: Mapping[str, Mapping[str, float]] | None = None,
) -> Player:
    """Return a player, ready for one game; ``weights`` by the name that the contestant gives."""
    named = contestant.weights
    own = checked((weights or {})[named], named) if named else None
    net = value_net_of(contestant.net) if contestant.net else None
    player = make_player(contestant.name, game, options, rng, contestant.budget(common), own, net)
    return Cheater(game, player) if contestant.is_cheater else player


def warm_up_player(game: Game, options: Options, name: str, *, explains: bool = False) -> None:
    """Let a player act once in a game that does not count, so that nothing is compiled while its time runs.

    ``explains``: also let it explain its choice.
    """
    rng = Random(0)
    setups = random_setup(game, 0, rng), random_setup(game, 1, rng)
    running = GameRunner(game, options, setups)
    player = make_player(name, game, options, rng, Budget(nodes=20))
    player.set_up(0)
    if not running.is_over:
        player.choose(running.view(running.mover), running.history(running.mover))
        info_lines(player, explains)
