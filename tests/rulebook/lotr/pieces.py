"""Who is who in The Lord of the Rings, for rules that speak of many kinds, and a crowd to aim at."""

from __future__ import annotations

GAMES = ["lotr/special-powers", "lotr/destroy-the-ring"]
POWERS, RING = GAMES

EVIL = {"X": 10, "9": 9, "8": 8, "G": 7, "L": 7, "K": 7, "6": 6, "5": 5, "4": 4, "3": 3, "2": 2, "s": 0}
GOOD = {
    **{"X": 10, "9": 9, "L": 8, "G": 8, "R": 7, "T": 7, "E": 7, "O": 6, "W": 6, "N": 6, "H": 6},
    **{"5": 5, "D": 4, "A": 4, "M": 4, "P": 4, "3": 3, "2": 2, "s": 0},
}
"""the movable kinds of each army by code, with their numbers"""

CROWD = """
    10  -F  .  .  .  .  .  .  .  . -2
     6   .  .  ~  ~ -2  .  ~  ~  .  .
     5   .  .  ~  ~ -2 -2  ~  ~  .  .
     4   . -3 -2 -2 -2 -2 -3 -3  .  .
     3   . -3 -3 -5  @ -5 -5 -5  .  .
     2   . -B -B -B -B -B -B -M  .  .
     1  +F -X -A -9 -L -G -R -T  . +2
"""
"""enemies on every square around e3; @ is the piece that looks at them"""
LINES = ["e4", "e5", "f4", "f3", "g3", "f2", "g1", "e2", "e1", "d2", "c1", "d3", "c3", "d4"]
"""those on one of the eight lines from e3, one or two squares away"""
KNIGHTS = ["f5", "g4", "g2", "f1", "d1", "c2", "c4"]
"""the others within two squares in any combination"""
