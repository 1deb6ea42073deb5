"""The verb table: everything about verbs except how they are played (`engine/verbs`).

A *primitive* is what a box may name in ``[power.…] verb = "…"``, with the parameters it may set. A *verb* is
what an action does: its code in the engine and how it is written. Most primitives have one verb;
an area strike has two (chosen or all targets); a run has none: it is written as a move or an attack.

All packages above read this table. Code for a verb, form or primitive is registered by its name;
``tests/edition/test_verbs.py`` finds what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from flagfall.edition.schema import Power
from flagfall.engine import action as A
from flagfall.languages import say
from flagfall.languages.messages import has_message

Form = Literal["path", "aim", "after step", "two-step", "spot", "advance", "kind", "square", "done"]
"""how an action is written: squares joined by a mark (d4-d5), around a keyword (d4 shoot d6), a step and a
keyword (d4-d5 swing), or another form"""
Shape = Literal["way", "aim", "spot", "area", "march", "answer", "kind"]
"""how an action is drawn before it is played (`match/previews.py`)"""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a primitive that a box may set. The type of its value is the type of the default."""

    default: bool | int | str | tuple[str, ...]
    help: str
    values: tuple[str, ...] = ()
    """the words to choose from, if the default is a word; without any, the value is a square"""
    min: int = 0
    max: int = 99


@dataclass(frozen=True)
class Primitive:
    """A primitive that powers of boxes are made of."""

    name: str
    """in a box file"""
    help: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    has_row: bool = False
    """each of its powers has one of the eight power rows of the Tables"""
    has_outcomes: bool = False
    """it has its own outcomes, apart from those of an attack"""
    once: str = ""
    """what it does, if a game can have only one power of this primitive"""
    needs_step: bool = True
    """a piece that cannot step cannot use it"""
    section: Literal["powers", "special pieces"] = "powers"
    """where the rules page explains it"""

    @property
    def typed(self) -> str:
        """How it is typed, for the rules page, on squares around d4; if empty, the example of its verb."""
        key = f"powers.typed.{self.name}"
        return say(key) if has_message(key) else ""

    @property
    def terminal(self) -> tuple[str, str]:
        """Its line in the terminal's help: what to type, and what that does; empty if it has none."""
        key = f"powers.terminal.{self.name}"
        return (say(f"{key}.typed"), say(f"{key}.does")) if has_message(f"{key}.does") else ("", "")


@dataclass(frozen=True)
class Verb:
    """What an action does. The texts about it are in ``actions.toml`` by its key."""

    code: int
    """in the engine (`engine.action`)"""
    form: Form
    token: str
    """the mark between two squares, or the keyword; empty if there is none"""
    example: str
    """an action as it is typed"""
    events: tuple[str, ...] = ()
    """events that only this verb causes"""
    primitive: str = ""
    """the primitive of the powers that use it; empty for what every piece can do, and for answers"""
    word: str = ""
    """its word in a refusal, "cannot fly"; if empty, the token"""
    learns: Literal["nothing", "by an attack", "always"] = "always"
    """whether it reveals something to the player; after that the rest of the turn cannot be refused"""
    is_answer: bool = False
    """it answers what an open turn asks for, and has no origin"""
    may_attack: bool = False
    """it may end in an attack on a neighbouring piece or at the end of a run"""
    shape: Shape | Literal[""] = ""
    """how it is drawn before it is played; every verb has a shape"""
    is_event: bool = True
    """an event has its name"""

    @property
    def name(self) -> str:
        """Its name in messages, events and the web client."""
        return A.VERB_NAMES[self.code]

    @property
    def key(self) -> str:
        """Its name in the keys of messages."""
        return self.name.replace(" ", "-")

    @property
    def is_aimed(self) -> bool:
        """Whether it acts on one enemy from a distance."""
        return self.form == "aim"


VERBS: tuple[Verb, ...] = (
    Verb(A.MOVE, "path", "-", "d4-d5", learns="nothing", shape="way"),
    Verb(A.ATTACK, "path", "x", "d4xd5", may_attack=True, shape="way"),
    Verb(
        A.DONE, "done", "done", "done", learns="nothing", is_answer=True, shape="answer", is_event=False
    ),
    Verb(A.CHOOSE_KIND, "kind", "", "marshal", is_answer=True, shape="kind", is_event=False),
    Verb(A.CHOOSE_CELL, "square", "", "b2", is_answer=True, shape="answer", is_event=False),
    Verb(
        A.SPOT, "spot", "spot", "d4-d5 spot d6",
        events=("guess", "miss"), primitive="spot", learns="nothing", shape="spot",
    ),
    Verb(
        A.RESCUE, "after step", "rescue", "d9-d10 rescue",
        events=("rescued",), learns="by an attack", may_attack=True, shape="way",
    ),
    Verb(
        A.TWO_STEP, "two-step", "", "d4-d5-e5",
        primitive="two-step", word="step twice", learns="by an attack", may_attack=True, shape="way",
        is_event=False,
    ),
    Verb(
        A.LEAP, "path", "^", "c4^c7",
        primitive="leap", word="fly", learns="by an attack", shape="way",
    ),
    Verb(
        A.TELEPORT, "path", "~", "d4~e6",
        primitive="teleport", word="teleport", learns="nothing", shape="way",
    ),
    Verb(
        A.SHOOT, "aim", "shoot", "d4 shoot d6",
        events=("no-effect",), primitive="strike", shape="aim",
    ),
    Verb(A.DETECT, "aim", "detect", "d4 detect d6", primitive="detect", shape="aim"),
    Verb(
        A.CONVERT, "aim", "enchant", "d4 enchant d6",
        events=("converted", "no-effect"), primitive="convert", shape="aim",
    ),
    Verb(
        A.SWING, "after step", "swing", "d4-d5 swing d6 e6 done",
        events=("no-effect",), primitive="area", learns="nothing", shape="area",
    ),
    Verb(
        A.SWEEP, "after step", "rampage", "d4-d5 rampage",
        events=("no-effect",), primitive="area", shape="area",
    ),
    Verb(
        A.ADVANCE, "advance", "advance", "advance north d4 e4",
        primitive="advance", learns="nothing", shape="march",
    ),
)  # fmt: skip

