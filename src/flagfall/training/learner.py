"""Learner: a policy that plays itself, earlier selves and named players, and learns from it.

All of a learner can be saved and read back: weights, what the optimiser remembers, the reference, the pool of
earlier selves, the games in play and the random numbers. A run that was stopped and goes on is the same run;
only games against named players begin anew at every checkpoint, stopped or not.
"""

from __future__ import annotations

import io
import json
from collections import deque
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray

from flagfall.edition import load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.files import write_atomically
from flagfall.rl import EnvState, Layout, Observation, VectorEnv
from flagfall.rl.greedy_opponent import GreedyOpponent, is_playable
from flagfall.rl.network import Floats, shape_for
from flagfall.rl.opponents import OpponentLike
from flagfall.training import torch_network
from flagfall.training.ppo import Improver, Losses
from flagfall.training.recipe import Recipe, TrainingError, check_recipe
from flagfall.training.rollouts import Dealer, Scores, collect, joined, sampled
from flagfall.training.torch_network import Tensors, as_arrays, as_tensors, forward, log_chances, tensor

_VERSION = 2
_OPTIMISER = ("exp_avg", "exp_avg_sq")


class Learner:
    """A run of PPO: `update` plays and learns once."""

    def __init__(self, recipe: Recipe, start: dict[str, Floats] | None = None) -> None:
        """``start`` are weights to begin with instead of new ones."""
        check_recipe(recipe)
        torch.set_num_threads(1)
        self.recipe = recipe
        self.rng = np.random.default_rng(recipe.seed)
        self.self_env = self._env(recipe.self_games, 0)
        self.pool_env = self._env(recipe.pool_games, 1, opponent=self._answer_from_pool)
        self.player_envs = [
            self._env(recipe.player_games, 2 + i, opponent=self._opponent(name))
            for i, name in enumerate(recipe.players)
        ]
        envs = [env for env in (self.self_env, self.pool_env, *self.player_envs) if env is not None]
        self.envs: list[VectorEnv] = envs
        is_dealing = recipe.places and recipe.dealt > 0
        self.dealers = {env: Dealer(env, round(recipe.dealt * env.n)) for env in envs if is_dealing}
        self.layout = envs[0].layout
        self.shape = shape_for(self.layout, recipe.channels, recipe.layers)
        self.weights: Tensors = (
            torch_network.new_weights(self.shape, recipe.seed) if start is None else as_tensors(start)
        )
        self.reference: Tensors = as_tensors(as_arrays(self.weights))
        self.average: Tensors = as_tensors(as_arrays(self.weights))
        """the mean of the weights so far, late ones counting more; `best` says which weights play"""
        self.pool: deque[Tensors] = deque([self.reference], maxlen=recipe.pool_size)
        self._earlier: Tensors = self.reference
        self.improver = Improver(recipe, self.weights)
        self.updates = 0
        self.positions = 0
        self.scores: dict[str, Scores] = {}
        """results of the last update, by whom it played"""
        for number, env in enumerate(envs):
            env.reset(seed=recipe.seed * 100 + number)

    def _env(self, games: int, number: int, opponent: Any = None) -> VectorEnv | None:
        recipe = self.recipe
        if games == 0:
            return None
        return VectorEnv(
            recipe.game,
            games,
            recipe.seed * 100 + number,
            recipe.options,
            "agent" if recipe.places else "random",
            masks=opponent is not None,
            max_turns=recipe.max_turns,
            opponent=opponent,
        )

    def _opponent(self, name: str) -> OpponentLike:
        """Return a named player; the greedy one for many games at once, where that is possible."""
        recipe = self.recipe
        if name != GreedyOpponent.name or not recipe.places:
            return name
        game = load_game(recipe.game)
        options = resolve(game, recipe.options)
        layout = Layout(game, options, compile_game(game, options), places=True, max_turns=recipe.max_turns)
        return GreedyOpponent(layout, recipe.player_games) if is_playable(layout) else name

    # ------------------------------------------------------------ playing

    def choose(
        self,
        planes: NDArray[np.uint8],
        scalars: NDArray[np.int16],
        legal: NDArray[np.int32],
        counts: NDArray[np.int32],
    ) -> tuple[Floats, Floats]:
        """Return the logarithm of the chance of each legal action, and the values."""
        with torch.no_grad():
            numbers, values = forward(self.weights, self.recipe.layers, tensor(planes), tensor(scalars))
            chances = log_chances(numbers, tensor(legal), tensor(counts))
        return chances.numpy(), values.numpy()

    def _answer_from_pool(self, seen: Observation) -> NDArray[np.int64]:
        return act(self._earlier, self.recipe.layers, seen, self.rng)

    def update(self) -> Losses:
        """Play some steps in every game and learn from them."""
        recipe = self.recipe
        self._earlier = self.pool[int(self.rng.integers(len(self.pool)))]
        self.scores = {}
        batches = []
        for env in self.envs:
            scores = self.scores.setdefault(self._name(env), Scores())
            dealer = self.dealers.get(env)
            batches.append(collect(env, recipe.steps, self.choose, self.rng, recipe.decay, scores, dealer))
        batch = joined(batches)
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
        for number, env in enumerate(self.player_envs):
            if env is not None:
                env.reset(seed=self.recipe.seed * 100_000 + 100 * self.updates + number)

    def _name(self, env: VectorEnv) -> str:
        if env is self.self_env:
            return "itself"
        return "earlier selves" if env is self.pool_env else self.recipe.players[self.player_envs.index(env)]

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
        for group, env in enumerate(self.envs):
            if env not in self.player_envs:
                for at, array in enumerate(env.state().arrays):
                    arrays[f"games{group}/{at}"] = array
        about = {
            "version": _VERSION,
            "recipe": msgspec.to_builtins(self.recipe),
            "updates": self.updates,
            "positions": self.positions,
            "steps": _optimiser_steps(self.improver),
            "pool": len(self.pool),
            "rng": self.rng.bit_generator.state,
        }
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
        written = io.BytesIO()
        np.savez(written, **arrays)  # type: ignore[arg-type]
        write_atomically(file, written.getvalue())

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
        for number, env in enumerate(self.envs):
            if env not in self.player_envs:
                parts = tuple(arrays[f"games{number}/{part}"] for part in range(4))
                env.set_state(EnvState(env.game.id, parts))
        self.rng.bit_generator.state = about["rng"]
        if self.updates:
            self._begin_players_anew()


def act(weights: Tensors, layers: int, seen: Observation, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a legal action for each observation, drawn by its chances."""
    with torch.no_grad():
        numbers, _ = forward(weights, layers, tensor(seen.planes), tensor(seen.scalars))
        numbers = torch.log_softmax(numbers.masked_fill(~tensor(seen.mask), torch_network.NEVER), dim=1)
    return sampled(numbers.numpy(), rng)


def _optimiser_steps(improver: Improver) -> int:
    states = list(improver.adam.state.values())
    return int(states[0]["step"]) if states else 0
