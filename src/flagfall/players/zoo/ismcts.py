"""Information-set Monte Carlo tree search: a baseline for better players.

Each iteration samples a hidden army, goes down a tree shared by all armies by upper confidence bounds, adds a
leaf, plays a few random turns and counts material. Random play to the end would take hundreds of turns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from time import perf_counter

import numpy as np

from flagfall.edition import Game, Options
from flagfall.engine import rules, simulate
from flagfall.engine.action import Action
from flagfall.engine.kernel import Ints, buffer, kernel
from flagfall.engine.play import action_buffer, event_buffer
from flagfall.engine.state import DRAW, PIECE_CELL, PIECE_INFO, RESULT, SIDE, State, kind_of, owner_of
from flagfall.engine.tables import ATTACKER_WINS, PIECES
from flagfall.players.budget import Budget
from flagfall.players.chances import CountingBelief
from flagfall.players.worlds import Rows, WorldSampler
from flagfall.setups import Setup, any_style
from flagfall.view.view import SeenEvent, View

ARMIES = 32
"""sampled hidden armies per action, used in turn"""
PLAYOUT_TURNS = 6
MAX_PLY = 12
EXPLORATION = 0.5
SCALE = 900.0
"""a material lead that is nearly won"""
SAFE_SHARE = 0.85
"""of the time budget, so that the last iteration ends in time"""


@kernel
def material_balance(s: Ints, values: Ints) -> int:
    """Return South's material minus North's."""
    total = 0
    for piece in range(1, PIECES):
        if s[PIECE_CELL + piece] != 0 and s[PIECE_INFO + piece] != 0:
            value = values[kind_of(s, piece)]
            total += value if owner_of(s, piece) == 0 else -value
    return total


class _Node:
    __slots__ = ("availability", "children", "mover", "total", "visits")

    def __init__(self, mover: int) -> None:
        self.mover = mover
        """the side that chose the action leading here"""
        self.visits = 0
        self.availability = 0
        """visits of the parent in which it was legal"""
        self.total = 0.0
        self.children: dict[int, _Node] = {}

    def upper_bound(self) -> float:
        """Return the upper confidence bound of its value."""
        spread = math.sqrt(math.log(self.availability + 1) / self.visits)
        return self.total / self.visits + EXPLORATION * spread


class Ismcts:
    """A player by information-set Monte Carlo tree search; its nodes are iterations."""

    def __init__(self, game: Game, options: Options, rng: Random, budget: Budget) -> None:
        self.game, self._options, self.rng, self.budget = game, options, rng, budget
        self.nodes = 0
        self._sampler = WorldSampler(game, options)
        self._tables = self._sampler.tables
        self._values = buffer(np.array(self._kind_values(), dtype=np.int64))
        self._out, self._events = action_buffer(), event_buffer()

    def _kind_values(self) -> list[int]:
        """Return the values of all kinds by how many kinds they beat."""
        fights = self._tables.fights(len(self.game.kinds))
        return [
            100 + 60 * fights[number].count(ATTACKER_WINS) if kind.is_mobile else 150
            for number, kind in enumerate(self.game.kinds)
        ]

    def set_up(self, side: int) -> Setup:
        """Return a setup in a random style."""
        return any_style(self.game, side, self.rng)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return the most visited action."""
        started, self.nodes = perf_counter(), 0
        if len(view.legal) == 1:
            return view.legal[0]
        belief = CountingBelief(self.game, self._options, view.viewer)
        belief.update(view, history)
        kinds = belief.sample(min(ARMIES, self.budget.nodes or ARMIES), self.rng.getrandbits(31))
        rows = self._sampler.worlds(view, history, kinds)
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
        """Run one iteration with one hidden army."""
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
        return max(known, key=lambda pair: pair[1].upper_bound())[0]

    def _value(self, s: Ints) -> float:
        """Return South's expected score, between 0 and 1."""
        result = int(s[RESULT])
        if result:
            return 0.5 if result == DRAW else float(result == 1)
        return 0.5 + 0.5 * math.tanh(int(material_balance(s, self._values)) / SCALE)
