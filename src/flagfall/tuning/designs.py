"""Screen all weights at once: in every game each side plays with other weights, drawn at random.

The weights of each side move by random factors, and the results are explained by the differences of the
moves (least squares with a normal prior). As the moves are drawn and not chosen, what goes with winning is
what wins. Every game says something about every weight, so a few hundred games show which weights matter and
which way; `--check` then plays the weights that came out against the old ones.

Game number ``i`` of a plan is always the same game, so a stopped run resumes from its log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from random import Random
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flagfall.arena.contest import play_round
from flagfall.arena.executor import Executor
from flagfall.arena.plan import GameSlot, Plan, SetupRule
from flagfall.arena.run_file import RunFile
from flagfall.players.evaluation.piece_values import Weights
from flagfall.players.evaluation.weights_file import checked, limited, weight_names
from flagfall.sides import Side
from flagfall.tuning.spsa import whole
from flagfall.tuning.weight_space import Space, can_be_switched_on, can_move, unit

Report = Callable[[int, int, str], None]
Reals = NDArray[np.float64]
EXPECTED_EFFECT = 0.03
"""the prior of an effect, as a standard deviation in points: what most weights do when moved by one size"""
_SLOW: Mapping[str, float] = {"rank_factor": 0.2, "fade": 0.7, "guard_fade": 0.7}
"""how much less than the others a weight moves: a small change of it changes much"""
_OPPONENT_EVERY = 3
"""every third game is against an opponent, the others against itself"""


class DesignPlan(Struct, frozen=True, kw_only=True):
    """Everything that determines the games, except how many."""

    games: tuple[str, ...]
    """game ids, played in turn"""
    player: str
    opponents: tuple[str, ...]
    names: tuple[str, ...]
    start: dict[str, float]
    nodes: int
    size: float
    """standard deviation of a move; 0.3 is about a third"""
    seed: int
    setups: SetupRule
    max_turns: int
    options: dict[str, str]

    def space(self) -> Space:
        """Return the space in which the weights move."""
        return Space(checked(self.start, "The start"), self.names)

    def opponent(self, number: int) -> tuple[str, Side | None]:
        """Return who plays against the player in a game, and on which side; itself: "" and None."""
        if not self.opponents or number % _OPPONENT_EVERY != _OPPONENT_EVERY - 1:
            return "", None
        turn, other = divmod(number // _OPPONENT_EVERY, len(self.opponents))
        return self.opponents[other], Side.NORTH if turn % 2 == 0 else Side.SOUTH

    def moves(self, number: int, side: Side) -> Reals:
        """Return the moves of a side's weights in a game, in sizes; zeros for an opponent."""
        if self.opponent(number)[1] is side:
            return np.zeros(len(self.names))
        rng = Random(f"{self.seed}/{number}/{side.value}/moves")
        return np.array([rng.gauss(0.0, 1.0) for _ in self.names])

    def weights(self, number: int, side: Side) -> Weights:
        """Return the weights of a side in a game."""
        return self.moved(self.moves(number, side).tolist())

    def moved(self, moves: Sequence[float]) -> Weights:
        """Return the weights after these moves, in sizes."""
        sizes = [self.size * _SLOW.get(name, 1.0) for name in self.names]
        there = self.space().at([move * size for move, size in zip(moves, sizes, strict=True)])
        return Weights(**limited(asdict(there)))


class DesignGame(Struct, frozen=True, kw_only=True):
    """One game: one line of the log."""

    plan: DesignPlan
    number: int
    winner: Literal["south", "north", ""]
    reason: str
    turns: int

    @property
    def points(self) -> float:
        """South's points: 1, ½ or 0."""
        return 0.5 if not self.winner else float(self.winner == "south")


def movable(start: Weights) -> tuple[str, ...]:
    """Return all weights that can be screened; the unit weight stays fixed."""
    return tuple(
        name
        for name in weight_names()
        if name != unit() and (can_move(start, name) or can_be_switched_on(start, name))
    )


