"""Positions in which enemies stand on every square within two of a piece, and a little further."""

from __future__ import annotations

GAME = "fire-and-ice/special-powers"
SOUTH_CROWD = """
     8   .  .  .  .  .  .  .  .  . -F
     6   .  .  .  . -7 -7  .  .  .  .
     5   .  .  ~  ~ -B -X  ~  ~  .  .
     4   .  .  ~  ~ -B -9  ~  ~  .  .
     3   . -8 -2 -2 +{user} -2 -2 -8  .  .
     2   . -7 -3 -3 -3 -3 -3  .  .  .
     1  +F  . -4 -4 -5 -5 -s  .  . +2
"""
NORTH_CROWD = """
     8  -F  . +4 +4 +5 +5 +s  .  . -2
     7   . +7 +3 +3 +3 +3 +3  .  .  .
     6   . +8 +2 +2 -{user} +2 +2 +8  .  .
     5   .  .  ~  ~ +B +9  ~  ~  .  .
     4   .  .  ~  ~ +B +X  ~  ~  .  .
     3   .  .  .  . +7 +7  .  .  .  .
     1   .  .  .  .  .  .  .  .  . +F
"""
