"""The kernel that plays a batch of games: one action in each, a new game where one has ended.

Everything is one call, so that it is compiled once and the interpreter lock is released for all of it;
threads of a `Team` that help make the same call. The buffers are flat; game ``i`` has row ``i`` of each.
"""

from __future__ import annotations

from typing import Final

from flagfall.engine import action as A
from flagfall.engine import machine, rules
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, inlined, kernel
from flagfall.engine.simulate import deal_army, random_below
from flagfall.engine.state import STATE_SIZE, first_piece, piece_on, put
from flagfall.rl import changes, team
from flagfall.rl import layout as L
from flagfall.rl import memory as M
from flagfall.rl import observing as O

RESET: Final = -1
"""instead of an action: a new game begins"""
SHOW: Final = -2
"""instead of an action: only the observation is written again"""

R: Final = changes.RECORD_SIZE
STATE_ROW: Final = (STATE_SIZE + 31) // 32 * 32
"""from one State of the batch to the next: whole lines of memory"""

WANTS_MASK: Final = 1
WANTS_PLANES: Final = 2
STOPS: Final = 4
"""a game that has ended stays as it is until it is reset"""
FETCHES: Final = 8
"""the batch is larger than what is near the processor: ask for a game's memory while another is played"""

CHECK: Final = 1
"""the first part of a step: are all actions legal?"""
PLAY: Final = 2
"""the second part: play them"""

# --- how a game ended
RUNNING: Final = 0
TERMINATED: Final = 1
TRUNCATED: Final = 2

# --- columns of the results
ENDED: Final = 0
WINNER: Final = 1  # result as in State: 1 South, 2 North, 3 a draw
REASON: Final = 2
LENGTH: Final = 3  # turns
RESULT_WIDTH: Final = 4


@kernel
def find_illegal(g: Ints, actions: Ints, legal: Ints, counts: Ints, first: int, last: int) -> int:
    """Return the first game whose action is not in its list, or -1; `SHOW` fits an empty list."""
    width = g[L.MAX_LEGAL]
    for i in range(first, last):
        act, count = actions[i], counts[i]
        mine = legal[i * width : (i + 1) * width]
        found = 0
        for j in range(count):  # without a way out, so that the compiler compares many at once
            found |= mine[j] == act
        if found == 0 and not (act == SHOW and count == 0):
            return i
    return -1


@kernel
def choose_randomly(g: Ints, legal: Ints, counts: Ints, rng: Ints, actions: Ints, n: int) -> None:
    """Choose one legal action of every game at random; `SHOW` where there is none."""
    width = g[L.MAX_LEGAL]
    for i in range(n):
        actions[i] = legal[i * width + random_below(rng, counts[i])] if counts[i] > 0 else SHOW


@kernel
def take_part(
    t: Ints,
    g: Ints,
    packed: Ints,
    zones: Ints,
    bare: Ints,
    pool: Ints,
    pool_sizes: Ints,
    states: Ints,
    memory: Ints,
    dice: Ints,
    actions: Ints,
    legal: Ints,
    counts: Ints,
    mask: Ints,
    planes: Ints,
    scalars: Ints,
    to_play: Ints,
    rewards: Ints,
    results: Ints,
    shown: Ints,
    board: Ints,
    wants: int,
    jobs: int,
    turn: int,
    me: int,
    out: Ints,
    ev: Ints,
) -> int:
    """Do the jobs in all games, together with those of the team who are awake; or, as one of them, help.

    Return the first game whose action is not legal, and then nothing was played, or -1.
    """
    job = 0 if me > 0 else CHECK
    while True:
        if me > 0:
            generation = team.wait(board, me)
            if generation == 0:
                return -1
            job = board[team.JOB]
        elif job > PLAY:
            return -1
        elif jobs & job == 0:
            job += 1
            continue
        else:
            generation = team.publish(board, job, turn)
        block = team.claim(board, me, generation)
        while block >= 0:
            first = board[team.GAMES] * block // board[team.BLOCKS]
            last = board[team.GAMES] * (block + 1) // board[team.BLOCKS]
            if job == CHECK:
                wrong = find_illegal(g, actions, legal, counts, first, last)
                if wrong >= 0:
                    machine.keep_least(board, team.ILLEGAL, wrong)
            else:
                advance(
                    t,
                    g,
                    packed,
                    zones,
                    bare,
                    pool,
                    pool_sizes,
                    states,
                    memory,
                    dice,
                    actions,
                    legal,
                    counts,
                    mask,
                    planes,
                    scalars,
                    to_play,
                    rewards,
                    results,
                    shown,
                    wants,
                    board[team.TURN],
                    first,
                    last,
                    out,
                    ev,
                )
            machine.add(board, team.DONE, 1)
            block = team.claim(board, me, generation)
        if me == 0:
            team.finish(board)
            if job == CHECK and board[team.ILLEGAL] < board[team.GAMES]:
                return board[team.ILLEGAL]
            job += 1


