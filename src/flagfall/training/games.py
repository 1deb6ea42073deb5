"""The games that a policy learns from: against itself, an earlier self and named players.

A learner plays them all in its own process, or in parts that any process can play: what decides how a part
goes on is a `Part`, which comes back with what can be learned. So the number of parts, which the recipe has,
decides the games, and never which process plays them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray

from flagfall.edition import load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.rl import EnvState, Layout, Observation, VectorEnv
from flagfall.rl.greedy_opponent import GreedyOpponent, is_playable
from flagfall.rl.network import Floats
from flagfall.rl.opponents import OpponentLike
from flagfall.training import torch_network
from flagfall.training.recipe import Recipe, TrainingError
from flagfall.training.rollouts import Batch, Dealer, Scores, collect, joined, sampled
from flagfall.training.torch_network import Tensors, as_tensors, forward, log_chances, tensor

_BETWEEN_PARTS = 10_000_000_000
"""between the seeds of two parts"""
Kept = tuple[tuple[NDArray[Any], ...], Any]
"""games that go on: what the environment keeps, and what its opponent remembers"""


class Games:
    """The games of a learner, or of one of its parts."""

    def __init__(self, recipe: Recipe) -> None:
        torch.set_num_threads(1)
        self.recipe = recipe
        self.self_env = self._env(recipe.self_games, 0)
        self.pool_env = self._env(recipe.pool_games, 1, opponent=self._answer_from_pool)
        self.player_envs = [
            self._env(recipe.player_games, 2 + i, opponent=self._opponent(name))
            for i, name in enumerate(recipe.players)
        ]
        self.envs = [env for env in (self.self_env, self.pool_env, *self.player_envs) if env is not None]
        is_dealing = recipe.places and recipe.dealt > 0
        self._dealers = {env: Dealer(env, round(recipe.dealt * env.n)) for env in self.envs if is_dealing}
        self._weights: Tensors = {}
        self._earlier: Tensors = {}
        self._rng = np.random.default_rng(0)

    def _env(self, games: int, number: int, opponent: Any = None) -> VectorEnv | None:
        recipe = self.recipe
        if games == 0:
            return None
        return VectorEnv(
            recipe.game,
            games // recipe.parts,
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
        if name == GreedyOpponent.name and recipe.places:
            game = load_game(recipe.game)
            options = resolve(game, recipe.options)
            layout = Layout(
                game, options, compile_game(game, options), places=True, max_turns=recipe.max_turns
            )
            if is_playable(layout):
                return GreedyOpponent(layout, recipe.player_games // recipe.parts)
        if recipe.parts > 1:
            raise TrainingError(
                f"Games against “{name}” are played before referees and cannot be divided; say parts=1."
            )
        return name

    def begin(self, at: int, updates: int, part: int = 0) -> None:
        """Begin the games of an environment anew."""
        env, seed = self.envs[at], self.recipe.seed
        anew = 100 * seed + at
        if updates:
            anew = 100_000 * seed + 100 * updates + self.player_envs.index(env)
        env.reset(seed=anew + _BETWEEN_PARTS * part)

    def are_against_players(self, at: int) -> bool:
        """Return whether an environment has a named player; its games begin anew at every checkpoint."""
        return self.envs[at] in self.player_envs

    def name(self, env: VectorEnv) -> str:
        """Return against whom the games of an environment are."""
        if env is self.self_env:
            return "itself"
        return "earlier selves" if env is self.pool_env else self.recipe.players[self.player_envs.index(env)]

    # ------------------------------------------------------------ playing

    def seat(self, weights: Tensors, earlier: Tensors, rng: np.random.Generator) -> None:
        """Have these weights play, also as the earlier self; before any game begins or goes on."""
        self._weights, self._earlier, self._rng = weights, earlier, rng

    def play(self) -> tuple[Batch, dict[str, Scores]]:
        """Play some steps in every game; return what can be learned, and the results by opponent."""
        recipe, rng, scores = self.recipe, self._rng, dict[str, Scores]()
        batches = []
        for env in self.envs:
            found = scores.setdefault(self.name(env), Scores())
            dealer = self._dealers.get(env)
            batches.append(collect(env, recipe.steps, self._choose, rng, recipe.decay, found, dealer))
        return joined(batches), scores

    def _choose(
        self,
        planes: NDArray[np.uint8],
        scalars: NDArray[np.int16],
        legal: NDArray[np.int32],
        counts: NDArray[np.int32],
    ) -> tuple[Floats, Floats]:
        """Return the logarithm of the chance of each legal action, and the values."""
        with torch.no_grad():
            numbers, values = forward(self._weights, self.recipe.layers, tensor(planes), tensor(scalars))
            chances = log_chances(numbers, tensor(legal), tensor(counts))
        return chances.numpy(), values.numpy()

    def _answer_from_pool(self, seen: Observation) -> NDArray[np.int64]:
        return act(self._earlier, self.recipe.layers, seen, self._rng)

    # ------------------------------------------------------------ going on elsewhere

    def kept(self, at: int) -> Kept:
        """Return the games of an environment as they are now."""
        env = self.envs[at]
        opponent = env.opponent
        return env.state().arrays, opponent.memory() if isinstance(opponent, GreedyOpponent) else None

    def go_on(self, at: int, kept: Kept) -> None:
        """Go back to games of an environment like this one."""
        env, (arrays, memory) = self.envs[at], kept
        env.set_state(EnvState(env.game.id, arrays))
        if isinstance(env.opponent, GreedyOpponent):
            env.opponent.remember(memory)


def act(weights: Tensors, layers: int, seen: Observation, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a legal action for each observation, drawn by its chances."""
    with torch.no_grad():
        numbers, _ = forward(weights, layers, tensor(seen.planes), tensor(seen.scalars))
        numbers = torch.log_softmax(numbers.masked_fill(~tensor(seen.mask), torch_network.NEVER), dim=1)
    return sampled(numbers.numpy(), rng)


