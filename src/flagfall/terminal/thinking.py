"""Where the computer players of a terminal game think: those that search, in a process of their own.

That process gets ready while the person still sets up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from flagfall.edition import Game, Options
from flagfall.terminal.console import Terminal

if TYPE_CHECKING:
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
    """Return a player that thinks where the game runs."""
    from flagfall.engine import mode
    from flagfall.players import make_player

    mode.choose(mode.mode())
    return make_player(name, game, options, rng)


def in_best_process(name: str, game: Game, options: Options, rng: Random, terminal: Terminal) -> Player:
    """Return a player in a process of its own if it searches; others are quick enough in this one."""
    from flagfall.players import SEARCHING

    if name in SEARCHING:
        return BackgroundPlayer(name, game, options, rng.getrandbits(64), terminal)
    return in_this_process(name, game, options, rng, terminal)


class BackgroundPlayer:
    """A player in another process; if that ends, a player in this process takes its place."""

    def __init__(self, name: str, game: Game, options: Options, seed: int, terminal: Terminal) -> None:
        from flagfall.players.process import PlayerProcess

        self.name, self.game, self.options, self.seed = name, game, options, seed
        self.terminal = terminal
        self._substitute: Player | None = None
        self._is_ready = False
        self._player = PlayerProcess(name, game, options, seed)

    def set_up(self, side: int) -> Setup:
        """Return its setup."""
        from flagfall.setups import read_setup

        code = self._ask("set_up", side)
        return read_setup(self.game, side, code) if code is not None else self._in_this().set_up(side)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return its action."""
        from flagfall.engine.action import Action

        packed = self._ask("choose", view, list(history))
        return Action.unpack(packed) if packed is not None else self._in_this().choose(view, history)

    def _ask(self, method: str, *arguments: object) -> Any:
        """Return the other process's answer; None if it has ended."""
        from flagfall.players.process import ProcessEndedError

        if self._substitute is not None:
            return None
        wait_s = None if self._is_ready else WAIT_NOTICE_S
        try:
            answer = self._player.ask(
                method, *arguments, wait_s=wait_s, on_wait=lambda: self.terminal.say(PREPARING)
            )
        except ProcessEndedError:
            self.terminal.say(REPLACED)
            return None
        self._is_ready = True
        return answer

    def _in_this(self) -> Player:
        """Return the player that takes over when the other process has ended."""
        if self._substitute is None:
            self._substitute = in_this_process(
                self.name, self.game, self.options, Random(self.seed), self.terminal
            )
        return self._substitute
