"""A zoo of simple opponents, each with one habit: against whom does a stronger player look bad?

All of them play every game, because they read tables and Views only.
"""

from __future__ import annotations

from flagfall.players.zoo.expectimax import Expectimax
from flagfall.players.zoo.ismcts import Ismcts
from flagfall.players.zoo.simple import Bluffer, Chaser, Rusher, Turtle

__all__ = ["Bluffer", "Chaser", "Expectimax", "Ismcts", "Rusher", "Turtle"]
