"""Endgames: positions with few mobile pieces, solved exactly (docs/search.md)."""

from flagfall.players.endgame.solver import Endgame, Solution, search_with_solution

__all__ = ["Endgame", "Solution", "search_with_solution"]