@kernel
def advance(
    t: Ints,
    g: Ints,
    packed: Ints,
    zones: Ints,
    bare: Ints,
    pool: Ints,
    pool_sizes: Ints,
    states: Ints,
    memory: Ints,
    dice: Ints,
    actions: Ints,
    legal: Ints,
    counts: Ints,
    mask: Ints,
    planes: Ints,
    scalars: Ints,
    to_play: Ints,
    rewards: Ints,
    results: Ints,
    shown: Ints,
    wants: int,
    turn: int,
    first: int,
    last: int,
    out: Ints,
    ev: Ints,
) -> None:
    """Play one action in each of the games ``first`` … ``last`` - 1 and write what the next mover may know.

    ``dice`` are the random numbers of each game; ``pool`` holds setups, as the cells of an army's pieces.
    """
    width, size, n = g[L.MAX_LEGAL], g[L.ACTIONS], len(to_play)  # type: ignore[arg-type]
    plane_size, scalar_size = g[L.PLANES] * g[L.SQUARES], g[L.SCALARS]
    for i in range(first, last):
        if wants & FETCHES and i + 1 < last:
            _fetch(g, i + 1, n, turn, wants, states, memory, legal, counts, mask, scalars, shown)
        act = actions[i]
        s = states[i * STATE_ROW : i * STATE_ROW + STATE_SIZE]
        m = memory[i * M.MEMORY_SIZE : (i + 1) * M.MEMORY_SIZE]
        mine = legal[i * width : (i + 1) * width]
        if wants & WANTS_MASK:
            for j in range(counts[i]):
                mask[i * size + mine[j]] = 0
        begins = act == RESET
        if act != SHOW:
            rewards[2 * i] = 0
            rewards[2 * i + 1] = 0
            results[RESULT_WIDTH * i + ENDED] = RUNNING
        if act >= 0:
            length = _play(t, g, packed, s, m, act, out, ev)
            if wants & WANTS_PLANES:
                changes.touch(shown, i * R, (n + i) * R, ev, length)
            begins = _has_ended(g, s, m, i, rewards, results) and wants & STOPS == 0
        while begins:
            begin(t, g, bare, pool, pool_sizes, s, m, dice[i : i + 1], out, ev)
            shown[i * R + changes.SHOWN_TO] = 0
            shown[(n + i) * R + changes.SHOWN_TO] = 0
            begins = s[S.RESULT] != 0  # an army that cannot move has lost at once: another setup
        side = side_to_play(g, s, m)
        to_play[i] = side
        at = turn * n + i
        r = shown[at * R : (at + 1) * R]
        if wants & FETCHES and wants & WANTS_PLANES:
            changes.fetch(g, s, m, side, r, planes, at * plane_size)
        if wants & STOPS and (s[S.RESULT] != 0 or results[RESULT_WIDTH * i + ENDED] != RUNNING):
            counts[i] = 0
        else:
            counts[i] = write_legal(t, g, s, m, side, mine, out)
        if wants & FETCHES and wants & WANTS_MASK:
            for j in range(counts[i]):
                machine.fetch(mask, i * size + mine[j])
        if wants & WANTS_PLANES:
            p = planes[at * plane_size : (at + 1) * plane_size]
            c = scalars[i * scalar_size : (i + 1) * scalar_size]
            changes.show(t, g, zones, s, m, side, r, p, c)
        if wants & WANTS_MASK:
            for j in range(counts[i]):
                mask[i * size + mine[j]] = 1


