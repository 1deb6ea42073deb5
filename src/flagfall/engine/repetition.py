"""Repetition: the two-square rule and the chase rule as small state machines.

Two-square rule, with limit 2 (own turns only, one piece, one pair of squares)::

    turn   1       2       3
           d4-d5   d5-d4   d4-d5 barred
    count  1       2

Another piece, other squares, an attack, or a turn without a move of that piece resets the count.

Chase rule (one chase at a time, remembered for the side that is chasing)::

    chaser moves next to an enemy  →  that enemy moves away  →  chaser moves next to it or another …
    key of the position kept          the evader                barred if that position is among the keys

This rule always allows the chaser to step straight back. Anything but threat and evasion ends the chase and
clears the keys.
"""

from __future__ import annotations

from typing import Final

from flagfall.board import DIRECTIONS
from flagfall.engine import state as S
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.state import is_enemy, piece_on
from flagfall.engine.tables import CHASE_RULE, PIECES, TWO_SQUARE_ATTACKS, TWO_SQUARE_LIMIT

NOTHING_BARRED: Final = -1
_MASK: Final = (1 << 30) - 1


@inlined
def barred_move(t: Ints, s: Ints) -> int:
    """Return ``origin << 8 | target`` of the move the two-square rule forbids now, or NOTHING_BARRED."""
    side = s[S.SIDE]
    limit = t[TWO_SQUARE_LIMIT]
    if limit == 0 or s[S.LAST_COUNT + side] < limit:
        return NOTHING_BARRED
    piece, stands = s[S.LAST_PIECE + side], s[S.LAST_TO + side]
    if piece == 0 or s[S.PIECE_CELL + piece] != stands:
        return NOTHING_BARRED
    return stands << 8 | s[S.LAST_FROM + side]


@kernel
def breaks_two_square_rule(t: Ints, s: Ints) -> bool:
    """Return whether this turn, as played so far, is the move that the two-square rule forbids."""
    side, limit = s[S.SIDE], t[TWO_SQUARE_LIMIT]
    return (
        limit != 0
        and s[S.LAST_COUNT + side] >= limit
        and (s[S.TURN_HOW] == S.DISPLACED or t[TWO_SQUARE_ATTACKS] != 0)
        and s[S.TURN_PIECE] == s[S.LAST_PIECE + side]
        and s[S.TURN_FROM] == s[S.LAST_TO + side]
        and s[S.TURN_TO] == s[S.LAST_FROM + side]
    )


@kernel
def is_attack_barred(t: Ints, s: Ints, piece: int, start: int, target: int) -> bool:
    """Return whether attacks count and this one, in a turn begun on ``start``, is the forbidden move."""
    side, limit = s[S.SIDE], t[TWO_SQUARE_LIMIT]
    return (
        t[TWO_SQUARE_ATTACKS] != 0
        and limit != 0
        and s[S.LAST_COUNT + side] >= limit
        and s[S.LAST_PIECE + side] == piece
        and s[S.LAST_TO + side] == start
        and s[S.LAST_FROM + side] == target
    )


@kernel
def can_attack_from(t: Ints, s: Ints, piece: int, start: int, cell: int) -> bool:
    """Return whether a piece in a turn begun on ``start`` may attack an enemy next to ``cell``."""
    for way in DIRECTIONS:
        if is_enemy(s, s[S.SIDE], cell + way) and not is_attack_barred(t, s, piece, start, cell + way):
            return True
    return False


@inlined
def remember_turn(t: Ints, s: Ints) -> None:
    """Update the repetition memory at the end of a turn."""
    if t[CHASE_RULE] != 0:
        _remember_chase(s)
    side, piece, how = s[S.SIDE], s[S.TURN_PIECE], s[S.TURN_HOW]
    if piece != 0 and (how == S.DISPLACED or (how == S.ATTACKED and t[TWO_SQUARE_ATTACKS] != 0)):
        origin, target = s[S.TURN_FROM], s[S.TURN_TO]
        is_back = (
            s[S.LAST_PIECE + side] == piece
            and s[S.LAST_FROM + side] == target
            and s[S.LAST_TO + side] == origin
        )
        s[S.LAST_COUNT + side] = min(s[S.LAST_COUNT + side] + 1, 100) if is_back else 1
        s[S.LAST_PIECE + side] = piece
        s[S.LAST_FROM + side] = origin
        s[S.LAST_TO + side] = target
    else:
        s[S.LAST_PIECE + side] = 0
        s[S.LAST_COUNT + side] = 0
    s[S.TURN_PIECE] = 0
    s[S.TURN_HOW] = 0


