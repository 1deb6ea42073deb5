"""Weights in a file: read with a precise word about what is wrong, and written.

A file is one JSON object with a number for every weight. Shares of a distance (their names end in ``fade``)
lie between 0 and 1; no weight changes its sign against the weights in use; and nobody's army may be worth so
much that a search could not tell it from a won game.
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path

import numpy as np

from flagfall.edition import Game
from flagfall.engine.tables import Tables
from flagfall.errors import FlagfallError
from flagfall.players.evaluation.piece_values import Ladder, Weights, standard_weights
from flagfall.players.search.buffers import WIN

MOST = 10_000.0
MAX_ARMY_VALUE = WIN / 2
"""an army must be worth less than this"""
_SHARE = "fade"


class WeightsError(FlagfallError):
    """These are no weights; the message says which number is wrong and what would be right."""


def weight_names() -> tuple[str, ...]:
    """The names of all weights, the unit first."""
    return tuple(field.name for field in fields(Weights))


def is_share(name: str) -> bool:
    """Whether a weight is a share of a distance: from 0 to 1."""
    return name.endswith(_SHARE)


def read_weights(file: Path) -> Weights:
    """The weights of a file."""
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as problem:
        where = f", line {problem.lineno}" if isinstance(problem, json.JSONDecodeError) else ""
        raise WeightsError(
            f"{file}{where}: this is no JSON; write one object with a number a weight."
        ) from None
    if not isinstance(said, dict):
        raise WeightsError(f"{file}: this is no JSON object; write one with a number for every weight.")
    return checked(said, str(file))


def checked(said: Mapping[str, object], where: str) -> Weights:
    """Numbers by name as weights; ``where`` they are from begins the sentence of a refusal."""
    names = weight_names()
    for name in said:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean “{near[0]}”?" if near else f"there are {', '.join(names)}."
            raise WeightsError(f"{where}: there is no weight “{name}”; {hint}")
    missing = [name for name in names if name not in said]
    if missing:
        raise WeightsError(f"{where}: {', '.join(missing)} missing; every weight needs its number.")
    usual = asdict(standard_weights())
    return Weights(**{name: _number(name, said[name], usual[name], where) for name in names})


def _number(name: str, value: object, usual: float, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WeightsError(f"{where}: “{name}” is {json.dumps(value)}, which is no number.")
    if not math.isfinite(value) or abs(value) > MOST:
        raise WeightsError(f"{where}: “{name}” is {value}; it must lie within ±{MOST:.0f}.")
    if value * usual < 0:
        sign = "below" if value < 0 else "above"
        raise WeightsError(f"{where}: “{name}” is {value}; it must not be {sign} 0 (in use is {usual}).")
    if is_share(name) and value > 1:
        raise WeightsError(f"{where}: “{name}” is {value}; it is a share, from 0 to 1.")
    return float(value)


def check_for(game: Game, tables: Tables, weights: Weights, where: str) -> None:
    """Refuse weights by which an army of this game is worth as much as a won game."""
    rosters = [np.array(roster, dtype=np.int64) for roster in game.rosters]
    ladder = Ladder(tables, len(game.kinds), weights)
    for side in (0, 1):
        worth = ladder.worth(rosters[side], rosters[1 - side], 0)
        total = float(worth @ rosters[side])
        if not total < MAX_ARMY_VALUE:
            raise WeightsError(
                f"{where}: an army of {game.id} would be worth {total:.0f}; it must stay below "
                f"{MAX_ARMY_VALUE:.0f}, or a search could not tell it from a won game."
            )


def written(weights: Weights) -> str:
    """Weights as the text of a file, to five digits."""
    return json.dumps({name: rounded(value) for name, value in asdict(weights).items()}, indent=2) + "\n"


def rounded(value: float) -> float:
    """A number to five digits.

    >>> rounded(0.123456789), rounded(-80.0)
    (0.12346, -80.0)
    """
    return float(f"{value:.5g}")
