"""The network of `flagfall.rl.network` in torch: new weights, and what they answer, with gradients."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from flagfall.rl.network import SCALAR_SCALE, Floats, NetworkShape

Tensors = dict[str, torch.Tensor]
_QUIET = ("slots.weight", "rest.weight", "value.weight")
"""these begin near zero: at first all actions are nearly alike and nobody wins"""


def new_weights(shape: NetworkShape, seed: int) -> Tensors:
    """Return weights to begin with."""
    rng = np.random.default_rng(seed)
    weights: Tensors = {}
    for name, sizes in shape.arrays().items():
        if len(sizes) == 1 or name == "input.place":
            values = np.zeros(sizes)
        else:
            incoming = int(np.prod(sizes[1:])) if len(sizes) == 4 else sizes[0]
            scale = 0.01 if name in _QUIET else np.sqrt(2 / max(incoming, 1))
            values = rng.normal(0, scale / (2 if name.startswith("layer") else 1), sizes)
        weights[name] = torch.tensor(values, dtype=torch.float32, requires_grad=True)
    return weights


def as_tensors(arrays: Mapping[str, Floats]) -> Tensors:
    """Return copies of weights to learn with."""
    return {name: torch.tensor(array, requires_grad=True) for name, array in arrays.items()}


def as_arrays(weights: Tensors) -> dict[str, Floats]:
    """Return copies of weights as NumPy arrays."""
    return {name: tensor.detach().numpy().copy() for name, tensor in weights.items()}


def forward(
    weights: Tensors, layers: int, planes: torch.Tensor, scalars: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the number of every action, ``[game, action]``, and the values, ``[game]``."""
    w = weights
    numbers = torch.log1p(scalars.clamp(min=0).float()) * SCALAR_SCALE
    board = functional.conv2d(_wide(planes.float()), w["input.planes"], padding=1)
    board = torch.relu(board + (numbers @ w["input.scalars"])[:, :, None, None] + w["input.place"])
    for layer in range(layers):
        bias = w[f"layer{layer}.bias"]
        around = functional.conv2d(board, w[f"layer{layer}.weight"], bias, padding=1)
        board = torch.relu(board + around)
    squares = board.flatten(2)
    pooled = torch.cat([squares.mean(2), squares.amax(2)], dim=1)
    context = torch.relu(pooled @ w["context.board"] + numbers @ w["context.scalars"] + w["context.bias"])
    aims = squares.transpose(1, 2) @ w["policy.board"]
    aims = torch.relu(aims + (context @ w["policy.context"] + w["policy.bias"])[:, None])
    slots = aims @ w["slots.weight"] + w["slots.bias"]
    rest = context @ w["rest.weight"] + w["rest.bias"]
    hidden = torch.relu(context @ w["value.hidden"] + w["value.hidden_bias"])
    values = torch.tanh(hidden @ w["value.weight"] + w["value.bias"])[:, 0]
    return torch.cat([slots.flatten(1), rest], dim=1), values


def _wide(planes: torch.Tensor) -> torch.Tensor:
    """Return planes in the order of memory in which convolutions are quickest here."""
    return planes.contiguous(memory_format=torch.channels_last)


def log_chances(numbers: torch.Tensor, legal: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """Return the logarithm of the chance of each legal action, ``[game, place in the list]``.

    Actions that are not legal take no part; places after the end of the list have a chance of zero.
    """
    chosen = numbers.gather(1, legal.long())
    is_none = torch.arange(legal.shape[1]) >= counts[:, None]
    return torch.log_softmax(chosen.masked_fill(is_none, NEVER), dim=1)


NEVER = -1e9
"""the number of an action that is not legal: its chance is exactly zero"""


def tensor(array: NDArray[np.generic]) -> torch.Tensor:
    """Return a tensor that shares an array's memory."""
    return torch.from_numpy(np.ascontiguousarray(array))
