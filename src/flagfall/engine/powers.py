"""Dispatch powers that pieces use instead of a step to `verbs/`, where a new one goes (docs/powers.md)."""

from __future__ import annotations

from flagfall.engine import action
from flagfall.engine.kernel import CHECKED, Ints, kernel, lowest_bit
from flagfall.engine.reach import targets
from flagfall.engine.state import KIND_MASK, PIECE_CELL, PIECE_INFO, kind_of, movers
from flagfall.engine.tables import ADVANCE_ROW, AREA_ROWS, KIND_POWERS, POWER_VERB, power
from flagfall.engine.verbs import (
    advance,
    area,
    convert,
    detect,
    leap,
    rescue,
    spot,
    strike,
    teleport,
    two_step,
)


@kernel
def side_power_actions(t: Ints, s: Ints, side: int, barred: int, out: Ints, n: int) -> int:
    """Write the power actions of all pieces of a side."""
    advancing = 0
    for half in range(2):
        bits = movers(s, side, half)
        while bits != 0:
            piece = half * 48 + lowest_bit(bits)
            bits &= bits - 1
            rows = t[KIND_POWERS + (s[PIECE_INFO + piece] & KIND_MASK)]
            if rows & t[ADVANCE_ROW]:
                advancing += 1
            rows &= ~(t[AREA_ROWS] | t[ADVANCE_ROW])
            while rows != 0:
                n = power_actions(t, s, side, lowest_bit(rows), s[PIECE_CELL + piece], barred, out, n)
                rows &= rows - 1
    if advancing > 0:
        n = advance.generate(t, s, side, lowest_bit(t[ADVANCE_ROW]), advancing, out, n)
    return n


@kernel
def power_actions(t: Ints, s: Ints, side: int, row: int, cell: int, barred: int, out: Ints, n: int) -> int:
    """Write the actions of one power of the piece on ``cell``."""
    verb = power(t, row, POWER_VERB)
    if verb == action.LEAP:
        return leap.generate(t, s, row, cell, barred, out, n)
    if verb == action.TELEPORT:
        return teleport.generate(t, s, row, cell, barred, out, n)
    if verb == action.CONVERT and not convert.is_possible(t, s, side, row):
        return n
    if verb == action.SHOOT or verb == action.DETECT or verb == action.CONVERT:
        return targets(t, s, side, row, cell, out, n)
    return n


@kernel
def area_strikes(t: Ints, s: Ints, side: int, rows: int, done: int, out: Ints, n: int) -> int:
    """Write ``done``, a step in the list, again with each area strike of the piece."""
    while rows != 0:
        n = area.follow_up(t, s, side, lowest_bit(rows), done, out, n)
        rows &= rows - 1
    return n


@kernel
def power_row(t: Ints, s: Ints, piece: int, verb: int) -> int:
    """Return the power row by which a piece uses a verb."""
    rows = t[KIND_POWERS + kind_of(s, piece)]
    while rows != 0:
        row = lowest_bit(rows)
        if power(t, row, POWER_VERB) == verb:
            return row
        rows &= rows - 1
    return 0


@kernel
def begin_power(t: Ints, s: Ints, verb: int, piece: int, target: int, choice: int, ev: Ints, n: int) -> int:
    """Play the first action of a turn that is neither a move nor an attack; `ValueError` if none fits."""
    if verb == action.SPOT:
        return spot.resolve(s, piece, target, choice, ev, n)
    if verb == action.TWO_STEP:
        return two_step.resolve(t, s, piece, target, choice, ev, n)
    if verb == action.RESCUE:
        return rescue.resolve(t, s, piece, target, ev, n)
    if verb == action.ADVANCE:
        return advance.resolve(t, s, lowest_bit(t[ADVANCE_ROW]), choice, ev, n)
    row = power_row(t, s, piece, verb)
    if verb == action.LEAP:
        return leap.resolve(t, s, piece, target, row, ev, n)
    if verb == action.TELEPORT:
        return teleport.resolve(s, piece, target, row, ev, n)
    if verb == action.DETECT:
        return detect.resolve(s, piece, target, row, ev, n)
    if verb == action.SHOOT:
        return strike.resolve(t, s, piece, target, row, ev, n)
    if verb == action.CONVERT:
        return convert.resolve(t, s, piece, target, row, ev, n)
    if CHECKED and verb != action.SWING and verb != action.SWEEP:
        raise ValueError("no power begins a turn with this verb")
    return area.resolve(t, s, piece, target, row, ev, n)
