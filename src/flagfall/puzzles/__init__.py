"""Puzzles: positions of games between computer players with one clear answer (docs/puzzles.md)."""
