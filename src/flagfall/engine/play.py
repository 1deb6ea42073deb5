"""The rules for one game at a time, from Python: deal a State, ask what is legal, play an action.

Works the same interpreted and compiled. Loops over many games belong in kernels (`simulate.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from flagfall.engine import events, rules
from flagfall.engine.kernel import Ints, buffer
from flagfall.engine.state import (
    BOARD,
    EMPTY,
    NO_SQUARE,
    OWNER_SHIFT,
    PIECE_INFO,
    RESERVED,
    SIDE,
    STANDS,
    TOLD_SOUTH,
    State,
    add_mover,
    first_piece,
    put,
)
from flagfall.engine.tables import (
    ARMY,
    BLOCKED,
    CELL_FLAGS,
    KIND_FLAGS,
    MOBILE,
    RESERVED_SQUARE,
    RUNS,
    Tables,
)


class Event(NamedTuple):
    """One event row, as the engine wrote it. For the referee and the curtain only."""

    what: int
    piece: int
    origin: int
    target: int
    value: int
    audience: int


def action_room() -> Ints:
    """Room for a list of legal actions."""
    return buffer(np.empty(rules.MAX_ACTIONS, dtype=np.int32))


def event_room() -> Ints:
    """Room for the events of one action."""
    return buffer(np.empty(events.CAPACITY, dtype=np.int16))


def deal(tables: Tables, south: Mapping[int, int], north: Mapping[int, int]) -> tuple[State, list[Event]]:
    """The starting State of two setups (cell → kind), and what happens at once (a stuck army loses)."""
    state = State()
    s, t = state.buffer, tables.buffer
    for cell in range(144):
        s[BOARD + cell] = (NO_SQUARE if t[CELL_FLAGS + cell] & BLOCKED else EMPTY) << STANDS
    for side, setup in enumerate((south, north)):
        if len(setup) > ARMY:
            raise ValueError(f"an army has at most {ARMY} pieces, not {len(setup)}")
        # runners first: the engine's loops like pieces of one sort together
        order = sorted(setup.items(), key=lambda item: (not t[KIND_FLAGS + item[1]] & RUNS, item[1], item[0]))
        for piece, (cell, kind) in enumerate(order, start=first_piece(side)):
            s[PIECE_INFO + piece] = kind | side << OWNER_SHIFT | TOLD_SOUTH << side
            put(s, piece, cell)
            if t[KIND_FLAGS + kind] & MOBILE:
                add_mover(s, side, piece)
    s[SIDE] = 0
    s[RESERVED] = t[RESERVED_SQUARE]
    room = event_room()
    return state, _rows(room, rules.start(t, s, action_room(), room))


def legal_actions(tables: Tables, state: State) -> list[int]:
    """Every packed action the side to move may choose, in ascending order."""
    out = action_room()
    n = rules.legal(tables.buffer, state.buffer, out)
    return sorted(int(out[at]) for at in range(n))


def play(tables: Tables, state: State, act: int) -> list[Event]:
    """Carry out a legal action on the State itself; what happened."""
    room = event_room()
    return _rows(room, rules.apply(tables.buffer, state.buffer, act, action_room(), room))


def _rows(room: Ints, length: int) -> list[Event]:
    width = events.WIDTH
    return [Event(*(int(room[at + k]) for k in range(width))) for at in range(0, length, width)]
