"""Where the computer players of a terminal game think: those that search, in a process of their own.

That process gets ready while the person still sets up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from flagfall.edition import Game, Options
from flagfall.languages import say
from flagfall.terminal.console import Terminal

if TYPE_CHECKING:
    from flagfall.engine.action import Action
    from flagfall.players import Player
    from flagfall.setups import Setup
    from flagfall.view.view import SeenEvent, View

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
    from flagfall.players import needs_compiled

    if needs_compiled(name):
        return BackgroundPlayer(name, game, options, rng.getrandbits(64), terminal)
    return in_this_process(name, game, options, rng, terminal)


class BackgroundPlayer:
    """A player in another process; until that is ready, and if it ends, a player in this process acts."""

    def __init__(self, name: str, game: Game, options: Options, seed: int, terminal: Terminal) -> None:
        from flagfall.players.process import PlayerProcess

        self.name, self.game, self.options, self.seed = name, game, options, seed
        self.terminal = terminal
        self._substitute: Player | None = None
        self._has_warned = False
        self._player: PlayerProcess | None = PlayerProcess(name, game, options, seed)

    def set_up(self, side: int) -> Setup:
        """Return its setup."""
        from flagfall.setups import read_setup

        code = self._ask("set_up", side)
        return read_setup(self.game, side, code) if code is not None else self._in_this().set_up(side)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return its action."""
        from flagfall.engine.action import Action

        packed = self._ask("choose", view, list(history))
        if packed is not None:
            return Action.unpack(packed)
        if self._player is not None and not self._has_warned:
            self.terminal.say(say("terminal.computer.warming-up"))
            self._has_warned = True
        return self._in_this().choose(view, history)

    def _ask(self, method: str, *arguments: object) -> Any:
        """Return the other process's answer; None if it is not ready or has ended."""
        from flagfall.players.process import ProcessEndedError

        if self._player is None:
            return None
        try:
            return self._player.ask(method, *arguments) if self._player.is_ready else None
        except ProcessEndedError:
            self.terminal.say(say("terminal.computer.replaced"))
            self._player = None
            return None

    def _in_this(self) -> Player:
        """Return the player that acts while the other process cannot."""
        if self._substitute is None:
            self._substitute = in_this_process(
                self.name, self.game, self.options, Random(self.seed), self.terminal
            )
        return self._substitute
