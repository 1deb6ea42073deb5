"""Tune many weights at once by playing games: simultaneous perturbation (SPSA).

In every iteration each weight moves a little up or down at random; the player with these moves (*plus*) plays
some pairs against the player with the opposite ones (*minus*), and all weights take a step towards the
winner::

    move += rate_k · size_k · (2 · score of plus − 1) · sign
    size_k = size / (k + 1)^0.101        rate_k = rate · (11 / (k + 11))^0.602

A clear win at the start moves every weight by rate × size, as a factor. Each iteration is determined by the
plan, its number and the moves so far, so a stopped run resumes from its log without a difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from random import Random

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from flagfall.arena.contest import play_round
from flagfall.arena.executor import Executor
from flagfall.arena.plan import FILE_NAMES, GameResult, GameSlot, Plan, SetupRule
from flagfall.arena.run_file import RunFile, RunFileError
from flagfall.errors import FlagfallError
from flagfall.players.evaluation.piece_values import Weights
from flagfall.players.evaluation.weights_file import (
    checked,
    current_name,
    with_current_names,
    with_defaults,
)
from flagfall.tuning.weight_space import Space

Report = Callable[[int, int, str], None]
PLUS, MINUS = "plus", "minus"
_SETTLING = 10
_RATE_FADES, _SIZE_FADES = 0.602, 0.101


class BrokenGameError(FlagfallError):
    """A game ended by a fault of the program; the message names it."""

    code = "broken-game"


class SpsaPlan(Struct, frozen=True, kw_only=True, rename=FILE_NAMES):
    """Everything that determines a run, except its length."""

    games: tuple[str, ...]
    """game ids, played in turn, pair by pair"""
    player: str
    names: tuple[str, ...]
    start: dict[str, float]
    nodes: int
    pairs: int
    rate: float
    size: float
    seed: int
    setups: SetupRule
    max_turns: int
    options: dict[str, str]

    def __post_init__(self) -> None:
        force_setattr(self, "names", tuple(current_name(name) for name in self.names))
        force_setattr(self, "start", with_defaults(self.start))

    def space(self) -> Space:
        """Return the space in which the weights move."""
        return Space(checked(self.start, "The start"), self.names)

    def size_at(self, iteration: int) -> float:
        """Return the perturbation: the distance of plus and minus from the middle."""
        return self.size * math.pow(iteration + 1, -_SIZE_FADES)

    def rate_at(self, iteration: int) -> float:
        """Return the step of a clear win, in units of the perturbation."""
        return self.rate * math.pow((_SETTLING + 1) / (iteration + _SETTLING + 1), _RATE_FADES)

    def signs(self, iteration: int) -> list[int]:
        """Return random signs, one for each weight."""
        rng = Random(f"{self.seed}/{iteration}/signs")
        return [rng.choice((-1, 1)) for _ in self.names]


class Iteration(Struct, frozen=True, kw_only=True):
    """One line of the log."""

    plan: SpsaPlan
    number: int
    signs: list[int]
    won: int
    """games that plus won"""
    drawn: int
    lost: int
    moves: list[float]
    """the move of each weight from the start, after this iteration"""
    weights: dict[str, float]
    """the moved weights, after this iteration"""

    def __post_init__(self) -> None:
        force_setattr(self, "weights", with_current_names(self.weights))

    @property
    def score(self) -> float:
        """The score of plus, between 0 and 1."""
        return (self.won + self.drawn / 2) / (self.won + self.drawn + self.lost)


def run(
    plan: SpsaPlan, iterations: int, log: RunFile[Iteration], executor: Executor, report: Report
) -> Weights:
    """Run up to this number of iterations and return the last weights."""
    _check_order(log)
    space = plan.space()
    each = 2 * plan.pairs
    while (number := len(log)) < iterations:
        moves = log.lines[-1].moves if log.lines else [0.0] * len(plan.names)
        played: list[GameResult] = []
        report(number * each, iterations * each, _words(log))
        for text in executor.results(_play, _tasks(plan, space, number, moves)):
            played.append(whole(msgspec.json.decode(text, type=GameResult)))
            report(number * each + len(played), iterations * each, _words(log))
        log.add(_stepped(plan, space, number, moves, played))
    report(iterations * each, iterations * each, _words(log))
    return space.at(log.lines[-1].moves) if log.lines else space.start


def _check_order(log: RunFile[Iteration]) -> None:
    for at, line in enumerate(log.lines):
        if line.number != at:
            raise RunFileError(f"{log.file}, line {at + 1}: iteration {at} is missing; use --restart.")


def _tasks(plan: SpsaPlan, space: Space, number: int, moves: Sequence[float]) -> list[tuple[bytes, bytes]]:
    """Return the games of an iteration with their plans, encoded for other processes."""
    size, signs = plan.size_at(number), plan.signs(number)
    both = {
        name: asdict(space.at([move + way * size * sign for move, sign in zip(moves, signs, strict=True)]))
        for name, way in ((PLUS, 1.0), (MINUS, -1.0))
    }
    tasks = []
    for pair in range(number * plan.pairs, (number + 1) * plan.pairs):
        one = Plan(
            game=plan.games[pair % len(plan.games)],
            options=plan.options,
            players=(f"{plan.player}@weights={PLUS}", f"{plan.player}@weights={MINUS}"),
            seed=plan.seed,
            time_ms=None,
            nodes=plan.nodes,
            setups=plan.setups,
            max_turns=plan.max_turns,
            weights=both,
        )
        tasks += [
            (msgspec.json.encode(one), msgspec.json.encode(GameSlot(0, 1, pair, leg))) for leg in (0, 1)
        ]
    return tasks


def _play(task: tuple[bytes, bytes]) -> bytes:
    plan, slot = msgspec.json.decode(task[0], type=Plan), msgspec.json.decode(task[1], type=GameSlot)
    return msgspec.json.encode(play_round(plan, slot))


def whole(played: GameResult) -> GameResult:
    """Return a game as it is; `BrokenGameError` if it broke off."""
    if played.trouble:
        raise BrokenGameError(
            f"A game of {played.plan.game} broke off (seed {played.plan.seed}, pair {played.round.pair}, "
            f"game {played.round.leg + 1}): {played.trouble}"
        )
    return played


def _stepped(
    plan: SpsaPlan, space: Space, number: int, moves: Sequence[float], played: Sequence[GameResult]
) -> Iteration:
    """Return the log line of an iteration whose games were played."""
    scores = [one.score for one in played]
    signs = plan.signs(number)
    step = plan.rate_at(number) * plan.size_at(number) * (2.0 * sum(scores) / len(scores) - 1.0)
    after = [move + step * sign for move, sign in zip(moves, signs, strict=True)]
    weights = asdict(space.at(after))
    return Iteration(
        plan=plan,
        number=number,
        signs=signs,
        won=scores.count(1.0),
        drawn=scores.count(0.5),
        lost=scores.count(0.0),
        moves=after,
        weights={name: weights[name] for name in plan.names},
    )


def _words(log: RunFile[Iteration]) -> str:
    if not log.lines:
        return ""
    last = log.lines[-1]
    furthest = max(range(len(last.moves)), key=lambda at: abs(last.moves[at]))
    name = last.plan.names[furthest]
    return f"plus {100 * last.score:.0f} %, furthest: {name} {last.weights[name]:.4g}"
