"""Searching players with one habit each: raider, hoarder, walker, stepper and escort.

They search like the levels, a few turns deep, but their habit has a price: an action that goes against it
costs material, one that follows it gains some. So they play their habit and still see what they lose by it.
Prices are in shares of the value of a middling piece. Kinds are told apart by their values and by the combat
table alone, so every habit exists in every game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from flagfall.board import DIRECTIONS, parse_cell, row_of
from flagfall.edition import Game, Options
from flagfall.engine.action import ATTACK, MOVE
from flagfall.engine.tables import MAX_KINDS
from flagfall.players.budget import Budget
from flagfall.players.chances import Chances
from flagfall.players.evaluation.evaluator import distances
from flagfall.players.evaluation.piece_values import Weights, standard_weights
from flagfall.players.levels import Level
from flagfall.players.roles import roles_of
from flagfall.players.search import buffers as B
from flagfall.players.search.root_weights import RootWeights
from flagfall.players.searcher import SearchingPlayer
from flagfall.players.setup_generator import generated_setup
from flagfall.setups import Setup, style_names, styled_setup, warnings
from flagfall.setups.advice import can_step
from flagfall.sides import SIDES
from flagfall.view.view import SeenPiece, View

NODES = 10_000
"""searched for an action at most: as much as the General, so that a match takes little time"""
LATE = 0.55
"""the share of all pieces left from which a game is late"""
STRONG = 0.7
"""the share of an army that a strong piece is worth more than"""
TOP = 0.8
"""the same for the top pieces"""
FADE = 0.8
"""of attraction, per step"""


def character(name: str, depth: int, worlds: int, near_best: float, *, infers: bool = False) -> Level:
    """Return the search of a stranger; without ``infers`` it only counts what is left."""
    return Level(name, 0, depth, worlds, None, infers, near_best, NODES)


@dataclass(frozen=True)
class Scene:
    """What a habit looks at: the pieces, what they are worth, and who takes whom."""

    view: View
    game: Game
    hidden: Sequence[SeenPiece]
    chances: Chances
    values: tuple[NDArray[np.float64], NDArray[np.float64]]
    """by kind: of the viewer's pieces and of the enemy's"""
    takes: NDArray[np.float64]
    mobile: NDArray[np.bool_]
    number: Mapping[str, int]
    """kind id → its number"""
    roster: tuple[int, ...]
    """of the viewer"""

    @cached_property
    def own(self) -> dict[int, SeenPiece]:
        """The viewer's pieces by cell."""
        return {parse_cell(piece.cell): piece for piece in self.view.pieces if piece.side == self.view.viewer}

    @cached_property
    def enemies(self) -> dict[int, NDArray[np.float64]]:
        """The chances of every enemy piece by cell; a known one has a single 1."""
        rows = {parse_cell(piece.cell): row for piece, row in zip(self.hidden, self.chances, strict=True)}
        for cell, kind in self.known.items():
            rows[cell] = np.eye(len(self.number))[kind]
        return rows

    @cached_property
    def known(self) -> dict[int, int]:
        """The kinds of known enemies by cell."""
        return {
            parse_cell(piece.cell): self.number[piece.kind]
            for piece in self.view.pieces
            if piece.side != self.view.viewer and piece.kind
        }

    @cached_property
    def steps(self) -> NDArray[np.int64]:
        """Steps between any two cells."""
        return distances(self.game.board)

    @cached_property
    def unit(self) -> float:
        """The value of a middling piece of the viewer."""
        return max(float(np.median(self._army_values(0.0))), 1.0)

    def _army_values(self, missing: float) -> NDArray[np.float64]:
        """Return the values of all pieces of the viewer's roster that move."""
        own = [self.values[0][kind] for kind, count in enumerate(self.roster) if self.mobile[kind] and count]
        counts = [count for kind, count in enumerate(self.roster) if self.mobile[kind] and count]
        return np.repeat(np.array(own or [missing]), counts or [1])

    def strength(self, share: float) -> float:
        """Return the value that this share of the viewer's army does not exceed."""
        return float(np.quantile(self._army_values(1.0), share))

    def kind(self, piece: SeenPiece) -> int:
        """Return the number of a piece's kind."""
        return self.number[piece.kind]

    def value(self, piece: SeenPiece) -> float:
        """Return the value of one of the viewer's pieces."""
        return float(self.values[0][self.kind(piece)])

    @cached_property
    def is_late(self) -> bool:
        """Whether many pieces are gone, or nothing has happened for long."""
        total = sum(map(sum, self.game.rosters))
        return len(self.view.pieces) <= LATE * total or self.view.no_progress > total

    @cached_property
    def retaken(self) -> set[int]:
        """The cells on which the enemy has just captured or struck."""
        return {
            parse_cell(event.target)
            for event in self.view.last_turn
            if event.side != self.view.viewer and event.target and event.what in ("attack", "move")
        }

    def depth(self, cell: int) -> int:
        """Return how many rows a cell lies in front of the viewer's rear row."""
        return row_of(cell) - 1 if self.view.viewer == SIDES[0] else self.game.board.rows - row_of(cell)

    def worth(self, kind: int, row: NDArray[np.float64]) -> float:
        """Return what an own kind can expect from attacking an enemy with these chances."""
        gain = float((row * self.takes[kind]) @ self.values[1])
        return gain - float(row @ self.takes[:, kind]) * float(self.values[0][kind])

    def attraction(self, kind: int, cell: int) -> float:
        """Return how near a cell is to what a kind would like to attack."""
        near = (FADE ** int(self.steps[cell, there]) * self.worth(kind, row)
                for there, row in self.enemies.items())  # fmt: skip
        return max(0.0, max(near, default=0.0))


