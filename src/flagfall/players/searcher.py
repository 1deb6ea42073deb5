"""The searching player: belief, sampled Worlds, alpha-beta in each, and a choice among near-best actions."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random

import msgspec
import numpy as np
from numpy.typing import NDArray

from flagfall.board import cell_name, distance, parse_cell
from flagfall.edition import Game, Options
from flagfall.engine.action import CHOOSE_KIND, MOVE, Action
from flagfall.engine.tables import ATTACKER_WINS, Tables
from flagfall.players.belief import Belief
from flagfall.players.belief.assignments import TABLE_LIMIT
from flagfall.players.belief.setup_types import setup_types
from flagfall.players.budget import Budget, Deadline
from flagfall.players.chances import Chances, CountingBelief
from flagfall.players.endgame import Endgame, search_with_solution
from flagfall.players.evaluation.evaluator import Evaluator
from flagfall.players.evaluation.piece_values import Weights, standard_weights
from flagfall.players.evaluation.value_net import ValueNet
from flagfall.players.history import GameHistory
from flagfall.players.levels import LEVELS, Level
from flagfall.players.search import buffers as B
from flagfall.players.search.root import (
    Root,
    RootResult,
    SearchResult,
    is_attack,
    is_by_contact,
    win_chance_slope,
)
from flagfall.players.search.root_weights import (
    Exposure,
    RootWeights,
    balanced_samples,
    stratified_weights,
    unique_samples,
)
from flagfall.players.setup_generator import generated_setup
from flagfall.players.worlds import WorldSampler
from flagfall.setups import Setup
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenEvent, SeenPiece, View

SCALE = (60.0, 1.2)
"""offset and factor of the highest piece value: the lead at which the win chance is about 0.7"""
MIN_MS_PER_WORLD = 4
"""but never fewer than twelve Worlds"""
MIN_NODES_PER_WORLD = 1500
SAMPLES_PER_WORLD = 8
"""samples from which one World is chosen"""
MIN_FLAG_CHANCE = 0.5
"""below this chance an attack that takes the flag is a guess"""


class Memory:
    """Remembers pieces for about ``span`` turns, near and strong ones longer; ``seed`` varies it."""

    def __init__(self, game: Game, tables: Tables, span: int, seed: int) -> None:
        self.game, self.span, self.seed = game, span, seed
        fights = tables.fights(len(game.kinds))
        highest = max(max(line.count(ATTACKER_WINS) for line in fights), 1)
        self._rank = {
            kind.id: fights[index].count(ATTACKER_WINS) / highest for index, kind in enumerate(game.kinds)
        }

    def recall(self, view: View, game_history: GameHistory) -> View:
        """Return the View with the forgotten pieces hidden."""
        forgotten = {
            piece.name
            for piece in view.pieces
            if piece.side != view.viewer and piece.kind and self._is_forgotten(view, piece, game_history)
        }
        if not forgotten:
            return view
        kinds = self._open_kinds(view, forgotten)
        pieces = tuple(
            msgspec.structs.replace(piece, kind="", is_told=False, possible=self._possible(piece, kinds))
            if piece.name in forgotten or (piece.side != view.viewer and not piece.kind)
            else piece
            for piece in view.pieces
        )
        return msgspec.structs.replace(view, pieces=pieces)

    def _is_forgotten(self, view: View, piece: SeenPiece, game_history: GameHistory) -> bool:
        if piece.is_converted:
            return False
        age = view.turn - game_history.changed.get(piece.name, 0)
        near = min(
            (
                distance(parse_cell(piece.cell), parse_cell(other.cell))
                for other in view.pieces
                if other.side == view.viewer and other.kind
            ),
            default=9,
        )
        chance = hashlib.blake2b(f"{self.seed}/{piece.name}".encode(), digest_size=1).digest()[0] / 255
        span = self.span * (0.6 + chance) * (1.0 + 1.5 * self._rank[piece.kind])
        return age > span * (2.0 if near <= 2 else 1.0)

    def _open_kinds(self, view: View, forgotten: set[str]) -> set[str]:
        """Return the kinds that some hidden piece may be, with those of the forgotten pieces."""
        open_kinds = {piece.kind for piece in view.pieces if piece.name in forgotten}
        return open_kinds | {
            kind for piece in view.pieces if piece.side != view.viewer for kind in piece.possible
        }

    def _possible(self, piece: SeenPiece, kinds: set[str]) -> tuple[str, ...]:
        return tuple(
            kind.id for kind in self.game.kinds if kind.id in kinds and (kind.is_mobile or not piece.moved)
        )


class SearchingPlayer:
    """One of the eight levels, for one game."""

    def __init__(
        self,
        game: Game,
        options: Options,
        rng: Random,
        budget: Budget,
        level: Level = LEVELS[-1],
        clock: Callable[[], float] = time.perf_counter,
        weights: Weights | None = None,
        net: ValueNet | None = None,
    ) -> None:
        self.game, self.options, self.rng, self._clock = game, options, rng, clock
        self.level = level
        limits = [nodes for nodes in (level.nodes, budget.nodes) if nodes is not None]
        self.budget = Budget(budget.time_ms, min(limits, default=None))
        self.sampler = WorldSampler(game, options)
        self.evaluator = Evaluator(game, self.sampler.tables, weights or standard_weights())
        self.buffers = B.SearchBuffers(None if net is None else net.numbers(game))
        self.root = Root(self.sampler.tables, self.buffers)
        self.endgame = Endgame(game, self.sampler)
        self.belief: Belief | CountingBelief | None = None
        if level.infers and budget.time_ms is not None:
            for side in (0, 1):
                setup_types(game, side)  # cached, so that it takes no time of the first action
        self.memory: Memory | None = None
        if level.memory is not None:
            self.memory = Memory(game, self.sampler.tables, level.memory, rng.getrandbits(32))
        self.result: SearchResult | None = None
        self.always_searches = False
        """whether it also searches when there is only one action, for its win estimate"""

    @property
    def nodes(self) -> int:
        """The nodes searched for the last action."""
        return self.result.root_result.nodes if self.result else 0

    def set_up(self, side: int) -> Setup:
        """Return a sound setup that is hard to guess."""
        return generated_setup(self.game, side, self.rng)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return the action to play."""
        deadline = Deadline(self.budget, self._clock)
        self.result = None
        if len(view.legal) == 1 and not self.always_searches:
            return view.legal[0]
        view, game_history, hidden, chances = self._prepare(view, history)
        if view.prompt is not None and view.prompt.ask == "guess" and not self.always_searches:
            return self._guess(view, game_history.number)
        solution = self.endgame.solution(view, history, deadline) if self.level.infers else None
        count = self._world_count()
        kinds, share = unique_samples(
            balanced_samples(self._sample(count * SAMPLES_PER_WORLD, hidden), chances, count)
        )
        worlds = self.sampler.worlds(view, history, kinds)
        acts = [act.pack() for act in view.legal]
        root_weights = self._root_weights(view, acts, hidden, chances, kinds, share)
        root_weights.penalty[:] += self._repetition_costs(view, game_history.visits)[:, None]

        highest = float(self.buffers.values[B.PIECE_VALUE : B.SECRET_VALUE].max(initial=0))
        scale, seat = SCALE[0] + SCALE[1] * highest, SIDES.index(view.viewer)

        def search(acts: Sequence[int], root_weights: RootWeights) -> RootResult:
            return self.root.search(worlds, acts, root_weights, scale, seat, deadline, self.level.max_depth)

        found = search_with_solution(solution, acts, root_weights, scale, deadline.nodes, search)
        self.result = SearchResult(view, hidden, chances, kinds, worlds, found)
        return Action.unpack(acts[self._pick_near_best(found)])

    def _prepare(
        self, view: View, history: Sequence[SeenEvent]
    ) -> tuple[View, GameHistory, list[SeenPiece], Chances]:
        """Update memory, history and belief for the View, and evaluate it."""
        game_history = self.sampler.update(view, history)
        if self.memory is not None:
            view = self.memory.recall(view, game_history)
        if self.belief is None:
            viewer, limit = Side(view.viewer), self._table_limit()
            self.belief = (
                Belief(self.game, self.options, viewer, limit=limit)
                if self.level.infers and self.memory is None  # what is forgotten can only be counted
                else CountingBelief(self.game, self.options, viewer)
            )
        self.belief.update(view, history)
        hidden = self.sampler.hidden(view)
        columns = self._columns(hidden)
        chances = self.belief.marginals()[columns] if hidden else np.zeros((0, len(self.game.kinds)))
        self.evaluator.evaluate(view, game_history, hidden, chances, self.buffers.values)
        return view, game_history, hidden, chances

    def _columns(self, hidden: Sequence[SeenPiece]) -> list[int]:
        assert self.belief is not None
        place = {name: i for i, name in enumerate(self.belief.names)}
        return [place[piece.name] for piece in hidden]

    def _sample(self, count: int, hidden: Sequence[SeenPiece]) -> NDArray[np.int16]:
        """Sample the kinds of the hidden pieces, one row per sample."""
        assert self.belief is not None
        return self.belief.sample(count, self.rng.getrandbits(31))[:, self._columns(hidden)]

    def _table_limit(self) -> int:
        """Return the size limit of the belief's tables, which keeps its share of the time small."""
        limit = TABLE_LIMIT
        if self.budget.time_ms is not None:
            limit = min(limit, self.budget.time_ms * 1000)
        if self.budget.nodes is not None:
            limit = min(limit, self.budget.nodes * 4)
        return max(limit, TABLE_LIMIT // 20)

    def _world_count(self) -> int:
        limit = self.level.worlds
        if self.budget.time_ms is not None:
            limit = min(limit, max(self.budget.time_ms // MIN_MS_PER_WORLD, 12))
        if self.budget.nodes is not None:
            limit = min(limit, max(self.budget.nodes // MIN_NODES_PER_WORLD, 2))
        return limit

    def _root_weights(
        self,
        view: View,
        acts: Sequence[int],
        hidden: Sequence[SeenPiece],
        chances: Chances,
        kinds: NDArray[np.int16],
        share: NDArray[np.float64],
    ) -> RootWeights:
        """Return the weights of Worlds for each action, which wins are guesses, and the cost of risks."""
        root_weights = RootWeights.even(len(acts), share)
        number = self.evaluator.kind_number
        own = [piece for piece in view.pieces if piece.side == view.viewer]
        ours = {parse_cell(piece.cell): number[piece.kind] for piece in own}
        losses = self.evaluator.risks(view, self.buffers.values)
        flags = self.evaluator.piece_values.flag
        column = {parse_cell(piece.cell): i for i, piece in enumerate(hidden)}
        exposure = Exposure(
            ours,
            frozenset(parse_cell(piece.cell) for piece in own if piece.is_told),
            column,
            chances,
            kinds,
            self.evaluator.dangers(view, self.buffers.values),
            self.evaluator.piece_values.takes,
        )
        for i, act in enumerate(acts):
            there = column.get(act & 255, -1) if is_attack(act) else -1
            if there >= 0:
                root_weights.weights[i] = stratified_weights(chances[there], kinds[:, there], share)
            if there >= 0 and is_by_contact(act):
                if act >> 8 & 255 in ours:
                    root_weights.penalty[i] = losses[ours[act >> 8 & 255], kinds[:, there]]
                if chances[there][flags].sum() < MIN_FLAG_CHANCE:
                    root_weights.is_guess[i] = flags[kinds[:, there]]
            root_weights.penalty[i] += exposure.unseen(act, root_weights.weights[i])
        return root_weights

    def _repetition_costs(self, view: View, visits: Mapping[tuple[str, str], int]) -> NDArray[np.float64]:
        """Return the cost of each action that sends a piece where it has been before, again and again."""
        names = {piece.cell: piece.name for piece in view.pieces if piece.side == view.viewer}
        times = [
            visits.get((names.get(cell_name(act.origin), ""), cell_name(act.target)), 0)
            if act.verb == MOVE
            else 0
            for act in view.legal
        ]
        return self.evaluator.weights.repeat * np.maximum(np.array(times, dtype=np.float64) - 1.0, 0.0)

    def _guess(self, view: View, number: dict[str, int]) -> Action:
        """Return the kind to name when a piece is spotted."""
        piece = view.at(view.prompt.cell) if view.prompt else None
        assert piece is not None
        kind = int(self.buffers.values[B.GUESS + number[piece.name]])
        return next(act for act in view.legal if act.verb == CHOOSE_KIND and act.choice == kind)

    def _pick_near_best(self, found: RootResult) -> int:
        """Return one of the near-best actions at random, better ones more often.

        Near-best is measured in material, because close to a win or a loss all chances are alike.
        """
        chances = found.chances()
        best = chances[found.active[0]]
        near_best = self.level.near_best * max(4.0 * win_chance_slope(float(best)), 1e-3)
        near = [i for i in found.active if chances[i] > best - near_best]
        odds = [float(np.exp((chances[i] - best) * 3.0 / near_best)) for i in near]
        return self.rng.choices(near, odds)[0]