def gather(
    plan: DesignPlan, games: int, log: RunFile[DesignGame], executor: Executor, report: Report
) -> None:
    """Play the games that are not in the log yet."""
    there = {line.number for line in log.lines}
    missing = [number for number in range(games) if number not in there]
    for text in executor.results(_Work(plan), missing):
        game = msgspec.json.decode(text, type=DesignGame)
        log.add(game)
        report(len(there) + 1, games, f"{game.reason or 'turn limit'}, {game.turns} turns")
        there.add(game.number)


class _Work:
    def __init__(self, plan: DesignPlan) -> None:
        self.plan = msgspec.json.encode(plan)

    def __call__(self, number: int) -> bytes:
        return msgspec.json.encode(play_one(msgspec.json.decode(self.plan, type=DesignPlan), number))


def play_one(plan: DesignPlan, number: int) -> DesignGame:
    """Play one game of the plan."""
    other, where = plan.opponent(number)
    players: list[str] = []
    weights: dict[str, dict[str, float]] = {}
    for side in Side:
        if side is where:
            players.append(other)
        else:
            players.append(f"{plan.player}@weights={side.value}")
            weights[side.value] = asdict(plan.weights(number, side))
    one = Plan(
        game=plan.games[number % len(plan.games)],
        options=plan.options,
        players=tuple(players),
        seed=plan.seed,
        time_ms=None,
        nodes=plan.nodes,
        setups=plan.setups,
        max_turns=plan.max_turns,
        weights=weights,
    )
    played = whole(play_round(one, GameSlot(0, 1, number, 0)))
    return DesignGame(
        plan=plan, number=number, winner=played.winner, reason=played.reason, turns=played.turns
    )


class Effect(Struct, frozen=True):
    """What moving one weight by one size does, in points of a game (a win is 1, a draw ½)."""

    name: str
    points: float
    """by least squares alone"""
    error: float
    """its standard error"""
    expected: float
    """with the prior: nearer to nothing the less the games say"""

    @property
    def z(self) -> float:
        """The effect in standard errors; beyond ±2 it is hardly chance."""
        return self.points / self.error if self.error else 0.0


class Effects(Struct, frozen=True):
    """The effects of all weights, and how good the explanation is."""

    effects: tuple[Effect, ...]
    games: int
    drawn: int
    chance_sum: float
    """the sum of all squared z; about the number of weights if none matters"""

    def moves(self, step: float) -> list[float]:
        """Return moves in sizes along the expected effects, the largest of them ``step``."""
        expected = [effect.expected for effect in self.effects]
        largest = max(map(abs, expected), default=0.0)
        return [step * value / largest if largest else 0.0 for value in expected]


def effects(plan: DesignPlan, played: Sequence[DesignGame]) -> Effects:
    """Return what the moves did in these games."""
    differences = np.array(
        [plan.moves(game.number, Side.SOUTH) - plan.moves(game.number, Side.NORTH) for game in played]
    )
    points = np.array([game.points for game in played])
    known = np.array(list(_controls(plan, played)))
    moves = _without(differences, known)
    rest = _without(points, known)
    noise = float(rest @ rest) / max(len(played) - known.shape[1] - len(plan.names), 1)
    square = moves.T @ moves
    inverse = np.linalg.pinv(square)
    raw = inverse @ (moves.T @ rest)
    errors = np.sqrt(np.maximum(noise * np.diag(inverse), 0.0))
    held = square + np.eye(len(plan.names)) * noise / EXPECTED_EFFECT**2
    expected = np.linalg.solve(held, moves.T @ rest)
    found = tuple(
        Effect(name, float(raw[i]), float(errors[i]), float(expected[i])) for i, name in enumerate(plan.names)
    )
    drawn = sum(not game.winner for game in played)
    return Effects(found, len(played), drawn, float(sum(effect.z**2 for effect in found)))


def _controls(plan: DesignPlan, played: Sequence[DesignGame]) -> Iterator[list[float]]:
    """Yield what else explains a result: the first move, and how strong each opponent is."""
    for game in played:
        other, where = plan.opponent(game.number)
        sign = -1.0 if where is Side.SOUTH else 1.0
        yield [1.0, *(sign * (name == other) for name in plan.opponents)]


def _without(values: Reals, known: Reals) -> Reals:
    """Return what is left of values when what is known is taken away."""
    rest: Reals = values - known @ np.linalg.lstsq(known, values, rcond=None)[0]
    return rest