class Stranger(SearchingPlayer):
    """A searching player whose habit has a price at the root of the search."""

    searches = True
    character: ClassVar[Level]
    factors: ClassVar[Mapping[str, float]] = {}
    """of weights that differ from the standard ones"""

    def __init__(self, game: Game, options: Options, rng: Random, budget: Budget) -> None:
        usual = standard_weights()
        weights = replace(usual, **{name: getattr(usual, name) * f for name, f in self.factors.items()})
        self._join(game, options, rng, budget, self.character, weights)

    def _join(
        self, game: Game, options: Options, rng: Random, budget: Budget, level: Level, weights: Weights
    ) -> None:
        super().__init__(game, options, rng, budget, level, weights=weights)

    def _root_weights(
        self,
        view: View,
        acts: Sequence[int],
        hidden: Sequence[SeenPiece],
        chances: Chances,
        kinds: NDArray[np.int16],
        share: NDArray[np.float64],
    ) -> RootWeights:
        root_weights = super()._root_weights(view, acts, hidden, chances, kinds, share)
        scene = self._scene(view, hidden, chances)
        for i, act in enumerate(acts):
            verb, origin, target = act >> 24, act >> 8 & 255, act & 255
            piece = scene.own.get(origin)
            if piece is not None and verb in (MOVE, ATTACK):
                root_weights.penalty[i] += scene.unit * self.cost(scene, piece, verb, origin, target)
        return root_weights

    def _scene(self, view: View, hidden: Sequence[SeenPiece], chances: Chances) -> Scene:
        seat, count = SIDES.index(view.viewer), len(self.game.kinds)
        table = self.buffers.values[B.PIECE_VALUE : B.SECRET_VALUE].reshape(2, MAX_KINDS)[:, :count]
        values = table.astype(np.float64)
        facts = self.evaluator.piece_values
        number = self.evaluator.kind_number
        roster = self.game.rosters[seat]
        return Scene(
            view,
            self.game,
            hidden,
            chances,
            (values[seat], values[1 - seat]),
            facts.takes,
            facts.mobile,
            number,
            roster,
        )

    def cost(self, scene: Scene, piece: SeenPiece, verb: int, origin: int, target: int) -> float:
        """Return the price of a move or an attack, in middling pieces; below 0 it is liked."""
        raise NotImplementedError


