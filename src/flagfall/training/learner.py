"""Learner: a policy that plays itself, earlier selves and named players, and learns from it.

All of a learner can be saved and read back: weights, what the optimiser remembers, the reference, the pool of
earlier selves, the games in play and the random numbers. A run that was stopped and goes on is the same run;
only games against named players begin anew at every checkpoint, stopped or not.
"""

from __future__ import annotations

import io
import json
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray

from flagfall.arena.executor import Executor, WorkerError
from flagfall.files import write_atomically
from flagfall.rl import VectorEnv
from flagfall.rl.network import Floats, shape_for
from flagfall.training import torch_network
from flagfall.training.elsewhere import HERE, Spent
from flagfall.training.games import Games, Part, PlayWork, first_parts
from flagfall.training.ppo import Improver, Losses
from flagfall.training.recipe import Recipe, TrainingError, check_recipe
from flagfall.training.rollouts import Batch, Scores, joined
from flagfall.training.torch_network import Tensors, as_arrays, as_tensors, tensor

_VERSION = 2
_OPTIMISER = ("exp_avg", "exp_avg_sq")


class Learner:
    """A run of PPO: `update` plays and learns once."""

    def __init__(self, recipe: Recipe, start: dict[str, Floats] | None = None) -> None:
        """``start`` are weights to begin with instead of new ones."""
        check_recipe(recipe)
        self.recipe = recipe
        self.rng = np.random.default_rng(recipe.seed)
        self.games = Games(recipe)
        self.envs: list[VectorEnv] = self.games.envs
        self.layout = self.envs[0].layout
        self.shape = shape_for(self.layout, recipe.channels, recipe.layers)
        self.weights: Tensors = (
            torch_network.new_weights(self.shape, recipe.seed) if start is None else as_tensors(start)
        )
        self.reference: Tensors = as_tensors(as_arrays(self.weights))
        self.average: Tensors = as_tensors(as_arrays(self.weights))
        """the mean of the weights so far, late ones counting more; `best` says which weights play"""
        self.pool: deque[Tensors] = deque([self.reference], maxlen=recipe.pool_size)
        self.improver = Improver(recipe, self.weights)
        self.updates = 0
        self.positions = 0
        self.scores: dict[str, Scores] = {}
        """results of the last update, by whom it played"""
        self.parts = first_parts(recipe, len(self.envs)) if recipe.parts > 1 else []
        """how the games stand if they are divided; otherwise the environments have them"""
        self.spent = Spent()
        self.games.seat(self.weights, self.reference, self.rng)
        for at in range(len(self.envs)):
            self.games.begin(at, 0)

    # ------------------------------------------------------------ playing

    def update(self, executor: Executor = HERE) -> Losses:
        """Play some steps in every game and learn from them; an executor plays the parts."""
        recipe, before = self.recipe, self.rng.bit_generator.state
        earlier = self.pool[int(self.rng.integers(len(self.pool)))]
        if recipe.parts == 1:
            self.games.seat(self.weights, earlier, self.rng)
            batch, self.scores = self.games.play()
        else:
            try:
                batch = self._play_parts(earlier, executor)
            except WorkerError:
                self.rng.bit_generator.state = before  # so that it can be saved, and go on as if never lost
                raise
        held = self.reference if recipe.magnet else None
        losses = self.improver.improve(batch, held, self.updates, self.rng)
        self.updates += 1
        self.positions += len(batch)
        self._add_to_average()
        if self.updates % recipe.magnet_every == 0:
            self.reference = as_tensors(as_arrays(self.best))
            self.pool.append(self.reference)
        if self.updates % recipe.save_every == 0:
            self._begin_players_anew()
        return losses

    def _play_parts(self, earlier: Tensors, executor: Executor) -> Batch:
        """Play all parts, wherever the executor says; what is learned from is in their order."""
        work = PlayWork(self.recipe, as_arrays(self.weights), as_arrays(earlier))
        tasks = [replace(part, updates=self.updates) for part in self.parts]
        played = list(self.spent.results(executor, work, tasks))
        self.parts = [one.part for one in played]
        self.scores = {}
        for one in played:
            for name, scores in one.scores.items():
                self.scores.setdefault(name, Scores()).add(scores)
        return joined([one.batch for one in played])

    @property
    def best(self) -> Tensors:
        """The weights that play: the mean if the recipe has one, otherwise the last ones."""
        return self.average if self.recipe.average else self.weights

    def _add_to_average(self) -> None:
        """Add the present weights to the mean; at first it forgets faster, to lose the beginning soon."""
        share = 1 - min(self.recipe.average, self.updates / (self.updates + 9))
        with torch.no_grad():
            for name, weight in self.average.items():
                weight += share * (self.weights[name] - weight)

    def _begin_players_anew(self) -> None:
        against = [self.games.are_against_players(at) for at in range(len(self.envs))]
        for at in np.flatnonzero(against).tolist():
            if not self.parts:
                self.games.begin(at, self.updates)
        self.parts = [
            replace(
                part,
                games=tuple(
                    None if is_new else kept for kept, is_new in zip(part.games, against, strict=True)
                ),
            )
            for part in self.parts
        ]

    # ------------------------------------------------------------ saving

    def save(self, file: Path) -> None:
        """Write everything atomically, as an ``.npz`` of plain arrays."""
        arrays: dict[str, NDArray[Any]] = {}
        for name, weight in self.weights.items():
            arrays[f"weights/{name}"] = weight.detach().numpy()
            if memory := self.improver.adam.state.get(weight):
                for part in _OPTIMISER:
                    arrays[f"{part}/{name}"] = memory[part].numpy()
        for name, array in as_arrays(self.reference).items():
            arrays[f"reference/{name}"] = array
        for name, array in as_arrays(self.average).items():
            arrays[f"average/{name}"] = array
        for number, earlier in enumerate(self.pool):
            for name, array in as_arrays(earlier).items():
                arrays[f"pool{number}/{name}"] = array
        for name, group in self._groups():
            for place, array in enumerate(group):
                arrays[f"{name}/{place}"] = array
        about = {
            "version": _VERSION,
            "recipe": msgspec.to_builtins(self.recipe),
            "updates": self.updates,
            "positions": self.positions,
            "steps": _optimiser_steps(self.improver),
            "pool": len(self.pool),
            "rng": self.rng.bit_generator.state,
        }
        if self.parts:
            about["parts"] = [part.rng for part in self.parts]
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
        written = io.BytesIO()
        np.savez(written, **arrays)  # type: ignore[arg-type]
        write_atomically(file, written.getvalue())

    def _groups(self) -> Iterator[tuple[str, tuple[NDArray[Any], ...]]]:
        """Yield the games that are saved, by name: all but those against named players."""
        for at, env in enumerate(self.envs):
            if self.games.are_against_players(at):
                continue
            if not self.parts:
                yield f"games{at}", env.state().arrays
            for part in self.parts:
                if (kept := part.games[at]) is not None:
                    yield f"part{part.number}/games{at}", kept[0]

    @classmethod
    def load(cls, file: Path) -> Learner:
        """Return the learner that was saved."""
        try:
            with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
            about = json.loads(arrays.pop("about").tobytes())
            if about["version"] != _VERSION:
                raise TrainingError(f"{file} is from another version of Flagfall; begin a new run.")
            learner = cls(msgspec.convert(about["recipe"], Recipe))
            learner._restore(about, arrays)
        except (OSError, ValueError, KeyError, EOFError, BadZipFile, msgspec.MsgspecError) as problem:
            raise TrainingError(f"{file} is not a checkpoint that can be read: {problem}.") from None
        return learner

    def _restore(self, about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        with torch.no_grad():
            for name, weight in self.weights.items():
                weight.copy_(tensor(arrays[f"weights/{name}"]))
        for name, weight in self.weights.items():
            if about["steps"]:
                self.improver.adam.state[weight] = {
                    "step": torch.tensor(float(about["steps"])),
                    **{part: torch.tensor(arrays[f"{part}/{name}"]) for part in _OPTIMISER},
                }
        names = list(self.weights)
        self.reference = as_tensors({name: arrays[f"reference/{name}"] for name in names})
        self.average = as_tensors({name: arrays[f"average/{name}"] for name in names})
        self.pool.clear()
        for number in range(about["pool"]):
            self.pool.append(as_tensors({name: arrays[f"pool{number}/{name}"] for name in names}))
        self.updates, self.positions = about["updates"], about["positions"]
        for at in range(len(self.envs)):
            if not self.parts and not self.games.are_against_players(at):
                self.games.go_on(at, (_saved(arrays, f"games{at}"), None))
        self.parts = [self._saved_part(part, about["parts"][part.number], arrays) for part in self.parts]
        self.rng.bit_generator.state = about["rng"]
        if self.updates:
            self._begin_players_anew()

    def _saved_part(self, part: Part, rng: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Part:
        names = [f"part{part.number}/games{at}" for at in range(len(self.envs))]
        games = tuple((_saved(arrays, name), None) if f"{name}/0" in arrays else None for name in names)
        return replace(part, rng=rng, games=games)


def _saved(arrays: dict[str, NDArray[Any]], name: str) -> tuple[NDArray[Any], ...]:
    return tuple(arrays[f"{name}/{place}"] for place in range(4))


def _optimiser_steps(improver: Improver) -> int:
    states = list(improver.adam.state.values())
    return int(states[0]["step"]) if states else 0
