"""The contents of a box as frozen values: Edition, Game, Army, Kind, Power.

Each box is one TOML file (`load.py`). A `Kind` is a sort of piece; a `Game` is one way to play a box; its
`rosters` give the number of pieces of each kind in each army.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, SupportsIndex

from flagfall.board import Board
from flagfall.errors import FlagfallError
from flagfall.languages import translated, translated_fields

if TYPE_CHECKING:
    from flagfall.edition.option_table import Option
    from flagfall.edition.reader import Section

Role = Literal["soldier", "bomb", "flag"]


@dataclass(frozen=True)
class Problem:
    """What is wrong with a box, and where: a table, a key of it, and a sentence."""

    sentence: str
    file: str = ""
    table: str = ""
    key: str = ""
    position: tuple[int, int] | None = None
    """line and column, if they are known without the table and key"""

    def __str__(self) -> str:
        where = f"{self.file}, [{self.table}]" if self.table else self.file
        return f"{where}: {self.sentence}" if where else self.sentence


class EditionError(FlagfallError):
    """A box file is wrong; the message names the file, table and key of the first problem."""

    code = "bad-box"

    def __init__(self, *problems: Problem) -> None:
        super().__init__(str(problems[0]))
        self.problems = problems


class UnknownGameError(FlagfallError, LookupError):
    """There is no game with that id; the message lists the games."""

    code = "not-found"


class OutdatedBoxError(UnknownGameError):
    """A stored version of a box can no longer be read: an earlier release allowed what this one refuses."""

    code = "outdated-box"


@translated_fields("name", "text")
@dataclass(frozen=True)
class Power:
    """A power of a box: a primitive with its parameters, and its text."""

    id: str
    name: str
    verb: str
    text: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    """parameter → the option of the game that sets it"""


@translated_fields("names", "plurals", "text")
@dataclass(frozen=True)
class Kind:
    """A sort of piece. A higher ``rank`` is stronger, whatever is printed; without a number it is 0."""

    id: str
    names: Mapping[str, str]
    """army id → name, for both armies"""
    plurals: Mapping[str, str]
    """army id → name of several of them"""
    code: str
    """one character, unique within an army, for compact setups"""
    label: str
    """what is printed on the tile: "10", "9000", "S", "B", "F" """
    rank: int
    role: Role
    text: str
    """the piece card, in words for an eight-year-old"""
    takes: tuple[str, ...] = ()
    """kinds it captures when it attacks, whatever the ranks"""
    privileges: tuple[str, ...] = ()
    """powers it has in every game of the box"""
    powers: tuple[str, ...] = ()
    """powers it has only in the games that play with powers"""
    counts: tuple[int, int] = (0, 0)
    """the numbers of pieces in South's and North's army in the full game"""
    icon: str = ""
    icons: Mapping[str, str] = field(default_factory=dict)
    """army id → icon, where the armies have different pictures"""

    @property
    def is_mobile(self) -> bool:
        """Whether it ever moves."""
        return self.role == "soldier"

    def name(self, army: str) -> str:
        """Return its name in an army."""
        return self.names[army]

    def picture(self, army: str) -> str:
        """Return its icon in an army; empty if it has none."""
        return self.icons.get(army, self.icon)


@translated_fields("name", "text")
@dataclass(frozen=True)
class Army:
    """One side of the box."""

    id: str
    name: str
    colour: str
    text: str = ""


@translated_fields("name", "text", "hints")
@dataclass(frozen=True, eq=False)
class Game:
    """One way to play a box: ``onyx/classic``. Two games are equal only if they are the same object."""

    id: str
    name: str
    text: str
    edition: Edition
    board: Board
    kinds: tuple[Kind, ...]
    """the kinds of both armies in this game; the index of a kind is its number in the engine"""
    rosters: tuple[tuple[int, ...], tuple[int, ...]]
    """for each side, the numbers of pieces in the order of `kinds`"""
    has_powers: bool
    fills_home: bool
    """the army fills all its home squares at the start"""
    sides: Literal["lot", "chosen"]
    defaults: Mapping[str, str]
    """options whose default this game changes"""
    grants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """kind id → additional powers in this game"""
    hints: Mapping[str, str] = field(default_factory=dict)
    """strategy hints for this game only: heading → text"""

    @property
    def armies(self) -> tuple[Army, Army]:
        """South's army, which moves first, and North's."""
        return self.edition.armies

    def all_hints(self) -> dict[str, str]:
        """Return the hints of the box and of this game, which replace those with the same heading."""
        hints = {**self.edition.hints, **self.hints}
        return {translated(heading): text for heading, text in hints.items()}

    def kind_index(self, kind_id: str) -> int:
        """Return the number of a kind in this game; `KeyError` if it has no such kind."""
        for index, kind in enumerate(self.kinds):
            if kind.id == kind_id:
                return index
        raise KeyError(kind_id)

    def kind_name(self, kind: int, side: SupportsIndex) -> str:
        """Return the name of a kind in that side's army."""
        return self.kinds[kind].names[self.armies[side].id]

    def kind_names(self, kind: int, side: SupportsIndex, number: int) -> str:
        """Return the name of one or several pieces of a kind in that side's army."""
        about = self.kinds[kind]
        return (about.names if number == 1 else about.plurals)[self.armies[side].id]

    def abilities(self, kind: Kind) -> tuple[Power, ...]:
        """Return the powers of a kind in this game."""
        ids = kind.privileges + (kind.powers if self.has_powers else ()) + self.grants.get(kind.id, ())
        return tuple(self.edition.powers[power] for power in dict.fromkeys(ids))

    def powers(self) -> tuple[Power, ...]:
        """Return the powers that pieces of this game have, in the order of the box."""
        return self._powers

    @cached_property
    def _powers(self) -> tuple[Power, ...]:
        used = {power.id for kind in self.kinds for power in self.abilities(kind)}
        return tuple(power for power in self.edition.powers.values() if power.id in used)

    def army_size(self, side: SupportsIndex) -> int:
        """Return the number of pieces of a side."""
        return sum(self.rosters[side])

    def has_verb(self, verb: str) -> bool:
        """Return whether any piece of this game has a power of that primitive."""
        return any(power.verb == verb for power in self.powers())


@translated_fields("name", "tagline", "story", "hints", "words")
@dataclass(frozen=True, eq=False)
class Edition:
    """A box: its board, armies, kinds, powers and games, and the words about them."""

    id: str
    name: str
    tagline: str
    story: str
    low_is_strong: bool
    """the box prints 1 on its strongest piece"""
    board: Board
    armies: tuple[Army, Army]
    kinds: Mapping[str, Kind]
    powers: Mapping[str, Power]
    hints: Mapping[str, str]
    """strategy hints: heading → text"""
    words: Mapping[str, str]
    """what this box calls a zone, a bomb, …; it has every key of `DEFAULT_WORDS`"""
    options: Mapping[str, Option] = field(default_factory=dict)
    """options that this box declares, and those of other boxes that its powers use"""
    games: dict[str, Game] = field(default_factory=dict)
    """its games by the short id: ``classic``"""
    lesson_tables: Callable[[], Section] | None = None
    """reads the tables of its lessons; `edition.lessons.lesson_book` makes lessons of them"""


DEFAULT_WORDS: Mapping[str, str] = {
    "zone": "lake",
    "zones": "lakes",
    "bomb": "Bomb",
    "bombs": "Bombs",
    "attack": "attack",
    "reserved": "the reserved square",
    "ring": "the ring",
}
"""words that a box may replace, with their defaults"""
