"""Fit a network to what it should correct: sums of table rows in torch, then rounded to integers.

The target of a position is a mean of the win chances that the player saw later in the game, nearer ones more,
and of the result (TD(λ)). The table is a sum of three: by kind and status, by kind and square, by all, so
that what is rare learns from what is like it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from torch import nn

from flagfall.board import CELLS, STRIDE
from flagfall.edition import Game
from flagfall.engine import state as S
from flagfall.engine.tables import PIECES
from flagfall.players.evaluation.value_net import ValueNet, header_for, turned_sum
from flagfall.players.search.leaf_net import LEAD, ONE, STATUSES
from flagfall.training.value_games import CHANCE, FACTS, ValueGame

UNIT: Final = 100.0
"""the lead of a weight of 1"""
_BATCH: Final = 2048
_DECAY: Final = (0.02, 0.05, 0.4)
"""of weights, by table: kind and status, kind and square, all"""
_MAX_INT16: Final = 32767
_NEAR: Final = 2
"""rows before and after a quiet position without a capture"""
Reals = NDArray[np.float64]


class ValueExamples(Struct, frozen=True):
    """Positions as the network gets them."""

    rows: NDArray[np.int32]
    """places in the table, filled up with its end"""
    turned: NDArray[np.int32]
    """the same, left and right exchanged"""
    is_after: NDArray[np.int64]
    static: NDArray[np.float32]
    scale: NDArray[np.float32]
    targets: NDArray[np.float32]
    results: NDArray[np.float32]
    games: NDArray[np.int64]

    def part(self, chosen: NDArray[Any]) -> ValueExamples:
        """Return some of the positions."""
        return ValueExamples(*(getattr(self, name)[chosen] for name in self.__struct_fields__))


class Tenth(Struct, frozen=True):
    """Positions whose win chance lies in one tenth: how many, what was said on average, what happened."""

    positions: int
    said: float
    happened: float


class ValueFit(Struct, frozen=True):
    """How a fit went, on games that were not fitted."""

    passes: int
    positions: int
    games: int
    hand_made: float
    """loss of the hand-made evaluation alone, in nats, with the best factor"""
    loss: float
    results_hand_made: float
    """the same against the results of the games"""
    results_loss: float
    factor: float
    """by which a lead counts more than the player thinks"""
    bins: list[Tenth]
    """chances that the corrected evaluation says against results"""
    curve: list[tuple[float, float]]
    """loss of what was fitted and what was not, by pass"""


def examples(game: Game, played: Sequence[ValueGame], decay: float, most: int, seed: int) -> ValueExamples:
    """Return quiet positions, at most so many of each game: a long one says no more than a short one."""
    rng, parts, targets, results, games = np.random.default_rng(seed), [], [], [], []
    for one in played:
        positions = one.positions()
        if not len(positions):
            continue
        wanted, ends = _targets(positions, one.points, decay)
        quiet = np.flatnonzero(_is_quiet(positions))
        chosen = np.sort(rng.permutation(quiet)[:most])
        parts.append(positions[chosen])
        targets.append(wanted[chosen])
        results.append(ends[chosen])
        games.append(np.full(len(chosen), one.index))
    every = np.concatenate(parts)
    places, turned = _places(game, every)
    facts = {name: every[:, at] for at, name in enumerate(FACTS)}
    return ValueExamples(
        rows=places,
        turned=turned,
        is_after=facts["is_after"].astype(np.int64),
        static=facts["static"].astype(np.float32),
        scale=facts["scale"].astype(np.float32),
        targets=np.concatenate(targets).astype(np.float32),
        results=np.concatenate(results).astype(np.float32),
        games=np.concatenate(games),
    )


def _targets(positions: NDArray[np.int16], points: float, decay: float) -> tuple[Reals, Reals]:
    """Return the target of each position, and its viewer's points."""
    viewers, is_after = positions[:, 0], positions[:, 1] > 0
    chances = positions[:, FACTS.index("chance")] / CHANCE
    targets, ends = np.zeros(len(positions)), np.zeros(len(positions))
    for viewer in (0, 1):
        ends[viewers == viewer] = end = points if viewer == 0 else 1.0 - points
        ahead = end
        for at in np.flatnonzero(viewers == viewer)[::-1]:
            if not is_after[at]:
                ahead = (1.0 - decay) * chances[at] + decay * ahead
            targets[at] = ahead
    return targets, ends


