"""The verb table: everything about verbs except how they are played (`engine/verbs`).

A *primitive* is what a box may name in ``[power.…] verb = "…"``, with the parameters it may set. A *verb* is
what an action does: its code in the engine, how it is written and described. Most primitives have one verb;
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
    typed: str = ""
    """how it is typed, for the rules page, on squares around d4; if empty, the example of its verb"""
    terminal: tuple[str, str] = ("", "")
    """its line in the terminal's help: what to type, and what that does"""


@dataclass(frozen=True)
class Verb:
    """What an action does.

    Texts may hold ``{who}`` (the acting piece), ``{goal}`` (what stands on the target), ``{origin}``,
    ``{target}`` and what `notation.describe` adds.
    """

    code: int
    """in the engine (`engine.action`)"""
    form: Form
    token: str
    """the mark between two squares, or the keyword; empty if there is none"""
    example: str
    """an action as it is typed"""
    action_text: str
    """what it would do, for the player who may choose it"""
    step_text: str
    """what it did, in the list of steps of an open turn"""
    event_text: str = ""
    """what it does, for a viewer; empty if no event has its name"""
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

    @property
    def name(self) -> str:
        """Its name in messages, events and the web client."""
        return A.VERB_NAMES[self.code]

    @property
    def is_aimed(self) -> bool:
        """Whether it acts on one enemy from a distance."""
        return self.form == "aim"


VERBS: tuple[Verb, ...] = (
    Verb(
        A.MOVE, "path", "-", "d4-d5",
        "move {who} to {target}", "move to {target}", "{who} moves from {origin} to {target}",
        learns="nothing", shape="way",
    ),
    Verb(
        A.ATTACK, "path", "x", "d4xd5",
        "attack {goal} with {who}", "attack {target}", "{who} on {origin} attacks {target}",
        may_attack=True, shape="way",
    ),
    Verb(
        A.DONE, "done", "done", "done", "{ending}", "end",
        learns="nothing", is_answer=True, shape="answer",
    ),
    Verb(A.CHOOSE_KIND, "kind", "", "marshal", "{answer}", "{answer}", is_answer=True, shape="kind"),
    Verb(
        A.CHOOSE_CELL, "square", "", "b2",
        "{choosing}", "choose {target}", is_answer=True, shape="answer",
    ),
    Verb(
        A.SPOT, "spot", "spot", "d4-d5 spot d6",
        "{spotting}", "spot {spotted}", "{who} on {origin} spots {target}",
        events=("guess", "miss"), primitive="spot", learns="nothing", shape="spot",
    ),
    Verb(
        A.RESCUE, "after step", "rescue", "d9-d10 rescue",
        "{way} and rescue a lost piece", "go to {target} and rescue",
        "{who} on {target} calls back a lost piece",
        events=("rescued",), learns="by an attack", may_attack=True, shape="way",
    ),
    Verb(
        A.TWO_STEP, "two-step", "", "d4-d5-e5",
        "move {who} via {middle} {end} {goal}", "go via {middle} to {target}",
        primitive="two-step", word="step twice", learns="by an attack", may_attack=True, shape="way",
    ),
    Verb(
        A.LEAP, "path", "^", "c4^c7",
        "fly with {who} to {target}", "fly to {target}", "{who} flies from {origin} to {target}",
        primitive="leap", word="fly", learns="by an attack", shape="way",
    ),
    Verb(
        A.TELEPORT, "path", "~", "d4~e6",
        "send {who} to {target}", "appear on {target}",
        "{who} vanishes from {origin} and appears on {target}",
        primitive="teleport", word="teleport", learns="nothing", shape="way",
    ),
    Verb(
        A.SHOOT, "aim", "shoot", "d4 shoot d6",
        "shoot at {goal} with {who}", "shoot at {target}", "{who} on {origin} shoots at {target}",
        events=("no-effect",), primitive="strike", shape="aim",
    ),
    Verb(
        A.DETECT, "aim", "detect", "d4 detect d6",
        "look at {goal} with {who}", "look at {target}", "{who} on {origin} looks at {target}",
        primitive="detect", shape="aim",
    ),
    Verb(
        A.CONVERT, "aim", "enchant", "d4 enchant d6",
        "enchant {goal} with {who}", "enchant {target}", "{who} on {origin} enchants {target}",
        events=("converted", "no-effect"), primitive="convert", shape="aim",
    ),
    Verb(
        A.SWING, "after step", "swing", "d4-d5 swing d6 e6 done",
        "{step}swing with {who} at enemies around {target}", "swing around {target}",
        "{who} on {cell} swings at its neighbours",
        events=("no-effect",), primitive="area", learns="nothing", shape="area",
    ),
    Verb(
        A.SWEEP, "after step", "rampage", "d4-d5 rampage",
        "{step}strike all around {target} with {who}", "strike around {target}",
        "{who} on {cell} strikes all around",
        events=("no-effect",), primitive="area", shape="area",
    ),
    Verb(
        A.ADVANCE, "advance", "advance", "advance north d4 e4",
        "advance {direction}", "advance {direction}", "{pieces} advance {direction}",
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
        terminal=("e5 spot e6 marshal", "spot: say what stands on e6 (e4-e5 spot e6 marshal: step first)"),
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
        terminal=("b4^b7", "fly over pieces in between"),
    ),
    Primitive(
        "teleport",
        "appear on any open square within reach",
        {"reach": _REACH},
        has_row=True,
        needs_step=False,
        terminal=("e4~f6", "appear on a square within two"),
    ),
    Primitive(
        "two-step",
        "two steps in any directions; the second may be an attack",
        {"may_return": Parameter(False, "whether it may end where it began")},
        typed="`d4-d5-e5`, or `d4-d5xe5` if the second step is an attack",
        terminal=("e4-e5-f5, e4-e5xf5", "two steps, the second may be an attack"),
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
        terminal=("e4 shoot e6", "strike from a distance"),
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
        terminal=("e4-e5 rampage", "step, then strike all around (e4-e5 swing e6 f6 done: chosen ones)"),
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
        typed="`advance north d4`, and then `e4`",
        terminal=("advance north e4, then f4", "all pieces with this power go, in your order"),
    ),
    Primitive(
        "detect",
        "one enemy within reach must show itself",
        {"reach": _REACH, "known": Parameter(True, "whether a piece already known may be named")},
        has_row=True,
        needs_step=False,
        terminal=("e4 detect e6", "make an enemy show itself"),
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
        terminal=("e4 enchant e6", "make a weaker enemy change sides"),
    ),
    Primitive(
        "chain",
        "after a won attack, attack another neighbour, and so on",
        typed="`d4xd5`, and then `d5xe5` or `done`",
        terminal=("e4xe5, then e5xf5 or done", "attack again after a win"),
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
