"""PPO: improve a policy a little towards what turned out well, and its values towards what came of them.

The policy is held near a *reference*, a recent self (the magnet of magnetic mirror descent; R-NaD does the
same with rewards): with hidden pieces, self-play without it runs in circles as rock, paper, scissors does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch

from flagfall.training.recipe import Recipe
from flagfall.training.rollouts import Batch
from flagfall.training.torch_network import Tensors, forward, log_chances, tensor

LONGEST_GRADIENT = 0.5
"""a longer gradient is shortened to this"""


@dataclass
class Losses:
    """Means over one update."""

    policy: float = 0.0
    value: float = 0.0
    entropy: float = 0.0
    distance: float = 0.0
    """from the reference, in nats"""
    clipped: float = 0.0


class Improver:
    """Changes weights by batches of positions."""

    def __init__(self, recipe: Recipe, weights: Tensors) -> None:
        self.recipe, self.weights = recipe, weights
        self.adam = torch.optim.Adam(list(weights.values()), lr=recipe.rate, eps=1e-5)

    def improve(
        self, batch: Batch, reference: Tensors | None, update: int, rng: np.random.Generator
    ) -> Losses:
        """Learn from a batch; it is read in random order, ``epochs`` times."""
        recipe, total, count = self.recipe, Losses(), 0
        for group in self.adam.param_groups:
            group["lr"] = recipe.rate_at(update)
        held = None if reference is None else self._chances(reference, batch)
        advantages = tensor(batch.advantages)
        if recipe.scales:
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
        entropy_weight = recipe.entropy_at(update)
        for rows in parts(len(batch), recipe.batch, recipe.epochs, rng):
            found = self._step(batch, rows, advantages[torch.from_numpy(rows)], held, entropy_weight)
            count += 1
            for name, value in vars(found).items():
                setattr(total, name, getattr(total, name) + value)
        return Losses(**{name: value / count for name, value in vars(total).items()})

    def _chances(self, weights: Tensors, batch: Batch) -> torch.Tensor:
        """Return the logarithm of the chances that other weights give, without gradients."""
        found = []
        with torch.no_grad():
            for start in range(0, len(batch), self.recipe.batch):
                part = slice(start, start + self.recipe.batch)
                seen = tensor(batch.planes[part]), tensor(batch.scalars[part])
                numbers, _ = forward(weights, self.recipe.layers, *seen)
                found.append(log_chances(numbers, tensor(batch.legal[part]), tensor(batch.counts[part])))
        return torch.cat(found)

    def _step(
        self,
        batch: Batch,
        rows: np.ndarray[tuple[int], np.dtype[np.int64]],
        advantages: torch.Tensor,
        held: torch.Tensor | None,
        entropy_weight: float,
    ) -> Losses:
        recipe = self.recipe
        numbers, values = forward(
            self.weights, recipe.layers, tensor(batch.planes[rows]), tensor(batch.scalars[rows])
        )
        chances = log_chances(numbers, tensor(batch.legal[rows]), tensor(batch.counts[rows]))
        chosen = chances.gather(1, tensor(batch.chosen[rows])[:, None])[:, 0]
        ratio = torch.exp(chosen - tensor(batch.log_chances[rows]))
        policy = policy_loss(ratio, advantages, recipe.clip)
        value = ((values - tensor(batch.targets[rows])) ** 2).mean()
        entropy = -(chances.exp() * chances).sum(1).mean()
        distance = torch.zeros(())
        if held is not None:
            distance = (chances.exp() * (chances - held[torch.from_numpy(rows)])).sum(1).mean()
        loss = policy + 0.5 * value - entropy_weight * entropy + recipe.magnet * distance
        self.adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.weights.values(), LONGEST_GRADIENT)
        self.adam.step()
        clipped = ((ratio - 1).abs() > recipe.clip).float().mean()
        return Losses(*(float(x.detach()) for x in (policy, value, entropy, distance, clipped)))


def policy_loss(ratio: torch.Tensor, advantages: torch.Tensor, clip: float) -> torch.Tensor:
    """Return the clipped loss of PPO; ``ratio`` is the chance of an action now over what it was."""
    return -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def parts(
    size: int, batch: int, epochs: int, rng: np.random.Generator
) -> Iterator[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Yield the rows of parts of nearly equal sizes, in random order, each row once an epoch."""
    for _ in range(epochs):
        yield from np.array_split(rng.permutation(size), max(1, round(size / batch)))