class Raider(Stranger):
    """Goes hunting with its strong pieces once they are known, and hides nothing for long."""

    character = character("raider", 6, 10, 0.003)
    factors: ClassVar[Mapping[str, float]] = {"hide": 0.3, "risk": 0.5, "learn": 1.5, "pull": 1.5}
    EAGERNESS = 2.5

    def cost(self, scene: Scene, piece: SeenPiece, verb: int, origin: int, target: int) -> float:
        """Like what brings a known strong piece nearer to what it can take."""
        if not piece.is_told or scene.value(piece) < scene.strength(STRONG):
            return 0.0
        kind = scene.kind(piece)
        nearer = scene.attraction(kind, target) - scene.attraction(kind, origin)
        nearer = nearer if verb == MOVE else max(scene.worth(kind, scene.enemies[target]), 0.0)
        return -self.EAGERNESS * max(nearer, -scene.unit) / scene.unit


class Hoarder(Stranger):
    """Keeps its top pieces hidden at home, and fights with the middle."""

    character = character("hoarder", 6, 10, 0.003, infers=True)
    factors: ClassVar[Mapping[str, float]] = {"hide": 3.0}
    SHYNESS = 1.2

    def cost(self, scene: Scene, piece: SeenPiece, verb: int, origin: int, target: int) -> float:
        """Dislike moves of hidden top pieces, except late, to retake, and near its own rear rows."""
        if piece.is_told or scene.is_late or scene.value(piece) < scene.strength(TOP):
            return 0.0
        if verb == ATTACK:
            is_needed = target in scene.retaken or scene.depth(target) <= 1
            return 0.0 if is_needed else 1.5 * self.SHYNESS
        return self.SHYNESS if scene.depth(target) >= scene.depth(origin) else 0.0


class Walker(Stranger):
    """Walks hidden pieces of every strength up to known strong ones, so that a walker may be anything."""

    character = character("walker", 4, 12, 0.006)
    factors: ClassVar[Mapping[str, float]] = {"hide": 1.5, "learn": 0.6}
    BOLDNESS = 0.35
    SHARE = 0.6
    """of its pieces that walk"""

    def _join(
        self, game: Game, options: Options, rng: Random, budget: Budget, level: Level, weights: Weights
    ) -> None:
        super()._join(game, options, rng, budget, level, weights)
        self._seed = rng.getrandbits(32)

    def _walks(self, name: str) -> bool:
        return Random(f"{self._seed}/{name}").random() < self.SHARE

    def cost(self, scene: Scene, piece: SeenPiece, verb: int, origin: int, target: int) -> float:
        """Like steps of hidden pieces towards strong known enemies, else towards any that has moved."""
        if piece.is_told or verb != MOVE or scene.is_late or not self._walks(piece.name):
            return 0.0
        goals = [cell for cell, kind in scene.known.items() if scene.mobile[kind]]
        if goals:
            highest = max(scene.values[1][scene.known[cell]] for cell in goals)
            goals = [cell for cell in goals if scene.values[1][scene.known[cell]] >= 0.6 * highest]
        else:
            goals = [parse_cell(enemy.cell) for enemy in scene.hidden if enemy.moved]
        if not goals:
            return 0.0
        far = scene.steps[:, goals].min(axis=1)
        nearer = int(far[origin]) - int(far[target])
        return -self.BOLDNESS * (1.0 if nearer > 0 else -0.5 if nearer < 0 else 0.0)


class Stepper(Stranger):
    """Moves its runners by single steps like other pieces, and probes with them late."""

    character = character("stepper", 5, 12, 0.003, infers=True)
    factors: ClassVar[Mapping[str, float]] = {"runner": 2.0}
    PATIENCE = 1.5

    def _join(
        self, game: Game, options: Options, rng: Random, budget: Budget, level: Level, weights: Weights
    ) -> None:
        super()._join(game, options, rng, budget, level, weights)
        self._runners = self.evaluator.piece_values.runner

    def cost(self, scene: Scene, piece: SeenPiece, verb: int, origin: int, target: int) -> float:
        """Dislike runs and early attacks of runners, like their single steps forward, and late probes."""
        if not self._runners[scene.kind(piece)]:
            return 0.0
        length = int(scene.steps[origin, target])
        if scene.is_late:
            is_probe = verb == ATTACK and target not in scene.known
            return -0.4 if is_probe else 0.0
        if verb == ATTACK:
            return 0.5 * self.PATIENCE if target not in scene.known else 0.0
        if length > 1 and not piece.is_told:
            return self.PATIENCE
        return -0.15 if scene.depth(target) > scene.depth(origin) else 0.0


