"""Computer players. They see Views only, and remember nothing from one game to the next.

>>> sorted(PLAYERS)
['greedy', 'random']
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from random import Random

from flagfall.edition import Game, Options
from flagfall.players.greedy import GreedyPlayer
from flagfall.players.player import Player
from flagfall.players.random_player import RandomPlayer

__all__ = ["PLAYERS", "Player", "UnknownPlayerError", "make_player"]

PLAYERS: Mapping[str, Callable[[Game, Options, Random], Player]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
}


class UnknownPlayerError(LookupError):
    """There is no computer player of that name; the message lists those that there are."""


def make_player(name: str, game: Game, options: Options, rng: Random) -> Player:
    """A player by name, ready for one game."""
    if name not in PLAYERS:
        near = difflib.get_close_matches(name, PLAYERS, n=1)
        hint = f"did you mean “{near[0]}”? " if near else ""
        raise UnknownPlayerError(f"There is no player “{name}”; {hint}Players: {', '.join(sorted(PLAYERS))}")
    return PLAYERS[name](game, options, rng)
