"""The rules from Python, one game at a time: deal a State, list legal actions, play an action.

Works the same interpreted and compiled. Loops over many games belong in kernels (`simulate`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from flagfall.engine import events, rules
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, buffer
from flagfall.engine.state import State, add_mover, first_piece, put
from flagfall.engine.tables import Tables


class Event(NamedTuple):
    """One event row as the engine wrote it; for the referee and `view.project` only."""

    what: int
    piece: int
    origin: int
    target: int
    value: int
    audience: int


def action_buffer() -> Ints:
    """Return a buffer for a list of legal actions."""
    return buffer(np.empty(rules.MAX_ACTIONS, dtype=np.int32))


def event_buffer() -> Ints:
    """Return a buffer for the events of one action."""
    return buffer(np.empty(events.CAPACITY, dtype=np.int16))


def deal(
    tables: Tables, south: Mapping[int, int], north: Mapping[int, int], *, to_move: int = 0
) -> tuple[State, list[Event]]:
    """Return the first State of two setups (cell → kind), and what happens at once (a stuck army loses)."""
    state = State()
    s, t = state.buffer, tables.buffer
    for cell in range(144):
        s[S.BOARD + cell] = (S.NO_SQUARE if t[T.CELL_FLAGS + cell] & T.BLOCKED else S.EMPTY) << S.STANDS
    for side, setup in enumerate((south, north)):
        if len(setup) > T.ARMY:
            raise ValueError(f"an army has at most {T.ARMY} pieces, not {len(setup)}")
        # runners first: the engine's loops are faster with pieces of one sort together
        order = sorted((not t[T.KIND_FLAGS + kind] & T.RUNS, kind, cell) for cell, kind in setup.items())
        for piece, (_, kind, cell) in enumerate(order, start=first_piece(side)):
            s[S.PIECE_INFO + piece] = kind | side << S.OWNER_SHIFT | S.TOLD_SOUTH << side
            put(s, piece, cell)
            if t[T.KIND_FLAGS + kind] & T.MOBILE:
                add_mover(s, side, piece)
    s[S.SIDE] = to_move
    s[S.RESERVED] = t[T.RESERVED_SQUARE]
    written = event_buffer()
    return state, _rows(written, rules.start(t, s, action_buffer(), written))


def legal_actions(tables: Tables, state: State) -> list[int]:
    """Return the legal actions of the side to move, packed, in ascending order."""
    out = action_buffer()
    n = rules.legal(tables.buffer, state.buffer, out)
    return sorted(int(out[i]) for i in range(n))


def play(tables: Tables, state: State, act: int) -> list[Event]:
    """Play a legal action on the State in place and return its events."""
    written = event_buffer()
    return _rows(written, rules.apply(tables.buffer, state.buffer, act, action_buffer(), written))


def _rows(written: Ints, length: int) -> list[Event]:
    width = events.WIDTH
    return [Event(*(int(written[i + k]) for k in range(width))) for i in range(0, length, width)]
