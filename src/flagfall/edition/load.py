"""Load boxes and games from their files.

>>> load_game("onyx/classic").army_size(0)
40
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from flagfall.edition.build import build_edition
from flagfall.edition.guides import guide_book
from flagfall.edition.lessons import LESSON_KEYS, lesson_book
from flagfall.edition.option_table import Option
from flagfall.edition.positions import Positions
from flagfall.edition.reader import Section
from flagfall.edition.schema import (
    Edition,
    EditionError,
    Game,
    OutdatedBoxError,
    Problem,
    UnknownGameError,
)
from flagfall.edition.versions import MAX_VERSIONS, VERSIONS, is_version
from flagfall.errors import MAX_GUESSED_CHARS, nearest, quoted, quoted_error, suggestion
from flagfall.files import sent_file
from flagfall.languages import ENGLISH, say, use_language

BOXES = ("onyx", "duel-masters", "lotr", "fire-and-ice", "spin-master", "barrage", "mini")

LESSON_FILE = re.compile(r"([a-z0-9-]+/)?[a-z0-9-]+\.toml")
MAX_BOX_CHARS = 100_000
"""maximum length of a box file: six times the largest bundled box"""
MAX_LINE_DOTS = 100
"""maximum number of dots in a line, because the TOML parser takes quadratic time for a key such as ``a.b.c``
with many parts; a text of 4,000 characters on one line has fewer"""
OUTDATED = (
    "This box was written for an earlier release and cannot be played with this one; its author can open it "
    "in the workshop, mend it and save it again"
)


def load_text(text: str, file: str = "box.toml") -> Edition:
    """Return the edition of a box file's text; ``file`` is its name in messages."""
    return _load(text, file, bundled_options)


def load_version(version_id: str) -> Edition | None:
    """Return the edition of a stored version of a box, whose id it has; None if its text is not known.

    The text was checked when it was stored. Its lessons are not read.
    """
    text = VERSIONS.text(version_id)
    return None if text is None else _version_of(version_id, text)


def stored_version(version_id: str) -> Edition | None:
    """Return the edition of a version as `load_version` does; `OutdatedBoxError` if it is refused by now."""
    try:
        return load_version(version_id)
    except EditionError:
        raise OutdatedBoxError(OUTDATED) from None


@lru_cache(maxsize=MAX_VERSIONS)
def _version_of(version_id: str, text: str) -> Edition:
    return _load(text, "box.toml", bundled_options, box_id=version_id)


def problems_of(text: str, error: EditionError) -> tuple[tuple[int, int, Problem], ...]:
    """Return the problems of a text with line and column, from the first line on."""
    positions: Positions | None = None
    found = []
    for problem in error.problems:
        if problem.position is None and positions is None:
            positions = Positions(text)
        place = problem.position or (positions.of(problem.table, problem.key) if positions else (1, 1))
        found.append((*place, problem))
    return tuple(sorted(found, key=lambda one: one[:2]))


@use_language(ENGLISH)
def _load(
    text: str,
    file: str,
    bundled: Callable[[], Mapping[str, Option]],
    folder: Traversable | None = None,
    box_id: str = "",
) -> Edition:
    box = _parse(text, file)
    edition = build_edition(box, bundled, partial(_lesson_tables, box, folder), box_id)
    if not box_id and any(key in box.data for key in LESSON_KEYS):
        read_lessons(edition)
    return edition


def read_lessons(edition: Edition) -> None:
    """Read the lessons and guides of a box; `EditionError` if one is wrong."""
    lesson_book(edition)
    guide_book(edition)


def _parse(text: str, file: str) -> Section:
    """Return the tables of a TOML file."""
    if len(text) > MAX_BOX_CHARS:
        raise EditionError(
            Problem(f"the file has more than {MAX_BOX_CHARS} characters; make it shorter", file)
        )
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > MAX_LINE_DOTS:
            sentence = f"line {number} has more than {MAX_LINE_DOTS} dots; break it into several lines"
            raise EditionError(Problem(sentence, file, position=(number, 1)))
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise EditionError(
            Problem("the tables and lists are nested too deeply; two levels are enough", file)
        ) from None
    except tomllib.TOMLDecodeError as error:
        sentence = f"this is not valid TOML: {_lower(quoted_error(error))}"
        raise EditionError(Problem(sentence, file, position=_place(str(error), text))) from None
    except ValueError:  # Python refuses numbers of thousands of digits
        raise EditionError(Problem("a number has thousands of digits; two are enough", file)) from None
    return Section(file, "", data)


def _place(message: str, text: str) -> tuple[int, int]:
    """Return line and column from the parser's message; the last line if it says “end of document”."""
    found = re.search(r"at line (\d+), column (\d+)", message)
    if found is None:
        lines = text.split("\n")
        return len(lines), len(lines[-1]) + 1
    return int(found[1]), int(found[2])


def _lesson_tables(box: Section, folder: Traversable | None) -> Section:
    """Return the tables of a box's lessons: from the file that it names, or its own."""
    name = box.text("lessons", "")
    if not name:
        return Section(box.file, "", {key: box.data[key] for key in LESSON_KEYS if key in box.data})
    if not LESSON_FILE.fullmatch(name):
        box.fail(f"“lessons” must name a file next to this one, such as my-lessons.toml, not {quoted(name)}")
    if any(key in box.data for key in LESSON_KEYS):
        box.fail("give either “lessons”, the name of a file, or tables [lesson.…], not both")
    if folder is None:
        box.fail("“lessons” names a file, but this text has no folder; write tables [lesson.…]")
    return _parse(_read(folder / name, name), name)