@inlined
def _fetch(
    g: Ints,
    i: int,
    n: int,
    turn: int,
    wants: int,
    states: Ints,
    memory: Ints,
    legal: Ints,
    counts: Ints,
    mask: Ints,
    scalars: Ints,
    shown: Ints,
) -> None:
    """Ask for the memory that playing a game will surely touch."""
    for at in range(0, STATE_SIZE - 4 * S.CHASE_RING, 32):
        machine.fetch(states, i * STATE_ROW + at)
    machine.fetch(memory, i * M.MEMORY_SIZE)
    if wants & WANTS_MASK:
        for j in range(counts[i]):
            machine.fetch(mask, i * g[L.ACTIONS] + legal[i * g[L.MAX_LEGAL] + j])
    if wants & WANTS_PLANES:
        for at in range(0, R, 32):
            machine.fetch(shown, (turn * n + i) * R + at)
        machine.fetch(shown, ((1 - turn) * n + i) * R)
        for at in range(0, g[L.SCALARS], 32):
            machine.fetch(scalars, i * g[L.SCALARS] + at)


@inlined
def is_placing(g: Ints, m: Ints) -> bool:
    """Return whether the players are still placing their pieces."""
    return g[L.PLACES] != 0 and m[M.PLACED] < g[L.SOUTH_ARMY] + g[L.NORTH_ARMY]


@inlined
def side_to_play(g: Ints, s: Ints, m: Ints) -> int:
    """Return the side that chooses next."""
    if is_placing(g, m):
        return 0 if m[M.PLACED] < g[L.SOUTH_ARMY] else 1
    return s[S.SIDE]


@inlined
def _play(t: Ints, g: Ints, packed: Ints, s: Ints, m: Ints, act: int, out: Ints, ev: Ints) -> int:
    """Play a legal action and return the length of its events, or place a piece."""
    side = side_to_play(g, s, m)
    square, slot = act // g[L.SLOTS], act % g[L.SLOTS]
    if is_placing(g, m):
        placed = m[M.PLACED]
        piece = first_piece(side) + placed - (g[L.SOUTH_ARMY] if side == 1 else 0)
        put(s, piece, g[L.CELL_OF + 144 * side + square])
        m[M.PLACED] = placed + 1
        if placed + 1 == g[L.SOUTH_ARMY] + g[L.NORTH_ARMY]:
            rules.start(t, s, out, ev)
        return 0
    if square < g[L.SQUARES]:
        cell = g[L.CELL_OF + 144 * side + square]
        at = 2 * (g[L.SLOTS] * side + slot)
        verb = packed[at]
        target = cell + packed[at + 1]
        if verb == A.CHOOSE_CELL << 24:
            chosen = verb | cell
        else:
            if verb == A.MOVE << 24 and S.is_piece(s, target):
                verb = A.ATTACK << 24
            chosen = verb | cell << 8 | target
    else:
        rest = 4 * g[L.SLOTS] + act - g[L.SQUARES] * g[L.SLOTS]
        chosen = packed[rest + (g[L.ACTIONS] - g[L.SQUARES] * g[L.SLOTS]) * side]
    length = rules.apply(t, s, chosen, out, ev)
    M.remember(s, m, side, ev, length)
    return length


@inlined
def _has_ended(g: Ints, s: Ints, m: Ints, i: int, rewards: Ints, results: Ints) -> bool:
    """Write the rewards and the result if the game is over or too long."""
    result = s[S.RESULT]
    is_long = g[L.MAX_TURNS] > 0 and m[M.TURNS] >= g[L.MAX_TURNS]
    if result == 0 and not is_long:
        return False
    at = RESULT_WIDTH * i
    results[at + ENDED] = TERMINATED if result != 0 else TRUNCATED
    results[at + WINNER] = result
    results[at + REASON] = s[S.REASON]
    results[at + LENGTH] = m[M.TURNS]
    if result == S.SOUTH_WINS:
        rewards[2 * i], rewards[2 * i + 1] = 1, -1
    elif result == S.NORTH_WINS:
        rewards[2 * i], rewards[2 * i + 1] = -1, 1
    return True


@kernel
def begin(
    t: Ints,
    g: Ints,
    bare: Ints,
    pool: Ints,
    pool_sizes: Ints,
    s: Ints,
    m: Ints,
    rng: Ints,
    out: Ints,
    ev: Ints,
) -> None:
    """Begin a new game: deal both armies at random or from the pool, or let the players place them."""
    for i in range(STATE_SIZE):
        s[i] = bare[i]
    south, north = g[L.SOUTH_ARMY], g[L.NORTH_ARMY]
    M.forget(m, g, L.PLACE_ORDER, south, north)
    if g[L.PLACES] != 0:
        return
    for side in range(2):
        count = g[L.SOUTH_ARMY + side]
        if pool_sizes[side] > 0:
            at = (pool_sizes[0] * side + random_below(rng, pool_sizes[side])) * 40
            for i in range(count):
                put(s, first_piece(side) + i, pool[at + i])
        else:
            squares = g[L.HOMES + side]
            for i in range(squares):
                ev[i] = g[L.HOME_CELLS + 144 * side + i]
            deal_army(s, rng, ev, squares, first_piece(side), count)
    rules.start(t, s, out, ev)


