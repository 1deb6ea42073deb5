"""Lessons: short tasks on a small board, as a box describes them. `flagfall.match.lessons` plays them.

::

    [lesson.miner]
    title = "Miner and Bomb"
    goal = "Clear the Bomb out of the way."
    game = "duel"
    board = { size = [4, 4], home_rows = 1 }
    south = { b2 = "miner", a1 = "flag" }
    north = { b3 = "bomb", d4 = "flag", d3 = "scout" }
    known = ["b3"]
    done = "The way is free."

    [[lesson.miner.step]]
    text = "Attack the Bomb with your Miner."
    right = ["b2xb3"]
    wrong = "Only a Miner can clear a Bomb. Attack b3!"
    praise = "Click! The Bomb is gone."
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from flagfall.board import parse_cell
from flagfall.edition.build import read_board
from flagfall.edition.options import OptionError, Options, resolve
from flagfall.edition.reader import Section
from flagfall.edition.schema import Edition, Game
from flagfall.errors import quoted, suggestion
from flagfall.languages import ENGLISH, translated_fields, use_language
from flagfall.sides import SIDES, BySide, Side

LESSON_KEYS = ("course", "lesson", "guide")
COURSE_KEYS = ("name", "text", "game")
TABLE_KEYS = (
    *("title", "goal", "course", "game", "board", "options", "setup", "side"),
    *("south", "north", "known", "step", "done"),
)
CONDITIONS = ("right", "captures", "reaches", "power", "takes_flag", "walls_flag", "any")
STEP_KEYS = ("text", *CONDITIONS, "solution", "praise", "wrong", "mistakes", "reply")
MAX_WORDS = 200
"""characters of one text: two short sentences"""
MAX_STEPS = 20
MAX_MISTAKES = 20


@translated_fields("text", "praise", "wrong", "mistakes")
@dataclass(frozen=True)
class Step:
    """One action of the learner. It is right if all conditions that are given hold."""

    text: str
    """what to try"""
    solution: str
    """an action that is right, in notation"""
    praise: str
    """the answer to a right action"""
    wrong: str
    """the answer to an action that is neither right nor one of the mistakes; empty if there is none"""
    mistakes: Mapping[str, str]
    """actions in notation with their own answers"""
    reply: tuple[str, ...]
    """the opponent's turns after it, in notation"""
    right: tuple[str, ...]
    """condition: it is one of these actions"""
    captures: str
    """condition: it captures the enemy piece on this square"""
    reaches: frozenset[str]
    """condition: it ends on one of these squares"""
    power: str
    """condition: it uses this power"""
    takes_flag: bool
    """condition: it wins by capturing the Flag"""
    walls_flag: bool
    """condition: the learner's Flag has Bombs on all sides, in a lesson about setups"""
    table: Section
    """where it stands, for messages"""


@translated_fields("name", "text")
@dataclass(frozen=True)
class Course:
    """Lessons that belong together, in order."""

    id: str
    name: str
    text: str
    game: str
    """the id of a game to play after it"""
    edition: Edition


@translated_fields("title", "goal", "done")
@dataclass(frozen=True, eq=False)
class Lesson:
    """A position, and the steps that the learner takes from it."""

    id: str
    title: str
    goal: str
    course: Course
    game: Game
    """the game, with the lesson's board and only its pieces"""
    options: Options
    is_setup: bool
    """the learner sets up: an action exchanges two pieces of the learner's"""
    side: Side
    """the learner's side, which moves first"""
    pieces: BySide[Mapping[int, int]]
    """cell → kind"""
    known: frozenset[int]
    """cells of the pieces whose kind the opponent of their owner has been shown"""
    steps: tuple[Step, ...]
    done: str
    """the words at the end"""
    table: Section
    """where it stands, for messages"""


@lru_cache(maxsize=64)
@use_language(ENGLISH)
def lesson_book(edition: Edition) -> Mapping[str, Lesson]:
    """Return the lessons of a box by id, ``onyx/scout``; they are read when first asked for."""
    if edition.lesson_tables is None:
        return {}
    tables = edition.lesson_tables()
    tables.only(LESSON_KEYS)
    courses = read_courses(edition, tables)
    lessons = [_lesson(edition, name, table, courses) for name, table in tables.tables("lesson").items()]
    return {lesson.id: lesson for lesson in lessons}


def read_courses(edition: Edition, tables: Section) -> dict[str, Course]:
    """Return the courses of a box by name; the one without a name is for lessons that name none."""
    courses = {"": Course(edition.id, edition.name, edition.tagline, "", edition)}
    for name, table in tables.tables("course").items():
        table.only(COURSE_KEYS)
        game = table.text("game", "") and read_game(edition, table).id
        courses[name] = Course(
            f"{edition.id}/{name}", table.text("name"), read_words(table, "text"), game, edition
        )
    return courses


def read_course(table: Section, courses: Mapping[str, Course]) -> Course:
    """Return the course that a lesson or guide names."""
    name = table.text("course", "")
    if name not in courses:
        named = [course for course in courses if course]
        table.fail(f"“course” names the unknown course {quoted(name)}; {suggestion(name, named)}")
    return courses[name]


