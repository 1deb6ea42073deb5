"""Endgames: positions with few movable pieces, solved exactly (docs/search.md)."""

from flagfall.players.endgame.solver import Endgame, Solution, search_with_solution

__all__ = ["Endgame", "Solution", "search_with_solution"]
