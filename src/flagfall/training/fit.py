"""Fitting a network to examples: what was chosen becomes likely, and the value becomes the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import torch
from msgspec import Struct

from flagfall.rl.network import Floats, NetworkShape
from flagfall.training.examples import Batch
from flagfall.training.recipe import TrainingError
from flagfall.training.torch_network import (
    NEVER,
    Tensors,
    as_arrays,
    as_tensors,
    forward,
    new_weights,
    tensor,
)

ARRAYS = ("planes", "scalars", "mask", "action", "result")


class Fitted(Struct, frozen=True):
    """How well a network fits after one pass over the examples; means over examples that it had not seen."""

    number: int
    examples: int
    nats: float
    """minus the logarithm of the chance of what was chosen"""
    agrees: float
    """how often the likeliest action is the one that was chosen"""
    error: float
    """of the values, squared"""


def fit(
    shape: NetworkShape,
    learned: Callable[[], Iterable[Batch]],
    held_out: Sequence[Batch],
    *,
    passes: int,
    seed: int,
    rate: float = 1e-3,
    size: int = 256,
    start: dict[str, Floats] | None = None,
    progress: Callable[[Fitted], None] = lambda fitted: None,
) -> dict[str, Floats]:
    """Return weights that fit examples; ``learned()`` yields them anew for each pass.

    Batches may have any length: they are put together and cut into parts of ``size``, mixed within a window
    of 32 parts.
    """
    torch.set_num_threads(1)
    weights = new_weights(shape, seed) if start is None else as_tensors(start)
    adam = torch.optim.Adam(list(weights.values()), lr=rate)
    rng = np.random.default_rng(seed)
    for number in range(1, passes + 1):
        examples = 0
        for part in _mixed(learned(), size, rng):
            nats, error, _ = _losses(weights, shape.layers, part)
            adam.zero_grad()
            (nats.mean() + 0.5 * error.mean()).backward()
            adam.step()
            examples += len(part["action"])
        if not examples:
            raise TrainingError("There are no examples to learn from.")
        progress(_checked(weights, shape.layers, held_out, number, examples))
    return as_arrays(weights)


def _losses(weights: Tensors, layers: int, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    numbers, values = forward(weights, layers, tensor(batch["planes"]), tensor(batch["scalars"]))
    chances = torch.log_softmax(numbers.masked_fill(~tensor(batch["mask"]), NEVER), dim=1)
    action = tensor(batch["action"]).long()
    nats = -chances.gather(1, action[:, None])[:, 0]
    error = (values - tensor(batch["result"]).float()) ** 2
    return nats, error, chances.argmax(1) == action


def _checked(weights: Tensors, layers: int, held_out: Sequence[Batch], number: int, examples: int) -> Fitted:
    with torch.no_grad():
        found = [_losses(weights, layers, batch) for batch in held_out]
    if not found:
        return Fitted(number, examples, float("nan"), float("nan"), float("nan"))
    nats, error, agrees = (torch.cat(parts).float().mean() for parts in zip(*found, strict=True))
    return Fitted(number, examples, float(nats), float(agrees), float(error))


def _mixed(batches: Iterable[Batch], size: int, rng: np.random.Generator) -> Iterable[Batch]:
    """Yield parts of a given size, mixed."""
    waiting: list[Batch] = []
    count = 0
    for batch in batches:
        check_batch(batch)
        waiting.append(batch)
        count += len(batch["action"])
        if count >= 32 * size:
            yield from _cut(waiting, size, rng)
            waiting, count = [], 0
    if waiting:
        yield from _cut(waiting, size, rng)


def _cut(batches: Sequence[Batch], size: int, rng: np.random.Generator) -> Iterable[Batch]:
    whole = {name: np.concatenate([batch[name] for batch in batches]) for name in ARRAYS}
    order = rng.permutation(len(whole["action"]))
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        yield {name: array[rows] for name, array in whole.items()}


def check_batch(batch: Batch) -> None:
    """Refuse examples that lack something, or whose action was not legal."""
    missing = [name for name in ARRAYS if name not in batch]
    if missing:
        raise TrainingError(f"The examples lack {', '.join(missing)}.")
    rows = np.arange(len(batch["action"]))
    if not batch["mask"][rows, batch["action"]].all():
        raise TrainingError("An example has an action that was not legal.")