def _is_quiet(positions: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Return whether nothing was captured right before and after each position.

    In the middle of an exchange the search goes on; a network that has to value such positions learns to
    guess what is captured next. What one player leaves is what the other finds, so two rows are looked at.
    """
    count = (positions[:, len(FACTS) : len(FACTS) + PIECES] != 0).sum(axis=1)
    near = np.pad(count, _NEAR, mode="edge")
    others = [near[at : at + len(count)] for at in range(2 * _NEAR + 1)]
    quiet: NDArray[np.bool_] = np.all([other == count for other in others], axis=0)
    return quiet


def _places(game: Game, positions: NDArray[np.int16]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the places of all pieces in the table, as they stand and with left and right exchanged."""
    cells = positions[:, len(FACTS) : len(FACTS) + PIECES].astype(np.int64)
    infos = positions[:, len(FACTS) + PIECES :].astype(np.int64)
    viewer = positions[:, :1].astype(np.int64)
    side = infos >> S.OWNER_SHIFT & 1
    is_told = infos & (S.TOLD_SOUTH << (1 - side)) != 0
    status = np.where(is_told, 2, (infos & S.MOVED != 0) * 1)
    sort = ((side ^ viewer) * len(game.kinds) + (infos & S.KIND_MASK)) * STATUSES + status
    there = np.where(viewer == 1, turned_sum(game) - cells, cells)
    open_cells, stands = game.board.open_cells(), cells != 0
    place = np.zeros(CELLS, dtype=np.int64)
    place[open_cells] = np.arange(len(open_cells))
    other = there // STRIDE * STRIDE + game.board.columns + 1 - there % STRIDE
    is_even = {
        cell // STRIDE * STRIDE + game.board.columns + 1 - cell % STRIDE for cell in open_cells
    } == set(open_cells)
    end = 2 * len(game.kinds) * STATUSES * len(open_cells)
    most = int(stands.sum(axis=1).max(initial=1))
    order = np.argsort(~stands, axis=1, kind="stable")[:, :most]
    found = []
    for where in (there, other if is_even else there):
        every = np.where(stands, sort * len(open_cells) + place[np.where(stands, where, 0)], end)
        found.append(np.take_along_axis(every, order, axis=1).astype(np.int32))
    return found[0], found[1]


class RealNet:
    """The network in real numbers."""

    def __init__(self, game: Game, hidden: int) -> None:
        kinds, cells, width = len(game.kinds), len(game.board.open_cells()), hidden + 1
        self.by_status = nn.Parameter(torch.zeros(2, kinds, STATUSES, 1, width))
        self.by_cell = nn.Parameter(torch.zeros(2, kinds, 1, cells, width))
        self.by_all = nn.Parameter(torch.zeros(2, kinds, STATUSES, cells, width))
        self.bias = nn.Parameter(torch.zeros(2, width))
        self.out = nn.Parameter(torch.zeros(hidden))
        self.factor = nn.Parameter(torch.zeros(()))
        with torch.no_grad():
            self.by_status[..., 1:].normal_(0.0, 0.1)
            self.by_cell[..., 1:].normal_(0.0, 0.05)
            self.bias[:, 1:] = 0.5

    def parameters(self) -> list[torch.Tensor]:
        """Return all that is fitted."""
        return [self.by_status, self.by_cell, self.by_all, self.bias, self.out, self.factor]

    def copies(self) -> list[torch.Tensor]:
        """Return all that is fitted, as it is now."""
        return [each.detach().clone() for each in self.parameters()]

    def table(self) -> torch.Tensor:
        """Return the table, with a row of zeros at its end."""
        rows = (self.by_status + self.by_cell + self.by_all).reshape(-1, self.bias.shape[1])
        return torch.cat([rows, rows.new_zeros(1, rows.shape[1])])

    def __call__(
        self, rows: torch.Tensor, is_after: torch.Tensor, static: torch.Tensor, scale: torch.Tensor
    ) -> torch.Tensor:
        """Return the log odds of a win."""
        return self.log_odds(static + UNIT * self.correction(rows, is_after), scale)

    def correction(self, rows: torch.Tensor, is_after: torch.Tensor) -> torch.Tensor:
        """Return what is added to the hand-made evaluation, in units."""
        sums = nn.functional.embedding_bag(rows, self.table(), mode="sum") + self.bias[is_after]
        found: torch.Tensor = sums[:, 0] + sums[:, 1:].clamp(0.0, 1.0) @ self.out
        return found

    def log_odds(self, lead: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        """Return the log odds of a lead."""
        return torch.asinh(self.factor.exp() * lead / scale)

    def rounded(self, game: Game, hidden: int, trained: str) -> ValueNet:
        """Return the network in integers."""
        header = header_for(game, hidden, trained=trained)
        units = np.full(hidden + 1, float(ONE))
        units[0] = UNIT * LEAD
        table = (self.by_status + self.by_cell + self.by_all).detach().numpy() * units
        out = np.concatenate([[0.0], self.out.detach().numpy() * UNIT * LEAD])
        arrays = {"table": table, "bias": self.bias.detach().numpy() * units, "out": out}
        whole = {
            name: np.clip(np.round(array), -_MAX_INT16, _MAX_INT16).astype(np.int16)
            for name, array in arrays.items()
        }
        return ValueNet(header, whole)


def fit(
    game: Game,
    every: ValueExamples,
    hidden: int,
    *,
    passes: int,
    rate: float,
    seed: int,
    held_out: int = 8,
    progress: Callable[[int, float], None] = lambda number, loss: None,
) -> tuple[ValueNet, ValueFit]:
    """Fit a network; one game in ``held_out`` is kept apart, and the best pass on these is taken, or none."""
    torch.manual_seed(seed)
    is_held = every.games // 2 % held_out == held_out - 1  # as many against itself as against others
    fitted, held = every.part(~is_held), every.part(is_held)
    net = RealNet(game, hidden)
    groups = [
        {"params": [parameter], "weight_decay": decay}
        for parameter, decay in zip((net.by_status, net.by_cell, net.by_all), _DECAY, strict=True)
    ]
    groups.append({"params": [net.bias, net.out, net.factor], "weight_decay": 0.0})
    optimizer = torch.optim.AdamW(groups, lr=rate)
    steps = passes * max(1, -(-len(fitted.static) // _BATCH))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=0.15)
    generator = np.random.default_rng(seed)
    best, kept, curve = _loss(_odds(net, held), held.targets), net.copies(), list[tuple[float, float]]()
    for number in range(1, passes + 1):
        loss = _pass(net, fitted, optimizer, schedule, generator)
        held_loss = _loss(_odds(net, held), held.targets)
        curve.append((loss, held_loss))
        progress(number, held_loss)
        if held_loss < best:
            best, kept = held_loss, net.copies()
    with torch.no_grad():
        for parameter, value in zip(net.parameters(), kept, strict=True):
            parameter.copy_(value)
    odds, alone = _odds(net, held), _alone(fitted, held)
    chances = 1.0 / (1.0 + np.exp(-odds))
    trained = f"{len(fitted.static)} positions of {len(np.unique(fitted.games))} games, {passes} passes"
    facts = ValueFit(
        passes=passes,
        positions=len(fitted.static),
        games=len(np.unique(fitted.games)),
        hand_made=_loss(alone, held.targets),
        loss=_loss(odds, held.targets),
        results_hand_made=_loss(alone, held.results),
        results_loss=_loss(odds, held.results),
        factor=net.factor.exp().item(),
        bins=_bins(chances, held.results),
        curve=curve,
    )
    return net.rounded(game, hidden, trained), facts


def _pass(
    net: RealNet, fitted: ValueExamples, optimizer: Any, schedule: Any, generator: np.random.Generator
) -> float:
    order, total = generator.permutation(len(fitted.static)), 0.0
    for at in range(0, len(order), _BATCH):
        batch = fitted.part(np.sort(order[at : at + _BATCH]))
        rows = batch.turned if generator.random() < 0.5 else batch.rows
        odds = net(*_tensors(batch, rows))
        loss = nn.functional.binary_cross_entropy_with_logits(odds, torch.from_numpy(batch.targets))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        total += loss.item() * len(batch.static)
    return total / max(len(order), 1)


def _tensors(some: ValueExamples, rows: NDArray[np.int32]) -> tuple[torch.Tensor, ...]:
    return tuple(torch.from_numpy(each) for each in (rows, some.is_after, some.static, some.scale))


def _odds(net: RealNet, some: ValueExamples) -> Reals:
    with torch.no_grad():
        parts = [
            net(
                *_tensors(
                    some.part(np.arange(at, min(at + 8192, len(some.static)))), some.rows[at : at + 8192]
                )
            )
            for at in range(0, len(some.static), 8192)
        ]
    found: Reals = torch.cat(parts).numpy().astype(np.float64) if parts else np.zeros(0)
    return found


def _alone(fitted: ValueExamples, held: ValueExamples) -> Reals:
    """Return the log odds of the hand-made evaluation alone, with the factor that fits best."""
    factors = np.exp(np.linspace(-2.0, 2.0, 81))
    losses = [_loss(np.arcsinh(factor * fitted.static / fitted.scale), fitted.targets) for factor in factors]
    found: Reals = np.arcsinh(factors[int(np.argmin(losses))] * held.static.astype(np.float64) / held.scale)
    return found


def _bins(chances: Reals, results: NDArray[Any]) -> list[Tenth]:
    """Return what was said and what happened, by tenths; empty ones are left out."""
    tenth = np.minimum((10 * chances).astype(np.int64), 9)
    chosen = [tenth == number for number in range(10)]
    return [
        Tenth(int(one.sum()), float(chances[one].mean()), float(results[one].mean()))
        for one in chosen
        if one.any()
    ]


def _loss(odds: NDArray[Any], targets: NDArray[Any]) -> float:
    """Return the mean loss in nats."""
    return float(np.mean(np.logaddexp(0.0, odds) - targets * odds)) if len(odds) else 0.0
