"""Make the positions of the suite (`bench.suite`): build them at random, keep those whose answer is proved.

``python -m bench.suite_make digger --count 60 --seed 1`` prints positions of one theme as JSON lines.

====== ========================================================== ==========================================
theme  position                                                   how the good answers are known
====== ========================================================== ==========================================
finish the Flag can be captured by force in two or three turns    every turn of both sides is tried
defend the enemy captures our Flag in up to three turns, unless … the same, after each of our actions
digger a known digger is four to seven steps from our walled Flag the same; only digger and guard are near
raid   a known strong piece is among weaker ones                  pieces won and lost, six and eight deep
retake our top piece can take a piece that a hidden one guards    the guard's chances by counting
====== ========================================================== ==========================================

Everything is built from South's point of view; every second position is turned round, so that North plays it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from typing import Annotated

import msgspec
import numpy as np
import typer

from bench.suite import CLASSIC, OPTIONS, THEMES, SuitePosition
from flagfall.board import cell_name, parse_cell
from flagfall.engine import mode
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import buffer
from flagfall.engine.play import legal_actions, play
from flagfall.engine.state import State
from flagfall.engine.tables import PIECES, Tables
from flagfall.library.positions import Game, Position, game
from flagfall.players.search import buffers as B
from flagfall.players.search.alpha_beta import search_root
from flagfall.sides import Side

RANKS = {
    Side.SOUTH: {
        "10": "witch-king", "9": "saruman", "8": "ringwraith", "7": "lurtz", "6": "uruk-hai",
        "5": "berzerker", "4": "haradrim", "3": "orc", "2": "warg-rider", "S": "wormtongue",
        "B": "stronghold", "F": "flag",
    },
    Side.NORTH: {
        "10": "gandalf", "9": "aragorn", "8": "legolas", "7": "faramir", "6": "boromir", "5": "elf",
        "4": "frodo", "3": "soldier", "2": "rider", "S": "eowyn", "B": "stronghold", "F": "flag",
    },
}  # fmt: skip
"""one kind of each rank; S removes the highest, B is a wall"""
POINTS = {"10": 400, "9": 240, "8": 150, "7": 100, "6": 70, "5": 45, "4": 30, "3": 35, "2": 15, "S": 60}
"""of each rank, for raids; the differences that count are far larger than any doubt about them"""
MIN_GAP = 60
"""points by which a good action of a raid beats a bad one"""
_REACH = 10
"""steps from the Flag within which pieces matter to a digger and its guard"""
MAX_GOOD = 0.35
"""the share of actions that may be good, so that chance does not find them"""
COLUMNS = "abcdefghij"
LAKES = frozenset(["c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"])
FREE = [f"{column}{row}" for row in range(1, 11) for column in COLUMNS if f"{column}{row}" not in LAKES]

Placed = dict[str, str]
"""rank by square"""


def near(square: str, low: int, high: int) -> list[str]:
    """Return the free squares that are so many steps away, lakes ignored."""
    column, row = COLUMNS.index(square[0]), int(square[1:])
    return [
        other
        for other in FREE
        if low <= abs(COLUMNS.index(other[0]) - column) + abs(int(other[1:]) - row) <= high
    ]


def put(rng: Random, placed: Placed, others: Placed, rank: str, squares: Sequence[str]) -> str:
    """Place a piece on a free one of these squares and return it; "" if there is none."""
    free = [square for square in squares if square not in placed and square not in others]
    if not free:
        return ""
    square = rng.choice(free)
    placed[square] = rank
    return square


def turned(square: str) -> str:
    """Return the square at the same place for the other side."""
    return f"{COLUMNS[9 - COLUMNS.index(square[0])]}{11 - int(square[1:])}"


def built(theme: str, own: Placed, enemy: Placed, known: set[str], *, is_turned: bool) -> SuitePosition:
    """Return a position without answers, with us as South or turned round."""
    us = Side.NORTH if is_turned else Side.SOUTH
    at: Callable[[str], str] = turned if is_turned else str
    ours, theirs = (
        {at(square): RANKS[side][rank] for square, rank in army.items()}
        for side, army in ((us, own), (us.other, enemy))
    )
    south, north = (theirs, ours) if is_turned else (ours, theirs)
    return SuitePosition("", theme, str(us), south, north, sorted(map(at, known)), [])


# ---------------------------------------------------------------------- proofs


class Solver:
    """Whether a side can capture the Flag by force, with all kinds known; remembers what it has tried."""

    def __init__(
        self, tables: Tables, side: int, max_nodes: int = 60_000, near: frozenset[int] | None = None
    ) -> None:
        """Set up; with ``near`` only those pieces move, and the other side may also let them stand."""
        self.tables, self.side, self.left, self.near = tables, side, max_nodes, near
        self._known: dict[tuple[bytes, int, int], bool] = {}

    def after(self, state: State, act: int) -> State:
        """Return the position after an action."""
        self.left -= 1
        if self.left < 0:
            raise TooLargeError
        copy = state.copy()
        play(self.tables, copy, act)
        return copy

    def has_won(self, state: State) -> bool:
        """Return whether the side has captured the Flag."""
        return bool(state.buffer[S.RESULT] == self.side + 1)

    def wins(self, state: State, turns: int) -> bool:
        """Return whether the side to move captures the Flag within so many of its turns."""
        key = (state.row[S.PIECE_CELL : S.PIECE_CELL + PIECES].tobytes(), turns, 0)
        if key not in self._known:
            self._known[key] = any(self.forces(state, act, turns) for act in self._actions(state))
        return self._known[key]

    def forces(self, state: State, act: int, turns: int) -> bool:
        """Return whether this action captures the Flag within so many turns, itself included."""
        after = self.after(state, act)
        if after.is_over:
            return self.has_won(after)
        return turns > 1 and not self.is_refuted(after, turns - 1)

    def is_refuted(self, state: State, turns: int) -> bool:
        """Return whether the other side, which is to move, prevents the capture for so many turns."""
        key = (state.row[S.PIECE_CELL : S.PIECE_CELL + PIECES].tobytes(), turns, 1)
        if key not in self._known:
            afters: Iterator[State] = (self.after(state, act) for act in self._actions(state))
            if self.near is not None:
                afters = chain([passed(state)], afters)
            self._known[key] = any(
                not self.has_won(after) if after.is_over else not self.wins(after, turns) for after in afters
            )
        return self._known[key]

    def _actions(self, state: State) -> list[int]:
        """Return the legal actions, attacks first."""
        acts = legal_actions(self.tables, state)
        if self.near is not None:
            s = state.buffer
            acts = [act for act in acts if s[S.BOARD + (act >> 8 & 255)] & S.PIECE_MASK in self.near]
        return sorted(acts, key=lambda act: -(act >> 24))


class TooLargeError(Exception):
    """A proof needs too many positions."""


def passed(state: State) -> State:
    """Return the position with the other side to move."""
    after = state.copy()
    after.buffer[S.SIDE] = 1 - state.side
    return after


def texts(position: Position, acts: Sequence[int]) -> list[str]:
    """Return actions in notation."""
    return sorted(position.text(action) for action in position.legal_actions if action.pack() in set(acts))


def few(good: Sequence[int], every: Sequence[int]) -> bool:
    """Return whether there are good actions, but not so many that chance finds them."""
    return 0 < len(good) <= MAX_GOOD * len(every)


# ---------------------------------------------------------------------- the themes


def finish(rng: Random) -> tuple[Placed, Placed, set[str]]:
    """Build three of our pieces near a Flag that is half walled in, with two defenders."""
    own, enemy = Placed(), Placed()
    flag = put(rng, enemy, own, "F", [square for square in FREE if int(square[1:]) >= 9])
    for _ in range(rng.randint(1, 3)):
        put(rng, enemy, own, "B", near(flag, 1, 2))
    for rank in rng.sample(["9", "7", "6", "5", "4", "3"], 2):
        put(rng, enemy, own, rank, near(flag, 1, 4))
    for rank in rng.sample(["10", "8", "7", "6", "5", "3", "3", "4"], 3):
        put(rng, own, enemy, rank, near(flag, 2, 4))
    home = put(rng, own, enemy, "F", [square for square in FREE if int(square[1:]) <= 1])
    for square in near(home, 1, 1):
        own.setdefault(square, "B")
    return own, enemy, set(enemy)


def finish_answers(position: Position) -> list[int]:
    """Return the actions that force the quickest capture, if it takes two or three turns."""
    state, tables = position._referee.state, position._referee.tables
    solver, acts = Solver(tables, state.side), legal_actions(tables, state)
    for turns in (1, 2, 3):
        good = [act for act in acts if solver.forces(state, act, turns)]
        if good:
            return good if turns > 1 and few(good, acts) else []
    return []


def defend(rng: Random) -> tuple[Placed, Placed, set[str]]:
    """Build a threat against our Flag, and elsewhere a lead and something to take."""
    enemy, own, _ = finish(rng)
    own, enemy = ({turned(square): rank for square, rank in army.items()} for army in (own, enemy))
    _add_bait(rng, own, enemy)
    return own, enemy, set(enemy)


def _add_bait(rng: Random, own: Placed, enemy: Placed, steps: int = 7) -> None:
    """Put strong pieces of ours far from our Flag, one of them next to something it can take."""
    flag = next(square for square, rank in own.items() if rank == "F")
    far = [square for square in FREE if square in near(flag, steps, 20) and int(square[1:]) >= 5]
    hunter = put(rng, own, enemy, rng.choice(["10", "9", "8"]), far)
    if hunter:
        put(rng, enemy, own, rng.choice(["6", "5", "4", "2"]), near(hunter, 1, 1))
        put(rng, own, enemy, rng.choice(["8", "7", "6"]), far)


def defend_answers(
    position: Position, turns: int = 3, longer: int = 5, near: frozenset[int] | None = None
) -> list[int]:
    """Return the actions after which the enemy cannot force the capture of our Flag, if few do that.

    After every other action it does so within ``turns`` turns, after a good one not within ``longer``.
    """
    longer_nodes = 120_000
    state, tables = position._referee.state, position._referee.tables
    solver, acts = Solver(tables, 1 - state.side, near=near), legal_actions(tables, state)
    if not solver.wins(passed(state), turns):
        return []
    good = []
    for act in acts:
        after = solver.after(state, act)
        if after.is_over or not solver.wins(after, turns):
            good.append(act)
        if len(good) > MAX_GOOD * len(acts):
            return []
    solver.left += longer_nodes
    for act in good:
        after = solver.after(state, act)
        if not after.is_over and solver.wins(after, longer):
            return []  # it only delays
    return good


def digger(rng: Random) -> tuple[Placed, Placed, set[str]]:
    """Build a walled Flag of ours, a known digger on its way, one guard, and something to take elsewhere."""
    own, enemy = Placed(), Placed()
    flag = put(rng, own, enemy, "F", [square for square in FREE if int(square[1:]) <= 2])
    for square in near(flag, 1, 1):
        own[square] = "B"
    put(rng, enemy, own, "3", near(flag, 4, 7))
    put(rng, own, enemy, rng.choice(["6", "5", "4"]), near(flag, 2, 6))
    _add_bait(rng, own, enemy, _REACH + 1)
    other = put(rng, enemy, own, "F", [square for square in FREE if int(square[1:]) >= 9])
    for square in near(other, 1, 1):
        if square not in own and square not in enemy:
            enemy[square] = "B"
    return own, enemy, set(enemy)


def digger_answers(position: Position) -> list[int]:
    """Return the moves after which the digger does not reach the Flag in seven turns."""
    s, view = position._referee.state.buffer, position.view("truth")
    flag = next(one.cell for one in view.pieces if one.side == position.turn and one.kind == "flag")
    close = {parse_cell(square) for square in near(flag, 0, _REACH)}
    pieces = frozenset(piece for piece in range(1, PIECES) if s[S.PIECE_CELL + piece] in close)
    good = defend_answers(position, 7, 7, pieces)
    return [] if any(S.is_enemy(s, s[S.SIDE], act & 255) for act in good) else good


def raid(rng: Random) -> tuple[Placed, Placed, set[str]]:
    """Build a known strong piece next to weaker ones, and the piece that beats it not far away."""
    own, enemy = Placed(), Placed()
    raider = rng.choice(["9", "8", "7"])
    at = put(rng, enemy, own, raider, [square for square in FREE if 2 <= int(square[1:]) <= 6])
    weaker = [rank for rank in ("8", "7", "6", "5", "4") if int(rank) < int(raider)]
    for rank in rng.choices(weaker, k=3):
        put(rng, own, enemy, rank, near(at, 1, 3))
    put(rng, own, enemy, str(int(raider) + 1), near(at, 2, 4))
    for _ in range(rng.randint(1, 4)):
        put(rng, own, enemy, "B", near(at, 1, 3))
    put(rng, enemy, own, rng.choice(["6", "5", "4"]), near(at, 1, 4))
    home = put(rng, own, enemy, "F", [square for square in near(at, 5, 18) if int(square[1:]) <= 1])
    other = put(rng, enemy, own, "F", [square for square in FREE if int(square[1:]) >= 10])
    for flag, army, rest in ((home, own, enemy), (other, enemy, own)):
        for square in near(flag, 1, 1) if flag else ():
            if square not in rest:
                army.setdefault(square, "B")
    return own, enemy, {at, *(square for square in enemy if rng.random() < 2 / 3 or enemy[square] != "B")}


def raid_answers(position: Position) -> list[int]:
    """Return the actions that lose least and win most, the same ones at two depths, by a margin."""
    found = []
    for depth in (6, 8):
        values = _material(position, depth)
        best = max(values.values())
        good = {act for act, value in values.items() if value > best - MIN_GAP // 2}
        if not few(list(good), list(values)) or any(
            value > best - MIN_GAP for act, value in values.items() if act not in good
        ):
            return []
        found.append(good)
    s = position._referee.state.buffer
    if any(S.is_enemy(s, s[S.SIDE], act & 255) for act in found[0]):
        return []  # a capture is found by everyone
    return sorted(found[0]) if found[0] == found[1] else []


def _material(position: Position, depth: int) -> dict[int, int]:
    """Return what each action wins in points, by searching with pieces alone and all kinds known."""
    referee = position._referee
    state, rules = referee.state.copy(), referee.game
    work, side = B.SearchBuffers(), state.side
    for kinds in RANKS.values():
        for rank, kind in kinds.items():
            for owner in (0, 1):
                work.values[B.PIECE_VALUE + owner * T.MAX_KINDS + rules.kind_index(kind)] = POINTS.get(
                    rank, 0
                )
    work.values[B.FLAG_DISTANCE : B.PATH_CLASS] = 99
    work.values[B.MIN_PROBABILITY : B.MAX_PROBABILITY + 1] = 16
    row = state.row.copy()
    for piece in range(1, PIECES):
        row[S.PIECE_INFO + piece] |= S.TOLD_ALL
    work.clear()
    m = work.memory
    m[B.VIEWER], m[B.LIMIT], m[B.SALT] = side, 20_000_000, 12345
    acts = np.array(legal_actions(referee.tables, state), dtype=np.int32)
    values = np.zeros(len(acts), dtype=np.int64)
    done = search_root(
        referee.tables.buffer, work.w, work.m, buffer(row), work.rows, work.lists, work.order, work.out,
        work.ev, buffer(acts), buffer(values), len(acts), depth, B.INFINITE,
    )  # fmt: skip
    if done < len(acts):
        raise TooLargeError
    return {int(act): int(value) for act, value in zip(acts, values, strict=True)}


def retake(rng: Random) -> tuple[Placed, Placed, set[str]]:
    """Build our top piece next to one it beats, which a hidden piece guards."""
    own, enemy = Placed(), Placed()
    top = rng.choice(["10", "9", "8"])
    at = put(rng, own, enemy, top, [square for square in FREE if 3 <= int(square[1:]) <= 7])
    victim = put(rng, enemy, own, rng.choice(["5", "4", "2"]), near(at, 1, 1))
    guards = [square for square in near(victim, 1, 1) if square != at] if victim else []
    killers = {"10": ["S"], "9": ["10"], "8": ["10", "9"]}[top]
    is_feared = rng.random() < 0.5
    hidden = [*killers] if is_feared else [rng.choice(["6", "5"])]
    hidden += rng.sample(["7", "6", "4", "2", "3"], 1)
    if not is_feared:
        enemy[victim] = rng.choice(["7", "6"]) if top != "8" else "6"
    places = [put(rng, enemy, own, hidden[0], guards)]
    for rank in hidden[1:]:
        places.append(put(rng, enemy, own, rank, guards))
    if not all(places) or not victim:
        return {}, {}, set()
    home = put(rng, own, enemy, "F", [square for square in near(at, 4, 18) if int(square[1:]) <= 1])
    other = put(rng, enemy, own, "F", [square for square in near(at, 4, 18) if int(square[1:]) >= 10])
    for flag, army, rest in ((home, own, enemy), (other, enemy, own)):
        for square in near(flag, 1, 1) if flag else ():
            if square not in rest:
                army.setdefault(square, "B")
    for rank in ("7", "5", "4"):
        put(rng, own, enemy, rank, [square for square in FREE if int(square[1:]) <= 3])
    return own, enemy, set(enemy) - set(places)


def retake_answers(position: Position) -> list[int]:
    """Return every action but the capture if a hidden guard is to be feared, and else the captures alone."""
    referee = position._referee
    state, view = referee.state, position.view(position.turn)
    acts = legal_actions(referee.tables, state)
    hidden = [piece for piece in view.pieces if piece.side != position.turn and not piece.kind]
    attacks = [act for act in acts if S.is_enemy(state.buffer, state.side, act & 255)]
    captures = []
    for act in attacks:
        target = view.at(cell_name(act & 255))
        if target is not None and target.kind:
            captures.append(act)
    rank_of = {kind: rank for kinds in RANKS.values() for rank, kind in kinds.items()}
    pieces = {piece.cell: piece for piece in view.pieces}
    safe, feared = [], []
    for act in captures:
        taker = rank_of[pieces[cell_name(act >> 8 & 255)].kind]
        victim = rank_of[pieces[cell_name(act & 255)].kind]
        if victim == "B" or not taker.isdigit() or (victim.isdigit() and int(victim) >= int(taker)):
            return []
        guards = [one for one in hidden if one.cell in near(cell_name(act & 255), 1, 1)]
        killers = [one for one in _kinds(position, hidden) if _beats(one, taker)]
        if not guards or len(hidden) != len(guards):
            return []
        chance = len(killers) / len(hidden)
        if chance == 0:
            safe.append(act)
        elif chance * POINTS[taker] > 2 * POINTS.get(victim, 0) + MIN_GAP:
            feared.append(act)
        else:
            return []
    if feared and not safe and len(captures) == 1:
        return [act for act in acts if act not in attacks]
    return safe if safe and not feared else []


def _kinds(position: Position, hidden: Sequence[object]) -> list[str]:
    """Return the ranks of the hidden pieces: known to both sides as a whole, not which is which."""
    rank_of = {kind: rank for kinds in RANKS.values() for rank, kind in kinds.items()}
    truth = position.pieces
    return [rank_of[truth[piece.cell].kind] for piece in hidden]  # type: ignore[attr-defined]


def _beats(rank: str, other: str) -> bool:
    """Return whether a piece wins when it attacks another; equals are exchanged, which is bad for the top."""
    return other == "10" if rank == "S" else rank.isdigit() and int(rank) >= int(other)


MAKERS: Mapping[
    str, tuple[Callable[[Random], tuple[Placed, Placed, set[str]]], Callable[[Position], list[int]]]
]
MAKERS = {
    "finish": (finish, finish_answers),
    "defend": (defend, defend_answers),
    "digger": (digger, digger_answers),
    "raid": (raid, raid_answers),
    "retake": (retake, retake_answers),
}


def positions(theme: str, seed: int, of: Game) -> Iterator[SuitePosition]:
    """Yield positions of a theme whose answers are known, as many as are wanted."""
    build, answer = MAKERS[theme]
    rng, number = Random(f"suite/{theme}/{seed}"), 0
    while True:
        own, enemy, known = build(rng)
        try:
            made = built(theme, own, enemy, known, is_turned=number % 2 == 1)
            position = made.position(of)
            good = [] if position.is_over else answer(position)
        except (TooLargeError, ValueError):
            continue
        if good:
            number += 1
            yield msgspec.structs.replace(made, id=f"{theme}-{number}", good=texts(position, good))


def main(
    theme: Annotated[str, typer.Argument(help=", ".join(THEMES))],
    count: Annotated[int, typer.Option("--count", min=1)] = 60,
    seed: Annotated[int, typer.Option("--seed")] = 1,
) -> None:
    """Print positions of one theme."""
    found = positions(theme, seed, game(CLASSIC, **OPTIONS))
    for _, made in zip(range(count), found, strict=False):
        sys.stdout.write(msgspec.json.encode(made).decode() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    mode.choose("compiled")
    typer.run(main)
