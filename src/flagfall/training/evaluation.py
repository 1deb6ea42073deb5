"""How well a policy plays: games against named players, each to its end.

The games are divided into parts of a fixed size, which an executor plays: what the outcome is depends on the
weights and on the seed alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from flagfall.arena.executor import Executor
from flagfall.arena.tally import wilson
from flagfall.library import ComputerPlayer
from flagfall.rl import Observation, VectorEnv
from flagfall.rl.network import Floats
from flagfall.training.elsewhere import HERE, Spent

Policy = Callable[[Observation], NDArray[np.int64]]
PART_GAMES = 20
"""games that are played at once: more are divided"""
_BETWEEN_UPDATES = 1_000_000
"""between the seeds of two evaluations"""


class Outcome(Struct, frozen=True):
    """Results of a policy against one opponent; half of the games from each side."""

    against: str
    games: int
    won: int
    drawn: int

    @property
    def score(self) -> float:
        """A win counts one, a draw a half."""
        return (self.won + self.drawn / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share of games won."""
        return wilson(self.won, self.games)

    def words(self) -> str:
        """Return it in words."""
        low, high = self.interval
        return (
            f"{self.against}: {self.won} of {self.games} won, {self.drawn} drawn "
            f"({100 * low:.0f}–{100 * high:.0f} %)"
        )


def play_against(
    policy: Policy,
    game: str,
    options: Mapping[str, str],
    opponent: str | ComputerPlayer,
    games: int,
    seed: int,
    *,
    places: bool,
    max_turns: int,
) -> Outcome:
    """Play games with the policy on both sides by turns; a game that is too long is a draw."""
    setups: Any = "agent" if places else "random"
    env = VectorEnv(
        game, games, seed, options, setups, max_turns=max_turns, autoreset=False, opponent=opponent
    )
    env.reset(seed=seed)
    won, drawn = np.zeros(games, bool), np.zeros(games, bool)
    everyone = np.arange(games)
    while (waiting := env.count > 0).any():
        actions = np.zeros(games, dtype=np.int64)
        playing = np.flatnonzero(waiting)
        seen = Observation(env.planes[playing], env.scalars[playing], env.mask[playing])
        actions[playing] = policy(seen)
        env.step(actions)
        ended = waiting & (env.count == 0)
        mine = env.rewards[everyone, env.seats]
        won |= ended & (mine > 0)
        drawn |= ended & (mine == 0)
    name = opponent if isinstance(opponent, str) else opponent.name
    return Outcome(name, games, int(won.sum()), int(drawn.sum()))


class EvaluatedPolicy(Struct, frozen=True, kw_only=True):
    """A policy with the game that it plays, as workers get it."""

    game: str
    options: dict[str, str]
    places: bool
    max_turns: int
    layers: int
    weights: dict[str, Floats]
    seed: int
    """of the evaluation"""


class EvaluatedPart(Struct, frozen=True):
    """Some games of an evaluation against one opponent."""

    against: str
    opponent: int
    """which of the opponents that is"""
    number: int
    games: int


class EvaluationWork:
    """Plays a part of an evaluation; the policy plays by its chances."""

    def __init__(self, policy: EvaluatedPolicy) -> None:
        self._policy = policy

    def __call__(self, part: EvaluatedPart) -> Outcome:
        """Play the games of a part."""
        import torch

        from flagfall.training.games import act
        from flagfall.training.torch_network import as_tensors

        torch.set_num_threads(1)
        plan, rng = self._policy, np.random.default_rng([self._policy.seed, part.opponent, part.number])
        weights = as_tensors(plan.weights)
        return play_against(
            lambda seen: act(weights, plan.layers, seen, rng),
            plan.game,
            plan.options,
            part.against,
            part.games,
            _BETWEEN_UPDATES * plan.seed + part.number,
            places=plan.places,
            max_turns=plan.max_turns,
        )


def evaluated(
    policy: EvaluatedPolicy,
    opponents: Sequence[str],
    games: int,
    executor: Executor = HERE,
    spent: Spent | None = None,
) -> list[Outcome]:
    """Return the results of a policy against each of the named players."""
    parts = [
        EvaluatedPart(name, place, number, min(PART_GAMES, games - start))
        for place, name in enumerate(opponents)
        for number, start in enumerate(range(0, games, PART_GAMES))
    ]
    found = [Outcome(name, 0, 0, 0) for name in opponents]
    results = (spent or Spent()).results(executor, EvaluationWork(policy), parts)
    for part, one in zip(parts, results, strict=True):
        so_far = found[part.opponent]
        found[part.opponent] = structs.replace(
            so_far,
            games=so_far.games + one.games,
            won=so_far.won + one.won,
            drawn=so_far.drawn + one.drawn,
        )
    return found
