"""Messages about games: the catalogue of boxes, one game in full, and its rules."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from flagfall.sides import Side


class GameLine(Struct, frozen=True):
    """A game in the catalogue."""

    id: str
    name: str
    text: str
    columns: int
    rows: int
    pieces: int
    """number of pieces in South's army"""
    has_powers: bool
    is_for_newcomers: bool


class ArmyInfo(Struct, frozen=True):
    """The army of one side of a box."""

    id: str
    name: str
    colour: str
    text: str
    side: Side


class BoxInfo(Struct, frozen=True):
    """A box in the catalogue."""

    id: str
    name: str
    tagline: str
    story: str
    is_small: bool
    """a box for tests and lessons, not for the first page"""
    armies: tuple[ArmyInfo, ...]
    games: tuple[GameLine, ...]


class LevelInfo(Struct, frozen=True):
    """A computer player that people can choose."""

    id: str
    name: str
    character: str
    """how it plays, in one line"""
    pace_ms: int
    """minimum time for a turn"""


class Limits(Struct, frozen=True):
    """Bounds of what clients may send, the same for every game."""

    max_name_length: int
    max_setup_name_length: int
    max_note_length: int
    max_saved_setups: int
    max_tags: int
    """tags of your own on one saved setup"""
    max_tag_length: int
    max_clock_s: int
    """time for the whole game, and after each move"""
    max_move_clock_s: int
    """time for each move"""
    max_move_clock_days: int
    """days for each move"""


class Catalogue(Struct, frozen=True):
    """Every box with its games, the computer players, and bounds."""

    boxes: tuple[BoxInfo, ...]
    levels: tuple[LevelInfo, ...]
    limits: Limits


class HomeRows(Struct, frozen=True):
    """The home squares of each side by rows, back row first; setup codes follow this order."""

    south: tuple[tuple[str, ...], ...]
    north: tuple[tuple[str, ...], ...]


class BoardInfo(Struct, frozen=True):
    """The board; columns are lettered from a, rows numbered from South."""

    columns: int
    rows: int
    zones: tuple[str, ...]
    """squares that no piece may enter"""
    zone_word: str
    home: HomeRows
    fills_home: bool
    """every home square is filled at the start"""


class PowerInfo(Struct, frozen=True):
    """A power and its text."""

    id: str
    name: str
    verb: str
    text: str


class KindSide(Struct, frozen=True):
    """A kind as it is in one army."""

    name: str
    count: int
    icon: str
    card: str
    """Markdown; empty if the army has no such piece"""


class KindInfo(Struct, frozen=True):
    """A kind of piece."""

    id: str
    label: str
    code: str
    rank: int
    role: Literal["soldier", "bomb", "flag"]
    is_mobile: bool
    text: str
    south: KindSide
    north: KindSide
    powers: tuple[PowerInfo, ...]


class OptionLine(Struct, frozen=True):
    """An option of this game."""

    name: str
    values: tuple[str, ...]
    range: str
    """other values, in words"""
    default: str
    help: str
    needs: str
    """the option that must be on for this one to have an effect"""
    min: int | None
    """the smallest number, where numbers are values as well"""
    max: int | None
    """the largest number"""
    title: str
    """its name for people"""
    labels: dict[str, str]
    """short names of values, for menus; a value without one is shown as it is"""
    sentences: dict[str, str]
    """what each value means"""
    number_sentence: str
    """what a number means: ``{number}``, and ``{next}`` for the one after it"""


class StyleInfo(Struct, frozen=True):
    """A style of setup."""

    name: str
    """what requests call it, the same in every language"""
    text: str
    title: str
    """its name for people"""


class Hint(Struct, frozen=True):
    """A strategy hint."""

    heading: str
    text: str


class Fight(Struct, frozen=True):
    """The results of attacks of one kind, without options and powers; kind ids."""

    side: Side
    attacker: str
    beats: tuple[str, ...]
    ties: tuple[str, ...]
    loses_to: tuple[str, ...]


class GameInfo(Struct, frozen=True):
    """Everything about a game."""

    id: str
    box: str
    box_name: str
    name: str
    text: str
    tagline: str
    story: str
    low_is_strong: bool
    """the box prints 1 on its strongest piece"""
    has_powers: bool
    sides: Literal["lot", "chosen"]
    board: BoardInfo
    armies: tuple[ArmyInfo, ArmyInfo]
    """South's, who moves first, and North's"""
    kinds: tuple[KindInfo, ...]
    fights: tuple[Fight, ...]
    options: tuple[OptionLine, ...]
    styles: tuple[StyleInfo, ...]
    hints: tuple[Hint, ...]
    words: dict[str, str]
    """the words of this box for a zone, a bomb, an attack"""
    levels: tuple[LevelInfo, ...]
    """computer players"""
    limits: Limits
    rules: str
    """the rules page under the default options, Markdown"""


class RulesPage(Struct, frozen=True):
    """The rules of a game under chosen options."""

    game: str
    options: dict[str, str]
    markdown: str
