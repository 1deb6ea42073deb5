"""Read and write files of weights, and check them.

A file is one JSON object with a number for every weight; those that are newer than the file may be missing.
Shares (``fade`` and a few others) lie between 0 and 1, every weight has the sign of the one in use, and no
army may be worth as much as a won game.
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields
from pathlib import Path
from typing import TypeVar

import numpy as np

from flagfall.edition import Game
from flagfall.engine.tables import Tables
from flagfall.errors import FlagfallError
from flagfall.players.evaluation.piece_values import PieceValues, Weights, standard_weights
from flagfall.players.search.buffers import WIN

V = TypeVar("V")
MAX_WEIGHT = 10_000.0
MAX_ARMY_VALUE = WIN / 2
CERTAIN = 16.0
"""the unit of chances among the weights"""
_OLD_NAMES = {
    "step": "base",
    "ladder": "rank_factor",
    "last": "scarcity",
    "alarm": "flag_threat",
    "alarm_fade": "flag_threat_fade",
    "bold": "certain_gain",
    "probing": "min_probability",
    "surest": "max_probability",
    "hope": "gain_cap",
    "dread": "flag_probability",
}
"""names in files, logs and commands of 0.1.0"""
_SHARES = frozenset({"lead_at_risk", "secrecy"})


class WeightsError(FlagfallError):
    """A file of weights is wrong; the message says which number, and what would be right."""

    code = "bad-weights"


def weight_names() -> tuple[str, ...]:
    """Return the names of all weights, the unit first."""
    return tuple(field.name for field in fields(Weights))


def current_name(name: str) -> str:
    """Return today's name of a weight.

    >>> current_name("alarm"), current_name("pull")
    ('flag_threat', 'pull')
    """
    return _OLD_NAMES.get(name, name)


def with_current_names(weights: Mapping[str, V]) -> dict[str, V]:
    """Return the same numbers under today's names."""
    return {current_name(name): value for name, value in weights.items()}


def with_defaults(weights: Mapping[str, V]) -> dict[str, V]:
    """Return the same numbers under today's names, and the defaults of newer weights that are missing."""
    newer = {field.name: field.default for field in fields(Weights) if field.default is not MISSING}
    return newer | with_current_names(weights)


def limited(weights: Mapping[str, float]) -> dict[str, float]:
    """Return weights whose chances in sixteenths are at most certain, and in order."""
    found = dict(weights)
    for name in ("max_probability", "flag_probability"):
        found[name] = min(found[name], CERTAIN)
    found["min_probability"] = min(found["min_probability"], found["max_probability"])
    return found


def is_share(name: str) -> bool:
    """Return whether a weight is a share, from 0 to 1."""
    return name.endswith("fade") or name in _SHARES


def read_weights(file: Path) -> Weights:
    """Return the weights of a file."""
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
    """Return weights made of numbers by name; an error message begins with ``where`` they are from."""
    names, said = weight_names(), with_defaults(said)
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
    if not math.isfinite(value) or abs(value) > MAX_WEIGHT:
        raise WeightsError(f"{where}: “{name}” is {value}; it must lie within ±{MAX_WEIGHT:.0f}.")
    if value * usual < 0:
        sign = "below" if value < 0 else "above"
        raise WeightsError(f"{where}: “{name}” is {value}; it must not be {sign} 0 (in use is {usual}).")
    if is_share(name) and value > 1:
        raise WeightsError(f"{where}: “{name}” is {value}; it is a share, from 0 to 1.")
    return float(value)


def check_for(game: Game, tables: Tables, weights: Weights, where: str) -> None:
    """Raise `WeightsError` if an army of this game would be worth as much as a won game."""
    rosters = [np.array(roster, dtype=np.int64) for roster in game.rosters]
    piece_values = PieceValues(tables, len(game.kinds), weights)
    for own, enemy in (rosters, rosters[::-1]):
        total = float(piece_values.values(own, enemy, 0) @ own)
        if not total < MAX_ARMY_VALUE:
            raise WeightsError(
                f"{where}: an army of {game.id} would be worth {total:.0f}; it must stay below "
                f"{MAX_ARMY_VALUE:.0f}, or a search could not tell it from a won game."
            )


def written(weights: Weights) -> str:
    """Return the text of a file of weights, to five digits."""
    return json.dumps({name: rounded(value) for name, value in asdict(weights).items()}, indent=2) + "\n"


def rounded(value: float) -> float:
    """Return a number to five digits.

    >>> rounded(0.123456789), rounded(-80.0)
    (0.12346, -80.0)
    """
    return float(f"{value:.5g}")
