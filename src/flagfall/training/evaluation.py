"""How well a policy plays: games against named players, each to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flagfall.arena.tally import wilson
from flagfall.library import ComputerPlayer
from flagfall.rl import Observation, VectorEnv

Policy = Callable[[Observation], NDArray[np.int64]]


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
