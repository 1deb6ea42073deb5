"""The room a search works in: a few flat buffers, made once, and the names of the places in them.

::

    rows    a State row per ply                      lists   the actions of each ply
    w       what pieces are worth (`evaluate`)        order   how promising each of them looks
    m       counters, scores, keys, killers, history, hash table, random keys

Kernels get all of it as arguments and never allocate.
"""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np

from flagfall.board import CELLS
from flagfall.engine.kernel import Ints, buffer
from flagfall.engine.play import action_buffer, event_buffer
from flagfall.engine.rules import MAX_ACTIONS
from flagfall.engine.state import STATE_SIZE
from flagfall.engine.tables import MAX_KINDS, PIECES

DEEPEST: Final = 40
PLIES: Final = DEEPEST + 2

# --- m: counters and memory
NODES: Final = 0
LIMIT: Final = 1
ABORTED: Final = 2
VIEWER: Final = 3
SALT: Final = 4
SCORES: Final = 16  # + ply: value of the position without looking further, for the viewer
KEYS: Final = SCORES + 64  # + ply
KILLERS: Final = KEYS + 64  # + 2 * ply
PASSED: Final = KILLERS + 128  # + ply: whether the turn before was passed
HISTORY: Final = PASSED + 64  # + origin * CELLS + target
HASH: Final = HISTORY + CELLS * CELLS  # + 2 * slot: key, entry
HASH_SLOTS: Final = 1 << 16
PIECE_KEYS: Final = HASH + 2 * HASH_SLOTS  # + piece * CELLS + cell
TOLD_KEYS: Final = PIECE_KEYS + PIECES * CELLS  # + piece
SIDE_KEY: Final = TOLD_KEYS + PIECES
MEMORY: Final = SIDE_KEY + 1

# --- w: values, in hundredths of a plain soldier or so; "side kind" is side * MAX_KINDS + kind
WORTH: Final = 0  # + side kind
HIDE: Final = WORTH + 2 * MAX_KINDS  # + side kind: what it is worth that nobody knows it
PLACE: Final = HIDE + 2 * MAX_KINDS  # + side kind * CELLS + cell
GAIN: Final = PLACE + 2 * MAX_KINDS * CELLS  # + (moved * MAX_KINDS + kind) * PIECES + piece struck
AIMED: Final = GAIN + 2 * MAX_KINDS * PIECES  # the same for a shot or a conversion
GUESS: Final = AIMED + 2 * MAX_KINDS * PIECES  # + piece: the kind to name when it is spotted
DRAWN: Final = GUESS + PIECES  # value of a draw for the viewer
LOST_BEARER: Final = DRAWN + 1  # + side that lost its bearer
ARRIVED: Final = LOST_BEARER + 2  # + side whose bearer arrived
BOLDNESS: Final = ARRIVED + 2  # the gain at which an attack on a hidden piece is a matter of course
FLOOR: Final = BOLDNESS + 1  # + side: how surely, at least, it attacks what it does not know
SUREST: Final = FLOOR + 2  # how surely, at most
DREAD: Final = SUREST + 1  # how surely, at least, the enemy takes a flag it stands beside
HOPE: Final = DREAD + 1  # how many sixteenths of what it expects an attack in the dark may gain at most
REACH: Final = HOPE + 1  # + kind * CELLS + cell: steps of an enemy kind from there to the viewer's flag
SORT: Final = REACH + MAX_KINDS * CELLS  # + kind: kinds of one sort have the same ways to the viewer's flag
SORTS: Final = 4
LATE: Final = SORT + MAX_KINDS  # + (sort * CELLS + intruder's cell) * CELLS + guard's cell: turns too late
ALARM: Final = LATE + SORTS * CELLS * CELLS  # + steps: how far an unstopped intruder wins the game
STEPS_SEEN: Final = 12
"""intruders so far away, or farther, are not minded"""
AT_STAKE: Final = ALARM + STEPS_SEEN  # what a game lost by an intruder costs, besides what one is ahead
VALUES: Final = AT_STAKE + 1

WIN: Final = 30000
INFINITE: Final = 32000
CAP: Final = 2500
"""as far as an uncertain win or loss counts"""


class SearchBuffers:
    """All buffers of one search."""

    def __init__(self) -> None:
        self.rows = buffer(np.zeros(PLIES * STATE_SIZE, dtype=np.int16))
        self.w_array = np.zeros(VALUES, dtype=np.int32)
        self.w = buffer(self.w_array)
        self.m_array = np.zeros(MEMORY, dtype=np.int64)
        self.m = buffer(self.m_array)
        self.lists = buffer(np.zeros(PLIES * MAX_ACTIONS, dtype=np.int32))
        self.order = buffer(np.zeros(PLIES * MAX_ACTIONS, dtype=np.int32))
        self.out: Ints = action_buffer()
        self.ev: Ints = event_buffer()
        lot = Random(20)
        keys = [lot.getrandbits(62) for _ in range(MEMORY - PIECE_KEYS)]
        self.m_array[PIECE_KEYS:] = keys

    def forget(self) -> None:
        """Start a new search: nothing is left of the one before."""
        self.m_array[:PIECE_KEYS] = 0