VERB_BY_CODE: Mapping[int, Verb] = {verb.code: verb for verb in VERBS}
VERB_BY_TOKEN: Mapping[str, Verb] = {verb.token: verb for verb in VERBS if verb.token}


def verbs_of(primitive: str) -> tuple[Verb, ...]:
    """Return the verbs by which powers of a primitive are used."""
    return tuple(verb for verb in VERBS if verb.primitive == primitive)


def power_verb(power: Power) -> Verb:
    """Return the verb by which a power is used; an area strike has one for chosen and one for all targets."""
    first, *others = verbs_of(power.verb)
    return others[0] if others and not power.parameters["choose"] else first


_REACH = Parameter(
    "square", "two squares in any combination, or only along straight lines", ("square", "lines")
)
_SPARES = Parameter((), "kinds it has no effect on, apart from bombs and flags")

_PRIMITIVES = (
    Primitive(
        "run",
        "move any number of empty squares in one straight line",
        {"attack": Parameter(True, "whether the run may end with an attack on the piece in its way")},
        section="special pieces",
    ),
    Primitive(
        "spot",
        "name the kind of an enemy piece in front; a right guess captures it",
        section="special pieces",
    ),
    Primitive(
        "leap",
        "fly in a straight line over an unbroken row of pieces to the first open square",
        {
            "over_zones": Parameter(True, "whether it may also fly over zones"),
            "attack_after": Parameter(False, "whether it may attack a neighbour after landing"),
        },
        has_row=True,
        needs_step=False,
    ),
    Primitive(
        "teleport",
        "appear on any open square within reach",
        {"reach": _REACH},
        has_row=True,
        needs_step=False,
    ),
    Primitive(
        "two-step",
        "two steps in any directions; the second may be an attack",
        {"may_return": Parameter(False, "whether it may end where it began")},
    ),
    Primitive(
        "strike",
        "capture one weaker enemy within reach without moving",
        {
            "reach": _REACH,
            "blocked": Parameter(False, "whether a piece in between is in the way"),
            "spares": _SPARES,
            "takes_flag": Parameter(False, "whether it captures a flag"),
        },
        has_row=True,
        has_outcomes=True,
        needs_step=False,
    ),
    Primitive(
        "area",
        "step, then strike neighbours in all eight directions together",
        {
            "choose": Parameter(0, "how many targets the player may choose; 0 strikes all", max=3),
            "friends": Parameter(False, "whether the player's own pieces are struck as well"),
            "shown_first": Parameter(False, "whether the striker is shown before it steps"),
            "removed_after": Parameter(False, "whether the striker is removed in any case"),
            "equal_kills": Parameter(True, "whether an equal takes the striker with it"),
            "higher_kills": Parameter(True, "whether a stronger one captures the striker"),
            "takes_bombs": Parameter(False, "whether bombs are captured"),
            "bombs_kill": Parameter(False, "whether a bomb captures the striker"),
            "spares": _SPARES,
        },
        has_row=True,
        has_outcomes=True,
    ),
    Primitive(
        "advance",
        "every piece with this power moves one square in the same direction, one after another",
        {
            "subset": Parameter(False, "whether some may stay where they are"),
            "order": Parameter("chosen", "which piece goes first", ("chosen", "front_first")),
        },
        has_row=True,
        once="move together",
        needs_step=False,
    ),
    Primitive(
        "detect",
        "one enemy within reach must show itself",
        {"reach": _REACH, "known": Parameter(True, "whether a piece already known may be named")},
        has_row=True,
        needs_step=False,
    ),
    Primitive(
        "convert",
        "one weaker enemy within reach changes sides for good",
        {
            "reach": _REACH,
            "spares": _SPARES,
            "cap": Parameter(0, "how often a player may do it in a game; 0 is no limit", max=99),
            "probe": Parameter(True, "whether a bomb or flag that is chosen must show itself"),
        },
        has_row=True,
        has_outcomes=True,
        needs_step=False,
    ),
    Primitive(
        "chain",
        "after a won attack, attack another neighbour, and so on",
    ),
    Primitive(
        "bearer",
        "carry the ring: only it may enter the reserved square, and few can capture it",
        {
            "square": Parameter("", "the reserved square, part of a zone"),
            "captors": Parameter((), "the only kinds that can capture it"),
            "purges": Parameter((), "kinds that leave the board when it arrives"),
            "raises": Parameter((), "kinds that gain a rank when it is captured before"),
            "immune_there": Parameter(False, "whether it cannot be attacked on its square"),
            "visible_after": Parameter(False, "whether it can be captured like others once it has arrived"),
            "tie_kills": Parameter(False, "whether it captures an equal instead of escaping"),
        },
        once="carry the ring",
    ),
)

PRIMITIVES: Mapping[str, Primitive] = {primitive.name: primitive for primitive in _PRIMITIVES}
"""Parameters may be left to an option of the game: ``options = { reach = "blast_range" }`` in a power."""

ROW_PRIMITIVES = tuple(one.name for one in _PRIMITIVES if one.has_row)
STRIKING_PRIMITIVES = tuple(one.name for one in _PRIMITIVES if one.has_outcomes)
