"""The zoo: simple players with one habit each, to measure stronger ones against."""

from __future__ import annotations

from flagfall.players.zoo.expectimax import Expectimax
from flagfall.players.zoo.ismcts import Ismcts
from flagfall.players.zoo.simple import Bluffer, Chaser, Rusher, Turtle

__all__ = ["Bluffer", "Chaser", "Expectimax", "Ismcts", "Rusher", "Turtle"]
