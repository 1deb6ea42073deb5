"""Advance: every piece with this power moves one square in the same direction, one after another.

::

      . x . #        H goes north: the first moves, the second attacks x, the third is lost in the zone
      H H . H        (or over the edge)

A piece that enters an occupied square must attack the piece there, even a friend. Parameters: ``subset``: not
all pieces need to go; ``front_first``: the foremost goes first, instead of an order chosen by the owner. With
both, choosing a piece leaves those ahead of it where they are.
"""

from __future__ import annotations

from flagfall.board import DIRECTIONS
from flagfall.engine import action, events
from flagfall.engine import state as S
from flagfall.engine.combat import attack, remove
from flagfall.engine.events import BY_ADVANCE, TO_ALL, emit, show
from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.repetition import barred_move, breaks_two_square_rule
from flagfall.engine.state import is_empty, is_piece, kind_of, owner_of, piece_on
from flagfall.engine.tables import FRONT_FIRST, KIND_POWERS, PIECES, SUBSET, TWO_SQUARE_ATTACKS, power
from flagfall.engine.verbs import step


@kernel
def takes_part(t: Ints, s: Ints, side: int, row: int, piece: int) -> bool:
    """Return whether a piece is on the board, has the power and has not gone yet in this turn."""
    if s[S.PIECE_CELL + piece] == 0 or owner_of(s, piece) != side:
        return False
    return t[KIND_POWERS + kind_of(s, piece)] >> row & 1 == 1 and s[S.PIECE_INFO + piece] & S.ADVANCED == 0


@kernel
def count(t: Ints, s: Ints, side: int, row: int) -> int:
    """Return how many pieces have yet to go."""
    number = 0
    for piece in range(1, PIECES):
        number += takes_part(t, s, side, row, piece)
    return number


@kernel
def generate(t: Ints, s: Ints, side: int, row: int, number: int, out: Ints, n: int) -> int:
    """Write the directions; a single piece's advance is a move, so the two-square rule may forbid it."""
    for index in range(4):
        if number > 1 or not _is_barred(t, s, side, row, index):
            out[n] = action.ADVANCE << 24 | index << 16
            n += 1
    return n


@kernel
def _is_barred(t: Ints, s: Ints, side: int, row: int, index: int) -> bool:
    for piece in range(1, PIECES):
        if takes_part(t, s, side, row, piece) and _is_barred_way(
            t, s, s[S.PIECE_CELL + piece], DIRECTIONS[index]
        ):
            return True
    return False


@kernel
def _is_barred_way(t: Ints, s: Ints, cell: int, way: int) -> bool:
    """Return whether the two-square rule forbids this step; an attack only where attacks count."""
    target = cell + way
    if (cell << 8 | target) != barred_move(t, s):
        return False
    return is_empty(s, target) or (t[TWO_SQUARE_ATTACKS] != 0 and is_piece(s, target))


@kernel
def resolve(t: Ints, s: Ints, row: int, index: int, ev: Ints, n: int) -> int:
    """Announce the direction; then ask which piece goes first, or move all, the foremost first."""
    n = emit(ev, n, events.USE, 0, 0, index, row, TO_ALL)
    s[S.PENDING_KIND] = index
    s[S.PENDING_ROW] = row
    s[S.PENDING_LIST] = 0
    if power(t, row, FRONT_FIRST) == 0 or power(t, row, SUBSET) != 0:
        s[S.PENDING] = S.ASK_NEXT
        return n
    while s[S.RESULT] == 0 and count(t, s, s[S.SIDE], row) > 0:
        n = _go(t, s, _foremost(t, s, row, DIRECTIONS[index]), DIRECTIONS[index], ev, n)
    return finish(s, n)


@kernel
def _foremost(t: Ints, s: Ints, row: int, way: int) -> int:
    """Return the foremost piece; of equals the one on the lower column or row."""
    best, best_score = 0, -100000
    for piece in range(1, PIECES):
        if takes_part(t, s, s[S.SIDE], row, piece):
            score = how_far(s[S.PIECE_CELL + piece], way)
            if score > best_score:
                best, best_score = piece, score
    return best


