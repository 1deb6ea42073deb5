"""Messages of the box workshop: boxes that guests write, what is wrong with them, and simulated games."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from flagfall.edition.keys import KeyType
from flagfall.server.api.messages.games import BoxInfo, GameInfo


class BoxProblem(Struct, frozen=True):
    """What is wrong with a box, and where; lines and columns count from 1."""

    line: int
    column: int
    table: str
    """the table it is in, such as ``kind.scout``; empty at the top of the file"""
    message: str


class BoxCheck(Struct, frozen=True):
    """What a check found: problems, or the box as players will see it."""

    problems: tuple[BoxProblem, ...]
    box: BoxInfo | None
    """null while there are problems"""
    game: GameInfo | None
    """the game that was asked for, or the first; it has the board, armies, fights and rules"""


class MyBox(Struct, frozen=True):
    """A box of yours, without its text."""

    id: str
    """everybody who knows it may look and play"""
    name: str
    revision: int
    """counts the times it was saved; send it as ``base``"""
    size: int
    """characters of the text"""
    is_valid: bool
    """whether the text can be played as it is"""
    version: str
    """the last text that could be played, as the box part of game ids; empty if there is none yet"""
    box: BoxInfo | None
    """that version's games; null if there is none yet"""
    created_ms: int
    updated_ms: int


class WorkshopLimits(Struct, frozen=True):
    """How much a guest may write."""

    max_boxes: int
    max_chars: int
    max_games: int
    """games of one box"""
    max_simulated_games: int


class Workshop(Struct, frozen=True):
    """Your boxes, the last changed first."""

    boxes: tuple[MyBox, ...]
    limits: WorkshopLimits


class OpenedBox(Struct, frozen=True):
    """A box of yours with its text, and what is wrong with it."""

    box: MyBox
    text: str
    problems: tuple[BoxProblem, ...]


class SharedBox(Struct, frozen=True):
    """A box as everybody with its link sees it."""

    id: str
    name: str
    author: str
    is_yours: bool
    can_be_played: bool
    box: BoxInfo | None
    """its games; null while it cannot be played"""


class KeyFact(Struct, frozen=True):
    """A key that a table may have."""

    name: str
    type: KeyType
    help: str
    """what it says, in one line"""
    example: str
    """a line of a box file"""
    values: tuple[str, ...]
    """the values to choose from; empty if there are others"""
    is_required: bool
    default: str
    """the value if it is left out, as it is written in the file; empty: none"""
    names: str
    """what its texts name: kind, power, army, game, option or icon; empty: nothing"""


class SectionFact(Struct, frozen=True):
    """A table of a box file; ``*`` in its path stands for a name of the author's choice."""

    path: str
    help: str
    keys: tuple[KeyFact, ...]
    """without keys every key is a name of the author's choice, or of what ``names`` says"""
    names: str


class VerbFact(Struct, frozen=True):
    """A verb of powers, with its parameters."""

    name: str
    help: str
    parameters: tuple[KeyFact, ...]


class OptionFact(Struct, frozen=True):
    """An option that games may set in ``defaults``, or powers in ``options``."""

    name: str
    help: str
    values: tuple[str, ...]
    max: int
    """numbers from 1 to this are values as well; 0: none"""
    is_for_powers: bool


class BoxTemplate(Struct, frozen=True):
    """A text to start from."""

    id: str
    name: str
    help: str
    text: str


class WorkshopSchema(Struct, frozen=True):
    """Everything that may stand in a box file, for completion, and texts to start from."""

    sections: tuple[SectionFact, ...]
    verbs: tuple[VerbFact, ...]
    options: tuple[OptionFact, ...]
    icons: tuple[str, ...]
    """names of the game-icons set"""
    templates: tuple[BoxTemplate, ...]


class Share(Struct, frozen=True):
    """A number of games, its share of all and the 95 % interval of that share."""

    games: int
    share: float
    low: float
    high: float


class EndingCount(Struct, frozen=True):
    """How many games ended in a way, in words."""

    name: str
    games: int


class TurnBin(Struct, frozen=True):
    """How many games took from ``first`` to ``last`` turns."""

    first: int
    last: int
    games: int


class KindFigures(Struct, frozen=True):
    """How one kind of one army did in the simulated games."""

    side: Literal["south", "north"]
    kind: str
    name: str
    count: int
    """pieces in the army"""
    captures: float
    """enemy pieces that each of them captured in a game, on average"""
    survived: float
    """share of them that was left at the end"""
    worth: float | None
    """how much losing one lowered the chance to win, in percentage points; null with too few games"""
    worth_low: float | None
    worth_high: float | None


class Simulation(Struct, frozen=True):
    """Simulated games of a box between two quick computer players."""

    game: str
    player: str
    version: str
    is_current: bool
    """whether the box is still as it was when the games began"""
    state: Literal["running", "done", "cancelled", "stopped", "failed"]
    games: int
    played: int
    south: Share
    north: Share
    draws: Share
    median_turns: int
    turns: tuple[TurnBin, ...]
    endings: tuple[EndingCount, ...]
    kinds: tuple[KindFigures, ...]
    sentence: str
    """what the games so far say; empty before the first one"""


class SimulationState(Struct, frozen=True):
    """Your last simulation of this box, if there is one."""

    run: Simulation | None
