"""The keys of every table of a box file: what the reader accepts, and what an editor may offer.

`build` refuses keys and words that are not listed here, so help and completion cannot fall behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from flagfall.edition.schema import DEFAULT_WORDS, Role

KeyType = Literal[
    "text", "long text", "number", "true or false", "list of texts", "list of numbers", "table", "value"
]
Naming = Literal["", "kind", "power", "army", "game", "option", "icon", "verb", "parameter", "square"]


@dataclass(frozen=True)
class Key:
    """One key of a table: its type, and what it says in one line."""

    type: KeyType
    help: str
    example: str
    """a line of a box file, or the title of its table"""
    values: tuple[str, ...] = ()
    """the only values, if there are few"""
    is_required: bool = False
    default: str = ""
    """the value if it is left out, as it is written"""
    names: Naming = ""
    """what its texts name"""


@dataclass(frozen=True)
class Table:
    """A table of a box file; ``*`` in its path stands for a name of the author's choice."""

    path: str
    help: str
    keys: Mapping[str, Key] = field(default_factory=dict)
    """without keys, the author chooses their names, or they are ids of what ``names`` says"""
    names: Naming = ""


ROLES: tuple[str, ...] = get_args(Role)
SIDES_VALUES = ("lot", "chosen")

_TEXT = Key("long text", "what players read about it", 'text = "…"', is_required=True)
_BOARD = {
    "size": Key("list of numbers", "columns and rows, from 2 to 10 each", "size = [8, 8]", is_required=True),
    "home_rows": Key("number", "rows in which each army is set up", "home_rows = 2", is_required=True),
    "zones": Key(
        "list of texts", "squares that nobody may enter", 'zones = ["c4", "f5"]', default="[]", names="square"
    ),
}
_BOX = {
    "id": Key("text", "a short name: small letters, digits, hyphens", 'id = "my-box"', is_required=True),
    "name": Key("text", "the name of the box", 'name = "My box"', is_required=True),
    "tagline": Key("long text", "one line that makes people curious", 'tagline = "…"', is_required=True),
    "story": Key("long text", "what the box is about", 'story = """…"""', is_required=True),
    "low_is_strong": Key(
        "true or false", "the strongest piece has the smallest number printed on it",
        "low_is_strong = true", default="false",
    ),
    "words": Key("table", "what this box calls lakes, bombs and attacks", "[words]"),
    "board": Key("table", "size, home rows and zones", "[board]", is_required=True),
    "army": Key("table", "exactly two armies, South's first", "[army.foxes]", is_required=True),
    "kind": Key("table", "a sort of piece", "[kind.captain]", is_required=True),
    "option": Key("table", "an option that players choose before a game", "[option.bow_range]"),
    "power": Key("table", "something that pieces can do", "[power.gallop]"),
    "hints": Key("table", "advice for players: heading and text", "[hints]"),
    "game": Key("table", "a way to play the box", "[game.classic]", is_required=True),
    "course": Key("table", "a course of lessons", "[course.basics]"),
    "lesson": Key("table", "a lesson", "[lesson.first-steps]"),
    "guide": Key("table", "words for a first game", "[guide.first-game]"),
    "lessons": Key("text", "a file next to this one that has the lessons", 'lessons = "my-lessons.toml"'),
}  # fmt: skip
_ARMY = {
    "name": Key("text", "the name of the army", 'name = "Foxes"', is_required=True),
    "colour": Key("text", "the colour of its pieces", 'colour = "#BF5604"', is_required=True),
    "text": _TEXT,
}
_KIND = {
    "name": Key("text", "the name of the piece", 'name = "Captain"', is_required=True),
    "names": Key("table", "a name for each army, instead of name", 'names = { foxes = "…", owls = "…" }'),
    "plural": Key("text", "the name of several, if it is irregular", 'plural = "Spies"'),
    "plurals": Key("table", "a plural for each army", 'plurals = { foxes = "…", owls = "…" }'),
    "code": Key("text", "one letter or digit for setups", 'code = "C"', is_required=True),
    "label": Key("text", "printed on the tile; the code if left out", 'label = "5"'),
    "rank": Key("number", "strength; more is stronger, 0 without a number", "rank = 5", is_required=True),
    "count": Key("number", "how many each army has", "count = 2", is_required=True),
    "army": Key("text", "the only army that has it", 'army = "foxes"', names="army"),
    "role": Key(
        "text", "a bomb stays and destroys attackers; each army has one flag",
        'role = "bomb"', values=ROLES, default='"soldier"',
    ),
    "takes": Key(
        "list of texts", "kinds it captures when it attacks, whatever the ranks",
        'takes = ["keg"]', default="[]", names="kind",
    ),
    "privileges": Key(
        "list of texts", "powers it has in every game of the box",
        'privileges = ["gallop"]', default="[]", names="power",
    ),
    "powers": Key(
        "list of texts", "powers it has in games with powers = true",
        'powers = ["gallop"]', default="[]", names="power",
    ),
    "icon": Key("text", "a picture of the game-icons set", 'icon = "barbarian"', names="icon"),
    "icons": Key("table", "a picture for each army", 'icons = { foxes = "…", owls = "…" }'),
    "text": _TEXT,
}  # fmt: skip
_POWER = {
    "name": Key("text", "the name of the power", 'name = "Gallop"', is_required=True),
    "verb": Key("text", "what it does", 'verb = "run"', is_required=True, names="verb"),
    "text": _TEXT,
    "options": Key(
        "table", "parameters that players choose by an option", 'options = { reach = "bow_range" }'
    ),
}
_OPTION = {
    "title": Key("text", "its name on the new-game page", 'title = "Reach of a bow"'),
    "help": Key("long text", "one line for the list of options", 'help = "…"', is_required=True),
    "rules": Key("list of texts", "ids of rules it is about", 'rules = ["BOW-1"]', default="[]"),
    "values": Key("table", "each value with a sentence", "[option.bow_range.values]", is_required=True),
    "default": Key("value", "the value it starts with; the first one if left out", 'default = "lines"'),
    "max": Key("number", "numbers from 1 to this are values as well", "max = 9"),
    "number": Key("long text", "the sentence for a number", 'number = "At most {number}."'),
}
_GAME = {
    "extends": Key("text", "a game to take over everything from that is not said here",
                   'extends = "classic"', names="game"),
    "name": Key("text", "the name of the game", 'name = "Classic"', is_required=True),
    "text": _TEXT,
    "sides": Key("text", "how sides are given to players", 'sides = "lot"', SIDES_VALUES, default='"chosen"'),
    "fills_home": Key("true or false", "the army fills all its home squares", "fills_home = false",
                      default="true"),
    "powers": Key("true or false", "the kinds have their powers", "powers = true", default="false"),
    "grants": Key("table", "more powers for this game only", 'grants = { captain = ["gallop"] }'),
    "defaults": Key("table", "options that start with another value", "defaults = { rescue = true }"),
    "counts": Key("table", "other numbers of all kinds", "counts = { captain = 1, flag = 1 }"),
    "board": Key("table", "another board", "board = { size = [8, 8], home_rows = 2 }"),
    "hints": Key("table", "advice for this game", "[game.classic.hints]"),
}  # fmt: skip
_WORDS = {
    word: Key("text", f"the word of this box for “{usual}”", f'{word} = "{usual}"', default=f'"{usual}"')
    for word, usual in DEFAULT_WORDS.items()
}

