"""Setup types: how the armies of one side are likely to stand at the start.

Three sources are mixed: a uniform type, the built-in styles (`setups.styles`, sampled once), and types fitted
to people's setups (`setup_types.json`), translated by role and rank.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from random import Random

import numpy as np
from numpy.typing import NDArray

from flagfall.board import column_of, row_of
from flagfall.edition.schema import Game
from flagfall.players.roles import ArmyKind, army_kinds, kind_translation, role_of
from flagfall.setups import mirrored, style_names, styled_setup
from flagfall.setups.setup import Setup

Reals = NDArray[np.float64]
FILE = "setup_types.json"
_STEP = 0.04
"""nats per unit of a stored byte"""


@dataclass(frozen=True, eq=False)
class FittedTypes:
    """Types fitted to setups on ``rows`` × ``columns`` squares, back row first, without mirror images."""

    rows: int
    columns: int
    army: tuple[ArmyKind, ...]
    share: Reals
    table: Reals
    """``[type, square, kind]``"""

    def to_json(self) -> str:
        """Return the text of a file."""
        types = []
        for share, table in sorted(zip(self.share, self.table, strict=True), key=lambda pair: -pair[0]):
            bytes_ = np.clip(np.rint(-np.log(np.maximum(table, 1e-9)) / _STEP), 0, 255).astype(np.uint8)
            types.append(
                {"share": round(float(share), 6), "odds": base64.b85encode(bytes_.tobytes()).decode()}
            )
        army = [{"part": place.role, "rank": place.rank, "count": place.count} for place in self.army]
        return json.dumps(
            {"rows": self.rows, "columns": self.columns, "army": army, "types": types}, indent=1
        )

    def with_mirrors(self) -> tuple[Reals, Reals]:
        """Return shares and tables, mirror images after the others."""
        mirror = mirror_of(self.rows, self.columns)
        return np.concatenate([self.share, self.share]) / 2, np.concatenate(
            [self.table, self.table[:, mirror]]
        )


def mirror_of(rows: int, columns: int) -> NDArray[np.int64]:
    """Return the mirror image of each square."""
    squares = np.arange(rows * columns).reshape(rows, columns)
    return squares[:, ::-1].reshape(-1)


def read(text: str) -> FittedTypes:
    """Return the types in the text of a file."""
    data = json.loads(text)
    army = tuple(ArmyKind(one["part"], one["rank"], one["count"]) for one in data["army"])
    rows, columns = data["rows"], data["columns"]
    tables = []
    for one in data["types"]:
        steps = np.frombuffer(base64.b85decode(one["odds"]), dtype=np.uint8).astype(np.float64)
        table = np.exp(-_STEP * steps).reshape(rows * columns, len(army))
        tables.append(table / table.sum(axis=1, keepdims=True))
    share = np.array([one["share"] for one in data["types"]], dtype=np.float64)
    return FittedTypes(rows, columns, army, share / share.sum(), np.stack(tables))


@lru_cache(maxsize=1)
def default_types() -> FittedTypes:
    """Return the built-in types."""
    return read((files("flagfall.players.belief") / FILE).read_text(encoding="utf-8"))


def adapted_types(game: Game, side: int, source: FittedTypes | None = None) -> tuple[Reals, Reals]:
    """Return shares and tables for the home squares of a side, including mirror images."""
    known = source or default_types()
    share, table = known.with_mirrors()
    table = table @ kind_translation(known.army, army_kinds(game, side))
    roster = np.array(game.rosters[side], dtype=np.float64)
    own = table[:, [_nearest(game, side, cell, known) for cell in game.board.home(side)]]
    if (len(game.board.home(side)), game.army_size(side)) != (known.rows * known.columns,) * 2:
        own = own * (roster / np.maximum(own.mean(axis=1), 1e-9).mean(axis=0) / roster.sum())
    return share, own / own.sum(axis=2, keepdims=True)


def _nearest(game: Game, side: int, cell: int, known: FittedTypes) -> int:
    """Return the fitted square at the place of a home square of this game."""
    deep = row_of(cell) - 1 if side == 0 else game.board.rows - row_of(cell)
    row = round(deep * (known.rows - 1) / max(game.board.home_rows - 1, 1))
    column = round((column_of(cell) - 1) * (known.columns - 1) / max(game.board.columns - 1, 1))
    return row * known.columns + column


SETUPS_PER_STYLE = 40
UNIFORM_TYPE_SHARE = 0.05
STYLE_SHARE = 0.15
UNIFORM_SHARE = 0.02
"""the uniform part of every type, so that no setup is impossible"""


@dataclass(frozen=True, eq=False)
class SetupTypes:
    """The types of one side: ``table[type, square, kind]``, each row of kinds adding up to 1."""

    share: Reals
    table: Reals
    squares: dict[int, int]
    """cell → row of the tables"""

    def at(self, cells: Sequence[int]) -> Reals:
        """Return ``[type, cell, kind]``; for cells outside the home rows the mean of all squares."""
        rows = [self.squares.get(cell, -1) for cell in cells]
        found: Reals = self.table[:, rows]
        away = [i for i, row in enumerate(rows) if row < 0]
        found[:, away] = self.table.mean(axis=1, keepdims=True)
        return found


@lru_cache(maxsize=32)
def setup_types(game: Game, side: int) -> SetupTypes:
    """Return all types of a side with their prior shares."""
    styles = style_types(game, side)
    roster = np.array(game.rosters[side], dtype=np.float64)
    even = np.broadcast_to(roster / roster.sum(), (1, *styles.table.shape[1:]))
    share, people = adapted_types(game, side)
    shares = np.concatenate(
        [[UNIFORM_TYPE_SHARE], STYLE_SHARE * styles.share, (1.0 - UNIFORM_TYPE_SHARE - STYLE_SHARE) * share]
    )
    table = np.concatenate([even, styles.table, people])
    table = (1.0 - UNIFORM_SHARE) * table + UNIFORM_SHARE * even
    return SetupTypes(shares / shares.sum(), table, styles.squares)


@lru_cache(maxsize=8)
def style_types(game: Game, side: int) -> SetupTypes:
    """Return two types for each built-in style, with the flag on the left and on the right."""
    cells = game.board.home(side)
    roster = np.array(game.rosters[side], dtype=np.float64)
    place, tables = {cell: i for i, cell in enumerate(cells)}, []
    for style in style_names(game):
        rng = Random(f"{game.id}/{side}/{style}")
        held = np.zeros((2, len(cells), len(game.kinds)))
        for _ in range(SETUPS_PER_STYLE):
            setup = styled_setup(game, side, style, rng)
            pair = (setup, mirrored(setup))
            for hand, one in enumerate(pair if _is_left(setup) else reversed(pair)):
                for cell, kind in one.kinds.items():
                    held[hand, place[cell], kind] += 1
        prior_strength = 4.0
        prior = prior_strength * roster / roster.sum()
        tables.append((held + prior) / (held.sum(axis=2, keepdims=True) + prior_strength))
    share = np.full(2 * len(tables), 0.5 / len(tables))
    return SetupTypes(share, np.concatenate(tables), place)


def _is_left(setup: Setup) -> bool:
    flags = [cell for cell, kind in setup.kinds.items() if role_of(setup.game, kind) == "flag"]
    return not flags or flags[0] % 12 * 2 <= setup.game.board.columns


TEMPER = 0.8


def log_posterior(share: Reals, evidence: Reals) -> Reals:
    """Return the log share of every type, not normalised; ``evidence[type, piece]`` are likelihoods."""
    told: Reals = TEMPER * np.log(np.maximum(evidence, 1e-12)).sum(axis=1)
    return told + np.log(np.maximum(share, 1e-300))


def likeliest_types(log_shares: Reals, table: Reals, most: int) -> tuple[Reals, Reals]:
    """Return shares and tables of the likeliest types, and of the others as one average type."""
    share = np.exp(log_shares - log_shares.max())
    share /= share.sum()
    order = np.argsort(-share, kind="stable")
    first, others = order[:most], order[most:]
    rest = float(share[others].sum()) if len(others) else 0.0
    if rest < 1e-6:
        return share[first] / share[first].sum(), table[first]
    average = np.tensordot(share[others] / rest, table[others], 1)
    return np.append(share[first], rest), np.concatenate([table[first], average[None]])
