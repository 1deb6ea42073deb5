"""How armies are likely to stand at the start: a list of setup types for one side of a game.

Three sources are mixed: no idea at all (every setup alike), the styles of the house (`setups.styles`, tried
out once), and types fitted to setups that people made (`fitted_types.py`), brought over by part and strength.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from flagfall.edition.schema import Game
from flagfall.players.belief import fitted_types
from flagfall.players.belief.parts import role_of
from flagfall.setups import mirrored, style_names, styled_setup
from flagfall.setups.setup import Setup

Reals = NDArray[np.float64]
SETUPS_PER_STYLE = 40
"""setups of each style that are looked at"""
UNIFORM_TYPE_SHARE = 0.05
STYLE_SHARE = 0.15
UNIFORM_SHARE = 0.02
"""part of every type that is no idea at all: people have their ways, but nobody must keep to them"""


@dataclass(frozen=True, eq=False)
class SetupTypes:
    """The types of one side: ``table[type, square, kind]``, each row of kinds adding up to 1."""

    share: Reals
    table: Reals
    squares: dict[int, int]
    """cell → row of the tables"""


@lru_cache(maxsize=32)
def setup_types(game: Game, side: int) -> SetupTypes:
    """All types of that side, with their shares before anything was seen."""
    cells = game.board.home(side)
    roster = np.array(game.rosters[side], dtype=np.float64)
    even = np.broadcast_to(roster / roster.sum(), (1, len(cells), len(roster)))
    styles = _style_tables(game, side, cells, even[0])
    share, people = fitted_types.adapted_types(game, side)
    shares = np.concatenate(
        [
            [UNIFORM_TYPE_SHARE],
            np.full(len(styles), STYLE_SHARE / len(styles)),
            (1.0 - UNIFORM_TYPE_SHARE - STYLE_SHARE) * share,
        ]
    )
    table = np.concatenate([even, styles, people])
    table = (1.0 - UNIFORM_SHARE) * table + UNIFORM_SHARE * even
    return SetupTypes(shares / shares.sum(), table, {cell: i for i, cell in enumerate(cells)})


@lru_cache(maxsize=8)
def style_types(game: Game, side: int) -> SetupTypes:
    """Only the styles of the house: right for computer players that set up in them."""
    cells = game.board.home(side)
    roster = np.array(game.rosters[side], dtype=np.float64)
    even = np.broadcast_to(roster / roster.sum(), (len(cells), len(roster)))
    tables = _style_tables(game, side, cells, even)
    share = np.full(len(tables), 1.0 / len(tables))
    return SetupTypes(share, tables, {cell: i for i, cell in enumerate(cells)})


def _style_tables(game: Game, side: int, cells: list[int], even: Reals) -> Reals:
    """Two types for each style, flag on the left and flag on the right."""
    place = {cell: i for i, cell in enumerate(cells)}
    tables = []
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
        tables.append((held + prior_strength * even) / (held.sum(axis=2, keepdims=True) + prior_strength))
    return np.concatenate(tables)


def _is_left(setup: Setup) -> bool:
    flags = [cell for cell, kind in setup.kinds.items() if role_of(setup.game, kind) == "flag"]
    return not flags or flags[0] % 12 * 2 <= setup.game.board.columns
