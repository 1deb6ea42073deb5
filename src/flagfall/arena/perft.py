"""Perft: count the action sequences from a position, to check the rules.

::

    depth 0   1            the position itself
    depth 1   5            its legal actions
    depth 2   5 + 6 + …    the legal actions after each of them
"""

from __future__ import annotations

from collections.abc import Mapping

from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.engine.play import deal, legal_actions, play
from flagfall.engine.state import State
from flagfall.engine.tables import Tables

Setups = tuple[Mapping[int, int], Mapping[int, int]]
"""South's and North's setup: cell → kind"""


def perft(game: Game, options: Options, setups: Setups, depth: int) -> int:
    """Return the number of sequences of that many actions."""
    tables = compile_game(game, options)
    state, _ = deal(tables, *setups)
    return _leaves(tables, state, depth)


def _leaves(tables: Tables, state: State, depth: int) -> int:
    if depth == 0:
        return 1
    legal = legal_actions(tables, state)
    if depth == 1:
        return len(legal)
    leaves = 0
    for act in legal:
        after = state.copy()
        play(tables, after, act)
        leaves += _leaves(tables, after, depth - 1)
    return leaves
