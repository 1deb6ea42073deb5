"""Networks of a policy and a value, in plain NumPy: what they are made of, and what they answer.

A network sees the planes and scalars of an observation (`layout.py`) and gives a number for every action and
one for the chance to win. It is small and the same for every game; only sizes differ::

    planes --3×3--> channels --3×3, added to itself--> channels … --+--> a number for each slot of each square
    scalars ------> added everywhere                                +--> context --> value, actions without
                                                                                     a square

The learner (`flagfall.training`) computes the same in torch with the same weights.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flagfall.rl.layout import Layout

Floats = NDArray[np.float32]
Weights = Mapping[str, Floats]
SCALAR_SCALE = 0.5
"""scalars enter as the logarithm of one more than the number, times this"""


class NetworkShape(Struct, frozen=True):
    """The sizes of a network; they fit one game with its options."""

    planes: int
    rows: int
    columns: int
    scalars: int
    slots: int
    rest: int
    """actions without a square"""
    channels: int
    layers: int
    """layers of 3×3 after the first"""

    def arrays(self) -> dict[str, tuple[int, ...]]:
        """Return the name and the shape of every array of weights."""
        c, context = self.channels, 2 * self.channels
        found: dict[str, tuple[int, ...]] = {
            "input.planes": (c, self.planes, 3, 3),
            "input.scalars": (self.scalars, c),
            "input.place": (c, self.rows, self.columns),
        }
        for layer in range(self.layers):
            found[f"layer{layer}.weight"] = (c, c, 3, 3)
            found[f"layer{layer}.bias"] = (c,)
        return found | {
            "context.board": (context, context),
            "context.scalars": (self.scalars, context),
            "context.bias": (context,),
            "policy.board": (c, c),
            "policy.context": (context, c),
            "policy.bias": (c,),
            "slots.weight": (c, self.slots),
            "slots.bias": (self.slots,),
            "rest.weight": (context, self.rest),
            "rest.bias": (self.rest,),
            "value.hidden": (context, context),
            "value.hidden_bias": (context,),
            "value.weight": (context, 1),
            "value.bias": (1,),
        }

    @property
    def actions(self) -> int:
        """How many actions there are."""
        return self.rows * self.columns * self.slots + self.rest


def shape_for(layout: Layout, channels: int, layers: int) -> NetworkShape:
    """Return the sizes of a network for the observations and actions of a layout."""
    space = layout.space
    return NetworkShape(
        planes=layout.plane_count,
        rows=space.rows,
        columns=space.columns,
        scalars=layout.scalar_count,
        slots=space.slots,
        rest=space.size - space.squares * space.slots,
        channels=channels,
        layers=layers,
    )


def evaluate(weights: Weights, layers: int, planes: NDArray[np.uint8], scalars: NDArray[np.int16]) -> tuple[
    Floats, Floats
]:  # fmt: skip
    """Return the number of every action, ``[game, action]``, and the values from -1 to 1, ``[game]``."""
    numbers = np.log1p(np.maximum(scalars, 0).astype(np.float32)) * np.float32(SCALAR_SCALE)
    board = _around(planes.astype(np.float32), weights["input.planes"])
    board += (numbers @ weights["input.scalars"])[:, :, None, None]
    board = np.maximum(board + weights["input.place"], 0)
    for layer in range(layers):
        bias = weights[f"layer{layer}.bias"][:, None, None]
        board = np.maximum(board + _around(board, weights[f"layer{layer}.weight"]) + bias, 0)
    squares = board.reshape(*board.shape[:2], -1)
    pooled = np.concatenate([squares.mean(2), squares.max(2)], axis=1)
    context = pooled @ weights["context.board"] + numbers @ weights["context.scalars"]
    context = np.maximum(context + weights["context.bias"], 0)
    aims = squares.transpose(0, 2, 1) @ weights["policy.board"]
    aims += (context @ weights["policy.context"] + weights["policy.bias"])[:, None]
    slots = np.maximum(aims, 0) @ weights["slots.weight"] + weights["slots.bias"]
    rest = context @ weights["rest.weight"] + weights["rest.bias"]
    hidden = np.maximum(context @ weights["value.hidden"] + weights["value.hidden_bias"], 0)
    values = np.tanh(hidden @ weights["value.weight"] + weights["value.bias"])[:, 0]
    return np.concatenate([slots.reshape(len(slots), -1), rest], axis=1), values


def _around(board: Floats, weight: Floats) -> Floats:
    """Return the sum over each square and its eight neighbours, with a weight for every channel."""
    n, _, rows, columns = board.shape
    padded = np.pad(board, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    flat = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * rows * columns, -1)
    summed: Floats = flat @ weight.reshape(len(weight), -1).T
    return np.ascontiguousarray(summed.reshape(n, rows, columns, -1).transpose(0, 3, 1, 2))
