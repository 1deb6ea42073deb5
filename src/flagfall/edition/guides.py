"""Guides: a ready setup and short texts for a player's first whole game, as a box describes them.

::

    [guide.first-game]
    title = "Your first game"
    goal = "Play a whole game. A guide comes along."
    game = "duel"
    setup = { a1 = "flag", b1 = "bomb", a2 = "bomb", e3 = "marshal", … }

    [[guide.first-game.step]]
    text = "Your Flag hides in the corner."
    squares = ["a1"]

    [guide.first-game.words]
    begin = "You begin. Move any piece with a mark."
    bomb = "A Bomb on {square}! Bring a Miner."

`flagfall.match.guides` chooses the words from the player's View.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from flagfall.edition.lessons import (
    MAX_STEPS,
    Course,
    read_course,
    read_courses,
    read_game,
    read_words,
)
from flagfall.edition.reader import Section
from flagfall.edition.schema import Edition, Game
from flagfall.errors import quoted, suggestion
from flagfall.languages import ENGLISH, translated_fields, use_language
from flagfall.sides import SIDES, Side

GUIDE_KEYS = ("title", "goal", "course", "game", "side", "setup", "step", "words")
STEP_KEYS = ("text", "squares")
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class GuideEvent:
    """A moment of a game that a guide can speak about."""

    help: str
    has_piece: bool = False
    """its words may name ``{piece}`` and ``{square}``"""
    is_possible: Callable[[Game], bool] = lambda game: True
    """whether it can come up in a game at all"""


def _has_powers(game: Game) -> bool:
    return any(power.verb != "run" for power in game.powers())


def _has_bomb_and_clearer(game: Game) -> bool:
    bombs = {kind.id for kind in game.kinds if kind.role == "bomb"}
    return any(bombs & set(kind.takes) for kind in game.kinds)


EVENTS: Mapping[str, GuideEvent] = {
    "begin": GuideEvent("your first turn"),
    "run": GuideEvent("a piece of yours can run", True, lambda game: game.has_verb("run")),
    "contact": GuideEvent("a hidden enemy stands next to a piece of yours", True),
    "attacked": GuideEvent("the enemy has just attacked, and the higher rank has won"),
    "revealed": GuideEvent("you know an enemy piece on the board", True),
    "known": GuideEvent("the enemy knows a piece of yours", True),
    "bomb": GuideEvent("you know an enemy bomb and have a piece that clears it", True, _has_bomb_and_clearer),
    "power": GuideEvent("a piece of yours can use a power; for spotting, without a step", True, _has_powers),
    "back-and-forth": GuideEvent("a piece of yours may not go back again", True),
    "danger": GuideEvent("an enemy stands next to your flag", True),
    "few-left": GuideEvent("four enemy pieces or fewer are left"),
    "flag": GuideEvent("only one or two enemy pieces can still be the flag", True),
    "won": GuideEvent("you have won"),
    "lost": GuideEvent("you have lost"),
    "drawn": GuideEvent("the game is a draw"),
}


@translated_fields("text")
@dataclass(frozen=True)
class SetupStep:
    """A text about the ready setup, and the squares it is about."""

    text: str
    squares: tuple[str, ...]


@translated_fields("title", "goal", "words")
@dataclass(frozen=True, eq=False)
class Guide:
    """What accompanies the first whole game of a player."""

    id: str
    title: str
    goal: str
    course: Course
    game: Game
    side: Side
    """the player's side"""
    setup: Mapping[str, str]
    """square → kind id"""
    steps: tuple[SetupStep, ...]
    words: Mapping[str, str]
    """event → what is said then, the most important first"""
    table: Section
    """where it stands, for messages"""


@lru_cache(maxsize=64)
@use_language(ENGLISH)
def guide_book(edition: Edition) -> Mapping[str, Guide]:
    """Return the guides of a box by the id of their game; they are read when first asked for."""
    if edition.lesson_tables is None:
        return {}
    tables = edition.lesson_tables()
    courses = read_courses(edition, tables)
    guides: dict[str, Guide] = {}
    for name, table in tables.tables("guide").items():
        guide = _guide(edition, name, table, courses)
        if guide.game.id in guides:
            table.fail(f"the game “{table.text('game')}” has a guide already; a game can have one")
        guides[guide.game.id] = guide
    return guides


def _guide(edition: Edition, name: str, table: Section, courses: Mapping[str, Course]) -> Guide:
    table.only(GUIDE_KEYS)
    game, setup = read_game(edition, table), table.table("setup", required=True)
    rows = table.rows("step")
    if len(rows) > MAX_STEPS:
        table.fail(f"there are {len(rows)} steps; at most {MAX_STEPS} are possible")
    ids, squares = [kind.id for kind in game.kinds], {}
    for square in setup.data:
        squares[square] = kind = setup.text(square)
        if kind not in ids:
            setup.fail(f"{quoted(square)} has the unknown kind {quoted(kind)}; {suggestion(kind, ids)}")
    return Guide(
        id=f"{edition.id}/{name}",
        title=table.text("title"),
        goal=read_words(table, "goal"),
        course=read_course(table, courses),
        game=game,
        side=Side(table.choice("side", [side.value for side in SIDES], "south")),
        setup=squares,
        steps=tuple(_step(row, squares) for row in rows),
        words=_words(table.table("words", required=True), game),
        table=table,
    )


def _step(table: Section, setup: Mapping[str, str]) -> SetupStep:
    table.only(STEP_KEYS)
    squares = table.texts("squares")
    for square in squares:
        if square not in setup:
            table.fail(f"“squares” names {quoted(square)}, where no piece stands")
    return SetupStep(read_words(table, "text"), squares)


def _words(table: Section, game: Game) -> dict[str, str]:
    for name in table.data:
        if name not in EVENTS:
            table.fail(f"unknown event {quoted(name)}; {suggestion(name, EVENTS)}")
        if not EVENTS[name].is_possible(game):
            table.fail(f"“{name}” is never said in this game ({EVENTS[name].help}); leave it out")
        known = ["piece", "square"] if EVENTS[name].has_piece else []
        for placeholder in PLACEHOLDER.findall(table.text(name, long=True)):
            if placeholder not in known:
                table.fail(
                    f"“{name}” has {quoted('{' + placeholder + '}')}; {suggestion(placeholder, known)}"
                )
    return {name: read_words(table, name) for name in table.data}
