"""Retrograde analysis: the graph of all reachable positions, solved backwards from the ends.

`expand` plays every action of every position found so far; `propagate` walks back from the ends. Both work in
slices. A position is won if an action leads to a lost one for the enemy, lost if all actions lead to won
ones, and otherwise undecided. A blind attack counts as undecided.

Results are distances for the side to move: 3 is won in three turns, -4 lost in four.
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import action, rules
from flagfall.engine import state as S
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.simulate import copy_row
from flagfall.players.endgame import encoding as C

UNDECIDED: Final = 0
CONTINUES: Final = 1 << 20
"""the action does not end the game"""
MAX_DISTANCE: Final = 30000
_MASK: Final = (1 << 62) - 1


@inlined
def first_edge(g: Ints, i: int) -> int:
    """Return where ``links`` holds the first edge into a position (from 1 on, 0 for none)."""
    return g[C.SLOT_MASK] + 1 + i


@inlined
def queue_place(g: Ints, i: int) -> int:
    """Return where ``links`` holds the queue of solved positions."""
    return g[C.SLOT_MASK] + 1 + g[C.CAPACITY] + i


@inlined
def edge_place(g: Ints, edge: int) -> int:
    """Return where ``links`` holds an edge: its origin, then the next edge into the same position."""
    return g[C.SLOT_MASK] + 1 + 2 * g[C.CAPACITY] + 2 * edge


@kernel
def slot_of(g: Ints, codes: Ints, links: Ints, code: int) -> int:
    """Return the hash slot of a position."""
    slot = (code * 0x9E3779B97F4A7C5 & _MASK) >> 24 & g[C.SLOT_MASK]
    while links[slot] != 0 and codes[links[slot] - 1] != code:
        slot = slot + 1 & g[C.SLOT_MASK]
    return slot


@inlined
def _add(g: Ints, codes: Ints, links: Ints, code: int) -> int:
    """Return the index of a position, adding it if it is new."""
    slot = slot_of(g, codes, links, code)
    if links[slot] == 0:
        if g[C.COUNT] >= g[C.CAPACITY]:
            g[C.FAILED] = 1
            return 0
        codes[g[C.COUNT]] = code
        g[C.COUNT] += 1
        links[slot] = g[C.COUNT]
    return links[slot] - 1


@kernel
def begin(g: Ints, codes: Ints, links: Ints, s: Ints) -> None:
    """Add the first position."""
    _add(g, codes, links, C.encode(g, s))


@kernel
def classify(t: Ints, g: Ints, s: Ints, c: Ints, act: int, out: Ints, ev: Ints) -> int:
    """Play an action on row ``c``; return 1 (won), -1 (lost), UNDECIDED or CONTINUES for its player."""
    verb, origin, target = act >> 24, act >> 8 & 255, act & 255
    if verb != action.MOVE and verb != action.ATTACK:
        g[C.FAILED] = 1
        return UNDECIDED
    if verb == action.ATTACK:
        mover = C.mover_of(g, S.piece_on(s, origin))
        if g[C.BLIND + S.piece_on(s, target)] >> mover & 1:
            return UNDECIDED
    copy_row(s, c)
    rules.apply(t, c, act, out, ev)
    if c[S.RESULT] == S.DRAW:
        return UNDECIDED
    if c[S.RESULT] != 0:
        return 1 if c[S.RESULT] - S.SOUTH_WINS == s[S.SIDE] else -1
    if c[S.PENDING] != 0 or c[S.PHASE] != g[C.PHASE_NUMBER]:
        g[C.FAILED] = 1
        return UNDECIDED
    return CONTINUES


@inlined
def _solve(g: Ints, links: Ints, results: Ints, i: int, result: int) -> None:
    """Store the result of a position."""
    results[2 * i] = max(min(result, MAX_DISTANCE), -MAX_DISTANCE)
    links[queue_place(g, g[C.SOLVED])] = i
    g[C.SOLVED] += 1


@inlined
def _link(g: Ints, links: Ints, origin: int, target: int) -> None:
    """Add an edge between two positions."""
    if g[C.EDGES] >= g[C.MAX_EDGES]:
        g[C.FAILED] = 1
        return
    place = edge_place(g, g[C.EDGES])
    links[place] = origin
    links[place + 1] = links[first_edge(g, target)]
    g[C.EDGES] += 1
    links[first_edge(g, target)] = g[C.EDGES]


@kernel
def expand(
    t: Ints, g: Ints, codes: Ints, links: Ints, results: Ints, blank: Ints, s: Ints, c: Ints, acts: Ints,
    out: Ints, ev: Ints, limit: int,
) -> int:  # fmt: skip
    """Play all actions of the next positions; return how many were expanded."""
    done = 0
    while done < limit and g[C.EXPANDED] < g[C.COUNT] and g[C.FAILED] == 0:
        i = g[C.EXPANDED]
        C.decode(g, blank, codes[i], s)
        n = rules.legal(t, s, acts)
        is_won, left = False, n
        for index in range(n):
            outcome = classify(t, g, s, c, acts[index] & 0x7FFFFFFF, out, ev)
            if outcome == CONTINUES:
                _link(g, links, i, _add(g, codes, links, C.encode(g, c)))
            is_won = is_won or outcome == 1
            left -= outcome == -1
            if g[C.FAILED] != 0:
                break
        results[2 * i + 1] = left
        if is_won or left == 0:
            _solve(g, links, results, i, 1 if is_won else -1)
        g[C.EXPANDED] += 1
        done += 1
    return done


@kernel
def propagate(g: Ints, links: Ints, results: Ints, limit: int) -> int:
    """Update the parents of the next solved positions; return how many were propagated."""
    done = 0
    while done < limit and g[C.PROPAGATED] < g[C.SOLVED]:
        i = links[queue_place(g, g[C.PROPAGATED])]
        result = results[2 * i]
        edge = links[first_edge(g, i)]
        while edge != 0:
            place = edge_place(g, edge - 1)
            parent = links[place]
            if results[2 * parent] == 0:
                if result < 0:
                    _solve(g, links, results, parent, 1 - result)
                else:
                    results[2 * parent + 1] -= 1
                    if results[2 * parent + 1] == 0:
                        _solve(g, links, results, parent, -1 - result)
            edge = links[place + 1]
        g[C.PROPAGATED] += 1
        done += 1
    return done


@kernel
def lookup(
    t: Ints, g: Ints, codes: Ints, links: Ints, results: Ints, s: Ints, c: Ints, act: int, out: Ints,
    ev: Ints,
) -> int:  # fmt: skip
    """Return the result of an action for the side to move; row ``c`` is the position after it."""
    outcome = classify(t, g, s, c, act, out, ev)
    if outcome != CONTINUES:
        return outcome
    place = links[slot_of(g, codes, links, C.encode(g, c))]
    if place == 0 or results[2 * place - 2] == 0:
        return UNDECIDED
    result = results[2 * place - 2]
    return 1 - result if result < 0 else -1 - result
