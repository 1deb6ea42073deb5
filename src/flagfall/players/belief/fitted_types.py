"""Setup types fitted to what people did, kept as a small file, for every game that has a sort of army.

The file (`setup_types.json`, made by ``flagfall tune prior``) knows no names: its kinds are parts and
strengths, its squares rows from the back and columns. A game with other kinds or another home gets them
translated.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from flagfall.board import column_of, row_of
from flagfall.edition.schema import Game
from flagfall.players.belief.parts import ArmyKind, army_kinds, kind_translation

Reals = NDArray[np.float64]
FILE = "setup_types.json"
_STEP = 0.04
"""a byte stands for so many nats"""


@dataclass(frozen=True, eq=False)
class FittedTypes:
    """Types fitted to setups on ``rows`` × ``columns`` squares, back row first; mirror images not listed."""

    rows: int
    columns: int
    army: tuple[ArmyKind, ...]
    share: Reals
    table: Reals
    """``[type, square, kind]``"""

    def to_json(self) -> str:
        """As the text of a file."""
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
        """Shares and tables, mirror images behind the others."""
        mirror = mirror_of(self.rows, self.columns)
        return np.concatenate([self.share, self.share]) / 2, np.concatenate(
            [self.table, self.table[:, mirror]]
        )


def mirror_of(rows: int, columns: int) -> NDArray[np.int64]:
    """Where each square lies in the mirror."""
    squares = np.arange(rows * columns).reshape(rows, columns)
    result: NDArray[np.int64] = squares[:, ::-1].reshape(-1)
    return result


def read(text: str) -> FittedTypes:
    """The types of a file's text."""
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
    """The types that come with the house."""
    return read((files("flagfall.players.belief") / FILE).read_text(encoding="utf-8"))


def adapted_types(game: Game, side: int, source: FittedTypes | None = None) -> tuple[Reals, Reals]:
    """Shares and tables for the home squares of a game's side, mirror images included."""
    known = source or default_types()
    share, table = known.with_mirrors()
    table = table @ kind_translation(known.army, army_kinds(game, side))
    roster = np.array(game.rosters[side], dtype=np.float64)
    own = table[:, [_nearest(game, side, cell, known) for cell in game.board.home(side)]]
    if (len(game.board.home(side)), game.army_size(side)) != (known.rows * known.columns,) * 2:
        own = own * (roster / np.maximum(own.mean(axis=1), 1e-9).mean(axis=0) / roster.sum())
    return share, own / own.sum(axis=2, keepdims=True)


def _nearest(game: Game, side: int, cell: int, known: FittedTypes) -> int:
    """The square of the fitted home that lies where a home square of this game lies."""
    deep = row_of(cell) - 1 if side == 0 else game.board.rows - row_of(cell)
    row = round(deep * (known.rows - 1) / max(game.board.home_rows - 1, 1))
    column = round((column_of(cell) - 1) * (known.columns - 1) / max(game.board.columns - 1, 1))
    return row * known.columns + column
