"""Playing with the present policy, and keeping what it learns from: what it saw, chose and got."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from flagfall.rl import VectorEnv
from flagfall.rl import layout as L
from flagfall.rl.greedy_opponent import StyledSetups
from flagfall.training.advantages import Floats, advantages


class Chooser(Protocol):
    """What the present policy says of positions."""

    def __call__(
        self,
        planes: NDArray[np.uint8],
        scalars: NDArray[np.int16],
        legal: NDArray[np.int32],
        counts: NDArray[np.int32],
    ) -> tuple[Floats, Floats]:
        """Return the logarithm of the chance of each legal action, and the values."""


@dataclass(frozen=True)
class Batch:
    """Positions with what was chosen and what it led to; the first axis is the positions."""

    planes: NDArray[np.uint8]
    scalars: NDArray[np.int16]
    legal: NDArray[np.int32]
    counts: NDArray[np.int32]
    chosen: NDArray[np.int64]
    """the place of the action in the list of legal ones"""
    log_chances: Floats
    """of the chosen action when it was chosen"""
    advantages: Floats
    targets: Floats
    """what the values should have been"""

    def __len__(self) -> int:
        return len(self.planes)


def joined(batches: list[Batch]) -> Batch:
    """Return one batch of several."""
    return Batch(
        *(np.concatenate(arrays) for arrays in zip(*(vars(b).values() for b in batches), strict=True))
    )


@dataclass
class Scores:
    """Results of the games that ended, from the learner's side where it has one seat."""

    games: int = 0
    turns: int = 0
    won: int = 0
    drawn: int = 0

    def add(self, more: Scores) -> None:
        """Count the results of more games too."""
        self.games += more.games
        self.turns += more.turns
        self.won += more.won
        self.drawn += more.drawn


class Dealer:
    """Sets armies up in random styles in some games of an environment, whatever the policy would choose."""

    def __init__(self, env: VectorEnv, games: int) -> None:
        self._env, self._games = env, games
        self._next: dict[tuple[int, bytes], list[int]] = {}
        """where the next piece may go, by side and by what has been placed so far"""
        for side, orders in enumerate(StyledSetups(env.layout).by_side):
            for order in orders:
                self._add(side, order)

    def _add(self, side: int, order: Sequence[int]) -> None:
        layout = self._env.layout
        placed = np.zeros((layout.kinds, layout.space.squares), dtype=np.uint8)
        for kind, number in zip(layout.piece_kinds[side], order, strict=True):
            self._next.setdefault((side, placed.tobytes()), []).append(number)
            placed[layout.army_kinds[side].index(kind), number // layout.space.slots] = 1

    def imposed(self, rng: np.random.Generator) -> dict[int, int]:
        """Return the place in the list of legal actions that is imposed, by game; none once all is placed."""
        env, found = self._env, dict[int, int]()
        for i in np.flatnonzero(env.scalars[: self._games, L.ASKED + L.ASK_PLACE]).tolist():
            placed = env.planes[i, : env.layout.kinds].tobytes()
            if choices := self._next.get((int(env.to_play[i]), placed)):
                number = choices[int(rng.integers(len(choices)))]
                found[i] = env.legal[i, : env.count[i]].tolist().index(number)
        return found


def collect(
    env: VectorEnv,
    steps: int,
    choose: Chooser,
    rng: np.random.Generator,
    decay: float,
    scores: Scores,
    dealer: Dealer | None = None,
) -> Batch:
    """Play some steps of every game and return what can be learned from them; not what was imposed."""
    n = env.n
    everyone = np.arange(n)
    kept: list[tuple[NDArray[Any], ...]] = []
    free: list[NDArray[np.bool_]] = []
    steps_of: list[tuple[NDArray[Any], ...]] = []
    for _ in range(steps):
        mover = env.to_play.copy()
        seen = (env.planes.copy(), env.scalars.copy(), env.legal.copy(), env.count.copy())
        chances, values = choose(*seen)
        chosen = sampled(chances, rng)
        is_free = np.ones(n, dtype=np.bool_)
        for game, place in (dealer.imposed(rng) if dealer else {}).items():
            chosen[game], is_free[game] = place, False
        env.step(seen[2][everyone, chosen])
        has_ended = env.results[:, 0] != 0
        scores.games += int(has_ended.sum())
        scores.turns += int(env.results[has_ended, 3].sum())
        mine = env.rewards[everyone, env.seats][has_ended]
        scores.won += int((mine > 0).sum())
        scores.drawn += int((mine == 0).sum())
        kept.append((*seen, chosen, chances[everyone, chosen]))
        free.append(is_free)
        steps_of.append((env.rewards.astype(np.float32), values, mover, has_ended))
    _, last_values = choose(env.planes, env.scalars, env.legal, env.count)
    rewards, values, movers, has_ended = (np.stack(arrays) for arrays in zip(*steps_of, strict=True))
    found = advantages(rewards, values, movers, has_ended, last_values, env.to_play, decay)
    flat = [np.stack(arrays).reshape(steps * n, *arrays[0].shape[1:]) for arrays in zip(*kept, strict=True)]
    flat += [found.reshape(-1), (found + values).reshape(-1)]
    rows = np.stack(free).reshape(-1)
    return Batch(*(flat if rows.all() else [array[rows] for array in flat]))


def sampled(log_chances: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a place in each list, drawn by its chances."""
    noise = -np.log(-np.log(rng.random(log_chances.shape, dtype=np.float32) + 1e-12) + 1e-12)
    drawn: NDArray[np.int64] = (log_chances + noise.astype(np.float32)).argmax(1)
    return drawn
