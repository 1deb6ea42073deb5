"""A level in the terminal game thinks in a process of its own.

The game itself runs interpreted, so that it starts at once; a level needs compiled kernels, and its process
compiles them while the person sets up.
"""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from random import Random
from typing import TYPE_CHECKING, Any

from flagfall.arena.processes import deaf_to_interrupts
from flagfall.edition import Game, Options
from flagfall.terminal.console import Terminal

if TYPE_CHECKING:  # this module is imported where the engine must not have been imported yet
    from flagfall.engine.action import Action
    from flagfall.players import Player
    from flagfall.setups import Setup
    from flagfall.view.view import SeenEvent, View

WAIT_NOTICE_S = 5.0
"""seconds of waiting after which the person is told why"""
PREPARING = "Preparing the computer player. The first time, this can take a minute or two."
REPLACED = "The computer player's process has ended; it continues in this one and plays more weakly."


PlayerFactory = Callable[[str, Game, Options, Random, Terminal], "Player"]
"""makes a computer player for a game at a terminal"""


def in_this_process(name: str, game: Game, options: Options, rng: Random, terminal: Terminal) -> Player:
    """Return a player that thinks in this process."""
    from flagfall.players import make_player

    return make_player(name, game, options, rng)


def in_best_process(name: str, game: Game, options: Options, rng: Random, terminal: Terminal) -> Player:
    """Return a level in a process of its own, any other player in this one."""
    from flagfall.players import SEARCHING

    if name in SEARCHING:
        return PlayerProcess(name, game, options, rng.getrandbits(64), terminal)
    return in_this_process(name, game, options, rng, terminal)


class PlayerProcess:
    """A player in another process, asked over a pipe, with a replacement if that process ends."""

    def __init__(self, name: str, game: Game, options: Options, seed: int, terminal: Terminal) -> None:
        self.name, self.game, self.options, self.seed = name, game, options, seed
        self.terminal = terminal
        self._substitute: Player | None = None
        self._is_ready = False
        spawn = multiprocessing.get_context("spawn")
        self._line, other = spawn.Pipe()
        self.process = spawn.Process(target=_think, args=(other, name, game, options, seed), daemon=True)
        with deaf_to_interrupts():
            self.process.start()
        other.close()

    def set_up(self, side: int) -> Setup:
        """Return its setup."""
        from flagfall.setups import read_setup

        code = self._asked("set_up", side)
        return read_setup(self.game, side, code) if code is not None else self._taken_over().set_up(side)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return its action."""
        from flagfall.engine.action import Action

        packed = self._asked("choose", view, list(history))
        return Action.unpack(packed) if packed is not None else self._taken_over().choose(view, history)

    def _asked(self, what: str, *about: object) -> Any:
        """Return the process's answer, or None if it has ended."""
        if self._substitute is not None:
            return None
        try:
            self._line.send((what, about))
            if not self._is_ready and not self._line.poll(WAIT_NOTICE_S):
                self.terminal.say(PREPARING)
            answer = self._line.recv()
        except (EOFError, OSError):
            self.terminal.say(REPLACED)
            return None
        self._is_ready = True
        return answer

    def _taken_over(self) -> Player:
        """Return the player that continues when the process has ended."""
        if self._substitute is None:
            self._substitute = in_this_process(
                self.name, self.game, self.options, Random(self.seed), self.terminal
            )
        return self._substitute


def _think(line: Connection, name: str, game: Game, options: Options, seed: int) -> None:
    """Answer questions until the pipe is closed; runs in the other process."""
    from flagfall.engine import mode

    mode.choose("compiled")
    from flagfall.players import make_player
    from flagfall.players.warm import warm_up
    from flagfall.setups import write_setup

    warm_up()
    player = make_player(name, game, options, Random(seed))
    with contextlib.suppress(Exception):  # a traceback could show hidden pieces
        while True:
            what, about = line.recv()
            if what == "choose":
                line.send(player.choose(*about).pack())
            else:
                line.send(write_setup(player.set_up(*about)))
