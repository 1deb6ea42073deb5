"""The graph of an endgame: every position that can come about, and from the ends backwards who wins it.

`open_positions` plays every action of every position found so far; `settle` walks back from the ends. Both
stop after so many positions and go on where they stopped. A position is won if an action leads to one that
the enemy has lost, and lost if all of them lead to won ones; what is left over is neither. An attack in the
dark leads nowhere: who might make one has not lost.

Marks say how it ends for the side to move, and in how many turns: 3 is won in three, -4 is lost in four.
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import action, rules
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.simulate import copy_row
from flagfall.engine.state import DRAW, PENDING, PHASE, RESULT, SIDE, SOUTH_WINS, piece_on
from flagfall.players.endgame.encoding import (
    BROKEN,
    COUNT,
    DARK,
    EDGES,
    MAX_EDGES,
    MOST,
    OPENED,
    QUEUED,
    REGIME_NUMBER,
    SETTLED,
    SLOT_MASK,
    coded,
    mover_of,
    stand,
)

NEITHER: Final = 0
ELSEWHERE: Final = 1 << 20
"""an action that does not end the game: look up where it leads"""
LONGEST: Final = 30000
_MASK: Final = (1 << 62) - 1


@inlined
def first_edge(g: Ints, at: int) -> int:
    """Where the links keep the first edge into a position (from 1 on, 0 if there is none)."""
    return g[SLOT_MASK] + 1 + at


@inlined
def queue_place(g: Ints, at: int) -> int:
    """Where the links keep the queue of positions of which it is known who wins."""
    return g[SLOT_MASK] + 1 + g[MOST] + at


@inlined
def edge_place(g: Ints, edge: int) -> int:
    """Where the links keep an edge: the position it comes from, then the next edge into the same one."""
    return g[SLOT_MASK] + 1 + 2 * g[MOST] + 2 * edge


@kernel
def slot_of(g: Ints, codes: Ints, links: Ints, code: int) -> int:
    """The slot that a position has, or would get."""
    slot = (code * 0x9E3779B97F4A7C5 & _MASK) >> 24 & g[SLOT_MASK]
    while links[slot] != 0 and codes[links[slot] - 1] != code:
        slot = slot + 1 & g[SLOT_MASK]
    return slot


@inlined
def _add(g: Ints, codes: Ints, links: Ints, code: int) -> int:
    """The place of a position, which is new or known."""
    slot = slot_of(g, codes, links, code)
    if links[slot] == 0:
        if g[COUNT] >= g[MOST]:
            g[BROKEN] = 1
            return 0
        codes[g[COUNT]] = code
        g[COUNT] += 1
        links[slot] = g[COUNT]
    return links[slot] - 1


@kernel
def begin(g: Ints, codes: Ints, links: Ints, s: Ints) -> None:
    """The first position."""
    _add(g, codes, links, coded(g, s))


@kernel
def ends(t: Ints, g: Ints, s: Ints, c: Ints, act: int, out: Ints, ev: Ints) -> int:
    """Play an action on the row ``c``: won (1), lost (-1) or NEITHER for its player, or ELSEWHERE."""
    verb, origin, target = act >> 24, act >> 8 & 255, act & 255
    if verb != action.MOVE and verb != action.ATTACK:
        g[BROKEN] = 1
        return NEITHER
    if verb == action.ATTACK:
        mover = mover_of(g, piece_on(s, origin))
        if g[DARK + piece_on(s, target)] >> mover & 1:
            return NEITHER
    copy_row(s, c)
    rules.apply(t, c, act, out, ev)
    if c[RESULT] == DRAW:
        return NEITHER
    if c[RESULT] != 0:
        return 1 if c[RESULT] - SOUTH_WINS == s[SIDE] else -1
    if c[PENDING] != 0 or c[PHASE] != g[REGIME_NUMBER]:
        g[BROKEN] = 1
        return NEITHER
    return ELSEWHERE


@inlined
def _note(g: Ints, links: Ints, marks: Ints, at: int, mark: int) -> None:
    """It is known who wins a position."""
    marks[2 * at] = max(min(mark, LONGEST), -LONGEST)
    links[queue_place(g, g[QUEUED])] = at
    g[QUEUED] += 1


@inlined
def _link(g: Ints, links: Ints, origin: int, target: int) -> None:
    """An edge from a position to the one that an action leads to."""
    if g[EDGES] >= g[MAX_EDGES]:
        g[BROKEN] = 1
        return
    place = edge_place(g, g[EDGES])
    links[place] = origin
    links[place + 1] = links[first_edge(g, target)]
    g[EDGES] += 1
    links[first_edge(g, target)] = g[EDGES]


@kernel
def open_positions(
    t: Ints,
    g: Ints,
    codes: Ints,
    links: Ints,
    marks: Ints,
    blank: Ints,
    s: Ints,
    c: Ints,
    acts: Ints,
    out: Ints,
    ev: Ints,
    most: int,
) -> int:
    """Play all actions of the next positions; of how many."""
    done = 0
    while done < most and g[OPENED] < g[COUNT] and g[BROKEN] == 0:
        at = g[OPENED]
        stand(g, blank, codes[at], s)
        n = rules.legal(t, s, acts)
        is_won, left = False, n
        for index in range(n):
            how = ends(t, g, s, c, acts[index] & 0x7FFFFFFF, out, ev)
            if how == ELSEWHERE:
                _link(g, links, at, _add(g, codes, links, coded(g, c)))
            is_won = is_won or how == 1
            left -= how == -1
            if g[BROKEN] != 0:
                break
        marks[2 * at + 1] = left
        if is_won or left == 0:
            _note(g, links, marks, at, 1 if is_won else -1)
        g[OPENED] += 1
        done += 1
    return done


@kernel
def settle(g: Ints, links: Ints, marks: Ints, most: int) -> int:
    """Tell the parents of the next positions of which it is known who wins; of how many."""
    done = 0
    while done < most and g[SETTLED] < g[QUEUED]:
        at = links[queue_place(g, g[SETTLED])]
        mark = marks[2 * at]
        edge = links[first_edge(g, at)]
        while edge != 0:
            place = edge_place(g, edge - 1)
            parent = links[place]
            if marks[2 * parent] == 0:
                if mark < 0:
                    _note(g, links, marks, parent, 1 - mark)
                else:
                    marks[2 * parent + 1] -= 1
                    if marks[2 * parent + 1] == 0:
                        _note(g, links, marks, parent, -1 - mark)
            edge = links[place + 1]
        g[SETTLED] += 1
        done += 1
    return done


@kernel
def after(
    t: Ints,
    g: Ints,
    codes: Ints,
    links: Ints,
    marks: Ints,
    s: Ints,
    c: Ints,
    act: int,
    out: Ints,
    ev: Ints,
) -> int:
    """How the game ends for the side to move after an action, by the marks; the row ``c`` is what follows."""
    how = ends(t, g, s, c, act, out, ev)
    if how != ELSEWHERE:
        return how
    place = links[slot_of(g, codes, links, coded(g, c))]
    if place == 0 or marks[2 * place - 2] == 0:
        return NEITHER
    mark = marks[2 * place - 2]
    return 1 - mark if mark < 0 else -1 - mark
