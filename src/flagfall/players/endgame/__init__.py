"""Endgames: positions with few pieces that can move, solved to the end (docs/search.md)."""

from flagfall.players.endgame.solver import Endgame
from flagfall.players.endgame.verdict import Verdict, weighed

__all__ = ["Endgame", "Verdict", "weighed"]