@kernel
def how_far(cell: int, way: int) -> int:
    """Return how far ahead a cell is in a direction; of equals the lower column or row is ahead."""
    line, across = (cell // 12, cell % 12) if way == 12 or way == -12 else (cell % 12, cell // 12)
    return (line if way > 0 else -line) * 100 - across


@kernel
def _pass_over(t: Ints, s: Ints, row: int, cell: int, way: int) -> None:
    """Let the pieces ahead of ``cell`` stay where they are."""
    for piece in range(1, PIECES):
        is_ahead = how_far(s[S.PIECE_CELL + piece], way) > how_far(cell, way)
        if is_ahead and takes_part(t, s, s[S.SIDE], row, piece):
            s[S.PIECE_INFO + piece] |= S.ADVANCED


@kernel
def _would_break_two_square_rule(t: Ints, s: Ints, row: int, cell: int, way: int) -> bool:
    """Return whether the piece on ``cell`` would go alone and the two-square rule forbids it."""
    if power(t, row, FRONT_FIRST) == 0 or s[S.PENDING_LIST] != 0 or not _is_barred_way(t, s, cell, way):
        return False
    for piece in range(1, PIECES):
        is_behind = how_far(s[S.PIECE_CELL + piece], way) < how_far(cell, way)
        if is_behind and takes_part(t, s, s[S.SIDE], row, piece):
            return False
    return True


@kernel
def next_pieces(t: Ints, s: Ints, out: Ints, n: int) -> int:
    """Write the pieces that may go next, and "done" where not all must."""
    row, way = s[S.PENDING_ROW], DIRECTIONS[s[S.PENDING_KIND]]
    for piece in range(1, PIECES):
        cell = s[S.PIECE_CELL + piece]
        if takes_part(t, s, s[S.SIDE], row, piece) and not _would_break_two_square_rule(t, s, row, cell, way):
            out[n] = action.CHOOSE_CELL << 24 | cell
            n += 1
    gone = s[S.PENDING_LIST]
    if power(t, row, SUBSET) != 0 and (gone > 1 or (gone == 1 and not breaks_two_square_rule(t, s))):
        out[n] = action.DONE << 24
        n += 1
    return n


@kernel
def choose(t: Ints, s: Ints, cell: int, ev: Ints, n: int) -> int:
    """Advance the piece on ``cell``."""
    row, way = s[S.PENDING_ROW], DIRECTIONS[s[S.PENDING_KIND]]
    if power(t, row, FRONT_FIRST) != 0:
        _pass_over(t, s, row, cell, way)
    n = _go(t, s, piece_on(s, cell), way, ev, n)
    if s[S.RESULT] == 0 and count(t, s, s[S.SIDE], row) > 0:
        s[S.PENDING] = S.ASK_NEXT
        return n
    return finish(s, n)


@kernel
def _go(t: Ints, s: Ints, piece: int, way: int, ev: Ints, n: int) -> int:
    """Advance one piece: it is shown, then it moves, attacks or is lost."""
    target = s[S.PIECE_CELL + piece] + way
    s[S.PIECE_INFO + piece] |= S.ADVANCED
    s[S.PENDING_LIST] += 1
    if is_empty(s, target):
        n = show(s, piece, TO_ALL, ev, n)
        return step.go(s, piece, target, BY_ADVANCE, ev, n)
    if is_piece(s, target):
        return attack(t, s, piece, target, ev, n)
    n = show(s, piece, TO_ALL, ev, n)
    s[S.TURN_HOW] = S.STAYED
    s[S.TURN_PIECE] = 0
    return remove(t, s, piece, ev, n)


@kernel
def finish(s: Ints, n: int) -> int:
    """End the advance: one of several pieces resets the two-square count, one of one piece is its move."""
    if s[S.PENDING_LIST] > 1:
        s[S.TURN_PIECE] = 0
        s[S.TURN_HOW] = S.STAYED
    for piece in range(1, PIECES):
        s[S.PIECE_INFO + piece] &= ~S.ADVANCED
    s[S.PENDING_KIND] = 0
    s[S.PENDING_ROW] = 0
    s[S.PENDING_LIST] = 0
    return n