@cache
def bundled_options() -> dict[str, Option]:
    """Return the options that the bundled boxes declare."""
    return {name: option for edition in editions() for name, option in edition.options.items()}


def load_file(path: str | Path) -> Edition:
    """Return the edition of a box file."""
    path = Path(path)
    edition = _load(_read(path, str(path)), path.name, bundled_options, path.parent)
    read_lessons(edition)
    return edition


def box_files(address: str) -> dict[str, bytes]:
    """Return the files that a game's address names, by path: a box and its lessons; empty for bundled boxes.

    Another machine that is given them by `use_sent_files` can load the game by the same address.
    """
    if not (address.endswith(".toml") or ".toml#" in address):
        return {}
    path = Path(address if address.endswith(".toml") else address.rpartition("#")[0])
    load_file(path)
    text = _read(path, str(path))
    found = {str(path): text.encode()}
    if lessons := tomllib.loads(text).get("lessons"):
        found[str(path.parent / lessons)] = _read(path.parent / lessons, lessons).encode()
    return found


def _read(path: Traversable, address: str) -> str:
    if (sent := sent_file(str(path))) is not None:
        return sent.decode()
    try:
        with path.open(encoding="utf-8") as stream:
            return stream.read(MAX_BOX_CHARS + 1)
    except UnicodeDecodeError:
        problem = Problem("this is not UTF-8 text; save it as UTF-8 and try again", path.name)
        raise EditionError(problem) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise EditionError(Problem(f"the file cannot be read: {_lower(reason)}", address)) from None


@cache
def load_edition(edition_id: str) -> Edition:
    """Return a bundled box."""
    if edition_id not in BOXES:
        guess = suggestion(edition_id, BOXES)
        raise UnknownGameError(say("errors.unknown.box", text=quoted(edition_id), guess=guess))
    folder = files("flagfall.edition") / "data"
    text = (folder / f"{edition_id}.toml").read_text(encoding="utf-8")
    return _load(text, f"{edition_id}.toml", dict, folder)


def editions() -> tuple[Edition, ...]:
    """Return every bundled box, in the order of a menu."""
    return tuple(load_edition(box) for box in BOXES)


_added: dict[str, Edition] = {}
"""boxes of the operator, by id"""
_added_versions: dict[str, str] = {}
"""their versions, by the same id"""


def add_box(path: str | Path) -> Edition:
    """Load a box file in addition to the bundled ones; `EditionError` if it is wrong or its id is taken."""
    edition = load_file(path)
    if edition.id in BOXES or edition.id in _added or is_version(edition.id):
        sentence = f"there is already a box with the id “{edition.id}”; change it"
        raise EditionError(Problem(sentence, Path(path).name, key="id"))
    _added[edition.id] = edition
    _added_versions[edition.id] = VERSIONS.add(_read(Path(path), str(path)), is_kept=True)
    return edition


def added_version(edition_id: str) -> str:
    """Return the version of an added box, by which its games are played and stored; else empty."""
    return _added_versions.get(edition_id, "")


def all_editions() -> tuple[Edition, ...]:
    """Return the bundled boxes, then the added ones."""
    return (*editions(), *_added.values())


def game_ids() -> tuple[str, ...]:
    """Return the ids of all bundled games: ``onyx/classic``, …"""
    return tuple(game.id for edition in editions() for game in edition.games.values())


def load_game(game_id: str, *, allow_files: bool = True, allow_added: bool = False) -> Game:
    """Return a game by its id, such as ``onyx/classic``, or from a file: ``my.toml#classic``, ``my.toml``.

    Use ``allow_files=False`` for ids from strangers: then only bundled games are found, and those of added
    boxes where ``allow_added``.
    """
    if allow_files and (game_id.endswith(".toml") or ".toml#" in game_id):
        return _game_in_file(game_id)
    box, _, name = game_id.partition("/")
    if box in BOXES and name in load_edition(box).games:
        return load_edition(box).games[name]
    if is_version(box) and (edition := stored_version(box)) is not None and name in edition.games:
        return edition.games[name]
    if allow_added and box in _added and name in _added[box].games:
        return _added[box].games[name]
    raise UnknownGameError(_no_such_game(game_id, game_ids()))


def game_finder(box: Path | None) -> Callable[[str], Game]:
    """Return a function that finds a game by id, in the file of a custom box too if one is given."""
    own = {game.id: game for game in load_file(box).games.values()} if box else {}
    if box and (version := load_version(VERSIONS.add(_read(box, str(box))))) is not None:
        own |= {game.id: game for game in version.games.values()}

    def find(game_id: str) -> Game:
        if game_id in own:
            return own[game_id]
        try:
            return load_game(game_id, allow_files=False)
        except UnknownGameError as unknown:
            raise UnknownGameError(f"{unknown.args[0]}; for a box of your own add --box FILE") from None

    return find


def _game_in_file(address: str) -> Game:
    path, _, name = (address, "", "") if address.endswith(".toml") else address.rpartition("#")
    edition = load_file(path)
    addresses = [f"{path}#{game}" for game in edition.games]
    if name in edition.games:
        return edition.games[name]
    if name:
        raise UnknownGameError(_no_such_game(address, addresses))
    if len(edition.games) > 1:
        raise UnknownGameError(f"{path} has several games; say which one: {', '.join(addresses)}")
    return next(iter(edition.games.values()))


def _no_such_game(game_id: str, known: Sequence[str]) -> str:
    key = "errors.unknown.game-near" if nearest(game_id, known) else "errors.unknown.game"
    text, guess = quoted(game_id, MAX_GUESSED_CHARS), suggestion(game_id, known)
    return say(key, text=text, guess=guess, games=", ".join(known))


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
