"""Screen all weights at once: in every game each side plays with other weights, drawn at random.

The weights of each side move by random factors, and the results are explained by the differences of the
moves (least squares with a normal prior). As the moves are drawn and not chosen, what goes with winning is
what wins. Every game says something about every weight, so a few hundred games show which weights matter and
which way; `--check` then plays the weights that came out against the old ones.

Game number ``i`` of a plan is always the same game, so a stopped run resumes from its log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from flagfall.players.evaluation.weights_file import MAX_WEIGHT, checked, limited
from flagfall.sides import Side
from flagfall.tuning.spsa import whole
from flagfall.tuning.weight_space import Space

Report = Callable[[int, int, str], None]
Reals = NDArray[np.float64]
EXPECTED_EFFECT = 0.03
"""the prior of an effect, as a standard deviation in points: what most weights do when moved by one size"""
MAX_SIZE = 0.5
"""larger moves would make armies worth as much as games"""
_MAX_DRAW = 2.5
"""moves are drawn from a normal distribution, and cut off here"""
_SLOW: Mapping[str, float] = {"rank_factor": 0.1, "fade": 0.7, "guard_fade": 0.7}
"""how much less than the others a weight moves: a small change of it changes much"""
_OPPONENT_EVERY = 3
"""every third game of a box is against an opponent, the others against itself"""
_NOTHING = 1e-9


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

    def game(self, number: int) -> str:
        """Return the box of a game."""
        return self.games[number % len(self.games)]

    def opponent(self, number: int) -> tuple[str, Side | None]:
        """Return who plays against the player in a game, and on which side; itself: "" and None."""
        turn = number // len(self.games)
        if not self.opponents or turn % _OPPONENT_EVERY != _OPPONENT_EVERY - 1:
            return "", None
        again, other = divmod(turn // _OPPONENT_EVERY, len(self.opponents))
        return self.opponents[other], Side.NORTH if again % 2 == 0 else Side.SOUTH

    def moves(self, number: int, side: Side) -> Reals:
        """Return the moves of a side's weights in a game, in sizes; zeros for an opponent."""
        if self.opponent(number)[1] is side:
            return np.zeros(len(self.names))
        rng = Random(f"{self.seed}/{number}/{side.value}/moves")
        drawn = np.array([rng.gauss(0.0, 1.0) for _ in self.names])
        return self.possible(np.clip(drawn, -_MAX_DRAW, _MAX_DRAW))

    def possible(self, moves: Reals) -> Reals:
        """Return the moves without those that would take a weight below 0 that is off."""
        return np.where(
            np.array([self.start[name] == 0.0 for name in self.names]), np.maximum(moves, 0.0), moves
        )

    def weights(self, number: int, side: Side) -> Weights:
        """Return the weights of a side in a game."""
        return self.moved(self.moves(number, side).tolist())

    def moved(self, moves: Sequence[float]) -> Weights:
        """Return the weights after these moves, in sizes."""
        sizes = [self.size * _SLOW.get(name, 1.0) for name in self.names]
        there = asdict(self.space().at([move * size for move, size in zip(moves, sizes, strict=True)]))
        within = {name: min(max(value, -MAX_WEIGHT), MAX_WEIGHT) for name, value in there.items()}
        return Weights(**limited(within))


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


def gather(
    plan: DesignPlan, games: int, log: RunFile[DesignGame], executor: Executor, report: Report
) -> None:
    """Play the games that are not in the log yet."""
    missing = sorted(set(range(games)) - {line.number for line in log.lines})
    for done, text in enumerate(executor.results(_Work(plan), missing), start=games - len(missing) + 1):
        game = msgspec.json.decode(text, type=DesignGame)
        log.add(game)
        report(done, games, f"{game.reason or 'turn limit'}, {game.turns} turns")


def first_games(log: RunFile[DesignGame], games: int) -> list[DesignGame]:
    """Return the games of the log below this number in their order, each once."""
    by_number = {line.number: line for line in log.lines if line.number < games}
    return [by_number[number] for number in sorted(by_number)]


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
        game=plan.game(number),
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
    """The effects of all weights."""

    plan: DesignPlan
    effects: tuple[Effect, ...]
    games: int
    drawn: int

    @property
    def sum_z_squared(self) -> float:
        """The sum of all squared z; about the number of weights if none matters."""
        return sum(effect.z**2 for effect in self.effects)

    def moves(self, step: float) -> list[float]:
        """Return moves in sizes along the expected effects, the largest of them ``step``."""
        expected = self.plan.possible(np.array([effect.expected for effect in self.effects]))
        largest = float(np.abs(expected).max(initial=0.0))
        found: list[float] = (step * expected / largest if largest else expected).tolist()
        return found


def effects(plan: DesignPlan, played: Sequence[DesignGame]) -> Effects:
    """Return what the moves did in these games."""
    differences = np.array(
        [plan.moves(game.number, Side.SOUTH) - plan.moves(game.number, Side.NORTH) for game in played]
    )
    points = np.array([game.points for game in played])
    controls = np.array([_controls(plan, game) for game in played])
    moves, left = _residuals(differences, controls), _residuals(points, controls)
    square = moves.T @ moves
    inverse = np.linalg.pinv(square)
    raw = inverse @ (moves.T @ left)
    errors = left - moves @ raw
    fitted = int(np.linalg.matrix_rank(controls)) + int(np.linalg.matrix_rank(moves))
    noise = float(errors @ errors) / max(len(played) - fitted, 1)
    spread = np.sqrt(np.maximum(noise * np.diag(inverse), 0.0))
    ridge = square + np.eye(len(plan.names)) * noise / EXPECTED_EFFECT**2
    is_flat = float(np.abs(left).max(initial=0.0)) < _NOTHING  # all games ended alike
    expected = np.zeros(len(plan.names)) if is_flat else np.linalg.solve(ridge, moves.T @ left)
    found = tuple(
        Effect(name, 0.0 if is_flat else float(raw[i]), float(spread[i]), float(expected[i]))
        for i, name in enumerate(plan.names)
    )
    return Effects(plan, found, len(played), sum(not game.winner for game in played))


def _controls(plan: DesignPlan, game: DesignGame) -> list[float]:
    """Return what else explains a result: South's advantage in each box, and how strong each opponent is."""
    other, where = plan.opponent(game.number)
    sign = -1.0 if where is Side.SOUTH else 1.0
    boxes = [float(plan.game(game.number) == box) for box in plan.games]
    return [*boxes, *(sign * (name == other) for name in plan.opponents)]


def _residuals(values: Reals, controls: Reals) -> Reals:
    """Return what the controls do not explain."""
    rest: Reals = values - controls @ np.linalg.lstsq(controls, values, rcond=None)[0]
    return rest