@dataclass(frozen=True)
class Part:
    """A part of the games of a learner, between two updates."""

    number: int
    updates: int
    rng: dict[str, Any]
    """the state of its random numbers"""
    games: tuple[Kept | None, ...]
    """of each environment; None where games are to begin"""


@dataclass(frozen=True)
class PlayedPart:
    """A part after some steps, with what can be learned from them."""

    part: Part
    batch: Batch
    scores: dict[str, Scores]


def first_parts(recipe: Recipe, groups: int) -> list[Part]:
    """Return the parts of a new run."""
    rngs = [np.random.default_rng([recipe.seed, number]) for number in range(recipe.parts)]
    return [
        Part(number, 0, dict(rng.bit_generator.state), (None,) * groups) for number, rng in enumerate(rngs)
    ]


class PlayWork:
    """Plays a part for some steps with the weights of an update."""

    def __init__(self, recipe: Recipe, weights: dict[str, Floats], earlier: dict[str, Floats]) -> None:
        self._recipe, self._weights, self._earlier = recipe, weights, earlier

    def __call__(self, part: Part) -> PlayedPart:
        """Play a part from where it stands."""
        games = _games(msgspec.json.encode(self._recipe))
        rng = np.random.default_rng(0)
        rng.bit_generator.state = part.rng
        games.seat(as_tensors(self._weights), as_tensors(self._earlier), rng)
        for at, kept in enumerate(part.games):
            if kept is None:
                games.begin(at, part.updates, part.number)
            else:
                games.go_on(at, kept)
        batch, scores = games.play()
        after = tuple(games.kept(at) for at in range(len(games.envs)))
        done = replace(part, rng=dict(rng.bit_generator.state), games=after)
        return PlayedPart(done, batch, scores)


@lru_cache(maxsize=1)
def _games(recipe: bytes) -> Games:
    """Return the games of a part; this process keeps them from update to update, whatever part it plays."""
    return Games(msgspec.json.decode(recipe, type=Recipe))
