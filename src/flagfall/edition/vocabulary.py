"""The verbs a power may use, and what a box may say about each.

A box never describes how a power works: it names a verb from this table and sets its parameters. The type
of a parameter is the type of its default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Parameter:
    """One thing a box may say about a verb."""

    default: bool | int | str
    help: str
    values: tuple[str, ...] = ()
    """the words to choose from, where the default is a word"""
    least: int = 0
    most: int = 99


@dataclass(frozen=True)
class Verb:
    """Something a piece can do with its turn besides a step and an attack."""

    help: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


VERBS: Mapping[str, Verb] = {
    "run": Verb(
        "go any number of empty squares in one straight line",
        {"attack": Parameter(True, "whether the run may end with an attack on the piece in its way")},
    ),
    "spot": Verb("name the kind of an enemy piece in front; a right guess captures it"),
}

WORDS: Mapping[str, str] = {
    "zone": "lake",
    "zones": "lakes",
    "bomb": "Bomb",
    "bombs": "Bombs",
    "attack": "attack",
}
"""What a box may call things, with the word that is used where it says nothing."""
