"""Random self-play in a kernel, and counting positions (perft).

Random numbers come from a multiply-with-carry generator in plain 64-bit arithmetic, so that interpreted
and compiled games are the same games.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from flagfall.engine import rules
from flagfall.engine.kernel import Ints, buffer, inlined, kernel
from flagfall.engine.state import PENDING, RESULT, STATE_SIZE, first_piece, put

_LOW: Final = 0xFFFFFFFF
_MULTIPLIER: Final = 2131995753


def seeded(seed: int) -> Ints:
    """Return a random generator as a one-word buffer."""
    state = (seed * 0x9E3779B97F4A7C15 + 0x1234567) & 0x3FFFFFFFFFFFFFFF | 1
    rng = buffer(np.array([state % (_MULTIPLIER << 32)], dtype=np.int64))
    for _ in range(8):
        random_below(rng, 2)
    return rng


@inlined
def random_below(rng: Ints, bound: int) -> int:
    """Return a random number from 0 to ``bound`` - 1."""
    state = _MULTIPLIER * (rng[0] & _LOW) + (rng[0] >> 32)
    rng[0] = state
    return ((state & _LOW) * bound) >> 32


@kernel
def play_randomly(t: Ints, s: Ints, rng: Ints, max_turns: int, out: Ints, ev: Ints) -> int:
    """Play random actions to the end or for ``max_turns`` turns; return the number of completed turns."""
    turns = 0
    while s[RESULT] == 0 and turns < max_turns:
        n = rules.legal(t, s, out)
        rules.apply(t, s, out[random_below(rng, n)], out, ev)
        if s[PENDING] == 0:
            turns += 1
    return turns


@kernel
def play_logged(t: Ints, s: Ints, rng: Ints, acts: Ints, max_actions: int, out: Ints, ev: Ints) -> int:
    """Play at most ``max_actions`` random actions, write them to ``acts`` and return their number."""
    n = 0
    while s[RESULT] == 0 and n < max_actions:
        acts[n] = out[random_below(rng, rules.legal(t, s, out))]
        rules.apply(t, s, acts[n], out, ev)
        n += 1
    return n


@kernel
def deal_army(s: Ints, rng: Ints, places: Ints, squares: int, first: int, count: int) -> None:
    """Put one army (pieces ``first`` …) on random places of the first ``squares`` ones."""
    for i in range(squares - 1, 0, -1):
        other = random_below(rng, i + 1)
        kept = places[i]
        places[i] = places[other]
        places[other] = kept
    for i in range(count):
        put(s, first + i, places[i])


@kernel
def copy_row(source: Ints, target: Ints) -> None:
    """Copy a State row."""
    for i in range(STATE_SIZE):
        target[i] = source[i]


@kernel
def play_many(
    t: Ints,
    bare: Ints,
    s: Ints,
    rng: Ints,
    south: Ints,
    north: Ints,
    squares: int,
    south_count: int,
    north_count: int,
    games: int,
    max_turns: int,
    out: Ints,
    ev: Ints,
) -> int:
    """Play random games from random setups; ``bare`` is a State with both armies and an empty board."""
    turns = 0
    for _ in range(games):
        copy_row(bare, s)
        deal_army(s, rng, south, squares, first_piece(0), south_count)
        deal_army(s, rng, north, squares, first_piece(1), north_count)
        rules.start(t, s, out, ev)
        turns += play_randomly(t, s, rng, max_turns, out, ev)
    return turns


@kernel
def copy_many(source: Ints, target: Ints, times: int) -> int:
    """Copy a row many times, for benchmarks; return a number that depends on every copy."""
    mix = 0
    for i in range(times):
        source[STATE_SIZE - 1] = i & 1
        copy_row(source, target)
        mix += target[STATE_SIZE - 1]
    return mix
