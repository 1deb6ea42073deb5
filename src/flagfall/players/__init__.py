"""Computer players. They see Views and SeenEvents only, and remember nothing from one game to the next.

>>> {"greedy", "random", "marshal"} <= set(player_names())
True
"""

from __future__ import annotations

from flagfall.players.budget import Budget
from flagfall.players.player import Player
from flagfall.players.registry import (
    BUILT_IN,
    NETWORK,
    SEARCHING,
    Factory,
    PlayerError,
    UnknownPlayerError,
    check_player,
    make_player,
    needs_compiled,
    player_names,
    register_player,
    unknown_player,
)

__all__ = [
    "BUILT_IN",
    "NETWORK",
    "SEARCHING",
    "Budget",
    "Factory",
    "Player",
    "PlayerError",
    "UnknownPlayerError",
    "check_player",
    "make_player",
    "needs_compiled",
    "player_names",
    "register_player",
    "unknown_player",
]