def _lesson(edition: Edition, name: str, table: Section, courses: Mapping[str, Course]) -> Lesson:
    table.only(TABLE_KEYS)
    course = read_course(table, courses)
    game = read_game(edition, table)
    if "board" in table.data:
        game = replace(game, board=read_board(table.table("board")))
    pieces = BySide.of(lambda side: _pieces(table.table(side.value, required=True), game, side))
    if both := set(pieces.south) & set(pieces.north):
        table.fail(f"two pieces stand on {game.board.names(both)[0]}; each square holds one piece")
    south, north = (
        tuple(list(cells.values()).count(kind) for kind in range(len(game.kinds))) for cells in pieces
    )
    game = replace(game, rosters=(south, north), fills_home=False)
    options = _options(table, game)
    _check_reserved(table, game, options)
    rows = table.rows("step")
    if len(rows) > MAX_STEPS:
        table.fail(f"there are {len(rows)} steps; at most {MAX_STEPS} are possible")
    return Lesson(
        id=f"{edition.id}/{name}",
        title=table.text("title"),
        goal=read_words(table, "goal"),
        course=course,
        game=game,
        options=options,
        is_setup=table.flag("setup", False),
        side=Side(table.choice("side", [side.value for side in SIDES], "south")),
        pieces=pieces,
        known=frozenset(_known(table, game, pieces)),
        steps=tuple(_step(row, game) for row in rows),
        done=read_words(table, "done"),
        table=table,
    )


def read_game(edition: Edition, table: Section) -> Game:
    """Return the game that a table names."""
    name = table.text("game", such_as='game = "classic"')
    if name not in edition.games:
        table.fail(f"“game” names the unknown game {quoted(name)}; {suggestion(name, edition.games)}")
    return edition.games[name]


def read_words(table: Section, key: str, default: str | None = None) -> str:
    """Return a text for players, which must be short."""
    words = table.text(key, default, long=True)
    if len(words) > MAX_WORDS:
        table.fail(f"“{key}” has {len(words)} characters; at most {MAX_WORDS} fit")
    return words


def _pieces(table: Section, game: Game, side: Side) -> Mapping[int, int]:
    ids = [kind.id for kind in game.kinds]
    cells: dict[int, int] = {}
    for square in table.data:
        cell, kind = _cell(table, game, square), table.text(square)
        if kind not in ids:
            table.fail(f"{square} has the unknown kind {quoted(kind)}; {suggestion(kind, ids)}")
        cells[cell] = ids.index(kind)
    for index, kind_info in enumerate(game.kinds):
        count, most = list(cells.values()).count(index), game.rosters[side][index]
        if count > most:
            table.fail(f"there are {count} of {kind_info.id}; the army has {most}")
        if kind_info.role == "flag" and not count:
            table.fail(f"there is no {kind_info.id}; without it the game would be over")
    return cells


def _known(table: Section, game: Game, pieces: BySide[Mapping[int, int]]) -> Iterator[int]:
    for square in table.texts("known"):
        cell = _cell(table, game, square)
        if cell not in pieces.south and cell not in pieces.north:
            table.fail(f"“known” names {square}, where no piece stands")
        yield cell


def _square(table: Section, game: Game, name: str) -> int:
    """Return a square of the board; it may be the one that a zone keeps for the bearer of a ring."""
    try:
        cell = parse_cell(name)
    except ValueError as error:
        table.fail(str(error))
    if cell not in game.board:
        table.fail(f"{quoted(name)} is not on this board")
    return cell


def _cell(table: Section, game: Game, name: str) -> int:
    """Return a square where a piece can stand from the beginning."""
    cell = _square(table, game, name)
    if cell in game.board.zones:
        table.fail(f"no piece can stand on {quoted(name)}, which is in a zone")
    return cell


def _options(table: Section, game: Game) -> Options:
    try:
        return resolve(game, table.strings("options"))
    except OptionError as error:
        table.fail(str(error))


def _check_reserved(table: Section, game: Game, options: Options) -> None:
    """Refuse a board without the zone that is kept for the bearer of a ring."""
    for power in game.powers():
        if power.verb == "bearer":
            option = power.options.get("square")
            square = options[option] if option else str(power.parameters["square"])
            if _square(table, game, square) not in game.board.zones:
                table.fail(f"the board needs the zone {square}, which “{power.id}” reserves for its bearer")


def _step(table: Section, game: Game) -> Step:
    table.only(STEP_KEYS)
    if not any(key in table.data for key in CONDITIONS):
        table.fail('say what is right here, such as right = ["d4-d5"] or any = true')
    right = table.texts("right")
    solution = table.text("solution", right[0] if right else None, such_as='solution = "d4-d5"')
    power = table.text("power", "")
    powers = [one.id for one in game.powers()]
    if power and power not in powers:
        table.fail(f"“power” names the unknown power {quoted(power)}; {suggestion(power, powers)}")
    captures = table.text("captures", "")
    if captures:
        _square(table, game, captures)
    mistakes = table.table("mistakes")
    if len(mistakes.data) > MAX_MISTAKES:
        table.fail(f"there are {len(mistakes.data)} mistakes; at most {MAX_MISTAKES} are possible")
    return Step(
        text=read_words(table, "text"),
        solution=solution,
        praise=read_words(table, "praise"),
        wrong=read_words(table, "wrong", ""),
        mistakes={mistakes.checked_text("action", one): read_words(mistakes, one) for one in mistakes.data},
        reply=table.texts("reply"),
        right=right,
        captures=captures,
        reaches=frozenset(_reached(table, game)),
        power=power,
        takes_flag=table.flag("takes_flag", False),
        walls_flag=table.flag("walls_flag", False),
        table=table,
    )


def _reached(table: Section, game: Game) -> list[str]:
    """Return the squares of “reaches”: a list of squares, or all of a row."""
    if isinstance(table.data.get("reaches"), int):
        row = table.number("reaches", 1, game.board.rows)
        first = (row - 1) * game.board.columns
        return game.board.names(list(game.board.cells())[first : first + game.board.columns])
    return game.board.names(_square(table, game, name) for name in table.texts("reaches"))
