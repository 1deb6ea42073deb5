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

    default: bool | int | str | tuple[str, ...]
    help: str
    values: tuple[str, ...] = ()
    """the words to choose from, where the default is a word; where it is empty, the name of a square"""
    least: int = 0
    most: int = 99


@dataclass(frozen=True)
class Verb:
    """Something a piece can do with its turn besides a step and an attack."""

    help: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


_REACH = Parameter(
    "square", "two squares in any combination, or only along straight lines", ("square", "lines")
)
_SPARES = Parameter((), "kinds it has no effect on, besides bombs and flags")

VERBS: Mapping[str, Verb] = {
    "run": Verb(
        "go any number of empty squares in one straight line",
        {"attack": Parameter(True, "whether the run may end with an attack on the piece in its way")},
    ),
    "spot": Verb("name the kind of an enemy piece in front; a right guess captures it"),
    "leap": Verb(
        "fly in a straight line over an unbroken row of pieces to the first open square",
        {
            "over_zones": Parameter(True, "whether zones may be flown over, too"),
            "attack_after": Parameter(False, "whether it may attack a neighbour after landing"),
        },
    ),
    "teleport": Verb("appear on any open square within reach", {"reach": _REACH}),
    "two-step": Verb(
        "two steps in any directions; the second may be an attack",
        {"may_return": Parameter(False, "whether it may end where it began")},
    ),
    "strike": Verb(
        "capture one weaker enemy within reach without moving",
        {
            "reach": _REACH,
            "blocked": Parameter(False, "whether a piece in between is in the way"),
            "spares": _SPARES,
            "takes_flag": Parameter(False, "whether it captures a flag"),
        },
    ),
    "area": Verb(
        "step, then strike neighbours in all eight directions together",
        {
            "choose": Parameter(0, "how many targets the player may choose; 0 strikes all", most=3),
            "friends": Parameter(False, "whether own neighbours are struck, too"),
            "shown_first": Parameter(False, "whether the striker is shown before it steps"),
            "removed_after": Parameter(False, "whether the striker is removed in any case"),
            "equal_kills": Parameter(True, "whether an equal takes the striker with it"),
            "higher_kills": Parameter(True, "whether a stronger one captures the striker"),
            "takes_bombs": Parameter(False, "whether bombs are captured"),
            "bombs_kill": Parameter(False, "whether a bomb captures the striker"),
            "spares": _SPARES,
        },
    ),
    "advance": Verb(
        "every piece with this power moves one square in the same direction, one after another",
        {
            "subset": Parameter(False, "whether some may stay where they are"),
            "order": Parameter("chosen", "who goes first", ("chosen", "front_first")),
        },
    ),
    "detect": Verb(
        "one enemy within reach must show itself",
        {"reach": _REACH, "known": Parameter(True, "whether a piece already known may be named")},
    ),
    "convert": Verb(
        "one weaker enemy within reach changes sides for good",
        {
            "reach": _REACH,
            "spares": _SPARES,
            "cap": Parameter(0, "how often a player may do it in a game; 0 is no limit", most=99),
            "probe": Parameter(True, "whether a bomb or flag that is chosen must show itself"),
        },
    ),
    "chain": Verb("after a won attack, attack another neighbour, and so on"),
    "bearer": Verb(
        "carry the ring: only it may enter the reserved square, and few can capture it",
        {
            "square": Parameter("", "the reserved square, part of a zone"),
            "captors": Parameter((), "the only kinds that can capture it"),
            "purges": Parameter((), "kinds that leave the board when it arrives"),
            "raises": Parameter((), "kinds that gain a rank when it is captured before"),
            "immune_there": Parameter(False, "whether nobody may attack it on its square"),
            "visible_after": Parameter(False, "whether it can be captured like others once it has arrived"),
            "tie_kills": Parameter(False, "whether it captures an equal instead of escaping"),
        },
    ),
}
"""Parameters may be left to an option of the game: ``options = { reach = "blast_range" }`` in a power."""

ROW_VERBS = ("leap", "teleport", "strike", "area", "advance", "detect", "convert")
"""verbs whose powers each take one of the eight rows that a game has for powers"""
STRIKING_VERBS = ("strike", "area", "convert")
"""verbs of a power that judges its target, by a table of its own"""

WORDS: Mapping[str, str] = {
    "zone": "lake",
    "zones": "lakes",
    "bomb": "Bomb",
    "bombs": "Bombs",
    "attack": "attack",
    "reserved": "the reserved square",
    "ring": "the ring",
}
"""What a box may call things, with the word that is used where it says nothing."""
