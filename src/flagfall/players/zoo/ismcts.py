"""Information-set Monte Carlo tree search: a baseline to measure better ideas against.

Every round samples one hidden army, goes down a tree that all armies share (choosing by upper confidence
bounds among what is legal in this one), adds a leaf, plays a few turns at random from there and weighs what
is left on the board. Random play to the end would tell nothing here: it lasts hundreds of turns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.engine import rules, simulate
from flagfall.engine.action import Action
from flagfall.engine.kernel import Ints, buffer, kernel
from flagfall.engine.play import action_buffer, event_buffer
from flagfall.engine.state import DRAW, PIECE_CELL, PIECE_INFO, RESULT, SIDE, State, kind_of, owner_of
from flagfall.engine.tables import ATTACKER_WINS, PIECES
from flagfall.players.budget import Budget
from flagfall.players.worlds import Rows, WorldSampler
from flagfall.setups import Setup, any_style
from flagfall.view.view import SeenEvent, SeenPiece, View

ARMIES = 32
"""hidden armies drawn for one action; used in turn"""
PLAYOUT_TURNS = 6
MAX_PLY = 12
EXPLORATION = 0.5
SCALE = 900.0
"""a lead of so much material is nearly won"""
SAFE_SHARE = 0.85
"""of the time budget, so that the last round ends in time"""


@kernel
def material_balance(s: Ints, worth: Ints) -> int:
    """What South has on the board less what North has."""
    total = 0
    for piece in range(1, PIECES):
        if s[PIECE_CELL + piece] != 0 and s[PIECE_INFO + piece] != 0:
            value = worth[kind_of(s, piece)]
            total += value if owner_of(s, piece) == 0 else -value
    return total


class _Node:
    __slots__ = ("availability", "children", "mover", "total", "visits")

    def __init__(self, mover: int) -> None:
        self.mover = mover
        """who chose the action that leads here"""
        self.visits = 0
        self.availability = 0
        """how often it could have been chosen"""
        self.total = 0.0
        self.children: dict[int, _Node] = {}


class Ismcts:
    """Thinks in many small rounds; a node is a round."""

    def __init__(self, game: Game, options: Options, rng: Random, budget: Budget) -> None:
        self.game, self.rng, self.budget = game, rng, budget
        self.nodes = 0
        self._tables = compile_game(game, options)
        self._sampler = WorldSampler(game, options)
        self._values_by_kind = buffer(np.array(self._values(), dtype=np.int64))
        self._out, self._events = action_buffer(), event_buffer()

    def _values(self) -> list[int]:
        """More for what beats more."""
        fights = self._tables.fights(len(self.game.kinds))
        return [
            100 + 60 * sum(outcome == ATTACKER_WINS for outcome in fights[number]) if kind.is_mobile else 150
            for number, kind in enumerate(self.game.kinds)
        ]

    def set_up(self, side: int) -> Setup:
        """Return a setup in a random style."""
        return any_style(self.game, side, self.rng)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """The action that was tried most."""
        started, self.nodes = perf_counter(), 0
        hidden = self._sampler.hidden(view)
        armies = min(ARMIES, self.budget.nodes or ARMIES)
        kinds = sample_armies(self.game, view, hidden, armies, self.rng)
        rows = self._sampler.worlds(view, history, kinds)
        if len(view.legal) == 1:
            return view.legal[0]
        root = _Node(-1)
        legal = [action.pack() for action in view.legal]
        dice = simulate.seeded(self.rng.getrandbits(60))
        while self._has_budget(started):
            self._iterate(root, legal, rows[self.nodes % len(rows)], dice)
            self.nodes += 1
        best = max(legal, key=lambda act: root.children[act].visits if act in root.children else -1)
        return Action.unpack(best)

    def _has_budget(self, started: float) -> bool:
        if self.budget.nodes is not None and self.nodes >= self.budget.nodes:
            return False
        if self.budget.time_ms is None:
            return self.budget.nodes is not None or self.nodes < ARMIES
        return perf_counter() - started < SAFE_SHARE * self.budget.time_ms / 1000

    def _iterate(self, root: _Node, legal: list[int], row: Rows, dice: Ints) -> None:
        """One army, one way down, one leaf, one short playout."""
        state = State(row.copy())
        t, s = self._tables.buffer, state.buffer
        path, node = [root], root
        while s[RESULT] == 0 and len(path) <= MAX_PLY:
            if node is not root:
                count = rules.legal(t, s, self._out)
                legal = [int(self._out[i]) for i in range(count)]
            mover = int(s[SIDE])
            act = self._selected(node, legal)
            is_new = act not in node.children
            child = node.children.setdefault(act, _Node(mover))
            rules.apply(t, s, act, self._out, self._events)
            path.append(child)
            node = child
            if is_new:
                break
        if s[RESULT] == 0:
            simulate.play_randomly(t, s, dice, PLAYOUT_TURNS, self._out, self._events)
        value = self._value(s)
        for step in path:
            step.visits += 1
            step.total += value if step.mover == 0 else 1.0 - value

    def _selected(self, node: _Node, legal: list[int]) -> int:
        """Return a random new action, or else the one with the best upper bound."""
        known = [(act, node.children[act]) for act in legal if act in node.children]
        for _, child in known:
            child.availability += 1
        if len(known) < len(legal):
            return self.rng.choice([act for act in legal if act not in node.children])
        return max(known, key=lambda pair: _bound(pair[1]))[0]

    def _value(self, s: Ints) -> float:
        """South's share of a won game, between 0 and 1."""
        result = int(s[RESULT])
        if result:
            return 0.5 if result == DRAW else float(result == 1)
        return 0.5 + 0.5 * math.tanh(int(material_balance(s, self._values_by_kind)) / SCALE)


def _bound(child: _Node) -> float:
    return child.total / child.visits + EXPLORATION * math.sqrt(
        math.log(child.availability + 1) / child.visits
    )


_TRIES = 8


def sample_armies(
    game: Game, view: View, hidden: Sequence[SeenPiece], deals: int, rng: Random
) -> NDArray[np.int16]:
    """One line a deal, one column a hidden piece: numbers of kinds."""
    number = {kind.id: index for index, kind in enumerate(game.kinds)}
    left = _left(game, view, number)
    options = [[number[kind] for kind in piece.possible] or list(range(len(left))) for piece in hidden]
    order = sorted(range(len(hidden)), key=lambda i: (len(options[i]), i))
    table = np.zeros((deals, len(hidden)), dtype=np.int16)
    for line in range(deals):
        for i, kind in _deal(options, order, left, rng).items():
            table[line, i] = kind
    return table


def _left(game: Game, view: View, number: dict[str, int]) -> list[int]:
    """How many of each kind the enemy still has hidden."""
    left = list(game.rosters[1 if view.viewer == "south" else 0])
    known = [piece.kind for piece in view.pieces if piece.side != view.viewer and piece.kind]
    known += [piece.kind for piece in view.tray if piece.side != view.viewer and piece.kind]
    for kind in known:
        left[number[kind]] = max(0, left[number[kind]] - 1)
    return left


def _deal(options: list[list[int]], order: list[int], left: list[int], rng: Random) -> dict[int, int]:
    """Those with the fewest possibilities first; after some vain tries, counts do not matter any more."""
    for _ in range(_TRIES):
        rest, dealt = list(left), {}
        for i in order:
            weights = [rest[kind] for kind in options[i]]
            if not any(weights):
                break
            kind = rng.choices(options[i], weights)[0]
            rest[kind] -= 1
            dealt[i] = kind
        else:
            return dealt
    return {i: rng.choice(options[i]) for i in order}
