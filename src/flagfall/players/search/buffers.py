"""The flat buffers a search works in, and the names of the offsets in them.

::

    rows    a State row per ply                      lists   the actions of each ply
    w       the values of the evaluation, a network  order   their move-ordering scores
    m       counters, scores, keys, killers, history, transposition table, random keys

The buffers are allocated once; kernels get them as arguments and never allocate.
"""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flagfall.board import CELLS
from flagfall.engine.kernel import Ints, buffer
from flagfall.engine.play import action_buffer, event_buffer
from flagfall.engine.rules import MAX_ACTIONS
from flagfall.engine.state import STATE_SIZE
from flagfall.engine.tables import MAX_KINDS, PIECES

MAX_PLY: Final = 40
PLIES: Final = MAX_PLY + 2

# --- m: counters and memory
NODES: Final = 0
LIMIT: Final = 1  # nodes this search may use
ABORTED: Final = 2
VIEWER: Final = 3
SALT: Final = 4  # initial key; differs from World to World
SCORES: Final = 16  # + ply: evaluation for the viewer, without flag threats
KEYS: Final = SCORES + 64  # + ply
KILLERS: Final = KEYS + 64  # + 2 * ply
NULL_MOVED: Final = KILLERS + 128  # + ply: whether the turn before was a null move
HISTORY: Final = NULL_MOVED + 64  # + origin * CELLS + target
MAX_NET_WIDTH: Final = 33
ACCUMULATORS: Final = HISTORY + CELLS * CELLS  # + ply * MAX_NET_WIDTH: the first layer of the network
TT: Final = ACCUMULATORS + PLIES * MAX_NET_WIDTH  # transposition table, + 2 * slot: key, entry
TT_SLOTS: Final = 1 << 16
PIECE_KEYS: Final = TT + 2 * TT_SLOTS  # + piece * CELLS + cell
TOLD_KEYS: Final = PIECE_KEYS + PIECES * CELLS  # + piece
SIDE_KEY: Final = TOLD_KEYS + PIECES
MEMORY_SIZE: Final = SIDE_KEY + 1

# --- w: values, about a hundredth of a plain soldier each
# "side kind" is side * MAX_KINDS + kind; "target" is (moved * MAX_KINDS + attacker's kind) * PIECES + piece
PIECE_VALUE: Final = 0  # + side kind
SECRET_VALUE: Final = PIECE_VALUE + 2 * MAX_KINDS  # + side kind: added while the piece is hidden
SQUARE_VALUE: Final = SECRET_VALUE + 2 * MAX_KINDS  # + side kind * CELLS + cell
ATTACK_GAIN: Final = SQUARE_VALUE + 2 * MAX_KINDS * CELLS  # + target: expected gain of an attack on it
RANGED_GAIN: Final = ATTACK_GAIN + 2 * MAX_KINDS * PIECES  # + target: the same for a shot or a conversion
GUESS: Final = RANGED_GAIN + 2 * MAX_KINDS * PIECES  # + piece: the kind to name when it is spotted
DRAW_VALUE: Final = GUESS + PIECES  # for the viewer
LOST_BEARER: Final = DRAW_VALUE + 1  # + side that lost its bearer
ARRIVED: Final = LOST_BEARER + 2  # + side whose bearer arrived
CERTAIN_GAIN: Final = ARRIVED + 2  # expected gain from which a blind attack is certain
MIN_PROBABILITY: Final = CERTAIN_GAIN + 1  # + side: of a blind attack, in sixteenths
MAX_PROBABILITY: Final = MIN_PROBABILITY + 2  # of a blind attack, in sixteenths
FLAG_PROBABILITY: Final = MAX_PROBABILITY + 1  # that the enemy takes a hidden flag next to it, in sixteenths
GAIN_CAP: Final = FLAG_PROBABILITY + 1  # of a blind attack, in sixteenths of its expected gain
FLAG_DISTANCE: Final = GAIN_CAP + 1  # + kind * CELLS + cell: steps of an enemy kind to the viewer's flag
PATH_CLASS: Final = FLAG_DISTANCE + MAX_KINDS * CELLS  # + kind: kinds of one class have the same paths
PATH_CLASSES: Final = 4
LATENESS: Final = PATH_CLASS + MAX_KINDS  # + (class * CELLS + intruder's cell) * CELLS + guard's cell: turns
THREAT: Final = LATENESS + PATH_CLASSES * CELLS * CELLS  # + steps: of an unstopped intruder
THREAT_RANGE: Final = 12
"""intruders this many steps away, or more, are ignored"""
THREAT_COST: Final = THREAT + THREAT_RANGE  # of a certain loss by an intruder, in addition to the lead
LEAD_AT_RISK: Final = THREAT_COST + 1  # the share of the lead that it costs too, in parts of CERTAIN_LOSS
LATE_SHARE: Final = LEAD_AT_RISK + 1  # + turns by which the best guard is late: what the intruder costs
LATE_RANGE: Final = 8
"""guards this many turns late, or more, save nothing"""
VALUES_SIZE: Final = LATE_SHARE + LATE_RANGE
CERTAIN_LOSS: Final = 1024
"""the unit of flag threats"""

# --- w, after the values: the network of `leaf_net`; it stays when the values are written again
NET_WIDTH: Final = VALUES_SIZE  # numbers in a row of the table; 0 without a network
NET_KINDS: Final = NET_WIDTH + 1  # kinds of the game
NET_TURN: Final = NET_KINDS + 1  # a cell and its place on the turned board add up to this
NET_BIAS: Final = NET_TURN + 1  # + MAX_NET_WIDTH if the other side is to move
NET_OUT: Final = NET_BIAS + 2 * MAX_NET_WIDTH  # what each number of the first layer counts
NET_TABLE: Final = NET_OUT + MAX_NET_WIDTH  # + piece's place in the table * width

WIN: Final = 30000
INFINITE: Final = 32000
MAX_UNCERTAIN: Final = 2500
"""highest value of a win or loss that is not certain"""


class SearchBuffers:
    """The buffers of one search; ``net``: what follows the values, from `NET_WIDTH` on."""

    def __init__(self, net: NDArray[np.int32] | None = None) -> None:
        self.rows = buffer(np.zeros(PLIES * STATE_SIZE, dtype=np.int16))
        size = NET_TABLE if net is None else NET_WIDTH + len(net)
        self.values = np.zeros(size, dtype=np.int32)
        if net is not None:
            self.values[NET_WIDTH:] = net
        self.w = buffer(self.values)
        self.memory = np.zeros(MEMORY_SIZE, dtype=np.int64)
        self.m = buffer(self.memory)
        self.lists = buffer(np.zeros(PLIES * MAX_ACTIONS, dtype=np.int32))
        self.order = buffer(np.zeros(PLIES * MAX_ACTIONS, dtype=np.int32))
        self.out: Ints = action_buffer()
        self.ev: Ints = event_buffer()
        rng = Random(20)
        keys = [rng.getrandbits(62) for _ in range(MEMORY_SIZE - PIECE_KEYS)]
        self.memory[PIECE_KEYS:] = keys

    def clear(self) -> None:
        """Clear everything that an earlier search has left."""
        self.memory[:PIECE_KEYS] = 0