class Escort(Stranger):
    """Stays near home behind a wall, and keeps its assassin next to the piece whose killer it threatens."""

    character = character("escort", 6, 10, 0.002, infers=True)
    factors: ClassVar[Mapping[str, float]] = {"risk": 2.0, "guard": 1.3, "learn": 0.7, "assassin": 1.6}
    HOMELINESS = 0.5
    CLOSENESS = 0.5

    def set_up(self, side: int) -> Setup:
        """Return a walled setup in which the assassin stands next to the piece that it escorts."""
        names = style_names(self.game)
        setup = None
        for _ in range(8):
            style = "fortress" if "fortress" in names else ""
            setup = (
                styled_setup(self.game, side, style, self.rng)
                if style
                else generated_setup(self.game, side, self.rng)
            )
            setup = self._escorted(setup, side)
            if can_step(setup) and not warnings(setup):
                return setup
        return generated_setup(self.game, side, self.rng)

    def _escorted(self, setup: Setup, side: int) -> Setup:
        """Exchange the assassin with a neighbour of the escorted piece, not the flag nor a bomb."""
        kinds, roles = dict(setup.kinds), roles_of(self.game, side)
        ward = self._ward(kinds.values(), roles.assassins)
        leaders = [cell for cell, kind in kinds.items() if kind == ward]
        spies = [cell for cell, kind in kinds.items() if kind in roles.assassins]
        near = [
            cell + way
            for cell in leaders
            for way in DIRECTIONS
            if kinds.get(cell + way, -1) in roles.strength and cell + way not in spies
        ]
        if spies and near:
            spy, place = self.rng.choice(sorted(spies)), self.rng.choice(sorted(near))
            kinds[spy], kinds[place] = kinds[place], kinds[spy]
        return Setup(self.game, SIDES[side], kinds)

    def _ward(self, kinds: Iterable[int], spies: frozenset[int]) -> int:
        """Return the kind that an assassin should guard: the best one whose killer it takes; -1 for none."""
        takes, mobile = self.evaluator.piece_values.takes, self.evaluator.piece_values.mobile
        killers = mobile & (takes[sorted(spies)] > 0).any(axis=0)
        guarded = [kind for kind in {*kinds} - spies if mobile[kind] and takes[killers, kind].any()]
        return max(guarded, key=lambda kind: (takes[kind].sum(), -kind), default=-1)

    def cost(self, scene: Scene, piece: SeenPiece, verb: int, origin: int, target: int) -> float:
        """Dislike leaving home and parting the assassin from its ward."""
        reach = self.game.board.home_rows
        out = max(0, scene.depth(target) - reach) - max(0, scene.depth(origin) - reach)
        is_gain = verb == ATTACK and target in scene.known
        price = 0.0 if scene.is_late or is_gain else self.HOMELINESS * out
        return price + self.CLOSENESS * self._parting(scene, piece, origin, target)

    def _parting(self, scene: Scene, piece: SeenPiece, origin: int, target: int) -> float:
        """Return by how many steps the assassin and its ward come apart."""
        spies = roles_of(self.game, SIDES.index(scene.view.viewer)).assassins
        ward = self._ward((scene.kind(one) for one in scene.own.values()), spies)
        own = scene.kind(piece)
        partners = spies if own == ward else {ward} if own in spies else frozenset()
        others = [cell for cell, one in scene.own.items() if scene.kind(one) in partners]
        if not others:
            return 0.0
        far = scene.steps[:, others].min(axis=1)
        return float(max(int(far[target]), 1) - max(int(far[origin]), 1))
