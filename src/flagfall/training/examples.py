"""Examples to learn from: what was seen, what was chosen, and how the game ended, in batches.

A batch is a dict of arrays whose first axis is the examples; any iterator of such dicts can be fitted:

============  ==================  ==================================================
array         shape               what
============  ==================  ==================================================
``planes``    ``[n, C, r, c]``    as in a `VectorEnv`
``scalars``   ``[n, D]``          as in a `VectorEnv`
``mask``      ``[n, A]``          which actions were legal
``action``    ``[n]``             the number of the action that was chosen
``result``    ``[n]``             1 if the one who chose it won, -1 if it lost, 0
============  ==================  ==================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flagfall.arena.executor import Executor, LocalExecutor
from flagfall.arena.simulate import prepared
from flagfall.dataset import Dataset
from flagfall.edition import Game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine.action import CHOOSE_CELL, Action
from flagfall.match.play import GameRunner
from flagfall.players import Budget, make_player
from flagfall.rl.layout import Layout
from flagfall.rl.observer import Observation, Observer
from flagfall.setups import Setup
from flagfall.training.recipe import TrainingError

Batch = Mapping[str, NDArray[Any]]
MAX_HELD_OUT = 20_000
"""held-out positions of a dataset that stay in memory"""
_COLUMNS = ("planes", "scalars", "mask", "action", "outcome", "game")
_BATCH = 1024
_Example = tuple[Observation, int, int]
"""what was seen, the number of the action, the side"""


class GamesPlan(Struct, frozen=True, kw_only=True):
    """Everything that decides the games that players play to be learned from, except how many."""

    game: str
    """its address"""
    options: dict[str, str] = {}
    players: tuple[str, ...]
    """they play each other in turn, on both sides"""
    seed: int = 1
    time_ms: int | None = None
    nodes: int | None = None
    places: bool = True
    max_turns: int = 2000


def played_games(plan: GamesPlan, games: int, executor: Executor | None = None) -> Iterator[Batch]:
    """Let players play where an executor says, and yield the examples of each game, in order."""
    work = _Work(plan)
    for packed in (executor or LocalExecutor()).results(work, range(games), in_order=True):
        with np.load(BytesIO(packed), allow_pickle=False) as arrays:
            yield {name: arrays[name] for name in arrays.files}


class _Work:
    """Plays a game by its number; the examples are sent packed, since most of their numbers are 0."""

    def __init__(self, plan: GamesPlan) -> None:
        self._plan = plan

    def __call__(self, number: int) -> bytes:
        packed = BytesIO()
        np.savez_compressed(packed, **play_one(self._plan, number))  # type: ignore[arg-type]
        return packed.getvalue()


def play_one(plan: GamesPlan, number: int) -> dict[str, NDArray[Any]]:
    """Play one game of a plan and return its examples; they depend on nothing else."""
    game, options, _ = prepared(plan.game, tuple(sorted(plan.options.items())))
    rng, budget = Random(f"{plan.seed} {number}"), Budget(time_ms=plan.time_ms, nodes=plan.nodes)
    names = [plan.players[(number + side) % len(plan.players)] for side in (0, 1)]
    seats = [make_player(name, game, options, Random(rng.getrandbits(63)), budget) for name in names]
    setups = [seat.set_up(side) for side, seat in enumerate(seats)]
    observers = [Observer(game, options, side, places=plan.places) for side in (0, 1)]
    examples: list[_Example] = []
    if plan.places:
        for side, setup in enumerate(setups):
            examples += _placing(observers[side], setup, side)
    running = GameRunner(game, options, setups)
    while not running.is_over and running.turns < plan.max_turns:
        side = int(running.mover)
        view, history = running.view(running.mover), running.history(running.mover)
        seen, action = observers[side].observe(view, history), seats[side].choose(view, history)
        examples.append((seen, observers[side].layout.space.encode(action, side), side))
        running.play(action)
    winner = running.result.winner if running.result else ""
    return _batch(examples, {"south": (1, -1), "north": (-1, 1)}.get(winner, (0, 0)))


def _placing(observer: Observer, setup: Setup, side: int) -> Iterator[_Example]:
    """Yield how a setup would be placed, piece by piece; pieces of one kind go from the lowest cell up."""
    placed: dict[int, int] = {}
    left = {kind: setup.cells_of(kind) for kind in set(setup.kinds.values())}
    for kind in observer.layout.piece_kinds[side]:
        seen = observer.observe_placing(placed, is_asked=True)
        cell = left[kind].pop(0)
        yield seen, observer.layout.space.encode(Action(CHOOSE_CELL, target=cell), side), side
        placed[cell] = kind


def _batch(examples: Sequence[_Example], results: tuple[int, int]) -> dict[str, NDArray[Any]]:
    return {
        "planes": np.stack([seen.planes for seen, _, _ in examples]),
        "scalars": np.stack([seen.scalars for seen, _, _ in examples]),
        "mask": np.stack([seen.mask for seen, _, _ in examples]),
        "action": np.array([number for _, number, _ in examples], dtype=np.int64),
        "result": np.array([results[side] for _, _, side in examples], dtype=np.float32),
    }


class Recorded:
    """The positions of a dataset (`flagfall.dataset`) as examples; one game of ``every`` is held out."""

    def __init__(self, folder: Path, game: Game, every: int) -> None:
        """Open a dataset; `TrainingError` if it is of another game, or shows something else."""
        self._dataset, self._every, self._reads = Dataset(folder, _COLUMNS), every, 0
        described = self._dataset.description
        if described.plan.game != game.id:
            raise TrainingError(f"{folder} has games of {described.plan.game}, not of {game.id}.")
        options = resolve(game, described.plan.options)
        self.layout = layout = Layout(game, options, compile_game(game, options), places=False)
        """what the games were played with and what was seen; pieces are not placed"""
        names = tuple(described.planes.south), tuple(described.scalars.south)
        if names != (layout.plane_names(), layout.scalar_names()) or described.actions != layout.space.size:
            raise TrainingError(
                f"{folder} was made by a Flagfall that shows other things to players; make it again."
            )
        self.games = self._dataset.games

    def learned(self) -> Iterator[Batch]:
        """Yield the examples to learn from, in another order each time."""
        self._reads += 1
        return self._batches(self._reads, is_held_out=False)

    def held_out(self) -> list[Batch]:
        """Return the examples that nothing learns from, up to `MAX_HELD_OUT`."""
        found, count = list[Batch](), 0
        for batch in self._batches(None, is_held_out=True):
            found.append(batch)
            count += len(batch["action"])
            if count >= MAX_HELD_OUT:
                break
        return found

    def _batches(self, seed: int | None, *, is_held_out: bool) -> Iterator[Batch]:
        for batch in self._dataset.batches(_BATCH, seed=seed):
            rows = (batch["game"] % self._every == 0) == is_held_out
            if rows.any():
                kept = {name: array[rows] for name, array in batch.items()}
                yield {**kept, "result": kept["outcome"].astype(np.float32)}
