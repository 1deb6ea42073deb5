"""Computer players. They see Views and SeenEvents only, and remember nothing from one game to the next.

>>> {"greedy", "random", "marshal"} <= set(PLAYERS)
True
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from functools import partial
from random import Random

from flagfall.edition import Game, Options
from flagfall.errors import FlagfallError
from flagfall.players.budget import Budget
from flagfall.players.evaluation.piece_values import Weights
from flagfall.players.greedy import GreedyPlayer
from flagfall.players.levels import LEVELS, level_of
from flagfall.players.player import Player, RandomPlayer
from flagfall.players.searcher import SearchingPlayer
from flagfall.players.zoo import Bluffer, Chaser, Expectimax, Ismcts, Rusher, Turtle

__all__ = ["PLAYERS", "SEARCHING", "Budget", "Factory", "Player", "UnknownPlayerError", "make_player"]

Factory = Callable[[Game, Options, Random, Budget], Player]

PLAYERS: Mapping[str, Factory] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "rusher": Rusher,
    "turtle": Turtle,
    "bluffer": Bluffer,
    "chaser": Chaser,
    "ismcts": Ismcts,
    "expectimax": Expectimax,
    **{level.id: partial(SearchingPlayer, level=level) for level in LEVELS},
}

SEARCHING = frozenset(level.id for level in LEVELS)
"""players that want compiled kernels"""


class UnknownPlayerError(FlagfallError, LookupError):
    """There is no computer player of that name; the message lists those that there are."""


def make_player(
    name: str,
    game: Game,
    options: Options,
    rng: Random,
    budget: Budget = Budget(),
    weights: Weights | None = None,
) -> Player:
    """A player by name, ready for one game; ``budget`` is what it may spend on each action.

    ``weights`` of its own are for one of the `SEARCHING` players only.
    """
    if name not in PLAYERS:
        near = difflib.get_close_matches(name, PLAYERS, n=1)
        hint = f"did you mean “{near[0]}”? " if near else ""
        raise UnknownPlayerError(f"There is no player “{name}”; {hint}Players: {', '.join(sorted(PLAYERS))}")
    if weights is not None:
        return SearchingPlayer(game, options, rng, budget, level_of(name), weights=weights)
    return PLAYERS[name](game, options, rng, budget)
