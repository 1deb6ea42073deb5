"""The searching player: believes, imagines, searches, and mixes among what is nearly best."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from flagfall.board import parse_cell
from flagfall.edition import Game, Options
from flagfall.engine.action import CHOOSE_KIND, Action
from flagfall.players.belief import Belief as Inference
from flagfall.players.belief.assignments import TABLE_LIMIT
from flagfall.players.belief.setup_types import setup_types
from flagfall.players.budget import Budget
from flagfall.players.chances import Chances, Counts
from flagfall.players.endgame import Endgame, weighed
from flagfall.players.evaluation.evaluator import Evaluator
from flagfall.players.evaluation.piece_values import Weights, standard_weights
from flagfall.players.generator import generated_setup
from flagfall.players.history import GameHistory
from flagfall.players.levels import LEVELS, Level
from flagfall.players.memory import Memory
from flagfall.players.search import buffers as R
from flagfall.players.search.deadline import Deadline
from flagfall.players.search.exposure import Exposure
from flagfall.players.search.root import Findings, Root, is_attack, is_by_contact, steepness
from flagfall.players.search.weighting import Stakes, balanced, stratified, told_apart
from flagfall.players.search_result import SearchResult
from flagfall.players.worlds import SIDES, WorldSampler
from flagfall.setups import Setup
from flagfall.view.view import SeenEvent, SeenPiece, Side, View

SCALE = (60.0, 1.2)
"""a lead that makes a side the favourite, e to 1: so much, and so much of what the dearest kind is worth"""


MS_A_WORLD = 4
"""so much of the time, at least, for each World; but never fewer than twelve Worlds"""
NODES_A_WORLD = 1500
"""so many nodes, at least, for each World"""
LOTS_A_WORLD = 8
"""so many guesses are drawn for each World that is looked at"""
SURE_ENOUGH = 0.5
"""from this chance on an attack on the flag is more than a guess"""


class Belief(Protocol):
    """Chances of what is hidden."""

    names: tuple[str, ...]

    def update(self, view: View, history: Sequence[SeenEvent]) -> None:
        """Learn from what was seen."""

    def marginals(self) -> Chances:
        """Chance of every kind for every hidden piece, in the order of `names`."""

    def sample(self, deals: int, seed: int, /) -> NDArray[np.int16]:
        """Guesses at all hidden pieces at once."""


class SearchingPlayer:
    """Plays one game."""

    def __init__(
        self,
        game: Game,
        options: Options,
        rng: Random,
        budget: Budget,
        level: Level = LEVELS[-1],
        clock: Callable[[], float] = time.perf_counter,
        weights: Weights | None = None,
    ) -> None:
        self.game, self.options, self.rng, self._clock = game, options, rng, clock
        self.level = level
        self.budget = limited(budget, level)
        self.imagination = WorldSampler(game, options)
        self.appraiser = Evaluator(game, self.imagination.tables, weights or standard_weights())
        self.room = R.SearchBuffers()
        self.root = Root(self.imagination.tables, self.room)
        self.endgame = Endgame(game, self.imagination)
        self.belief: Belief | None = None
        if level.infers and budget.time_ms is not None:
            for side in (0, 1):
                setup_types(game, side)  # found once a process, and not on the clock of the first action
        self.memory: Memory | None = None
        if level.memory is not None:
            self.memory = Memory(game, self.imagination.tables, level.memory, rng.getrandbits(32))
        self.findings: Findings | None = None
        self.thought: SearchResult | None = None
        self.is_asked = False
        """whether it searches even where there is nothing to choose, because somebody wants its opinion"""

    @property
    def nodes(self) -> int:
        """How much it has looked at for its last action."""
        return self.thought.findings.nodes if self.thought else 0

    def set_up(self, side: int) -> Setup:
        """A sound setup that is hard to guess."""
        return generated_setup(self.game, side, self.rng)

    def _believe(self, view: View, history: Sequence[SeenEvent]) -> Belief:
        belief = self.belief
        if belief is None:
            viewer: Side = "north" if view.viewer == "north" else "south"
            if self.level.infers:
                belief = Inference(self.game, self.options, viewer, limit=self._table_limit())
            else:
                belief = Counts(self.game, self.options, viewer)
            self.belief = belief
        belief.update(view, history)
        return belief

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """The action to play."""
        deadline = Deadline(self.budget, self._clock)
        self.thought = None
        if len(view.legal) == 1 and not self.is_asked:
            return view.legal[0]
        view, chronicle, hidden, chances = self._consider(view, history)
        if view.prompt is not None and view.prompt.ask == "guess" and not self.is_asked:
            return self._guess(view, chronicle.number)
        verdict = self.endgame.verdict(view, history, deadline) if self.level.infers else None
        count = self._world_count()
        kinds, share = told_apart(balanced(self._draw(count * LOTS_A_WORLD, hidden), chances, count))
        worlds = self.imagination.worlds(view, history, kinds)
        acts = [act.pack() for act in view.legal]
        stakes = self._stakes(view, acts, hidden, chances, kinds, share)

        def search(acts: Sequence[int], stakes: Stakes) -> Findings:
            seat = SIDES.index(view.viewer)
            return self.root.search(worlds, acts, stakes, self._scale(), seat, deadline, self.level.deepest)

        self.findings = weighed(verdict, acts, stakes, self._scale(), deadline.nodes, search)
        self.thought = SearchResult(view, hidden, chances, kinds, worlds, self.findings)
        return Action.unpack(acts[self._mixed(self.findings)])

    def _consider(
        self, view: View, history: Sequence[SeenEvent]
    ) -> tuple[View, GameHistory, list[SeenPiece], Chances]:
        """What it remembers of the View, its story, the hidden pieces with their chances; all appraised."""
        chronicle = self.imagination.hear(view, history)
        if self.memory is not None:
            view = self.memory.recalled(view, chronicle)
        belief = self._believe(view, history)
        hidden = self.imagination.hidden(view)
        columns = self._columns(hidden)
        chances = belief.marginals()[columns] if hidden else np.zeros((0, len(self.game.kinds)))
        self.appraiser.appraise(view, chronicle, hidden, chances, self.room.w_array)
        return view, chronicle, hidden, chances

    def _columns(self, hidden: Sequence[SeenPiece]) -> list[int]:
        assert self.belief is not None
        place = {name: at for at, name in enumerate(self.belief.names)}
        return [place[piece.name] for piece in hidden]

    def _draw(self, deals: int, hidden: Sequence[SeenPiece]) -> NDArray[np.int16]:
        """Guesses at the hidden pieces by lot, a line each."""
        assert self.belief is not None
        return self.belief.sample(deals, self.rng.getrandbits(31))[:, self._columns(hidden)]

    def _table_limit(self) -> int:
        """How large a table of deals may be, so that believing takes a small part of the time."""
        most = TABLE_LIMIT
        if self.budget.time_ms is not None:
            most = min(most, self.budget.time_ms * 1000)
        if self.budget.nodes is not None:
            most = min(most, self.budget.nodes * 4)
        return max(most, TABLE_LIMIT // 20)

    def _world_count(self) -> int:
        most = self.level.worlds
        if self.budget.time_ms is not None:
            most = min(most, max(self.budget.time_ms // MS_A_WORLD, 12))
        if self.budget.nodes is not None:
            most = min(most, max(self.budget.nodes // NODES_A_WORLD, 2))
        return most

    def _scale(self) -> float:
        w = self.room.w_array
        return SCALE[0] + SCALE[1] * float(w[R.WORTH : R.HIDE].max(initial=0))

    def _stakes(
        self,
        view: View,
        acts: Sequence[int],
        hidden: Sequence[SeenPiece],
        chances: Chances,
        kinds: NDArray[np.int16],
        share: NDArray[np.float64],
    ) -> Stakes:
        """How much each World counts for each action, where a win would be luck, what a risk costs on top."""
        stakes = Stakes.even(len(acts), share)
        number = self.appraiser.kind_number
        own = [piece for piece in view.pieces if piece.side == view.viewer]
        ours = {parse_cell(piece.cell): number[piece.kind] for piece in own}
        losses = self.appraiser.risks(view, self.room.w_array)
        flags = self.appraiser.ladder.flag
        column = {parse_cell(piece.cell): at for at, piece in enumerate(hidden)}
        exposure = Exposure(
            ours,
            frozenset(parse_cell(piece.cell) for piece in own if piece.is_told),
            column,
            chances,
            kinds,
            self.appraiser.dangers(view, self.room.w_array),
            self.appraiser.ladder.takes,
        )
        for at, act in enumerate(acts):
            there = column.get(act & 255, -1) if is_attack(act) else -1
            if there >= 0:
                stakes.weights[at] = stratified(chances[there], kinds[:, there], share)
            if there >= 0 and is_by_contact(act):
                if act >> 8 & 255 in ours:
                    stakes.price[at] = losses[ours[act >> 8 & 255], kinds[:, there]]
                if chances[there][flags].sum() < SURE_ENOUGH:
                    stakes.luck[at] = flags[kinds[:, there]]
            stakes.price[at] += exposure.unseen(act, stakes.weights[at])
        return stakes

    def _guess(self, view: View, number: dict[str, int]) -> Action:
        """What to say is there."""
        piece = view.at(view.prompt.cell) if view.prompt else None
        assert piece is not None
        kind = int(self.room.w_array[R.GUESS + number[piece.name]])
        return next(act for act in view.legal if act.verb == CHOOSE_KIND and act.choice == kind)

    def _mixed(self, found: Findings) -> int:
        """One of the nearly best actions, the better the likelier.

        What is nearly best is measured by material: close to a win or a loss chances differ little.
        """
        chances = found.chances()
        best = chances[found.active[0]]
        nearly = self.level.nearly * max(4.0 * steepness(float(best)), 1e-3)
        near = [at for at in found.active if chances[at] > best - nearly]
        odds = [float(np.exp((chances[at] - best) * 3.0 / nearly)) for at in near]
        return self.rng.choices(near, odds)[0]


def limited(budget: Budget, level: Level) -> Budget:
    """The budget of a level: never more nodes than it may look at."""
    if level.nodes is None:
        return budget
    nodes = level.nodes if budget.nodes is None else min(level.nodes, budget.nodes)
    return Budget(budget.time_ms, nodes)