@inlined
def is_next_to(cell: int, other: int) -> bool:
    """Return whether two cells share an edge."""
    way = other - cell
    return way == 1 or way == -1 or way == 12 or way == -12


@kernel
def is_chase_barred(s: Ints, action: int) -> bool:
    """Return whether a move would repeat a position of the chase next to the evader or another enemy."""
    side = s[S.SIDE]
    if s[S.CHASER] != side + 1 or s[S.EVADER] == 0:
        return False
    origin, target = action >> 8 & 255, action & 255
    if not is_next_to_enemy(s, side, target):
        return False
    piece = piece_on(s, origin)
    if s[S.LAST_PIECE + side] == piece and s[S.LAST_TO + side] == origin and s[S.LAST_FROM + side] == target:
        return False
    first, second = _position_key(s, piece, target)
    for slot in range(min(s[S.CHASE_COUNT], S.CHASE_RING)):
        i = S.CHASE_KEYS + S.KEY_WORDS * slot
        if (s[i] << 15 | s[i + 1]) == first and (s[i + 2] << 15 | s[i + 3]) == second:
            return True
    return False


@kernel
def _position_key(s: Ints, moved: int, target: int) -> tuple[int, int]:
    """Return two 30-bit hashes of the position with one piece moved to ``target``."""
    first, second = 0, 0
    for piece in range(1, PIECES):
        cell = target if piece == moved else s[S.PIECE_CELL + piece]
        first = (first * 1000003 + cell + 1) & _MASK
        second = (second * 16777619 + cell * 5 + 3) & _MASK
    return first, second


@kernel
def _keep_key(s: Ints, piece: int) -> None:
    first, second = _position_key(s, piece, s[S.PIECE_CELL + piece])
    i = S.CHASE_KEYS + S.KEY_WORDS * (s[S.CHASE_COUNT] % S.CHASE_RING)
    s[i] = first >> 15
    s[i + 1] = first & 32767
    s[i + 2] = second >> 15
    s[i + 3] = second & 32767
    count = s[S.CHASE_COUNT] + 1
    s[S.CHASE_COUNT] = count if count < 32000 else count - 20 * S.CHASE_RING


@kernel
def _clear_chase(s: Ints) -> None:
    s[S.CHASER] = 0
    s[S.EVADER] = 0
    s[S.CHASE_COUNT] = 0
    for i in range(S.CHASE_KEYS, S.CHASE_KEYS + S.CHASE_RING * S.KEY_WORDS):
        s[i] = 0


@kernel
def is_next_to_enemy(s: Ints, side: int, cell: int) -> bool:
    """Return whether an enemy of that side stands next to the cell."""
    return (
        is_enemy(s, side, cell + 12)
        or is_enemy(s, side, cell + 1)
        or is_enemy(s, side, cell - 12)
        or is_enemy(s, side, cell - 1)
    )


@kernel
def _remember_chase(s: Ints) -> None:
    """Continue, begin or end a chase after a turn."""
    side, piece = s[S.SIDE], s[S.TURN_PIECE]
    is_move = piece != 0 and s[S.TURN_HOW] == S.DISPLACED
    is_threat = is_move and is_next_to_enemy(s, side, s[S.TURN_TO])
    if s[S.CHASER] == 2 - side:  # the other side chases: has the threatened piece moved away?
        chaser = s[S.LAST_PIECE + 1 - side]
        if is_move and chaser != 0 and is_next_to(s[S.TURN_FROM], s[S.PIECE_CELL + chaser]):
            s[S.EVADER] = piece
            return
        _clear_chase(s)
    elif s[S.CHASER] == side + 1:
        if is_threat and s[S.EVADER] != 0:
            s[S.EVADER] = 0
            _keep_key(s, piece)
            return
        _clear_chase(s)
    if is_threat:
        s[S.CHASER] = side + 1
        _keep_key(s, piece)