@inlined
def write_legal(t: Ints, g: Ints, s: Ints, m: Ints, side: int, mine: Ints, out: Ints) -> int:
    """Write the numbers of the legal actions and return how many there are."""
    slots = g[L.SLOTS]
    turned = L.SQUARE_OF + 144 * side
    if is_placing(g, m):
        n = 0
        for i in range(g[L.HOMES + side]):
            cell = g[L.HOME_CELLS + 144 * side + i]
            if S.is_empty(s, cell):
                mine[n] = g[turned + cell] * slots + g[L.CHOOSE_SLOT]
                n += 1
        return n
    n = rules.legal(t, s, out)
    table = L.SLOT_TABLE + L.SIDE_SLOTS * side + 144
    if s[S.PENDING] == 0 and t[T.HAS_FOLLOW_UPS] == 0:
        for j in range(n):
            act = out[j]
            origin, target = act >> 8 & 255, act & 255
            slot = g[table + A.MOVE * 4 * 288 + target - origin]
            mine[j] = g[turned + origin] * slots + slot
        return n
    for j in range(n):
        act = out[j]
        verb, choice, origin, target = act >> 24, act >> 16 & 255, act >> 8 & 255, act & 255
        if verb == A.SPOT or verb == A.TWO_STEP or verb == A.ADVANCE:
            choice = (choice + 2 * side) & 3
        if verb == A.CHOOSE_KIND or verb == A.DONE or verb == A.ADVANCE:
            mine[j] = g[L.FIRST_OF_VERB + verb] + choice
        elif verb == A.CHOOSE_CELL:
            mine[j] = g[turned + target] * slots + g[L.CHOOSE_SLOT]
        else:
            slot = g[table + (verb * 4 + choice) * 288 + target - origin]
            mine[j] = g[turned + origin] * slots + slot
    return n


@kernel
def write_sight(
    t: Ints,
    g: Ints,
    zones: Ints,
    states: Ints,
    memory: Ints,
    sides: Ints,
    planes: Ints,
    scalars: Ints,
    n: int,
) -> None:
    """Write what the given side of every game may know, whether or not it is to play."""
    plane_size, scalar_size = g[L.PLANES] * g[L.SQUARES], g[L.SCALARS]
    asked = (3 * g[L.KINDS] + L.ASKED_SQUARE) * g[L.SQUARES]
    for i in range(n):
        s = states[i * STATE_ROW : i * STATE_ROW + STATE_SIZE]
        m = memory[i * M.MEMORY_SIZE : (i + 1) * M.MEMORY_SIZE]
        p = planes[i * plane_size : (i + 1) * plane_size]
        c = scalars[i * scalar_size : (i + 1) * scalar_size]
        O.write_planes(t, g, zones, s, m, sides[i], p, c)
        if sides[i] != side_to_play(g, s, m):  # nothing is asked of it
            c[L.KIND_TO_PLACE] = 0
            for j in range(L.KIND_SCALARS - L.ASKED):
                c[L.ASKED + j] = 0
            O.clear(p[asked:], g[L.SQUARES])


@kernel
def write_truth(g: Ints, states: Ints, to_play: Ints, n: int, planes: Ints) -> None:
    """Write the true kinds of the enemy pieces of every game's mover, for critics and tests."""
    squares, kinds = g[L.SQUARES], g[L.KINDS]
    for i in range(n * kinds * squares):
        planes[i] = 0
    for i in range(n):
        s = states[i * STATE_ROW : i * STATE_ROW + STATE_SIZE]
        side = to_play[i]
        for cell in range(144):
            if S.is_enemy(s, side, cell):
                kind = g[L.KIND_PLANE + 40 * (1 - side) + S.kind_of(s, piece_on(s, cell))]
                planes[(i * kinds + kind) * squares + g[L.SQUARE_OF + 144 * side + cell]] = 1