TABLES: Mapping[str, Table] = {
    table.path: table
    for table in (
        Table("", "the box", _BOX),
        Table("words", "what this box calls things", _WORDS),
        Table("board", "the board", _BOARD),
        Table("army.*", "one of the two armies; the first sits South and moves first", _ARMY),
        Table("kind.*", "a sort of piece", _KIND),
        Table("kind.*.names", "the name in each army", names="army"),
        Table("kind.*.plurals", "the name of several in each army", names="army"),
        Table("kind.*.icons", "the picture in each army", names="army"),
        Table("power.*", "something that pieces can do; its verb has parameters", _POWER),
        Table("power.*.options", "parameter = the option that sets it", names="parameter"),
        Table("option.*", "an option that players choose before a game", _OPTION),
        Table("option.*.values", "value = a sentence for the rules page; the first is the default"),
        Table("hints", "heading = advice"),
        Table("game.*", "a way to play the box", _GAME),
        Table("game.*.grants", "kind = a list of powers", names="kind"),
        Table("game.*.defaults", "option = value", names="option"),
        Table("game.*.counts", "kind = number; those left out are not in the game", names="kind"),
        Table("game.*.board", "the board of this game", _BOARD),
        Table("game.*.hints", "heading = advice"),
    )
}
"""every table that `build` reads; lessons have tables of their own"""


def keys_of(path: str) -> tuple[str, ...]:
    """Return the keys that a table may have: ``keys_of("kind.*")``."""
    return tuple(TABLES[path].keys)
